// Regions that run their threads one after the other.
#ifndef GCL_DEVICE_VECTOR_SCALAR_H
#define GCL_DEVICE_VECTOR_SCALAR_H

#include "device/ir/module.h"

/// Fills `variant->functions`: every region runs its threads one after the other.
void gcl_scalar_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant);

#endif
