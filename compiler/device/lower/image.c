// What device code knows by address: functions, and constants that hold such addresses or whose
// address may end up in memory (tables of virtual functions, texts). Programs are loaded anywhere,
// so an address of theirs means nothing on another node. These have theirs in an image that the
// runtime puts at the same place on every node.
//
// The address of a function is that of a descriptor, whose first word is where the function lies in
// this process; a call through a pointer loads that word. So no code is ever moved or written.
// Calls that name their function, and constants that are only read, stay as they are.
#include "device/lower/image.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/lower/globals.h"

static bool is_special(LLVMValueRef global) {
    size_t length;
    return strncmp(LLVMGetValueName2(global, &length), "llvm.", strlen("llvm.")) == 0;
}

static bool is_constant(LLVMValueRef global) {
    return LLVMIsAGlobalVariable(global) && LLVMIsGlobalConstant(global) &&
           LLVMGetInitializer(global) && !is_special(global);
}

// Whether what is behind an address is read there and nothing else happens with it. The runtime's
// functions keep none.
static bool is_only_read(LLVMValueRef address) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) && !is_only_read(user))
            return false;
        bool is_call = LLVMIsACallInst(user) && LLVMIsAFunction(LLVMGetCalledValue(user)) &&
                       LLVMIsDeclaration(LLVMGetCalledValue(user));
        if (!LLVMIsAGetElementPtrInst(user) && !LLVMIsALoadInst(user) && !is_call)
            return false;
    }
    return true;
}

// Whether a constant leads to a function or to a constant.
static bool leads_on(struct gcl_module *m, LLVMValueRef constant) {
    if (LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMPointerTypeKind) {
        int64_t offset;
        LLVMValueRef base = gcl_shim_base(m->layout, constant, &offset);
        return LLVMIsAFunction(base) || is_constant(base);
    }
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        if (leads_on(m, LLVMGetOperand(constant, (unsigned)i)))
            return true;
    }
    return false;
}

// Whether the source names it, so that the host may ask for it: clang's own have no names, or those
// of tables of virtual functions and their like (Itanium C++ ABI, "special names").
bool gcl_image_is_named(LLVMValueRef global) {
    static const char *const prefixes[] = {"_ZT", ".", "__const.", "switch.table."};
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(name, prefixes[i]))
            return false;
    }
    return length > 0;
}

bool gcl_image_leads_on(struct gcl_module *m, LLVMValueRef global) {
    return is_constant(global) && leads_on(m, LLVMGetInitializer(global));
}

static bool add(struct gcl_device_image *image, GPtrArray *list, LLVMValueRef global) {
    if (g_hash_table_contains(image->offsets, global))
        return false;
    g_ptr_array_add(list, global);
    g_hash_table_insert(image->offsets, global, NULL);
    return true;
}

// Adds what a constant leads to, and what that leads to.
static void add_targets(struct gcl_module *m, LLVMValueRef constant) {
    struct gcl_device_image *image = &m->image;
    if (LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMPointerTypeKind) {
        int64_t offset;
        LLVMValueRef base = gcl_shim_base(m->layout, constant, &offset);
        if (LLVMIsAFunction(base))
            add(image, image->functions, base);
        else if (is_constant(base) && !gcl_globals_is_variable(m, base) &&
                 add(image, image->constants, base))
            add_targets(m, LLVMGetInitializer(base));
        return;
    }
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++)
        add_targets(m, LLVMGetOperand(constant, (unsigned)i));
}

static bool is_called_only(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        int arguments = LLVMIsACallInst(user) ? (int)LLVMGetNumArgOperands(user) : -1;
        if (arguments < 0 || LLVMGetCalledValue(user) != function)
            return false;
        for (int i = 0; i < arguments; i++) {
            if (LLVMGetOperand(user, (unsigned)i) == function)
                return false;
        }
    }
    return true;
}

static void collect(struct gcl_module *m) {
    struct gcl_device_image *image = &m->image;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        gcl_shim_expand_uses(f);
        if (!gcl_module_kernel(m, f) && !is_called_only(f))
            add(image, image->functions, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (gcl_globals_is_variable(m, g)) {
            add_targets(m, LLVMGetInitializer(g));
            continue;
        }
        if (!is_constant(g))
            continue;
        gcl_shim_expand_uses(g);
        if ((leads_on(m, LLVMGetInitializer(g)) || !is_only_read(g)) && LLVMGetFirstUse(g) &&
            add(image, image->constants, g))
            add_targets(m, LLVMGetInitializer(g));
    }
}

