// Operations and parcels on their way: what was sent before its receiver asks for it is kept, and
// what is asked for before it comes is received straight into its place.
//
// Whoever sends has proven to be of the job, and may be broken all the same: a parcel is taken only
// if it has the size that its receiver expects, operations only from this node's parent in the
// tree.
//
// Functions belong to the cluster's thread, unless they say otherwise.
#ifndef GCL_CLUSTER_MAILBOX_H
#define GCL_CLUSTER_MAILBOX_H

#include "cluster/parcel.h"
#include "cluster/transport.h"

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

/// Takes a PARCEL, or an OPERATION, which is passed on to this node's children.
void gcl_mailbox_take(struct gcl_mailbox *mailbox, const struct gcl_wire_message *message,
                      struct gcl_incoming *payload);
/// A node is lost: whoever waits, or will wait, gets GCL_NODE_LOST.
void gcl_mailbox_fail(struct gcl_mailbox *mailbox);

/// Several parcels that somebody waits for.
struct gcl_batch;
/// Any thread. NULL: no memory.
struct gcl_batch *gcl_batch_create(struct gcl_mailbox *mailbox, const struct gcl_parcel *parcels,
                                   size_t count);
/// Has `ended` called on the cluster's thread when all are done, instead of gcl_batch_wait; the
/// batch is free then. Before it is started.
void gcl_batch_tell(struct gcl_batch *batch, void (*ended)(void *receiver, enum gcl_status status),
                    void *receiver);
/// The same of copies of parcels that are all sent as bytes; nobody waits for it.
struct gcl_batch *gcl_batch_create_unattended(struct gcl_mailbox *mailbox,
                                              const struct gcl_parcel *parcels, size_t count);
/// Sends and receives the parcels. `batch`: a struct gcl_batch.
void gcl_batch_start(void *batch);
/// Any other thread: waits until all of a batch that is going to be started are done; frees it.
enum gcl_status gcl_batch_wait(struct gcl_batch *batch);

/// Shows each batch under way, with one of its parcels that aren't done.
void gcl_mailbox_look(struct gcl_mailbox *mailbox, gcl_wait_look *look, void *context);

/// An operation for this node's children in the tree (tree.h).
struct gcl_broadcast;
/// Any thread. Copies the bytes. NULL: no memory.
struct gcl_broadcast *gcl_broadcast_create(struct gcl_mailbox *mailbox, const void *bytes,
                                           size_t size);
/// Sends it, and frees it afterwards. `broadcast`: a struct gcl_broadcast.
void gcl_broadcast_start(void *broadcast);

/// Any thread: waits for the next operation, in the order in which they were sent. The bytes are to
/// be freed; NULL after gcl_mailbox_close.
void *gcl_mailbox_next(struct gcl_mailbox *mailbox, size_t *size);
/// Any thread: no operation follows.
void gcl_mailbox_close(struct gcl_mailbox *mailbox);

#endif
