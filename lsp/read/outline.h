// The outline of a text from its tree-sitter tree.
#ifndef GCL_LSP_OUTLINE_H
#define GCL_LSP_OUTLINE_H

#include <tree_sitter/api.h>

#include "lsp/base/line_table.h"

/// DocumentSymbols of a tree of `text`.
json_t *gcl_outline_create(const struct gcl_line_table *text, TSTree *tree);

#endif
