#include "mailbox.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/tree.h"

enum { BUCKETS = 1024 };
// Parcels that come within that time are waited for awake.
#define SPIN_NS UINT64_C(20000)

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
    struct part *part; ///< who waits; NULL: nobody yet
    void *target;      ///< where it is wanted, if it came before
    bool is_here;      ///< all bytes have come
    struct gcl_mailbox *mailbox;
    struct item *next;
};

/// An operation.
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

struct gcl_mailbox {
    struct gcl_transport *transport;
    struct item *expected[BUCKETS], *arrived[BUCKETS];
    bool has_failed;
    struct gcl_batch *batches; ///< under way
    struct gcl_tree tree;
    struct letters coming; ///< those that aren't all here, and what came behind them

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

struct gcl_broadcast {
    struct gcl_mailbox *mailbox;
    unsigned open;
    size_t size;
    unsigned char bytes[];
};

struct gcl_mailbox *gcl_mailbox_create(struct gcl_transport *transport, gcl_node self,
                                       gcl_node count) {
    struct gcl_mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox)
        return NULL;
    mailbox->transport = transport;
    mailbox->tree = gcl_tree_of(self, count);
    pthread_mutex_init(&mailbox->lock, NULL);
    pthread_cond_init(&mailbox->changed, NULL);
    return mailbox;
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

void gcl_mailbox_destroy(struct gcl_mailbox *mailbox) {
    if (!mailbox)
        return;
    for (int i = 0; i < BUCKETS; i++) {
        free_items(mailbox->expected[i], false);
        free_items(mailbox->arrived[i], true);
    }
    free_letters(&mailbox->coming);
    free_letters(&mailbox->ready);
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

static struct item **find(struct item **table, gcl_node from, uint64_t tag) {
    struct item **link = &table[(tag ^ tag >> 26 ^ from) % BUCKETS];
    while (*link && ((*link)->tag != tag || (*link)->from != from))
        link = &(*link)->next;
    return link;
}

static void sent(void *context, enum gcl_status status) {
    finish_parcel(context, status);
}

/// Hands an item that is here to who waits for it.
static void deliver(struct item *item, enum gcl_status status) {
    if (status == GCL_OK)
        memcpy(item->target, item->bytes, item->size);
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
        item->target = parcel->bytes;
        if (item->is_here)
            deliver(item, item->size == parcel->size ? GCL_OK : GCL_SYSTEM);
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
    if (status != GCL_OK)
        item->size = 0;
    if (item->part)
        deliver(item, status);
}

static void take_parcel(struct gcl_mailbox *mailbox, gcl_node from, uint64_t tag,
                        struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    struct item **link = find(mailbox->expected, from, tag), *item = *link;
    if (size == 0) {
        gcl_log(GCL_LOG_WARN, "node %u sends a parcel without content", from);
        return;
    }
    if (item) {
        *link = item->next;
        if (item->size == size)
            gcl_incoming_receive(payload, item->bytes, expected_came, item);
        else
            expected_came(item, GCL_SYSTEM);
        return;
    }
    item = calloc(1, sizeof *item);
    void *bytes = malloc(size);
    if (!item || !bytes) {
        gcl_log(GCL_LOG_ERROR, "no memory for %zu bytes from node %u", size, from);
        gcl_mailbox_fail(mailbox);
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

struct gcl_broadcast *gcl_broadcast_create(struct gcl_mailbox *mailbox, const void *bytes,
                                           size_t size) {
    struct gcl_broadcast *broadcast = malloc(sizeof *broadcast + size);
    if (!broadcast)
        return NULL;
    broadcast->mailbox = mailbox;
    broadcast->open = mailbox->tree.child_count + 1; // one for the start itself
    broadcast->size = size;
    memcpy(broadcast->bytes, bytes, size);
    return broadcast;
}

// What can't be sent is a lost node, which others notice.
static void broadcast_sent(void *context, enum gcl_status status) {
    struct gcl_broadcast *broadcast = context;
    (void)status;
    if (--broadcast->open == 0)
        free(broadcast);
}

void gcl_broadcast_start(void *context) {
    struct gcl_broadcast *broadcast = context;
    struct gcl_mailbox *mailbox = broadcast->mailbox;
    const struct gcl_wire_message message = {.kind = GCL_WIRE_OPERATION};
    for (unsigned i = 0; i < mailbox->tree.child_count; i++)
        gcl_transport_send(mailbox->transport, mailbox->tree.children[i], &message,
                           broadcast->bytes, broadcast->size, broadcast_sent, broadcast);
    broadcast_sent(broadcast, GCL_OK);
}

/// False: no memory.
static bool pass_on(struct gcl_mailbox *mailbox, const struct letter *letter) {
    if (mailbox->tree.child_count == 0)
        return true;
    struct gcl_broadcast *broadcast = gcl_broadcast_create(mailbox, letter->bytes, letter->size);
    if (!broadcast) {
        gcl_log(GCL_LOG_ERROR, "no memory to pass an operation on");
        return false;
    }
    gcl_broadcast_start(broadcast);
    return true;
}

// A letter that came later may be here sooner.
static void letter_came(void *context, enum gcl_status status) {
    struct letter *letter = context;
    struct gcl_mailbox *mailbox = letter->mailbox;
    bool is_whole = status == GCL_OK;
    letter->is_here = true;
    while (is_whole && mailbox->coming.first && mailbox->coming.first->is_here) {
        is_whole = pass_on(mailbox, mailbox->coming.first);
        struct letter *first = take_first(&mailbox->coming);
        pthread_mutex_lock(&mailbox->lock);
        append(&mailbox->ready, first);
        pthread_cond_broadcast(&mailbox->changed);
        pthread_mutex_unlock(&mailbox->lock);
    }
    if (!is_whole)
        gcl_mailbox_close(mailbox);
}

static void take_operation(struct gcl_mailbox *mailbox, gcl_node from,
                           struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    if (from != mailbox->tree.parent || size == 0) {
        gcl_log(GCL_LOG_WARN, "node %u sends an operation, which isn't for it to send", from);
        return;
    }
    struct letter *letter = calloc(1, sizeof *letter);
    void *bytes = malloc(size);
    if (!letter || !bytes) {
        gcl_log(GCL_LOG_ERROR, "no memory for an operation");
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
