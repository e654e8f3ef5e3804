// What macros do to a function's variables where the text doesn't show it.
#ifndef GCL_LSP_EXPANSIONS_H
#define GCL_LSP_EXPANSIONS_H

#include "lsp/read/view.h"

/// Looks at the macros of a function, of which [begin, end) of the view's text is to be moved to
/// another one. False if some there leave the function, or name variables of the rest of it, or the
/// rest those of some there. Variables that are written in the text and named by macros are added
/// to `named` (CXCursor).
bool gcl_expansions_find(const struct gcl_view *view, CXCursor function, uint32_t begin,
                         uint32_t end, GArray *named);

#endif
