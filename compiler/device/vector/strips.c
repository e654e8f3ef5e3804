// Which kernels run several blocks along x at once: a row of threads of each, one after the other,
// before the next row. Blocks of a few rows each would otherwise walk down as many lines of memory
// with every few vectors, where no processor fetches ahead.
//
// Blocks run in any order, and so may their threads as long as none waits for another one. Which
// atomic operation comes first shows, so kernels with such are left alone. Kernels that loop would
// lose what one block's rows share, and those that reach across rows what one block's lines do.
#include "device/vector/strips.h"

#include <stdlib.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"

// STRIDE: bytes from thread to thread, at most a number of four parts.
enum { LANES = 16, STRIDE = 16 };

struct survey {
    struct gcl_module *m;
    LLVMValueRef lane;
    const struct gcl_uniformity *u;
};

// Whether `place` is a field that all blocks along x have the same way, or their index.
static bool is_common_field(const struct survey *s, LLVMValueRef place) {
    int64_t offset = place == gcl_lane_block(s->lane) ? 0 : gcl_shim_offset(s->m->layout, place);
    return offset >= 0 && offset < (int64_t)G_STRUCT_OFFSET(struct gcl_block, thread);
}

static bool uses_only_fields(const struct survey *s) {
    LLVMValueRef block = gcl_lane_block(s->lane);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_field =
            LLVMIsALoadInst(user) || (LLVMIsAGetElementPtrInst(user) && is_common_field(s, user));
        if (!is_field)
            return false;
    }
    return true;
}

// Whether neighbours along x access neighbours in memory, or all the same.
static bool is_along_rows(const struct survey *s, LLVMValueRef address) {
    struct gcl_value_info info = gcl_uniformity_of(s->u, address);
    return info.variance == GCL_VARIANCE_UNIFORM ||
           (info.variance == GCL_VARIANCE_AFFINE && llabs(info.x_stride) <= STRIDE);
}

static bool suits(const struct survey *s, LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return is_along_rows(s, LLVMGetOperand(i, 0));
    if (LLVMIsAStoreInst(i))
        return is_along_rows(s, LLVMGetOperand(i, 1));
    if (LLVMIsACallInst(i))
        return g_str_has_prefix(gcl_intrinsic_callee(i), "llvm.") &&
               !g_str_has_prefix(gcl_intrinsic_callee(i), "llvm.mem");
    return !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAFenceInst(i);
}

static bool all_suit(const struct survey *s) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!suits(s, i))
                return false;
        }
    }
    return true;
}

bool gcl_strips_suit(struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    const struct gcl_device_region *region =
        &g_array_index(kernel->regions, struct gcl_device_region, 0);
    if (!kernel->vector || kernel->regions->len != 1 || region->diverges || kernel->has_warps ||
        kernel->shared_size > 0 || kernel->kept_size > 0 || m->options->sanitize)
        return false;
    const struct gcl_lane_geometry row = {GCL_GEOMETRY_ROW, LANES, LANES, false};
    LLVMValueRef thread[4];
    gcl_lane_thread(region->lane, thread);
    struct gcl_cfg *cfg = gcl_cfg_create(region->lane);
    struct gcl_uniformity *u = gcl_uniformity_create(m, region->lane, cfg, row, thread, true);
    const struct survey s = {m, region->lane, u};
    bool suit = cfg->loop_count == 0 && uses_only_fields(&s) && all_suit(&s);
    gcl_uniformity_destroy(u);
    gcl_cfg_destroy(cfg);
    return suit;
}
