// Chooses a carrier for each node, proves and checks whom messages come from, and tells of losses
// when nothing is under way: carriers find them in the middle of their work.
//
// An address is a byte of flags, the size of TLS's address, that, and UCX's address.
#include "transport.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/transport/carrier.h"
#include "cluster/wire/secret.h"

enum { MAX_REFUSALS_LOGGED = 10, ADDRESS_HEAD_SIZE = 2 };
enum { HAS_UCX_NETWORK = 1 };

struct peer {
    struct gcl_carrier *carrier; // NULL: not connected
    bool shares_memory;
    uint64_t token_in, token_out;
    bool is_lost, is_reported; // known, and told to the owner
    bool is_to_blame;          // for that
    char reason[160];
};

struct gcl_transport {
    struct gcl_transport_options options;
    struct gcl_carrier *ucx, *tls; // tls: NULL if all nodes share memory
    uint8_t *address;
    size_t address_size;
    int epoll;
    uint64_t refused;
    bool has_lost_peers; // that aren't reported yet
    struct peer *peers;
};

// What carriers say.

static void refuse(struct gcl_transport *t, const char *what, const char *why) {
    if (++t->refused <= MAX_REFUSALS_LOGGED)
        gcl_log(GCL_LOG_WARN, "a %s was refused: %s%s", what, why,
                t->refused == MAX_REFUSALS_LOGGED ? " (no more of these are shown)" : "");
}

static void refuse_connection(void *receiver, const char *why) {
    refuse(receiver, "connection", why);
}

static void lose(void *receiver, gcl_node node, const char *reason) {
    struct gcl_transport *t = receiver;
    assert(node < t->options.count);
    struct peer *peer = &t->peers[node];
    if (peer->is_lost)
        return;
    peer->is_lost = true;
    snprintf(peer->reason, sizeof peer->reason, "%s", reason);
    t->has_lost_peers = true;
}

static void blame(void *receiver, gcl_node node, const char *wrong) {
    struct gcl_transport *t = receiver;
    char reason[sizeof t->peers[node].reason];
    snprintf(reason, sizeof reason, "sent node %u a message that can't be read: %s",
             t->options.self, wrong);
    t->peers[node].is_to_blame |= !t->peers[node].is_lost;
    lose(t, node, reason);
}

// The token comes first: of a message from outside of the job nothing else is looked at.
static bool is_authentic(const struct gcl_transport *t, const uint8_t *head, size_t size,
                         gcl_node *from) {
    struct gcl_wire_message message;
    if (!gcl_wire_read_head(head, size, &message) || message.from >= t->options.count)
        return false;
    if (*from != GCL_NO_NODE && *from != message.from)
        return false;
    *from = message.from;
    return gcl_secret_equal(&message.token, &t->peers[*from].token_in, sizeof message.token);
}

static void take(void *receiver, gcl_node from, const uint8_t *head, size_t head_size,
                 struct gcl_incoming *payload) {
    struct gcl_transport *t = receiver;
    struct gcl_wire_message message;
    bool is_proven = from != GCL_NO_NODE;
    const char *wrong = "it isn't this job's";
    if (is_authentic(t, head, head_size, &from)) {
        wrong = gcl_wire_read(head, head_size, &message);
    } else if (!is_proven) {
        refuse(t, "message", "it doesn't come from this job");
        return;
    }
    if (wrong)
        blame(t, from, wrong);
    else if (!t->peers[from].is_lost) // or it follows what couldn't be read
        t->options.handler(t->options.context, &message, payload);
}

// Start and end.

