// Operations on sets of few runs, as most are that operations on halos and arrays of one dimension
// meet: merging two short lists takes a tenth of what a sweep does. Private to this room.
#ifndef GCL_PLAN_RUNS_H
#define GCL_PLAN_RUNS_H

#include "plan/region/region.h"

enum { GCL_RUNS_MOST = 16 }; ///< of one set

/// Runs in ascending order, none of which touches the next.
struct gcl_runs {
    struct gcl_span list[2 * GCL_RUNS_MOST];
    size_t count;
};

/// Lists the runs of a region. False: there are too many, or they are told by boxes of many.
bool gcl_runs_of(const struct gcl_region *region, struct gcl_runs *runs);
/// Finds what `keep`, bits of enum gcl_keep, says of two sets that gcl_runs_of has listed.
void gcl_runs_keep(const struct gcl_runs *a, const struct gcl_runs *b, unsigned keep,
                   struct gcl_runs *kept);

#endif
