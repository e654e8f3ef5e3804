// Nodes know their neighbours on both sides; lists are short, so edges are looked up by going
// through them.
#include "graph/graph.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "graph/user_object.h"

static _Atomic uint64_t last_id;

bool gcl_node_list_add(struct gcl_node_list *list, struct gcl_graph_node *node) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 4;
        struct gcl_graph_node **nodes = realloc(list->nodes, capacity * sizeof *nodes);
        if (!nodes)
            return false;
        list->nodes = nodes;
        list->capacity = capacity;
    }
    list->nodes[list->count++] = node;
    return true;
}

bool gcl_node_list_has(const struct gcl_node_list *list, const struct gcl_graph_node *node) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->nodes[i] == node)
            return true;
    }
    return false;
}

bool gcl_node_list_join(struct gcl_node_list *list, struct gcl_graph_node *node) {
    return gcl_node_list_has(list, node) || gcl_node_list_add(list, node);
}

void gcl_node_list_finish(struct gcl_node_list *list) {
    free(list->nodes);
    *list = (struct gcl_node_list){.nodes = NULL};
}

static void take_out(struct gcl_node_list *list, const struct gcl_graph_node *node) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->nodes[i] != node)
            list->nodes[kept++] = list->nodes[i];
    }
    list->count = kept;
}

struct gcl_graph *gcl_graph_create(void) {
    struct gcl_graph *graph = calloc(1, sizeof *graph);
    if (graph)
        graph->id = atomic_fetch_add(&last_id, 1) + 1;
    return graph;
}

static void destroy_node(struct gcl_graph_node *node) {
    gcl_node_list_finish(&node->before);
    gcl_node_list_finish(&node->after);
    gcl_work_of_node_finish(&node->work);
    free(node);
}

void gcl_graph_destroy(struct gcl_graph *graph) {
    if (!graph)
        return;
    for (size_t i = 0; i < graph->nodes.count; i++)
        destroy_node(graph->nodes.nodes[i]);
    gcl_node_list_finish(&graph->nodes);
    gcl_graph_uses_finish(&graph->uses);
    free(graph);
}

bool gcl_graph_has_all(const struct gcl_graph *graph, struct gcl_graph_node *const *nodes,
                       size_t count) {
    if (count > 0 && !nodes)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!nodes[i] || nodes[i]->graph != graph)
            return false;
        for (size_t other = 0; other < i; other++) {
            if (nodes[other] == nodes[i])
                return false;
        }
    }
    return true;
}

gclError_t gcl_graph_link(struct gcl_graph_node *before, struct gcl_graph_node *after) {
    assert(before->graph == after->graph);
    if (before == after || gcl_node_list_has(&after->before, before))
        return gclErrorInvalidValue;
    if (!gcl_node_list_add(&after->before, before))
        return gclErrorMemoryAllocation;
    if (gcl_node_list_add(&before->after, after))
        return gclSuccess;
    after->before.count--;
    return gclErrorMemoryAllocation;
}

gclError_t gcl_graph_unlink(struct gcl_graph_node *before, struct gcl_graph_node *after) {
    assert(before->graph == after->graph);
    if (!gcl_node_list_has(&after->before, before))
        return gclErrorInvalidValue;
    take_out(&after->before, before);
    take_out(&before->after, after);
    return gclSuccess;
}

void gcl_graph_remove(struct gcl_graph_node *node) {
    for (size_t i = 0; i < node->before.count; i++)
        take_out(&node->before.nodes[i]->after, node);
    for (size_t i = 0; i < node->after.count; i++)
        take_out(&node->after.nodes[i]->before, node);
    take_out(&node->graph->nodes, node);
    destroy_node(node);
}

struct gcl_graph_node *gcl_graph_add(struct gcl_graph *graph, const struct gcl_work_of_node *work,
                                     struct gcl_graph_node *const *before, size_t count) {
    struct gcl_graph_node *node = calloc(1, sizeof *node);
    if (!node || !gcl_node_list_add(&graph->nodes, node)) {
        free(node);
        return NULL;
    }
    *node = (struct gcl_graph_node){.graph = graph,
                                    .id = atomic_fetch_add(&last_id, 1) + 1,
                                    .work = {.type = gclGraphNodeTypeEmpty}};
    for (size_t i = 0; i < count; i++) {
        if (gcl_graph_link(before[i], node) == gclErrorMemoryAllocation) {
            gcl_graph_remove(node);
            return NULL;
        }
    }
    node->work = *work;
    return node;
}

/// Copies a node without its edges, and leaves the copy's index in the node. False: no memory.
static bool copy_node(struct gcl_graph *graph, struct gcl_graph_node *node) {
    struct gcl_work_of_node work;
    if (!gcl_work_of_node_copy(&work, &node->work))
        return false;
    node->index = graph->nodes.count;
    struct gcl_graph_node *copy = gcl_graph_add(graph, &work, NULL, 0);
    if (!copy) {
        gcl_work_of_node_finish(&work);
        return false;
    }
    copy->original = node->id;
    return true;
}

struct gcl_graph *gcl_graph_clone(const struct gcl_graph *graph) {
    struct gcl_graph *clone = gcl_graph_create();
    bool ok = clone && gcl_graph_uses_copy(&clone->uses, graph->uses);
    for (size_t i = 0; ok && i < graph->nodes.count; i++)
        ok = copy_node(clone, graph->nodes.nodes[i]);
    for (size_t i = 0; ok && i < graph->nodes.count; i++) {
        const struct gcl_node_list *before = &graph->nodes.nodes[i]->before;
        for (size_t b = 0; ok && b < before->count; b++)
            ok = gcl_graph_link(clone->nodes.nodes[before->nodes[b]->index],
                                clone->nodes.nodes[i]) == gclSuccess;
    }
    if (ok)
        return clone;
    gcl_graph_destroy(clone);
    return NULL;
}

struct gcl_graph_node *gcl_graph_copy_of(const struct gcl_graph *graph,
                                         const struct gcl_graph_node *node) {
    for (size_t i = 0; i < graph->nodes.count; i++) {
        if (graph->nodes.nodes[i]->original == node->id)
            return graph->nodes.nodes[i];
    }
    return NULL;
}

bool gcl_graph_has_memory(const struct gcl_graph *graph) {
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_work_of_node *work = &graph->nodes.nodes[i]->work;
        if (work->type == gclGraphNodeTypeMemAlloc || work->type == gclGraphNodeTypeMemFree ||
            (work->type == gclGraphNodeTypeGraph && gcl_graph_has_memory(work->child)))
            return true;
    }
    return false;
}
