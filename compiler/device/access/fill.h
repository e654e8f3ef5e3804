// From drafts to the tables of a program.
#ifndef GCL_DEVICE_ACCESS_FILL_H
#define GCL_DEVICE_ACCESS_FILL_H

#include "device/access/builder.h"
#include "device/access/table.h"

/// Makes the program of the drafts anew.
void gcl_builder_fill(struct gcl_builder *b);
/// Whether an object can hold it.
bool gcl_builder_fits(const struct gcl_device_program *program);

#endif
