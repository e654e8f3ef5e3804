// Kinds of GPUs.
#ifndef GCL_DEVICE_GPU_TARGET_H
#define GCL_DEVICE_GPU_TARGET_H

#include "device/gpu/state.h"

/// Creates `g->m.machine` and `layout` for a kind of GPU; false, with a diagnostic, if LLVM has
/// none.
bool gcl_gpu_target_init(struct gcl_gpu *g, const struct gcl_gpu_target *target);
/// Adds the PTX of a module for a kind of GPU to `gpu_codes`. The module stays as it is.
void gcl_gpu_target_emit(struct gcl_gpu *g, const struct gcl_gpu_target *target);

#endif
