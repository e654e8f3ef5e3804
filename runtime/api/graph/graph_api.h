// What functions about graphs share.
#ifndef GCL_API_GRAPH_GRAPH_API_H
#define GCL_API_GRAPH_GRAPH_API_H

#include "api/api.h"
#include "api/graph/execution.h"
#include "graph/graph.h"

static inline struct gcl_graph *gcl_graph_of(gclGraph_t handle) {
    return (struct gcl_graph *)handle;
}

static inline struct gcl_graph_node *gcl_graph_node_of(gclGraphNode_t handle) {
    return (struct gcl_graph_node *)handle;
}

/// Handles of nodes, as arrays.
static inline struct gcl_graph_node *const *gcl_graph_nodes_of(const gclGraphNode_t *handles) {
    return (struct gcl_graph_node *const *)handles;
}

static inline struct gcl_execution *gcl_execution_of(gclGraphExec_t handle) {
    return (struct gcl_execution *)handle;
}

/// ErrorNotSupported unless all edges are ordinary ones; NULL: they are.
static inline gclError_t gcl_graph_check_edges(const gclGraphEdgeData *edges, size_t count) {
    for (size_t i = 0; edges && i < count; i++) {
        if (edges[i].from_port || edges[i].to_port || edges[i].type)
            return gclErrorNotSupported;
    }
    return gclSuccess;
}

#endif
