// Names that kernels and variables have in device code, for sources that ask for them
// (gcluster/module.h).
#ifndef GCL_FRONTEND_LOWERED_H
#define GCL_FRONTEND_LOWERED_H

#include <clang-c/Index.h>
#include <glib.h>

/// Appends the names (char *; "": it has none) of what the array GCL_MODULE_NAMES has the addresses
/// of, in order.
void gcl_lowered_collect(CXTranslationUnit unit, GPtrArray *names);

#endif
