// Private to plan.c, fetch.c and demand.c: how plans are put together.
#ifndef GCL_PLAN_PLAN_PARTS_H
#define GCL_PLAN_PLAN_PARTS_H

#include "plan/schedule/plan.h"

/// Adds an allocation, nothing of which happens yet; NULL: no memory.
struct gcl_plan_allocation *gcl_plan_add_allocation(struct gcl_plan *plan,
                                                    const struct gcl_directory_entry *entry);
/// Moves the bytes of a transfer into the plan. False: no memory; nothing is moved then.
GCL_MUST_USE bool gcl_plan_add_transfer(struct gcl_plan *plan, const struct gcl_transfer *transfer);
/// As gcl_plan_add_transfer, to the plan's faults, of one receiver.
GCL_MUST_USE bool gcl_plan_add_fault(struct gcl_plan *plan, const struct gcl_transfer *fault);
/// Moves a combination into the plan. False: no memory; nothing is moved then.
GCL_MUST_USE bool gcl_plan_add_combination(struct gcl_plan *plan,
                                           struct gcl_combination *combination);
void gcl_combination_finish(struct gcl_combination *combination, uint32_t node_count);

/// `count` empty regions; NULL: no memory.
struct gcl_region *gcl_regions_create(uint32_t count);
void gcl_regions_destroy(struct gcl_region *regions, uint32_t count);

/// Adds the transfers by which each node gets the bytes that it lacks of an allocation of the plan.
/// False: that takes too many parts, or there is no memory.
GCL_MUST_USE bool gcl_plan_fetch(struct gcl_plan *plan,
                                 const struct gcl_plan_allocation *allocation,
                                 const struct gcl_region *lacked);
/// Adds the faults by which each node gets its bytes of an allocation of the plan, which it lacks
/// and others have. False as gcl_plan_fetch.
GCL_MUST_USE bool gcl_plan_fetch_touched(struct gcl_plan *plan,
                                         struct gcl_plan_allocation *allocation,
                                         const struct gcl_region *faulted);

#endif
