// A frame is its length, two bytes little-endian, and a control message. Connections never block:
// what can't be written at once is for a peer that doesn't read, and beats are left out then.
#include "lifeline.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/lifeline/state.h"

#define MILLISECOND UINT64_C(1000000)
#define SECOND (1000 * MILLISECOND)
#define BEAT_NS (250 * MILLISECOND)
#define STALL_NS (4 * SECOND)
// A node that connects has that long to prove itself.
#define PROVE_NS (5 * SECOND)

enum { MAX_EVENTS = 16 };

struct gcl_lifeline *gcl_lifeline_create(const struct gcl_lifeline_options *options) {
    struct gcl_lifeline *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->options = *options;
    l->doors[0] = l->doors[1] = -1;
    l->epoll = epoll_create1(EPOLL_CLOEXEC);
    l->peers = calloc(options->count, sizeof(struct gcl_lifeline_peer *));
    l->is_lost = calloc(options->count, sizeof(bool));
    if (l->epoll < 0 || !l->peers || !l->is_lost) {
        gcl_lifeline_destroy(l);
        return NULL;
    }
    return l;
}

void gcl_lifeline_peer_close(struct gcl_lifeline_peer *peer) {
    if (!peer)
        return;
    close(peer->fd); // which takes it out of the epoll set
    free(peer);
}

void gcl_lifeline_abandon(struct gcl_lifeline *l) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->peers[n])
            close(l->peers[n]->fd);
    }
    for (int i = 0; i < 2; i++) {
        if (l->doors[i] >= 0)
            close(l->doors[i]);
    }
    close(l->epoll);
}

void gcl_lifeline_destroy(struct gcl_lifeline *l) {
    if (!l)
        return;
    for (int i = 0; i < 2; i++) {
        if (l->doors[i] >= 0)
            close(l->doors[i]);
    }
    for (int i = 0; i < GCL_LIFELINE_STRANGERS; i++)
        gcl_lifeline_peer_close(l->strangers[i]);
    for (gcl_node n = 0; l->peers && n < l->options.count; n++)
        gcl_lifeline_peer_close(l->peers[n]);
    if (l->epoll >= 0)
        close(l->epoll);
    free(l->peers);
    free(l->is_lost);
    free(l);
}

// Frames.

// Whether the frame went out as a whole. A beat that doesn't fit may be left out; a connection that
// took a part of a frame is broken.
static bool send_frame(struct gcl_lifeline_peer *peer, const struct gcl_wire_message *message,
                       bool *is_broken) {
    uint8_t frame[GCL_LIFELINE_FRAME];
    size_t size = gcl_wire_write(message, frame + 2, sizeof frame - 2);
    assert(size > 0);
    frame[0] = (uint8_t)size;
    frame[1] = (uint8_t)(size >> 8);
    ssize_t written = send(peer->fd, frame, size + 2, MSG_NOSIGNAL);
    bool is_full = written < 0 && (errno == EAGAIN || errno == EINTR);
    *is_broken = !is_full && written != (ssize_t)size + 2;
    return written == (ssize_t)size + 2;
}

bool gcl_lifeline_peer_send(struct gcl_lifeline_peer *peer,
                            const struct gcl_wire_message *message) {
    bool is_broken;
    return send_frame(peer, message, &is_broken);
}

// What peers say once both sides are proven.

static void lose(struct gcl_lifeline *l, gcl_node node, const char *reason) {
    if (l->peers[node])
        gcl_lifeline_peer_close(l->peers[node]);
    l->peers[node] = NULL;
    if (l->is_lost[node])
        return;
    l->is_lost[node] = true;
    if (!l->is_ending)
        l->options.calls.lost(l->options.context, node, reason);
}

static const char *take_message(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                                const struct gcl_wire_message *message) {
    assert(peer->node < l->options.count && l->peers[peer->node] == peer);
    if (message->from != peer->node)
        return "it speaks for another node";
    switch ((unsigned)message->kind) {
    case GCL_WIRE_BEAT:
        l->options.calls.heard_tiers(l->options.context, peer->node, &message->beat.tiers);
        return NULL;
    case GCL_WIRE_LOST:
        if (message->lost.node >= l->options.count)
            return "it names a node that doesn't exist";
        if (message->lost.node == peer->node) {
            snprintf(l->told, sizeof l->told, "%s", message->lost.reason);
            return l->told;
        }
        if (!l->is_lost[message->lost.node])
            lose(l, message->lost.node, message->lost.reason);
        return NULL;
    case GCL_WIRE_BYE:
        if (peer->node != 0)
            return "it ends the job, which only node 0 does";
        l->is_ending = true;
        l->options.calls.bye(l->options.context, message->bye.is_failure != 0);
        return NULL;
    default:
        return "it says what isn't said here";
    }
}

