// Doing what nodes do.
#ifndef GCL_API_GRAPH_AGAIN_H
#define GCL_API_GRAPH_AGAIN_H

#include "exec/engine/engine.h"
#include "graph/work.h"

struct gcl_runtime;

/// Gives a stream what a node does.
gclError_t gcl_work_of_node_do(struct gcl_runtime *runtime, struct gcl_stream *stream,
                               const struct gcl_work_of_node *work);
/// Checks where a set writes. ErrorInvalidValue: not all of it is memory of the device.
gclError_t gcl_set_check(struct gcl_runtime *runtime, const struct gclMemsetParams *set);

#endif