static bool watch(struct gcl_transport *t, const struct gcl_carrier *carrier) {
    int fd = carrier->calls->descriptor(carrier);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(t->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool start_carriers(struct gcl_transport *t) {
    const struct gcl_carrier_options options = {.transport = &t->options,
                                                .take = take,
                                                .lose = lose,
                                                .blame = blame,
                                                .refuse = refuse_connection,
                                                .receiver = t};
    bool all_share_memory = true;
    for (gcl_node n = 0; n < t->options.count; n++)
        all_share_memory &= t->peers[n].shares_memory;
    t->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (t->epoll < 0 || !(t->ucx = gcl_ucx_create(&options)) || !watch(t, t->ucx))
        return false;
    if (all_share_memory)
        return true;
    return (t->tls = gcl_tls_create(&options)) && watch(t, t->tls);
}

static bool write_address(struct gcl_transport *t) {
    size_t ucx_size, tls_size = 0;
    const void *ucx = t->ucx->calls->address(t->ucx, &ucx_size);
    const void *tls = t->tls ? t->tls->calls->address(t->tls, &tls_size) : NULL;
    assert(tls_size <= UINT8_MAX);
    t->address = malloc(ADDRESS_HEAD_SIZE + tls_size + ucx_size);
    if (!t->address)
        return false;
    t->address[0] = gcl_ucx_has_network(t->ucx) ? HAS_UCX_NETWORK : 0;
    t->address[1] = (uint8_t)tls_size;
    if (tls)
        memcpy(t->address + ADDRESS_HEAD_SIZE, tls, tls_size);
    memcpy(t->address + ADDRESS_HEAD_SIZE + tls_size, ucx, ucx_size);
    t->address_size = ADDRESS_HEAD_SIZE + tls_size + ucx_size;
    return true;
}

struct gcl_transport *gcl_transport_create(const struct gcl_transport_options *options) {
    assert(options->self < options->count);
    struct gcl_transport *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->options = *options;
    t->epoll = -1;
    t->peers = calloc(options->count, sizeof t->peers[0]);
    for (gcl_node n = 0; t->peers && n < options->count; n++) {
        t->peers[n].shares_memory = options->shares_memory[n];
        t->peers[n].token_in = gcl_secret_token(options->secret, n, options->self);
        t->peers[n].token_out = gcl_secret_token(options->secret, options->self, n);
    }
    if (t->peers && start_carriers(t) && write_address(t))
        return t;
    gcl_transport_destroy(t);
    return NULL;
}

static void destroy(struct gcl_carrier *carrier) {
    if (carrier)
        carrier->calls->destroy(carrier);
}

void gcl_transport_destroy(struct gcl_transport *t) {
    if (!t)
        return;
    destroy(t->ucx);
    destroy(t->tls);
    if (t->epoll >= 0)
        close(t->epoll);
    free(t->address);
    free(t->peers);
    free(t);
}

const void *gcl_transport_address(const struct gcl_transport *t, size_t *size) {
    *size = t->address_size;
    return t->address;
}

// Connections.

enum gcl_status gcl_transport_connect(struct gcl_transport *t, gcl_node node, const void *address,
                                      size_t size) {
    assert(node < t->options.count);
    struct peer *peer = &t->peers[node];
    const uint8_t *bytes = address;
    size_t tls_size = size > 1 ? bytes[1] : 0;
    if (size < ADDRESS_HEAD_SIZE + tls_size) {
        gcl_log(GCL_LOG_ERROR, "node %u's address can't be read", node);
        return GCL_SYSTEM;
    }
    bool has_network = (bytes[0] & HAS_UCX_NETWORK) && gcl_ucx_has_network(t->ucx);
    const uint8_t *tls = bytes + ADDRESS_HEAD_SIZE, *ucx = tls + tls_size;
    bool is_by_ucx = peer->shares_memory || has_network;
    enum gcl_status status =
        is_by_ucx ? t->ucx->calls->connect(t->ucx, node, ucx, size - ADDRESS_HEAD_SIZE - tls_size)
                  : t->tls->calls->connect(t->tls, node, tls, tls_size);
    if (status != GCL_OK)
        return status;
    peer->carrier = is_by_ucx ? t->ucx : t->tls;
    if (is_by_ucx && t->tls)
        t->tls->calls->abandon(t->tls, node);
    return GCL_OK;
}

gcl_node gcl_transport_awaited(const struct gcl_transport *t) {
    for (gcl_node n = 0; n < t->options.count; n++) {
        const struct peer *peer = &t->peers[n];
        if (peer->carrier && !peer->is_lost && !peer->carrier->calls->is_open(peer->carrier, n))
            return n;
    }
    return GCL_NO_NODE;
}

const char *gcl_transport_link(const struct gcl_transport *t, gcl_node node) {
    const struct gcl_carrier *carrier = t->peers[node].carrier;
    return carrier ? carrier->calls->link(carrier, node) : "?";
}

static void abandon(struct gcl_transport *t, gcl_node node) {
    struct peer *peer = &t->peers[node];
    peer->is_lost = peer->is_reported = true;
    if (peer->carrier)
        peer->carrier->calls->abandon(peer->carrier, node);
}

void gcl_transport_abandon(struct gcl_transport *t, gcl_node node) {
    assert(node < t->options.count);
    if (!t->peers[node].is_reported)
        abandon(t, node);
}

static void report_lost(struct gcl_transport *t) {
    t->has_lost_peers = false;
    for (gcl_node n = 0; n < t->options.count; n++) {
        struct peer *peer = &t->peers[n];
        if (!peer->is_lost || peer->is_reported)
            continue;
        abandon(t, n);
        (peer->is_to_blame ? t->options.blame : t->options.lost)(t->options.context, n,
                                                                 peer->reason);
    }
}

// Messages.

void gcl_transport_send(struct gcl_transport *t, gcl_node to,
                        const struct gcl_wire_message *message, const void *payload, size_t size,
                        gcl_transport_done done, void *context) {
    uint8_t head[GCL_WIRE_MAX_SIZE];
    const struct peer *peer = &t->peers[to];
    struct gcl_wire_message copy = *message;
    const struct gcl_outgoing outgoing = {
        .payload = payload, .size = size, .done = done, .context = context};

    assert(to < t->options.count && (payload || size == 0));
    if (!peer->carrier || peer->is_lost) {
        if (done)
            done(context, GCL_SYSTEM);
        return;
    }
    copy.from = t->options.self;
    copy.token = peer->token_out;
    size_t head_size = gcl_wire_write(&copy, head, sizeof head);
    assert(head_size > 0);
    peer->carrier->calls->send(peer->carrier, to, head, head_size, &outgoing);
}

size_t gcl_incoming_size(const struct gcl_incoming *payload) {
    return payload->size;
}

void gcl_incoming_receive(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                          void *context) {
    assert(!payload->is_taken);
    payload->is_taken = true;
    payload->receive(payload, buffer, done, context);
}

// Progress.

bool gcl_transport_progress(struct gcl_transport *t) {
    bool has_worked = t->ucx->calls->progress(t->ucx);
    if (t->tls)
        has_worked |= t->tls->calls->progress(t->tls);
    if (t->has_lost_peers)
        report_lost(t);
    return has_worked;
}

int gcl_transport_descriptor(const struct gcl_transport *t) {
    return t->epoll;
}

bool gcl_transport_arm(struct gcl_transport *t) {
    return !t->has_lost_peers && t->ucx->calls->arm(t->ucx) &&
           (!t->tls || t->tls->calls->arm(t->tls));
}

uint64_t gcl_transport_refused(const struct gcl_transport *t) {
    return t->refused;
}
