// Broadcasts: operations for this node's children in the tree, which pass them on to theirs.
#ifndef GCL_CLUSTER_BROADCAST_H
#define GCL_CLUSTER_BROADCAST_H

#include "cluster/messages/mailbox.h"

/// An operation on its way to this node's children in the tree (tree.h).
struct gcl_broadcast;
/// Any thread. Copies the bytes. NULL: no memory.
struct gcl_broadcast *gcl_broadcast_create(struct gcl_mailbox *mailbox, const void *bytes,
                                           size_t size);
/// Sends the broadcast, and frees it afterwards. `broadcast`: a struct gcl_broadcast.
void gcl_broadcast_start(void *broadcast);

#endif
