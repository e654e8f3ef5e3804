// Kernels of which several blocks run at once.
#ifndef GCL_DEVICE_VECTOR_STRIPS_H
#define GCL_DEVICE_VECTOR_STRIPS_H

#include "device/ir/module.h"

/// Whether a kernel runs several blocks along x at once; for one whose regions exist.
bool gcl_strips_suit(struct gcl_module *m, const struct gcl_device_kernel *kernel);

#endif
