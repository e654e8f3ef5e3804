// Messages between two transports of one process, over shared memory and over TLS: those from who
// doesn't know the secret are dropped, whatever they carry, nobody else finds a port, and who knows
// the secret and sends what can't be read is blamed.
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "cluster/transport/carrier.h"
#include "cluster/transport/transport.h"
#include "cluster/wire/secret.h"

enum { SMALL = 100, LARGE = 4 << 20, ADDRESS_AT = 2, MESSAGES = 2000, STRANGERS = 60 };

static const uint8_t secret[GCL_SECRET_SIZE] = {1, 2, 3}, wrong[GCL_SECRET_SIZE] = {1, 2, 4};
static int message_count, payload_count, sent_count, failed_count, lost_count, blamed_count;
static unsigned char *sent, *received;

static void receive_payload(void *context, enum gcl_status status) {
    (void)context;
    assert_int_equal(status, GCL_OK);
    payload_count++;
}

static void receive(void *context, const struct gcl_wire_message *message,
                    struct gcl_incoming *payload) {
    (void)context;
    assert_int_equal(message->kind, GCL_WIRE_DATA);
    assert_int_equal(message->from, 1);
    message_count++;
    gcl_incoming_receive(payload, received, receive_payload, NULL);
}

static void finish_send(void *context, enum gcl_status status) {
    (void)context;
    sent_count++;
    failed_count += status != GCL_OK;
}

static void lose(void *context, gcl_node node, const char *reason) {
    (void)context, (void)node;
    assert_true(strlen(reason) > 0);
    lost_count++;
}

static char blamed[200];

static void note_blame(void *context, gcl_node node, const char *reason) {
    (void)context;
    assert_int_equal(node, 1);
    snprintf(blamed, sizeof blamed, "%s", reason);
    blamed_count++;
}

static struct gcl_transport *start(gcl_node self, const uint8_t *known, bool is_one_host,
                                   gcl_transport_handler handler) {
    const bool shares_memory[2] = {is_one_host || self == 0, is_one_host || self == 1};
    message_count = payload_count = sent_count = failed_count = lost_count = 0;
    blamed_count = 0;
    return gcl_transport_create(&(struct gcl_transport_options){.self = self,
                                                                .count = 2,
                                                                .secret = known,
                                                                .shares_memory = shares_memory,
                                                                .address = INADDR_LOOPBACK,
                                                                .handler = handler,
                                                                .lost = lose,
                                                                .blame = note_blame});
}

static struct gcl_transport *create(gcl_node self, const uint8_t *known, bool is_one_host) {
    struct gcl_transport *t = start(self, known, is_one_host, receive);
    assert_non_null(t);
    return t;
}

static void connect_node(struct gcl_transport *from, gcl_node node,
                         const struct gcl_transport *to) {
    size_t size;
    const void *address = gcl_transport_address(to, &size);
    assert_int_equal(gcl_transport_connect(from, node, address, size), GCL_OK);
}

static void progress(struct gcl_transport *one, struct gcl_transport *other, int ms,
                     const int *count, int until) {
    uint64_t begin_ns = gcl_clock_ns();
    while (ms_since(begin_ns) < ms && *count < until) {
        gcl_transport_progress(one);
        gcl_transport_progress(other);
    }
}

static void send_request(struct gcl_transport *from, gcl_node to, size_t size) {
    const struct gcl_wire_message message = {.kind = GCL_WIRE_DATA, .data.tag = size};
    gcl_transport_send(from, to, &message, sent, size, finish_send, NULL);
}

// Node 1, which knows `known`, sends a small and a large payload to node 0.
static uint64_t send_both(const uint8_t *known, bool is_one_host) {
    struct gcl_transport *to = create(0, secret, is_one_host);
    struct gcl_transport *from = create(1, known, is_one_host);
    memset(received, 0, LARGE);
    connect_node(from, 0, to);
    send_request(from, 0, SMALL);
    send_request(from, 0, LARGE);
    progress(from, to, known == secret ? 10000 : 1000, &payload_count, 2);
    uint64_t refused = gcl_transport_refused(to);
    gcl_transport_destroy(from);
    gcl_transport_destroy(to);
    return refused;
}

