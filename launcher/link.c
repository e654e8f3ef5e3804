// A link has a buffer for each direction, since neither side may keep the launcher waiting. What
// has been handed out stays in `received` until the next progress: frames point into it.
#include "link.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib.h>

// Read at once: whoever sends without end doesn't keep the launcher from its other work.
enum { PIECE = 256 * 1024 };

struct gcl_link {
    int in, out;
    bool is_closed;
    GByteArray *received, *pending;
    guint used;    // bytes of `received` that have been looked at
    guint written; // bytes of `pending`
};

struct gcl_link *gcl_link_create(int in, int out) {
    struct gcl_link *link = g_new0(struct gcl_link, 1);
    link->in = in;
    link->out = out;
    link->received = g_byte_array_new();
    link->pending = g_byte_array_new();
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
    return link;
}

void gcl_link_destroy(struct gcl_link *link) {
    if (!link)
        return;
    close(link->in);
    if (link->out != link->in)
        close(link->out);
    g_byte_array_unref(link->received);
    g_byte_array_unref(link->pending);
    g_free(link);
}

size_t gcl_link_pending(const struct gcl_link *link) {
    assert(link->written <= link->pending->len);
    return link->pending->len - link->written;
}

void gcl_link_poll(const struct gcl_link *link, struct pollfd pollers[2]) {
    pollers[0] = (struct pollfd){.fd = link->is_closed ? -1 : link->in, .events = POLLIN};
    pollers[1] = (struct pollfd){
        .fd = link->is_closed || gcl_link_pending(link) == 0 ? -1 : link->out, .events = POLLOUT};
}

static void write_pending(struct gcl_link *link) {
    while (!link->is_closed && gcl_link_pending(link) > 0) {
        ssize_t count =
            write(link->out, link->pending->data + link->written, gcl_link_pending(link));
        if (count > 0)
            link->written += (guint)count;
        else if (count < 0 && errno == EAGAIN)
            return;
        else if (count < 0 && errno != EINTR)
            link->is_closed = true; // SIGPIPE is ignored
    }
    g_byte_array_set_size(link->pending, 0);
    link->written = 0;
}

void gcl_link_send(struct gcl_link *link, enum gcl_rendezvous_kind kind, gcl_node node,
                   const void *body, size_t size) {
    uint8_t head[GCL_RENDEZVOUS_HEAD_SIZE];
    if (link->is_closed)
        return;
    gcl_rendezvous_write_head(
        &(struct gcl_rendezvous_head){.kind = kind, .node = node, .size = size}, head);
    g_byte_array_append(link->pending, head, sizeof head);
    if (size > 0)
        g_byte_array_append(link->pending, body, (guint)size);
    write_pending(link);
}

// Forgets what has been looked at.
static void tidy(struct gcl_link *link) {
    if (link->used > 0)
        g_byte_array_remove_range(link->received, 0, link->used);
    link->used = 0;
}

bool gcl_link_progress(struct gcl_link *link) {
    write_pending(link);
    tidy(link);
    guint before = link->received->len;
    if (link->is_closed)
        return false;
    g_byte_array_set_size(link->received, before + PIECE);
    ssize_t count = read(link->in, link->received->data + before, PIECE);
    g_byte_array_set_size(link->received, before + (count > 0 ? (guint)count : 0));
    link->is_closed = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    return !link->is_closed;
}

bool gcl_link_next(struct gcl_link *link, struct gcl_frame *frame, const char **wrong) {
    assert(link->used <= link->received->len);
    size_t left = link->received->len - link->used;
    if (left < GCL_RENDEZVOUS_HEAD_SIZE)
        return false;
    const char *mistake = gcl_rendezvous_read_head(link->received->data + link->used, &frame->head);
    if (mistake) {
        *wrong = mistake;
        link->is_closed = true;
        return false;
    }
    if (frame->head.size > left - GCL_RENDEZVOUS_HEAD_SIZE)
        return false;
    frame->body = link->received->data + link->used + GCL_RENDEZVOUS_HEAD_SIZE;
    link->used += (guint)(GCL_RENDEZVOUS_HEAD_SIZE + frame->head.size);
    return true;
}
