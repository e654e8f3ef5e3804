// Operations and requests on their way: what was sent before its receiver asks for it is kept, and
// what is asked for before it comes is received straight into its place.
//
// Whoever sends has proven to be of the job, and may be broken all the same: a request is taken
// only if it has the size that its receiver expects, operations only from this node's parent in the
// tree.
//
// Requests are made as batches (batch.h), operations as broadcasts (broadcast.h).
//
// Functions belong to the cluster's thread, unless they say otherwise.
#ifndef GCL_CLUSTER_MAILBOX_H
#define GCL_CLUSTER_MAILBOX_H

#include "cluster/communicator/communicator.h"
#include "cluster/transport/transport.h"

struct gcl_mailbox;

/// Whom a mailbox tells of what ends the job.
struct gcl_mailbox_calls {
    /// A node has sent what it shouldn't have, or, if it is this one, can't do its part. `reason`
    /// goes on after "it ": "sent node 1 8 bytes …". May be called in a transport's callback, once
    /// or more often; whoever waits ends with a failure by itself.
    void (*blame)(void *context, gcl_node culprit, const char *reason);
    void *context;
};

/// NULL: no memory. The transport belongs to the caller; the calls are copied.
struct gcl_mailbox *gcl_mailbox_create(struct gcl_transport *transport, gcl_node self,
                                       gcl_node count, const struct gcl_mailbox_calls *calls);
/// Takes NULL.
void gcl_mailbox_destroy(struct gcl_mailbox *mailbox);

/// Takes DATA, or an OPERATION, which is passed on to this node's children.
void gcl_mailbox_take(struct gcl_mailbox *mailbox, const struct gcl_wire_message *message,
                      struct gcl_incoming *payload);
/// A node is lost: whoever waits, or will wait, gets GCL_NODE_LOST.
void gcl_mailbox_fail(struct gcl_mailbox *mailbox);

/// Shows each batch under way, with one of its requests that aren't done.
void gcl_mailbox_look(struct gcl_mailbox *mailbox, gcl_wait_look *look, void *context);

/// Any thread: waits for the next operation, in the order in which they were sent. The bytes are to
/// be freed; NULL after gcl_mailbox_close.
void *gcl_mailbox_next(struct gcl_mailbox *mailbox, size_t *size);
/// Any thread: no operation follows.
void gcl_mailbox_close(struct gcl_mailbox *mailbox);

#endif
