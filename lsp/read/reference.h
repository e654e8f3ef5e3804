// What CUDA says of its runtime's functions beyond a sentence: when they return, which errors they
// give, and where NVIDIA documents them.
#ifndef GCL_LSP_REFERENCE_H
#define GCL_LSP_REFERENCE_H

#include <stdbool.h>

#include <glib.h>

struct gcl_reference {
    const char *name;
    const char *when;   ///< a sentence on what has happened when it returns; NULL: nothing special
    const char *errors; ///< those of its own, as markdown; NULL: only those of earlier work
};

/// What is known of a function, or NULL.
const struct gcl_reference *gcl_reference_find(const char *name);

/// The address of the page of a name of the runtime API ("cudaMemcpy") in NVIDIA's documentation,
/// to be freed. `is_function` is false for types and enumerators. NULL: it isn't of that API, or
/// there is no page that is sure to have it.
char *gcl_reference_page(const char *name, bool is_function);

#endif
