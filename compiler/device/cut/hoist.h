// Lane functions in the form that the vectoriser reads.
#ifndef GCL_DEVICE_CUT_HOIST_H
#define GCL_DEVICE_CUT_HOIST_H

#include "device/ir/module.h"

/// Changes all lane functions of kernels that run in vectors: what follows from arguments, thread
/// numbers and numbers that a block reads before it writes comes first, each function returns in
/// one place, and loops that retry an atomic operation become functions.
void gcl_hoist(struct gcl_module *m);

#endif
