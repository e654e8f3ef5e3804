#include "mailbox.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/tree.h"

enum { BUCKETS = 1024 };
// Parcels that come within that time are waited for awake.
#define SPIN_NS UINT64_C(20000)
enum {
    HEAD_SIZE = 4,      ///< an operation's size, little-endian, before each
    BUNDLE_SIZE = 8000, ///< of operations that go in one message; UCX copies up to 8 KiB at once
};

/// A parcel of a batch.
struct part {
    struct gcl_batch *batch;
    bool is_done;
};

/// A parcel that somebody waits for, or that has come before.
struct item {
    gcl_node from;
    uint64_t tag;
    void *bytes;
    size_t size;
    struct part *part;      ///< who waits; NULL: nobody yet
    bool is_here;           ///< all bytes have come, or can't any more:
    enum gcl_status status; ///< how that went
    struct gcl_mailbox *mailbox;
    struct item *next;
};

/// Operations as they come, and then each of them.
struct letter {
    void *bytes;
    size_t size;
    bool is_here;
    struct gcl_mailbox *mailbox;
    struct letter *next;
};

/// In order.
struct letters {
    struct letter *first, *last;
};

/// In order, for this node's children.
struct broadcasts {
    struct gcl_broadcast *first, *last;
};

struct gcl_mailbox {
    struct gcl_transport *transport;
    gcl_node self;
    struct gcl_mailbox_calls calls;
    struct item *expected[BUCKETS], *arrived[BUCKETS];
    bool has_failed;
    struct gcl_batch *batches; ///< under way
    struct gcl_tree tree;
    struct letters coming; ///< those that aren't all here, and what came behind them
    bool is_torn;          ///< one of them will never be here, or was none
    struct gcl_broadcast *leaving;
    struct broadcasts waiting; ///< until that one has left

    pthread_mutex_t lock; ///< of what follows, and of batches' ends
    pthread_cond_t changed;
    struct letters ready; ///< passed on
    bool is_closed;
};

struct gcl_batch {
    struct gcl_mailbox *mailbox;
    const struct gcl_parcel *parcels;
    size_t count;
    atomic_size_t open; ///< parcels that aren't done
    _Atomic int status; ///< enum gcl_status
    bool has_ended;     ///< under the mailbox's lock: nobody touches it any more
    void (*ended)(void *receiver, enum gcl_status status); ///< NULL: somebody waits
    void *receiver;
    uint64_t since_ns;
    bool is_told;
    struct gcl_batch *next, **link; ///< among those under way
    struct part parts[];
};

/// One operation or several, each behind its size.
struct gcl_broadcast {
    struct gcl_mailbox *mailbox;
    struct gcl_broadcast *next;
    unsigned open;
    size_t size;
    unsigned char bytes[];
};

struct gcl_mailbox *gcl_mailbox_create(struct gcl_transport *transport, gcl_node self,
                                       gcl_node count, const struct gcl_mailbox_calls *calls) {
    struct gcl_mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox)
        return NULL;
    mailbox->transport = transport;
    mailbox->self = self;
    mailbox->calls = *calls;
    mailbox->tree = gcl_tree_of(self, count);
    pthread_mutex_init(&mailbox->lock, NULL);
    pthread_cond_init(&mailbox->changed, NULL);
    return mailbox;
}

