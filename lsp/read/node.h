// What is asked of tree-sitter's nodes in more than one place.
#ifndef GCL_LSP_NODE_H
#define GCL_LSP_NODE_H

#include <stdbool.h>

#include <tree_sitter/api.h>

#include "lsp/base/line_table.h"

/// A parser of CUDA, to be deleted, that gives up on a text after two seconds: NULL is its tree
/// then.
TSParser *gcl_node_parser(void);

/// Whether a node is of that type; a null node is of none.
bool gcl_node_is(TSNode node, const char *type);
/// Whether a node is of one of the types of a list that ends with NULL.
bool gcl_node_is_one_of(TSNode node, const char *const types[]);
/// The child that is the field of that name; null if there is none.
TSNode gcl_node_field(TSNode node, const char *name);
/// Whether a node is the parent's field of that name.
bool gcl_node_is_field(TSNode parent, const char *name, TSNode child);
/// Whether a node's operator is that one.
bool gcl_node_has_operator(TSNode node, const char *word);
/// The bytes of a node as a string, to be freed.
char *gcl_node_text(const struct gcl_line_table *text, TSNode node);

#endif
