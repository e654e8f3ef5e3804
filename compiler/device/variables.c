// Gives device variables the addresses that they have at run time.
//
// Shared variables lie in the block's own memory: those that one kernel uses alone from offset 0 on
// behind what several share, so that blocks of small kernels stay small. Variables in global and
// constant memory live in the global address space, which the runtime hands out; code finds them
// through a slot that never changes once kernels run.
#include <string.h>

#include "intrinsics.h"
#include "module.h"
#include "shim.h"

enum { ALIGNMENT = 64 };

static int space_of(struct gcl_module *m, LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return GPOINTER_TO_INT(g_hash_table_lookup(m->spaces, name));
}

static uint32_t round_up(uint64_t size, uint64_t alignment) {
    return (uint32_t)((size + alignment - 1) / alignment * alignment);
}

static LLVMValueRef function_of(LLVMValueRef instruction) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

// Replaces every use in an instruction by what `make` builds in front of it. Uses in initialisers
// stay.
static void replace_uses(struct gcl_module *m, LLVMValueRef global,
                         LLVMValueRef (*make)(struct gcl_module *, LLVMBuilderRef, void *),
                         void *data) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    g_autoptr(GPtrArray) users = g_ptr_array_new();

    gcl_shim_expand_uses(global);
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            g_ptr_array_add(users, LLVMGetUser(use));
    }
    for (guint i = 0; i < users->len; i++) {
        LLVMValueRef user = users->pdata[i];
        for (int operand = 0; operand < LLVMGetNumOperands(user); operand++) {
            if (LLVMGetOperand(user, (unsigned)operand) != global)
                continue;
            if (LLVMIsAPHINode(user))
                LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(
                                                       user, (unsigned)operand)));
            else
                LLVMPositionBuilderBefore(builder, user);
            LLVMSetOperand(user, (unsigned)operand, make(m, builder, data));
        }
    }
    LLVMDisposeBuilder(builder);
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
    struct gcl_device_variable *variable = data;
    LLVMValueRef load = LLVMBuildLoad2(builder, gcl_ptr(m), variable->slot, "");
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(m->context, "invariant.load", 14),
                    LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0)));
    return load;
}

// The kernel that alone uses `global`, NULL if there is none or other functions do too.
static struct gcl_device_kernel *only_user(struct gcl_module *m, LLVMValueRef global) {
    LLVMValueRef function = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        if (function && function != function_of(user))
            return NULL;
        function = function_of(user);
    }
    return function ? gcl_module_kernel(m, function) : NULL;
}

static void place_shared(struct gcl_module *m, LLVMValueRef global, uint32_t *end) {
    uint32_t alignment = LLVMGetAlignment(global) ? LLVMGetAlignment(global) : 16;
    uint32_t offset = round_up(*end, alignment);
    *end = offset + (uint32_t)LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(global));
    replace_uses(m, global, make_shared, &offset);
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
    variable->image = global;
    variable->flags = space == GCL_SPACE_CONSTANT ? GCL_VARIABLE_CONSTANT : 0;

    g_autofree char *slot = g_strconcat(symbol, ".address", NULL);
    variable->slot = LLVMAddGlobal(m->module, gcl_ptr(m), slot);
    LLVMSetLinkage(variable->slot, LLVMInternalLinkage);
    LLVMSetInitializer(variable->slot, LLVMConstNull(gcl_ptr(m)));
    LLVMSetExternallyInitialized(variable->slot, 1);
    g_ptr_array_add(m->variables, variable);
}

static guint find_variable(struct gcl_module *m, LLVMValueRef image) {
    for (guint i = 0; i < m->variables->len; i++) {
        if (((struct gcl_device_variable *)m->variables->pdata[i])->image == image)
            return i;
    }
    return G_MAXUINT;
}

static const struct gcl_device_variable *variable_at(struct gcl_module *m, guint index) {
    return m->variables->pdata[index];
}

// Notes the pointers to variables inside `constant`, which lies `offset` bytes into variable
// `index`.
static void note_fixups(struct gcl_module *m, guint index, LLVMValueRef constant, uint64_t offset) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) {
        int64_t addend;
        guint target = find_variable(m, gcl_shim_base(m->layout, constant, &addend));
        if (target == G_MAXUINT)
            return;
        if (variable_at(m, index)->input != variable_at(m, target)->input) {
            gcl_module_error(m, GCL_CODE_DEVICE_LINK, NULL,
                             "%s is initialised with the address of %s of another file",
                             variable_at(m, index)->name, variable_at(m, target)->name);
            return;
        }
        struct gcl_fixup fixup = {index, target, offset, addend};
        g_array_append_val(m->fixups, fixup);
        return;
    }
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant))
        return;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        LLVMValueRef element = LLVMGetOperand(constant, (unsigned)i);
        uint64_t inner = kind == LLVMStructTypeKind
                             ? LLVMOffsetOfElement(m->layout, type, (unsigned)i)
                             : (unsigned)i * LLVMABISizeOfType(m->layout, LLVMTypeOf(element));
        note_fixups(m, index, element, offset + inner);
    }
}

// `llvm.global.annotations` holds structs of variable, text, file, line.
static void read_annotations(struct gcl_module *m) {
    LLVMValueRef list = LLVMGetNamedGlobal(m->module, "llvm.global.annotations");
    LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
    for (int i = 0; entries && i < LLVMGetNumOperands(entries); i++) {
        LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);
        LLVMValueRef text = LLVMGetInitializer(LLVMGetOperand(entry, 1));
        guint index = find_variable(m, LLVMGetOperand(entry, 0));
        size_t length;
        if (index == G_MAXUINT || !text || !LLVMIsConstantString(text))
            continue;
        if (g_str_has_prefix(LLVMGetAsString(text, &length), "gcl.managed"))
            ((struct gcl_device_variable *)m->variables->pdata[index])->flags |=
                GCL_VARIABLE_MANAGED;
    }
}

// These keep variables alive for clang's sake; the tables do from here on.
static void delete_special(struct gcl_module *m) {
    static const char *const names[] = {"llvm.global.annotations", "llvm.used",
                                        "llvm.compiler.used"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        LLVMValueRef global = LLVMGetNamedGlobal(m->module, names[i]);
        if (global)
            LLVMDeleteGlobal(global);
    }
}

static void lower_variables(struct gcl_module *m) {
    for (guint i = 0; i < m->variables->len; i++) {
        struct gcl_device_variable *variable = m->variables->pdata[i];
        replace_uses(m, variable->image, make_variable, variable);
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
    }
}

void gcl_variables_lower(struct gcl_module *m) {
    g_autoptr(GPtrArray) shared = g_ptr_array_new();
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        int space = space_of(m, g);
        bool is_variable = space == GCL_SPACE_GLOBAL || space == GCL_SPACE_CONSTANT;
        if (space == GCL_SPACE_SHARED && LLVMIsDeclaration(g))
            replace_uses(m, g, make_dynamic, NULL);
        else if (space == GCL_SPACE_SHARED)
            g_ptr_array_add(shared, g);
        else if (is_variable && !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g))
            add_variable(m, g, space);
    }
    read_annotations(m);
    delete_special(m);
    lower_shared(m, shared);
    lower_variables(m);
}