__attribute__((format(printf, 3, 4))) static void blame(const struct gcl_mailbox *mailbox,
                                                        gcl_node culprit, const char *format, ...) {
    char reason[GCL_WIRE_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    mailbox->calls.blame(mailbox->calls.context, culprit, reason);
}

static void append(struct letters *letters, struct letter *letter) {
    *(letters->first ? &letters->last->next : &letters->first) = letter;
    letters->last = letter;
    letter->next = NULL;
}

static struct letter *take_first(struct letters *letters) {
    struct letter *letter = letters->first;
    letters->first = letter->next;
    return letter;
}

static void free_letters(struct letters *letters) {
    while (letters->first) {
        struct letter *letter = take_first(letters);
        free(letter->bytes);
        free(letter);
    }
}

static void free_items(struct item *item, bool owns_bytes) {
    while (item) {
        struct item *next = item->next;
        if (owns_bytes)
            free(item->bytes);
        free(item);
        item = next;
    }
}

static struct gcl_broadcast *take_waiting(struct gcl_mailbox *mailbox) {
    struct gcl_broadcast *broadcast = mailbox->waiting.first;
    mailbox->waiting.first = broadcast->next;
    return broadcast;
}

void gcl_mailbox_destroy(struct gcl_mailbox *mailbox) {
    if (!mailbox)
        return;
    for (int i = 0; i < BUCKETS; i++) {
        free_items(mailbox->expected[i], false);
        free_items(mailbox->arrived[i], true);
    }
    free_letters(&mailbox->coming);
    free_letters(&mailbox->ready);
    while (mailbox->waiting.first)
        free(take_waiting(mailbox));
    pthread_cond_destroy(&mailbox->changed);
    pthread_mutex_destroy(&mailbox->lock);
    free(mailbox);
}

// Batches.

struct gcl_batch *gcl_batch_create(struct gcl_mailbox *mailbox, const struct gcl_parcel *parcels,
                                   size_t count) {
    struct gcl_batch *batch = calloc(1, sizeof *batch + count * sizeof batch->parts[0]);
    if (!batch)
        return NULL;
    batch->mailbox = mailbox;
    batch->parcels = parcels;
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
                                              const struct gcl_parcel *parcels, size_t count) {
    struct gcl_batch *batch = gcl_batch_create(mailbox, parcels, count);
    size_t size = count * sizeof *parcels;
    for (size_t i = 0; i < count; i++)
        size += parcels[i].size;
    struct gcl_parcel *copies = batch ? malloc(size) : NULL;
    if (!copies) {
        free(batch);
        return NULL;
    }
    memcpy(copies, parcels, count * sizeof *copies);
    unsigned char *bytes = (unsigned char *)(copies + count);
    for (size_t i = 0; i < count; i++) {
        copies[i].bytes = memcpy(bytes, parcels[i].bytes, parcels[i].size);
        bytes += parcels[i].size;
    }
    batch->parcels = copies;
    gcl_batch_tell(batch, free_copies, copies);
    return batch;
}

static void enlist(struct gcl_batch *batch) {
    struct gcl_mailbox *mailbox = batch->mailbox;
    batch->since_ns = gcl_clock_ns();
    batch->next = mailbox->batches;
    batch->link = &mailbox->batches;
    if (batch->next)
        batch->next->link = &batch->next;
    mailbox->batches = batch;
}

/// One thing less to wait for: a parcel, or the start.
static void release(struct gcl_batch *batch, enum gcl_status status) {
    if (status != GCL_OK)
        atomic_store(&batch->status, (int)(status == GCL_NO_MEMORY ? status : GCL_NODE_LOST));
    if (atomic_fetch_sub(&batch->open, 1) > 1)
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
    pthread_cond_broadcast(&mailbox->changed);
    pthread_mutex_unlock(&mailbox->lock);
}

static void finish_parcel(struct part *part, enum gcl_status status) {
    part->is_done = true;
    release(part->batch, status);
}

void gcl_mailbox_look(struct gcl_mailbox *mailbox, gcl_wait_look *look, void *context) {
    for (struct gcl_batch *batch = mailbox->batches; batch; batch = batch->next) {
        struct gcl_wait wait = {.since_ns = batch->since_ns, .is_told = &batch->is_told};
        for (size_t i = 0; i < batch->count; i++) {
            if (batch->parts[i].is_done)
                continue;
            if (wait.parcel)
                wait.others++;
            else
                wait.parcel = &batch->parcels[i];
        }
        if (wait.parcel)
            look(context, &wait);
    }
}

enum gcl_status gcl_batch_wait(struct gcl_batch *batch) {
    struct gcl_mailbox *mailbox = batch->mailbox;
    uint64_t begin_ns = gcl_clock_ns();
    while (atomic_load(&batch->open) > 0 && gcl_clock_ns() - begin_ns < SPIN_NS)
        gcl_clock_pause();
    pthread_mutex_lock(&mailbox->lock);
    while (!batch->has_ended)
        pthread_cond_wait(&mailbox->changed, &mailbox->lock);
    pthread_mutex_unlock(&mailbox->lock);
    enum gcl_status status = (enum gcl_status)atomic_load(&batch->status);
    free(batch);
    return status;
}

static const struct gcl_parcel *parcel_of(const struct part *part) {
    return &part->batch->parcels[part - part->batch->parts];
}

static struct item **find(struct item **table, gcl_node from, uint64_t tag) {
    struct item **link = &table[(tag ^ tag >> 26 ^ from) % BUCKETS];
    while (*link && ((*link)->tag != tag || (*link)->from != from))
        link = &(*link)->next;
    return link;
}

static void sent(void *context, enum gcl_status status) {
    finish_parcel(context, status);
}

/// Whether a parcel that comes has the size that is expected of it; blames its sender if not.
static bool fits(const struct gcl_mailbox *mailbox, const struct gcl_parcel *parcel, size_t size) {
    if (size == parcel->size)
        return true;
    blame(mailbox, parcel->peer, "sent node %u %zu bytes for %.100s, which needs %zu",
          mailbox->self, size, parcel->what ? parcel->what : "a transfer", parcel->size);
    return false;
}

/// Hands an item that is here to who waits for it.
static void deliver(struct item *item) {
    const struct gcl_parcel *parcel = parcel_of(item->part);
    enum gcl_status status = item->status;
    if (status == GCL_OK && !fits(item->mailbox, parcel, item->size))
        status = GCL_SYSTEM;
    if (status == GCL_OK)
        memcpy(parcel->bytes, item->bytes, item->size);
    finish_parcel(item->part, status);
    free(item->bytes);
    free(item);
}

static void receive(struct part *part, const struct gcl_parcel *parcel) {
    struct gcl_mailbox *mailbox = part->batch->mailbox;
    struct item **link = find(mailbox->arrived, parcel->peer, parcel->tag), *item = *link;
    if (item) {
        *link = item->next;
        item->part = part;
        if (item->is_here)
            deliver(item);
        return;
    }
    item = calloc(1, sizeof *item);
    if (!item) {
        finish_parcel(part, GCL_NO_MEMORY);
        return;
    }
    link = find(mailbox->expected, parcel->peer, parcel->tag);
    *item = (struct item){.from = parcel->peer,
                          .tag = parcel->tag,
                          .bytes = parcel->bytes,
                          .size = parcel->size,
                          .part = part,
                          .mailbox = mailbox};
    *link = item;
}

void gcl_batch_start(void *context) {
    struct gcl_batch *batch = context;
    struct gcl_mailbox *mailbox = batch->mailbox;
    enlist(batch);
    for (size_t i = 0; i < batch->count; i++) {
        struct part *part = &batch->parts[i];
        const struct gcl_parcel *parcel = &batch->parcels[i];
        struct gcl_wire_message message = {.kind = GCL_WIRE_PARCEL, .parcel.tag = parcel->tag};
        part->batch = batch;
        if (mailbox->has_failed)
            finish_parcel(part, GCL_NODE_LOST);
        else if (parcel->is_sent)
            gcl_transport_send(mailbox->transport, parcel->peer, &message, parcel->bytes,
                               parcel->size, sent, part);
        else
            receive(part, parcel);
    }
    release(batch, GCL_OK);
}

void gcl_mailbox_fail(struct gcl_mailbox *mailbox) {
    mailbox->has_failed = true;
    for (int i = 0; i < BUCKETS; i++) {
        while (mailbox->expected[i]) {
            struct item *item = mailbox->expected[i];
            mailbox->expected[i] = item->next;
            finish_parcel(item->part, GCL_NODE_LOST);
            free(item);
        }
    }
}

// What comes.

static void expected_came(void *context, enum gcl_status status) {
    struct item *item = context;
    finish_parcel(item->part, status);
    free(item);
}

static void unexpected_came(void *context, enum gcl_status status) {
    struct item *item = context;
    item->is_here = true;
    item->status = status;
    if (item->part)
        deliver(item);
}

static void take_parcel(struct gcl_mailbox *mailbox, gcl_node from, uint64_t tag,
                        struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    struct item **link = find(mailbox->expected, from, tag), *item = *link;
    if (item) {
        *link = item->next;
        if (fits(mailbox, parcel_of(item->part), size))
            gcl_incoming_receive(payload, item->bytes, expected_came, item);
        else
            expected_came(item, GCL_SYSTEM);
        return;
    }
    if (size == 0 || *find(mailbox->arrived, from, tag)) {
        blame(mailbox, from, "sent node %u %s", mailbox->self,
              size == 0 ? "a parcel without content" : "a parcel twice");
        return;
    }
    item = calloc(1, sizeof *item);
    void *bytes = malloc(size);
    if (!item || !bytes) {
        blame(mailbox, mailbox->self, "has no memory for %zu bytes from node %u", size, from);
        free(item);
        free(bytes);
        return;
    }
    *item =
        (struct item){.from = from, .tag = tag, .bytes = bytes, .size = size, .mailbox = mailbox};
    link = find(mailbox->arrived, from, tag);
    item->next = *link;
    *link = item;
    gcl_incoming_receive(payload, bytes, unexpected_came, item);
}

// Operations. Those of other nodes are passed on in order, before they are seen here: whoever waits
// for what a node further down does waits for all nodes on the way.
//
// A message costs more than its bytes, and UCX has room for a few dozen of them in memory that
// processes share: while one is on its way, later operations gather, and go in one message. So a
// node that falls behind catches up, however seldom its processor turns to it.

static struct gcl_broadcast *create_broadcast(struct gcl_mailbox *mailbox, size_t size) {
    struct gcl_broadcast *broadcast = malloc(sizeof *broadcast + size);
    if (broadcast)
        *broadcast = (struct gcl_broadcast){.mailbox = mailbox, .size = size};
    return broadcast;
}

struct gcl_broadcast *gcl_broadcast_create(struct gcl_mailbox *mailbox, const void *bytes,
                                           size_t size) {
    struct gcl_broadcast *broadcast =
        size > UINT32_MAX ? NULL : create_broadcast(mailbox, HEAD_SIZE + size);
    if (!broadcast)
        return NULL;
    for (int i = 0; i < HEAD_SIZE; i++)
        broadcast->bytes[i] = (unsigned char)(size >> 8 * i);
    memcpy(broadcast->bytes + HEAD_SIZE, bytes, size);
    return broadcast;
}

/// The first of those that wait, with as many of the following ones as fit.
static struct gcl_broadcast *take_bundle(struct gcl_mailbox *mailbox) {
    struct gcl_broadcast *first = mailbox->waiting.first, *end = first->next;
    size_t size = first->size, at = 0;
    for (; end && size + end->size <= BUNDLE_SIZE; end = end->next)
        size += end->size;
    struct gcl_broadcast *bundle = first->next == end ? NULL : create_broadcast(mailbox, size);
    if (!bundle) // nothing to gather, or no memory for that
        return take_waiting(mailbox);
    while (mailbox->waiting.first != end) {
        struct gcl_broadcast *next = take_waiting(mailbox);
        memcpy(bundle->bytes + at, next->bytes, next->size);
        at += next->size;
        free(next);
    }
    return bundle;
}

/// One child less to wait for, or the start. True: that was the last one.
static bool has_left(struct gcl_broadcast *broadcast) {
    if (--broadcast->open > 0)
        return false;
    broadcast->mailbox->leaving = NULL;
    free(broadcast);
    return true;
}

static void send_waiting(struct gcl_mailbox *mailbox);

// What can't be sent is a lost node, which others notice.
static void broadcast_sent(void *context, enum gcl_status status) {
    struct gcl_broadcast *broadcast = context;
    struct gcl_mailbox *mailbox = broadcast->mailbox;
    (void)status;
    if (has_left(broadcast))
        send_waiting(mailbox);
}

static void send_waiting(struct gcl_mailbox *mailbox) {
    const struct gcl_wire_message message = {.kind = GCL_WIRE_OPERATION};
    while (mailbox->waiting.first && !mailbox->leaving) {
        struct gcl_broadcast *broadcast = mailbox->leaving = take_bundle(mailbox);
        broadcast->open = mailbox->tree.child_count + 1; // one for the start itself
        for (unsigned i = 0; i < mailbox->tree.child_count; i++)
            gcl_transport_send(mailbox->transport, mailbox->tree.children[i], &message,
                               broadcast->bytes, broadcast->size, broadcast_sent, broadcast);
        has_left(broadcast);
    }
}

void gcl_broadcast_start(void *context) {
    struct gcl_broadcast *broadcast = context;
    struct broadcasts *waiting = &broadcast->mailbox->waiting;
    *(waiting->first ? &waiting->last->next : &waiting->first) = broadcast;
    waiting->last = broadcast;
    send_waiting(broadcast->mailbox);
}

/// False: no memory.
static bool pass_on(struct gcl_mailbox *mailbox, const struct letter *letter) {
    if (mailbox->tree.child_count == 0)
        return true;
    struct gcl_broadcast *broadcast = create_broadcast(mailbox, letter->size);
    if (!broadcast) {
        blame(mailbox, mailbox->self, "has no memory to pass an operation on");
        return false;
    }
    memcpy(broadcast->bytes, letter->bytes, letter->size);
    gcl_broadcast_start(broadcast);
    return true;
}

/// Bytes of the operation that begins at `at`, behind its size; 0: there is no whole one.
static size_t operation_size(const struct letter *letter, size_t at) {
    const unsigned char *bytes = (const unsigned char *)letter->bytes + at;
    size_t left = letter->size - at, size = 0;
    for (int i = 0; i < HEAD_SIZE && left >= HEAD_SIZE; i++)
        size |= (size_t)bytes[i] << 8 * i;
    return size > 0 && size <= left - HEAD_SIZE ? size : 0;
}

/// Whether a letter consists of operations and nothing else; blames its sender if not.
static bool can_be_told_apart(const struct gcl_mailbox *mailbox, const struct letter *letter) {
    size_t size = 1;
    for (size_t at = 0; at < letter->size && size > 0; at += HEAD_SIZE + size)
        size = operation_size(letter, at);
    if (size == 0)
        blame(mailbox, mailbox->tree.parent, "sent node %u operations that can't be told apart",
              mailbox->self);
    return size > 0;
}

/// The operation that begins at `at`, as a letter of its own. NULL: no memory.
static struct letter *take_out(const struct letter *letter, size_t at) {
    size_t size = operation_size(letter, at);
    struct letter *operation = calloc(1, sizeof *operation);
    void *copy = malloc(size);
    if (!operation || !copy) {
        free(operation);
        free(copy);
        return NULL;
    }
    const unsigned char *bytes = (const unsigned char *)letter->bytes + at + HEAD_SIZE;
    *operation = (struct letter){.bytes = memcpy(copy, bytes, size), .size = size};
    return operation;
}

/// Makes a letter's operations ready. False: no memory.
static bool open_letter(struct gcl_mailbox *mailbox, const struct letter *letter) {
    struct letters operations = {NULL, NULL};
    struct letter *operation = NULL;
    size_t at = 0;
    while (at < letter->size && (operation = take_out(letter, at))) {
        append(&operations, operation);
        at += HEAD_SIZE + operation->size;
    }
    pthread_mutex_lock(&mailbox->lock);
    while (operations.first)
        append(&mailbox->ready, take_first(&operations));
    pthread_cond_broadcast(&mailbox->changed);
    pthread_mutex_unlock(&mailbox->lock);
    if (!operation)
        blame(mailbox, mailbox->self, "has no memory for an operation");
    return operation != NULL;
}

// A letter that came later may be here sooner. After one that can't be read there is no next one.
static void letter_came(void *context, enum gcl_status status) {
    struct letter *letter = context;
    struct gcl_mailbox *mailbox = letter->mailbox;
    letter->is_here = true;
    mailbox->is_torn |= status != GCL_OK;
    while (!mailbox->is_torn && mailbox->coming.first && mailbox->coming.first->is_here) {
        struct letter *next = take_first(&mailbox->coming);
        mailbox->is_torn = !can_be_told_apart(mailbox, next) || !pass_on(mailbox, next) ||
                           !open_letter(mailbox, next);
        free(next->bytes);
        free(next);
    }
    if (mailbox->is_torn)
        gcl_mailbox_close(mailbox);
}

static void take_operation(struct gcl_mailbox *mailbox, gcl_node from,
                           struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    if (from != mailbox->tree.parent || size == 0) {
        blame(mailbox, from, "sent node %u %s", mailbox->self,
              size == 0 ? "an operation without content"
                        : "an operation, which isn't for it to send");
        return;
    }
    struct letter *letter = calloc(1, sizeof *letter);
    void *bytes = malloc(size);
    if (!letter || !bytes) {
        blame(mailbox, mailbox->self, "has no memory for an operation");
        free(letter);
        free(bytes);
        gcl_mailbox_close(mailbox);
        return;
    }
    *letter = (struct letter){.bytes = bytes, .size = size, .mailbox = mailbox};
    append(&mailbox->coming, letter);
    gcl_incoming_receive(payload, bytes, letter_came, letter);
}

void gcl_mailbox_take(struct gcl_mailbox *mailbox, const struct gcl_wire_message *message,
                      struct gcl_incoming *payload) {
    if (message->kind == GCL_WIRE_PARCEL)
        take_parcel(mailbox, message->from, message->parcel.tag, payload);
    else
        take_operation(mailbox, message->from, payload);
}

void *gcl_mailbox_next(struct gcl_mailbox *mailbox, size_t *size) {
    void *bytes = NULL;
    pthread_mutex_lock(&mailbox->lock);
    while (!mailbox->is_closed && !mailbox->ready.first)
        pthread_cond_wait(&mailbox->changed, &mailbox->lock);
    struct letter *letter = mailbox->is_closed ? NULL : take_first(&mailbox->ready);
    if (letter) {
        bytes = letter->bytes;
        *size = letter->size;
    }
    pthread_mutex_unlock(&mailbox->lock);
    free(letter);
    return bytes;
}

void gcl_mailbox_close(struct gcl_mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    mailbox->is_closed = true;
    pthread_cond_broadcast(&mailbox->changed);
    pthread_mutex_unlock(&mailbox->lock);
}
