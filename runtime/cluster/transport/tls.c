// One session (tls_session.h) a pair of nodes, and in it one frame (frame.h) after the other.
// Payloads are encrypted from where they are, and decrypted to where they belong.
//
// Sockets are watched for edges: a peer is in the list of those with something to do until its
// socket has no more bytes, or takes none. Each of them gets TURN_SIZE bytes at a time.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/transport/tls_state.h"
#include "cluster/wire/socket.h"

enum {
    TURN_SIZE = 1 << 20,
    SMALL_SIZE = 8192, ///< payloads that leave in one record with their head
    SINK_SIZE = 16384,
    MAX_EVENTS = 16,
    UNANSWERED_MS = 5000, ///< the link is cut; lifelines notice first where it cuts node 0 off, too
};
#define CHECK_NS UINT64_C(500000000)

static struct gcl_tls *of(struct gcl_carrier *carrier) {
    return (struct gcl_tls *)(void *)carrier;
}

static const struct gcl_tls *view(const struct gcl_carrier *carrier) {
    return (const struct gcl_tls *)(const void *)carrier;
}

static gcl_node number_of(const struct gcl_tls *t, const struct gcl_tls_peer *peer) {
    assert(peer >= t->peers && peer < t->peers + t->count);
    return (gcl_node)(peer - t->peers);
}

bool gcl_tls_watch(struct gcl_tls *t, int operation, int fd, uint64_t what) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data.u64 = what};
    return epoll_ctl(t->epoll, operation, fd, &event) == 0;
}

static void make_ready(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    if (peer->is_ready)
        return;
    peer->is_ready = true;
    peer->next_ready = t->first_ready;
    t->first_ready = peer;
}

static void lose(struct gcl_tls *t, struct gcl_tls_peer *peer, const char *reason) {
    peer->can_read = peer->can_write = false;
    t->options.lose(t->options.receiver, number_of(t, peer), reason);
}

/// Whether a peer's session has done what it was asked for. If not, clears `can`, which says
/// whether the socket is ready for that, or loses the peer.
static bool has_done(struct gcl_tls *t, struct gcl_tls_peer *peer,
                     enum gcl_tls_session_status status, bool *can) {
    if (status == GCL_TLS_SESSION_BLOCKED)
        *can = false;
    if (status == GCL_TLS_SESSION_BROKEN)
        lose(t, peer, gcl_tls_session_reason(peer->session));
    return status == GCL_TLS_SESSION_OK;
}

// Sending.

static void finish_message(struct gcl_tls_message *message, enum gcl_status status) {
    if (message->done)
        message->done(message->context, status);
    free(message);
}

static struct gcl_tls_message *take_first(struct gcl_tls_peer *peer) {
    struct gcl_tls_message *message = peer->first;
    assert(message);
    peer->first = message->next;
    return message;
}

/// Encrypts a piece of the first message; returns its size.
static size_t write_piece(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    struct gcl_tls_message *m = peer->first;
    bool is_head = m->at < m->size;
    size_t taken = 0;
    const uint8_t *bytes = is_head ? m->bytes + m->at : m->payload + m->payload_at;
    size_t left = is_head ? m->size - m->at : m->payload_size - m->payload_at;
    if (!has_done(t, peer, gcl_tls_session_write(peer->session, bytes, left, &taken),
                  &peer->can_write))
        return 0;
    peer->has_unflushed = true;
    *(is_head ? &m->at : &m->payload_at) += taken;
    if (m->at == m->size && m->payload_at == m->payload_size)
        finish_message(take_first(peer), GCL_OK);
    return taken;
}

static void flush(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    peer->has_unflushed =
        !has_done(t, peer, gcl_tls_session_flush(peer->session), &peer->can_write);
}

