// Graphs as text that Graphviz draws.
#ifndef GCL_GRAPH_DOT_H
#define GCL_GRAPH_DOT_H

#include <stdio.h>

#include "graph/graph.h"

/// What a kernel is called, for people; `name` has room for `size` bytes.
typedef void gcl_dot_name(const void *stub, char *name, size_t size);

/// `flags` are those of gclGraphDebugDotFlags.
void gcl_graph_print(const struct gcl_graph *graph, unsigned flags, gcl_dot_name *name, FILE *out);

#endif
