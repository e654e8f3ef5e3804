// Pages of other nodes that come to this one as its blocks touch them: a plan's faults (plan.h).
//
// While operations are planned, in their order, a task is made for each plan that has to do with
// such pages; the plan's movement carries it out before the blocks. Pages that have come stay for
// the next launches, until a plan changes them or gets them for good.
#ifndef GCL_EXEC_REMOTE_H
#define GCL_EXEC_REMOTE_H

#include "cluster/communicator/communicator.h"
#include "plan/schedule/plan.h"

struct gcl_remote;
struct gcl_remote_task;

/// NULL: no memory.
struct gcl_remote *gcl_remote_create(gcl_node self, gcl_node count,
                                     const struct gcl_communicator *communicator);

// While operations are planned, one at a time.

/// What a plan that has been committed does to such pages on this node; `*task` is NULL if nothing.
/// False: no memory.
GCL_MUST_USE bool gcl_remote_plan(struct gcl_remote *remote, const struct gcl_plan *plan,
                                  struct gcl_remote_task **task);
/// The directory has lost the allocation that begins there.
void gcl_remote_forget(struct gcl_remote *remote, uint64_t begin);

// Any thread.

/// Before the plan's blocks: pages become absent that they may touch, and ordinary that they, or
/// transfers, change. GCL_SYSTEM, after a message.
GCL_MUST_USE enum gcl_status gcl_remote_begin(struct gcl_remote *remote,
                                              const struct gcl_remote_task *task);
/// After the blocks: the bytes that came as they were touched.
uint64_t gcl_remote_end(const struct gcl_remote_task *task);
/// Between the two other nodes may get what they touch by the plan's faults from this one.
GCL_MUST_USE enum gcl_status gcl_remote_lend(struct gcl_remote *remote, struct gcl_plan *plan);
void gcl_remote_end_loan(struct gcl_remote *remote, struct gcl_plan *plan);
void gcl_remote_task_destroy(struct gcl_remote *remote, struct gcl_remote_task *task);
/// Nobody uses the allocation that began there any more: its pages are ordinary ones.
void gcl_remote_close(struct gcl_remote *remote, uint64_t begin);

#endif