/// False: there was nothing to send. What callbacks send meanwhile is queued.
static bool push(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    size_t written = 0;
    if (peer->is_pushing || !peer->is_open || !peer->can_write ||
        (!peer->first && !peer->has_unflushed))
        return false;
    peer->is_pushing = true;
    while (peer->session && peer->first && peer->can_write && written < TURN_SIZE)
        written += write_piece(t, peer);
    if (peer->session && peer->has_unflushed)
        flush(t, peer);
    peer->is_pushing = false;
    if (peer->session && peer->can_write && peer->first)
        make_ready(t, peer);
    return true;
}

static struct gcl_tls_message *create_message(const uint8_t *head, size_t head_size,
                                              const struct gcl_outgoing *outgoing) {
    size_t copied = outgoing->size <= SMALL_SIZE ? outgoing->size : 0;
    struct gcl_tls_message *m = malloc(sizeof *m + GCL_FRAME_PREFIX_SIZE + head_size + copied);
    if (!m)
        return NULL;
    *m = (struct gcl_tls_message){.done = outgoing->done,
                                  .context = outgoing->context,
                                  .payload = outgoing->payload,
                                  .payload_size = outgoing->size - copied};
    m->size = gcl_frame_write(head, head_size, outgoing->size, m->bytes);
    if (copied > 0)
        memcpy(m->bytes + m->size, outgoing->payload, copied);
    m->size += copied;
    return m;
}

static void send_message(struct gcl_carrier *carrier, gcl_node to, const uint8_t *head,
                         size_t head_size, const struct gcl_outgoing *outgoing) {
    struct gcl_tls *t = of(carrier);
    struct gcl_tls_peer *peer = &t->peers[to];
    struct gcl_tls_message *message = create_message(head, head_size, outgoing);
    if (!message) {
        gcl_log(GCL_LOG_ERROR, "no memory for a message");
        if (outgoing->done)
            outgoing->done(outgoing->context, GCL_NO_MEMORY);
        return;
    }
    *(peer->first ? &peer->last->next : &peer->first) = message;
    peer->last = message;
    push(t, peer);
}

// Receiving.

struct incoming {
    struct gcl_incoming payload;
    struct gcl_tls_peer *peer;
};

static void receive_payload(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                            void *context) {
    struct gcl_tls_peer *peer = ((struct incoming *)(void *)payload)->peer;
    assert(peer->payload.left == payload->size && !peer->payload.into);
    peer->payload = (struct gcl_tls_payload){
        .left = payload->size, .into = buffer, .done = done, .context = context};
}

static void finish_payload(struct gcl_tls_peer *peer, enum gcl_status status) {
    struct gcl_tls_payload payload = peer->payload;
    peer->payload = (struct gcl_tls_payload){.left = 0};
    if (payload.done)
        payload.done(payload.context, status);
}

static void take_message(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    struct incoming incoming = {.payload = {.receive = receive_payload}, .peer = peer};
    size_t head_size;
    const uint8_t *head = gcl_frame_head(&peer->reader, &head_size);
    incoming.payload.size = (size_t)gcl_frame_payload_size(&peer->reader);
    peer->payload = (struct gcl_tls_payload){.left = incoming.payload.size};
    t->options.take(t->options.receiver, number_of(t, peer), head, head_size,
                    incoming.payload.size > 0 ? &incoming.payload : NULL);
    gcl_frame_restart(&peer->reader);
}

/// Decrypts up to `size` bytes; 0: there are none.
static size_t read_bytes(struct gcl_tls *t, struct gcl_tls_peer *peer, uint8_t *bytes,
                         size_t size) {
    size_t got = 0;
    bool is_done =
        has_done(t, peer, gcl_tls_session_read(peer->session, bytes, size, &got), &peer->can_read);
    return is_done ? got : 0;
}

