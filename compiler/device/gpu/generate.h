// The stages of the GPU code generator, one after the other.
#ifndef GCL_DEVICE_GPU_GENERATE_H
#define GCL_DEVICE_GPU_GENERATE_H

#include "device/gpu/state.h"

/// Makes GPU code of the inputs of `cpu`: adds to `g->m.gpu_codes`, and to the diagnostics of
/// `g->m`. What `g` holds is left to the end of the process.
bool gcl_gpu_generate(struct gcl_gpu *g, const struct gcl_module *cpu);

#endif
