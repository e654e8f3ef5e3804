// Nodes of each kind: added, asked what they do, and given something else to do, in a graph or in
// what is launched of it.
#include "api/graph/describe.h"
#include "api/launch.h"

#define ADD(name, parameters, described)                                                           \
    GCL_API(GraphAdd##name##Node,                                                                  \
            (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies,          \
             size_t count, parameters)) {                                                          \
        struct gcl_work_of_node work;                                                              \
        gclError_t error = described;                                                              \
        return gcl_graph_api_add(node, graph, dependencies, count, &work, error);                  \
    }
#define SET(name, parameters, described)                                                           \
    GCL_API(Graph##name, (gclGraphNode_t node, parameters)) {                                      \
        struct gcl_work_of_node work;                                                              \
        gclError_t error = described;                                                              \
        return gcl_graph_api_set(node, &work, error);                                              \
    }                                                                                              \
    GCL_API(GraphExec##name, (gclGraphExec_t execution, gclGraphNode_t node, parameters)) {        \
        struct gcl_work_of_node work;                                                              \
        gclError_t error = described;                                                              \
        return gcl_execution_set(execution, node, &work, error);                                   \
    }

ADD(Kernel, const struct gclKernelNodeParams *p, gcl_describe_kernel(p, &work))
SET(KernelNodeSetParams, const struct gclKernelNodeParams *p, gcl_describe_kernel(p, &work))
ADD(Memcpy, const struct gclMemcpy3DParms *p, gcl_describe_copy(p, &work))
SET(MemcpyNodeSetParams, const struct gclMemcpy3DParms *p, gcl_describe_copy(p, &work))
ADD(Memset, const struct gclMemsetParams *p, gcl_describe_set(p, &work))
SET(MemsetNodeSetParams, const struct gclMemsetParams *p, gcl_describe_set(p, &work))
ADD(Host, const struct gclHostNodeParams *p, gcl_describe_call(p, &work))
SET(HostNodeSetParams, const struct gclHostNodeParams *p, gcl_describe_call(p, &work))
ADD(EventRecord, gclEvent_t event, gcl_describe_event(gclGraphNodeTypeEventRecord, event, &work))
SET(EventRecordNodeSetEvent, gclEvent_t event,
    gcl_describe_event(gclGraphNodeTypeEventRecord, event, &work))
ADD(EventWait, gclEvent_t event, gcl_describe_event(gclGraphNodeTypeWaitEvent, event, &work))
SET(EventWaitNodeSetEvent, gclEvent_t event,
    gcl_describe_event(gclGraphNodeTypeWaitEvent, event, &work))
ADD(ChildGraph, gclGraph_t child, gcl_describe_child(child, &work))
ADD(MemAlloc, struct gclMemAllocNodeParams *p, gcl_describe_allocation(p, &work))
ADD(MemFree, void *address, gcl_describe_free(address, &work))

GCL_API(GraphAddEmptyNode, (gclGraphNode_t * node, gclGraph_t graph,
                            const gclGraphNode_t *dependencies, size_t count)) {
    struct gclGraphNodeParams p = {.type = gclGraphNodeTypeEmpty};
    return gclGraphAddNode(node, graph, dependencies, count, &p);
}

GCL_API(GraphAddNode, (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies,
                       size_t count, struct gclGraphNodeParams *p)) {
    struct gcl_work_of_node work;
    gclError_t error = gcl_describe_any(p, &work);
    return gcl_graph_api_add(node, graph, dependencies, count, &work, error);
}

GCL_API(GraphAddNode_v2,
        (gclGraphNode_t * node, gclGraph_t graph, const gclGraphNode_t *dependencies,
         const gclGraphEdgeData *edges, size_t count, struct gclGraphNodeParams *p)) {
    gclError_t error = gcl_graph_check_edges(edges, count);
    return error ? gcl_api_leave(error) : gclGraphAddNode(node, graph, dependencies, count, p);
}

GCL_API(GraphNodeSetParams, (gclGraphNode_t node, struct gclGraphNodeParams *p)) {
    struct gcl_work_of_node work;
    gclError_t error = node && p ? gcl_graph_api_check(node, p->type) : gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    error = gcl_describe_any(p, &work);
    return gcl_graph_api_set(node, &work, error);
}

GCL_API(GraphExecNodeSetParams,
        (gclGraphExec_t execution, gclGraphNode_t node, struct gclGraphNodeParams *p)) {
    struct gcl_work_of_node work;
    gclError_t error = p ? gcl_graph_api_check(node, p->type) : gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    if (p->type == gclGraphNodeTypeGraph)
        return gclGraphExecChildGraphNodeSetParams(execution, node, p->graph.graph);
    error = gcl_describe_any(p, &work);
    return gcl_execution_set(execution, node, &work, error);
}

// What nodes do.

