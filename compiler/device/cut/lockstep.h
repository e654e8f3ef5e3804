// Code that relies on the order in which the threads of a warp or block run, without saying so.
#ifndef GCL_DEVICE_CUT_LOCKSTEP_H
#define GCL_DEVICE_CUT_LOCKSTEP_H

#include "device/ir/module.h"

/// Keeps the order that a kernel relies on without saying so: asks for vectors that are warps, or
/// adds cuts. Needs gcl_polls_cut and gcl_device_kernel.vector.
void gcl_lockstep_keep(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
