// Gives device variables the addresses that they have at run time.
//
// Shared variables lie in the block's own memory: those that one kernel uses alone from offset 0 on
// behind what several share, so that blocks of small kernels stay small. Variables in global and
// constant memory live in the global address space, which the runtime hands out; code finds them
// through a slot that never changes once kernels run.
#include "device/lower/variables.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/lower/annotations.h"
#include "device/lower/globals.h"
#include "device/lower/image.h"

enum { ALIGNMENT = 64 };

static int space_of(struct gcl_module *m, LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return GPOINTER_TO_INT(g_hash_table_lookup(m->spaces, name));
}

static uint32_t round_up(uint64_t size, uint64_t alignment) {
    assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
    return (uint32_t)((size + alignment - 1) / alignment * alignment);
}

static LLVMValueRef function_of(LLVMValueRef instruction) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static LLVMValueRef call_intrinsic(struct gcl_module *m, LLVMBuilderRef builder, const char *name) {
    LLVMTypeRef type = LLVMFunctionType(gcl_ptr(m), NULL, 0, 0);
    return LLVMBuildCall2(builder, type, gcl_intrinsic_declare(m, name, gcl_ptr(m)), NULL, 0, "");
}

static LLVMValueRef make_dynamic(struct gcl_module *m, LLVMBuilderRef builder, void *data) {
    (void)data;
    return call_intrinsic(m, builder, "__gcl_dynamic_shared");
}

static LLVMValueRef make_shared(struct gcl_module *m, LLVMBuilderRef builder, void *data) {
    LLVMValueRef base = call_intrinsic(m, builder, "__gcl_shared");
    LLVMValueRef offset = gcl_u64(m, *(const uint32_t *)data);
    return LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(m->context), base, &offset, 1, "");
}

static LLVMValueRef make_variable(struct gcl_module *m, LLVMBuilderRef builder, void *data) {
    return gcl_globals_load_slot(m, builder, ((struct gcl_device_variable *)data)->slot);
}

// The function whose use of a variable counts: a kernel for its mirror.
static LLVMValueRef user_of(struct gcl_module *m, LLVMValueRef instruction) {
    LLVMValueRef function = function_of(instruction);
    const struct gcl_device_kernel *kernel = gcl_module_mirror_kernel(m, function);
    return kernel ? kernel->function : function;
}

// The kernel that alone uses `global`, NULL if there is none or other functions do too.
static struct gcl_device_kernel *only_user(struct gcl_module *m, LLVMValueRef global) {
    LLVMValueRef function = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        if (function && function != user_of(m, user))
            return NULL;
        function = user_of(m, user);
    }
    return function ? gcl_module_kernel(m, function) : NULL;
}

static void place_shared(struct gcl_module *m, LLVMValueRef global, uint32_t *end) {
    uint32_t alignment = LLVMGetAlignment(global) ? LLVMGetAlignment(global) : 16;
    uint32_t offset = round_up(*end, alignment);
    *end = offset + (uint32_t)LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(global));
    gcl_globals_replace(m, global, make_shared, &offset);
}

static void lower_shared(struct gcl_module *m, GPtrArray *globals) {
    uint32_t common = 0;
    for (guint i = 0; i < globals->len; i++) {
        gcl_shim_expand_uses(globals->pdata[i]);
        if (!only_user(m, globals->pdata[i]))
            place_shared(m, globals->pdata[i], &common);
    }
    for (guint k = 0; k < m->kernels->len; k++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[k];
        uint32_t end = common;
        for (guint i = 0; i < globals->len; i++) {
            if (only_user(m, globals->pdata[i]) == kernel)
                place_shared(m, globals->pdata[i], &end);
        }
        kernel->shared_size = round_up(end, ALIGNMENT);
    }
}

static void add_variable(struct gcl_module *m, LLVMValueRef global, int space) {
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    struct gcl_device_variable *variable = g_hash_table_lookup(m->owners, symbol);
    assert(variable && !variable->slot);
    variable->image = global;
    variable->flags = space == GCL_SPACE_CONSTANT ? GCL_VARIABLE_CONSTANT : 0;
    variable->slot = gcl_globals_add_slot(m, symbol);
    g_ptr_array_add(m->variables, variable);
}

static const struct gcl_device_variable *variable_at(struct gcl_module *m, guint index) {
    assert(index < m->variables->len);
    return m->variables->pdata[index];
}

// What a pointer in the image of variable `index` leads to; false if the runtime needn't know.
static bool find_target(struct gcl_module *m, guint index, LLVMValueRef constant,
                        struct gcl_fixup *fixup) {
    LLVMValueRef base = gcl_shim_base(m->layout, constant, &fixup->addend);
    uint64_t offset;
    fixup->target = gcl_globals_find_variable(m, base);
    if (gcl_image_offset(m, base, &offset)) {
        fixup->target = GCL_FIXUP_IMAGE;
        fixup->addend += (int64_t)offset;
        return true;
    }
    if (fixup->target == G_MAXUINT)
        return false;
    if (variable_at(m, index)->input == variable_at(m, fixup->target)->input)
        return true;
    gcl_module_error(m, GCL_CODE_DEVICE_LINK, NULL,
                     "%s is initialised with the address of %s of another file",
                     variable_at(m, index)->name, variable_at(m, fixup->target)->name);
    return false;
}

