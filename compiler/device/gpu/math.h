// Mathematics on GPUs.
#ifndef GCL_DEVICE_GPU_MATH_H
#define GCL_DEVICE_GPU_MATH_H

#include "device/gpu/state.h"

/// Makes quotients, roots and functions of mathematics what options allow: instructions, functions
/// of the toolkit's library, ours. What nothing computes stays a call of the C library's function.
/// After inlining and contraction.
void gcl_gpu_math_lower(struct gcl_gpu *g);
/// The C library's name of the function that a call left over calls, NULL: it is none of
/// mathematics.
const char *gcl_gpu_math_missing(LLVMValueRef call);

#endif
