// Functions of our headers that GPUs have fast instructions for (__expf and kin, rsqrtf): CPUs
// compute them as they are written in C.
#ifndef GCL_DEVICE_LOWER_FAST_H
#define GCL_DEVICE_LOWER_FAST_H

#include "device/ir/module.h"

/// What the names of these functions begin with; the C library's name, or CUDA's, follows.
#define GCL_FAST "__gcl_fast_"

/// Builds what a call of one of them computes; NULL: it calls another function.
LLVMValueRef gcl_fast_build(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef call);

#endif