static const char *handle(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                          const struct gcl_wire_message *message) {
    return peer->state == GCL_LIFELINE_OPEN ? take_message(l, peer, message)
                                            : gcl_lifeline_shake_hands(l, peer, message);
}

// Reading.

static void resume(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer) {
    peer->since_ns = gcl_clock_ns();
    if (!peer->is_stalled)
        return;
    peer->is_stalled = false;
    l->options.calls.stalled(l->options.context, peer->node, 0);
}

// Handles whole frames at the front of the buffer; NULL, or what is wrong with one.
static const char *take_frames(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer) {
    assert(peer->used <= sizeof peer->buffer);
    while (peer->used >= 2) {
        struct gcl_wire_message message;
        size_t size = (size_t)peer->buffer[0] | (size_t)peer->buffer[1] << 8;
        if (size > GCL_WIRE_MAX_SIZE)
            return "a message is too long";
        if (peer->used < 2 + size)
            return NULL;
        const char *wrong = gcl_wire_read(peer->buffer + 2, size, &message);
        if (wrong)
            return wrong;
        peer->used -= 2 + size;
        memmove(peer->buffer, peer->buffer + 2 + size, peer->used);
        if (peer->state == GCL_LIFELINE_OPEN)
            resume(l, peer);
        wrong = handle(l, peer, &message);
        if (wrong)
            return wrong;
    }
    return NULL;
}

// NULL, or why the connection to the peer ends.
static const char *read_peer(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer) {
    for (;;) {
        ssize_t got =
            recv(peer->fd, peer->buffer + peer->used, sizeof peer->buffer - peer->used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return NULL;
        if (got < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH))
            return GCL_LIFELINE_CUT;
        if (got <= 0)
            return GCL_LIFELINE_ENDED;
        peer->used += (size_t)got;
        const char *wrong = take_frames(l, peer);
        if (wrong)
            return wrong;
    }
}

static void progress_peer(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer) {
    const char *wrong = read_peer(l, peer);
    if (!wrong)
        return;
    if (peer->state == GCL_LIFELINE_OPEN)
        lose(l, peer->node, wrong);
    else if (l->options.self == 0)
        gcl_lifeline_end_stranger(l, peer, wrong);
    else
        peer->state = GCL_LIFELINE_CLOSED; // gcl_lifeline_connect says so
}

static void beat(struct gcl_lifeline *l, uint64_t now) {
    struct gcl_wire_message message = {
        .kind = GCL_WIRE_BEAT, .from = l->options.self, .beat.sequence = ++l->beat};
    bool is_broken;
    l->options.calls.describe_tiers(l->options.context, &message.beat.tiers);
    l->beaten_ns = now;
    for (gcl_node n = 0; n < l->options.count; n++) {
        struct gcl_lifeline_peer *peer = l->peers[n];
        if (peer && !send_frame(peer, &message, &is_broken) && is_broken)
            lose(l, n, errno == ETIMEDOUT ? GCL_LIFELINE_CUT : GCL_LIFELINE_ENDED);
    }
}

static void find_silence(struct gcl_lifeline *l, uint64_t now) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        struct gcl_lifeline_peer *peer = l->peers[n];
        uint64_t silent_ns = peer ? now - peer->since_ns : 0;
        if (silent_ns > STALL_NS && !peer->is_stalled) {
            peer->is_stalled = true;
            l->options.calls.stalled(l->options.context, n, silent_ns);
        }
        if (l->options.timeout_ns && silent_ns > l->options.timeout_ns)
            lose(l, n, "it has been silent for longer than GCL_TIMEOUT allows");
    }
    for (int i = 0; i < GCL_LIFELINE_STRANGERS; i++) {
        if (l->strangers[i] && now > l->strangers[i]->since_ns + PROVE_NS)
            gcl_lifeline_end_stranger(l, l->strangers[i], "it said nothing");
    }
}

