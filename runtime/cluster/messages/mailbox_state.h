// Inside a mailbox: what mailbox.c, batch.c (requests) and broadcast.c (operations) share.
#ifndef GCL_CLUSTER_MAILBOX_STATE_H
#define GCL_CLUSTER_MAILBOX_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cluster/messages/mailbox.h"
#include "cluster/messages/tree.h"

enum { GCL_MAILBOX_BUCKETS = 1024 };

/// What comes within that time is waited for awake, in nanoseconds. Meanwhile the core is anybody's
/// who wants it.
#define GCL_MAILBOX_WATCH_NS UINT64_C(20000)

/// A request that a batch waits for, or that has come before one does.
struct gcl_mailbox_item;

/// Requests of all batches. A node's tag is in one of the two tables at most: what both know of is
/// on its way to its place.
struct gcl_mailbox_requests {
    struct gcl_mailbox_item *expected[GCL_MAILBOX_BUCKETS], *arrived[GCL_MAILBOX_BUCKETS];
    bool has_failed;           ///< a node is lost: nothing is sent or expected any more
    struct gcl_batch *batches; ///< under way
};

/// Messages with operations, or single operations, in order.
struct gcl_mailbox_letters {
    struct gcl_mailbox_letter *first, *last;
};

/// Operations on their way from the parent to this node and to its children.
struct gcl_mailbox_operations {
    struct gcl_tree tree;
    struct gcl_mailbox_letters coming; ///< not all here yet, and what came behind
    bool is_torn;                      ///< a letter will never be here, or had no operations
    struct gcl_broadcast *leaving;
    struct gcl_broadcast *first_waiting, *last_waiting; ///< in order, until that one has left
    struct gcl_mailbox_letters ready;                   ///< under the lock: passed on, each alone
    bool is_closed;                                     ///< under the lock
    atomic_bool has_news; ///< some are ready, or it is closed: set and cleared under the lock
};

struct gcl_mailbox {
    struct gcl_transport *transport;
    gcl_node self, count;
    struct gcl_mailbox_calls calls;
    struct gcl_mailbox_requests requests;
    struct gcl_mailbox_operations operations;
    /// Of operations that are ready, and of batches' ends. Whoever is told of a change is told
    /// without the lock, for which it would have to wait.
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/// Tells the owner of the mailbox that `culprit` has sent what it shouldn't have, or, if that is
/// this node, can't do its part.
void gcl_mailbox_blame(const struct gcl_mailbox *mailbox, gcl_node culprit, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// batch.c: takes a request that another node has sent, and fails all that this node waits for.
void gcl_batch_take(struct gcl_mailbox *mailbox, gcl_node from, uint64_t tag,
                    struct gcl_incoming *payload);
void gcl_batch_fail_all(struct gcl_mailbox *mailbox);
/// Frees what came in vain and what was waited for.
void gcl_batch_free_all(struct gcl_mailbox *mailbox);

/// broadcast.c: takes operations that the parent has sent.
void gcl_broadcast_take(struct gcl_mailbox *mailbox, gcl_node from, struct gcl_incoming *payload);
/// Frees operations that weren't fetched or sent.
void gcl_broadcast_free_all(struct gcl_mailbox *mailbox);

#endif
