// Keys that are renewed while both nodes of a session send as much as goes through: between them
// are sockets with little room and a relay, which sees records as anybody on the network does.
//
// A record that changes the key is known by its size: messages here are never as short. What comes
// after it can be read by nobody who hasn't changed the key, too.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "cluster/transport/tls_session.h"
#include "cluster/wire/secret.h"

enum {
    TOTAL = 6 << 20,
    KEY_RECORDS = 10,
    LEAST_PIECE = 100,
    MOST_PIECE = 16000, ///< leaves in one record
    TURN = 100000,
    ROOM = 16384, ///< of a socket
    RECORD_HEAD = 5,
    KEY_UPDATE = 22, ///< bytes of a record behind its head: 5 of the message, its kind, 16 of proof
};

static const uint8_t secret[GCL_SECRET_SIZE] = {1, 2, 3};

/// One direction between the sockets, and the record that goes by.
struct lane {
    int from, to;
    uint8_t bytes[ROOM];
    size_t size, at; ///< of `bytes`: read, and written
    uint8_t head[RECORD_HEAD];
    size_t head_size, left;
    unsigned updates;
};

struct end {
    struct gcl_tls_sessions *sessions;
    struct gcl_tls_session *session;
    size_t sent, piece; ///< bytes, and those that are being written, 0: none
    size_t received;
    unsigned records;
    uint8_t salt;
};

struct road {
    struct lane lanes[2];
    struct end ends[2];
};

// The relay.

static void watch_record(struct lane *lane, uint8_t byte) {
    if (lane->left > 0) {
        lane->left--;
        return;
    }
    lane->head[lane->head_size++] = byte;
    if (lane->head_size < RECORD_HEAD)
        return;
    lane->head_size = 0;
    lane->left = (size_t)lane->head[3] << 8 | lane->head[4];
    lane->updates += lane->left == KEY_UPDATE;
}

static void relay(struct lane *lane) {
    if (lane->at == lane->size) {
        ssize_t got = recv(lane->from, lane->bytes, 1 + (size_t)rand() % ROOM, MSG_DONTWAIT);
        lane->at = 0;
        lane->size = got > 0 ? (size_t)got : 0;
        for (size_t i = 0; i < lane->size; i++)
            watch_record(lane, lane->bytes[i]);
    }
    ssize_t put =
        send(lane->to, lane->bytes + lane->at, lane->size - lane->at, MSG_DONTWAIT | MSG_NOSIGNAL);
    lane->at += put > 0 ? (size_t)put : 0;
}

static void relay_both(struct road *road) {
    relay(&road->lanes[0]);
    relay(&road->lanes[1]);
}

// The ends.

static uint8_t byte_at(uint8_t salt, size_t at) {
    return (uint8_t)(at * 7 + at / 251 + salt);
}

static size_t choose_piece(size_t left) {
    size_t piece = LEAST_PIECE + (size_t)rand() % (MOST_PIECE - 2 * LEAST_PIECE);
    return left < piece + LEAST_PIECE ? left : piece;
}

/// Writes as the carrier does: for a turn, or until the socket is full, and then flushes.
static void write_turn(struct end *end) {
    uint8_t bytes[MOST_PIECE];
    size_t written = 0, taken;
    enum gcl_tls_session_status status = GCL_TLS_SESSION_OK;
    while (end->sent < TOTAL && written < TURN && status == GCL_TLS_SESSION_OK) {
        if (end->piece == 0)
            end->piece = choose_piece(TOTAL - end->sent);
        for (size_t i = 0; i < end->piece; i++)
            bytes[i] = byte_at(end->salt, end->sent + i);
        status = gcl_tls_session_write(end->session, bytes, end->piece, &taken);
        assert_int_not_equal(status, GCL_TLS_SESSION_BROKEN);
        if (status != GCL_TLS_SESSION_OK)
            break;
        assert_int_equal(taken, end->piece);
        end->piece = 0;
        end->sent += taken;
        written += taken;
        end->records++;
    }
    assert_int_not_equal(gcl_tls_session_flush(end->session), GCL_TLS_SESSION_BROKEN);
}

static void read_turn(struct end *end, uint8_t salt) {
    uint8_t bytes[MOST_PIECE];
    size_t got = 0;
    enum gcl_tls_session_status status =
        gcl_tls_session_read(end->session, bytes, sizeof bytes, &got);
    assert_int_not_equal(status, GCL_TLS_SESSION_BROKEN);
    for (size_t i = 0; status == GCL_TLS_SESSION_OK && i < got; i++)
        assert_int_equal(bytes[i], byte_at(salt, end->received + i));
    end->received += status == GCL_TLS_SESSION_OK ? got : 0;
}

// The test.

static void open_end(struct road *road, gcl_node node, const int fds[2]) {
    struct end *end = &road->ends[node];
    const int room = ROOM;
    end->salt = (uint8_t)(node + 1);
    assert_int_equal(setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
    assert_int_equal(setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
    end->sessions = gcl_tls_sessions_create(node, 2, secret, KEY_RECORDS);
    assert_non_null(end->sessions);
    end->session = gcl_tls_session_create(end->sessions, fds[0], node == 1 ? 0 : GCL_NO_NODE);
    assert_non_null(end->session);
    road->lanes[node].from = road->lanes[1 - node].to = fds[1];
}

static void open_road(struct road *road) {
    for (gcl_node node = 0; node < 2; node++) {
        int fds[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
        open_end(road, node, fds);
    }
    uint64_t begin_ns = gcl_clock_ns();
    bool are_open = false;
    while (!are_open && ms_since(begin_ns) < 10000) {
        are_open = gcl_tls_session_shake_hands(road->ends[0].session) == GCL_TLS_SESSION_OK;
        are_open &= gcl_tls_session_shake_hands(road->ends[1].session) == GCL_TLS_SESSION_OK;
        relay_both(road);
    }
    assert_true(are_open);
    assert_int_equal(gcl_tls_session_node(road->ends[0].session), 1);
    assert_int_equal(gcl_tls_session_node(road->ends[1].session), 0);
    road->lanes[0].updates = road->lanes[1].updates = 0;
}

static void keys_are_renewed(void **state) {
    struct road *road = calloc(1, sizeof *road);
    struct end *ends = road->ends;
    (void)state;
    srand(1);
    open_road(road);
    uint64_t begin_ns = gcl_clock_ns();
    while ((ends[0].received < TOTAL || ends[1].received < TOTAL) && ms_since(begin_ns) < 60000) {
        for (int i = 0; i < 2; i++) {
            write_turn(&ends[i]);
            read_turn(&ends[i], ends[1 - i].salt);
        }
        relay_both(road);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ends[i].received, TOTAL);
        assert_int_equal(road->lanes[i].updates, (ends[i].records - 1) / KEY_RECORDS);
        assert_true(road->lanes[i].updates > 10);
        gcl_tls_session_destroy(ends[i].session);
        gcl_tls_sessions_destroy(ends[i].sessions);
        close(road->lanes[i].from);
    }
    free(road);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_renewed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
