// Calls through pointers.
#ifndef GCL_DEVICE_GPU_CALLS_H
#define GCL_DEVICE_GPU_CALLS_H

#include "device/gpu/state.h"

/// Makes calls through pointers calls of the functions that the pointer may lead to, by name, after
/// comparing. Leaves calls that may lead to more functions than can be compared.
void gcl_gpu_calls_lower(struct gcl_gpu *g);

#endif
