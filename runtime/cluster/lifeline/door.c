// How nodes get in: doors, connections, and the handshake, in which both sides prove that they know
// the job's secret. Of a stranger nothing is read but that; of another user's process on this
// machine, nothing at all.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/peer.h"
#include "cluster/lifeline/state.h"
#include "cluster/wire/secret.h"
#include "cluster/wire/socket.h"

enum {
    UNACKNOWLEDGED_MS = 2500, // TCP gives a link up after that
    KEEPALIVE_PROBES = 2,
    MAX_REFUSALS_LOGGED = 10,
};

// Doors.

static bool watch(struct gcl_lifeline *l, int fd, void *what) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = what};
    return epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static int fail_door(int fd, const char *what) {
    gcl_log(GCL_LOG_ERROR, "can't open a socket for the job (%s): %s", what, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static socklen_t local_address(const char *name, struct sockaddr_un *address) {
    size_t length = strnlen(name, sizeof address->sun_path - 1);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path + 1, name, length); // abstract: nothing in the file system
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int open_local_door(struct gcl_wire_card *card) {
    struct sockaddr_un address;
    uint64_t random;
    if (gcl_secret_random(&random, sizeof random) != GCL_OK)
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(card->local_door, sizeof card->local_door, "gcluster-%016llx",
             (unsigned long long)random);
    socklen_t size = local_address(card->local_door, &address);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 128) != 0)
        return fail_door(fd, "Unix");
    return fd;
}

static int open_tcp_door(uint32_t ip, struct gcl_wire_card *card) {
    uint16_t port;
    int fd = gcl_socket_listen(ip, &port);
    if (fd < 0)
        return fail_door(fd, "TCP");
    card->door_address = ip;
    card->door_port = port;
    return fd;
}

enum gcl_status gcl_lifeline_listen(struct gcl_lifeline *l, uint32_t address,
                                    struct gcl_wire_card *card) {
    l->doors[0] = open_local_door(card);
    if (l->doors[0] < 0)
        return GCL_SYSTEM;
    if (address != 0 && (l->doors[1] = open_tcp_door(address, card)) < 0)
        return GCL_SYSTEM;
    for (int i = 0; i < 2; i++) {
        if (l->doors[i] >= 0 && !watch(l, l->doors[i], &l->doors[i]))
            return GCL_SYSTEM;
    }
    return GCL_OK;
}

// A lifeline's few bytes always have room at the other end: what isn't acknowledged says that the
// link is cut.
static void set_options(int fd) {
    const int timeout_ms = UNACKNOWLEDGED_MS;
    gcl_socket_set_options(fd, KEEPALIVE_PROBES);
    if (setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms) != 0)
        gcl_log(GCL_LOG_DEBUG, "a socket option can't be set: %s", strerror(errno));
}

static struct gcl_lifeline_peer *create_peer(int fd, enum gcl_lifeline_state state,
                                             bool is_remote) {
    struct gcl_lifeline_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->fd = fd;
    peer->state = state;
    peer->node = GCL_NO_NODE;
    peer->since_ns = gcl_clock_ns();
    peer->is_remote = is_remote;
    if (gcl_secret_random(peer->our_nonce, sizeof peer->our_nonce) != GCL_OK) {
        free(peer);
        return NULL;
    }
    if (is_remote)
        set_options(fd);
    return peer;
}

static void refuse(struct gcl_lifeline *l, const char *why) {
    if (++l->refused <= MAX_REFUSALS_LOGGED)
        gcl_log(GCL_LOG_WARN, "a connection was refused: %s%s", why,
                l->refused == MAX_REFUSALS_LOGGED ? " (no more of these are shown)" : "");
}

