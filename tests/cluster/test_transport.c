// Messages between two transports of one process, over shared memory and over TCP: those from who
// doesn't know the secret are dropped, whatever they carry.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/secret.h"
#include "cluster/transport.h"

enum { SMALL = 100, LARGE = 4 << 20 };

static const uint8_t secret[GCL_SECRET_SIZE] = {1, 2, 3}, wrong[GCL_SECRET_SIZE] = {1, 2, 4};
static int message_count, payload_count, sent_count;
static unsigned char *sent, *received;

static void receive_payload(void *context, enum gcl_status status) {
    (void)context;
    assert_int_equal(status, GCL_OK);
    payload_count++;
}

static void receive(void *context, const struct gcl_wire_message *message,
                    struct gcl_incoming *payload) {
    (void)context;
    assert_int_equal(message->kind, GCL_WIRE_PARCEL);
    assert_int_equal(message->from, 1);
    message_count++;
    gcl_incoming_receive(payload, received, receive_payload, NULL);
}

static void finish_send(void *context, enum gcl_status status) {
    (void)context, (void)status;
    sent_count++;
}

static void lose(void *context, gcl_node node, const char *reason) {
    (void)context, (void)node, (void)reason;
}

static struct gcl_transport *create(gcl_node self, const uint8_t *known, bool is_one_host) {
    struct gcl_transport *t =
        gcl_transport_create(&(struct gcl_transport_options){.self = self,
                                                             .count = 2,
                                                             .secret = known,
                                                             .is_one_host = is_one_host,
                                                             .handler = receive,
                                                             .lost = lose});
    assert_non_null(t);
    return t;
}

static void progress(struct gcl_transport *one, struct gcl_transport *other, int ms) {
    uint64_t begin_ns = gcl_clock_ns();
    while (ms_since(begin_ns) < ms && payload_count < 2) {
        gcl_transport_progress(one);
        gcl_transport_progress(other);
    }
}

// Node 1, which knows `known`, sends a small and a large payload to node 0.
static uint64_t send_both(const uint8_t *known, bool is_one_host) {
    const struct gcl_wire_message message = {.kind = GCL_WIRE_PARCEL, .parcel.tag = 7};
    struct gcl_transport *to = create(0, secret, is_one_host);
    struct gcl_transport *from = create(1, known, is_one_host);
    size_t size;
    message_count = payload_count = sent_count = 0;
    memset(received, 0, LARGE);
    assert_int_equal(gcl_transport_connect(from, 0, gcl_transport_address(to, &size)), GCL_OK);
    gcl_transport_send(from, 0, &message, sent, SMALL, finish_send, NULL);
    gcl_transport_send(from, 0, &message, sent, LARGE, finish_send, NULL);
    progress(from, to, known == secret ? 10000 : 1000);
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
        assert_int_equal(send_both(wrong, is_one_host), 2);
        assert_int_equal(message_count, 0);
        for (size_t i = 0; i < LARGE; i++)
            assert_int_equal(received[i], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_secret),
        cmocka_unit_test(wrong_secret),
    };
    sent = malloc(LARGE);
    received = malloc(LARGE);
    memset(sent, 42, LARGE);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    free(sent);
    free(received);
    return failures;
}
