// An atomic operation that releases has a fence in front of it, one that acquires has one behind
// it, one of the sequence that all threads agree on has both: C++'s own mapping for machines whose
// atomic operations order nothing.
#include "device/gpu/order.h"

#include <string.h>

#include "device/gpu/known.h"

// A fence of a single thread is what __threadfence_block leaves, as a CPU's core runs a whole
// block.
static const char *fence_name(LLVMValueRef i) {
    return LLVMIsAtomicSingleThread(i) ? "llvm.nvvm.membar.cta" : "llvm.nvvm.membar.sys";
}

static bool releases(LLVMAtomicOrdering order) {
    return order == LLVMAtomicOrderingRelease || order == LLVMAtomicOrderingAcquireRelease ||
           order == LLVMAtomicOrderingSequentiallyConsistent;
}

static bool acquires(LLVMAtomicOrdering order) {
    return order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingAcquireRelease ||
           order == LLVMAtomicOrderingSequentiallyConsistent;
}

static LLVMAtomicOrdering order_of(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMGetCmpXchgSuccessOrdering(i);
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i)
               ? LLVMGetOrdering(i)
               : LLVMAtomicOrderingNotAtomic;
}

// atomicCAS of our headers orders nothing for other threads (gcluster_atomic.h). It is relaxed when
// the program has been optimised, as nothing may move past it.
static bool is_cuda_comparison(LLVMValueRef i) {
    return LLVMIsAAtomicCmpXchgInst(i) &&
           LLVMGetCmpXchgSuccessOrdering(i) == LLVMAtomicOrderingSequentiallyConsistent &&
           LLVMGetCmpXchgFailureOrdering(i) == LLVMAtomicOrderingMonotonic;
}

static void relax(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i)) {
        LLVMSetCmpXchgFailureOrdering(i, LLVMAtomicOrderingMonotonic);
        LLVMSetCmpXchgSuccessOrdering(i, LLVMAtomicOrderingMonotonic);
    } else {
        LLVMSetOrdering(i, LLVMAtomicOrderingMonotonic);
    }
}

static void lower_instruction(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMAtomicOrdering order = order_of(i);
    if (is_cuda_comparison(i))
        return;
    LLVMPositionBuilderBefore(b, i);
    if (LLVMIsAFenceInst(i)) {
        gcl_gpu_call(g, b, fence_name(i), NULL, 0);
        LLVMInstructionEraseFromParent(i);
        return;
    }
    if (releases(order))
        gcl_gpu_call(g, b, fence_name(i), NULL, 0);
    if (acquires(order)) {
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
        gcl_gpu_call(g, b, fence_name(i), NULL, 0);
    }
    if (releases(order) || acquires(order))
        relax(i);
}

static void relax_comparison(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef i) {
    (void)g, (void)b;
    if (is_cuda_comparison(i))
        relax(i);
}

void gcl_gpu_order_lower(struct gcl_gpu *g) {
    gcl_gpu_visit(g, lower_instruction);
}

void gcl_gpu_order_relax(struct gcl_gpu *g) {
    gcl_gpu_visit(g, relax_comparison);
}
