// Batches: requests that somebody waits for together.
#ifndef GCL_CLUSTER_BATCH_H
#define GCL_CLUSTER_BATCH_H

#include "cluster/messages/mailbox.h"

/// Several requests that somebody waits for.
struct gcl_batch;
/// Any thread. NULL: no memory.
struct gcl_batch *gcl_batch_create(struct gcl_mailbox *mailbox, const struct gcl_request *requests,
                                   size_t count);
/// The batch calls `ended` on the cluster's thread when all are done, instead of gcl_batch_wait;
/// the batch is free then. Before it is started.
void gcl_batch_tell(struct gcl_batch *batch, void (*ended)(void *receiver, enum gcl_status status),
                    void *receiver);
/// A batch of copies of requests that are all sent as bytes; nobody waits for its end.
struct gcl_batch *gcl_batch_create_unattended(struct gcl_mailbox *mailbox,
                                              const struct gcl_request *requests, size_t count);
/// Sends and receives the requests. `batch`: a struct gcl_batch.
void gcl_batch_start(void *batch);
/// Any other thread: waits until all of a batch that is going to be started are done; frees it.
enum gcl_status gcl_batch_wait(struct gcl_batch *batch);

#endif
