// At the end of a job: what other nodes did comes to node 0.
#ifndef GCL_EXEC_REPORT_H
#define GCL_EXEC_REPORT_H

#include "cluster/communicator/communicator.h"

struct gcl_clocks;
struct gcl_stats;
struct gcl_trace;

/// What a node has to report, and the way there.
struct gcl_report {
    struct gcl_stats *stats; ///< NULL: isn't counted
    struct gcl_trace *trace; ///< NULL: isn't traced
    const struct gcl_communicator *communicator;
    uint64_t sequence; ///< number of the operation that asks for it
};

/// On other nodes than 0: answers node 0 with this node's report. False: node 0 is lost.
bool gcl_report_send(const struct gcl_report *report);
/// On node 0: takes the answer of a node, whose clock is compared in `clocks`. False, after a
/// message unless the node is lost: the answer isn't there.
bool gcl_report_receive(const struct gcl_report *report, gcl_node node,
                        const struct gcl_clocks *clocks);

#endif
