// A dry run: one process plans for many nodes, as node 0 of a job does, and nothing runs
// (exec/device/dry.h). Operations for the other nodes are dropped.
//
// So what a job of a thousand nodes costs node 0, and what each node would have to do, can be seen
// on any machine.
#ifndef GCL_EXEC_FORECAST_DRY_H
#define GCL_EXEC_FORECAST_DRY_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/communicator/communicator.h"
#include "exec/watch/listener.h"

struct gcl_dry;
struct gcl_space;

/// For so many nodes. Says on standard error that nothing is going to run. NULL: no memory.
struct gcl_dry *gcl_dry_create(gcl_node count);
/// A communicator whose bytes arrive nowhere, and to whom others answer with zeros; what it is to
/// broadcast is counted.
struct gcl_communicator gcl_dry_communicator(struct gcl_dry *dry);

/// Has it told what to count, of allocations in `space`.
struct gcl_listener gcl_dry_listener(struct gcl_dry *dry, struct gcl_space *space);

/// Writes what was counted; `memory` is what directory and plans take, in bytes.
void gcl_dry_report(struct gcl_dry *dry, size_t memory, FILE *out);

#endif
