// An exchange of requests: neighbours read each other's memory, and the rest goes by UCX, in which
// regions of several runs travel packed. Both go on at the same time.
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "cluster/cluster_state.h"
#include "cluster/messages/batch.h"

enum { MOST_WORDS = 4096 }; ///< bytes

/// Requests that go by UCX, as bytes.
struct freight {
    struct gcl_request *requests;
    const struct gcl_request **origins; ///< of each: what it was made of
    size_t count;
};

/// Whether its bytes aren't one after the other where they come from or go to, or the host can't
/// reach them there.
static bool is_packed(const struct gcl_request *request) {
    bool is_in_place = request->region && (request->is_sent || !request->bytes);
    return is_in_place && (request->packer->is_apart || gcl_region_run_count(request->region) > 1);
}

/// Adds a request. False: no memory.
static bool load(struct freight *freight, const struct gcl_request *origin) {
    assert(!is_packed(origin) || origin->packer);
    struct gcl_request *request = &freight->requests[freight->count];
    *request = *origin;
    if (is_packed(origin))
        request->bytes = malloc(origin->size);
    else if (origin->region && !origin->bytes)
        request->bytes = origin->place + gcl_region_bounds(origin->region).begin;
    if (!request->bytes)
        return false;
    if (is_packed(origin) && origin->is_sent)
        origin->packer->pack(origin->packer, origin->region, origin->place, request->bytes);
    freight->origins[freight->count++] = origin;
    return true;
}

static void unload(struct freight *freight, bool is_here) {
    for (size_t i = 0; i < freight->count; i++) {
        const struct gcl_request *origin = freight->origins[i];
        if (!is_packed(origin))
            continue;
        if (is_here && !origin->is_sent)
            origin->packer->unpack(origin->packer, origin->region, freight->requests[i].bytes,
                                   origin->place);
        free(freight->requests[i].bytes);
    }
    free(freight->requests);
    free(freight->origins);
}

static bool load_all(const struct gcl_cluster *c, struct freight *freight,
                     const struct gcl_request *requests, size_t count) {
    freight->requests = malloc(count * sizeof *freight->requests);
    freight->origins = malloc(count * sizeof *freight->origins);
    bool ok = freight->requests && freight->origins;
    for (size_t i = 0; i < count && ok; i++) {
        if (!requests[i].region || !gcl_neighbours_has(c->neighbours, requests[i].peer))
            ok = load(freight, &requests[i]);
    }
    return ok;
}

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

static enum gcl_status exchange(struct gcl_cluster *c, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count) {
    struct freight freight = {.count = 0};
    struct gcl_batch *batch = NULL;
    if (are_words(requests, count))
        return send_words(c, requests, count);
    enum gcl_status status = load_all(c, &freight, requests, count) ? GCL_OK : GCL_NO_MEMORY;
    assert(freight.count <= count);
    bool has_neighbours = freight.count < count;
    if (status == GCL_OK && freight.count > 0) {
        batch = gcl_batch_create(c->mailbox, freight.requests, freight.count);
        if (batch)
            gcl_cluster_post(c, gcl_batch_start, batch);
        else
            status = GCL_NO_MEMORY;
    }
    if (status == GCL_OK && has_neighbours)
        status = gcl_neighbours_exchange(c->neighbours, turn, requests, count);
    enum gcl_status sent = batch ? gcl_batch_wait(batch) : GCL_OK;
    unload(&freight, sent == GCL_OK);
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
