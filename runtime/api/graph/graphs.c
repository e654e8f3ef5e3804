// Graphs: their life, their nodes and edges, pictures of them.
#include <stdio.h>
#include <string.h>

#include "api/graph/graph_api.h"
#include "base/name.h"
#include "exec/code/registry.h"
#include "graph/dot.h"
#include "graph/memory.h"

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

GCL_API(GraphClone, (gclGraph_t * clone, gclGraph_t graph)) {
    if (!clone || !graph)
        return gcl_api_leave(gclErrorInvalidValue);
    if (gcl_graph_has_memory(gcl_graph_of(graph)))
        return gcl_api_leave(gclErrorNotSupported);
    struct gcl_graph *created = gcl_graph_clone(gcl_graph_of(graph));
    if (!created)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *clone = (gclGraph_t)created;
    return gclSuccess;
}

GCL_API(GraphNodeFindInClone, (gclGraphNode_t * found, gclGraphNode_t node, gclGraph_t clone)) {
    if (!found || !node || !clone)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gcl_graph_node *copy = gcl_graph_copy_of(gcl_graph_of(clone), gcl_graph_node_of(node));
    if (!copy)
        return gcl_api_leave(gclErrorInvalidValue);
    *found = (gclGraphNode_t)copy;
    return gclSuccess;
}

GCL_API(GraphDestroyNode, (gclGraphNode_t handle)) {
    struct gcl_graph_node *node = gcl_graph_node_of(handle);
    if (!node)
        return gcl_api_leave(gclErrorInvalidValue);
    if (gcl_graph_has_memory(node->graph))
        return gcl_api_leave(gclErrorNotSupported);
    gcl_graph_remove(node);
    return gclSuccess;
}

GCL_API(GraphNodeGetType, (gclGraphNode_t node, enum gclGraphNodeType *type)) {
    if (!node || !type)
        return gcl_api_leave(gclErrorInvalidValue);
    *type = gcl_graph_node_of(node)->work.type;
    return gclSuccess;
}

// Lists.

/// Puts the nodes of a list into an array with room for `*count`; what is left of it is NULL.
static gclError_t answer(const struct gcl_node_list *list, gclGraphNode_t *nodes, size_t *count) {
    if (!count)
        return gclErrorInvalidValue;
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < list->count ? (gclGraphNode_t)list->nodes[i] : NULL;
    if (!nodes || *count > list->count)
        *count = list->count;
    return gclSuccess;
}

GCL_API(GraphGetNodes, (gclGraph_t graph, gclGraphNode_t *nodes, size_t *count)) {
    return gcl_api_leave(graph ? answer(&gcl_graph_of(graph)->nodes, nodes, count)
                               : gclErrorInvalidValue);
}

GCL_API(GraphGetRootNodes, (gclGraph_t graph, gclGraphNode_t *nodes, size_t *count)) {
    struct gcl_node_list roots = {.nodes = NULL};
    bool ok = true;
    if (!graph)
        return gcl_api_leave(gclErrorInvalidValue);
    const struct gcl_node_list *all = &gcl_graph_of(graph)->nodes;
    for (size_t i = 0; ok && i < all->count; i++)
        ok = all->nodes[i]->before.count > 0 || gcl_node_list_add(&roots, all->nodes[i]);
    gclError_t error = ok ? answer(&roots, nodes, count) : gclErrorMemoryAllocation;
    gcl_node_list_finish(&roots);
    return gcl_api_leave(error);
}

GCL_API(GraphNodeGetDependencies, (gclGraphNode_t node, gclGraphNode_t *nodes, size_t *count)) {
    return gcl_api_leave(node ? answer(&gcl_graph_node_of(node)->before, nodes, count)
                              : gclErrorInvalidValue);
}

GCL_API(GraphNodeGetDependentNodes, (gclGraphNode_t node, gclGraphNode_t *nodes, size_t *count)) {
    return gcl_api_leave(node ? answer(&gcl_graph_node_of(node)->after, nodes, count)
                              : gclErrorInvalidValue);
}

/// The edge of a graph at a place in the order of nodes that they lead to. False: there are fewer.
static bool find_edge(const struct gcl_graph *graph, size_t index, gclGraphNode_t *from,
                      gclGraphNode_t *to) {
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct gcl_graph_node *node = graph->nodes.nodes[i];
        if (index < node->before.count) {
            *from = (gclGraphNode_t)node->before.nodes[index];
            *to = (gclGraphNode_t)node;
            return true;
        }
        index -= node->before.count;
    }
    *from = *to = NULL;
    return false;
}

GCL_API(GraphGetEdges,
        (gclGraph_t handle, gclGraphNode_t *from, gclGraphNode_t *to, size_t *count)) {
    const struct gcl_graph *graph = gcl_graph_of(handle);
    size_t all = 0;
    if (!graph || !count || !from != !to)
        return gcl_api_leave(gclErrorInvalidValue);
    for (size_t i = 0; i < graph->nodes.count; i++)
        all += graph->nodes.nodes[i]->before.count;
    for (size_t i = 0; from && i < *count; i++)
        find_edge(graph, i, &from[i], &to[i]);
    if (!from || *count > all)
        *count = all;
    return gclSuccess;
}

// Edges.

static gclError_t check_edges(gclGraph_t graph, const gclGraphNode_t *from,
                              const gclGraphNode_t *to, size_t count) {
    if (!graph || (count > 0 && (!from || !to)))
        return gclErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        if (!from[i] || !to[i] || gcl_graph_node_of(from[i])->graph != gcl_graph_of(graph) ||
            gcl_graph_node_of(to[i])->graph != gcl_graph_of(graph))
            return gclErrorInvalidValue;
    }
    return gclSuccess;
}

GCL_API(GraphAddDependencies,
        (gclGraph_t graph, const gclGraphNode_t *from, const gclGraphNode_t *to, size_t count)) {
    gclError_t error = check_edges(graph, from, to, count);
    for (size_t i = 0; !error && i < count; i++)
        error = gcl_graph_link(gcl_graph_node_of(from[i]), gcl_graph_node_of(to[i]));
    return gcl_api_leave(error);
}

GCL_API(GraphRemoveDependencies,
        (gclGraph_t graph, const gclGraphNode_t *from, const gclGraphNode_t *to, size_t count)) {
    gclError_t error = check_edges(graph, from, to, count);
    if (!error && gcl_graph_has_memory(gcl_graph_of(graph)))
        error = gclErrorNotSupported;
    for (size_t i = 0; !error && i < count; i++)
        error = gcl_graph_unlink(gcl_graph_node_of(from[i]), gcl_graph_node_of(to[i]));
    return gcl_api_leave(error);
}

// Pictures.

static void name_kernel(const void *stub, char *name, size_t size) {
    struct gcl_runtime *runtime = gcl_runtime_peek();
    struct gcl_function *function;
    *name = 0;
    if (runtime && gcl_registry_function(stub, runtime->space, &function) == GCL_OK)
        gcl_name_demangle(function->name, name, size);
}

GCL_API(GraphDebugDotPrint, (gclGraph_t graph, const char *path, unsigned int flags)) {
    if (!graph || !path)
        return gcl_api_leave(gclErrorInvalidValue);
    FILE *out = fopen(path, "w");
    if (!out)
        return gcl_api_leave(gclErrorOperatingSystem);
    gcl_graph_print(gcl_graph_of(graph), flags, name_kernel, out);
    return gcl_api_leave(fclose(out) == 0 ? gclSuccess : gclErrorOperatingSystem);
}
