// An exchange of requests: neighbours read each other's memory, and the rest goes as messages
// (messages/freight.h). Both go on at the same time.
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "cluster/cluster_state.h"
#include "cluster/messages/batch.h"
#include "cluster/messages/freight.h"

enum { MOST_WORDS = 4096 }; ///< bytes

/// Whether requests are no more than words to other nodes, whose sender needn't wait.
static bool are_words(const struct gcl_request *requests, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].is_sent || requests[i].region)
            return false;
        size += requests[i].size;
    }
    return size <= MOST_WORDS;
}

static enum gcl_status send_words(struct gcl_cluster *c, const struct gcl_request *requests,
                                  size_t count) {
    struct gcl_batch *batch = gcl_batch_create_unattended(c->mailbox, requests, count);
    if (!batch)
        return GCL_NO_MEMORY;
    gcl_cluster_post(c, gcl_batch_start, batch);
    return GCL_OK;
}

/// Chooses the requests that don't go by neighbours; returns how many those are.
static size_t choose(const struct gcl_cluster *c, const struct gcl_request *requests, size_t count,
                     const struct gcl_request **chosen) {
    size_t chosen_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].region || !gcl_neighbours_has(c->neighbours, requests[i].peer))
            chosen[chosen_count++] = &requests[i];
    }
    return chosen_count;
}

/// Starts to send and receive messages. NULL: no memory.
static struct gcl_batch *start(struct gcl_cluster *c, const struct gcl_freight *freight) {
    struct gcl_batch *batch = gcl_batch_create(c->mailbox, freight->messages, freight->count);
    if (batch)
        gcl_cluster_post(c, gcl_batch_start, batch);
    return batch;
}

static enum gcl_status exchange(struct gcl_cluster *c, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count) {
    struct gcl_freight freight = {.count = 0};
    struct gcl_batch *batch = NULL;
    if (are_words(requests, count))
        return send_words(c, requests, count);
    const struct gcl_request **chosen = malloc((count + 1) * sizeof *chosen);
    size_t chosen_count = chosen ? choose(c, requests, count, chosen) : 0;
    assert(chosen_count <= count);
    enum gcl_status status =
        chosen && gcl_freight_init(&freight, chosen, chosen_count) ? GCL_OK : GCL_NO_MEMORY;
    if (status == GCL_OK && freight.count > 0) {
        batch = start(c, &freight);
        status = batch ? GCL_OK : GCL_NO_MEMORY;
    }
    if (status == GCL_OK && chosen_count < count)
        status = gcl_neighbours_exchange(c->neighbours, turn, requests, count);
    enum gcl_status sent = batch ? gcl_batch_wait(batch) : GCL_OK;
    if (batch && sent == GCL_OK)
        gcl_freight_unload(&freight);
    gcl_freight_finish(&freight);
    free(chosen);
    return status != GCL_OK ? status : sent;
}

/// False: this node leaves the job.
static bool enter(struct gcl_cluster *c) {
    pthread_mutex_lock(&c->lock);
    bool may_enter = !c->is_leaving;
    c->exchanges += may_enter;
    pthread_mutex_unlock(&c->lock);
    return may_enter;
}

static void leave(struct gcl_cluster *c) {
    pthread_mutex_lock(&c->lock);
    assert(c->exchanges > 0);
    c->exchanges--;
    pthread_cond_broadcast(&c->ended);
    pthread_mutex_unlock(&c->lock);
}

enum gcl_status gcl_exchange_run(void *cluster, struct gcl_turn turn,
                                 const struct gcl_request *requests, size_t count) {
    struct gcl_cluster *c = cluster;
    if (!enter(c))
        return GCL_NODE_LOST;
    enum gcl_status status = exchange(c, turn, requests, count);
    leave(c);
    return status;
}

enum gcl_status gcl_exchange_attempt(void *cluster, struct gcl_turn turn,
                                     const struct gcl_request *requests, size_t count) {
    struct gcl_cluster *c = cluster;
    for (size_t i = 0; i < count; i++) {
        if (!requests[i].region || !gcl_neighbours_has(c->neighbours, requests[i].peer))
            return GCL_NOT_READY; // by UCX somebody has to wait
    }
    if (!enter(c))
        return GCL_NODE_LOST;
    enum gcl_status status = gcl_neighbours_attempt(c->neighbours, turn, requests, count);
    leave(c);
    return status;
}

bool gcl_exchange_is_near(void *cluster, gcl_node node) {
    const struct gcl_cluster *c = cluster;
    return node != c->job.node && gcl_neighbours_reads(c->neighbours, node);
}

enum gcl_status gcl_exchange_read(void *cluster, const struct gcl_request *requests, size_t count) {
    struct gcl_cluster *c = cluster;
    enum gcl_status status = GCL_OK;
    if (!enter(c))
        return GCL_NODE_LOST;
    for (size_t i = 0; i < count && status == GCL_OK; i++)
        status = gcl_neighbours_read(c->neighbours, &requests[i]);
    leave(c);
    return status;
}

void gcl_exchange_expect(void *cluster, const struct gcl_request *request,
                         void (*came)(void *receiver, enum gcl_status status), void *receiver) {
    struct gcl_cluster *c = cluster;
    if (!enter(c)) {
        came(receiver, GCL_NODE_LOST);
        return;
    }
    struct gcl_batch *batch = gcl_batch_create(c->mailbox, request, 1);
    if (batch) {
        gcl_batch_tell(batch, came, receiver);
        gcl_cluster_post(c, gcl_batch_start, batch);
    } else {
        came(receiver, GCL_NO_MEMORY);
    }
    leave(c);
}

static void fail_all(void *cluster) {
    struct gcl_cluster *c = cluster;
    gcl_mailbox_fail(c->mailbox);
    gcl_neighbours_fail(c->neighbours);
}

bool gcl_exchange_end_all(struct gcl_cluster *c, unsigned seconds) {
    struct timespec end;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += seconds;
    if (c->has_thread)
        gcl_cluster_post(c, fail_all, c);
    pthread_mutex_lock(&c->lock);
    c->is_leaving = true;
    while (c->exchanges > 0 && error == 0)
        error = pthread_cond_timedwait(&c->ended, &c->lock, &end);
    bool are_over = c->exchanges == 0;
    pthread_mutex_unlock(&c->lock);
    return are_over;
}
