// Operations on their way from node 0 to all others, down a tree.
//
// Operations that come are passed on in order, before they are seen here: whoever waits
// for what a node further down does waits for all nodes on the way.
//
// A message costs more than its bytes, and UCX has room for a few dozen of them in memory that
// processes share: while one is on its way, later operations gather, and go in one message. So a
// node that falls behind catches up, however seldom its processor turns to it.
#include "broadcast.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/messages/mailbox_state.h"

enum {
    HEAD_SIZE = 4,      ///< an operation's size, little-endian, before each
    BUNDLE_SIZE = 8000, ///< of operations that go in one message; UCX copies up to 8 KiB at once
};

/// A message with operations as it comes, and then each of them.
struct gcl_mailbox_letter {
    void *bytes;
    size_t size;
    bool is_here;
    struct gcl_mailbox *mailbox;
    struct gcl_mailbox_letter *next;
};

/// One operation or several, each behind its size.
struct gcl_broadcast {
    struct gcl_mailbox *mailbox;
    struct gcl_broadcast *next;
    unsigned open;
    size_t size;
    unsigned char bytes[];
};

static void append(struct gcl_mailbox_letters *letters, struct gcl_mailbox_letter *letter) {
    *(letters->first ? &letters->last->next : &letters->first) = letter;
    letters->last = letter;
    letter->next = NULL;
}

static struct gcl_mailbox_letter *take_first(struct gcl_mailbox_letters *letters) {
    struct gcl_mailbox_letter *letter = letters->first;
    letters->first = letter->next;
    return letter;
}

static void free_letters(struct gcl_mailbox_letters *letters) {
    while (letters->first) {
        struct gcl_mailbox_letter *letter = take_first(letters);
        free(letter->bytes);
        free(letter);
    }
}

static struct gcl_broadcast *take_waiting(struct gcl_mailbox *mailbox) {
    struct gcl_broadcast *broadcast = mailbox->operations.first_waiting;
    mailbox->operations.first_waiting = broadcast->next;
    return broadcast;
}

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
    struct gcl_broadcast *first = mailbox->operations.first_waiting, *end = first->next;
    size_t size = first->size, at = 0;
    for (; end && size + end->size <= BUNDLE_SIZE; end = end->next)
        size += end->size;
    struct gcl_broadcast *bundle = first->next == end ? NULL : create_broadcast(mailbox, size);
    if (!bundle) // nothing to gather, or no memory for that
        return take_waiting(mailbox);
    while (mailbox->operations.first_waiting != end) {
        struct gcl_broadcast *next = take_waiting(mailbox);
        memcpy(bundle->bytes + at, next->bytes, next->size);
        at += next->size;
        free(next);
    }
    return bundle;
}

/// The broadcast has one child less to wait for, or the start. True: that was the last one.
static bool has_left(struct gcl_broadcast *broadcast) {
    assert(broadcast->open > 0 && broadcast->mailbox->operations.leaving == broadcast);
    if (--broadcast->open > 0)
        return false;
    broadcast->mailbox->operations.leaving = NULL;
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
    while (mailbox->operations.first_waiting && !mailbox->operations.leaving) {
        struct gcl_broadcast *broadcast = mailbox->operations.leaving = take_bundle(mailbox);
        broadcast->open = mailbox->operations.tree.child_count + 1; // one for the start itself
        for (unsigned i = 0; i < mailbox->operations.tree.child_count; i++)
            gcl_transport_send(mailbox->transport, mailbox->operations.tree.children[i], &message,
                               broadcast->bytes, broadcast->size, broadcast_sent, broadcast);
        has_left(broadcast);
    }
}

void gcl_broadcast_start(void *context) {
    struct gcl_broadcast *broadcast = context;
    struct gcl_mailbox_operations *o = &broadcast->mailbox->operations;
    *(o->first_waiting ? &o->last_waiting->next : &o->first_waiting) = broadcast;
    o->last_waiting = broadcast;
    send_waiting(broadcast->mailbox);
}

/// False: no memory.
static bool pass_on(struct gcl_mailbox *mailbox, const struct gcl_mailbox_letter *letter) {
    if (mailbox->operations.tree.child_count == 0)
        return true;
    struct gcl_broadcast *broadcast = create_broadcast(mailbox, letter->size);
    if (!broadcast) {
        gcl_mailbox_blame(mailbox, mailbox->self, "has no memory to pass an operation on");
        return false;
    }
    memcpy(broadcast->bytes, letter->bytes, letter->size);
    gcl_broadcast_start(broadcast);
    return true;
}

/// Bytes of the operation that begins at `at`, behind its size; 0: there is no whole one.
static size_t operation_size(const struct gcl_mailbox_letter *letter, size_t at) {
    const unsigned char *bytes = (const unsigned char *)letter->bytes + at;
    size_t left = letter->size - at, size = 0;
    for (int i = 0; i < HEAD_SIZE && left >= HEAD_SIZE; i++)
        size |= (size_t)bytes[i] << 8 * i;
    return size > 0 && size <= left - HEAD_SIZE ? size : 0;
}

/// Whether a letter consists of operations and nothing else; blames its sender if not.
static bool can_be_told_apart(const struct gcl_mailbox *mailbox,
                              const struct gcl_mailbox_letter *letter) {
    size_t size = 1;
    for (size_t at = 0; at < letter->size && size > 0; at += HEAD_SIZE + size)
        size = operation_size(letter, at);
    if (size == 0)
        gcl_mailbox_blame(mailbox, mailbox->operations.tree.parent,
                          "sent node %u operations that can't be told apart", mailbox->self);
    return size > 0;
}

