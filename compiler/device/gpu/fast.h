// Approximations that are instructions of GPUs.
#ifndef GCL_DEVICE_GPU_FAST_H
#define GCL_DEVICE_GPU_FAST_H

#include "device/gpu/state.h"

/// Builds what GPUs have for a call of one of our headers' fast functions, or of a function of
/// mathematics that may be approximated: as the CUDA C++ Programming Guide has it, "Intrinsic
/// Functions". NULL: it is none.
LLVMValueRef gcl_gpu_fast_call(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef call);
/// Builds a quotient or a square root of floats that needn't be exact; NULL: it has to be.
LLVMValueRef gcl_gpu_fast_quotient(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef i);
LLVMValueRef gcl_gpu_fast_root(struct gcl_gpu *g, LLVMBuilderRef builder, LLVMValueRef i);

#endif