void gcl_lifeline_accept(struct gcl_lifeline *l, int door) {
    int fd = accept4(door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    if (door == l->doors[0] && !gcl_peer_is_mine(fd)) {
        refuse(l, "it is another user's");
        close(fd);
        return;
    }
    for (int i = 0; i < GCL_LIFELINE_STRANGERS; i++) {
        if (l->strangers[i])
            continue;
        struct gcl_lifeline_peer *peer =
            create_peer(fd, GCL_LIFELINE_AWAITS_HELLO, door == l->doors[1]);
        if (!peer || !watch(l, fd, peer)) {
            free(peer);
            break;
        }
        l->strangers[i] = peer;
        return;
    }
    refuse(l, "too many at once");
    close(fd);
}

void gcl_lifeline_end_stranger(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                               const char *why) {
    refuse(l, why);
    for (int i = 0; i < GCL_LIFELINE_STRANGERS; i++) {
        if (l->strangers[i] == peer)
            l->strangers[i] = NULL;
    }
    gcl_lifeline_peer_close(peer);
}

uint64_t gcl_lifeline_refused(const struct gcl_lifeline *l) {
    return l->refused;
}

static int connect_socket(const struct gcl_wire_card *card, bool is_local) {
    struct sockaddr_un local;
    struct sockaddr_in remote = {.sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(card->door_address),
                                 .sin_port = htons((uint16_t)card->door_port)};
    int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (!is_local)
        set_options(fd);
    int result =
        is_local ? connect(fd, (struct sockaddr *)&local, local_address(card->local_door, &local))
                 : connect(fd, (struct sockaddr *)&remote, sizeof remote);
    if (result == 0 && is_local && !gcl_peer_is_mine(fd)) {
        result = -1;
        errno = EACCES;
    }
    if (result == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        return fd;
    close(fd);
    return -1;
}

struct gcl_lifeline_peer *gcl_lifeline_dial(struct gcl_lifeline *l,
                                            const struct gcl_wire_card *card, bool is_local) {
    struct gcl_wire_message hello = {.kind = GCL_WIRE_HELLO, .from = l->options.self};
    int fd = connect_socket(card, is_local);
    if (fd < 0) {
        gcl_log(GCL_LOG_ERROR, "can't connect to node 0 on %s: %s", card->host, strerror(errno));
        return NULL;
    }
    struct gcl_lifeline_peer *peer = create_peer(fd, GCL_LIFELINE_AWAITS_CHALLENGE, !is_local);
    if (!peer || !watch(l, fd, peer)) {
        close(fd);
        free(peer);
        return NULL;
    }
    peer->node = 0;
    memcpy(hello.hello.nonce, peer->our_nonce, sizeof peer->our_nonce);
    if (!gcl_lifeline_peer_send(peer, &hello))
        peer->state = GCL_LIFELINE_CLOSED;
    return peer;
}

// The handshake. Each returns NULL, or why the other side isn't let in.

static const char *answer_hello(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                                const struct gcl_wire_message *message) {
    struct gcl_wire_message answer = {.kind = GCL_WIRE_CHALLENGE, .from = l->options.self};
    if (message->kind != GCL_WIRE_HELLO)
        return "it didn't begin with its name";
    if (message->from == 0 || message->from >= l->options.count)
        return "it isn't a node of this job";
    assert(peer->node == GCL_NO_NODE && l->options.self == 0);
    peer->node = message->from;
    memcpy(peer->their_nonce, message->hello.nonce, sizeof peer->their_nonce);
    memcpy(answer.challenge.nonce, peer->our_nonce, sizeof peer->our_nonce);
    gcl_secret_prove(l->options.secret, "controller", peer->node, peer->our_nonce,
                     peer->their_nonce, answer.challenge.proof);
    peer->state = GCL_LIFELINE_AWAITS_PROOF;
    return gcl_lifeline_peer_send(peer, &answer) ? NULL : "it closed the connection";
}

static const char *answer_challenge(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                                    const struct gcl_wire_message *message) {
    uint8_t expected[GCL_WIRE_PROOF_SIZE];
    struct gcl_wire_message answer = {.kind = GCL_WIRE_PROOF, .from = l->options.self};
    if (message->kind != GCL_WIRE_CHALLENGE)
        return "it didn't prove that it knows the job's secret";
    memcpy(peer->their_nonce, message->challenge.nonce, sizeof peer->their_nonce);
    gcl_secret_prove(l->options.secret, "controller", l->options.self, peer->their_nonce,
                     peer->our_nonce, expected);
    if (!gcl_secret_equal(expected, message->challenge.proof, sizeof expected))
        return "it doesn't know the job's secret";
    gcl_secret_prove(l->options.secret, "node", l->options.self, peer->our_nonce, peer->their_nonce,
                     answer.proof.proof);
    peer->state = GCL_LIFELINE_AWAITS_WELCOME;
    return gcl_lifeline_peer_send(peer, &answer) ? NULL : "it closed the connection";
}

static const char *check_proof(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                               const struct gcl_wire_message *message) {
    uint8_t expected[GCL_WIRE_PROOF_SIZE];
    struct gcl_wire_message answer = {.kind = GCL_WIRE_WELCOME, .welcome.count = l->options.count};
    if (message->kind != GCL_WIRE_PROOF)
        return "it didn't prove that it knows the job's secret";
    gcl_secret_prove(l->options.secret, "node", peer->node, peer->their_nonce, peer->our_nonce,
                     expected);
    if (!gcl_secret_equal(expected, message->proof.proof, sizeof expected))
        return "it doesn't know the job's secret";
    assert(peer->node != GCL_NO_NODE && peer->node < l->options.count);
    if (l->peers[peer->node] || l->is_lost[peer->node])
        return "that node is there already";
    peer->state = GCL_LIFELINE_OPEN;
    l->peers[peer->node] = peer;
    for (int i = 0; i < GCL_LIFELINE_STRANGERS; i++) {
        if (l->strangers[i] == peer)
            l->strangers[i] = NULL;
    }
    return gcl_lifeline_peer_send(peer, &answer) ? NULL : "it closed the connection";
}

static const char *check_welcome(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                                 const struct gcl_wire_message *message) {
    if (message->kind != GCL_WIRE_WELCOME || message->welcome.count != l->options.count)
        return "it runs another job";
    peer->state = GCL_LIFELINE_OPEN;
    return NULL;
}

const char *gcl_lifeline_shake_hands(struct gcl_lifeline *l, struct gcl_lifeline_peer *peer,
                                     const struct gcl_wire_message *message) {
    switch ((unsigned)peer->state) {
    case GCL_LIFELINE_AWAITS_HELLO:
        return answer_hello(l, peer, message);
    case GCL_LIFELINE_AWAITS_CHALLENGE:
        return answer_challenge(l, peer, message);
    case GCL_LIFELINE_AWAITS_PROOF:
        return check_proof(l, peer, message);
    case GCL_LIFELINE_AWAITS_WELCOME:
        return check_welcome(l, peer, message);
    }
    return "it is closed";
}