static void right_secret(void **state) {
    (void)state;
    for (int is_one_host = 0; is_one_host < 2; is_one_host++) {
        assert_int_equal(send_both(secret, is_one_host), 0);
        assert_int_equal(message_count, 2);
        assert_int_equal(payload_count, 2);
        assert_int_equal(sent_count, 2);
        assert_memory_equal(received, sent, LARGE);
    }
}

static void wrong_secret(void **state) {
    (void)state;
    for (int is_one_host = 0; is_one_host < 2; is_one_host++) {
        assert_int_equal(send_both(wrong, is_one_host), is_one_host ? 2 : 1);
        assert_int_equal(message_count, 0);
        assert_int_equal(lost_count, is_one_host ? 0 : 1);
        for (size_t i = 0; i < LARGE; i++)
            assert_int_equal(received[i], 0);
    }
}

// Ports.

// Whether a socket with that number is one of this process.
static bool is_own(unsigned long number) {
    char path[300], target[64], wanted[64];
    bool is_found = false;
    DIR *folder = opendir("/proc/self/fd");
    snprintf(wanted, sizeof wanted, "socket:[%lu]", number);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        ssize_t size = readlink(path, target, sizeof target - 1);
        target[size > 0 ? size : 0] = 0;
        is_found |= strcmp(target, wanted) == 0;
    }
    closedir(folder);
    return is_found;
}

// This process' sockets that take what comes from anybody: in state 10 (listening) of TCP, or 7 of
// UDP.
static int count_ports(void) {
    static const char *const tables[] = {"tcp", "tcp6", "udp", "udp6"};
    int count = 0;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char path[64], line[300];
        unsigned kind;
        unsigned long number;
        snprintf(path, sizeof path, "/proc/self/net/%s", tables[i]);
        FILE *file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file)) {
            if (sscanf(line, "%*s %*s %*s %x %*s %*s %*s %*s %*s %lu", &kind, &number) == 2 &&
                kind == (i < 2 ? 10u : 7u))
                count += is_own(number);
        }
        if (file)
            fclose(file);
    }
    return count;
}

static void ports(void **state) {
    (void)state;
    for (int is_one_host = 0; is_one_host < 2; is_one_host++) {
        struct gcl_transport *to = create(0, secret, is_one_host);
        struct gcl_transport *from = create(1, secret, is_one_host);
        assert_int_equal(count_ports(), is_one_host ? 0 : 1); // nobody dials the last node
        connect_node(from, 0, to);
        connect_node(to, 1, from);
        send_request(from, 0, SMALL);
        progress(from, to, 10000, &payload_count, 1);
        assert_int_equal(count_ports(), 0);
        assert_int_equal(gcl_transport_awaited(from), GCL_NO_NODE);
        assert_string_equal(gcl_transport_link(from, 0), is_one_host ? "posix/memory" : "tls");
        gcl_transport_destroy(from);
        gcl_transport_destroy(to);
    }
}

static void tcp_by_ucx(void **state) {
    (void)state;
    static const char *const settings[] = {"tcp,self", "all", "^cma"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        setenv("UCX_TLS", settings[i], 1);
        assert_null(start(0, secret, true, receive));
        assert_null(start(0, secret, false, receive));
        assert_int_equal(count_ports(), 0);
    }
    unsetenv("UCX_TLS");
}

// Strangers.

static int dial(const struct gcl_transport *to) {
    size_t size;
    const uint8_t *bytes = (const uint8_t *)gcl_transport_address(to, &size) + ADDRESS_AT;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons((uint16_t)(bytes[4] | bytes[5] << 8))};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

// More than there is room for, of which some say nothing, and some nonsense; a node gets in.
static void strangers(void **state) {
    (void)state;
    int fds[STRANGERS];
    struct gcl_transport *to = create(0, secret, false), *from = create(1, secret, false);
    uint8_t nonsense[2000];
    memset(nonsense, 22, sizeof nonsense); // a handshake's record, in TLS
    for (int i = 0; i < STRANGERS; i++) {
        fds[i] = dial(to);
        if (i % 3 == 0)
            assert_true(send(fds[i], nonsense, sizeof nonsense, MSG_NOSIGNAL) > 0);
    }
    connect_node(from, 0, to);
    send_request(from, 0, LARGE);
    progress(from, to, 20000, &payload_count, 1);
    assert_int_equal(payload_count, 1);
    assert_int_equal(lost_count, 0);
    assert_true(gcl_transport_refused(to) > 0);
    gcl_transport_destroy(from);
    gcl_transport_destroy(to);
    for (int i = 0; i < STRANGERS; i++)
        close(fds[i]);
}

