// What a graph becomes when it is instantiated: a copy of it, in order, with the streams and
// moments that a launch needs, made once. A launch gives each step to the stream of its lane, by
// the same functions that the program's own calls go through; the first lane is the stream that the
// graph is launched into.
#ifndef GCL_API_GRAPH_EXECUTION_H
#define GCL_API_GRAPH_EXECUTION_H

#include "exec/engine/engine.h"
#include "graph/order.h"

struct gcl_runtime;

/// Where a node's step is.
struct gcl_execution_place {
    uint64_t id;
    uint32_t step;
};

struct gcl_execution {
    struct gcl_graph *graph; ///< a copy
    struct gcl_order order;
    struct gcl_execution_place *places; ///< by id
    uint32_t place_count;
    bool *is_disabled;           ///< of each step
    struct gcl_event **moments;  ///< of each step that streams wait for; NULL: nobody does
    struct gcl_stream **streams; ///< of each lane
    struct gcl_event **starts;   ///< of each device that has steps: when a launch begins
    unsigned device_count;
    struct gcl_stream *last_stream; ///< of the latest launch
    struct gcl_fence last;          ///< and its end
    unsigned long long flags;
};

/// The step of a node of the graph that it was made of; NULL: there is none.
struct gcl_step *gcl_execution_step(const struct gcl_execution *execution,
                                    const struct gcl_graph_node *node);

#endif
