// By which source a file is read that others include: shown over its first line, and offered to be
// changed there.
#ifndef GCL_LSP_INCLUDER_H
#define GCL_LSP_INCLUDER_H

#include "lsp/read/view.h"

/// Adds the lens, whose command takes the next includer; nothing where no source includes the file.
void gcl_includer_add_lens(const struct gcl_view *view, json_t *lenses);
/// Adds an action for each other way to read the file if the cursor is on its first line.
void gcl_includer_add_actions(const struct gcl_query *query, json_t *actions);

#endif
