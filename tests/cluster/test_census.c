// Measuring links, when a node that is asked answers short questions and no probe: the transport
// may read a probe's payload for as long as its send isn't over, whoever still waits for the
// answer.
//
// Here are the functions of transport and cluster that measuring uses, so that nothing is sent.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/cluster_state.h"

enum { NODES = 2 };

/// The send of a probe, which isn't over.
static struct {
    const unsigned char *payload;
    size_t size;
    gcl_transport_done done;
    void *context;
} probe;

static struct gcl_cluster cluster;

// The transport and the cluster.

void gcl_transport_send(struct gcl_transport *transport, gcl_node to,
                        const struct gcl_wire_message *message, const void *payload, size_t size,
                        gcl_transport_done done, void *context) {
    const struct gcl_wire_message answer = {
        .kind = GCL_WIRE_PONG, .from = to, .ping.id = message->ping.id};
    (void)transport;
    if (message->kind == GCL_WIRE_PING) {
        gcl_census_take(&cluster, &answer, NULL);
        return;
    }
    assert_int_equal(message->kind, GCL_WIRE_PROBE);
    assert_null(probe.payload);
    probe.payload = payload;
    probe.size = size;
    probe.done = done;
    probe.context = context;
}

const char *gcl_transport_link(const struct gcl_transport *transport, gcl_node node) {
    (void)transport, (void)node;
    return "link";
}

size_t gcl_incoming_size(const struct gcl_incoming *payload) {
    (void)payload;
    return 0;
}

void gcl_incoming_receive(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                          void *context) {
    (void)payload, (void)buffer, (void)done, (void)context;
    fail();
}

void gcl_loss_blame(void *context, gcl_node culprit, const char *reason) {
    (void)context, (void)culprit, (void)reason;
    fail();
}

// The job ends while a probe isn't answered, which is sooner than the deadline.
bool gcl_cluster_progress(struct gcl_cluster *c) {
    c->has_ended = probe.payload != NULL;
    return false;
}

void gcl_cluster_sleep(struct gcl_cluster *c) {
    assert_non_null(c);
}

// Tests.

static void unanswered_probe(void **state) {
    struct gcl_wire_card cards[NODES] = {{.host = "a"}, {.host = "b"}};
    char *text = NULL;
    size_t size;
    (void)state;
    cluster = (struct gcl_cluster){.job = {.node = 0, .count = NODES}, .cards = cards};
    FILE *out = open_memstream(&text, &size);
    gcl_census_write(&cluster, out);
    fclose(out);
    assert_non_null(strstr(text, "no answer"));
    assert_true(probe.size > 0);
    for (size_t i = 0; i < probe.size; i++)
        assert_int_equal(probe.payload[i], 0);
    assert_non_null(probe.done);
    probe.done(probe.context, GCL_SYSTEM);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(unanswered_probe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
