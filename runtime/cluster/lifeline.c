// A frame is its length, two bytes little-endian, and a control message. Streams never block: what
// can't be written at once is a stream whose other end doesn't read, and beats are left out then.
//
// States: node 0 awaits HELLO, answers CHALLENGE, awaits PROOF, answers WELCOME. Another node sends
// HELLO, awaits CHALLENGE, answers PROOF, awaits WELCOME. Only then is a stream open.
#include "lifeline.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/secret.h"

#define MILLISECOND UINT64_C(1000000)
#define SECOND (1000 * MILLISECOND)
#define BEAT_NS (250 * MILLISECOND)
#define STALL_NS (4 * SECOND)
// Who connects has that long to prove itself.
#define PROVE_NS (5 * SECOND)

enum {
    UNACKNOWLEDGED_MS = 2500, // TCP gives a link up after that
    MAX_STRANGERS = 256,      // connections that haven't proven anything yet
    MAX_FRAME = 2 + GCL_WIRE_MAX_SIZE,
    MAX_EVENTS = 16,
    MAX_REFUSALS_LOGGED = 10,
};

enum state { CLOSED, AWAITS_HELLO, AWAITS_CHALLENGE, AWAITS_PROOF, AWAITS_WELCOME, OPEN };

struct stream {
    int fd;
    enum state state;
    gcl_node node;     // GCL_NO_NODE until it has said
    uint64_t since_ns; // opened, then heard last
    bool is_stalled;
    bool is_remote;
    size_t used; // bytes in `buffer`
    uint8_t our_nonce[GCL_WIRE_NONCE_SIZE], their_nonce[GCL_WIRE_NONCE_SIZE];
    uint8_t buffer[MAX_FRAME];
};

struct gcl_lifeline {
    struct gcl_lifeline_options options;
    int epoll;
    int doors[2]; // Unix, TCP; -1: none
    uint64_t beat, beaten_ns, refused;
    struct stream *strangers[MAX_STRANGERS];
    struct stream **streams; // by node; NULL: none (yet, or any more)
    bool *is_lost;           // by node
    bool is_ending;
};

struct gcl_lifeline *gcl_lifeline_create(const struct gcl_lifeline_options *options) {
    struct gcl_lifeline *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->options = *options;
    l->doors[0] = l->doors[1] = -1;
    l->epoll = epoll_create1(EPOLL_CLOEXEC);
    l->streams = calloc(options->count, sizeof(struct stream *));
    l->is_lost = calloc(options->count, sizeof(bool));
    if (l->epoll < 0 || !l->streams || !l->is_lost) {
        gcl_lifeline_destroy(l);
        return NULL;
    }
    return l;
}

static void close_stream(struct stream *stream) {
    if (!stream)
        return;
    close(stream->fd); // which takes it out of the epoll set
    free(stream);
}

void gcl_lifeline_abandon(struct gcl_lifeline *l) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->streams[n])
            close(l->streams[n]->fd);
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
    for (int i = 0; i < MAX_STRANGERS; i++)
        close_stream(l->strangers[i]);
    for (gcl_node n = 0; l->streams && n < l->options.count; n++)
        close_stream(l->streams[n]);
    if (l->epoll >= 0)
        close(l->epoll);
    free(l->streams);
    free(l->is_lost);
    free(l);
}

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
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(ip)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 128) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return fail_door(fd, "TCP");
    card->door_address = ip;
    card->door_port = ntohs(address.sin_port);
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

// What TCP needs to notice a cut link in time.
static void set_options(int fd) {
    const struct {
        int level, name, value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},   {IPPROTO_TCP, TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS},
        {SOL_SOCKET, SO_KEEPALIVE, 1},   {IPPROTO_TCP, TCP_KEEPIDLE, 1},
        {IPPROTO_TCP, TCP_KEEPINTVL, 1}, {IPPROTO_TCP, TCP_KEEPCNT, 2},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int)) != 0)
            gcl_log(GCL_LOG_DEBUG, "a socket option can't be set: %s", strerror(errno));
    }
}

static struct stream *create_stream(int fd, enum state state, bool is_remote) {
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->fd = fd;
    stream->state = state;
    stream->node = GCL_NO_NODE;
    stream->since_ns = gcl_clock_ns();
    stream->is_remote = is_remote;
    if (gcl_secret_random(stream->our_nonce, sizeof stream->our_nonce) != GCL_OK) {
        free(stream);
        return NULL;
    }
    if (is_remote)
        set_options(fd);
    return stream;
}

