// Warp operations of kernels whose vectors are warps.
#ifndef GCL_DEVICE_WIDEN_WARP_H
#define GCL_DEVICE_WIDEN_WARP_H

#include "device/vector/widen/widen.h"

/// Builds a warp operation: `call` calls one of our intrinsics.
void gcl_vector_warp(struct gcl_vector *v, LLVMValueRef call);

#endif
