// Memory order.
#ifndef GCL_DEVICE_GPU_ORDER_H
#define GCL_DEVICE_GPU_ORDER_H

#include "device/gpu/state.h"

/// Makes fences of what orders accesses to memory: LLVM's back end knows atomic operations that
/// order nothing.
void gcl_gpu_order_lower(struct gcl_gpu *g);

#endif