static size_t read_payload(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    struct gcl_tls_payload *payload = &peer->payload;
    uint8_t sink[SINK_SIZE];
    size_t size = (size_t)payload->left;
    if (!payload->into && size > sizeof sink)
        size = sizeof sink;
    size_t got = read_bytes(t, peer, payload->into ? payload->into : sink, size);
    assert(got <= payload->left);
    payload->left -= got;
    if (payload->into)
        payload->into += got;
    if (got > 0 && payload->left == 0)
        finish_payload(peer, GCL_OK);
    return got;
}

static size_t read_head(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    size_t size;
    uint8_t *room = gcl_frame_room(&peer->reader, &size);
    size_t got = read_bytes(t, peer, room, size);
    const char *wrong = got > 0 ? gcl_frame_add(&peer->reader, got) : NULL;
    if (wrong) {
        peer->can_read = peer->can_write = false;
        t->options.blame(t->options.receiver, number_of(t, peer), wrong);
        return 0;
    }
    gcl_frame_room(&peer->reader, &size);
    if (size == 0)
        take_message(t, peer);
    return got;
}

/// False: nothing has come.
static bool pull(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    size_t read = 0;
    while (peer->session && peer->is_open && peer->can_read && read < TURN_SIZE)
        read += peer->payload.left > 0 ? read_payload(t, peer) : read_head(t, peer);
    if (peer->session && peer->can_read)
        make_ready(t, peer);
    return read > 0;
}

// Connections.

static void open_peer(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    const char *interface = t->options.transport->interface_names;
    bool is_kernel = gcl_tls_session_is_kernel(peer->session);
    peer->is_open = peer->can_read = peer->can_write = true;
    peer->is_expected = false;
    snprintf(peer->link, sizeof peer->link, "%s%s%s", is_kernel ? "ktls" : "tls",
             interface ? "/" : "", interface ? interface : "");
    gcl_log(GCL_LOG_DEBUG, "node %u is reached by %s", number_of(t, peer), peer->link);
    make_ready(t, peer);
}

void gcl_tls_adopt(struct gcl_tls *t, gcl_node node, struct gcl_tls_session *session) {
    struct gcl_tls_peer *peer = &t->peers[node];
    assert(node < t->count && peer->is_expected && !peer->session);
    peer->session = session;
    open_peer(t, peer);
    if (!gcl_tls_watch(t, EPOLL_CTL_MOD, gcl_tls_session_descriptor(session), node))
        lose(t, peer, "its connection can't be watched");
    gcl_tls_door_close_after_last(t);
}

// On the side that dialled.
static void shake_hands(struct gcl_tls *t, struct gcl_tls_peer *peer) {
    if (has_done(t, peer, gcl_tls_session_shake_hands(peer->session), &peer->can_read))
        open_peer(t, peer);
}

static enum gcl_status connect_node(struct gcl_carrier *carrier, gcl_node node, const void *address,
                                    size_t size) {
    struct gcl_tls *t = of(carrier);
    if (size != GCL_TLS_ADDRESS_SIZE) {
        gcl_log(GCL_LOG_ERROR, "node %u has no port, though it shares no memory with this one",
                node);
        return GCL_SYSTEM;
    }
    return node < t->self ? gcl_tls_door_dial(t, node, address) : GCL_OK; // the others dial
}

static void abandon(struct gcl_carrier *carrier, gcl_node node) {
    struct gcl_tls *t = of(carrier);
    struct gcl_tls_peer *peer = &t->peers[node];
    peer->is_expected = peer->is_open = false;
    gcl_tls_session_destroy(peer->session);
    peer->session = NULL;
    if (peer->payload.left > 0)
        finish_payload(peer, GCL_SYSTEM);
    while (peer->first)
        finish_message(take_first(peer), GCL_SYSTEM);
    gcl_tls_door_close_after_last(t);
}

static bool is_open(const struct gcl_carrier *carrier, gcl_node node) {
    return view(carrier)->peers[node].is_open;
}

static const char *link_of(const struct gcl_carrier *carrier, gcl_node node) {
    return view(carrier)->peers[node].link;
}

