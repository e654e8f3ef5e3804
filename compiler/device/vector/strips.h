// Kernels of which several blocks run at once.
#ifndef GCL_DEVICE_VECTOR_STRIPS_H
#define GCL_DEVICE_VECTOR_STRIPS_H

#include "device/ir/module.h"

/// Decides whether a kernel runs several blocks along x at once (gcl_device_kernel.strips, steps);
/// for one whose regions exist.
void gcl_strips_choose(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
