// What the command line says of code for GPUs, as the code generator wants it.
#ifndef GCL_DRIVER_GPU_OPTIONS_H
#define GCL_DRIVER_GPU_OPTIONS_H

#include "device/device.h"
#include "options.h"

/// Fills `gpu`, whose lists the caller frees with gcl_gpu_options_finish, and returns it; NULL: no
/// code for GPUs is asked for.
const struct gcl_gpu_options *gcl_gpu_options_init(struct gcl_gpu_options *gpu,
                                                   const struct gcl_options *options);
void gcl_gpu_options_finish(struct gcl_gpu_options *gpu);

#endif
