// Memory order.
#ifndef GCL_DEVICE_GPU_ORDER_H
#define GCL_DEVICE_GPU_ORDER_H

#include "device/gpu/state.h"

/// Makes fences of what orders accesses to memory: LLVM's back end knows atomic operations that
/// order nothing.
void gcl_gpu_order_lower(struct gcl_gpu *g);
/// Leaves nothing but atomicity of CUDA's atomicCAS, of optimised code.
void gcl_gpu_order_relax(struct gcl_gpu *g);

#endif
