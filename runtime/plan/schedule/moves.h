// Why bytes move between nodes: each byte of a plan's transfers and combinations has one cause.
//
// A node's own part of an allocation is what it needs and no other node does. Bytes of it that lie
// elsewhere are redistributed: the operation is cut in another way than the one before. What others
// need as well is a halo where that is less than the own part, and replicated where it isn't.
// Bytes of an allocation that several nodes change travel because of that, before and after it.
#ifndef GCL_PLAN_MOVES_H
#define GCL_PLAN_MOVES_H

#include "plan/region/region.h"

/// GCL_MOVE_CAUSES(X): X(NAME, name for people)
#define GCL_MOVE_CAUSES(X)                                                                         \
    X(HALO, halo)                 /* others need it too, and it is less than the own part */       \
    X(REPLICATE, replicate)       /* others need it too */                                         \
    X(REDISTRIBUTE, redistribute) /* the node's own part, which was elsewhere */                   \
    X(MERGE, merge)               /* blocks of several nodes may write the same bytes */           \
    X(REDUCE, reduce)             /* blocks of several nodes add to the same bytes */              \
    X(INSPECT, inspect)           /* a node looks it up to plan the launch */                      \
    X(TOUCH, touch)               /* blocks touch pages that the node lacks, after the start */    \
    X(HOST, host)                 /* node 0 copies it, or the program looks at it */

enum gcl_move_cause {
#define GCL_MOVE_CAUSE(name, text) GCL_MOVE_##name,
    GCL_MOVE_CAUSES(GCL_MOVE_CAUSE)
#undef GCL_MOVE_CAUSE
        GCL_MOVE_CAUSE_COUNT
};

/// Bytes that move from one node to another.
struct gcl_moves {
    uint64_t bytes[GCL_MOVE_CAUSE_COUNT]; ///< by enum gcl_move_cause
};

struct gcl_plan;

/// Adds what one allocation of a plan moves before the operation, where `needed` says for each of
/// `count` nodes what it needs of it. Where regions are too complicated to tell the own part, none
/// is taken to be. False: no memory.
GCL_MUST_USE bool gcl_moves_add_needed(struct gcl_moves *moves, const struct gcl_plan *plan,
                                       uint32_t allocation, const struct gcl_region *needed,
                                       uint32_t count);
/// Adds what the plan's combinations of one allocation move, before and after the operation.
void gcl_moves_add_combined(struct gcl_moves *moves, const struct gcl_plan *plan,
                            uint32_t allocation, uint32_t count);
/// Adds to links[from * count + to] what the plan moves from one of `count` nodes to another.
void gcl_moves_add_links(const struct gcl_plan *plan, uint32_t count, uint64_t *links);
void gcl_moves_add(struct gcl_moves *sum, const struct gcl_moves *moves);
/// Bytes that move for all causes together.
uint64_t gcl_moves_total(const struct gcl_moves *moves);
/// The cause for people: "halo".
const char *gcl_moves_name(enum gcl_move_cause cause);

#endif
