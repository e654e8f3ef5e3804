// Loops in which a thread waits for another one by reading memory.
#ifndef GCL_DEVICE_CUT_POLLS_H
#define GCL_DEVICE_CUT_POLLS_H

#include "device/ir/module.h"

/// Puts a cut into each loop in which a thread waits for another one, and notes in the kernel that
/// it polls or locks. The kernel has the control flow that GCL_ONE_WAY_OUT gives.
void gcl_polls_cut(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
