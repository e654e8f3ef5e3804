// Addresses of gathers and scatters, for instruction selection.
#ifndef GCL_DEVICE_LOWER_ADDRESSES_H
#define GCL_DEVICE_LOWER_ADDRESSES_H

#include "device/ir/module.h"

/// Moves the addresses of gathers and scatters to where they are used. For optimised code.
void gcl_addresses_sink(struct gcl_module *m);

#endif
