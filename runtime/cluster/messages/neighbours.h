// Nodes on one machine read regions of each other's device memory themselves: one copy by the
// kernel (process_vm_readv), as fast as memcpy, without messages. Each node has a board, memory
// that its neighbours map, on which it writes how far it is. A few KiB that one node has for
// another in an exchange are one message in memory that both map, and the sender goes on at once.
//
// Regions of many short runs are packed by their owner first, since each run costs the kernel more
// than it costs to copy it; and all regions are where one of both nodes can't reach its device
// memory.
#ifndef GCL_CLUSTER_NEIGHBOURS_H
#define GCL_CLUSTER_NEIGHBOURS_H

#include "cluster/communicator/communicator.h"
#include "cluster/wire/wire.h"

struct gcl_neighbours;

/// Makes this node's board and writes where it is into its card. NULL, after a message: no memory.
struct gcl_neighbours *gcl_neighbours_create(gcl_node self, gcl_node count,
                                             struct gcl_wire_card *card);
/// Takes NULL.
void gcl_neighbours_destroy(struct gcl_neighbours *neighbours);

/// Maps the boards of nodes that share memory with this one and tries to read theirs. Says why
/// where that can't be done: requests go by UCX then.
void gcl_neighbours_connect(struct gcl_neighbours *neighbours, const struct gcl_wire_card *cards);
/// When all have called gcl_neighbours_connect: settles with each whether both can read.
void gcl_neighbours_agree(struct gcl_neighbours *neighbours);
/// Whether requests with regions from and to a node go this way.
bool gcl_neighbours_has(const struct gcl_neighbours *neighbours, gcl_node node);
/// Whether this node reads that one's memory while it knows nothing of it (gcl_neighbours_read).
bool gcl_neighbours_reads(const struct gcl_neighbours *neighbours, gcl_node node);

/// Does its part of an exchange (communicator.h): the requests with regions from and to neighbours.
GCL_MUST_USE enum gcl_status gcl_neighbours_exchange(struct gcl_neighbours *neighbours,
                                                     struct gcl_turn turn,
                                                     const struct gcl_request *requests,
                                                     size_t count);
/// Does that part as far as it takes no waiting. GCL_NOT_READY: something is left, with which a
/// later call of this function, or of gcl_neighbours_exchange, with the same requests goes on.
GCL_MUST_USE enum gcl_status gcl_neighbours_attempt(struct gcl_neighbours *neighbours,
                                                    struct gcl_turn turn,
                                                    const struct gcl_request *requests,
                                                    size_t count);
/// Reads a region of a neighbour's memory to the request's bytes, whatever that one is doing.
/// GCL_NODE_LOST, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_neighbours_read(const struct gcl_neighbours *neighbours,
                                                 const struct gcl_request *request);
/// Shows who waits for a neighbour. Another thread than the one that waits.
void gcl_neighbours_look(struct gcl_neighbours *neighbours, gcl_wait_look *look, void *context);
/// A node is lost: whoever waits, or will wait, gets GCL_NODE_LOST. Any thread. Takes NULL.
void gcl_neighbours_fail(struct gcl_neighbours *neighbours);

#endif
