#include "api/graph/describe.h"

#include <string.h>

#include "api/copy.h"
#include "api/graph/again.h"
#include "api/launch.h"
#include "api/pool.h"
#include "graph/memory.h"

/// Begins the description of work on the calling thread's device.
static gclError_t begin(struct gcl_work_of_node *work, enum gclGraphNodeType type,
                        struct gcl_runtime **runtime) {
    gclError_t error = gcl_api_enter(runtime);
    *work = (struct gcl_work_of_node){.type = gclGraphNodeTypeEmpty};
    if (error)
        return error;
    work->type = type;
    work->device = gcl_devices_own();
    return gclSuccess;
}

/// Work of which there is none owns nothing.
static gclError_t finish(struct gcl_work_of_node *work, gclError_t error) {
    if (error)
        work->type = gclGraphNodeTypeEmpty;
    return error;
}

gclError_t gcl_describe_kernel(const struct gclKernelNodeParams *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeKernel, &runtime);
    if (!error && (!p || !p->func))
        error = gclErrorInvalidValue;
    if (!error && p->extra && !p->kernelParams)
        error = gclErrorNotSupported; // arguments as the driver packs them
    if (error)
        return finish(work, error);
    struct gcl_launch_request launch = {.grid = p->gridDim,
                                        .block = p->blockDim,
                                        .shared_size = p->sharedMemBytes,
                                        .handle = gclStreamLegacy};
    return finish(work, gcl_launch_describe(&launch, p->func, p->kernelParams, &work->kernel));
}

static gclError_t describe_request(struct gcl_runtime *runtime,
                                   const struct gcl_copy_request *request,
                                   struct gcl_work_of_node *work) {
    work->copy.box = request->box;
    work->copy.kind = request->kind;
    work->copy.is_array_target = request->is_array_target;
    work->copy.is_array_source = request->is_array_source;
    return gcl_copy_check(runtime, request);
}

gclError_t gcl_describe_copy(const struct gclMemcpy3DParms *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    struct gcl_copy_request request = {.is_async = true};
    gclError_t error = begin(work, gclGraphNodeTypeMemcpy, &runtime);
    if (!error)
        error = gcl_copy_describe(p, &request);
    if (!error)
        error = describe_request(runtime, &request, work);
    if (!error)
        work->copy.asked = *p;
    return finish(work, error);
}

gclError_t gcl_describe_row(void *target, const void *source, size_t size, enum gclMemcpyKind kind,
                            struct gcl_work_of_node *work) {
    struct gclMemcpy3DParms asked = {
        .srcPtr = make_gclPitchedPtr((void *)(uintptr_t)source, size, size, 1),
        .dstPtr = make_gclPitchedPtr(target, size, size, 1),
        .extent = make_gclExtent(size, 1, 1),
        .kind = kind};
    return gcl_describe_copy(&asked, work);
}

gclError_t gcl_describe_set(const struct gclMemsetParams *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeMemset, &runtime);
    if (!error)
        error = p ? gcl_set_check(runtime, p) : gclErrorInvalidValue;
    if (!error)
        work->set = *p;
    return finish(work, error);
}

gclError_t gcl_describe_call(const struct gclHostNodeParams *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeHost, &runtime);
    if (!error && (!p || !p->fn))
        error = gclErrorInvalidValue;
    if (!error)
        work->host = *p;
    return finish(work, error);
}

gclError_t gcl_describe_event(enum gclGraphNodeType type, gclEvent_t event,
                              struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, type, &runtime);
    if (!error && !gcl_event_is_alive(runtime->engine, (struct gcl_event *)event))
        error = gclErrorInvalidResourceHandle;
    if (!error)
        work->event = event;
    return finish(work, error);
}

gclError_t gcl_describe_child(gclGraph_t graph, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeGraph, &runtime);
    if (!error && !graph)
        error = gclErrorInvalidValue;
    if (!error && gcl_graph_has_memory(gcl_graph_of(graph)))
        error = gclErrorNotSupported;
    if (error)
        return finish(work, error);
    work->child = gcl_graph_clone(gcl_graph_of(graph));
    if (!work->child)
        return finish(work, gclErrorMemoryAllocation);
    work->child->is_child = true;
    return gclSuccess;
}

gclError_t gcl_describe_allocation(struct gclMemAllocNodeParams *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeMemAlloc, &runtime);
    if (!error)
        error = p ? gcl_pool_allocate_for_graph(runtime, p, &work->memory) : gclErrorInvalidValue;
    if (!error)
        p->dptr = work->memory->address;
    return finish(work, error);
}

