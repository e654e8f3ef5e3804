// How blocks are divided among nodes that aren't equally fast (plan/schedule/balance.h): what
// blocks take is measured on each node, and now and then, before a launch, all nodes tell each
// other.
#ifndef GCL_EXEC_SPREAD_BALANCE_H
#define GCL_EXEC_SPREAD_BALANCE_H

#include "exec/spread/core.h"

struct gcl_schedule_memo;

/// Where nodes are alike, or each is a device, there is nothing to balance. False: no memory.
bool gcl_spread_create_balance(struct gcl_spread *spread);
/// Before a launch is planned: gives its schedules the nodes' parts, after nodes have told each
/// other what blocks take if it is time for that and they may wait.
void gcl_spread_rebalance(struct gcl_spread *spread, struct gcl_schedule_memo *schedules,
                          bool may_wait);
/// Weights of nodes' parts, until they change; NULL: they are even.
const uint32_t *gcl_spread_weights(const struct gcl_spread *spread);
/// Counts a launch that is cut. Returns whether it is to be measured.
bool gcl_spread_note_cut(struct gcl_spread *spread);

#endif
