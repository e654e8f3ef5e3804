// What nodes of an access program are made of.
#ifndef GCL_EXPLAIN_OPERANDS_H
#define GCL_EXPLAIN_OPERANDS_H

#include <stdbool.h>

#include "gcluster/access.h"

/// Marks, among `marks` of all nodes, the nodes that the marked ones are made of.
void gcl_operands_mark(const struct gcl_program *program, bool *marks);
/// Whether a node is of a kind, or made of one that is.
bool gcl_operands_reach(const struct gcl_program *program, uint16_t node, enum gcl_node_kind kind);

#endif
