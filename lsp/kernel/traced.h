// Where in a view's text a run's trace has something to show.
#ifndef GCL_LSP_TRACED_H
#define GCL_LSP_TRACED_H

#include "lsp/read/view.h"

/// How a launch of the text is known to be one of the trace.
enum gcl_traced_by {
    GCL_TRACED_BY_LINE,
    GCL_TRACED_BY_ORDER, ///< among the launches of its kernel: lines don't fit
    GCL_TRACED_BY_NAME,  ///< by its kernel alone: other launches took some of `sum`, too
};

/// A launch that ran.
struct gcl_traced {
    struct gcl_source_range range; ///< its kernel's name; the line, if a macro launches there
    json_t *sum; ///< what it took: a kernel or one of its places (trace.h); borrowed
    enum gcl_traced_by by;
};

/// "line", "order" or "name".
const char *gcl_traced_by_name(enum gcl_traced_by by);

/// The launches of `kernels` (trace.h) in the view's text as it was read last. The trace knows a
/// launch by file and line. Where lines don't fit because the text has changed since, launches of a
/// kernel are told apart by their order if there are as many; else, and where the trace has no
/// lines, each shows what all of them took. To be freed with g_array_unref; struct gcl_traced.
GArray *gcl_traced_find(const struct gcl_view *view, const json_t *kernels);

#endif
