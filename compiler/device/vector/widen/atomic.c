// Atomic operations: one for all lanes where they change one place by a reduction and none asks
// what was there, several together on shared memory, else lane by lane.
#include "device/vector/widen/atomic.h"

#include "device/ir/block.h"
#include "device/ir/lane.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/lanes.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// LLVM's reduction for an operation, and what changes nothing in it.
struct reduction {
    const char *name;
    uint64_t neutral;
};

static bool find_reduction(LLVMAtomicRMWBinOp operation, LLVMTypeRef type,
                           struct reduction *reduction) {
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type)), top = most / 2;
    switch (operation) {
    case LLVMAtomicRMWBinOpAdd:
        *reduction = (struct reduction){"llvm.vector.reduce.add", 0};
        return true;
    case LLVMAtomicRMWBinOpAnd:
        *reduction = (struct reduction){"llvm.vector.reduce.and", most};
        return true;
    case LLVMAtomicRMWBinOpOr:
        *reduction = (struct reduction){"llvm.vector.reduce.or", 0};
        return true;
    case LLVMAtomicRMWBinOpXor:
        *reduction = (struct reduction){"llvm.vector.reduce.xor", 0};
        return true;
    case LLVMAtomicRMWBinOpMax:
        *reduction = (struct reduction){"llvm.vector.reduce.smax", top + 1};
        return true;
    case LLVMAtomicRMWBinOpMin:
        *reduction = (struct reduction){"llvm.vector.reduce.smin", top};
        return true;
    case LLVMAtomicRMWBinOpUMax:
        *reduction = (struct reduction){"llvm.vector.reduce.umax", 0};
        return true;
    case LLVMAtomicRMWBinOpUMin:
        *reduction = (struct reduction){"llvm.vector.reduce.umin", most};
        return true;
    default:
        return false;
    }
}

// All lanes change one place and none asks what was there: one operation with the sum of them.
static bool act_together(struct gcl_vector *v, LLVMValueRef i) {
    struct reduction reduction;
    if (gcl_vector_info(v, LLVMGetOperand(i, 0)).variance != GCL_VARIANCE_UNIFORM ||
        LLVMGetFirstUse(i) || !find_reduction(LLVMGetAtomicRMWBinOp(i), LLVMTypeOf(i), &reduction))
        return false;
    LLVMValueRef sum = gcl_vector_reduce(
        v, reduction.name, gcl_vector_lanes(v, LLVMGetOperand(i, 1)), reduction.neutral);
    LLVMValueRef clone = LLVMInstructionClone(i);
    LLVMSetOperand(clone, 0, gcl_vector_scalar(v, LLVMGetOperand(i, 0)));
    LLVMSetOperand(clone, 1, sum);
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    if (gcl_block_is_alone(v->m, gcl_lane_block(v->source), i))
        gcl_shim_lower_atomic(clone);
    return true;
}

void gcl_vector_atomic(struct gcl_vector *v, LLVMValueRef i) {
    const char *why = "an atomic operation";
    if (LLVMIsAAtomicRMWInst(i) && (act_together(v, i) || gcl_vector_together(v, i, why)))
        return;
    gcl_vector_one_by_one(v, i, why);
}
