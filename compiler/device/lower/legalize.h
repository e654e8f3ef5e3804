// Instructions that mean something else on the host than on the device.
#ifndef GCL_DEVICE_LOWER_LEGALIZE_H
#define GCL_DEVICE_LOWER_LEGALIZE_H

#include "device/ir/module.h"

/// Replaces instructions that the host lacks or that mean something else there: conversions that
/// saturate, inline PTX. What it doesn't know becomes a diagnostic.
void gcl_legalize(struct gcl_module *m);

#endif
