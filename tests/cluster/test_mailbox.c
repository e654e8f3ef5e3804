// Requests that come, and requests that don't: what is waited for can be told, and ends with a
// loss. Operations go down a tree, in order.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/messages/batch.h"
#include "cluster/messages/broadcast.h"
#include "cluster/messages/tree.h"
#include "cluster/wire/secret.h"

static struct gcl_wait seen;
static int seen_count;

static void see(void *context, const struct gcl_wait *wait) {
    (void)context;
    seen = *wait;
    seen_count++;
}

static int look(struct gcl_mailbox *mailbox) {
    seen_count = 0;
    gcl_mailbox_look(mailbox, see, NULL);
    return seen_count;
}

/// The last blame, and how many there were.
static struct {
    gcl_node culprit;
    char reason[GCL_WIRE_TEXT_SIZE];
    int count;
} blamed;

static void note_blame(void *context, gcl_node culprit, const char *reason) {
    (void)context;
    blamed.culprit = culprit;
    blamed.count++;
    snprintf(blamed.reason, sizeof blamed.reason, "%s", reason);
}

static const struct gcl_mailbox_calls calls = {.blame = note_blame};

static void lost_request(void **state) {
    struct gcl_mailbox *mailbox = gcl_mailbox_create(NULL, 0, 3, &calls);
    char bytes[3][100] = {""};
    struct gcl_request requests[] = {
        {.peer = 1, .tag = 7, .bytes = bytes[0], .size = sizeof bytes[0]},
        {.peer = 2, .tag = 7, .bytes = bytes[1], .size = sizeof bytes[1]},
        {.peer = 2, .tag = 8, .bytes = bytes[2], .size = sizeof bytes[2]},
    };
    (void)state;
    assert_int_equal(look(mailbox), 0);
    struct gcl_batch *first = gcl_batch_create(mailbox, requests, 2);
    struct gcl_batch *second = gcl_batch_create(mailbox, requests + 2, 1);
    gcl_batch_start(second);
    gcl_batch_start(first);
    assert_int_equal(look(mailbox), 2);
    // The one that was started first is seen last.
    assert_int_equal(seen.request->tag, 8);
    assert_int_equal(seen.others, 0);
    *seen.is_told = true;
    look(mailbox);
    assert_true(*seen.is_told);
    gcl_mailbox_fail(mailbox);
    assert_int_equal(look(mailbox), 0);
    assert_int_equal(gcl_batch_wait(first), GCL_NODE_LOST);
    assert_int_equal(gcl_batch_wait(second), GCL_NODE_LOST);
    struct gcl_batch *later = gcl_batch_create(mailbox, requests, 2);
    gcl_batch_start(later);
    assert_int_equal(gcl_batch_wait(later), GCL_NODE_LOST);
    // What nobody waits for goes away by itself; it was copied.
    requests[0].is_sent = true;
    struct gcl_batch *unattended = gcl_batch_create_unattended(mailbox, requests, 1);
    assert_non_null(unattended);
    requests[0] = (struct gcl_request){.peer = 77};
    gcl_batch_start(unattended);
    assert_int_equal(look(mailbox), 0);
    gcl_mailbox_destroy(mailbox);
}

// Three nodes of a larger job, each of which is the parent of the next one, in one process.

enum { NODES = GCL_TREE_MOST * (GCL_TREE_MOST + 1) + 2, HOPS = 3, OPERATIONS = 60 };

struct node {
    struct gcl_transport *transport;
    struct gcl_mailbox *mailbox;
    int messages;
};

static void take(void *context, const struct gcl_wire_message *message,
                 struct gcl_incoming *payload) {
    struct node *node = context;
    node->messages++;
    gcl_mailbox_take(node->mailbox, message, payload);
}

static void lose(void *context, gcl_node node, const char *reason) {
    (void)context, (void)node, (void)reason;
}

static gcl_transport_handler handler = take;

static void connect_nodes(struct node *from, gcl_node number, const struct node *to) {
    size_t size;
    const void *address = gcl_transport_address(to->transport, &size);
    assert_int_equal(gcl_transport_connect(from->transport, number, address, size), GCL_OK);
}

