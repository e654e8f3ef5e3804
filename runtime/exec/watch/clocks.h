// What another node's clock shows. Clocks of two machines begin at different moments and run at
// slightly different rates, so they are compared twice.
#ifndef GCL_EXEC_CLOCKS_H
#define GCL_EXEC_CLOCKS_H

#include "cluster/cluster.h"

/// Comparisons at the begin and at the end of a job; `round_trip_ns` 0: none.
struct gcl_clocks {
    struct gcl_cluster_clock first, last;
};

/// The moment of this node's clock at which the other one shows `their_ns`. On a line through both
/// comparisons; by the one there is; without any, the clocks are taken to be one.
uint64_t gcl_clocks_here(const struct gcl_clocks *clocks, uint64_t their_ns);

#endif
