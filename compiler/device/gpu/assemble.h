// Machine code for GPUs, by the toolkit's assembler.
#ifndef GCL_DEVICE_GPU_ASSEMBLE_H
#define GCL_DEVICE_GPU_ASSEMBLE_H

#include "device/gpu/state.h"

/// Assembles PTX (with its 0 at the end) for sm_<machine>. NULL, with a warning, if the assembler
/// doesn't.
GBytes *gcl_gpu_assemble(struct gcl_gpu *g, const struct gcl_gpu_target *target, unsigned machine,
                         GBytes *ptx);

#endif
