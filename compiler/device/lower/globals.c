// Global variables whose addresses are only known at run time: their uses become loads of a slot, a
// word that the runtime sets before kernels run.
#include "device/lower/globals.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"

// What a phi has for an earlier edge from the same block, as a switch has several, for which it
// must have the same value; NULL: nothing.
static LLVMValueRef made_before(LLVMValueRef user, unsigned operand) {
    for (unsigned e = 0; LLVMIsAPHINode(user) && e < operand; e++) {
        if (LLVMGetIncomingBlock(user, e) == LLVMGetIncomingBlock(user, operand))
            return LLVMGetOperand(user, e);
    }
    return NULL;
}

static LLVMValueRef place_before(LLVMValueRef user, unsigned operand) {
    return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand))
                                : user;
}

void gcl_globals_replace(struct gcl_module *m, LLVMValueRef global,
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
            LLVMValueRef made = made_before(user, (unsigned)operand);
            LLVMPositionBuilderBefore(builder, place_before(user, (unsigned)operand));
            LLVMSetOperand(user, (unsigned)operand, made ? made : make(m, builder, data));
        }
    }
    LLVMDisposeBuilder(builder);
}

LLVMValueRef gcl_globals_load_slot(struct gcl_module *m, LLVMBuilderRef builder,
                                   LLVMValueRef slot) {
    LLVMValueRef load = LLVMBuildLoad2(builder, gcl_ptr(m), slot, "");
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(m->context, "invariant.load", 14),
                    LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0)));
    return load;
}

LLVMValueRef gcl_globals_add_slot(struct gcl_module *m, const char *name) {
    g_autofree char *full = g_strconcat(name, ".address", NULL);
    LLVMValueRef slot = LLVMAddGlobal(m->module, gcl_ptr(m), full);
    LLVMSetLinkage(slot, LLVMInternalLinkage);
    LLVMSetInitializer(slot, LLVMConstNull(gcl_ptr(m)));
    LLVMSetExternallyInitialized(slot, 1);
    return slot;
}

uint64_t gcl_globals_offset_inside(struct gcl_module *m, LLVMTypeRef type, unsigned index) {
    assert(LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return LLVMOffsetOfElement(m->layout, type, index);
    return index * LLVMABISizeOfType(m->layout, LLVMGetElementType(type));
}

guint gcl_globals_find_variable(struct gcl_module *m, LLVMValueRef image) {
    for (guint i = 0; i < m->variables->len; i++) {
        if (((struct gcl_device_variable *)m->variables->pdata[i])->image == image)
            return i;
    }
    return G_MAXUINT;
}

bool gcl_globals_is_variable(struct gcl_module *m, LLVMValueRef global) {
    return gcl_globals_find_variable(m, global) != G_MAXUINT;
}
