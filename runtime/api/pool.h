// Memory that is allocated in stream order: what graphs have of it.
#ifndef GCL_API_POOL_H
#define GCL_API_POOL_H

#include "gcluster.h"

struct gcl_graph_memory;
struct gcl_runtime;

/// Memory for a node that allocates, which uses it.
gclError_t gcl_pool_allocate_for_graph(struct gcl_runtime *runtime,
                                       const struct gclMemAllocNodeParams *asked,
                                       struct gcl_graph_memory **memory);

#endif