static const void *address_of(const struct gcl_carrier *carrier, size_t *size) {
    *size = GCL_TLS_ADDRESS_SIZE;
    return view(carrier)->address;
}

// Progress.

static void take_events(struct gcl_tls *t) {
    struct epoll_event events[MAX_EVENTS];
    int count = epoll_wait(t->epoll, events, MAX_EVENTS, 0);
    for (int i = 0; i < count; i++) {
        uint64_t what = events[i].data.u64;
        struct gcl_tls_peer *peer = what < t->count ? &t->peers[what] : NULL;
        if (!peer) {
            gcl_tls_door_answer(t, what);
        } else if (peer->is_open) {
            peer->can_read = peer->can_write = true;
            make_ready(t, peer);
        } else if (peer->session) {
            shake_hands(t, peer);
        }
    }
}

static void check_answers(struct gcl_tls *t) {
    uint64_t now = gcl_clock_ns();
    if (now < t->checked_ns + CHECK_NS)
        return;
    t->checked_ns = now;
    for (gcl_node n = 0; n < t->count; n++) {
        struct gcl_tls_peer *peer = &t->peers[n];
        if (peer->is_open &&
            gcl_socket_is_unanswered(gcl_tls_session_descriptor(peer->session), UNANSWERED_MS))
            lose(t, peer, "its host doesn't acknowledge what is sent");
    }
}

static bool progress(struct gcl_carrier *carrier) {
    struct gcl_tls *t = of(carrier);
    bool has_worked = false;
    take_events(t);
    if (t->door >= 0)
        gcl_tls_door_watch(t);
    struct gcl_tls_peer *ready = t->first_ready;
    t->first_ready = NULL;
    while (ready) {
        struct gcl_tls_peer *peer = ready;
        ready = peer->next_ready;
        peer->is_ready = false;
        has_worked |= pull(t, peer);
        has_worked |= push(t, peer);
    }
    check_answers(t);
    return has_worked;
}

static int descriptor(const struct gcl_carrier *carrier) {
    return view(carrier)->epoll;
}

// Whoever comes or goes on makes the descriptor readable.
static bool arm(struct gcl_carrier *carrier) {
    return !of(carrier)->first_ready;
}

static void destroy(struct gcl_carrier *carrier) {
    struct gcl_tls *t = of(carrier);
    gcl_tls_door_close(t);
    for (gcl_node n = 0; t->peers && n < t->count; n++)
        abandon(carrier, n);
    gcl_tls_sessions_destroy(t->sessions);
    if (t->epoll >= 0)
        close(t->epoll);
    free(t->peers);
    free(t);
}

static const struct gcl_carrier_calls calls = {
    .destroy = destroy,
    .address = address_of,
    .connect = connect_node,
    .is_open = is_open,
    .link = link_of,
    .send = send_message,
    .abandon = abandon,
    .progress = progress,
    .descriptor = descriptor,
    .arm = arm,
};

struct gcl_carrier *gcl_tls_create(const struct gcl_carrier_options *options) {
    const struct gcl_transport_options *transport = options->transport;
    struct gcl_tls *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->carrier.calls = &calls;
    t->options = *options;
    t->self = transport->self;
    t->count = transport->count;
    t->door = -1;
    t->epoll = epoll_create1(EPOLL_CLOEXEC);
    t->peers = calloc(t->count, sizeof t->peers[0]);
    t->sessions =
        gcl_tls_sessions_create(t->self, t->count, transport->secret, GCL_TLS_SESSION_KEY_RECORDS);
    for (gcl_node n = t->self + 1; t->peers && n < t->count; n++)
        t->peers[n].is_expected = !transport->shares_memory[n];
    if (t->epoll < 0 || !t->peers || !t->sessions ||
        gcl_tls_door_open(t, transport->address) != GCL_OK) {
        destroy(&t->carrier);
        return NULL;
    }
    gcl_tls_door_close_after_last(t);
    return &t->carrier;
}
