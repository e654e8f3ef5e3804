// Regions whose threads each walk through memory of their own.
#ifndef GCL_DEVICE_VECTOR_WALKS_H
#define GCL_DEVICE_VECTOR_WALKS_H

#include "device/ir/module.h"

/// Whether a region of `kernel` runs faster thread by thread than in vectors, which is remarked on;
/// for one whose lane function exists.
bool gcl_walks_suit(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                    const struct gcl_device_region *region);

#endif
