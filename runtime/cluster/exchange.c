// An exchange of requests: neighbours read each other's memory, and the rest goes as messages
// (messages/freight.h), large ones that are copied to and from devices in pieces
// (messages/pieces.h). All goes on at the same time.
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "cluster/cluster_state.h"
#include "cluster/messages/batch.h"
#include "cluster/messages/freight.h"
#include "cluster/messages/pieces.h"

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

/// In how many messages a request goes at most; 0: by neighbours.
static size_t piece_count(const struct gcl_cluster *c, const struct gcl_request *request) {
    if (request->region && gcl_neighbours_has(c->neighbours, request->peer))
        return 0;
    bool is_packed = c->cards[c->job.node].is_packed || c->cards[request->peer].is_packed;
    return is_packed ? gcl_pieces_of(request) : 1;
}

static bool has_neighbours(const struct gcl_cluster *c, const struct gcl_request *requests,
                           size_t count) {
    size_t i = 0;
    while (i < count && piece_count(c, &requests[i]) > 0)
        i++;
    return i < count;
}

/// Takes the requests that don't go by neighbours. False: no memory.
static bool choose(const struct gcl_cluster *c, const struct gcl_request *requests, size_t count,
                   struct gcl_pieces *chosen) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += piece_count(c, &requests[i]);
    bool ok = gcl_pieces_init(chosen, all);
    for (size_t i = 0; i < count && ok; i++) {
        size_t pieces = piece_count(c, &requests[i]);
        ok = pieces == 0 || gcl_pieces_add(chosen, &requests[i], pieces);
    }
    return ok;
}

/// What goes as messages.
struct shipment {
    struct gcl_pieces pieces;
    const struct gcl_request **requests; ///< each of the pieces
    struct gcl_freight freight;
    struct group *groups;
    size_t count; ///< groups
};

/// Messages [begin, end) that are waited for together: few, or one that is large.
struct group {
    size_t begin, end;
    struct gcl_batch *batch; ///< NULL: it isn't on its way
};

static bool shipment_init(struct shipment *s) {
    const struct gcl_pieces *p = &s->pieces;
    s->requests = malloc((p->count + 1) * sizeof *s->requests);
    for (size_t i = 0; s->requests && i < p->count; i++)
        s->requests[i] = &p->requests[i];
    if (!s->requests || !gcl_freight_init(&s->freight, s->requests, p->count))
        return false;
    s->groups = calloc(s->freight.count + 1, sizeof *s->groups);
    for (size_t begin = 0, end; s->groups && begin < s->freight.count; begin = end) {
        size_t size = s->freight.messages[begin].size;
        for (end = begin + 1; end < s->freight.count; end++) {
            size += s->freight.messages[end].size;
            if (size > GCL_PIECE)
                break;
        }
        s->groups[s->count++] = (struct group){.begin = begin, .end = end};
    }
    return s->groups != NULL;
}

static void shipment_finish(struct shipment *s) {
    free(s->groups);
    gcl_freight_finish(&s->freight);
    free(s->requests);
    gcl_pieces_finish(&s->pieces);
}

/// Starts to receive and to send, from the last group to the first, so that what comes is expected
/// first of all, and what goes is under way while what goes next is packed.
static enum gcl_status start(struct gcl_cluster *c, struct shipment *s) {
    for (size_t i = s->count; i-- > 0;) {
        struct group *g = &s->groups[i];
        gcl_freight_load(&s->freight, g->begin, g->end);
        g->batch = gcl_batch_create(c->mailbox, &s->freight.messages[g->begin], g->end - g->begin);
        if (!g->batch)
            return GCL_NO_MEMORY;
        gcl_cluster_post(c, gcl_batch_start, g->batch);
    }
    return GCL_OK;
}

/// Waits for all that has been started, in the same order, and puts it where it is wanted.
static enum gcl_status finish(struct shipment *s, enum gcl_status status) {
    for (size_t i = s->count; i-- > 0;) {
        struct group *g = &s->groups[i];
        enum gcl_status sent = g->batch ? gcl_batch_wait(g->batch) : GCL_OK;
        if (status == GCL_OK && sent == GCL_OK)
            gcl_freight_unload(&s->freight, g->begin, g->end);
        status = status == GCL_OK ? sent : status;
    }
    return status;
}

static enum gcl_status exchange(struct gcl_cluster *c, struct gcl_turn turn,
                                const struct gcl_request *requests, size_t count) {
    struct shipment s = {.count = 0};
    if (are_words(requests, count))
        return send_words(c, requests, count);
    bool ok = choose(c, requests, count, &s.pieces) && shipment_init(&s);
    enum gcl_status status = ok ? start(c, &s) : GCL_NO_MEMORY;
    if (status == GCL_OK && has_neighbours(c, requests, count))
        status = gcl_neighbours_exchange(c->neighbours, turn, requests, count);
    status = finish(&s, status);
    shipment_finish(&s);
    return status;
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
