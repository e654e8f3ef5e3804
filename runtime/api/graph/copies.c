// Copies whose nodes are described in fewer words: of one row, and to and from variables.
#include "api/copy.h"
#include "api/graph/describe.h"

static gclError_t describe_to_symbol(const void *symbol, const void *source, size_t size,
                                     size_t offset, enum gclMemcpyKind kind,
                                     struct gcl_work_of_node *work) {
    unsigned char *bytes;
    gclError_t error = gcl_copy_find_symbol(symbol, offset, size, &bytes);
    *work = (struct gcl_work_of_node){.type = gclGraphNodeTypeEmpty};
    if (!error && (kind == gclMemcpyDeviceToHost || kind == gclMemcpyHostToHost))
        error = gclErrorInvalidMemcpyDirection;
    return error ? error : gcl_describe_row(bytes, source, size, kind, work);
}

static gclError_t describe_from_symbol(void *target, const void *symbol, size_t size, size_t offset,
                                       enum gclMemcpyKind kind, struct gcl_work_of_node *work) {
    unsigned char *bytes;
    gclError_t error = gcl_copy_find_symbol(symbol, offset, size, &bytes);
    *work = (struct gcl_work_of_node){.type = gclGraphNodeTypeEmpty};
    if (!error && (kind == gclMemcpyHostToDevice || kind == gclMemcpyHostToHost))
        error = gclErrorInvalidMemcpyDirection;
    return error ? error : gcl_describe_row(target, bytes, size, kind, work);
}

GCL_API(GraphAddMemcpyNode1D,
        (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies, size_t count,
         void *target, const void *source, size_t size, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = gcl_describe_row(target, source, size, kind, &work);
    return gcl_graph_api_add(node, graph, dependencies, count, &work, error);
}

GCL_API(GraphMemcpyNodeSetParams1D, (gclGraphNode_t node, void *target, const void *source,
                                     size_t size, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = gcl_describe_row(target, source, size, kind, &work);
    return gcl_graph_api_set(node, &work, error);
}

GCL_API(GraphExecMemcpyNodeSetParams1D,
        (gclGraphExec_t execution, gclGraphNode_t node, void *target, const void *source,
         size_t size, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = gcl_describe_row(target, source, size, kind, &work);
    return gcl_execution_set(execution, node, &work, error);
}

GCL_API(GraphAddMemcpyNodeToSymbol,
        (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies, size_t count,
         const void *symbol, const void *source, size_t size, size_t offset,
         enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_to_symbol(symbol, source, size, offset, kind, &work);
    return gcl_graph_api_add(node, graph, dependencies, count, &work, error);
}

GCL_API(GraphMemcpyNodeSetParamsToSymbol,
        (gclGraphNode_t node, const void *symbol, const void *source, size_t size, size_t offset,
         enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_to_symbol(symbol, source, size, offset, kind, &work);
    return gcl_graph_api_set(node, &work, error);
}

GCL_API(GraphExecMemcpyNodeSetParamsToSymbol,
        (gclGraphExec_t execution, gclGraphNode_t node, const void *symbol, const void *source,
         size_t size, size_t offset, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_to_symbol(symbol, source, size, offset, kind, &work);
    return gcl_execution_set(execution, node, &work, error);
}

GCL_API(GraphAddMemcpyNodeFromSymbol,
        (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies, size_t count,
         void *target, const void *symbol, size_t size, size_t offset, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_from_symbol(target, symbol, size, offset, kind, &work);
    return gcl_graph_api_add(node, graph, dependencies, count, &work, error);
}

GCL_API(GraphMemcpyNodeSetParamsFromSymbol, (gclGraphNode_t node, void *target, const void *symbol,
                                             size_t size, size_t offset, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_from_symbol(target, symbol, size, offset, kind, &work);
    return gcl_graph_api_set(node, &work, error);
}

GCL_API(GraphExecMemcpyNodeSetParamsFromSymbol,
        (gclGraphExec_t execution, gclGraphNode_t node, void *target, const void *symbol,
         size_t size, size_t offset, enum gclMemcpyKind kind)) {
    struct gcl_work_of_node work;
    gclError_t error = describe_from_symbol(target, symbol, size, offset, kind, &work);
    return gcl_execution_set(execution, node, &work, error);
}
