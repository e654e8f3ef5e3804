// Memory that the host uses, on node 0.
#ifndef GCL_EXEC_SPREAD_HOME_H
#define GCL_EXEC_SPREAD_HOME_H

#include "exec/memory/guard.h"
#include "exec/spread/core.h"

/// Adds to a plan that a node gets bytes of an allocation; `is_owned`: and alone has them. False:
/// that can't be said in few enough parts, or there is no memory.
bool gcl_spread_demand(struct gcl_spread *spread, struct gcl_plan *plan,
                       const struct gcl_directory_entry *entry, gcl_node node,
                       struct gcl_region needed, bool is_owned);
/// Adds to a plan that a node gets all of an allocation; `is_owned`: and alone has it. False: no
/// memory.
bool gcl_spread_demand_all(struct gcl_spread *spread, struct gcl_plan *plan,
                           const struct gcl_directory_entry *entry, gcl_node node, bool is_owned);
/// Brings home what has to be there of a plan's allocations when it has been carried out on a
/// track; `fence` becomes that of its commands, if there are any. False: no memory.
bool gcl_spread_bring_home(struct gcl_spread *spread, struct gcl_stream *stream,
                           const struct gcl_plan *plan, enum gcl_track track,
                           struct gcl_fence *fence);
/// False: no memory.
bool gcl_spread_create_home(struct gcl_spread *spread);
/// Node 0: the guard of managed memory; NULL: none is guarded.
struct gcl_memory_guard *gcl_spread_guard_of(const struct gcl_spread *spread);
/// Node 0: guards managed memory if the system allows it, before there is any.
void gcl_spread_guard(struct gcl_spread *spread);
/// Node 0: brings all memory home.
void gcl_spread_fetch_home(struct gcl_spread *spread, struct gcl_stream *stream);
/// Node 0: brings all guarded memory home, before something that can't wait for its bytes.
void gcl_spread_bring_all_home(struct gcl_spread *spread, struct gcl_stream *stream);

#endif
