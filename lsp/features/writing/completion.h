// What completion and signature help have in common.
#ifndef GCL_LSP_COMPLETION_H
#define GCL_LSP_COMPLETION_H

#include "lsp/read/view.h"

/// clang's answer for a byte of the text as it is; NULL if it has none. Freed by clang. With
/// comments it takes a third longer, as clang reads all that there are.
CXCodeCompleteResults *gcl_completion_ask(const struct gcl_query *query, uint32_t offset,
                                          bool has_comments);

/// Appends a result as it reads in a program; what it gives goes to `type`, to be freed, which
/// stays as it is if that is nothing.
void gcl_completion_describe(CXCompletionString string, GString *label, char **type);

#endif
