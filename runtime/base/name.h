// Names of kernels for people.
#ifndef GCL_BASE_NAME_H
#define GCL_BASE_NAME_H

#include <stddef.h>

/// Writes the readable form of a mangled C++ name into `out`, cut to fit: "space::scale<>" for
/// _ZN5space5scaleIfEEvPT_, the name itself if it isn't mangled. Returns `out`.
const char *gcl_name_demangle(const char *mangled, char *out, size_t size);

#endif
