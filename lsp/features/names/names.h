// What an editor asks about names: where each is declared, used and called, and what it is.
//
// This header is the front of the room `names`. Each function answers the LSP request that
// features/features.h lists it with: LSP's result, a new reference, NULL for null or with a mistake
// in the query. What clang knows of names comes from read/occurrences.h; what stands in files that
// nobody has open from read/entry.h.
#ifndef GCL_LSP_NAMES_H
#define GCL_LSP_NAMES_H

#include "lsp/read/view.h"

/// Who calls a function, and whom it calls.
json_t *gcl_feature_call_hierarchy(const struct gcl_query *query);
json_t *gcl_feature_incoming_calls(const struct gcl_query *query);
json_t *gcl_feature_outgoing_calls(const struct gcl_query *query);

/// What a class is derived from, and what is derived from it.
json_t *gcl_feature_type_hierarchy(const struct gcl_query *query);
json_t *gcl_feature_supertypes(const struct gcl_query *query);
json_t *gcl_feature_subtypes(const struct gcl_query *query);

/// What a name is, and what becomes of a kernel or its argument on several nodes.
json_t *gcl_feature_hover(const struct gcl_query *query);

/// From a name to where it is declared, defined, typed or overridden.
json_t *gcl_feature_declaration(const struct gcl_query *query);
json_t *gcl_feature_definition(const struct gcl_query *query);
json_t *gcl_feature_implementation(const struct gcl_query *query);
json_t *gcl_feature_type_definition(const struct gcl_query *query);

/// All places of a name: in the folder, and in the text alone.
json_t *gcl_feature_references(const struct gcl_query *query);
json_t *gcl_feature_highlight(const struct gcl_query *query);

/// The name that would be changed, and the edits that change it.
json_t *gcl_feature_prepare_rename(const struct gcl_query *query);
json_t *gcl_feature_rename(const struct gcl_query *query);

/// The names that a text declares, and those of the folder that match what was typed.
json_t *gcl_feature_symbols(const struct gcl_query *query);
json_t *gcl_feature_workspace_symbols(const struct gcl_query *query);

/// Colours of names by what they are: all, what has changed of them, and those of a range.
json_t *gcl_feature_tokens(const struct gcl_query *query);
json_t *gcl_feature_tokens_delta(const struct gcl_query *query);
json_t *gcl_feature_tokens_range(const struct gcl_query *query);

#endif
