// Functions of CUDA's libraries that a link leaves without a definition. The libraries themselves
// are left out of links, which is fine until something calls them.
#ifndef GCL_DRIVER_UNDEFINED_H
#define GCL_DRIVER_UNDEFINED_H

#include <glib.h>

/// Looks through what ld has said for undefined references, and names those that belong to a part
/// of CUDA that gcluster doesn't have: an error each.
void gcl_undefined_explain(const char *log, GPtrArray *diagnostics);

/// Looks through the undefined references of a shared library that has been linked, which ld takes
/// for granted, and adds an error for each of those to a library of CUDA's.
void gcl_undefined_check(const char *path, GPtrArray *diagnostics);

#endif
