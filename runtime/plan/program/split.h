// How a launch is cut into ranges of blocks: along one axis of its grid.
#ifndef GCL_PLAN_SPLIT_H
#define GCL_PLAN_SPLIT_H

#include "plan/program/classes.h"

struct gcl_split {
    char axis;       ///< 'x', 'y' or 'z'; 0: it runs on one node
    uint16_t reason; ///< enum gcl_reason_code: why on one node, or OVERLAP: what is merged; or 0
    uint16_t access; ///< that this is about, GCL_NONE: the kernel
};

/// Whether anything counts blocks along an axis: 0, 1, 2.
bool gcl_split_counts(const struct gcl_program *program, unsigned axis);

/// The axis that a pragma names; else the slowest one along which no two ranges change the same
/// bytes; else, with the reason OVERLAP, the slowest one that counts. That is seen from the launch
/// in two halves: what ranges have to do in the end, their footprints tell (gcl_classes_find).
/// `launch` has all blocks. False: no memory.
GCL_MUST_USE bool gcl_split_choose(struct gcl_evaluator *evaluator,
                                   const struct gcl_launch_part *launch,
                                   const struct gcl_memory *memory, struct gcl_split *split);

/// Part `index` of `count` along an axis, as even as they can be; empty where there are more parts
/// than blocks.
struct gcl_launch_part gcl_split_part(const struct gcl_launch_part *launch, unsigned axis,
                                      uint32_t count, uint32_t index);
/// Part `index` of as many as there are weights, each in proportion to its weight; weights NULL:
/// even ones. Who would get less than half a block gets none, if others get more.
struct gcl_launch_part gcl_split_weighed(const struct gcl_launch_part *launch, unsigned axis,
                                         const uint32_t *weights, uint32_t count, uint32_t index);
/// Whether a part of a launch has no block.
bool gcl_split_is_empty(const struct gcl_launch_part *part);

#endif
