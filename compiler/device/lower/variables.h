// Shared, global and constant variables, whose addresses are known at run time alone.
#ifndef GCL_DEVICE_LOWER_VARIABLES_H
#define GCL_DEVICE_LOWER_VARIABLES_H

#include "device/ir/module.h"

/// Gives shared variables their place in the memory of a block, and global and constant ones a
/// slot. Builds the image (image.h) in between, as its constants may be variables.
void gcl_variables_lower(struct gcl_module *m);

#endif
