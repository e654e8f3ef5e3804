// Private to region.c, sweep.c and pack.c: how lists of boxes become regions.
#ifndef GCL_PLAN_SWEEP_H
#define GCL_PLAN_SWEEP_H

#include "plan/region/region.h"

/// The bytes to keep of two sets.
enum gcl_sweep_keep {
    GCL_KEEP_A = 1, ///< those in the first alone
    GCL_KEEP_B = 2, ///< those in the second alone
    GCL_KEEP_BOTH = 4,
};

/// How much work is left, shared by all that belongs to one operation.
struct gcl_sweep_budget {
    int64_t steps;
    bool asks; ///< nothing is kept: the sweep ends where the first box would be
};

/// Appends a box that begins at or after the end of the last one, and simplifies. False: the
/// budget, the boxes or the memory are used up, or the budget only asks.
bool gcl_sweep_push(struct gcl_region *out, struct gcl_strided box,
                    struct gcl_sweep_budget *budget);
/// Appends what is to be kept of `a` and `b`, all of which begins at or after the end of `out`.
/// False as above.
bool gcl_sweep(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
               struct gcl_region *out, struct gcl_sweep_budget *budget);

#endif
