// Requests: what was sent before this node asks for it is kept, what this node asks for before it
// comes is received straight into its place. Both sides find each other by the sender and the tag:
// of each such pair there is one request in the tables at most, expected or arrived.
#include "batch.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/messages/mailbox_state.h"

/// A request of a batch.
struct part {
    struct gcl_batch *batch;
    bool is_done;
};

/// A request that somebody waits for, or that has come before.
struct gcl_mailbox_item {
    gcl_node from;
    uint64_t tag;
    void *bytes;
    size_t size;
    struct part *part;      ///< who waits; NULL: nobody yet
    bool is_here;           ///< all bytes have come, or can't any more:
    enum gcl_status status; ///< how that went
    struct gcl_mailbox_item *next;
};

struct gcl_batch {
    struct gcl_mailbox *mailbox;
    const struct gcl_request *requests;
    size_t count;
    atomic_size_t open; ///< requests that aren't done
    _Atomic int status; ///< enum gcl_status
    bool has_ended;     ///< under the mailbox's lock: nobody touches it any more
    void (*ended)(void *receiver, enum gcl_status status); ///< NULL: somebody waits
    void *receiver;
    uint64_t since_ns;
    bool is_told;
    struct gcl_batch *next, **link; ///< among those under way
    struct part parts[];
};

struct gcl_batch *gcl_batch_create(struct gcl_mailbox *mailbox, const struct gcl_request *requests,
                                   size_t count) {
    struct gcl_batch *batch = calloc(1, sizeof *batch + count * sizeof batch->parts[0]);
    if (!batch)
        return NULL;
    batch->mailbox = mailbox;
    batch->requests = requests;
    batch->count = count;
    atomic_init(&batch->open, count + 1); // one for the start itself
    return batch;
}

void gcl_batch_tell(struct gcl_batch *batch, void (*ended)(void *receiver, enum gcl_status status),
                    void *receiver) {
    batch->ended = ended;
    batch->receiver = receiver;
}

static void free_copies(void *copies, enum gcl_status status) {
    (void)status;
    free(copies);
}

struct gcl_batch *gcl_batch_create_unattended(struct gcl_mailbox *mailbox,
                                              const struct gcl_request *requests, size_t count) {
    struct gcl_batch *batch = gcl_batch_create(mailbox, requests, count);
    size_t size = count * sizeof *requests;
    for (size_t i = 0; i < count; i++)
        size += requests[i].size;
    struct gcl_request *copies = batch ? malloc(size) : NULL;
    if (!copies) {
        free(batch);
        return NULL;
    }
    memcpy(copies, requests, count * sizeof *copies);
    unsigned char *bytes = (unsigned char *)(copies + count);
    for (size_t i = 0; i < count; i++) {
        copies[i].bytes = memcpy(bytes, requests[i].bytes, requests[i].size);
        bytes += requests[i].size;
    }
    batch->requests = copies;
    gcl_batch_tell(batch, free_copies, copies);
    return batch;
}

static void enlist(struct gcl_batch *batch) {
    struct gcl_mailbox *mailbox = batch->mailbox;
    batch->since_ns = gcl_clock_ns();
    batch->next = mailbox->requests.batches;
    batch->link = &mailbox->requests.batches;
    if (batch->next)
        batch->next->link = &batch->next;
    mailbox->requests.batches = batch;
}

/// The batch has one thing less to wait for: a request, or the start.
static void release(struct gcl_batch *batch, enum gcl_status status) {
    if (status != GCL_OK)
        atomic_store(&batch->status, (int)(status == GCL_NO_MEMORY ? status : GCL_NODE_LOST));
    size_t open = atomic_fetch_sub(&batch->open, 1);
    assert(open > 0);
    if (open > 1)
        return;
    struct gcl_mailbox *mailbox = batch->mailbox;
    *batch->link = batch->next;
    if (batch->next)
        batch->next->link = batch->link;
    if (batch->ended) {
        batch->ended(batch->receiver, (enum gcl_status)atomic_load(&batch->status));
        free(batch);
        return;
    }
    pthread_mutex_lock(&mailbox->lock);
    batch->has_ended = true;
    pthread_mutex_unlock(&mailbox->lock);
    pthread_cond_broadcast(&mailbox->changed); // the batch may be gone
}

static void finish_request(struct part *part, enum gcl_status status) {
    assert(!part->is_done);
    part->is_done = true;
    release(part->batch, status);
}

void gcl_mailbox_look(struct gcl_mailbox *mailbox, gcl_wait_look *look, void *context) {
    for (struct gcl_batch *batch = mailbox->requests.batches; batch; batch = batch->next) {
        struct gcl_wait wait = {.since_ns = batch->since_ns, .is_told = &batch->is_told};
        for (size_t i = 0; i < batch->count; i++) {
            if (batch->parts[i].is_done)
                continue;
            if (wait.request)
                wait.others++;
            else
                wait.request = &batch->requests[i];
        }
        if (wait.request)
            look(context, &wait);
    }
}

enum gcl_status gcl_batch_wait(struct gcl_batch *batch) {
    struct gcl_mailbox *mailbox = batch->mailbox;
    uint64_t begin_ns = gcl_clock_ns();
    while (atomic_load(&batch->open) > 0 && gcl_clock_ns() - begin_ns < GCL_MAILBOX_WATCH_NS)
        sched_yield();
    pthread_mutex_lock(&mailbox->lock);
    while (!batch->has_ended)
        pthread_cond_wait(&mailbox->changed, &mailbox->lock);
    pthread_mutex_unlock(&mailbox->lock);
    enum gcl_status status = (enum gcl_status)atomic_load(&batch->status);
    free(batch);
    return status;
}

static const struct gcl_request *request_of(const struct part *part) {
    return &part->batch->requests[part - part->batch->parts];
}

