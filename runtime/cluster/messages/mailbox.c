// What requests (batch.c) and operations (broadcast.c) have in common: the transport, the lock, and
// whom to tell of a node that sends what it shouldn't.
#include "mailbox.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/messages/mailbox_state.h"

struct gcl_mailbox *gcl_mailbox_create(struct gcl_transport *transport, gcl_node self,
                                       gcl_node count, const struct gcl_mailbox_calls *calls) {
    assert(self < count);
    struct gcl_mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox)
        return NULL;
    mailbox->transport = transport;
    mailbox->self = self;
    mailbox->count = count;
    mailbox->calls = *calls;
    mailbox->operations.tree = gcl_tree_of(self, count);
    pthread_mutex_init(&mailbox->lock, NULL);
    pthread_cond_init(&mailbox->changed, NULL);
    return mailbox;
}

void gcl_mailbox_destroy(struct gcl_mailbox *mailbox) {
    if (!mailbox)
        return;
    gcl_batch_free_all(mailbox);
    gcl_broadcast_free_all(mailbox);
    pthread_cond_destroy(&mailbox->changed);
    pthread_mutex_destroy(&mailbox->lock);
    free(mailbox);
}

void gcl_mailbox_blame(const struct gcl_mailbox *mailbox, gcl_node culprit, const char *format,
                       ...) {
    char reason[GCL_WIRE_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    mailbox->calls.blame(mailbox->calls.context, culprit, reason);
}

void gcl_mailbox_take(struct gcl_mailbox *mailbox, const struct gcl_wire_message *message,
                      struct gcl_incoming *payload) {
    assert(message->kind == GCL_WIRE_DATA || message->kind == GCL_WIRE_OPERATION);
    if (message->kind == GCL_WIRE_DATA)
        gcl_batch_take(mailbox, message->from, message->data.tag, payload);
    else
        gcl_broadcast_take(mailbox, message->from, payload);
}

void gcl_mailbox_fail(struct gcl_mailbox *mailbox) {
    mailbox->requests.has_failed = true;
    gcl_batch_fail_all(mailbox);
}
