// From the finished module to an object file.
#ifndef GCL_DEVICE_EMIT_H
#define GCL_DEVICE_EMIT_H

#include "device/ir/module.h"

/// Optimises the module and writes the object file, or one for each level of the processor
/// (levels.h); false with a diagnostic.
bool gcl_emit(struct gcl_module *m, const char *object_path);

#endif
