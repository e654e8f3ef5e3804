#include "graph/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "graph/memory.h"

enum { ALIGNMENT = 16 };

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool gcl_kernel_work_fill(struct gcl_kernel_work *kernel, void *const *values,
                          const uint32_t *sizes, uint32_t count) {
    size_t size = aligned(count * sizeof(void *));
    for (uint32_t i = 0; i < count; i++)
        size += aligned(sizes[i]);
    if (count == 0)
        return true;
    void **arguments = malloc(size);
    if (!arguments)
        return false;
    unsigned char *to = (unsigned char *)arguments + aligned(count * sizeof(void *));
    for (uint32_t i = 0; i < count; to += aligned(sizes[i]), i++)
        arguments[i] = memcpy(to, values[i], sizes[i]);
    kernel->arguments = arguments;
    kernel->argument_count = count;
    kernel->size = size;
    return true;
}

/// Addresses of the values lead into the copy.
static bool copy_arguments(struct gcl_kernel_work *to, const struct gcl_kernel_work *from) {
    if (!from->arguments)
        return true;
    to->arguments = malloc(from->size);
    if (!to->arguments)
        return false;
    memcpy(to->arguments, from->arguments, from->size);
    for (uint32_t i = 0; i < to->argument_count; i++)
        to->arguments[i] = (unsigned char *)to->arguments +
                           ((unsigned char *)from->arguments[i] - (unsigned char *)from->arguments);
    return true;
}

bool gcl_work_of_node_copy(struct gcl_work_of_node *to, const struct gcl_work_of_node *from) {
    *to = *from;
    switch (from->type) {
    case gclGraphNodeTypeKernel:
        return copy_arguments(&to->kernel, &from->kernel);
    case gclGraphNodeTypeGraph:
        to->child = gcl_graph_clone(from->child);
        if (to->child)
            to->child->is_child = true;
        return to->child != NULL;
    case gclGraphNodeTypeMemAlloc:
    case gclGraphNodeTypeMemFree:
        gcl_graph_memory_use(to->memory, from->type == gclGraphNodeTypeMemFree);
        return true;
    default:
        return true;
    }
}

void gcl_work_of_node_finish(struct gcl_work_of_node *work) {
    switch (work->type) {
    case gclGraphNodeTypeKernel:
        free(work->kernel.arguments);
        break;
    case gclGraphNodeTypeGraph:
        gcl_graph_destroy(work->child);
        break;
    case gclGraphNodeTypeMemAlloc:
    case gclGraphNodeTypeMemFree:
        gcl_graph_memory_leave(work->memory, work->type == gclGraphNodeTypeMemFree);
        break;
    default:
        break;
    }
}
