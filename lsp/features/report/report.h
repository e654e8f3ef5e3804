// What the compiler and the planner say of a text: mistakes and what mends them, how its kernels
// spread over nodes, and what a run spent on them.
//
// This header is the front of the room `report`. Each function answers the request that
// features/features.h lists it with: its result, a new reference, NULL for null or with a mistake
// in the query. What is known of kernels comes from kernel/kernels.h, edits from repair/advice.h.
#ifndef GCL_LSP_REPORT_H
#define GCL_LSP_REPORT_H

#include "lsp/read/view.h"

/// Reads the query's view and answers GCL_METHOD_DIAGNOSE (features/features.h): what is wrong with
/// the text, and what the compiler has to know of it to explain its kernels.
json_t *gcl_feature_diagnose(const struct gcl_query *query);

/// What would mend the mistakes at a place.
json_t *gcl_feature_code_action(const struct gcl_query *query);

/// Lines over kernels and launches: on how many nodes they run, and what moves.
json_t *gcl_feature_code_lens(const struct gcl_query *query);

/// gcluster/explain: all that is known of a kernel, to be read.
json_t *gcl_feature_explain(const struct gcl_query *query);

/// gcluster/map: what a launch does on several nodes, for a picture of it.
json_t *gcl_feature_map(const struct gcl_query *query);

/// gcluster/trace: what a run of the program spent on each launch.
json_t *gcl_feature_trace(const struct gcl_query *query);

/// gcluster/translated: the host code as it is rewritten.
json_t *gcl_feature_translated(const struct gcl_query *query);

#endif
