// Chunks of this node that lie in the memory of other nodes' hosts, and theirs that lie in this
// one's: for who has more to keep than its own tiers hold (exec/residency/store.h).
//
// A node asks another one for room, a grant of some chunks at a time, which it has until the job
// ends. It says itself what lies where in it; the other one only has the bytes. Nobody waits for
// anything else than memory while it answers, so that nodes may have grants of each other.
#ifndef GCL_EXEC_DEPOT_H
#define GCL_EXEC_DEPOT_H

#include "cluster/communicator/communicator.h"

struct gcl_depot;

enum { GCL_DEPOT_GRANT = 4, GCL_DEPOT_MOST = 64 }; ///< chunks: of a grant, and of one call

struct gcl_depot_options {
    gcl_node self, count;
    size_t chunk; ///< bytes of one
    struct gcl_communicator communicator;
    /// Gives room for GCL_DEPOT_GRANT chunks of another node, for good. False: there is none to
    /// spare. On a thread of the depot's, which waits for no other node meanwhile.
    bool (*spare)(void *context, unsigned char **chunks);
    void *context;
};

/// A chunk by its number among all that this node has been granted, from 0 on.
struct gcl_depot_transfer {
    void *bytes;
    uint64_t number;
    enum gcl_status status; ///< set by the call
};

/// From here on other nodes may ask this one. NULL: no memory.
struct gcl_depot *gcl_depot_create(const struct gcl_depot_options *options);
/// Asks others for a grant, one after the other. False: nobody has room to spare, or a node is
/// lost. One call at a time.
bool gcl_depot_grow(struct gcl_depot *depot);
/// Puts or gets at most GCL_DEPOT_MOST chunks. GCL_NODE_LOST. Any thread.
void gcl_depot_run(struct gcl_depot *depot, bool is_put, struct gcl_depot_transfer *transfers,
                   size_t count);

#endif
