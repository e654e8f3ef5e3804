// What the runtime reads of an object.
#ifndef GCL_DEVICE_TABLES_H
#define GCL_DEVICE_TABLES_H

#include "device/ir/module.h"

/// Adds the tables of gcluster/kernel.h, and the constructor that hands them to the
/// runtime.
void gcl_tables_emit(struct gcl_module *m);

#endif