/// The operation that begins at `at`, as a letter of its own. NULL: no memory.
static struct gcl_mailbox_letter *take_out(const struct gcl_mailbox_letter *letter, size_t at) {
    size_t size = operation_size(letter, at);
    struct gcl_mailbox_letter *operation = calloc(1, sizeof *operation);
    void *copy = malloc(size);
    if (!operation || !copy) {
        free(operation);
        free(copy);
        return NULL;
    }
    const unsigned char *bytes = (const unsigned char *)letter->bytes + at + HEAD_SIZE;
    *operation = (struct gcl_mailbox_letter){.bytes = memcpy(copy, bytes, size), .size = size};
    return operation;
}

/// The lock is held.
static void note_news(struct gcl_mailbox *mailbox) {
    struct gcl_mailbox_operations *o = &mailbox->operations;
    atomic_store(&o->has_news, o->is_closed || o->ready.first);
}

/// Makes a letter's operations ready. False: no memory.
static bool open_letter(struct gcl_mailbox *mailbox, const struct gcl_mailbox_letter *letter) {
    struct gcl_mailbox_letters operations = {NULL, NULL};
    struct gcl_mailbox_letter *operation = NULL;
    size_t at = 0;
    while (at < letter->size && (operation = take_out(letter, at))) {
        append(&operations, operation);
        at += HEAD_SIZE + operation->size;
    }
    pthread_mutex_lock(&mailbox->lock);
    while (operations.first)
        append(&mailbox->operations.ready, take_first(&operations));
    note_news(mailbox);
    pthread_mutex_unlock(&mailbox->lock);
    pthread_cond_broadcast(&mailbox->changed);
    if (!operation)
        gcl_mailbox_blame(mailbox, mailbox->self, "has no memory for an operation");
    return operation != NULL;
}

// A letter that came later may be here sooner. After one that can't be read there is no next one.
static void letter_came(void *context, enum gcl_status status) {
    struct gcl_mailbox_letter *letter = context;
    struct gcl_mailbox *mailbox = letter->mailbox;
    assert(!letter->is_here);
    letter->is_here = true;
    mailbox->operations.is_torn |= status != GCL_OK;
    while (!mailbox->operations.is_torn && mailbox->operations.coming.first &&
           mailbox->operations.coming.first->is_here) {
        struct gcl_mailbox_letter *next = take_first(&mailbox->operations.coming);
        mailbox->operations.is_torn = !can_be_told_apart(mailbox, next) ||
                                      !pass_on(mailbox, next) || !open_letter(mailbox, next);
        free(next->bytes);
        free(next);
    }
    if (mailbox->operations.is_torn)
        gcl_mailbox_close(mailbox);
}

void gcl_broadcast_take(struct gcl_mailbox *mailbox, gcl_node from, struct gcl_incoming *payload) {
    size_t size = payload ? gcl_incoming_size(payload) : 0;
    if (from != mailbox->operations.tree.parent || size == 0) {
        gcl_mailbox_blame(mailbox, from, "sent node %u %s", mailbox->self,
                          size == 0 ? "an operation without content"
                                    : "an operation, which isn't for it to send");
        return;
    }
    struct gcl_mailbox_letter *letter = calloc(1, sizeof *letter);
    void *bytes = malloc(size);
    if (!letter || !bytes) {
        gcl_mailbox_blame(mailbox, mailbox->self, "has no memory for an operation");
        free(letter);
        free(bytes);
        gcl_mailbox_close(mailbox);
        return;
    }
    *letter = (struct gcl_mailbox_letter){.bytes = bytes, .size = size, .mailbox = mailbox};
    append(&mailbox->operations.coming, letter);
    gcl_incoming_receive(payload, bytes, letter_came, letter);
}

void *gcl_mailbox_next(struct gcl_mailbox *mailbox, size_t *size) {
    void *bytes = NULL;
    uint64_t begin_ns = gcl_clock_ns();
    while (!atomic_load(&mailbox->operations.has_news) &&
           gcl_clock_ns() - begin_ns < GCL_MAILBOX_WATCH_NS)
        sched_yield();
    pthread_mutex_lock(&mailbox->lock);
    while (!mailbox->operations.is_closed && !mailbox->operations.ready.first)
        pthread_cond_wait(&mailbox->changed, &mailbox->lock);
    struct gcl_mailbox_letter *letter =
        mailbox->operations.is_closed ? NULL : take_first(&mailbox->operations.ready);
    if (letter) {
        bytes = letter->bytes;
        *size = letter->size;
    }
    note_news(mailbox);
    pthread_mutex_unlock(&mailbox->lock);
    free(letter);
    return bytes;
}

void gcl_mailbox_close(struct gcl_mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    mailbox->operations.is_closed = true;
    note_news(mailbox);
    pthread_mutex_unlock(&mailbox->lock);
    pthread_cond_broadcast(&mailbox->changed);
}

void gcl_broadcast_free_all(struct gcl_mailbox *mailbox) {
    free_letters(&mailbox->operations.coming);
    free_letters(&mailbox->operations.ready);
    while (mailbox->operations.first_waiting)
        free(take_waiting(mailbox));
}