static void refuse(struct gcl_lifeline *l, const char *why) {
    if (++l->refused <= MAX_REFUSALS_LOGGED)
        gcl_log(GCL_LOG_WARN, "a connection was refused: %s%s", why,
                l->refused == MAX_REFUSALS_LOGGED ? " (no more of these are shown)" : "");
}

static void accept_stranger(struct gcl_lifeline *l, int door) {
    int fd = accept4(door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    for (int i = 0; i < MAX_STRANGERS; i++) {
        if (l->strangers[i])
            continue;
        struct stream *stream = create_stream(fd, AWAITS_HELLO, door == l->doors[1]);
        if (!stream || !watch(l, fd, stream)) {
            free(stream);
            break;
        }
        l->strangers[i] = stream;
        return;
    }
    refuse(l, "too many at once");
    close(fd);
}

// Frames.

// Whether the frame went out as a whole. A beat that doesn't fit may be left out; a stream that
// took a part of a frame is broken, which the caller treats as lost.
static bool send_frame(struct stream *stream, const struct gcl_wire_message *message,
                       bool *is_broken) {
    uint8_t frame[MAX_FRAME];
    size_t size = gcl_wire_write(message, frame + 2, sizeof frame - 2);
    frame[0] = (uint8_t)size;
    frame[1] = (uint8_t)(size >> 8);
    ssize_t written = send(stream->fd, frame, size + 2, MSG_NOSIGNAL);
    bool is_full = written < 0 && (errno == EAGAIN || errno == EINTR);
    *is_broken = !is_full && written != (ssize_t)size + 2;
    return written == (ssize_t)size + 2;
}

static bool send_or_break(struct stream *stream, const struct gcl_wire_message *message) {
    bool is_broken;
    return send_frame(stream, message, &is_broken);
}

// The handshake. Each returns NULL, or why the other side isn't let in.

static const char *answer_hello(struct gcl_lifeline *l, struct stream *stream,
                                const struct gcl_wire_message *message) {
    struct gcl_wire_message answer = {.kind = GCL_WIRE_CHALLENGE, .from = l->options.self};
    if (message->kind != GCL_WIRE_HELLO)
        return "it didn't begin with its name";
    if (message->from == 0 || message->from >= l->options.count)
        return "it isn't a node of this job";
    stream->node = message->from;
    memcpy(stream->their_nonce, message->hello.nonce, sizeof stream->their_nonce);
    memcpy(answer.challenge.nonce, stream->our_nonce, sizeof stream->our_nonce);
    gcl_secret_prove(l->options.secret, "controller", stream->node, stream->our_nonce,
                     stream->their_nonce, answer.challenge.proof);
    stream->state = AWAITS_PROOF;
    return send_or_break(stream, &answer) ? NULL : "it closed the connection";
}

static const char *answer_challenge(struct gcl_lifeline *l, struct stream *stream,
                                    const struct gcl_wire_message *message) {
    uint8_t expected[GCL_WIRE_PROOF_SIZE];
    struct gcl_wire_message answer = {.kind = GCL_WIRE_PROOF, .from = l->options.self};
    if (message->kind != GCL_WIRE_CHALLENGE)
        return "it didn't prove that it knows the job's secret";
    memcpy(stream->their_nonce, message->challenge.nonce, sizeof stream->their_nonce);
    gcl_secret_prove(l->options.secret, "controller", l->options.self, stream->their_nonce,
                     stream->our_nonce, expected);
    if (!gcl_secret_equal(expected, message->challenge.proof, sizeof expected))
        return "it doesn't know the job's secret";
    gcl_secret_prove(l->options.secret, "node", l->options.self, stream->our_nonce,
                     stream->their_nonce, answer.proof.proof);
    stream->state = AWAITS_WELCOME;
    return send_or_break(stream, &answer) ? NULL : "it closed the connection";
}

static const char *check_proof(struct gcl_lifeline *l, struct stream *stream,
                               const struct gcl_wire_message *message) {
    uint8_t expected[GCL_WIRE_PROOF_SIZE];
    struct gcl_wire_message answer = {.kind = GCL_WIRE_WELCOME, .welcome.count = l->options.count};
    if (message->kind != GCL_WIRE_PROOF)
        return "it didn't prove that it knows the job's secret";
    gcl_secret_prove(l->options.secret, "node", stream->node, stream->their_nonce,
                     stream->our_nonce, expected);
    if (!gcl_secret_equal(expected, message->proof.proof, sizeof expected))
        return "it doesn't know the job's secret";
    if (l->streams[stream->node] || l->is_lost[stream->node])
        return "that node is there already";
    stream->state = OPEN;
    l->streams[stream->node] = stream;
    for (int i = 0; i < MAX_STRANGERS; i++) {
        if (l->strangers[i] == stream)
            l->strangers[i] = NULL;
    }
    return send_or_break(stream, &answer) ? NULL : "it closed the connection";
}

static const char *check_welcome(struct gcl_lifeline *l, struct stream *stream,
                                 const struct gcl_wire_message *message) {
    if (message->kind != GCL_WIRE_WELCOME || message->welcome.count != l->options.count)
        return "it runs another job";
    stream->state = OPEN;
    return NULL;
}

// What open streams carry.

static void lose(struct gcl_lifeline *l, gcl_node node, const char *reason) {
    if (l->streams[node])
        close_stream(l->streams[node]);
    l->streams[node] = NULL;
    if (l->is_lost[node])
        return;
    l->is_lost[node] = true;
    if (!l->is_ending)
        l->options.calls.lost(l->options.context, node, reason);
}

static const char *take_message(struct gcl_lifeline *l, struct stream *stream,
                                const struct gcl_wire_message *message) {
    switch ((unsigned)message->kind) {
    case GCL_WIRE_BEAT:
        return NULL;
    case GCL_WIRE_LOST:
        if (message->lost.node >= l->options.count)
            return "it names a node that doesn't exist";
        if (message->lost.node != stream->node && !l->is_lost[message->lost.node])
            lose(l, message->lost.node, message->lost.reason);
        return NULL;
    case GCL_WIRE_BYE:
        if (stream->node != 0)
            return "it ends the job, which only node 0 does";
        l->is_ending = true;
        l->options.calls.bye(l->options.context, message->bye.is_failure != 0);
        return NULL;
    default:
        return "it says what isn't said here";
    }
}

static const char *handle(struct gcl_lifeline *l, struct stream *stream,
                          const struct gcl_wire_message *message) {
    switch (stream->state) {
    case AWAITS_HELLO:
        return answer_hello(l, stream, message);
    case AWAITS_CHALLENGE:
        return answer_challenge(l, stream, message);
    case AWAITS_PROOF:
        return check_proof(l, stream, message);
    case AWAITS_WELCOME:
        return check_welcome(l, stream, message);
    case OPEN:
        return take_message(l, stream, message);
    case CLOSED:
        break;
    }
    return "it is closed";
}

// Reading.

static void resume(struct gcl_lifeline *l, struct stream *stream) {
    stream->since_ns = gcl_clock_ns();
    if (!stream->is_stalled)
        return;
    stream->is_stalled = false;
    l->options.calls.stalled(l->options.context, stream->node, 0);
}

// Handles whole frames at the front of the buffer; NULL, or what is wrong with one.
static const char *take_frames(struct gcl_lifeline *l, struct stream *stream) {
    while (stream->used >= 2) {
        struct gcl_wire_message message;
        size_t size = (size_t)stream->buffer[0] | (size_t)stream->buffer[1] << 8;
        if (size > GCL_WIRE_MAX_SIZE)
            return "a message is too long";
        if (stream->used < 2 + size)
            return NULL;
        const char *wrong = gcl_wire_read(stream->buffer + 2, size, &message);
        if (wrong)
            return wrong;
        stream->used -= 2 + size;
        memmove(stream->buffer, stream->buffer + 2 + size, stream->used);
        if (stream->state == OPEN)
            resume(l, stream);
        wrong = handle(l, stream, &message);
        if (wrong)
            return wrong;
    }
    return NULL;
}

// NULL, or why the stream ends.
static const char *read_stream(struct gcl_lifeline *l, struct stream *stream) {
    for (;;) {
        ssize_t got = recv(stream->fd, stream->buffer + stream->used,
                           sizeof stream->buffer - stream->used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return NULL;
        if (got < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH))
            return GCL_LIFELINE_CUT;
        if (got <= 0)
            return GCL_LIFELINE_ENDED;
        stream->used += (size_t)got;
        const char *wrong = take_frames(l, stream);
        if (wrong)
            return wrong;
    }
}

static void end_stranger(struct gcl_lifeline *l, struct stream *stream, const char *why) {
    refuse(l, why);
    for (int i = 0; i < MAX_STRANGERS; i++) {
        if (l->strangers[i] == stream)
            l->strangers[i] = NULL;
    }
    close_stream(stream);
}

static void progress_stream(struct gcl_lifeline *l, struct stream *stream) {
    const char *wrong = read_stream(l, stream);
    if (!wrong)
        return;
    if (stream->state == OPEN)
        lose(l, stream->node, wrong);
    else if (l->options.self == 0)
        end_stranger(l, stream, wrong);
    else
        stream->state = CLOSED; // gcl_lifeline_connect says so
}

static void beat(struct gcl_lifeline *l, uint64_t now) {
    struct gcl_wire_message message = {
        .kind = GCL_WIRE_BEAT, .from = l->options.self, .beat.sequence = ++l->beat};
    bool is_broken;
    l->beaten_ns = now;
    for (gcl_node n = 0; n < l->options.count; n++) {
        struct stream *stream = l->streams[n];
        if (stream && !send_frame(stream, &message, &is_broken) && is_broken)
            lose(l, n, errno == ETIMEDOUT ? GCL_LIFELINE_CUT : GCL_LIFELINE_ENDED);
    }
}

static void find_silence(struct gcl_lifeline *l, uint64_t now) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        struct stream *stream = l->streams[n];
        uint64_t silent_ns = stream ? now - stream->since_ns : 0;
        if (silent_ns > STALL_NS && !stream->is_stalled) {
            stream->is_stalled = true;
            l->options.calls.stalled(l->options.context, n, silent_ns);
        }
        if (l->options.timeout_ns && silent_ns > l->options.timeout_ns)
            lose(l, n, "it has been silent for longer than GCL_TIMEOUT allows");
    }
    for (int i = 0; i < MAX_STRANGERS; i++) {
        if (l->strangers[i] && now > l->strangers[i]->since_ns + PROVE_NS)
            end_stranger(l, l->strangers[i], "it said nothing");
    }
}

