// Instructions that mean something else on the host than on the device.
#ifndef GCL_DEVICE_LOWER_LEGALIZE_H
#define GCL_DEVICE_LOWER_LEGALIZE_H

#include "device/ir/module.h"

/// Replaces instructions that the host lacks or that mean something else there: conversions that
/// saturate, inline PTX. What it doesn't know becomes a diagnostic.
void gcl_legalize(struct gcl_module *m);

/// Shifts by the width of what is shifted or more, which the host's do in another way, give 0, or
/// the sign. GPUs' code needn't be changed, nor what has been found out about accesses.
void gcl_legalize_shifts(struct gcl_module *m);

/// Reports functions of the program that are used and not defined in any of its inputs: a linker
/// for host code would look for them among functions of the host.
void gcl_legalize_check_definitions(struct gcl_module *m);

#endif
