// Why kernels spread as they do, as LSP's diagnostics, each with the edits that may mend it.
#ifndef GCL_LSP_REASONS_H
#define GCL_LSP_REASONS_H

#include "lsp/read/view.h"

/// Adds a diagnostic for each reason that the device analysis has given for a kernel of the view's
/// text and whose place is still in the text.
void gcl_reasons_add(const struct gcl_query *query, json_t *diagnostics);

#endif
