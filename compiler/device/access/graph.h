// A kernel's values while its access program is made: a graph of nodes as in gcluster/access.h, in
// which equal nodes are one. Nothing of LLVM here.
#ifndef GCL_DEVICE_ACCESS_GRAPH_H
#define GCL_DEVICE_ACCESS_GRAPH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gcluster/access.h"

/// No node.
#define GCL_NOTHING 0xffffffffu

/// What a phi in a loop's header has in the iteration at hand, while it isn't known yet what that
/// is. Never in a finished program.
enum { GCL_NODE_OPEN = 0xff };

/// `a`, `b` and `c` are nodes or, as in gcluster/access.h, byte, axis; for ITERATION a loop, for
/// LOAD a record of the kernel's accesses, for UNKNOWN a reason and a number of its own, for OPEN
/// its depth.
struct gcl_graph_node {
    uint8_t kind; ///< enum gcl_node_kind
    uint8_t width;
    uint32_t a, b, c;
    int64_t value;  ///< of a constant, sign-extended
    uint64_t loops; ///< in whose iterations it may differ: bit per loop
    bool doubtful;  ///< follows from UNKNOWN or LOAD
    uint64_t open;  ///< which OPEN nodes it follows from: bit per depth
};

struct gcl_graph {
    GArray *nodes; ///< struct gcl_graph_node
    GHashTable *index;
    uint32_t unknown_count;
};

void gcl_graph_init(struct gcl_graph *g);
void gcl_graph_finish(struct gcl_graph *g);

/// Borrowed until the next node is made.
const struct gcl_graph_node *gcl_graph_at(const struct gcl_graph *g, uint32_t node);
/// Whether `node` is a constant, and which.
bool gcl_graph_is_constant(const struct gcl_graph *g, uint32_t node, int64_t *value);

/// Finds what a sum adds up, or `node` itself if it is none. Returns how many terms there are; more
/// than `room`: some number of them, and they don't fit.
unsigned gcl_graph_terms(const struct gcl_graph *g, uint32_t node, uint32_t *terms, unsigned room);

uint32_t gcl_graph_constant(struct gcl_graph *g, unsigned width, int64_t value);
/// A node without operands: argument, index, iteration.
uint32_t gcl_graph_leaf(struct gcl_graph *g, enum gcl_node_kind kind, unsigned width, uint32_t a,
                        uint64_t loops);
/// What is read by a record, whose address is as changeable as that.
uint32_t gcl_graph_load(struct gcl_graph *g, unsigned width, uint32_t record, uint64_t loops,
                        uint64_t open);
/// Differs from all others: two values that aren't known aren't the same.
uint32_t gcl_graph_unknown(struct gcl_graph *g, unsigned width, uint32_t reason, uint64_t loops);
uint32_t gcl_graph_open(struct gcl_graph *g, unsigned width, unsigned depth, uint64_t loops);
/// An operation on two nodes of the same width.
uint32_t gcl_graph_binary(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a, uint32_t b);
uint32_t gcl_graph_cast(struct gcl_graph *g, enum gcl_node_kind kind, unsigned width, uint32_t a);
uint32_t gcl_graph_select(struct gcl_graph *g, uint32_t condition, uint32_t a, uint32_t b);
uint32_t gcl_graph_not(struct gcl_graph *g, uint32_t a);
uint32_t gcl_graph_negate(struct gcl_graph *g, uint32_t a);
/// `node`, sign-extended or cut off.
uint32_t gcl_graph_resize(struct gcl_graph *g, uint32_t node, unsigned width);
/// `node` with `from` replaced by `to`.
uint32_t gcl_graph_replace(struct gcl_graph *g, uint32_t node, uint32_t from, uint32_t to);

/// How many operands of a node of this kind are nodes.
unsigned gcl_graph_operands(enum gcl_node_kind kind);

#endif
