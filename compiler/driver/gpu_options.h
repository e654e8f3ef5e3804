// What the command line says of code for GPUs, as the code generator wants it.
#ifndef GCL_DRIVER_GPU_OPTIONS_H
#define GCL_DRIVER_GPU_OPTIONS_H

#include "device/device.h"
#include "driver/options/options.h"

/// Fills `gpu`, whose content gcl_gpu_options_finish frees, and returns it; NULL: no code for GPUs
/// is asked for. What architectures are told of them is added to `diagnostics`. `beside`: a file in
/// the folder for the assembler's; NULL: nothing is assembled.
const struct gcl_gpu_options *gcl_gpu_options_init(struct gcl_gpu_options *gpu,
                                                   const struct gcl_options *options,
                                                   const char *beside, GPtrArray *diagnostics);
void gcl_gpu_options_finish(struct gcl_gpu_options *gpu);
/// All that code for GPUs depends on beside the source, as text, to be freed: files by their paths.
char *gcl_gpu_options_text(const struct gcl_gpu_options *gpu);

#endif
