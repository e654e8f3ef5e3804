// Memory that nodes of graphs allocate. Its address is known when the node is made and the same in
// every launch, so it is allocated then, and freed with the last node that has to do with it. For
// the program it is allocated from the launch of the node that allocates it to that of one that
// frees it, or until it frees it itself: meanwhile it is `live`.
//
// What is live when its last node goes is the program's like any other memory. Functions may be
// called from any thread.
#ifndef GCL_GRAPH_MEMORY_H
#define GCL_GRAPH_MEMORY_H

#include <stdbool.h>

#include "gcluster.h"

struct gcl_graph;

enum gcl_graph_memory_change {
    GCL_GRAPH_MEMORY_LIVE, ///< it has become live
    GCL_GRAPH_MEMORY_DEAD, ///< and isn't any longer
    GCL_GRAPH_MEMORY_GONE, ///< no node has to do with it: it is to be freed
    GCL_GRAPH_MEMORY_LEFT, ///< likewise, but it is the program's now
};

struct gcl_graph_memory {
    void *address;
    unsigned device;
    struct gclMemAllocNodeParams asked;
    /// Whoever made it is told, under the lock.
    void (*change)(struct gcl_graph_memory *memory, enum gcl_graph_memory_change change);

    // For memory.c, under its lock.
    unsigned users; ///< nodes, of graphs and of what is launched of them
    bool is_live;
    unsigned frees;       ///< nodes among them that free it
    bool is_instantiated; ///< something that can be launched allocates it
    bool is_forsaken;     ///< its device was reset: it is free
    struct gcl_graph_memory *next;
};

/// Memory of the heap with an address, which the caller's node uses.
void gcl_graph_memory_add(struct gcl_graph_memory *memory);
/// Another node uses it, and `frees` it or allocates it.
void gcl_graph_memory_use(struct gcl_graph_memory *memory, bool frees);
/// With its last user it goes.
void gcl_graph_memory_leave(struct gcl_graph_memory *memory, bool frees);
/// The memory that begins at an address, used by the caller's node, which frees it. NULL: there is
/// none, or another node frees it.
struct gcl_graph_memory *gcl_graph_memory_take(const void *address);

/// The program frees memory. False: it isn't that of a graph; `*error`: it isn't live.
bool gcl_graph_memory_free(const void *address, gclError_t *error);
/// All memory of a device is free.
void gcl_graph_memory_forsake(unsigned device);

/// A graph is instantiated. ErrorNotSupported if it allocates and is so already.
gclError_t gcl_graph_memory_begin(const struct gcl_graph *graph);
/// And isn't any longer.
void gcl_graph_memory_end(const struct gcl_graph *graph);
/// A graph is launched. ErrorInvalidValue if what it allocates is live; with `frees` it is freed
/// before.
gclError_t gcl_graph_memory_launch(const struct gcl_graph *graph, bool frees);

#endif
