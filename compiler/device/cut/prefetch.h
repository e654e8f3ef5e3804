// Prefetches in loops around barriers.
#ifndef GCL_DEVICE_CUT_PREFETCH_H
#define GCL_DEVICE_CUT_PREFETCH_H

#include "device/ir/module.h"

/// Adds prefetches to loops around barriers, of what they read in their next turn. Before
/// gcl_cut_kernel.
void gcl_prefetch_build(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