gclError_t gcl_describe_free(const void *address, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    gclError_t error = begin(work, gclGraphNodeTypeMemFree, &runtime);
    if (error)
        return error;
    work->memory = gcl_graph_memory_take(address);
    return finish(work, work->memory ? gclSuccess : gclErrorInvalidValue);
}

gclError_t gcl_describe_any(struct gclGraphNodeParams *p, struct gcl_work_of_node *work) {
    struct gcl_runtime *runtime;
    switch (p ? p->type : gclGraphNodeTypeCount) {
    case gclGraphNodeTypeKernel:
        return gcl_describe_kernel(&p->kernel, work);
    case gclGraphNodeTypeMemcpy:
        return gcl_describe_copy(&p->memcpy.copyParams, work);
    case gclGraphNodeTypeMemset:
        return gcl_describe_set(&p->memset, work);
    case gclGraphNodeTypeHost:
        return gcl_describe_call(&p->host, work);
    case gclGraphNodeTypeGraph:
        return gcl_describe_child(p->graph.graph, work);
    case gclGraphNodeTypeEmpty:
        return begin(work, gclGraphNodeTypeEmpty, &runtime);
    case gclGraphNodeTypeWaitEvent:
    case gclGraphNodeTypeEventRecord:
        return gcl_describe_event(p->type, p->eventWait.event, work);
    case gclGraphNodeTypeMemAlloc:
        return gcl_describe_allocation(&p->alloc, work);
    case gclGraphNodeTypeMemFree:
        return gcl_describe_free(p->free.dptr, work);
    default:
        *work = (struct gcl_work_of_node){.type = gclGraphNodeTypeEmpty};
        return p && p->type < gclGraphNodeTypeCount ? gclErrorNotSupported : gclErrorInvalidValue;
    }
}

gclError_t gcl_graph_api_check(gclGraphNode_t node, enum gclGraphNodeType type) {
    return node && gcl_graph_node_of(node)->work.type == type ? gclSuccess : gclErrorInvalidValue;
}

gclError_t gcl_graph_api_add(gclGraphNode_t *node, gclGraph_t graph,
                             const gclGraphNode_t *dependencies, size_t count,
                             struct gcl_work_of_node *work, gclError_t error) {
    struct gcl_graph_node *const *before = gcl_graph_nodes_of(dependencies);
    struct gcl_graph_node *added = NULL;
    if (!error && (!node || !graph || !gcl_graph_has_all(gcl_graph_of(graph), before, count)))
        error = gclErrorInvalidValue;
    if (!error)
        added = gcl_graph_add(gcl_graph_of(graph), work, before, count);
    if (!added) {
        gcl_work_of_node_finish(work);
        return gcl_api_leave(error ? error : gclErrorMemoryAllocation);
    }
    *node = (gclGraphNode_t)added;
    return gclSuccess;
}

/// Replaces work by other work of its kind, which it takes; what the program set about launches of
/// a kernel stays.
static gclError_t replace(struct gcl_work_of_node *old, struct gcl_work_of_node *work) {
    if (old->type != work->type || old->type == gclGraphNodeTypeMemAlloc ||
        old->type == gclGraphNodeTypeMemFree) {
        gcl_work_of_node_finish(work);
        return gclErrorInvalidValue;
    }
    if (work->type == gclGraphNodeTypeKernel) {
        work->kernel.is_cooperative = old->kernel.is_cooperative;
        work->kernel.priority = old->kernel.priority;
        work->kernel.window = old->kernel.window;
    }
    gcl_work_of_node_finish(old);
    *old = *work;
    return gclSuccess;
}

gclError_t gcl_graph_api_set(gclGraphNode_t node, struct gcl_work_of_node *work, gclError_t error) {
    if (!error && !node)
        error = gclErrorInvalidValue;
    if (error)
        gcl_work_of_node_finish(work);
    else
        error = replace(&gcl_graph_node_of(node)->work, work);
    return gcl_api_leave(error);
}

gclError_t gcl_execution_set(gclGraphExec_t execution, gclGraphNode_t node,
                             struct gcl_work_of_node *work, gclError_t error) {
    struct gcl_step *step = NULL;
    if (!error && execution && node)
        step = gcl_execution_step(gcl_execution_of(execution), gcl_graph_node_of(node));
    if (!error && !step)
        error = gclErrorInvalidValue;
    if (!error && step->work->device != work->device)
        error = gclErrorInvalidValue;
    if (error)
        gcl_work_of_node_finish(work);
    else
        error = replace(step->work, work);
    return gcl_api_leave(error);
}