void gcl_lifeline_progress(struct gcl_lifeline *l) {
    struct epoll_event events[MAX_EVENTS];
    int count = epoll_wait(l->epoll, events, MAX_EVENTS, 0);

    for (int i = 0; i < count; i++) {
        void *what = events[i].data.ptr;
        if (what == &l->doors[0] || what == &l->doors[1]) {
            gcl_lifeline_accept(l, *(int *)what);
        } else {
            // The end of one peer may take others with it: the rest comes with the next call.
            progress_peer(l, what);
            break;
        }
    }
    uint64_t now = gcl_clock_ns(), absent_ns = now - l->beaten_ns;
    if (absent_ns < BEAT_NS)
        return;
    beat(l, now);
    // A node that was busy elsewhere hasn't read what the others said.
    if (absent_ns < STALL_NS / 2)
        find_silence(l, now);
}

int gcl_lifeline_descriptor(const struct gcl_lifeline *l) {
    return l->epoll;
}

// Start.

static void wait_readable(const struct gcl_lifeline *l, int milliseconds) {
    struct pollfd poll_fd = {.fd = l->epoll, .events = POLLIN};
    poll(&poll_fd, 1, milliseconds);
}

enum gcl_status gcl_lifeline_await(struct gcl_lifeline *l, unsigned seconds) {
    uint64_t end = gcl_clock_ns() + seconds * SECOND;
    for (;;) {
        gcl_node missing = 0;
        for (gcl_node n = 1; n < l->options.count && !missing; n++) {
            if (l->is_lost[n])
                return GCL_SYSTEM;
            missing = l->peers[n] ? 0 : n;
        }
        if (!missing)
            return GCL_OK;
        if (gcl_clock_ns() > end) {
            gcl_log(GCL_LOG_ERROR, "node %u hasn't connected within %u s", missing, seconds);
            return GCL_SYSTEM;
        }
        wait_readable(l, 100);
        gcl_lifeline_progress(l);
    }
}

enum gcl_status gcl_lifeline_connect(struct gcl_lifeline *l, const struct gcl_wire_card *card,
                                     bool is_local, unsigned seconds) {
    uint64_t end = gcl_clock_ns() + seconds * SECOND;
    struct gcl_lifeline_peer *peer = l->peers[0] = gcl_lifeline_dial(l, card, is_local);
    if (!peer)
        return GCL_SYSTEM;
    // Once open it may also end again, and then is no more.
    while (l->peers[0] && peer->state != GCL_LIFELINE_OPEN && peer->state != GCL_LIFELINE_CLOSED &&
           gcl_clock_ns() < end) {
        wait_readable(l, 100);
        progress_peer(l, peer);
    }
    if (l->peers[0] && peer->state == GCL_LIFELINE_OPEN)
        return GCL_OK;
    gcl_log(GCL_LOG_ERROR, "node 0 on %s doesn't let this node in", card->host);
    return GCL_SYSTEM;
}

// Telling.

void gcl_lifeline_tell_lost(struct gcl_lifeline *l, gcl_node node, const char *reason) {
    struct gcl_wire_message message = {
        .kind = GCL_WIRE_LOST, .from = l->options.self, .lost.node = node};
    snprintf(message.lost.reason, sizeof message.lost.reason, "%s", reason);
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->peers[n])
            gcl_lifeline_peer_send(l->peers[n], &message);
    }
}

static bool has_peers(const struct gcl_lifeline *l) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->peers[n])
            return true;
    }
    return false;
}

bool gcl_lifeline_say_bye(struct gcl_lifeline *l, bool is_failure, unsigned seconds) {
    struct gcl_wire_message message = {
        .kind = GCL_WIRE_BYE, .from = l->options.self, .bye.is_failure = is_failure};
    uint64_t end = gcl_clock_ns() + seconds * SECOND;

    l->is_ending = true;
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->peers[n])
            gcl_lifeline_peer_send(l->peers[n], &message);
    }
    while (has_peers(l) && gcl_clock_ns() < end) {
        wait_readable(l, 50);
        gcl_lifeline_progress(l);
    }
    return !has_peers(l);
}
