// Kernels that GPUs can't run.
#ifndef GCL_DEVICE_GPU_REFUSE_H
#define GCL_DEVICE_GPU_REFUSE_H

#include "device/gpu/state.h"

/// Leaves out kernels that GPUs can't run, and says so.
void gcl_gpu_refuse(struct gcl_gpu *g);

#endif
