// Operations of warps as instructions with a mask of the lanes that take part. Mask 0 means the
// lanes that happen to be together. Values are 64 bits wide, of which most use 32
// (gcluster_warp.h): those are exchanged alone.
#include "device/gpu/warp.h"

#include <assert.h>

#include "device/gpu/known.h"

static LLVMValueRef build_mask(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef mask) {
    if (!LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) != 0)
        return mask;
    return gcl_gpu_assembly(g, b, gcl_i32(&g->m), "activemask.b32 $0;", "=r", NULL, 0);
}

LLVMValueRef gcl_gpu_warp_sync(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0));
    return gcl_gpu_call(g, b, "llvm.nvvm.bar.warp.sync", &mask, 1);
}

LLVMValueRef gcl_gpu_warp_ballot(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef value = LLVMGetOperand(call, 1);
    LLVMValueRef arguments[] = {
        build_mask(g, b, LLVMGetOperand(call, 0)),
        LLVMBuildICmp(b, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "")};
    return gcl_gpu_call(g, b, "llvm.nvvm.vote.ballot.sync", arguments, 2);
}

// The low 32 bits of what only those can be set of, NULL for any other number.
static LLVMValueRef as_word(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef value) {
    assert(LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64);
    bool is_constant = LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) <= UINT32_MAX;
    bool is_wider = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMZExt &&
                    LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) <= 32;
    return is_constant || is_wider ? LLVMBuildTrunc(b, value, gcl_i32(&g->m), "") : NULL;
}

static LLVMValueRef shuffle_word(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef mask,
                                 LLVMValueRef word, LLVMValueRef lane) {
    LLVMValueRef arguments[] = {mask, word, lane, gcl_u32(&g->m, 31)};
    return gcl_gpu_call(g, b, "llvm.nvvm.shfl.sync.idx.i32", arguments, G_N_ELEMENTS(arguments));
}

LLVMValueRef gcl_gpu_warp_shuffle(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMTypeRef wide = gcl_i64(&g->m), narrow = gcl_i32(&g->m);
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0)), value = LLVMGetOperand(call, 1);
    LLVMValueRef lane = LLVMGetOperand(call, 2), word = as_word(g, b, value);
    if (word)
        return LLVMBuildZExt(b, shuffle_word(g, b, mask, word, lane), wide, "");
    LLVMValueRef bits = gcl_u64(&g->m, 32);
    LLVMValueRef low = LLVMBuildTrunc(b, value, narrow, "");
    LLVMValueRef high = LLVMBuildTrunc(b, LLVMBuildLShr(b, value, bits, ""), narrow, "");
    low = LLVMBuildZExt(b, shuffle_word(g, b, mask, low, lane), wide, "");
    high = LLVMBuildZExt(b, shuffle_word(g, b, mask, high, lane), wide, "");
    return LLVMBuildOr(b, LLVMBuildShl(b, high, bits, ""), low, "");
}

LLVMValueRef gcl_gpu_warp_match(struct gcl_gpu *g, LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef mask = build_mask(g, b, LLVMGetOperand(call, 0)), value = LLVMGetOperand(call, 1);
    LLVMValueRef word = as_word(g, b, value);
    LLVMValueRef arguments[] = {mask, word ? word : value};
    return gcl_gpu_call(
        g, b, word ? "llvm.nvvm.match.any.sync.i32" : "llvm.nvvm.match.any.sync.i64", arguments, 2);
}
