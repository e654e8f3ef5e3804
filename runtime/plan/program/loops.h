// Which iterations of a program's loops run, over one piece.
#ifndef GCL_PLAN_LOOPS_H
#define GCL_PLAN_LOOPS_H

#include "plan/program/value.h"
#include "plan/program/varying.h"

struct gcl_loops {
    struct gcl_values *values;
    struct gcl_varying *varying; ///< of the values' program
};

/// Whether the condition held in all iterations before `count`, more than 0, of a loop with that
/// binding. GCL_PARTLY, if it wants cuts of anything but the iteration.
enum gcl_verdict gcl_loops_held_before(const struct gcl_loops *loops, struct gcl_binding *binding,
                                       int64_t count, uint16_t node);
/// Whether the condition held in the iteration before the binding's, above 0. GCL_OPEN: it may
/// have. Sets the values' `why`.
enum gcl_verdict gcl_loops_continue(const struct gcl_loops *loops, struct gcl_binding *binding,
                                    uint16_t node);

#endif
