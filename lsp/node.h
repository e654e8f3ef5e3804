// What is asked of tree-sitter's nodes in more than one place.
#ifndef GCL_LSP_NODE_H
#define GCL_LSP_NODE_H

#include <stdbool.h>

#include <tree_sitter/api.h>

#include "position.h"

/// Whether it is of that type; a null node is of none.
bool gcl_node_is(TSNode node, const char *type);
/// Null if it has none of that name.
TSNode gcl_node_field(TSNode node, const char *name);
/// To be freed.
char *gcl_node_text(const struct gcl_lines *text, TSNode node);

#endif
