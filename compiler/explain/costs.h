// What a launch of a kernel would take on clusters of several sizes, before there is one.
#ifndef GCL_EXPLAIN_COSTS_H
#define GCL_EXPLAIN_COSTS_H

#include "explain.h"

/// Costs as JSON, a new reference:
///
///     {grid, block, alone_us, nodes: [{nodes, moves_us, total_us}]}
///
/// of a launch that is large enough for the largest of the clusters, in which programs go on
/// launching the same (spread.h): microseconds on one node of 16 threads, on clusters of 2, 8 and
/// 64 of them what moves between nodes takes, and all of it. `alone_us` and `total_us` are null
/// where data or arguments decide what a block takes. null where the launch isn't split.
json_t *gcl_costs(const struct gcl_explained_kernel *kernel);

#endif
