// Quotients that may be approximate.
#ifndef GCL_DEVICE_LOWER_QUOTIENTS_H
#define GCL_DEVICE_LOWER_QUOTIENTS_H

#include "device/ir/module.h"

/// Makes products of quotients that may be approximate, and takes all fast-math flags away: no
/// instruction may be approximated or contracted afterwards.
void gcl_quotients(struct gcl_module *m);

#endif
