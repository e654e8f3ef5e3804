// Commands of a device that has queues of its own (exec/device/device.h).
//
// A launch, a copy that the device takes, or a moment flows: it goes into the device's queue for
// its stream as soon as all that it waits for is done or is in queues itself. The device keeps the
// order, so edges between such commands are none of the graph: a queue works in order, and where it
// has to wait for another one it is told so. What doesn't flow (functions, copies from memory that
// the device doesn't reach) waits until what it depends on is known to be done.
//
// That a command is done shows by marks. The latest command of a queue gets one when somebody wants
// to know; whoever waits for a stream waits for its mark, and for functions and the like a thread
// of the engine does, the collector. The lock is held wherever it isn't said otherwise.
#ifndef GCL_EXEC_QUEUE_H
#define GCL_EXEC_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/engine/engine.h"

/// A stream's queue, and the commands in it that aren't known to be done.
struct gcl_queue {
    void *queue; ///< the device's; NULL: nothing has needed one
    struct gcl_command *first, *last;
    uint32_t unmarked; ///< commands behind the last mark
    uint32_t wanted;   ///< edges from commands in it, to those that don't flow
};

/// The thread that waits for commands in queues where nobody else does.
struct gcl_collector {
    pthread_t thread;
    pthread_cond_t condition;
    bool is_running;
};

/// Whether a command flows; once, before it has edges.
bool gcl_queue_takes(const struct gcl_engine *engine, const struct gcl_command *command);
/// Puts a command that nothing holds up in its stream's queue. False: it is done on the spot.
bool gcl_queue_put(struct gcl_engine *engine, struct gcl_command *command);
/// `after` waits for `before`, which is in a queue. True: the device sees to that. False: `after`
/// has to have an edge.
bool gcl_queue_follow(struct gcl_engine *engine, struct gcl_command *before,
                      struct gcl_command *after);
/// An edge from a command in a queue is gone, as that is done.
void gcl_queue_let_go(struct gcl_stream *stream);

/// Completes what a stream's queue has done by now.
void gcl_queue_poll(struct gcl_engine *engine, struct gcl_stream *stream);
/// Now and then, so that commands don't pile up: the same.
void gcl_queue_tidy(struct gcl_engine *engine, struct gcl_stream *stream);
/// Whether a queue has some of what a fence waits for.
bool gcl_queue_has(struct gcl_fence fence);
/// Waits until the queue has done what the fence says and completes that; releases the lock
/// meanwhile. False: nothing of it is in the queue.
bool gcl_queue_await(struct gcl_engine *engine, struct gcl_fence fence);

/// Closes the queue of a stream that has nothing left to do.
void gcl_queue_close(struct gcl_engine *engine, struct gcl_stream *stream);

/// False: the system refused.
bool gcl_collector_start(struct gcl_engine *engine);
/// Without the lock, when nothing is left to do; closes the queues as well.
void gcl_collector_stop(struct gcl_engine *engine);

#endif