void gcl_lifeline_progress(struct gcl_lifeline *l) {
    struct epoll_event events[MAX_EVENTS];
    int count = epoll_wait(l->epoll, events, MAX_EVENTS, 0);

    for (int i = 0; i < count; i++) {
        void *what = events[i].data.ptr;
        if (what == &l->doors[0] || what == &l->doors[1]) {
            accept_stranger(l, *(int *)what);
        } else {
            // One stream's end may take others with it: the rest comes with the next call.
            progress_stream(l, what);
            break;
        }
    }
    uint64_t now = gcl_clock_ns();
    if (now >= l->beaten_ns + BEAT_NS) {
        beat(l, now);
        find_silence(l, now);
    }
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
            missing = l->streams[n] ? 0 : n;
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
    if (result == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        return fd;
    close(fd);
    return -1;
}

enum gcl_status gcl_lifeline_connect(struct gcl_lifeline *l, const struct gcl_wire_card *card,
                                     bool is_local, unsigned seconds) {
    uint64_t end = gcl_clock_ns() + seconds * SECOND;
    struct gcl_wire_message hello = {.kind = GCL_WIRE_HELLO, .from = l->options.self};
    int fd = connect_socket(card, is_local);
    if (fd < 0) {
        gcl_log(GCL_LOG_ERROR, "can't connect to node 0 on %s: %s", card->host, strerror(errno));
        return GCL_SYSTEM;
    }
    struct stream *stream = create_stream(fd, AWAITS_CHALLENGE, !is_local);
    if (!stream || !watch(l, fd, stream)) {
        close(fd);
        free(stream);
        return GCL_SYSTEM;
    }
    l->streams[0] = stream;
    stream->node = 0;
    memcpy(hello.hello.nonce, stream->our_nonce, sizeof stream->our_nonce);
    if (!send_or_break(stream, &hello))
        stream->state = CLOSED;
    // Once open it may also end again, and then is no more.
    while (l->streams[0] && stream->state != OPEN && stream->state != CLOSED &&
           gcl_clock_ns() < end) {
        wait_readable(l, 100);
        progress_stream(l, stream);
    }
    if (l->streams[0] && stream->state == OPEN)
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
        if (l->streams[n])
            send_or_break(l->streams[n], &message);
    }
}

static bool has_streams(const struct gcl_lifeline *l) {
    for (gcl_node n = 0; n < l->options.count; n++) {
        if (l->streams[n])
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
        if (l->streams[n])
            send_or_break(l->streams[n], &message);
    }
    while (has_streams(l) && gcl_clock_ns() < end) {
        wait_readable(l, 50);
        gcl_lifeline_progress(l);
    }
    return !has_streams(l);
}

uint64_t gcl_lifeline_refused(const struct gcl_lifeline *l) {
    return l->refused;
}
