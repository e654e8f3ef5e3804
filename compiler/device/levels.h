// Code for one level of the processor has nothing to do with that for another, nor has that of one
// kernel with that of others, so each can be optimised and written by a process of its own.
#ifndef GCL_DEVICE_LEVELS_H
#define GCL_DEVICE_LEVELS_H

#include "device/ir/module.h"

/// Whether a module has enough code, for several levels, to be worth processes of their own. It
/// follows from the module alone, so that objects are the same wherever they are made.
bool gcl_levels_divide(const struct gcl_module *m);

/// Writes to the options' progress which kernel has the longest code.
void gcl_levels_tell(const struct gcl_module *m);

/// Has `emit` write one object for each level, or where code is very long GCL_DEVICE_SHARES: one of
/// the least level, with the tables and what all share, to `object_path`, the others to
/// gcl_device_part_path. Changes the module.
/// False with a diagnostic if one of them can't be written. The process has no other thread.
bool gcl_levels_emit(struct gcl_module *m, const char *object_path,
                     bool (*emit)(struct gcl_module *m, const char *object_path));

#endif
