// Plans in the log.
#ifndef GCL_EXEC_SPREAD_PLAN_LOG_H
#define GCL_EXEC_SPREAD_PLAN_LOG_H

#include "exec/spread/core.h"
#include "plan/schedule/schedule.h"

/// Node 0: traces a plan that is going to be carried out, a line a command.
void gcl_spread_log_plan(const struct gcl_spread *spread, const struct gcl_plan *plan);
/// Like gcl_spread_log_plan, with the blocks of the launch that nodes run.
void gcl_spread_log_schedule(const struct gcl_spread *spread, const struct gcl_schedule *schedule,
                             const struct gcl_kernel *kernel);

#endif
