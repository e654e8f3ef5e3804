// Foresight: a forecast (plan/schedule/forecast.h) that is fed with what the program does, command
// by command, while node 0 does all of it alone.
#ifndef GCL_EXEC_FORECAST_FORESIGHT_H
#define GCL_EXEC_FORECAST_FORESIGHT_H

#include "exec/engine/engine.h"
#include "plan/schedule/forecast.h"

struct gcl_foresight;
/// `looks_up`: what kernels' accesses depend on is read in memory, where all that was submitted
/// before has to be done. NULL: no memory.
struct gcl_foresight *gcl_foresight_create(const struct gcl_forecast_cluster *cluster,
                                           bool looks_up);
void gcl_foresight_destroy(struct gcl_foresight *foresight);

// False: no memory, or what the program does can't be said; the forecast is worth nothing then.

GCL_MUST_USE bool gcl_foresight_allocate(struct gcl_foresight *foresight, uint64_t begin,
                                         uint64_t size, enum gcl_host_use use);
void gcl_foresight_free(struct gcl_foresight *foresight, uint64_t begin);
/// Whether an address is in an allocation.
bool gcl_foresight_holds(const struct gcl_foresight *foresight, const void *address);
/// From here on planning a launch takes at most so many steps (gcl_scheduler_limit).
void gcl_foresight_limit(struct gcl_foresight *foresight, uint32_t steps);
/// As gcl_forecast_touch.
void gcl_foresight_touch(struct gcl_foresight *foresight, uint32_t touched);
/// Plans a command that node 0 is going to do.
GCL_MUST_USE bool gcl_foresight_command(struct gcl_foresight *foresight,
                                        const struct gcl_command *command);
/// Whether something was looked up in memory to plan the latest command.
bool gcl_foresight_has_looked(const struct gcl_foresight *foresight);

/// What the launches of a kernel take; NULL: it hasn't been launched.
const struct gcl_forecast_kernel *gcl_foresight_kernel(const struct gcl_foresight *foresight,
                                                       const struct gcl_kernel *kernel);
struct gcl_forecast_moves gcl_foresight_moves(const struct gcl_foresight *foresight);
/// As gcl_forecast_set_link.
void gcl_foresight_set_link(struct gcl_foresight *foresight, const struct gcl_forecast_link *link);
/// As gcl_forecast_away.
uint64_t gcl_foresight_away(const struct gcl_foresight *foresight);

#endif
