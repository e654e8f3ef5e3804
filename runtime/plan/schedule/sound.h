// The invariants of plans and schedules, for asserts.
#ifndef GCL_PLAN_SOUND_H
#define GCL_PLAN_SOUND_H

#include "plan/schedule/schedule.h"

/// Whether transfers lie within allocations, come from where their bytes are and bring each node
/// what it needs, combinations lie within allocations, and each byte is somewhere afterwards.
bool gcl_plan_is_sound(const struct gcl_plan *plan);
/// Whether nodes run each block of a launch once. The schedule's plan is looked at when it is
/// committed.
bool gcl_schedule_is_sound(const struct gcl_schedule *schedule,
                           const struct gcl_launch_part *launch);

#endif
