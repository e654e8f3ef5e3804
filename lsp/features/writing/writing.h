// What helps to write a text: what may stand at a place, how the text is laid out and selected, and
// what an editor shows between its words.
//
// This header is the front of the room `writing`. Each function answers the LSP request that
// features/features.h lists it with: LSP's result, a new reference, NULL for null or with a mistake
// in the query.
#ifndef GCL_LSP_WRITING_H
#define GCL_LSP_WRITING_H

#include "lsp/read/view.h"

/// What may stand at a place; the comment on one of these; the arguments of a call.
json_t *gcl_feature_completion(const struct gcl_query *query);
json_t *gcl_feature_completion_resolve(const struct gcl_query *query);
json_t *gcl_feature_signature_help(const struct gcl_query *query);

/// Edits by clang-format, of the text, of the lines of a range, or of what a `;` or `}` that has
/// just been written ends.
json_t *gcl_feature_on_type_formatting(const struct gcl_query *query);
json_t *gcl_feature_formatting(const struct gcl_query *query);
json_t *gcl_feature_range_formatting(const struct gcl_query *query);

/// Ranges around a place, each in the next.
json_t *gcl_feature_selection(const struct gcl_query *query);

/// Names of parameters and types that the text leaves out, and the files that it includes.
json_t *gcl_feature_inlay_hints(const struct gcl_query *query);
json_t *gcl_feature_links(const struct gcl_query *query);

/// gcluster/text: the text as the reader of sources has it.
json_t *gcl_feature_text(const struct gcl_query *query);

#endif
