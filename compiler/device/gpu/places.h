// Where variables are.
#ifndef GCL_DEVICE_GPU_PLACES_H
#define GCL_DEVICE_GPU_PLACES_H

#include "device/gpu/state.h"

/// Makes uses of variables, and of what the image has, those of the addresses that the runtime puts
/// in gcl_addresses; loads from constant variables, of the constant bank, which flags the variable.
/// Functions have been inlined.
void gcl_gpu_places_lower(struct gcl_gpu *g);

#endif
