// Graphs: nodes and the order between them. Pure: whoever makes a graph says what nodes do
// (work.h), whoever launches it does that. Not for several threads at once, as in CUDA.
//
// order.h puts nodes in an order that keeps all edges, capture.h makes graphs of what streams are
// given, dot.h prints them.
#ifndef GCL_GRAPH_GRAPH_H
#define GCL_GRAPH_GRAPH_H

#include "graph/work.h"

struct gcl_graph_node;
struct gcl_graph_use;

struct gcl_node_list {
    struct gcl_graph_node **nodes;
    size_t count, capacity;
};

struct gcl_graph_node {
    struct gcl_graph *graph;
    uint64_t id;       ///< in the process; grows
    uint64_t original; ///< of the node that this one is a copy of; 0: of none
    struct gcl_work_of_node work;
    struct gcl_node_list before, after;
    size_t index; ///< of use while nodes are put in order
};

struct gcl_graph {
    struct gcl_node_list nodes; ///< as they were added
    uint64_t id;
    bool is_child;              ///< it belongs to a node
    unsigned executions;        ///< made of it and still there
    struct gcl_graph_use *uses; ///< objects of the program's (user_object.h)
};

/// False: no memory.
bool gcl_node_list_add(struct gcl_node_list *list, struct gcl_graph_node *node);
/// Adds a node unless it is there.
bool gcl_node_list_join(struct gcl_node_list *list, struct gcl_graph_node *node);
bool gcl_node_list_has(const struct gcl_node_list *list, const struct gcl_graph_node *node);
void gcl_node_list_finish(struct gcl_node_list *list);

/// NULL: no memory.
struct gcl_graph *gcl_graph_create(void);
/// Frees a graph with its nodes; NULL is allowed.
void gcl_graph_destroy(struct gcl_graph *graph);
/// A graph with the same nodes in the same order. NULL: no memory.
struct gcl_graph *gcl_graph_clone(const struct gcl_graph *graph);

/// Whether dependencies are nodes of the graph, each once.
bool gcl_graph_has_all(const struct gcl_graph *graph, struct gcl_graph_node *const *nodes,
                       size_t count);
/// Adds a node, which takes what the work owns, and comes after `before`. NULL: no memory; the work
/// is the caller's still.
struct gcl_graph_node *gcl_graph_add(struct gcl_graph *graph, const struct gcl_work_of_node *work,
                                     struct gcl_graph_node *const *before, size_t count);
/// Takes a node out of its graph, with its edges.
void gcl_graph_remove(struct gcl_graph_node *node);
/// An edge. ErrorInvalidValue if it is there already or leads to the node itself.
gclError_t gcl_graph_link(struct gcl_graph_node *before, struct gcl_graph_node *after);
/// ErrorInvalidValue if there is no such edge.
gclError_t gcl_graph_unlink(struct gcl_graph_node *before, struct gcl_graph_node *after);
/// The node of a copied graph that is a copy of a node. NULL: there is none.
struct gcl_graph_node *gcl_graph_copy_of(const struct gcl_graph *graph,
                                         const struct gcl_graph_node *node);
/// Whether it has a node that allocates or frees, in it or in graphs of its nodes.
bool gcl_graph_has_memory(const struct gcl_graph *graph);

#endif
