// A node says in a wish what it wants of another one; bytes follow the wish, or come back. The node
// that has wishes numbers them. As in lender.c their numbers are tags, a thread of its own answers,
// one wish after the other, and the next one is expected when one has been answered.
#include "exec/exchange/depot.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec/exchange/movement.h"

enum kind { GRANT, PUT, GET, KINDS };

struct wish {
    uint32_t kind;
    uint32_t grant; ///< number of a grant among those of the node that is asked
    uint32_t index; ///< of a chunk in it
    uint32_t zero;  ///< what would else be sent uninitialised
};

/// A grant of another node's: which, and its number there.
struct granted {
    gcl_node node;
    uint32_t grant;
};

/// A node that this one has room of, or may have.
struct guest {
    struct gcl_depot *depot;
    gcl_node node;
    uint64_t wishes; ///< that it has had
    struct wish wish;
    struct gcl_request request; ///< for the next wish
    enum gcl_status status;     ///< with which that came
    struct guest *next;         ///< whose wish has come
};

/// Room of this node's that another one has.
struct given {
    gcl_node node;
    unsigned char *chunks[GCL_DEPOT_GRANT];
};

struct gcl_depot {
    struct gcl_depot_options options;
    atomic_uint_fast64_t *asked; ///< wishes of this node, by the node that was asked

    // What others have given.
    pthread_rwlock_t granted_lock; ///< of these two
    struct granted *granted;
    size_t granted_count;

    // What this node has given; the thread's.
    struct given *given;
    uint32_t given_count;

    struct guest *guests; ///< by node
    pthread_mutex_t lock; ///< of what follows
    pthread_cond_t has_wish;
    bool has_thread;
    struct guest *first, **last; ///< whose wishes have come
};

// Answers.

/// A guest would wait for ever, unless the job ends anyway.
static void give_up(const struct gcl_depot *depot, enum gcl_status status, const char *reason) {
    const struct gcl_communicator *communicator = &depot->options.communicator;
    if (status != GCL_NODE_LOST)
        communicator->give_up(communicator->context, reason);
}

static enum gcl_status exchange(const struct gcl_depot *depot, const struct gcl_request *requests,
                                size_t count) {
    const struct gcl_communicator *communicator = &depot->options.communicator;
    return communicator->exchange(communicator->context, (struct gcl_turn){0}, requests, count);
}

/// Gives a guest room, if there is any. Returns the number of the grant; UINT32_MAX: none.
static uint32_t give(struct gcl_depot *depot, const struct guest *guest) {
    struct given *grown =
        realloc(depot->given, (depot->given_count + (size_t)1) * sizeof *depot->given);
    if (!grown)
        return UINT32_MAX;
    depot->given = grown;
    grown[depot->given_count].node = guest->node;
    if (!depot->options.spare(depot->options.context, grown[depot->given_count].chunks))
        return UINT32_MAX;
    return depot->given_count++;
}

/// Where a guest's chunk lies. NULL: it hasn't been given that.
static unsigned char *chunk_of(const struct gcl_depot *depot, const struct guest *guest) {
    const struct wish *wish = &guest->wish;
    bool is = wish->grant < depot->given_count && wish->index < GCL_DEPOT_GRANT &&
              depot->given[wish->grant].node == guest->node;
    return is ? depot->given[wish->grant].chunks[wish->index] : NULL;
}

/// One request does whatever a guest wishes.
static enum gcl_status fulfil(struct gcl_depot *depot, const struct guest *guest) {
    uint32_t grant;
    struct gcl_request request = {.what = "chunks", .peer = guest->node, .is_sent = true};
    if (guest->wish.kind == GRANT) {
        grant = give(depot, guest);
        request.bytes = &grant;
        request.size = sizeof grant;
    } else {
        request.bytes = chunk_of(depot, guest);
        request.size = depot->options.chunk;
        request.is_sent = guest->wish.kind == GET;
    }
    if (!request.bytes || guest->wish.kind >= KINDS)
        return GCL_INVALID;
    request.tag = request.is_sent ? gcl_movement_tag_depot(GCL_DEPOT_ANSWER, guest->wishes)
                                  : gcl_movement_tag_depot(GCL_DEPOT_CHUNK, guest->wishes);
    return exchange(depot, &request, 1);
}

static void came(void *receiver, enum gcl_status status);

static void expect_next(struct guest *guest) {
    const struct gcl_communicator *communicator = &guest->depot->options.communicator;
    guest->request =
        (struct gcl_request){.peer = guest->node,
                             .tag = gcl_movement_tag_depot(GCL_DEPOT_WISH, guest->wishes),
                             .bytes = &guest->wish,
                             .size = sizeof guest->wish};
    communicator->expect(communicator->context, &guest->request, came, guest);
}

static void answer(struct gcl_depot *depot, struct guest *guest) {
    char reason[96];
    enum gcl_status status = guest->status == GCL_OK ? fulfil(depot, guest) : guest->status;
    if (status == GCL_OK) {
        guest->wishes++;
        expect_next(guest);
        return;
    }
    snprintf(reason, sizeof reason, "node %u asked it for room that it hasn't been given",
             guest->node);
    give_up(depot, status,
            status == GCL_INVALID ? reason : "it can't answer who has bytes in its memory");
}

static void *run(void *argument) {
    struct gcl_depot *depot = argument;
    sigset_t signals;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_setname_np(pthread_self(), "gcl-depot");
    for (;;) {
        pthread_mutex_lock(&depot->lock);
        while (!depot->first)
            pthread_cond_wait(&depot->has_wish, &depot->lock);
        struct guest *guest = depot->first;
        depot->first = guest->next;
        if (!depot->first)
            depot->last = &depot->first;
        pthread_mutex_unlock(&depot->lock);
        answer(depot, guest);
    }
    return NULL;
}

