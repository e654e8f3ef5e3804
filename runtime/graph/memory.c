// Graphs with memory aren't within others, so only a graph's own nodes are gone through.
#include "graph/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "graph/graph.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gcl_graph_memory *memories;
static atomic_uint memory_count;

static void set_live(struct gcl_graph_memory *memory, bool is_live) {
    if (memory->is_live == is_live)
        return;
    memory->is_live = is_live;
    memory->change(memory, is_live ? GCL_GRAPH_MEMORY_LIVE : GCL_GRAPH_MEMORY_DEAD);
}

void gcl_graph_memory_add(struct gcl_graph_memory *memory) {
    assert(memory->address && memory->change);
    pthread_mutex_lock(&lock);
    memory->users = 1;
    memory->next = memories;
    memories = memory;
    atomic_fetch_add(&memory_count, 1);
    pthread_mutex_unlock(&lock);
}

void gcl_graph_memory_use(struct gcl_graph_memory *memory, bool frees) {
    pthread_mutex_lock(&lock);
    memory->users++;
    memory->frees += frees;
    pthread_mutex_unlock(&lock);
}

static void drop(struct gcl_graph_memory *memory) {
    struct gcl_graph_memory **link = &memories;
    bool is_left = memory->is_live;
    while (*link != memory)
        link = &(*link)->next;
    *link = memory->next;
    atomic_fetch_sub(&memory_count, 1);
    set_live(memory, false);
    if (!memory->is_forsaken)
        memory->change(memory, is_left ? GCL_GRAPH_MEMORY_LEFT : GCL_GRAPH_MEMORY_GONE);
    free(memory);
}

void gcl_graph_memory_leave(struct gcl_graph_memory *memory, bool frees) {
    pthread_mutex_lock(&lock);
    memory->frees -= frees;
    if (--memory->users == 0)
        drop(memory);
    pthread_mutex_unlock(&lock);
}

static struct gcl_graph_memory *find(const void *address) {
    struct gcl_graph_memory *memory = memories;
    while (memory && (memory->address != address || memory->is_forsaken))
        memory = memory->next;
    return memory;
}

struct gcl_graph_memory *gcl_graph_memory_take(const void *address) {
    pthread_mutex_lock(&lock);
    struct gcl_graph_memory *memory = find(address);
    if (memory && memory->frees > 0)
        memory = NULL;
    if (memory) {
        memory->frees++;
        memory->users++;
    }
    pthread_mutex_unlock(&lock);
    return memory;
}

bool gcl_graph_memory_free(const void *address, gclError_t *error) {
    if (atomic_load(&memory_count) == 0)
        return false;
    pthread_mutex_lock(&lock);
    struct gcl_graph_memory *memory = find(address);
    if (memory)
        *error = memory->is_live ? gclSuccess : gclErrorInvalidValue;
    if (memory)
        set_live(memory, false);
    pthread_mutex_unlock(&lock);
    return memory != NULL;
}

void gcl_graph_memory_forsake(unsigned device) {
    pthread_mutex_lock(&lock);
    for (struct gcl_graph_memory *m = memories; m; m = m->next) {
        if (m->device == device) {
            set_live(m, false);
            m->is_forsaken = true;
        }
    }
    pthread_mutex_unlock(&lock);
}

/// The memory that a node allocates (or, with `frees`, frees); NULL: it does neither.
static struct gcl_graph_memory *memory_of(const struct gcl_graph_node *node, bool frees) {
    enum gclGraphNodeType type = frees ? gclGraphNodeTypeMemFree : gclGraphNodeTypeMemAlloc;
    return node->work.type == type ? node->work.memory : NULL;
}

gclError_t gcl_graph_memory_begin(const struct gcl_graph *graph) {
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], false);
        if (memory && memory->is_instantiated)
            error = gclErrorNotSupported;
    }
    for (size_t i = 0; !error && i < graph->nodes.count; i++) {
        struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], false);
        if (memory)
            memory->is_instantiated = true;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

void gcl_graph_memory_end(const struct gcl_graph *graph) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], false);
        if (memory)
            memory->is_instantiated = false;
    }
    pthread_mutex_unlock(&lock);
}

static gclError_t check_launch(const struct gcl_graph *graph, bool frees) {
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], false);
        if (memory && ((memory->is_live && !frees) || memory->is_forsaken))
            return gclErrorInvalidValue;
    }
    return gclSuccess;
}

gclError_t gcl_graph_memory_launch(const struct gcl_graph *graph, bool frees) {
    if (atomic_load(&memory_count) == 0)
        return gclSuccess;
    pthread_mutex_lock(&lock);
    gclError_t error = check_launch(graph, frees);
    for (size_t i = 0; !error && i < graph->nodes.count; i++) {
        struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], false);
        if (memory)
            set_live(memory, true);
    }
    for (size_t i = 0; !error && i < graph->nodes.count; i++) {
        struct gcl_graph_memory *memory = memory_of(graph->nodes.nodes[i], true);
        if (memory)
            set_live(memory, false);
    }
    pthread_mutex_unlock(&lock);
    return error;
}
