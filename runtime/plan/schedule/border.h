// The border of a node's part of a launch: the blocks, at the ends of the part, that read what
// comes from other nodes or write over it, or write what others get. All others, the inner ones,
// may run while that moves; and what moves for a later launch may do so while they still run, if
// they touch none of it.
//
// That doesn't depend on when nodes run their blocks, so each node decides by itself what it takes
// apart; plans, and what nodes send each other, are the same.
#ifndef GCL_PLAN_BORDER_H
#define GCL_PLAN_BORDER_H

#include "plan/program/footprint.h"
#include "plan/schedule/plan.h"

/// What is found once may be held for several launches; one thread does at a time.
struct gcl_border {
    uint32_t begin, end;            ///< blocks of the inner part along the axis of the launch
    struct gcl_footprint footprint; ///< what they touch
    unsigned holders;
};

/// Finds the border of `part`, the blocks of `node` of a launch that is cut along `axis` (0, 1, 2)
/// and has `plan`. NULL: too few blocks are inner ones, or that can't be told; or no memory.
struct gcl_border *gcl_border_create(struct gcl_evaluator *evaluator,
                                     const struct gcl_launch_part *part,
                                     const struct gcl_memory *memory, unsigned axis,
                                     const struct gcl_plan *plan, uint32_t node);
struct gcl_border *gcl_border_hold(struct gcl_border *border);
/// Takes NULL.
void gcl_border_release(struct gcl_border *border);
/// Bytes that it takes; of NULL, 0.
size_t gcl_border_memory(const struct gcl_border *border);

/// Whether the inner blocks have nothing to do with what moves from and to their node before the
/// operation of a plan: they neither change what is sent nor touch what comes.
bool gcl_border_is_apart(const struct gcl_border *border, const struct gcl_plan *plan,
                         uint32_t node);

#endif
