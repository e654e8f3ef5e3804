// This program, started again to do one kind of work: a process with a channel to it.
#ifndef GCL_LSP_PEER_H
#define GCL_LSP_PEER_H

#include "channel.h"

struct gcl_peer;

/// How a peer's end reads to people: "crashed: Segmentation fault".
typedef void gcl_peer_ended(const char *how, void *context);

/// Called for each response to gcl_peer_ask: one of the two is NULL.
typedef void gcl_peer_answered(json_t *result, json_t *error, void *context);

struct gcl_peer_handlers {
    gcl_peer_answered *answered;
    gcl_peer_ended *ended; ///< once, if the process ends by itself; the peer may be destroyed then
    void *context;
};

/// Starts this program with the argument `role`. NULL if it can't be started.
struct gcl_peer *gcl_peer_start(const char *role, const struct gcl_peer_handlers *handlers);
/// Kills the process if it hasn't ended.
void gcl_peer_destroy(struct gcl_peer *peer);

/// What the process has done so far.
struct gcl_peer_activity {
    gint64 cpu_ms;   ///< time that processors have spent on it
    bool is_running; ///< a thread of it, or a child, runs, could run, or waits for a disk
};
struct gcl_peer_activity gcl_peer_observe(const struct gcl_peer *peer);

/// The handlers' context.
void *gcl_peer_context(const struct gcl_peer *peer);

/// `params` is taken.
void gcl_peer_tell(struct gcl_peer *peer, const char *method, json_t *params);
/// The answers come in the order of the questions.
void gcl_peer_ask(struct gcl_peer *peer, const char *method, json_t *params);

#endif
