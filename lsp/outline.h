// The outline of a text from its tree-sitter tree.
#ifndef GCL_LSP_OUTLINE_H
#define GCL_LSP_OUTLINE_H

#include <tree_sitter/api.h>

#include "position.h"

/// DocumentSymbols of a tree of `text`.
json_t *gcl_outline_create(const struct gcl_lines *text, TSTree *tree);

#endif
