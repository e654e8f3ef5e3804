// The order in which a graph's nodes are done: a list of steps that keeps all edges, each in a
// lane. Steps of a lane run one after the other; lanes run beside each other, and steps wait for
// those of other lanes that aren't known to be done by what they wait for already.
#ifndef GCL_GRAPH_ORDER_H
#define GCL_GRAPH_ORDER_H

#include "graph/graph.h"

/// Lanes beyond one for each device.
enum { GCL_ORDER_LANES = 8 };

struct gcl_step {
    uint64_t id; ///< of the node, or of the one that it is a copy of; 0: it only keeps order
    struct gcl_work_of_node *work; ///< the node's
    uint32_t lane;
    bool is_awaited;     ///< steps of other lanes wait for it
    uint32_t first_wait; ///< in `waits`
    uint32_t wait_count;
};

struct gcl_order_lane {
    unsigned device;
    uint32_t step_count;
    uint32_t last; ///< its last step
    bool
        waits_first; ///< its first step waits for nothing: it waits for what comes before the graph
    bool is_open;    ///< no step of another lane is known to come after its last one
};

struct gcl_order {
    struct gcl_step *steps;
    uint32_t step_count;
    uint32_t *waits; ///< numbers of steps that steps wait for
    uint32_t wait_count;
    struct gcl_order_lane *lanes;
    uint32_t lane_count;
};

/// Orders nodes, those of graphs that belong to nodes in their place. ErrorInvalidValue: there is a
/// cycle, and `*culprit` is on it or behind it.
gclError_t gcl_order_init(struct gcl_order *order, const struct gcl_graph *graph,
                          struct gcl_graph_node **culprit);
void gcl_order_finish(struct gcl_order *order);

#endif
