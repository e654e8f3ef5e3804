// Operations of warps. Each returns what takes the place of a call of our headers' function.
#ifndef GCL_DEVICE_GPU_WARP_H
#define GCL_DEVICE_GPU_WARP_H

#include "device/gpu/state.h"

LLVMValueRef gcl_gpu_warp_sync(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);
LLVMValueRef gcl_gpu_warp_ballot(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);
LLVMValueRef gcl_gpu_warp_shuffle(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);
LLVMValueRef gcl_gpu_warp_match(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);
LLVMValueRef gcl_gpu_warp_reduce(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);

/// Makes instructions of reductions, for GPUs from sm_80 on.
void gcl_gpu_warp_use_instructions(struct gcl_gpu *g);

#endif
