// Regions of a kernel: the ways of a thread from one cut to the next.
#ifndef GCL_DEVICE_CUT_REGIONS_H
#define GCL_DEVICE_CUT_REGIONS_H

#include "device/ir/module.h"

/// Fills gcl_device_kernel.regions: a lane function for each. Needs gcl_demote_kernel.
void gcl_regions_build(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
