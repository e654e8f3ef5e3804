// What nodes lend each other of their memory while plans with faults are under way: a node asks for
// bytes that it touches, and the one that has them answers, whatever else it does. Near nodes read
// such bytes themselves (communicator.h).
//
// Each node hears of another one's wishes in their order. So a wish has two messages: the place,
// and its bytes.
#ifndef GCL_EXEC_LENDER_H
#define GCL_EXEC_LENDER_H

#include "cluster/communicator/communicator.h"
#include "plan/schedule/plan.h"

struct gcl_lender;

/// NULL: no memory.
struct gcl_lender *gcl_lender_create(gcl_node self, gcl_node count,
                                     const struct gcl_communicator *communicator);

// Any thread.

/// From here on nodes may ask for what they get by the plan's faults from this one, and this one
/// may ask them, until gcl_lender_end. GCL_NO_MEMORY, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_lender_begin(struct gcl_lender *lender, struct gcl_plan *plan);
void gcl_lender_end(struct gcl_lender *lender, struct gcl_plan *plan);
/// Asks a node for `size` bytes at an address, which come to `out`. Both have begun with a plan by
/// which this one may. Also in a handler of a signal that the thread's own instruction raised. As
/// gcl_communicator's exchange.
GCL_MUST_USE enum gcl_status gcl_lender_ask(struct gcl_lender *lender, gcl_node from,
                                            uint64_t address, uint64_t size, void *out);

#endif
