// A mailbox and what comes to it: sequences of messages of all kinds, tags and sizes, from any
// node, whose payloads are here at once or later, well or not, between what this node itself
// expects and sends. Whatever comes, nobody's memory is overwritten, what is said to be here is,
// and whoever waits gets an end.
//
// An input is a row of steps of five bytes: what, from or to whom, a tag, a size. Here are the
// transport's functions that a mailbox uses, so that nothing is sent.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/messages/batch.h"
#include "cluster/messages/broadcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// The node is in the middle of the tree: it has a parent and children.
enum { SELF = 1, COUNT = 20, TAGS = 4, STEP = 5, MOST = 64, IS_LATE = 0x80 };
enum what { DATA, OPERATION, EXPECT, ARRIVE, BREAK, SEND, BROADCAST, FAIL, WHATS };

/// A payload that is received or sent, and isn't done.
struct transfer {
    void *to;
    const void *from;
    size_t size;
    gcl_transport_done done;
    void *context;
};

/// What this node waits for.
struct wish {
    unsigned char *bytes;
    size_t size;
    unsigned char value; ///< of each byte
    bool has_ended;
};

struct gcl_incoming {
    const void *bytes;
    size_t size;
};

static struct transfer transfers[2 * MOST];
static size_t transfer_count;
static bool is_late;
static size_t blames;

static void require(bool holds) {
    if (!holds)
        abort();
}

// The transport.

static void finish(size_t index, enum gcl_status status) {
    struct transfer t = transfers[index];
    transfers[index] = transfers[--transfer_count];
    if (t.to && status == GCL_OK)
        memcpy(t.to, t.from, t.size);
    t.done(t.context, status);
}

static void begin(struct transfer t) {
    if (!t.done)
        return;
    require(transfer_count < sizeof transfers / sizeof transfers[0]);
    transfers[transfer_count++] = t;
    if (!is_late)
        finish(transfer_count - 1, GCL_OK);
}

void gcl_transport_send(struct gcl_transport *transport, gcl_node to,
                        const struct gcl_wire_message *message, const void *payload, size_t size,
                        gcl_transport_done done, void *context) {
    (void)transport, (void)to, (void)message;
    volatile unsigned char sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = (unsigned char)(sum + ((const unsigned char *)payload)[i]);
    begin((struct transfer){.from = payload, .size = size, .done = done, .context = context});
}

size_t gcl_incoming_size(const struct gcl_incoming *payload) {
    return payload->size;
}

void gcl_incoming_receive(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                          void *context) {
    begin((struct transfer){buffer, payload->bytes, payload->size, done, context});
}

// The node.

static void note_blame(void *context, gcl_node culprit, const char *reason) {
    (void)context;
    require(culprit < COUNT && strlen(reason) < GCL_WIRE_TEXT_SIZE);
    blames++;
}

static void end_wish(void *context, enum gcl_status status) {
    struct wish *wish = context;
    wish->has_ended = true;
    for (size_t i = 0; status == GCL_OK && i < wish->size; i++)
        require(wish->bytes[i] == wish->value);
}

/// What every byte of a request is.
static unsigned char value_of(gcl_node node, uint64_t tag) {
    return (unsigned char)(1 + node * TAGS + tag);
}

/// What has come, and what is wanted, in one input.
struct story {
    struct gcl_mailbox *mailbox;
    struct wish wishes[MOST];
    struct gcl_request requests[MOST];
    void *payloads[MOST];
    size_t wish_count, payload_count;
    bool wished[COUNT][TAGS]; ///< a tag is used for one request
};