/// The lock is held.
static bool start_thread(struct gcl_depot *depot) {
    pthread_t thread;
    if (!depot->has_thread && pthread_create(&thread, NULL, run, depot) != 0)
        return false;
    if (!depot->has_thread)
        pthread_detach(thread);
    return depot->has_thread = true;
}

/// A wish has come; or it can't come any more, with which the job ends.
static void came(void *receiver, enum gcl_status status) {
    struct guest *guest = receiver;
    struct gcl_depot *depot = guest->depot;
    if (status == GCL_NODE_LOST)
        return;
    pthread_mutex_lock(&depot->lock);
    bool has_thread = start_thread(depot);
    guest->status = status;
    guest->next = NULL;
    *depot->last = guest;
    depot->last = &guest->next;
    pthread_mutex_unlock(&depot->lock);
    pthread_cond_signal(&depot->has_wish);
    if (!has_thread)
        give_up(depot, GCL_SYSTEM, "it has no thread for who has bytes in its memory");
}

// Life.

struct gcl_depot *gcl_depot_create(const struct gcl_depot_options *options) {
    struct gcl_depot *depot = calloc(1, sizeof *depot);
    if (!depot)
        return NULL;
    depot->options = *options;
    depot->asked = calloc(options->count, sizeof *depot->asked);
    depot->guests = calloc(options->count, sizeof *depot->guests);
    if (!depot->asked || !depot->guests) {
        free(depot->asked);
        free(depot->guests);
        free(depot);
        return NULL;
    }
    depot->last = &depot->first;
    pthread_mutex_init(&depot->lock, NULL);
    pthread_cond_init(&depot->has_wish, NULL);
    pthread_rwlock_init(&depot->granted_lock, NULL);
    for (gcl_node i = 0; i < options->count; i++) {
        depot->guests[i] = (struct guest){.depot = depot, .node = i};
        if (i != options->self)
            expect_next(&depot->guests[i]);
    }
    return depot;
}

// Wishes.

/// Sends a wish, which gets a number. Returns it.
static uint64_t wish(struct gcl_depot *depot, gcl_node node, const struct wish *wish,
                     enum gcl_status *status) {
    uint64_t number = atomic_fetch_add(&depot->asked[node], 1);
    const struct gcl_request request = {.what = "chunks",
                                        .peer = node,
                                        .is_sent = true,
                                        .tag = gcl_movement_tag_depot(GCL_DEPOT_WISH, number),
                                        .bytes = (void *)wish,
                                        .size = sizeof *wish};
    *status = exchange(depot, &request, 1);
    return number;
}

/// Asks a node for a grant. False: it has none, or is lost.
static bool ask(struct gcl_depot *depot, gcl_node node) {
    enum gcl_status status;
    uint32_t grant = UINT32_MAX;
    uint64_t number = wish(depot, node, &(struct wish){.kind = GRANT}, &status);
    const struct gcl_request answer = {.what = "chunks",
                                       .peer = node,
                                       .tag = gcl_movement_tag_depot(GCL_DEPOT_ANSWER, number),
                                       .bytes = &grant,
                                       .size = sizeof grant};
    if (status != GCL_OK || exchange(depot, &answer, 1) != GCL_OK || grant == UINT32_MAX)
        return false;
    pthread_rwlock_wrlock(&depot->granted_lock);
    size_t count = depot->granted_count;
    struct granted *grown = realloc(depot->granted, (count + 1) * sizeof *grown);
    if (grown) {
        grown[count] = (struct granted){node, grant};
        depot->granted = grown;
        depot->granted_count = count + 1;
    }
    pthread_rwlock_unlock(&depot->granted_lock);
    return grown != NULL;
}

bool gcl_depot_grow(struct gcl_depot *depot) {
    const struct gcl_depot_options *options = &depot->options;
    bool has_grown = false;
    for (gcl_node i = 1; i < options->count && !has_grown; i++)
        has_grown = ask(depot, (options->self + i) % options->count);
    return has_grown;
}

void gcl_depot_run(struct gcl_depot *depot, bool is_put, struct gcl_depot_transfer *transfers,
                   size_t count) {
    struct gcl_request requests[GCL_DEPOT_MOST];
    enum gcl_status status = GCL_OK;
    assert(count <= GCL_DEPOT_MOST);
    for (size_t i = 0; i < count && status == GCL_OK; i++) {
        pthread_rwlock_rdlock(&depot->granted_lock);
        assert(transfers[i].number / GCL_DEPOT_GRANT < depot->granted_count);
        struct granted granted = depot->granted[transfers[i].number / GCL_DEPOT_GRANT];
        pthread_rwlock_unlock(&depot->granted_lock);
        const struct wish meant = {.kind = is_put ? PUT : GET,
                                   .grant = granted.grant,
                                   .index = (uint32_t)(transfers[i].number % GCL_DEPOT_GRANT)};
        uint64_t number = wish(depot, granted.node, &meant, &status);
        requests[i] =
            (struct gcl_request){.what = "chunks",
                                 .peer = granted.node,
                                 .is_sent = is_put,
                                 .tag = is_put ? gcl_movement_tag_depot(GCL_DEPOT_CHUNK, number)
                                               : gcl_movement_tag_depot(GCL_DEPOT_ANSWER, number),
                                 .bytes = transfers[i].bytes,
                                 .size = depot->options.chunk};
    }
    if (status == GCL_OK && count > 0)
        status = exchange(depot, requests, count);
    for (size_t i = 0; i < count; i++)
        transfers[i].status = status;
}
