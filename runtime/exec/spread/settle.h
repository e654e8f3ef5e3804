// Settling: knowing that all nodes are done with what they were told: node 0 asks, the others
// answer.
#ifndef GCL_EXEC_SPREAD_SETTLE_H
#define GCL_EXEC_SPREAD_SETTLE_H

#include "exec/spread/core.h"

/// What a node says when it is done with all that it was asked about.
struct gcl_spread_word {
    uint64_t at_ns; ///< when that was, by its clock
    int64_t status; ///< enum gcl_status
};
/// Other nodes: answers, once this one is done with it. False: no memory.
bool gcl_spread_apply_settle(struct gcl_spread *spread, const struct gcl_operation *o);

#endif
