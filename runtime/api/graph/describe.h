// What nodes do, from what the program says of it. The caller owns what it gets.
#ifndef GCL_API_GRAPH_DESCRIBE_H
#define GCL_API_GRAPH_DESCRIBE_H

#include "api/graph/graph_api.h"

gclError_t gcl_describe_kernel(const struct gclKernelNodeParams *p, struct gcl_work_of_node *work);
gclError_t gcl_describe_copy(const struct gclMemcpy3DParms *p, struct gcl_work_of_node *work);
gclError_t gcl_describe_row(void *target, const void *source, size_t size, enum gclMemcpyKind kind,
                            struct gcl_work_of_node *work);
gclError_t gcl_describe_set(const struct gclMemsetParams *p, struct gcl_work_of_node *work);
gclError_t gcl_describe_call(const struct gclHostNodeParams *p, struct gcl_work_of_node *work);
/// `type` is one of the two for events.
gclError_t gcl_describe_event(enum gclGraphNodeType type, gclEvent_t event,
                              struct gcl_work_of_node *work);
/// A copy of a graph. ErrorNotSupported if it has memory.
gclError_t gcl_describe_child(gclGraph_t graph, struct gcl_work_of_node *work);
/// Fills in the address.
gclError_t gcl_describe_allocation(struct gclMemAllocNodeParams *p, struct gcl_work_of_node *work);
gclError_t gcl_describe_free(const void *address, struct gcl_work_of_node *work);
/// Any of them but nodes that are refused: ErrorNotSupported.
gclError_t gcl_describe_any(struct gclGraphNodeParams *p, struct gcl_work_of_node *work);

/// Adds a node that does the work, unless `error` says that there is none.
gclError_t gcl_graph_api_add(gclGraphNode_t *node, gclGraph_t graph,
                             const gclGraphNode_t *dependencies, size_t count,
                             struct gcl_work_of_node *work, gclError_t error);
/// Has a node do other work of its kind.
gclError_t gcl_graph_api_set(gclGraphNode_t node, struct gcl_work_of_node *work, gclError_t error);
/// Likewise in what is launched, for a node of the graph that it was made of.
gclError_t gcl_execution_set(gclGraphExec_t execution, gclGraphNode_t node,
                             struct gcl_work_of_node *work, gclError_t error);
/// ErrorInvalidValue unless the node is of a kind.
gclError_t gcl_graph_api_check(gclGraphNode_t node, enum gclGraphNodeType type);

#endif
