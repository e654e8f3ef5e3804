// Statements that are selected, as a function of their own.
#ifndef GCL_LSP_EXTRACT_FUNCTION_H
#define GCL_LSP_EXTRACT_FUNCTION_H

#include "lsp/read/view.h"

/// {title, edits} for the whole statements of one block that the bytes [begin, end) are but for
/// blanks, {title, reason} if control goes elsewhere from them than behind them, or if it isn't
/// sure that a function in front of the one around them would do the same; NULL if they are none.
/// The view is read.
json_t *gcl_extract_function(struct gcl_glance *glance, struct gcl_view *view, uint32_t begin,
                             uint32_t end);

#endif
