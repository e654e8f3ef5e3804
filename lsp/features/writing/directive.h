// What completes the lines of the preprocessor that clang knows too little of.
#ifndef GCL_LSP_DIRECTIVE_H
#define GCL_LSP_DIRECTIVE_H

#include "lsp/read/view.h"

/// Items for the words of a `#pragma`, if the place is in one; NULL elsewhere.
json_t *gcl_directive_pragmas(const struct gcl_query *query, json_t *range);

/// Whether the place is in the name of an #include; then also the bytes of its part behind the last
/// slash, up to the end of the name with the bracket that closes it.
bool gcl_directive_includes(const struct gcl_query *query, uint32_t *begin, uint32_t *end);
/// What a header of CUDA's is for; NULL of others.
const char *gcl_directive_header(const char *name);

#endif
