// CUDA's own names, with a sentence for each and what it costs or whom it concerns: for hovers and
// completions.
#ifndef GCL_LSP_BUILTIN_H
#define GCL_LSP_BUILTIN_H

#include <glib.h>

struct gcl_builtin {
    const char *name;
    const char *signature;
    const char *text; ///< markdown
};

/// The builtin of that name, or NULL.
const struct gcl_builtin *gcl_builtin_find(const char *name);
/// The one at an index; NULL behind the last.
const struct gcl_builtin *gcl_builtin_at(guint index);

/// The parameters of a function as they are declared, "size_t count" (char *), freed with
/// g_ptr_array_unref; NULL: it is none.
GPtrArray *gcl_builtin_parameters(const struct gcl_builtin *builtin);

#endif
