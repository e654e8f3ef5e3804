// What is launched takes over what another graph's nodes do. Its nodes and those of that graph are
// each other's counterparts by their places in the order in which they were added, so that the same
// code makes graphs that fit; all is compared before anything changes.
#include <stdlib.h>

#include "api/graph/describe.h"

/// Why a graph doesn't fit, and where.
struct misfit {
    enum gclGraphExecUpdateResult result;
    struct gcl_graph_node *node, *from; ///< of the new graph
};

static bool is_misfit(struct misfit *misfit, enum gclGraphExecUpdateResult result,
                      struct gcl_graph_node *node, struct gcl_graph_node *from) {
    *misfit = (struct misfit){.result = result, .node = node, .from = from};
    return false;
}

/// Places of nodes in their graph's list, for comparing edges.
static void number(const struct gcl_graph *graph) {
    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.nodes[i]->index = i;
}

static bool has_edge(const struct gcl_node_list *before, size_t index) {
    for (size_t i = 0; i < before->count; i++) {
        if (before->nodes[i]->index == index)
            return true;
    }
    return false;
}

static bool fits(const struct gcl_graph *old, const struct gcl_graph *new, struct misfit *misfit);

static bool node_fits(const struct gcl_graph_node *old, struct gcl_graph_node *new,
                      struct misfit *misfit) {
    enum gclGraphNodeType type = new->work.type;
    if (old->work.type != type)
        return is_misfit(misfit, gclGraphExecUpdateErrorNodeTypeChanged, new, NULL);
    if (old->before.count != new->before.count)
        return is_misfit(misfit, gclGraphExecUpdateErrorTopologyChanged, new, NULL);
    for (size_t i = 0; i < new->before.count; i++) {
        if (!has_edge(&old->before, new->before.nodes[i]->index))
            return is_misfit(misfit, gclGraphExecUpdateErrorTopologyChanged, new,
                             new->before.nodes[i]);
    }
    if (type == gclGraphNodeTypeMemAlloc || type == gclGraphNodeTypeMemFree)
        return is_misfit(misfit, gclGraphExecUpdateErrorNotSupported, new, NULL);
    if (old->work.device != new->work.device)
        return is_misfit(misfit, gclGraphExecUpdateErrorParametersChanged, new, NULL);
    return true;
}

static bool fits(const struct gcl_graph *old, const struct gcl_graph *new, struct misfit *misfit) {
    number(old);
    number(new);
    if (old->nodes.count != new->nodes.count)
        return is_misfit(misfit, gclGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    for (size_t i = 0; i < new->nodes.count; i++) {
        if (!node_fits(old->nodes.nodes[i], new->nodes.nodes[i], misfit))
            return false;
    }
    for (size_t i = 0; i < new->nodes.count; i++) {
        struct gcl_graph_node *node = new->nodes.nodes[i];
        if (node->work.type == gclGraphNodeTypeGraph &&
            !fits(old->nodes.nodes[i]->work.child, node->work.child, misfit))
            return false;
    }
    return true;
}

/// Exchanges what nodes do between two graphs that fit.
static void exchange(struct gcl_graph *old, struct gcl_graph *new) {
    for (size_t i = 0; i < old->nodes.count; i++) {
        struct gcl_work_of_node *one = &old->nodes.nodes[i]->work;
        struct gcl_work_of_node *other = &new->nodes.nodes[i]->work, work = *one;
        if (one->type == gclGraphNodeTypeGraph) {
            exchange(one->child, other->child);
            continue;
        }
        *one = *other;
        *other = work;
    }
}

/// Updates a graph by one that fits.
static gclError_t update(struct gcl_graph *old, const struct gcl_graph *new) {
    struct gcl_graph *copy = gcl_graph_clone(new);
    if (!copy)
        return gclErrorMemoryAllocation;
    exchange(old, copy);
    gcl_graph_destroy(copy);
    return gclSuccess;
}

GCL_API(GraphExecUpdate,
        (gclGraphExec_t execution, gclGraph_t graph, gclGraphExecUpdateResultInfo *result)) {
    struct misfit misfit = {.result = gclGraphExecUpdateSuccess};
    gclError_t error = gclSuccess;
    if (!execution || !graph)
        error = gclErrorInvalidValue;
    else if (!fits(gcl_execution_of(execution)->graph, gcl_graph_of(graph), &misfit))
        error = gclErrorGraphExecUpdateFailure;
    else
        error = update(gcl_execution_of(execution)->graph, gcl_graph_of(graph));
    if (error && misfit.result == gclGraphExecUpdateSuccess)
        misfit.result = gclGraphExecUpdateError;
    if (result)
        *result = (gclGraphExecUpdateResultInfo){.result = misfit.result,
                                                 .errorNode = (gclGraphNode_t)misfit.node,
                                                 .errorFromNode = (gclGraphNode_t)misfit.from};
    return gcl_api_leave(error);
}

GCL_API(GraphExecChildGraphNodeSetParams,
        (gclGraphExec_t execution, gclGraphNode_t node, gclGraph_t child)) {
    struct misfit misfit;
    gclError_t error = gcl_graph_api_check(node, gclGraphNodeTypeGraph);
    if (!error && (!execution || !child))
        error = gclErrorInvalidValue;
    const struct gcl_graph_node *copy =
        error ? NULL
              : gcl_graph_copy_of(gcl_execution_of(execution)->graph, gcl_graph_node_of(node));
    if (!copy || !fits(copy->work.child, gcl_graph_of(child), &misfit))
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(update(copy->work.child, gcl_graph_of(child)));
}

static gclError_t find_step(gclGraphExec_t execution, gclGraphNode_t node, uint32_t *number) {
    if (!execution || !node)
        return gclErrorInvalidValue;
    const struct gcl_execution *e = gcl_execution_of(execution);
    const struct gcl_step *step = gcl_execution_step(e, gcl_graph_node_of(node));
    if (!step)
        return gclErrorInvalidValue;
    *number = (uint32_t)(step - e->order.steps);
    return gclSuccess;
}

GCL_API(GraphNodeSetEnabled,
        (gclGraphExec_t execution, gclGraphNode_t node, unsigned int is_enabled)) {
    uint32_t step;
    gclError_t error = find_step(execution, node, &step);
    if (error)
        return gcl_api_leave(error);
    enum gclGraphNodeType type = gcl_execution_of(execution)->order.steps[step].work->type;
    if (type != gclGraphNodeTypeKernel && type != gclGraphNodeTypeMemcpy &&
        type != gclGraphNodeTypeMemset)
        return gcl_api_leave(gclErrorInvalidValue);
    gcl_execution_of(execution)->is_disabled[step] = !is_enabled;
    return gclSuccess;
}

GCL_API(GraphNodeGetEnabled,
        (gclGraphExec_t execution, gclGraphNode_t node, unsigned int *is_enabled)) {
    uint32_t step;
    gclError_t error = find_step(execution, node, &step);
    if (!error && !is_enabled)
        error = gclErrorInvalidValue;
    if (!error)
        *is_enabled = !gcl_execution_of(execution)->is_disabled[step];
    return gcl_api_leave(error);
}
