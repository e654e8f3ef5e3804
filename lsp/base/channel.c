// What is sent waits in `pending` until the other end takes it, so that nobody waits for a slow
// reader.
#include "lsp/base/channel.h"

#include <assert.h>
#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <unistd.h>

struct gcl_channel {
    int in, out;
    guint in_source, out_source; // 0: none
    struct gcl_rpc_reader reader;
    GByteArray *pending; // what the other end hasn't taken
    gcl_channel_receive *receive;
    void *context;
};

static void remove_source(guint *source) {
    if (*source)
        g_source_remove(*source);
    *source = 0;
}

// Writes what can be written without waiting. False if nobody reads any more.
static bool write_some(struct gcl_channel *channel) {
    while (channel->pending->len > 0) {
        ssize_t size = write(channel->out, channel->pending->data, channel->pending->len);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        assert((gsize)size <= channel->pending->len);
        g_byte_array_remove_range(channel->pending, 0, (guint)size);
    }
    return true;
}

static gboolean can_write(int fd, GIOCondition condition, void *data) {
    struct gcl_channel *channel = data;
    (void)fd, (void)condition;
    assert(channel->out_source && channel->pending->len > 0);
    if (write_some(channel) && channel->pending->len > 0)
        return G_SOURCE_CONTINUE;
    g_byte_array_set_size(channel->pending, 0);
    channel->out_source = 0;
    return G_SOURCE_REMOVE;
}

static void send_bytes(struct gcl_channel *channel, GBytes *bytes) {
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    g_byte_array_append(channel->pending, data, (guint)size);
    if (channel->out_source)
        return;
    if (!write_some(channel))
        g_byte_array_set_size(channel->pending, 0);
    else if (channel->pending->len > 0)
        channel->out_source = g_unix_fd_add(channel->out, G_IO_OUT, can_write, channel);
    assert(!channel->out_source == (channel->pending->len == 0));
}

void gcl_channel_send(struct gcl_channel *channel, json_t *body) {
    g_autoptr(GBytes) bytes = gcl_rpc_frame(body);
    send_bytes(channel, bytes);
}

void gcl_channel_pass(struct gcl_channel *channel, GBytes *text) {
    g_autoptr(GBytes) bytes = gcl_rpc_frame_text(text);
    send_bytes(channel, bytes);
}

void gcl_channel_flush(struct gcl_channel *channel) {
    struct pollfd out = {.fd = channel->out, .events = POLLOUT};
    while (write_some(channel) && channel->pending->len > 0)
        poll(&out, 1, -1);
}

static void receive_all(struct gcl_channel *channel) {
    GBytes *text;
    enum gcl_rpc_state state;
    while ((state = gcl_rpc_take(&channel->reader, &text)) == GCL_RPC_MESSAGE) {
        channel->receive(text, channel->context);
        g_bytes_unref(text);
    }
    if (state == GCL_RPC_LOST) {
        remove_source(&channel->in_source);
        channel->receive(NULL, channel->context);
    }
}

static gboolean can_read(int fd, GIOCondition condition, void *data) {
    struct gcl_channel *channel = data;
    guint8 bytes[65536];
    (void)condition;
    ssize_t size = read(fd, bytes, sizeof bytes);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return G_SOURCE_CONTINUE;
    if (size <= 0) {
        channel->in_source = 0;
        channel->receive(NULL, channel->context);
        return G_SOURCE_REMOVE;
    }
    gcl_rpc_feed(&channel->reader, bytes, (size_t)size);
    receive_all(channel);
    return G_SOURCE_CONTINUE;
}

struct gcl_channel *gcl_channel_create(int in, int out, gcl_channel_receive *receive,
                                       void *context) {
    assert(receive);
    struct gcl_channel *channel = g_new0(struct gcl_channel, 1);
    channel->in = in;
    channel->out = out;
    channel->receive = receive;
    channel->context = context;
    channel->pending = g_byte_array_new();
    g_unix_set_fd_nonblocking(out, TRUE, NULL);
    channel->in_source = g_unix_fd_add(in, G_IO_IN | G_IO_HUP | G_IO_ERR, can_read, channel);
    return channel;
}

void gcl_channel_destroy(struct gcl_channel *channel) {
    if (!channel)
        return;
    remove_source(&channel->in_source);
    remove_source(&channel->out_source);
    gcl_rpc_reader_finish(&channel->reader);
    g_byte_array_unref(channel->pending);
    close(channel->in);
    close(channel->out);
    g_free(channel);
}
