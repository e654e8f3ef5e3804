// Large requests in pieces. Between nodes of which one can't reach its device's memory, bytes go by
// way of a host: in pieces, one is on its way between the nodes while the next or the last one is
// between a device and its host.
//
// Both nodes cut a region at the same places, which depend on its bytes alone.
#ifndef GCL_CLUSTER_PIECES_H
#define GCL_CLUSTER_PIECES_H

#include "cluster/communicator/communicator.h"

enum { GCL_PIECE = 2 << 20 }; ///< bytes of a piece; of all but the last, unless there are too many

/// Requests, or pieces of them. Zeroed there are none, and they may be finished.
struct gcl_pieces {
    struct gcl_request *requests;
    struct gcl_region *regions; ///< of those that are pieces
    size_t count;
};

/// In how many pieces a request goes that has to: 1 if it is small, has no region or one of many
/// runs.
size_t gcl_pieces_of(const struct gcl_request *request);
/// Makes room for `count` requests or pieces. False: no memory.
GCL_MUST_USE bool gcl_pieces_init(struct gcl_pieces *pieces, size_t count);
/// Adds a request in 1 or gcl_pieces_of pieces, which last as long as it does. False: no memory.
GCL_MUST_USE bool gcl_pieces_add(struct gcl_pieces *pieces, const struct gcl_request *request,
                                 size_t count);
void gcl_pieces_finish(struct gcl_pieces *pieces);

#endif
