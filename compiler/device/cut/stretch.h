#ifndef GCL_DEVICE_CUT_STRETCH_H
#define GCL_DEVICE_CUT_STRETCH_H

#include "device/ir/module.h"

/// Cuts a kernel between its loads from the parts of a stretch of memory. Before gcl_cut_kernel.
void gcl_stretches_cut(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
