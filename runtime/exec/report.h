// At the end of a job: what other nodes did comes to node 0.
#ifndef GCL_EXEC_REPORT_H
#define GCL_EXEC_REPORT_H

#include "cluster/parcel.h"

struct gcl_stats;

/// Other nodes: answers the operation of that number. False, after a message: no memory, or node 0
/// is lost.
bool gcl_report_send(struct gcl_stats *stats, uint64_t sequence, const struct gcl_courier *courier);
/// Node 0: takes the answer of a node. False: no memory, or a node is lost.
bool gcl_report_receive(struct gcl_stats *stats, gcl_node node, uint64_t sequence,
                        const struct gcl_courier *courier);

#endif