// Notes the pointers to variables and into the image inside `constant`, which lies `offset` bytes
// into variable `index`.
static void note_fixups(struct gcl_module *m, guint index, LLVMValueRef constant, uint64_t offset) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        struct gcl_fixup fixup = {.variable = index, .offset = offset};
        if (find_target(m, index, constant, &fixup))
            g_array_append_val(m->fixups, fixup);
        return;
    }
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        note_fixups(m, index, LLVMGetOperand(constant, (unsigned)i),
                    offset + gcl_globals_offset_inside(m, type, (unsigned)i));
    }
}

// clang's list of what host code names of other files' variables; each input has one.
static bool is_list_of_external(LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return LLVMIsAGlobalVariable(global) && g_str_has_prefix(name, "__clang_gpu_used_external");
}

static void add_listed(struct gcl_module *m, LLVMValueRef list, GHashTable *named) {
    LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
    for (int i = 0; entries && i < LLVMGetNumOperands(entries); i++) {
        int64_t offset;
        LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);
        LLVMValueRef global = gcl_shim_base(m->layout, entry, &offset);
        if (g_hash_table_add(named, global) && is_list_of_external(global))
            add_listed(m, global, named);
    }
}

// Clang's lists of variables that stay, which our tables take the place of from here on.
static void delete_special(struct gcl_module *m) {
    static const char *const names[] = {"llvm.global.annotations", "llvm.used",
                                        "llvm.compiler.used"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        LLVMValueRef global = LLVMGetNamedGlobal(m->module, names[i]);
        if (global)
            LLVMDeleteGlobal(global);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_list_of_external(g))
            LLVMDeleteGlobal(g);
    }
}

static void lower_variables(struct gcl_module *m) {
    for (guint i = 0; i < m->variables->len; i++) {
        struct gcl_device_variable *variable = m->variables->pdata[i];
        gcl_globals_replace(m, variable->image, make_variable, variable);
        note_fixups(m, i, LLVMGetInitializer(variable->image), 0);
    }
    for (guint i = 0; i < m->variables->len; i++) {
        struct gcl_device_variable *variable = m->variables->pdata[i];
        size_t length;
        g_autofree char *name =
            g_strconcat(LLVMGetValueName2(variable->image, &length), ".image", NULL);
        LLVMSetValueName2(variable->image, name, strlen(name));
        LLVMSetExternallyInitialized(variable->image, 0);
        LLVMSetGlobalConstant(variable->image, 1);
        gcl_shim_describe_behind(variable->image, variable->slot);
    }
}

// Whether a constant leads to a variable.
static bool leads_to_variable(struct gcl_module *m, LLVMValueRef constant) {
    int64_t offset;
    if (LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMPointerTypeKind)
        return gcl_globals_is_variable(m, gcl_shim_base(m->layout, constant, &offset));
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        if (leads_to_variable(m, LLVMGetOperand(constant, (unsigned)i)))
            return true;
    }
    return false;
}

static bool is_lasting(struct gcl_module *m, LLVMValueRef global) {
    size_t length;
    bool is_known = g_hash_table_contains(m->owners, LLVMGetValueName2(global, &length));
    return is_known && LLVMIsGlobalConstant(global) && LLVMGetInitializer(global) &&
           !gcl_globals_is_variable(m, global);
}

// Constants that hold addresses are variables, too, where the host may ask for them or where the
// addresses are those of variables, of which each device has its own.
static void add_constants(struct gcl_module *m) {
    guint count;
    do {
        count = m->variables->len;
        for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
            if (is_lasting(m, g) && (leads_to_variable(m, LLVMGetInitializer(g)) ||
                                     (gcl_image_is_named(g) && gcl_image_leads_on(m, g))))
                add_variable(m, g, GCL_SPACE_CONSTANT);
        }
    } while (m->variables->len > count);
}

// Constants that host code names (clang keeps those for that) are variables for its sake.
void gcl_variables_lower(struct gcl_module *m) {
    g_autoptr(GPtrArray) shared = g_ptr_array_new();
    g_autoptr(GHashTable) named = g_hash_table_new(g_direct_hash, g_direct_equal);
    add_listed(m, LLVMGetNamedGlobal(m->module, "llvm.compiler.used"), named);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        int space = space_of(m, g);
        bool is_variable = space == GCL_SPACE_GLOBAL || space == GCL_SPACE_CONSTANT;
        if (space == GCL_SPACE_SHARED && LLVMIsDeclaration(g))
            gcl_globals_replace(m, g, make_dynamic, NULL);
        else if (space == GCL_SPACE_SHARED)
            g_ptr_array_add(shared, g);
        else if (is_variable && !LLVMIsDeclaration(g) &&
                 (!LLVMIsGlobalConstant(g) || g_hash_table_contains(named, g)))
            add_variable(m, g, space);
    }
    gcl_annotations_read_variables(m);
    delete_special(m);
    add_constants(m);
    lower_shared(m, shared);
    gcl_image_build(m);
    lower_variables(m);
}