// Messages that can't be read.

struct letter {
    uint8_t bytes[GCL_WIRE_MAX_SIZE];
    size_t size;
};

static struct letter write_letter(uint64_t token) {
    const struct gcl_wire_message message = {
        .kind = GCL_WIRE_MEASURED, .from = 1, .token = token, .measured.link = "posix"};
    struct letter letter;
    letter.size = gcl_wire_write(&message, letter.bytes, sizeof letter.bytes);
    return letter;
}

static void take_nothing(void *receiver, gcl_node from, const uint8_t *head, size_t head_size,
                         struct gcl_incoming *payload) {
    (void)receiver, (void)from, (void)head, (void)head_size, (void)payload;
}

static void lose_home(void *receiver, gcl_node node, const char *reason) {
    (void)receiver, (void)node, (void)reason;
}

// Node 1 sends node 0 a letter with a payload, by a carrier alone, which writes what it's told.
// Returns how many messages were refused.
static uint64_t deliver(const struct letter *letter, bool is_one_host) {
    const bool shares_memory[2] = {is_one_host, true};
    const struct gcl_transport_options options = {.self = 1,
                                                  .count = 2,
                                                  .secret = secret,
                                                  .shares_memory = shares_memory,
                                                  .address = INADDR_LOOPBACK};
    const struct gcl_carrier_options carrier_options = {
        .transport = &options, .take = take_nothing, .lose = lose_home, .blame = lose_home};
    const struct gcl_outgoing payload = {.payload = sent, .size = SMALL};
    struct gcl_transport *to = create(0, secret, is_one_host);
    struct gcl_carrier *from =
        is_one_host ? gcl_ucx_create(&carrier_options) : gcl_tls_create(&carrier_options);
    assert_non_null(from);
    size_t size;
    const uint8_t *address = gcl_transport_address(to, &size);
    size_t tls_size = address[1], at = ADDRESS_AT + (is_one_host ? tls_size : 0);
    assert_int_equal(
        from->calls->connect(from, 0, address + at, is_one_host ? size - at : tls_size), GCL_OK);
    from->calls->send(from, 0, letter->bytes, letter->size, &payload);
    uint64_t begin_ns = gcl_clock_ns();
    while (ms_since(begin_ns) < 10000 && blamed_count == 0 && gcl_transport_refused(to) == 0) {
        from->calls->progress(from);
        gcl_transport_progress(to);
    }
    uint64_t refused = gcl_transport_refused(to);
    from->calls->destroy(from);
    gcl_transport_destroy(to);
    assert_int_equal(message_count, 0);
    assert_int_equal(lost_count, 0);
    return refused;
}

static void expect_blame(const struct letter *letter, bool is_one_host, const char *expected) {
    char text[sizeof blamed];
    blamed[0] = 0;
    assert_int_equal(deliver(letter, is_one_host), 0);
    assert_int_equal(blamed_count, 1);
    snprintf(text, sizeof text, "sent node 0 a message that can't be read: %s", expected);
    assert_string_equal(blamed, text);
}

static void unreadable(void **state) {
    (void)state;
    const uint64_t token = gcl_secret_token(secret, 1, 0);
    for (int is_one_host = 0; is_one_host < 2; is_one_host++) {
        struct letter letter = write_letter(token);
        letter.bytes[letter.size - 1] = 27; // an escape sequence
        expect_blame(&letter, is_one_host, "a text has unprintable characters");
        letter = write_letter(token);
        letter.bytes[3] = 200;
        expect_blame(&letter, is_one_host, "its kind is unknown");
        letter = write_letter(token);
        letter.size--;
        expect_blame(&letter, is_one_host, "it is too short");
    }
}

// TLS proves who sends; over shared memory, only the token does.
static void unproven(void **state) {
    (void)state;
    struct letter letter = write_letter(gcl_secret_token(secret, 1, 0) + 1);
    expect_blame(&letter, false, "it isn't this job's");
    assert_int_equal(deliver(&letter, true), 1);
    assert_int_equal(blamed_count, 0);
    letter.size = 3;
    expect_blame(&letter, false, "it is too short");
    assert_int_equal(deliver(&letter, true), 1);
    assert_int_equal(blamed_count, 0);
}

