// Whom atomic operations are atomic for.
#ifndef GCL_DEVICE_GPU_SCOPE_H
#define GCL_DEVICE_GPU_SCOPE_H

#include "device/gpu/state.h"

/// Makes atomic operations of optimised code that the host and other devices are to see
/// (atomicAdd_system and its kin) instructions of PTX: LLVM's back end gives all of them the GPU
/// for a scope.
void gcl_gpu_scope_lower(struct gcl_gpu *g);

#endif
