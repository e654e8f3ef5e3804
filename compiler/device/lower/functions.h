// Functions that are not part of a kernel.
#ifndef GCL_DEVICE_LOWER_FUNCTIONS_H
#define GCL_DEVICE_LOWER_FUNCTIONS_H

#include "device/ir/module.h"

/// Makes functions that were not inlined ask the runtime for the block of the running thread.
void gcl_functions_lower(struct gcl_module *m);

#endif
