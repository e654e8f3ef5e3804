// Verification: a launch is run on one node, too, and results are compared.
#ifndef GCL_EXEC_SPREAD_VERIFY_H
#define GCL_EXEC_SPREAD_VERIFY_H

#include "exec/spread/core.h"
#include "plan/schedule/schedule.h"

struct gcl_verification;

/// Has launches compared. False: no memory.
bool gcl_verify_create(struct gcl_spread *spread);
/// Before a launch with this schedule; with `verification` not NULL, gcl_verify_end follows it, and
/// what is between them has numbers of operations of its own. False: no memory.
bool gcl_verify_begin(struct gcl_spread *spread, struct gcl_stream *stream,
                      const struct gcl_run *run, const struct gcl_schedule *schedule,
                      struct gcl_verification **verification);
/// `fence` becomes that of the comparison.
bool gcl_verify_end(struct gcl_verification *verification, struct gcl_stream *stream,
                    struct gcl_fence *fence);

#endif
