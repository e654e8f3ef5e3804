// Values that live across cuts.
#ifndef GCL_DEVICE_CUT_DEMOTE_H
#define GCL_DEVICE_CUT_DEMOTE_H

#include "device/ir/module.h"

/// Sends values that live across a cut through memory: allocas, of which the block has one copy
/// where all its threads have the same value (gcl_device_kernel.shared_locals). Needs
/// gcl_cut_kernel.
void gcl_demote_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel);

#endif
