// Which nodes get in. A node dials those with lower numbers; each is open to the others until all
// of them are in, and then has no port any more. Strangers are few, have a deadline each, and get
// nothing that depends on what they say: a flood of them delays a job's start, and can do no more.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/transport/tls_state.h"
#include "cluster/wire/socket.h"

#define MILLISECOND UINT64_C(1000000)
// As many as have lifelines notice a cut first, which know better what is cut off.
enum { KEEPALIVE_PROBES = 4 };
// A handshake takes milliseconds, and more where many nodes start on few processors.
#define PATIENCE_NS (5000 * MILLISECOND)
// A stranger's time while others wait for a place.
#define CROWDED_NS (500 * MILLISECOND)
#define STRANGER UINT64_C(0x100000000)
#define DOOR UINT64_C(0x200000000)

enum gcl_status gcl_tls_door_open(struct gcl_tls *t, uint32_t ip) {
    assert(t->door < 0);
    uint16_t port = 0;
    t->door = gcl_socket_listen(ip, &port);
    if (t->door < 0 || !gcl_tls_watch(t, EPOLL_CTL_ADD, t->door, DOOR)) {
        gcl_log(GCL_LOG_ERROR, "can't open a port for the other nodes: %s", strerror(errno));
        return GCL_SYSTEM;
    }
    for (int i = 0; i < 4; i++)
        t->address[i] = (uint8_t)(ip >> 8 * i);
    t->address[4] = (uint8_t)port;
    t->address[5] = (uint8_t)(port >> 8);
    return GCL_OK;
}

void gcl_tls_door_close(struct gcl_tls *t) {
    if (t->door < 0)
        return;
    close(t->door);
    t->door = -1;
    t->has_callers = false;
    for (int i = 0; i < GCL_TLS_STRANGERS; i++) {
        gcl_tls_session_destroy(t->strangers[i].session);
        t->strangers[i].session = NULL;
    }
}

void gcl_tls_door_close_after_last(struct gcl_tls *t) {
    for (gcl_node n = 0; n < t->count; n++) {
        if (t->peers[n].is_expected)
            return;
    }
    gcl_tls_door_close(t);
}

enum gcl_status gcl_tls_door_dial(struct gcl_tls *t, gcl_node node,
                                  const uint8_t bytes[GCL_TLS_ADDRESS_SIZE]) {
    struct gcl_tls_peer *peer = &t->peers[node];
    uint32_t ip = 0;
    assert(node < t->self);
    for (int i = 0; i < 4; i++)
        ip |= (uint32_t)bytes[i] << 8 * i;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(ip),
                                        .sin_port = htons((uint16_t)(bytes[4] | bytes[5] << 8))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0)
        gcl_socket_set_options(fd, KEEPALIVE_PROBES);
    if (fd < 0 || (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
                   errno != EINPROGRESS)) {
        gcl_log(GCL_LOG_ERROR, "can't connect to node %u: %s", node, strerror(errno));
        if (fd >= 0)
            close(fd);
        return GCL_SYSTEM;
    }
    peer->session = gcl_tls_session_create(t->sessions, fd, node);
    if (!peer->session)
        return GCL_NO_MEMORY;
    return gcl_tls_watch(t, EPOLL_CTL_ADD, fd, node) ? GCL_OK : GCL_SYSTEM;
}

// Strangers.

static void send_away(struct gcl_tls *t, struct gcl_tls_stranger *stranger, const char *why) {
    gcl_tls_session_destroy(stranger->session);
    stranger->session = NULL;
    t->options.refuse(t->options.receiver, why);
}

// What is in the way, NULL if nothing is.
static const char *why_not(const struct gcl_tls *t, gcl_node node) {
    if (t->peers[node].session)
        return "that node is there already";
    return t->peers[node].is_expected ? NULL : "nobody expects that node";
}

static void greet(struct gcl_tls *t, struct gcl_tls_stranger *stranger) {
    struct gcl_tls_session *session = stranger->session;
    enum gcl_tls_session_status status = gcl_tls_session_shake_hands(session);
    if (status == GCL_TLS_SESSION_BLOCKED)
        return;
    char reason[128] = "";
    if (status == GCL_TLS_SESSION_BROKEN)
        strncpy(reason, gcl_tls_session_reason(session), sizeof reason - 1);
    const char *why = reason[0] ? reason : why_not(t, gcl_tls_session_node(session));
    if (why) {
        send_away(t, stranger, why);
        return;
    }
    stranger->session = NULL;
    gcl_tls_adopt(t, gcl_tls_session_node(session), session);
}

static int free_place(const struct gcl_tls *t) {
    for (int i = 0; i < GCL_TLS_STRANGERS; i++) {
        if (!t->strangers[i].session)
            return i;
    }
    return -1;
}

// True if somebody came.
static bool accept_one(struct gcl_tls *t, int place) {
    int fd = accept4(t->door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return false;
    struct gcl_tls_stranger *stranger = &t->strangers[place];
    assert(!stranger->session);
    gcl_socket_set_options(fd, KEEPALIVE_PROBES);
    stranger->session = gcl_tls_session_create(t->sessions, fd, GCL_NO_NODE);
    stranger->since_ns = gcl_clock_ns();
    if (stranger->session && !gcl_tls_watch(t, EPOLL_CTL_ADD, fd, STRANGER + (uint64_t)place))
        send_away(t, stranger, "the system has no room for it");
    return true;
}

void gcl_tls_door_answer(struct gcl_tls *t, uint64_t what) {
    assert(what == DOOR || (what >= STRANGER && what < STRANGER + GCL_TLS_STRANGERS));
    if (what == DOOR)
        t->has_callers = true;
    else if (t->strangers[what - STRANGER].session)
        greet(t, &t->strangers[what - STRANGER]);
}

void gcl_tls_door_watch(struct gcl_tls *t) {
    uint64_t now = gcl_clock_ns();
    int place;
    while (t->has_callers && (place = free_place(t)) >= 0)
        t->has_callers = accept_one(t, place);
    uint64_t patience_ns = t->has_callers ? CROWDED_NS : PATIENCE_NS;
    for (int i = 0; i < GCL_TLS_STRANGERS; i++) {
        struct gcl_tls_stranger *stranger = &t->strangers[i];
        if (stranger->session && now > stranger->since_ns + patience_ns)
            send_away(t, stranger, "it says nothing");
    }
}
