// Values of a loop that change by the same amount with each iteration, so that what they are in all
// of them follows from the first.
#ifndef GCL_PLAN_PROGRESSION_H
#define GCL_PLAN_PROGRESSION_H

#include "plan/region/scalar.h"

/// A node is value + iteration * step, cut to its width, in iterations 0 to `last`.
struct gcl_progression {
    uint64_t step;
    uint64_t last;
};

/// What a node is that the loop doesn't change.
#define GCL_PROGRESSION_CONSTANT ((struct gcl_progression){0, UINT64_MAX})

/// Arrays by node: what they are in iteration 0, and their progressions.
struct gcl_progressions {
    const struct gcl_program *program;
    const uint64_t *values;
    struct gcl_progression *list;
};

/// Finds the progressions of `count` nodes, operands first, which are all that the loop changes;
/// those of the others must be GCL_PROGRESSION_CONSTANT. What isn't known to be a progression is
/// one up to iteration 0.
void gcl_progressions_find(const struct gcl_progressions *progressions, const uint16_t *nodes,
                           uint16_t count);

/// The iteration in which a condition, which holds as long as the loop goes on, doesn't hold for
/// the first time. False: that doesn't follow from the progressions.
bool gcl_progressions_end(const struct gcl_progressions *progressions, uint16_t condition,
                          uint64_t *last);

/// The iteration from which on a condition, something less than a constant, doesn't hold any more,
/// up to iteration `count`. False: that doesn't follow from the progressions.
bool gcl_progressions_less(const struct gcl_progressions *progressions, uint16_t condition,
                           uint64_t count, uint64_t *last);

/// The last iteration up to which the steps lead past no end of the numbers of a width, with a sign
/// or without.
uint64_t gcl_progression_reach(uint64_t value, uint64_t step, unsigned width, bool has_sign);

#endif