#define GET(name, kind, type, result, value)                                                       \
    GCL_API(Graph##name, (gclGraphNode_t handle, type * result)) {                                 \
        gclError_t error = gcl_graph_api_check(handle, gclGraphNodeType##kind);                    \
        const struct gcl_work_of_node *work = error ? NULL : &gcl_graph_node_of(handle)->work;     \
        if (!error && !(result))                                                                   \
            error = gclErrorInvalidValue;                                                          \
        if (!error)                                                                                \
            *(result) = value;                                                                     \
        return gcl_api_leave(error);                                                               \
    }

GET(KernelNodeGetParams, Kernel, struct gclKernelNodeParams, p,
    ((struct gclKernelNodeParams){.func = (void *)(uintptr_t)work->kernel.stub,
                                  .gridDim = work->kernel.grid,
                                  .blockDim = work->kernel.block,
                                  .sharedMemBytes = work->kernel.shared_size,
                                  .kernelParams = work->kernel.arguments}))
GET(MemcpyNodeGetParams, Memcpy, struct gclMemcpy3DParms, p, work->copy.asked)
GET(MemsetNodeGetParams, Memset, struct gclMemsetParams, p, work->set)
GET(HostNodeGetParams, Host, struct gclHostNodeParams, p, work->host)
GET(EventRecordNodeGetEvent, EventRecord, gclEvent_t, event, work->event)
GET(EventWaitNodeGetEvent, WaitEvent, gclEvent_t, event, work->event)
GET(ChildGraphNodeGetGraph, Graph, gclGraph_t, graph, (gclGraph_t)work->child)

// Attributes of kernels.

GCL_API(GraphKernelNodeGetAttribute, (gclGraphNode_t node, enum gclLaunchAttributeID attribute,
                                      union gclLaunchAttributeValue *value)) {
    gclError_t error = gcl_graph_api_check(node, gclGraphNodeTypeKernel);
    if (!error && !value)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    const struct gcl_kernel_work *kernel = &gcl_graph_node_of(node)->work.kernel;
    *value = (union gclLaunchAttributeValue){.pad = {0}};
    if (attribute == gclLaunchAttributeCooperative)
        value->cooperative = kernel->is_cooperative;
    else if (attribute == gclLaunchAttributePriority)
        value->priority = kernel->priority;
    else if (attribute == gclLaunchAttributeAccessPolicyWindow)
        value->accessPolicyWindow = kernel->window;
    else
        return gcl_api_leave(gclErrorInvalidValue);
    return gclSuccess;
}

/// A cooperative launch has to fit on the device.
static gclError_t set_cooperative(struct gcl_kernel_work *kernel, bool is_cooperative) {
    struct gcl_launch_request launch = {.grid = kernel->grid,
                                        .block = kernel->block,
                                        .shared_size = kernel->shared_size,
                                        .handle = gclStreamLegacy,
                                        .is_cooperative = is_cooperative};
    struct gcl_work_of_node checked = {.type = gclGraphNodeTypeKernel};
    gclError_t error =
        gcl_launch_describe(&launch, kernel->stub, kernel->arguments, &checked.kernel);
    if (error)
        return error;
    gcl_work_of_node_finish(&checked);
    kernel->is_cooperative = is_cooperative;
    return gclSuccess;
}

GCL_API(GraphKernelNodeSetAttribute, (gclGraphNode_t node, enum gclLaunchAttributeID attribute,
                                      const union gclLaunchAttributeValue *value)) {
    gclError_t error = gcl_graph_api_check(node, gclGraphNodeTypeKernel);
    if (!error && !value)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    struct gcl_kernel_work *kernel = &gcl_graph_node_of(node)->work.kernel;
    if (attribute == gclLaunchAttributeCooperative)
        return gcl_api_leave(set_cooperative(kernel, value->cooperative != 0));
    if (attribute == gclLaunchAttributePriority)
        kernel->priority = value->priority;
    else if (attribute == gclLaunchAttributeAccessPolicyWindow)
        kernel->window = value->accessPolicyWindow;
    else
        return gcl_api_leave(gclErrorNotSupported);
    return gclSuccess;
}

GCL_API(GraphKernelNodeCopyAttributes, (gclGraphNode_t source, gclGraphNode_t target)) {
    gclError_t error = gcl_graph_api_check(source, gclGraphNodeTypeKernel);
    if (!error)
        error = gcl_graph_api_check(target, gclGraphNodeTypeKernel);
    if (error)
        return gcl_api_leave(error);
    const struct gcl_kernel_work *from = &gcl_graph_node_of(source)->work.kernel;
    struct gcl_kernel_work *to = &gcl_graph_node_of(target)->work.kernel;
    error = set_cooperative(to, from->is_cooperative);
    if (error)
        return gcl_api_leave(error);
    to->priority = from->priority;
    to->window = from->window;
    return gclSuccess;
}
