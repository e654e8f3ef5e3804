// Names as C++ writes them.
#ifndef GCL_BASE_NAMES_H
#define GCL_BASE_NAMES_H

#include <glib.h>

/// The "k" of "a::b::k".
static inline const char *gcl_name_last(const char *name) {
    const char *last = g_strrstr(name, "::");
    return last ? last + 2 : name;
}

#endif
