// The CUDA names that gcluster has under its own: cudaMalloc is gclMalloc, and so on.
//
// The table is made at build time from the headers themselves (names.cmake), so a function added to
// gcluster/functions.h is rewritten without another line anywhere.
#ifndef GCL_FRONTEND_NAMES_H
#define GCL_FRONTEND_NAMES_H

#include <stddef.h>

enum gcl_name_kind {
    GCL_NAME_FUNCTION,
    GCL_NAME_ENUMERATOR,
    GCL_NAME_TYPE,
    GCL_NAME_MACRO,
};

struct gcl_name {
    const char *cuda; ///< "cudaMalloc"
    const char *gcl;  ///< "gclMalloc"
    enum gcl_name_kind kind;
};

/// The name spelt by `length` bytes at `text`, or NULL. Static lifetime; any thread.
const struct gcl_name *gcl_name_find(const char *text, size_t length);

/// The kind of a name in words: "function", "enumerator", "type", "macro".
const char *gcl_name_kind_text(enum gcl_name_kind kind);

#endif
