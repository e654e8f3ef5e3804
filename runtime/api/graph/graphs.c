// Life of graphs, copies of them, and what nodes and edges they have.
#include <string.h>

#include "api/graph/graph_api.h"

GCL_API(GraphCreate, (gclGraph_t * graph, unsigned int flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (!error && (!graph || flags))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    struct gcl_graph *created = gcl_graph_create();
    if (!created)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *graph = (gclGraph_t)created;
    return gclSuccess;
}

GCL_API(GraphDestroy, (gclGraph_t handle)) {
    struct gcl_graph *graph = gcl_graph_of(handle);
    if (!graph || graph->is_child)
        return gcl_api_leave(gclErrorInvalidValue);
    gcl_graph_destroy(graph);
    return gclSuccess;
}