static void open_node(struct node *node, gcl_node number) {
    static const uint8_t secret[GCL_SECRET_SIZE] = {1, 2, 3};
    bool shares_memory[NODES];
    memset(shares_memory, true, sizeof shares_memory);
    node->transport =
        gcl_transport_create(&(struct gcl_transport_options){.self = number,
                                                             .count = NODES,
                                                             .secret = secret,
                                                             .shares_memory = shares_memory,
                                                             .handler = handler,
                                                             .lost = lose,
                                                             .blame = lose,
                                                             .context = node});
    assert_non_null(node->transport);
    node->mailbox = gcl_mailbox_create(node->transport, number, NODES, &calls);
    assert_non_null(node->mailbox);
}

/// Bytes of an operation: some are so large that others overtake them.
static size_t size_of(int operation) {
    return operation % 3 == 1 ? 300000 + (size_t)operation : 8 + (size_t)operation;
}

/// Whoever takes a node's operations.
struct reader {
    struct gcl_mailbox *mailbox;
    pthread_t thread;
    int right; ///< operations that came as they were sent, each in its turn
    atomic_bool is_done;
};

static void *read_operations(void *context) {
    struct reader *reader = context;
    for (int i = 0; i < OPERATIONS; i++) {
        size_t size, same = 0;
        unsigned char *bytes = gcl_mailbox_next(reader->mailbox, &size);
        while (bytes && same < size && bytes[same] == (unsigned char)i)
            same++;
        reader->right += bytes && size == size_of(i) && same == size;
        free(bytes);
    }
    atomic_store(&reader->is_done, true);
    return NULL;
}

static void progress_until(struct node *nodes, const atomic_bool *is_done) {
    uint64_t begin_ns = gcl_clock_ns();
    while (!atomic_load(is_done) && ms_since(begin_ns) < 60000) {
        for (int i = 0; i < HOPS; i++)
            gcl_transport_progress(nodes[i].transport);
    }
}

static void operations_go_down_the_tree(void **state) {
    const gcl_node numbers[HOPS] = {0, 1, 2};
    struct node nodes[HOPS] = {0};
    struct reader readers[HOPS] = {0};
    unsigned char bytes[300000 + OPERATIONS];
    (void)state;
    for (int i = 0; i < HOPS; i++) {
        open_node(&nodes[i], numbers[i]);
        readers[i].mailbox = nodes[i].mailbox;
        if (i > 0)
            pthread_create(&readers[i].thread, NULL, read_operations, &readers[i]);
    }
    for (int i = 0; i + 1 < HOPS; i++) {
        assert_int_equal(gcl_tree_of(numbers[i + 1], NODES).parent, numbers[i]);
        connect_nodes(&nodes[i], numbers[i + 1], &nodes[i + 1]);
    }
    // One that comes from elsewhere isn't taken.
    gcl_mailbox_take(nodes[2].mailbox,
                     &(struct gcl_wire_message){.kind = GCL_WIRE_OPERATION, .from = 0, .token = 0},
                     NULL);
    assert_int_equal(blamed.culprit, 0);
    assert_int_equal(blamed.count, 1);
    for (int i = 0; i < OPERATIONS; i++) {
        memset(bytes, i, size_of(i));
        struct gcl_broadcast *broadcast = gcl_broadcast_create(nodes[0].mailbox, bytes, size_of(i));
        assert_non_null(broadcast);
        gcl_broadcast_start(broadcast);
    }
    for (int i = 1; i < HOPS; i++)
        progress_until(nodes, &readers[i].is_done);
    // What is small and has to wait for something large goes in one message.
    for (int i = 1; i < HOPS; i++)
        assert_in_range(nodes[i].messages, 1, OPERATIONS * 3 / 4);
    for (int i = 0; i < HOPS; i++) {
        gcl_mailbox_close(nodes[i].mailbox);
        if (i > 0) {
            pthread_join(readers[i].thread, NULL);
            assert_int_equal(readers[i].right, OPERATIONS);
        }
        gcl_transport_destroy(nodes[i].transport);
        gcl_mailbox_destroy(nodes[i].mailbox);
    }
}

static void *read_one(void *context) {
    struct reader *reader = context;
    size_t size;
    reader->right = gcl_mailbox_next(reader->mailbox, &size) == NULL;
    atomic_store(&reader->is_done, true);
    return NULL;
}