static void make_wish(struct story *story, gcl_node node, uint64_t tag, size_t size, bool is_sent) {
    struct wish *wish = &story->wishes[story->wish_count];
    struct gcl_request *request = &story->requests[story->wish_count];
    if (size == 0 || (!is_sent && story->wished[node][tag]))
        return;
    story->wished[node][tag] |= !is_sent;
    *wish = (struct wish){calloc(1, size), size, is_sent ? 0 : value_of(node, tag), false};
    *request = (struct gcl_request){
        .peer = node, .is_sent = is_sent, .tag = tag, .bytes = wish->bytes, .size = size};
    struct gcl_batch *batch = gcl_batch_create(story->mailbox, request, 1);
    require(wish->bytes && batch);
    story->wish_count++;
    gcl_batch_tell(batch, end_wish, wish);
    gcl_batch_start(batch);
}

/// A message comes, with `size` bytes of a value. The size that stands before an operation is one
/// too large if the value is odd.
static void come(struct story *story, const struct gcl_wire_message *message, size_t size,
                 unsigned char value) {
    struct gcl_incoming incoming = {malloc(size), size};
    require(incoming.bytes != NULL || size == 0);
    story->payloads[story->payload_count++] = (void *)(uintptr_t)incoming.bytes;
    if (size > 0)
        memset((void *)(uintptr_t)incoming.bytes, value, size);
    if (message->kind == GCL_WIRE_OPERATION && size > 4) {
        unsigned char *head = (void *)(uintptr_t)incoming.bytes;
        memset(head, 0, 4);
        head[0] = (unsigned char)(size - 4 + (value & 1));
        head[1] = (unsigned char)((size - 4) >> 8);
    }
    gcl_mailbox_take(story->mailbox, message, size > 0 ? &incoming : NULL);
}

static void take_step(struct story *story, const uint8_t *step) {
    gcl_node node = step[1] % COUNT;
    uint64_t tag = step[2] % TAGS;
    size_t size = (size_t)step[3] | (size_t)(step[4] & 3) << 8;
    is_late = step[0] & IS_LATE;
    switch ((enum what)((step[0] & 0x7f) % WHATS)) {
    case DATA:
        come(story,
             &(struct gcl_wire_message){.kind = GCL_WIRE_DATA, .from = node, .data.tag = tag}, size,
             value_of(node, tag));
        break;
    case OPERATION:
        come(story, &(struct gcl_wire_message){.kind = GCL_WIRE_OPERATION, .from = node}, size,
             step[2]);
        break;
    case EXPECT:
        make_wish(story, node, tag, size, false);
        break;
    case SEND:
        make_wish(story, node, tag, size, true);
        break;
    case ARRIVE:
    case BREAK:
        if (transfer_count > 0)
            finish(step[1] % transfer_count,
                   (step[0] & 0x7f) % WHATS == ARRIVE ? GCL_OK : GCL_SYSTEM);
        break;
    case BROADCAST: {
        struct gcl_broadcast *broadcast = gcl_broadcast_create(story->mailbox, step, STEP);
        require(broadcast != NULL);
        gcl_broadcast_start(broadcast);
        break;
    }
    case FAIL:
        gcl_mailbox_fail(story->mailbox);
        break;
    case WHATS:
        break;
    }
}

static void end_story(struct story *story) {
    gcl_mailbox_fail(story->mailbox);
    is_late = false;
    while (transfer_count > 0)
        finish(0, GCL_SYSTEM);
    gcl_mailbox_destroy(story->mailbox);
    for (size_t i = 0; i < story->wish_count; i++) {
        require(story->wishes[i].has_ended);
        free(story->wishes[i].bytes);
    }
    for (size_t i = 0; i < story->payload_count; i++)
        free(story->payloads[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct gcl_mailbox_calls calls = {.blame = note_blame};
    struct story story = {.mailbox = gcl_mailbox_create(NULL, SELF, COUNT, &calls)};
    require(story.mailbox != NULL);
    blames = 0;
    for (size_t at = 0; at + STEP <= size && at < (size_t)MOST * STEP; at += STEP)
        take_step(&story, data + at);
    end_story(&story);
    return size >= STEP && blames == 0 ? 0 : -1;
}
