// A dry run: one process plans for many nodes, as node 0 of a job does, and nothing runs.
// Operations for the other nodes are dropped, kernels do nothing, and device memory reads as zeros.
//
// So what a job of a thousand nodes costs node 0, and what each node would have to do, can be seen
// on any machine.
#ifndef GCL_EXEC_DRY_H
#define GCL_EXEC_DRY_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/parcel.h"
#include "exec/command.h"
#include "plan/schedule.h"

struct gcl_dry;

/// For so many nodes. Says on standard error that nothing is going to run. NULL: no memory.
struct gcl_dry *gcl_dry_create(gcl_node count);
/// A courier whose bytes arrive nowhere, and to whom others answer with zeros; what it is to
/// broadcast is counted.
struct gcl_courier gcl_dry_courier(struct gcl_dry *dry);

// Called by one thread at a time.

/// Node 0 begins to handle what the program submits, while so many bytes are allocated.
void gcl_dry_begin(struct gcl_dry *dry, size_t allocated);
void gcl_dry_end(struct gcl_dry *dry, bool is_launch);
/// Counts what nodes would do for a plan, and the parts of a launch that they would run.
void gcl_dry_plan(struct gcl_dry *dry, const struct gcl_plan *plan);
void gcl_dry_launch(struct gcl_dry *dry, const struct gcl_schedule *schedule);
/// Makes a command one that reads and changes no device memory. False: nothing is left of it.
bool gcl_dry_empty(struct gcl_command *command, bool targets_device);

/// Writes what was counted; `memory` is what directory and plans take, in bytes.
void gcl_dry_report(struct gcl_dry *dry, size_t memory, FILE *out);

#endif
