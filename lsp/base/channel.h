// Messages to and from another process, in GLib's main loop: nothing here ever waits.
#ifndef GCL_LSP_CHANNEL_H
#define GCL_LSP_CHANNEL_H

#include "lsp/base/rpc.h"

struct gcl_channel;

/// Called for the text of each message that comes, and once, with NULL, when none can come any
/// more.
typedef void gcl_channel_receive(GBytes *text, void *context);

/// Takes the two file descriptors. `receive` may destroy the channel only when it gets NULL.
struct gcl_channel *gcl_channel_create(int in, int out, gcl_channel_receive *receive,
                                       void *context);
/// Messages that have been sent and that the other end hasn't taken yet are lost.
void gcl_channel_destroy(struct gcl_channel *channel);

/// Takes `body`. The bytes go as soon as the other end reads them.
void gcl_channel_send(struct gcl_channel *channel, json_t *body);
/// Sends the text of a message, which isn't taken.
void gcl_channel_pass(struct gcl_channel *channel, GBytes *text);
/// Waits until the other end has taken all messages, or reads no more.
void gcl_channel_flush(struct gcl_channel *channel);

#endif
