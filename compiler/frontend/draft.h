// From tokens to candidates, and from candidates to facts: the part of parsing that needs no clang.
#ifndef GCL_FRONTEND_DRAFT_H
#define GCL_FRONTEND_DRAFT_H

#include <glib.h>

#include "frontend/collect.h"
#include "frontend/text/lexer.h"

/// A draft with tokens and with every CUDA name in the text as a use; `file` is NULL. Shares
/// `bytes`, as on disk, and `prepared`, which may be NULL.
struct gcl_source_draft *gcl_draft_create(const char *path, GBytes *bytes, GBytes *prepared);

/// A draft's token by its index. NULL: it has fewer.
const struct gcl_token *gcl_draft_token(const struct gcl_source_draft *draft, guint i);

/// Frees the draft with its source, unless that was taken (NULL).
void gcl_draft_destroy(struct gcl_source_draft *draft);

/// Decides, for each use in all drafts, whether it is renamed, and delimits each launch, from what
/// gcl_collect has seen. Without a call of gcl_collect everything is judged by the text alone.
void gcl_drafts_settle(GPtrArray *drafts);

#endif