// A node can't go on without an operation: it stops where it can't tell them apart.
static void operations_that_are_none(void **state) {
    static const struct {
        unsigned char bytes[8];
        size_t size;
    } cases[] = {
        {{1, 0, 0}, 3},          // no whole size
        {{0, 0, 0, 0, 9}, 5},    // nothing
        {{3, 0, 0, 0, 9, 9}, 6}, // more than there is
        {{0, 0, 0, 0x80, 9}, 5}, // much more
        {{4, 0, 0, 0}, 4},       // nothing behind the size
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct node nodes[HOPS] = {0};
        for (gcl_node n = 0; n < HOPS; n++)
            open_node(&nodes[n], n);
        blamed.count = 0;
        connect_nodes(&nodes[0], 1, &nodes[1]);
        struct reader reader = {.mailbox = nodes[1].mailbox};
        pthread_create(&reader.thread, NULL, read_one, &reader);
        gcl_transport_send(nodes[0].transport, 1,
                           &(struct gcl_wire_message){.kind = GCL_WIRE_OPERATION}, cases[i].bytes,
                           cases[i].size, NULL, NULL);
        progress_until(nodes, &reader.is_done);
        gcl_mailbox_close(nodes[1].mailbox);
        pthread_join(reader.thread, NULL);
        assert_true(reader.right);
        assert_int_equal(blamed.count, 1);
        assert_string_equal(blamed.reason, "sent node 1 operations that can't be told apart");
        for (int n = 0; n < HOPS; n++) {
            gcl_transport_destroy(nodes[n].transport);
            gcl_mailbox_destroy(nodes[n].mailbox);
        }
    }
}

// Requests whose size isn't what their receiver waits for: large ones come after their message, so
// that who wants them asks in between.

static struct gcl_batch *asked;

/// Takes a message and then, while its payload may still be on its way, asks for it.
static void take_and_ask(void *context, const struct gcl_wire_message *message,
                         struct gcl_incoming *payload) {
    take(context, message, payload);
    if (asked)
        gcl_batch_start(asked);
    asked = NULL;
}

static void note_end(void *context, enum gcl_status status) {
    atomic_bool *is_done = context;
    (void)status;
    atomic_store(is_done, true);
}

enum asks { ASKS_BEFORE, ASKS_MEANWHILE, ASKS_AFTER };

static void send_wrong_size(size_t sent, size_t wanted, enum asks when) {
    struct node nodes[2] = {0};
    unsigned char *bytes = calloc(1, sent), *target = malloc(wanted);
    const struct gcl_request there = {
        .peer = 1, .is_sent = true, .tag = 9, .bytes = bytes, .size = sent};
    const struct gcl_request here = {
        .peer = 0, .tag = 9, .bytes = target, .size = wanted, .what = "step"};
    atomic_bool is_done = false;
    char expected[128];
    handler = take_and_ask;
    for (gcl_node n = 0; n < 2; n++)
        open_node(&nodes[n], n);
    handler = take;
    for (gcl_node n = 0; n < 2; n++)
        connect_nodes(&nodes[n], 1 - n, &nodes[1 - n]);
    blamed.count = 0;
    struct gcl_batch *receiving = gcl_batch_create(nodes[1].mailbox, &here, 1);
    struct gcl_batch *sending = gcl_batch_create(nodes[0].mailbox, &there, 1);
    gcl_batch_tell(sending, note_end, &is_done);
    asked = when == ASKS_MEANWHILE ? receiving : NULL;
    if (when == ASKS_BEFORE)
        gcl_batch_start(receiving);
    gcl_batch_start(sending);
    for (int i = 0; i < 2000 && (!atomic_load(&is_done) || i < 200); i++) {
        for (int n = 0; n < 2; n++)
            gcl_transport_progress(nodes[n].transport);
    }
    if (when == ASKS_AFTER)
        gcl_batch_start(receiving);
    assert_int_equal(gcl_batch_wait(receiving), GCL_NODE_LOST);
    assert_int_equal(blamed.count, 1);
    assert_int_equal(blamed.culprit, 0);
    snprintf(expected, sizeof expected, "sent node 1 %zu bytes for step, which needs %zu", sent,
             wanted);
    assert_string_equal(blamed.reason, expected);
    for (int n = 0; n < 2; n++) {
        gcl_transport_destroy(nodes[n].transport);
        gcl_mailbox_destroy(nodes[n].mailbox);
    }
    free(bytes);
    free(target);
}

static void requests_of_another_size(void **state) {
    static const size_t sizes[][2] = {{64, 8}, {8, 64}, {4 << 20, 16}, {16, 4 << 20}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int when = ASKS_BEFORE; when <= ASKS_AFTER; when++)
            send_wrong_size(sizes[i][0], sizes[i][1], (enum asks)when);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_request),
        cmocka_unit_test(operations_go_down_the_tree),
        cmocka_unit_test(operations_that_are_none),
        cmocka_unit_test(requests_of_another_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
