// Transfers between two nodes that both know of them. As in MPI, a request is one half of a
// transfer, a send or a receive; sender and receiver name it by the same tag, and know its size.
#ifndef GCL_CLUSTER_COMMUNICATOR_H
#define GCL_CLUSTER_COMMUNICATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"
#include "cluster/communicator/track.h"
#include "plan/region/region.h"

/// How the bytes of a region in device memory come one after the other, and back to their places.
/// Offset 0 is at `place`. Any thread may call.
struct gcl_packer {
    void (*pack)(const struct gcl_packer *packer, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed);
    void (*unpack)(const struct gcl_packer *packer, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place);
    bool is_apart;                     ///< nobody reaches the memory in another way
    const struct gcl_lending *lending; ///< NULL: no other process can map the memory
};

/// Device memory that another process of this host can map.
struct gcl_loan {
    uint64_t begin;     ///< its address, on all nodes
    uint64_t number;    ///< of what is there: what is there later has another one
    int64_t descriptor; ///< of it, in the process that owns it
};

enum {
    GCL_LOANS_MOST = 128,  ///< with one region, so that few descriptors are open at once
    GCL_LENDING_MOST = 16, ///< neighbours
};

/// How nodes of one host map each other's device memory. A neighbour is another node of the host,
/// by a number below GCL_LENDING_MOST that this node has given it. Any thread may call; nobody
/// changes what is at the region's addresses meanwhile.
struct gcl_lending {
    /// The owner's: whether a neighbour has been lent all memory that a region lies in. If not,
    /// `loans` has room for GCL_LOANS_MOST pieces of what it lacks; NULL: they aren't wanted.
    bool (*offer)(unsigned neighbour, const struct gcl_region *region, const unsigned char *place,
                  struct gcl_loan *loans, size_t *count);
    /// Ends an offer, after which its descriptors are closed. `is_taken`: the neighbour has mapped
    /// all of it, for as long as that memory is where it is.
    void (*end_offer)(unsigned neighbour, const struct gcl_loan *loans, size_t count,
                      bool is_taken);
    /// The neighbour's: maps what a node lends. `descriptor` is a copy of the owner's, and stays
    /// the caller's. False, after a message: it can't.
    bool (*borrow)(unsigned neighbour, const struct gcl_loan *loan, int descriptor);
    /// Copies a region, all of which a node has lent, from that node's memory to the same addresses
    /// of this one's; or to `packed`, if that isn't NULL.
    void (*copy)(unsigned neighbour, const struct gcl_region *region, unsigned char *place,
                 unsigned char *packed);
};

/// Either `size` bytes, or a region of device memory, which has the same addresses on both nodes.
struct gcl_request {
    gcl_node peer;
    bool is_sent; ///< to the peer; else it comes from there
    uint64_t tag; ///< one of its own for each request between two nodes in one direction
    void *bytes;  ///< of a region that is received: it ends up here, packed; NULL: in its place
    size_t size;  ///< not 0
    const struct gcl_region *region; ///< of `size` bytes; NULL: `bytes` are meant
    unsigned char *place;            ///< where the region's offset 0 is
    const struct gcl_packer *packer; ///< of the memory that the region is in
    const char *what; ///< that needs it, for messages: a kernel's name, "a copy"; stays. NULL: it
                      ///< comes at any time or never, and nobody waits
};

/// Somebody who waits: for a request, or for its receiver to have it.
struct gcl_wait {
    const struct gcl_request *request;
    size_t others;     ///< requests of the same exchange that aren't there either
    uint64_t since_ns; ///< when it began
    bool *is_told;     ///< the looker's, about this wait; false at first
};
/// Is shown one who waits; changes nothing but `is_told`.
typedef void gcl_wait_look(void *context, const struct gcl_wait *wait);

/// What carries operations and requests. Functions may be called on any thread but the cluster's.
struct gcl_communicator {
    /// Node 0: hands bytes, which are copied, to all other nodes. Calls arrive in their order.
    void (*broadcast)(void *context, const void *bytes, size_t size);
    /// Sends and receives all requests; returns when all of them are done, or, if it is a few bytes
    /// that are sent, when those are on their way. GCL_NODE_LOST if that can't happen any more.
    /// Calls with regions take turns, one after the other on each track; without, `turn` doesn't
    /// matter.
    enum gcl_status (*exchange)(void *context, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count);
    /// Does what `exchange` does with regions, as far as it takes no waiting. GCL_NOT_READY:
    /// something is left, with which a later call of either with the same requests goes on.
    enum gcl_status (*attempt)(void *context, struct gcl_turn turn,
                               const struct gcl_request *requests, size_t count);
    /// Whether this node reads another one's device memory by itself, where that one has nothing
    /// to do for it.
    bool (*is_near)(void *context, gcl_node node);
    /// Receives requests of regions from near nodes, to `bytes`, while those know nothing of it:
    /// the bytes are as their memory happens to be. GCL_NODE_LOST, GCL_SYSTEM.
    enum gcl_status (*read)(void *context, const struct gcl_request *requests, size_t count);
    /// Ends the job because this node can't do its part and others would wait for it, with a
    /// message that names the node and says why: "it has no memory for …". At most 255 bytes.
    void (*give_up)(void *context, const char *reason);
    /// Receives one request of bytes without waiting: `came` is called on any thread, which it may
    /// not keep waiting, when it is there, or can't come any more. It stays valid until then.
    void (*expect)(void *context, const struct gcl_request *request,
                   void (*came)(void *receiver, enum gcl_status status), void *receiver);
    void *context;
};

#endif
