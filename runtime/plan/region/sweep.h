// Operations on two lists of boxes. Private to this room.
#ifndef GCL_PLAN_SWEEP_H
#define GCL_PLAN_SWEEP_H

#include "plan/region/append.h"

/// The bytes to keep of two sets.
enum gcl_sweep_keep {
    GCL_KEEP_A = 1, ///< those in the first alone
    GCL_KEEP_B = 2, ///< those in the second alone
    GCL_KEEP_BOTH = 4,
};

/// Finds what is to be kept of `a` and `b`, as a region. False, and nothing kept: the work, the
/// boxes or the memory are used up, or the work only asks and there is something.
bool gcl_sweep(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
               struct gcl_region *out, struct gcl_region_work *work);

#endif
