// What a movement does to node 0's pages of guarded memory (plan/directory/pages.h): other threads
// of the program may use them meanwhile, and find bytes as they were before or after, never in
// between.
#ifndef GCL_EXEC_MOVEMENT_PAGES_H
#define GCL_EXEC_MOVEMENT_PAGES_H

#include "exec/memory/guard.h"
#include "plan/schedule/plan.h"

/// What comes for node 0's pages. Starts with the plan alone, of which transfers have been chosen.
struct gcl_movement_arrivals {
    const struct gcl_plan *plan;
    unsigned char **packed; ///< of each of node 0's transfers: where it goes, NULL: to its place
};
void gcl_movement_arrivals_finish(struct gcl_movement_arrivals *arrivals);

/// Whether there is anything to do, for a plan without transfers to or from node 0.
bool gcl_movement_pages_change(const struct gcl_plan *plan);
/// Before transfers: what is sent stays as it is from here on, unless kernels change it, and there
/// is room for what comes. GCL_NO_MEMORY, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_movement_pages_protect(struct gcl_memory_guard *guard,
                                                        struct gcl_movement_arrivals *arrivals);
/// After transfers: afterwards pages are as node 0's kernels need them, and as the host may see
/// them.
GCL_MUST_USE enum gcl_status
gcl_movement_pages_arrive(struct gcl_memory_guard *guard,
                          const struct gcl_movement_arrivals *arrivals);

#endif
