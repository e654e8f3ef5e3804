// Copies within device memory.
#ifndef GCL_EXEC_SPREAD_MOVE_H
#define GCL_EXEC_SPREAD_MOVE_H

#include "exec/spread/core.h"

/// Submits this node's share of an ACCESS that copies within device memory. False: it isn't one, or
/// can't be shared out.
bool gcl_spread_move(struct gcl_spread *spread, struct gcl_stream *stream,
                     const struct gcl_operation *o, struct gcl_fence *fence);

#endif
