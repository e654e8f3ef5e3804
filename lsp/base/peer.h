// A peer is this program, started again to do one kind of work: a process with a channel to it.
#ifndef GCL_LSP_PEER_H
#define GCL_LSP_PEER_H

#include "lsp/base/channel.h"

struct gcl_peer;

/// How a peer's end reads to people: "crashed: Segmentation fault".
typedef void gcl_peer_ended(const char *how, void *context);

/// Called for the response to gcl_peer_ask: one of the two is NULL.
typedef void gcl_peer_answered(json_t *result, json_t *error, void *context);

/// Called for the response to gcl_peer_relay: the text of the message.
typedef void gcl_peer_relayed(GBytes *text, void *context);

struct gcl_peer_handlers {
    gcl_peer_answered *answered;
    gcl_peer_relayed *relayed; ///< NULL: nothing is relayed
    gcl_peer_ended *ended; ///< once, if the process ends by itself; the peer may be destroyed then
    void *context;
};

/// Starts this program with the argument `role`. NULL if it can't be started.
struct gcl_peer *gcl_peer_start(const char *role, const struct gcl_peer_handlers *handlers);
/// Kills the process if it hasn't ended.
void gcl_peer_destroy(struct gcl_peer *peer);

/// Time that processors have spent on the process, in milliseconds.
gint64 gcl_peer_cpu_ms(const struct gcl_peer *peer);
/// Whether a thread of the process, or a child, runs, could run, or waits for a disk.
bool gcl_peer_is_running(const struct gcl_peer *peer);
/// Whether neither the process nor a child has used a processor for ten seconds of its question: it
/// waits for a pipe, or for a disk that doesn't answer. For those who look every few seconds, since
/// a look compares with the one before.
bool gcl_peer_is_stuck(struct gcl_peer *peer);

/// The handlers' context.
void *gcl_peer_context(const struct gcl_peer *peer);

/// Sends a notification; `params` is taken.
void gcl_peer_tell(struct gcl_peer *peer, const char *method, json_t *params);
/// Sends a request; `params` is taken. One question at a time: the next one follows the answer.
void gcl_peer_ask(struct gcl_peer *peer, const char *method, json_t *params);
/// Asks the peer somebody else's question of that number, which isn't taken: the answer can be
/// passed on as it comes. Long answers take longer to parse and write again than many a one to
/// find.
void gcl_peer_relay(struct gcl_peer *peer, json_t *id, const char *method, json_t *params);

#endif
