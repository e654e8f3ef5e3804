// Which kernels run several blocks along x at once: a row of threads of each, one after the other,
// before the next row. Blocks of a few rows each would otherwise walk down as many lines of memory
// with every few vectors, where no processor fetches ahead.
//
// Blocks run in any order, and so may their threads as long as none waits for another one. Which
// atomic operation comes first shows, so kernels with such are left alone. So are kernels that
// reach across rows, which would lose what one block's lines share, and most kernels that loop,
// which would lose what one block's rows do. But a loop that marches from plane to plane of a
// volume, writing each, comes to other lines and pages with each iteration: there the strip's
// vectors take turns (widen/pause.h).
#include "device/vector/strips.h"

#include <stdlib.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/pause.h"

// STRIDE: bytes from thread to thread, at most a number of four parts.
enum { LANES = 16, STRIDE = 16 };

struct survey {
    struct gcl_module *m;
    LLVMValueRef lane;
    const struct gcl_cfg *cfg;
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

// What a phi of the loop's header becomes.
static LLVMValueRef after_iteration(const struct survey *s, LLVMValueRef phi) {
    const struct gcl_cfg_loop *loop = &s->cfg->loops[0];
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        if (LLVMGetIncomingBlock(phi, n) == s->cfg->blocks[loop->latch].block)
            return LLVMGetIncomingValue(phi, n);
    }
    return NULL;
}

static bool is_inside(const struct survey *s, LLVMValueRef value) {
    return LLVMIsAInstruction(value) &&
           gcl_cfg_in_loop(s->cfg, gcl_cfg_index(s->cfg, LLVMGetInstructionParent(value)), 0);
}

// A number that no iteration changes and the source doesn't say: a line or plane of something.
static bool is_pitch(const struct survey *s, LLVMValueRef value) {
    return !LLVMIsAConstant(value) && !is_inside(s, value) &&
           gcl_uniformity_of(s->u, value).variance == GCL_VARIANCE_UNIFORM;
}

// Whether an address or index gains a pitch in each iteration.
static bool marches(const struct survey *s, LLVMValueRef value, unsigned depth) {
    if (!is_inside(s, value) || depth == 0)
        return false;
    LLVMValueRef next = LLVMIsAPHINode(value) ? after_iteration(s, value) : NULL;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return next && LLVMIsAInstruction(next) && LLVMGetNumOperands(next) == 2 &&
               (LLVMGetInstructionOpcode(next) == LLVMAdd || LLVMIsAGetElementPtrInst(next)) &&
               LLVMGetOperand(next, 0) == value && is_pitch(s, LLVMGetOperand(next, 1));
    case LLVMMul:
        return (is_inside(s, LLVMGetOperand(value, 0)) && is_pitch(s, LLVMGetOperand(value, 1))) ||
               (is_inside(s, LLVMGetOperand(value, 1)) && is_pitch(s, LLVMGetOperand(value, 0)));
    case LLVMAdd:
    case LLVMSub:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMGetElementPtr:
        for (int n = 0; n < LLVMGetNumOperands(value); n++) {
            if (marches(s, LLVMGetOperand(value, (unsigned)n), depth - 1))
                return true;
        }
        return false;
    default:
        return false;
    }
}

// Whether a loop writes plane after plane, and reads at least twice as much in an iteration as its
// lanes take along to the next.
static bool is_march(const struct survey *s) {
    enum { DEPTH = 8 };
    unsigned reads = 0, kept = 0;
    bool writes = false;
    for (int b = 0; b < s->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i))
                return false;
            if (!is_inside(s, i))
                continue;
            bool varies = gcl_uniformity_of(s->u, i).variance == GCL_VARIANCE_DIVERGENT;
            kept += b == s->cfg->loops[0].header && LLVMIsAPHINode(i) && varies;
            reads += LLVMIsALoadInst(i) && marches(s, LLVMGetOperand(i, 0), DEPTH);
            writes |= LLVMIsAStoreInst(i) && marches(s, LLVMGetOperand(i, 1), DEPTH);
        }
    }
    return writes && reads >= 2 * kept;
}

void gcl_strips_choose(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    const struct gcl_device_region *region =
        &g_array_index(kernel->regions, struct gcl_device_region, 0);
    if (!kernel->vector || kernel->regions->len != 1 || region->diverges || kernel->has_warps ||
        kernel->shared_size > 0 || kernel->kept_size > 0 || m->options->sanitize)
        return;
    const struct gcl_lane_geometry row = {GCL_GEOMETRY_ROW, LANES, LANES, false};
    LLVMValueRef thread[4];
    gcl_lane_thread(region->lane, thread);
    struct gcl_cfg *cfg = gcl_cfg_create(region->lane);
    struct gcl_uniformity *u = gcl_uniformity_create(m, region->lane, cfg, row, thread, true);
    const struct survey s = {m, region->lane, cfg, u};
    bool suits = uses_only_fields(&s) && all_suit(&s);
    kernel->steps = suits && gcl_vector_has_steps(u, cfg) && is_march(&s);
    kernel->strips = suits && (cfg->loop_count == 0 || kernel->steps);
    gcl_uniformity_destroy(u);
    gcl_cfg_destroy(cfg);
}
