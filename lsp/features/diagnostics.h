// What is wrong with a text, and what the compiler has to know of it to explain its kernels.
#ifndef GCL_LSP_DIAGNOSTICS_H
#define GCL_LSP_DIAGNOSTICS_H

#include "lsp/read/view.h"

/// Reads the query's view and answers GCL_METHOD_DIAGNOSE (features.h).
json_t *gcl_diagnostics_answer(const struct gcl_query *query);

#endif
