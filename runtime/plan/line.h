// Values of a loop that change by the same amount with each iteration, so that what they are in all
// of them follows from the first.
#ifndef GCL_PLAN_LINE_H
#define GCL_PLAN_LINE_H

#include "plan/scalar.h"

/// A node is value + iteration * step, cut to its width, in iterations 0 to `last`.
struct gcl_line {
    uint64_t step;
    uint64_t last;
};

/// What a node is that the loop doesn't change.
#define GCL_LINE_CONSTANT ((struct gcl_line){0, UINT64_MAX})

/// Arrays by node: what they are in iteration 0, and their lines.
struct gcl_lines {
    const struct gcl_program *program;
    const uint64_t *values;
    struct gcl_line *lines;
};

/// Finds the lines of `count` nodes, operands first, which are all that the loop changes; those of
/// the others must be GCL_LINE_CONSTANT. What isn't known to be a line is one up to iteration 0.
void gcl_lines_find(const struct gcl_lines *lines, const uint16_t *nodes, uint16_t count);

/// The iteration in which a condition, which holds as long as the loop goes on, doesn't hold for
/// the first time. False: that doesn't follow from the lines.
bool gcl_lines_end(const struct gcl_lines *lines, uint16_t condition, uint64_t *last);

/// The same of a condition that doesn't hold from then on, up to iteration `count`: something less
/// than a constant.
bool gcl_lines_less(const struct gcl_lines *lines, uint16_t condition, uint64_t count,
                    uint64_t *last);

/// The last iteration up to which the steps lead past no end of the numbers of a width, with a sign
/// or without.
uint64_t gcl_line_reach(uint64_t value, uint64_t step, unsigned width, bool has_sign);

#endif
