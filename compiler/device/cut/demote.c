// Takes a kernel out of SSA form before it falls apart: what lives across blocks goes through local
// variables, and for each of them it is known whether the whole block can share one copy.
//
// A value that is the same for all threads of the block, or follows threadIdx.x with a constant
// stride, need not be kept once a thread across a cut, and stays what it is for whoever reads it
// there: a loop counter around a barrier remains a scalar.
#include "device/cut/demote.h"

#include <assert.h>

#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"

struct demotion {
    struct gcl_module *m;
    struct gcl_device_kernel *kernel;
    LLVMValueRef function;
    LLVMBuilderRef b;
    GHashTable *infos; ///< instruction -> struct gcl_value_info
};

static void copy_infos(struct demotion *d, const struct gcl_uniformity *u) {
    GHashTableIter iterator;
    void *value, *info;
    g_hash_table_iter_init(&iterator, u->values);
    while (g_hash_table_iter_next(&iterator, &value, &info))
        g_hash_table_insert(d->infos, value, g_memdup2(info, sizeof(struct gcl_value_info)));
}

static LLVMValueRef make_slot(struct demotion *d, LLVMValueRef value) {
    const struct gcl_value_info *info = g_hash_table_lookup(d->infos, value);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(d->function);
    LLVMPositionBuilderBefore(d->b, LLVMGetFirstInstruction(entry));
    LLVMValueRef slot = LLVMBuildAlloca(d->b, LLVMTypeOf(value), "");
    bool is_number = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind ||
                     LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    if (info && (info->variance == GCL_VARIANCE_UNIFORM ||
                 (info->variance == GCL_VARIANCE_AFFINE && is_number && !info->has_y))) {
        int64_t *stride = g_new(int64_t, 1);
        *stride = info->x_stride;
        g_hash_table_insert(d->kernel->shared_locals, slot, stride);
    }
    return slot;
}

static LLVMValueRef first_of(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void demote_phi(struct demotion *d, LLVMValueRef phi) {
    assert(LLVMIsAPHINode(phi));
    LLVMValueRef slot = make_slot(d, phi);
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, n);
        LLVMPositionBuilderBefore(d->b, LLVMGetBasicBlockTerminator(from));
        LLVMBuildStore(d->b, LLVMGetIncomingValue(phi, n), slot);
    }
    LLVMPositionBuilderBefore(d->b, first_of(LLVMGetInstructionParent(phi)));
    LLVMValueRef load = LLVMBuildLoad2(d->b, LLVMTypeOf(phi), slot, "");
    const struct gcl_value_info *info = g_hash_table_lookup(d->infos, phi);
    if (info)
        g_hash_table_insert(d->infos, load, g_memdup2(info, sizeof *info));
    LLVMReplaceAllUsesWith(phi, load);
    LLVMInstructionEraseFromParent(phi);
}

static GPtrArray *users_elsewhere(LLVMValueRef value) {
    GPtrArray *users = g_ptr_array_new();
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value) &&
            !g_ptr_array_find(users, user, NULL))
            g_ptr_array_add(users, user);
    }
    return users;
}

static void demote_value(struct demotion *d, LLVMValueRef value) {
    g_autoptr(GPtrArray) users = users_elsewhere(value);
    if (users->len == 0)
        return;
    LLVMValueRef slot = make_slot(d, value);
    LLVMPositionBuilderBefore(d->b, LLVMGetNextInstruction(value));
    LLVMBuildStore(d->b, value, slot);
    for (guint u = 0; u < users->len; u++) {
        LLVMValueRef user = users->pdata[u];
        assert(!LLVMIsAPHINode(user)); // demote_phi has made slots of them
        LLVMPositionBuilderBefore(d->b, user);
        LLVMValueRef load = LLVMBuildLoad2(d->b, LLVMTypeOf(value), slot, "");
        for (int n = 0; n < LLVMGetNumOperands(user); n++) {
            if (LLVMGetOperand(user, (unsigned)n) == value)
                LLVMSetOperand(user, (unsigned)n, load);
        }
    }
}

static GPtrArray *instructions_of(LLVMValueRef function, bool phis) {
    GPtrArray *list = g_ptr_array_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i) && (LLVMIsAPHINode(i) != NULL) == phis)
                g_ptr_array_add(list, i);
        }
    }
    return list;
}

void gcl_demote_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct demotion d = {
        .m = m,
        .kernel = kernel,
        .function = kernel->function,
        .b = LLVMCreateBuilderInContext(m->context),
        .infos = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
    };
    if (kernel->vector) {
        struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
        struct gcl_lane_geometry block = {.kind = GCL_GEOMETRY_BLOCK};
        struct gcl_uniformity *u =
            gcl_uniformity_create(m, kernel->function, cfg, block, NULL, false);
        copy_infos(&d, u);
        gcl_uniformity_destroy(u);
        gcl_cfg_destroy(cfg);
    }
    g_autoptr(GPtrArray) phis = instructions_of(kernel->function, true);
    for (guint i = 0; i < phis->len; i++)
        demote_phi(&d, phis->pdata[i]);
    g_autoptr(GPtrArray) values = instructions_of(kernel->function, false);
    for (guint i = 0; i < values->len; i++)
        demote_value(&d, values->pdata[i]);
    LLVMDisposeBuilder(d.b);
    g_hash_table_destroy(d.infos);
}