static void place(struct gcl_module *m, LLVMValueRef global, uint64_t size, uint64_t alignment) {
    assert(alignment > 0);
    struct gcl_device_image *image = &m->image;
    uint64_t offset = (image->size + alignment - 1) / alignment * alignment;
    g_hash_table_insert(image->offsets, global, GSIZE_TO_POINTER(offset));
    image->size = offset + size;
}

// FNV-1a, with the byte that ends the text.
static void mix(uint64_t *hash, const char *text) {
    do
        *hash = (*hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
}

static void mix_global(struct gcl_module *m, LLVMValueRef global) {
    size_t length;
    void *offset = g_hash_table_lookup(m->image.offsets, global);
    g_autofree char *text =
        g_strdup_printf("%s %zu", LLVMGetValueName2(global, &length), GPOINTER_TO_SIZE(offset));
    mix(&m->image.hash, text);
}

static void lay_out(struct gcl_module *m) {
    struct gcl_device_image *image = &m->image;
    for (guint i = 0; i < image->functions->len; i++)
        place(m, image->functions->pdata[i], GCL_DESCRIPTOR_SIZE, GCL_DESCRIPTOR_SIZE);
    for (guint i = 0; i < image->constants->len; i++) {
        LLVMValueRef constant = image->constants->pdata[i];
        unsigned alignment = LLVMGetAlignment(constant);
        place(m, constant, LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(constant)),
              alignment ? alignment : 16);
    }
    image->hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < m->input_count; i++)
        mix(&image->hash, m->inputs[i].unit_id);
    for (guint i = 0; i < image->functions->len; i++)
        mix_global(m, image->functions->pdata[i]);
    for (guint i = 0; i < image->constants->len; i++)
        mix_global(m, image->constants->pdata[i]);
    g_autofree char *size = g_strdup_printf("%llu", (unsigned long long)image->size);
    mix(&image->hash, size);
}

bool gcl_image_offset(const struct gcl_module *m, LLVMValueRef global, uint64_t *offset) {
    void *found;
    if (!g_hash_table_lookup_extended(m->image.offsets, global, NULL, &found))
        return false;
    *offset = GPOINTER_TO_SIZE(found);
    return true;
}

static LLVMValueRef make_address(struct gcl_module *m, LLVMBuilderRef builder, void *data) {
    assert(m->image.slot);
    LLVMValueRef offset = gcl_u64(m, *(const uint64_t *)data);
    LLVMValueRef base = gcl_globals_load_slot(m, builder, m->image.slot);
    return LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(m->context), base, &offset, 1, "");
}

static void replace(struct gcl_module *m, GPtrArray *list) {
    for (guint i = 0; i < list->len; i++) {
        uint64_t offset = 0;
        if (gcl_image_offset(m, list->pdata[i], &offset))
            gcl_globals_replace(m, list->pdata[i], make_address, &offset);
    }
}

// Notes the pointers into the image inside `constant`, which lies `offset` bytes into it.
static void note_pointers(struct gcl_module *m, LLVMValueRef constant, uint64_t offset) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) {
        int64_t addend;
        struct gcl_image_pointer pointer = {.offset = offset};
        LLVMValueRef target = gcl_shim_base(m->layout, constant, &addend);
        if (gcl_image_offset(m, target, &pointer.target)) {
            pointer.target += (uint64_t)addend;
            g_array_append_val(m->image.pointers, pointer);
        }
        return;
    }
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++)
        note_pointers(m, LLVMGetOperand(constant, (unsigned)i),
                      offset + gcl_globals_offset_inside(m, type, (unsigned)i));
}

void gcl_image_build(struct gcl_module *m) {
    struct gcl_device_image *image = &m->image;
    collect(m);
    if (image->functions->len + image->constants->len == 0)
        return;
    lay_out(m);
    image->slot = gcl_globals_add_slot(m, "gcl.image");
    replace(m, image->functions);
    replace(m, image->constants);
    for (guint i = 0; i < image->constants->len; i++) {
        uint64_t offset = 0;
        if (gcl_image_offset(m, image->constants->pdata[i], &offset))
            note_pointers(m, LLVMGetInitializer(image->constants->pdata[i]), offset);
    }
}

static void lower_calls(struct gcl_module *m, LLVMBuilderRef builder, LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (!gcl_intrinsic_is_by_pointer(i))
            continue;
        LLVMPositionBuilderBefore(builder, i);
        LLVMValueRef entry = LLVMBuildLoad2(builder, gcl_ptr(m), LLVMGetCalledValue(i), "");
        LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, entry);
    }
}

void gcl_image_lower_calls(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            lower_calls(m, builder, b);
    }
    LLVMDisposeBuilder(builder);
}
