// What a node of a graph does, as data: everything that is needed to do it again, owned by whoever
// has the work. Handles of streams have no place here: where work goes is decided when it is done.
#ifndef GCL_GRAPH_WORK_H
#define GCL_GRAPH_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/device/device.h"
#include "gcluster.h"

struct gcl_graph;
struct gcl_graph_memory;

/// A launch, with values of its arguments.
struct gcl_kernel_work {
    const void *stub; ///< the kernel's, on the host
    dim3 grid, block;
    uint32_t shared_size; ///< bytes, dynamic
    bool is_cooperative;
    int priority;
    struct gclAccessPolicyWindow window;
    const char *file; ///< where in the source it is launched; NULL: unknown. Stays
    uint32_t line;
    uint32_t argument_count;
    size_t size;      ///< of `arguments`, with the values behind the addresses
    void **arguments; ///< address of each value; NULL: there are none
};

struct gcl_copy_work {
    struct gcl_box_copy box; ///< `source` NULL: a set
    enum gclMemcpyKind kind;
    bool is_array_target, is_array_source;
    struct gclMemcpy3DParms asked; ///< what the program says of it
};

struct gcl_work_of_node {
    enum gclGraphNodeType type;
    unsigned device; ///< on which it is done
    union {
        struct gcl_kernel_work kernel;
        struct gcl_copy_work copy;
        struct gclMemsetParams set;
        struct gclHostNodeParams host;
        gclEvent_t event;
        struct gcl_graph *child;         ///< a graph of its own
        struct gcl_graph_memory *memory; ///< allocated, or freed
    };
};

/// Gives a launch its arguments: copies `sizes[i]` bytes from each `values[i]`. False: no memory.
bool gcl_kernel_work_fill(struct gcl_kernel_work *kernel, void *const *values,
                          const uint32_t *sizes, uint32_t count);
/// Copies work with all that it owns. False: no memory, `to` owns nothing.
bool gcl_work_of_node_copy(struct gcl_work_of_node *to, const struct gcl_work_of_node *from);
/// Frees what it owns.
void gcl_work_of_node_finish(struct gcl_work_of_node *work);

#endif
