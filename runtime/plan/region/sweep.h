// Operations on two lists of boxes. Private to this room.
#ifndef GCL_PLAN_SWEEP_H
#define GCL_PLAN_SWEEP_H

#include "plan/region/append.h"
#include "plan/region/rows.h"

/// Finds what `keep`, bits of enum gcl_keep, says of `a` and `b`, as a region. False, and nothing
/// kept: the work, the boxes or the memory are used up, or the work only asks and there is
/// something.
bool gcl_sweep(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
               struct gcl_region *out, struct gcl_region_work *work);

#endif
