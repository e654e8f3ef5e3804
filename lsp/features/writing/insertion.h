// The text that a completion inserts: a name, or a call with places to fill in.
#ifndef GCL_LSP_INSERTION_H
#define GCL_LSP_INSERTION_H

#include "lsp/read/view.h"

/// LSP's snippet for what clang completes a function or kernel to, `end` being the byte behind the
/// word: `twice<<<${1:grid}, ${2:block}>>>(${3:out}, ${4:in})`; `result` is NULL for a builtin
/// (read/builtin.h) that clang doesn't know. To be freed; NULL if a name alone
/// fits, or the editor takes no snippets.
char *gcl_insertion_snippet(const struct gcl_query *query, const CXCompletionResult *result,
                            const char *name, uint32_t end);

#endif