// Order and contents.

static uint64_t last_tag[2];
static unsigned char *targets[2];

static void check_payload(void *context, enum gcl_status status) {
    gcl_node from = (gcl_node)(uintptr_t)context;
    assert_int_equal(status, GCL_OK);
    assert_memory_equal(targets[from], sent, last_tag[from] % 100000);
    payload_count++;
}

// Tags are a message's number and its payload's size; every seventh payload isn't wanted.
static void check_order(void *context, const struct gcl_wire_message *message,
                        struct gcl_incoming *payload) {
    gcl_node from = message->from;
    (void)context;
    assert_int_equal(message->data.tag / 100000, last_tag[from] / 100000 + 1);
    last_tag[from] = message->data.tag;
    message_count++;
    assert_int_equal(payload ? gcl_incoming_size(payload) : 0, message->data.tag % 100000);
    if (!payload || last_tag[from] / 100000 % 7 == 0)
        return;
    memset(targets[from], 0, gcl_incoming_size(payload));
    gcl_incoming_receive(payload, targets[from], check_payload, (void *)(uintptr_t)from);
}

static void order(void **state) {
    (void)state;
    struct gcl_transport *nodes[2];
    last_tag[0] = last_tag[1] = 0;
    for (gcl_node n = 0; n < 2; n++) {
        nodes[n] = start(n, secret, false, check_order);
        targets[n] = malloc(100000);
    }
    connect_node(nodes[0], 1, nodes[1]);
    connect_node(nodes[1], 0, nodes[0]);
    srand(1);
    for (uint64_t i = 1; i <= MESSAGES; i++) {
        uint64_t size = (uint64_t)(i % 3 == 0 ? rand() % 100000 : rand() % 300);
        const struct gcl_wire_message message = {.kind = GCL_WIRE_DATA,
                                                 .data.tag = i * 100000 + size};
        for (gcl_node n = 0; n < 2; n++)
            gcl_transport_send(nodes[n], 1 - n, &message, sent, size, finish_send, NULL);
    }
    progress(nodes[0], nodes[1], 30000, &message_count, 2 * MESSAGES);
    progress(nodes[0], nodes[1], 100, &message_count, INT32_MAX); // the last payloads
    assert_int_equal(message_count, 2 * MESSAGES);
    assert_int_equal(sent_count, 2 * MESSAGES);
    assert_int_equal(failed_count, 0);
    for (gcl_node n = 0; n < 2; n++) {
        gcl_transport_destroy(nodes[n]);
        free(targets[n]);
    }
}

// Losses.

static void stopped_and_gone(void **state) {
    (void)state;
    struct gcl_transport *to = create(0, secret, false), *from = create(1, secret, false);
    connect_node(from, 0, to);
    send_request(from, 0, SMALL);
    progress(from, to, 10000, &payload_count, 1);
    for (int i = 0; i < 8; i++)
        send_request(from, 0, LARGE);
    // A process that is stopped has no room for bytes, but isn't gone.
    progress(from, from, 4500, &lost_count, 1);
    assert_int_equal(lost_count, 0);
    assert_true(sent_count < 9);
    progress(from, to, 10000, &payload_count, 9);
    assert_int_equal(payload_count, 9);
    send_request(from, 0, LARGE);
    gcl_transport_destroy(to);
    for (int i = 0; i < 8; i++)
        send_request(from, 0, LARGE);
    progress(from, from, 10000, &lost_count, 1);
    assert_int_equal(lost_count, 1);
    assert_int_equal(sent_count, 18);
    assert_true(failed_count > 0);
    gcl_transport_destroy(from);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_secret),
        cmocka_unit_test(wrong_secret),
        cmocka_unit_test(ports),
        cmocka_unit_test(tcp_by_ucx),
        cmocka_unit_test(strangers),
        cmocka_unit_test(unreadable),
        cmocka_unit_test(unproven),
        cmocka_unit_test(order),
        cmocka_unit_test(stopped_and_gone),
    };
    sent = malloc(LARGE);
    received = malloc(LARGE);
    for (size_t i = 0; i < LARGE; i++)
        sent[i] = (unsigned char)(i * 7 + i / 251 + 1);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    free(sent);
    free(received);
    return failures;
}