static struct gcl_mailbox_item **find(struct gcl_mailbox_item **table, gcl_node from,
                                      uint64_t tag) {
    struct gcl_mailbox_item **link = &table[(tag ^ tag >> 26 ^ from) % GCL_MAILBOX_BUCKETS];
    while (*link && ((*link)->tag != tag || (*link)->from != from))
        link = &(*link)->next;
    return link;
}

static void sent(void *context, enum gcl_status status) {
    finish_request(context, status);
}

/// Whether a request that comes has the size that is expected of it; blames its sender if not.
static bool fits(const struct gcl_mailbox *mailbox, const struct gcl_request *request,
                 size_t size) {
    if (size == request->size)
        return true;
    gcl_mailbox_blame(mailbox, request->peer, "sent node %u %zu bytes for %.100s, which needs %zu",
                      mailbox->self, size, request->what ? request->what : "a transfer",
                      request->size);
    return false;
}

/// Hands an item that is here to who waits for it.
static void deliver(struct gcl_mailbox_item *item) {
    assert(item->is_here && item->part);
    const struct gcl_request *request = request_of(item->part);
    enum gcl_status status = item->status;
    if (status == GCL_OK && !fits(item->part->batch->mailbox, request, item->size))
        status = GCL_SYSTEM;
    if (status == GCL_OK)
        memcpy(request->bytes, item->bytes, item->size);
    finish_request(item->part, status);
    free(item->bytes);
    free(item);
}

static void receive(struct part *part, const struct gcl_request *request) {
    struct gcl_mailbox *mailbox = part->batch->mailbox;
    struct gcl_mailbox_item **link = find(mailbox->requests.arrived, request->peer, request->tag),
                            *item = *link;
    if (item) {
        *link = item->next;
        item->part = part;
        if (item->is_here)
            deliver(item);
        return;
    }
    item = calloc(1, sizeof *item);
    if (!item) {
        finish_request(part, GCL_NO_MEMORY);
        return;
    }
    link = find(mailbox->requests.expected, request->peer, request->tag);
    assert(!*link); // a tag is one request's
    *item = (struct gcl_mailbox_item){.from = request->peer,
                                      .tag = request->tag,
                                      .bytes = request->bytes,
                                      .size = request->size,
                                      .part = part};
    *link = item;
}

void gcl_batch_start(void *context) {
    struct gcl_batch *batch = context;
    struct gcl_mailbox *mailbox = batch->mailbox;
    enlist(batch);
    for (size_t i = 0; i < batch->count; i++) {
        struct part *part = &batch->parts[i];
        const struct gcl_request *request = &batch->requests[i];
        struct gcl_wire_message message = {.kind = GCL_WIRE_DATA, .data.tag = request->tag};
        assert(request->peer < mailbox->count);
        part->batch = batch;
        if (mailbox->requests.has_failed)
            finish_request(part, GCL_NODE_LOST);
        else if (request->is_sent)
            gcl_transport_send(mailbox->transport, request->peer, &message, request->bytes,
                               request->size, sent, part);
        else
            receive(part, request);
    }
    release(batch, GCL_OK);
}

void gcl_batch_fail_all(struct gcl_mailbox *mailbox) {
    assert(mailbox->requests.has_failed);
    for (int i = 0; i < GCL_MAILBOX_BUCKETS; i++) {
        while (mailbox->requests.expected[i]) {
            struct gcl_mailbox_item *item = mailbox->requests.expected[i];
            mailbox->requests.expected[i] = item->next;
            finish_request(item->part, GCL_NODE_LOST);
            free(item);
        }
    }
}

static void expected_came(void *context, enum gcl_status status) {
    struct gcl_mailbox_item *item = context;
    finish_request(item->part, status);
    free(item);
}

static void unexpected_came(void *context, enum gcl_status status) {
    struct gcl_mailbox_item *item = context;
    item->is_here = true;
    item->status = status;
    if (item->part)
        deliver(item);
}

void gcl_batch_take(struct gcl_mailbox *mailbox, gcl_node from, uint64_t tag,
                    struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    struct gcl_mailbox_item **link = find(mailbox->requests.expected, from, tag), *item = *link;
    if (item) {
        *link = item->next;
        if (fits(mailbox, request_of(item->part), size))
            gcl_incoming_receive(payload, item->bytes, expected_came, item);
        else
            expected_came(item, GCL_SYSTEM);
        return;
    }
    if (size == 0 || *find(mailbox->requests.arrived, from, tag)) {
        gcl_mailbox_blame(mailbox, from, "sent node %u %s", mailbox->self,
                          size == 0 ? "a request without content" : "a request twice");
        return;
    }
    item = calloc(1, sizeof *item);
    void *bytes = malloc(size);
    if (!item || !bytes) {
        gcl_mailbox_blame(mailbox, mailbox->self, "has no memory for %zu bytes from node %u", size,
                          from);
        free(item);
        free(bytes);
        return;
    }
    *item = (struct gcl_mailbox_item){.from = from, .tag = tag, .bytes = bytes, .size = size};
    link = find(mailbox->requests.arrived, from, tag);
    item->next = *link;
    *link = item;
    gcl_incoming_receive(payload, bytes, unexpected_came, item);
}

static void free_items(struct gcl_mailbox_item *item, bool owns_bytes) {
    while (item) {
        struct gcl_mailbox_item *next = item->next;
        if (owns_bytes)
            free(item->bytes);
        free(item);
        item = next;
    }
}

void gcl_batch_free_all(struct gcl_mailbox *mailbox) {
    for (int i = 0; i < GCL_MAILBOX_BUCKETS; i++) {
        free_items(mailbox->requests.expected[i], false);
        free_items(mailbox->requests.arrived[i], true);
    }
}
