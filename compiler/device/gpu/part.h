// Which part of a grid a launch is.
#ifndef GCL_DEVICE_GPU_PART_H
#define GCL_DEVICE_GPU_PART_H

#include "device/gpu/state.h"

/// Gives kernels their parameter of struct gcl_gpu_part, passes it on to the functions that ask for
/// the block's index or the size of the grid, and answers them from it.
void gcl_gpu_part_lower(struct gcl_gpu *g);

#endif
