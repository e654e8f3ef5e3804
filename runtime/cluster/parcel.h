// Bytes that travel between two nodes that both know of it: each parcel has a sender and a receiver
// who name it by the same tag, and both know its size.
#ifndef GCL_CLUSTER_PARCEL_H
#define GCL_CLUSTER_PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/node.h"

struct gcl_parcel {
    gcl_node peer;
    bool is_sent; ///< to the peer; else it comes from there
    uint64_t tag; ///< one of its own for each parcel between two nodes in one direction
    void *bytes;
    size_t size; ///< not 0
};

/// What carries operations and parcels. Functions may be called on any thread but the carrier's.
struct gcl_courier {
    /// Node 0: hands bytes, which are copied, to all other nodes. Calls arrive in their order.
    void (*broadcast)(void *context, const void *bytes, size_t size);
    /// Sends and receives all parcels; returns when all of them are done. GCL_NODE_LOST if that
    /// can't happen any more.
    enum gcl_status (*exchange)(void *context, const struct gcl_parcel *parcels, size_t count);
    void *context;
};

#endif
