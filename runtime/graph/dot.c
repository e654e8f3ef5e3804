#include "graph/dot.h"

#include <inttypes.h>

enum { NAME_SIZE = 256 };

static const char *const titles[gclGraphNodeTypeCount] = {
    [gclGraphNodeTypeKernel] = "kernel",     [gclGraphNodeTypeMemcpy] = "copy",
    [gclGraphNodeTypeMemset] = "set",        [gclGraphNodeTypeHost] = "host function",
    [gclGraphNodeTypeGraph] = "graph",       [gclGraphNodeTypeEmpty] = "empty",
    [gclGraphNodeTypeWaitEvent] = "wait",    [gclGraphNodeTypeEventRecord] = "record",
    [gclGraphNodeTypeMemAlloc] = "allocate", [gclGraphNodeTypeMemFree] = "free",
};

static bool wants(unsigned flags, enum gclGraphDebugDotFlags flag) {
    return (flags & (unsigned)(flag | gclGraphDebugDotFlagsVerbose)) != 0;
}

static void print_kernel(const struct gcl_kernel_work *kernel, unsigned flags, gcl_dot_name *name,
                         FILE *out) {
    char text[NAME_SIZE];
    name(kernel->stub, text, sizeof text);
    fprintf(out, "\\n%s", text);
    if (wants(flags, gclGraphDebugDotFlagsKernelNodeParams))
        fprintf(out, "\\n<<<%u %u %u, %u %u %u, %u>>>", kernel->grid.x, kernel->grid.y,
                kernel->grid.z, kernel->block.x, kernel->block.y, kernel->block.z,
                kernel->shared_size);
    if (wants(flags, gclGraphDebugDotFlagsKernelNodeAttributes) && kernel->is_cooperative)
        fprintf(out, "\\ncooperative");
}

/// What a node's label says beside what kind of node it is.
static void print_work(const struct gcl_work_of_node *work, unsigned flags, gcl_dot_name *name,
                       FILE *out) {
    const struct gcl_box_copy *box = &work->copy.box;
    switch (work->type) {
    case gclGraphNodeTypeKernel:
        print_kernel(&work->kernel, flags, name, out);
        break;
    case gclGraphNodeTypeMemcpy:
        if (wants(flags, gclGraphDebugDotFlagsMemcpyNodeParams))
            fprintf(out, "\\n%p to %p\\n%zu x %zu x %zu bytes", (const void *)box->source,
                    (void *)box->target, box->width, box->height, box->depth);
        break;
    case gclGraphNodeTypeMemset:
        if (wants(flags, gclGraphDebugDotFlagsMemsetNodeParams))
            fprintf(out, "\\n%p to %#x\\n%zu x %zu elements of %u bytes", work->set.dst,
                    work->set.value, work->set.width, work->set.height, work->set.elementSize);
        break;
    case gclGraphNodeTypeHost:
        if (wants(flags, gclGraphDebugDotFlagsHostNodeParams))
            fprintf(out, "\\n%p(%p)", (void *)(uintptr_t)work->host.fn, work->host.userData);
        break;
    case gclGraphNodeTypeEventRecord:
    case gclGraphNodeTypeWaitEvent:
        if (wants(flags, gclGraphDebugDotFlagsEventNodeParams))
            fprintf(out, "\\n%p", (void *)work->event);
        break;
    default:
        break;
    }
}

static void print_nodes(const struct gcl_graph *graph, unsigned flags, gcl_dot_name *name,
                        FILE *out) {
    fprintf(out, "subgraph cluster_%" PRIu64 " {\nlabel=\"graph %" PRIu64 "\";\n", graph->id,
            graph->id);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_graph_node *node = graph->nodes.nodes[i];
        fprintf(out, "n%" PRIu64 " [label=\"%zu: %s", node->id, i, titles[node->work.type]);
        print_work(&node->work, flags, name, out);
        if (wants(flags, gclGraphDebugDotFlagsHandles))
            fprintf(out, "\\n%p", (const void *)node);
        if (node->work.type == gclGraphNodeTypeGraph)
            fprintf(out, " %" PRIu64, node->work.child->id);
        fprintf(out, "\"];\n");
    }
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_graph_node *node = graph->nodes.nodes[i];
        for (size_t a = 0; a < node->after.count; a++)
            fprintf(out, "n%" PRIu64 " -> n%" PRIu64 ";\n", node->id, node->after.nodes[a]->id);
    }
    fprintf(out, "}\n");
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct gcl_work_of_node *work = &graph->nodes.nodes[i]->work;
        if (work->type == gclGraphNodeTypeGraph)
            print_nodes(work->child, flags, name, out);
    }
}

void gcl_graph_print(const struct gcl_graph *graph, unsigned flags, gcl_dot_name *name, FILE *out) {
    fprintf(out, "digraph {\n");
    print_nodes(graph, flags, name, out);
    fprintf(out, "}\n");
}
