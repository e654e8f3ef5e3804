#ifndef GCL_DEVICE_LOWER_NARROW_H
#define GCL_DEVICE_LOWER_NARROW_H

#include "device/ir/module.h"

/// Makes plain accesses of those under a mask that is known and lets few lanes through, side by
/// side.
void gcl_narrow(struct gcl_module *m);

#endif
