// Shapes of blocks that launches of a kernel are known to have, and the names that kernels have in
// the source.
#ifndef GCL_DEVICE_IR_SHAPES_H
#define GCL_DEVICE_IR_SHAPES_H

#include "device/ir/module.h"

/// What is known about block sizes of launches of `kernel`, as struct gcl_shape with borrowed
/// names; freed with g_array_unref.
GArray *gcl_shapes_find(const struct gcl_module *m, const struct gcl_device_kernel *kernel);

/// A kernel's symbol without what clang appends to those of local ones with -rdc=true; to be freed.
char *gcl_shapes_source_symbol(const char *symbol);

#endif
