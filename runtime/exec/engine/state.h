// What the parts of the engine share; not for others.
//
// engine.c  life, commands and the graph: submit, start, complete
// queue.c   commands that are in the device's own queues (queue.h)
// stream.c  streams and events
// worker.c  threads that run commands; waiting, which also runs them
// stand_in.c threads that run units while others have stopped
// put_off.c commands that have to wait for others, and let them go first
//
// One lock guards everything but the fields said to be atomic, and units while they run.
#ifndef GCL_EXEC_ENGINE_STATE_H
#define GCL_EXEC_ENGINE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/engine/engine.h"
#include "exec/engine/queue.h"
#include "exec/watch/listener.h"

/// How many spare objects of a kind are kept.
#define GCL_ENGINE_STACK_SIZE ((size_t)64 << 20) ///< of threads that run the program's functions

enum { GCL_ENGINE_KEPT = 16 };

/// Which threads run a command: kernels on workers, copies on the copier or a worker, so that they
/// overlap kernels even when all workers are busy, host functions on a thread of their own, where
/// they may block, and so do calls that wait for other nodes while kernels run.
/// Where streams are of several devices, calls of the kernels' track are for other devices, and run
/// where copies do.
enum gcl_lane {
    GCL_LANE_COMPUTE,
    GCL_LANE_COPY,
    GCL_LANE_CALL,
    GCL_LANE_TRACKS, ///< of the first track; those of the others follow
    GCL_LANE_COUNT = GCL_LANE_TRACKS + GCL_TRACK_COUNT
};

/// First words of streams and events, by which handles are told from other pointers.
#define GCL_STREAM_MAGIC 0x7374726561676c63u
#define GCL_EVENT_MAGIC 0x6576656e7467636cu

struct gcl_stream {
    uint64_t magic;
    enum gcl_stream_kind kind;
    int priority;
    unsigned device;
    bool is_alive; ///< not destroyed
    uint64_t id;
    uint64_t submitted, completed; ///< numbers of commands; only grow, also when it is used again
    struct gcl_stream_work work;
    struct gcl_command *last; ///< the latest command, NULL when it is done
    struct gcl_queue queue;
    struct gcl_stream *next; ///< among all streams, dead ones included
};

struct gcl_event {
    uint64_t magic;
    bool is_alive;
    bool is_recorded;
    unsigned flags;
    unsigned device;
    unsigned pending;            ///< records on their way; a dead event is used again after them
    struct gcl_command *command; ///< the latest record, NULL when it is done
    struct gcl_fence fence;      ///< of the latest record
    uint64_t time_ns;
    struct gcl_event *next;      ///< among all events
    struct gcl_event *next_free; ///< among dead ones without pending records
};

/// A thread that waits for a fence.
struct gcl_waiter {
    struct gcl_fence fence;
    atomic_bool is_done;
    pthread_cond_t condition;
    struct gcl_waiter *next;
};

/// A thread that takes part in a command.
struct gcl_presence {
    pid_t thread;
    uintptr_t stopped_at;              ///< the page for which it waits; 0: none
    const struct gcl_command *command; ///< of which it runs units
    struct gcl_presence *next, *previous;
};

/// How a thread takes part in commands.
struct gcl_participant {
    uint64_t line; ///< of the trace
    uint32_t slot;
    void *scratch;
    bool leaves;    ///< soon, since there are workers
    bool stands_in; ///< for one that has stopped, until that goes on
};

/// Threads that run units while others have stopped for memory (stand_in.c).
struct gcl_stand_ins {
    pthread_cond_t condition;
    struct gcl_stand_in *first;
    unsigned most, count;        ///< that there may be, and are
    unsigned idle, called;       ///< that sleep, and of these are to begin
    atomic_uint active, stopped; ///< that don't sleep; threads that have stopped
};

struct gcl_lane_state {
    struct gcl_command *first, *last; ///< commands that may still have unclaimed units
    pthread_cond_t condition;
    unsigned sleeping;
    bool has_lookout;       ///< one thread spins instead of sleeping
    _Atomic uint64_t epoch; ///< grows whenever a command is listed
    atomic_bool is_small;   ///< the latest one is
};

struct gcl_engine_thread {
    struct gcl_engine *engine;
    pthread_t id;
    enum gcl_lane lane;
    uint32_t slot; ///< workers: 0 to worker_count - 1
    void *scratch; ///< workers: the device's
};

struct gcl_engine {
    pthread_mutex_t lock;
    struct gcl_engine_options options;
    gcl_settle *settle; ///< NULL: there are no other nodes
    void *settle_context;
    gcl_fitter *fitter;      ///< NULL: every launch fits
    atomic_uint unfit_count; ///< commands that aren't done and may touch memory, but aren't fit
    struct gcl_lane_state lanes[GCL_LANE_COUNT];
    struct gcl_engine_thread
        *threads; ///< those of other lanes, then workers; thread_count of them run
    unsigned thread_count;
    unsigned active_count;  ///< workers that run commands: those with the first slots
    pthread_cond_t reserve; ///< of the others
    struct gcl_stand_ins stand_ins;
    struct gcl_collector collector;
    bool has_tried_threads, has_threads;
    bool is_closing;
    atomic_uint
        errands; ///< calls of tracks that aren't done: their threads want a core now and then
    _Atomic int status; ///< enum gcl_status

    struct gcl_command *last;    ///< the latest command that isn't done, if it is serial
    struct gcl_stream *legacies; ///< of each device
    struct gcl_stream *streams;
    struct gcl_event *events;
    struct gcl_event *free_events;
    uint64_t last_stream_id;
    struct gcl_waiter *waiters;
    struct gcl_presence *present;

    // For use again.
    struct gcl_command *free_commands;
    struct gcl_edge *free_edges;
    struct gcl_work_slot *free_slots[GCL_ENGINE_KEPT];
    void *free_scratches[GCL_ENGINE_KEPT]; ///< for threads that help
    unsigned free_slot_count, free_scratch_count;
};

// engine.c; the lock is held.

/// Makes `after` wait for `before` (NULL: nothing), by `edge` or, if that is NULL, one of the heap.
void gcl_engine_link(struct gcl_engine *engine, struct gcl_command *before,
                     struct gcl_command *after, struct gcl_edge *edge);
/// Notes which stream a command is of, and whether it flows: before it has edges.
void gcl_engine_prepare(const struct gcl_engine *engine, struct gcl_stream *stream,
                        struct gcl_command *command);
/// Appends to the stream's order and begins the command if nothing holds it up.
/// Whether a command has been submitted in parts that fit the device; the lock isn't held.
bool gcl_engine_fits(struct gcl_engine *engine, struct gcl_stream *stream,
                     struct gcl_command *command, struct gcl_fence *fence);
struct gcl_fence gcl_engine_append(struct gcl_engine *engine, struct gcl_stream *stream,
                                   struct gcl_command *command);
struct gcl_command *gcl_engine_take_command(struct gcl_engine *engine, enum gcl_command_kind kind);
/// All units have run: passes on to what waited.
void gcl_engine_complete(struct gcl_engine *engine, struct gcl_command *command);
/// Shares out the command's units and puts it in its lane, behind those of its priority.
void gcl_engine_list(struct gcl_engine *engine, struct gcl_command *command, uint32_t unit_count);
/// Like gcl_engine_list, for a command whose units have run, of which others follow.
void gcl_engine_list_again(struct gcl_engine *engine, struct gcl_command *command,
                           uint32_t unit_count);
/// Takes a command without unclaimed units out of its lane.
void gcl_engine_unlist(struct gcl_engine *engine, struct gcl_command *command);
/// Tells listeners of a new stream.
void gcl_engine_label_stream(struct gcl_engine *engine, const struct gcl_stream *stream);
/// NULL: the thread takes part in nothing.
struct gcl_presence *gcl_engine_presence(const struct gcl_engine *engine, pid_t thread);
/// Takes part in a command until no unit is left, or it is to leave.
void gcl_engine_participate(struct gcl_engine *engine, struct gcl_command *command,
                            const struct gcl_participant *who);
/// What listeners are told of a command that is done, or of a thread's share of it.
struct gcl_heard gcl_engine_heard(const struct gcl_command *command);
enum gcl_lane gcl_engine_lane(const struct gcl_engine *engine, const struct gcl_command *command);

// stream.c

/// Whether waiting for a stream is waiting for another one, too: the legacy stream stands for all
/// that it doesn't run beside.
bool gcl_stream_stands_for(const struct gcl_stream *stream, const struct gcl_stream *other);
void gcl_stream_work_add(struct gcl_stream_work *work, const struct gcl_stream_work *other);

// worker.c; the lock is held.

/// Starts the threads if they aren't running. False: the system refused.
bool gcl_engine_start_threads(struct gcl_engine *engine);
void gcl_engine_stop_threads(struct gcl_engine *engine);
/// Wakes whoever should run a command that has just been listed.
void gcl_engine_wake(struct gcl_engine *engine, struct gcl_command *command);
/// Wakes the waiters whose fence is reached, and those who can wait for a queue by themselves now.
void gcl_engine_notify(struct gcl_engine *engine);
bool gcl_engine_has_reached(struct gcl_fence fence);

// stand_in.c; the lock is held.

/// Whether as many threads run without one of those that stand in. Without the lock.
static inline bool gcl_stand_in_is_needless(const struct gcl_engine *engine) {
    return atomic_load_explicit(&engine->stand_ins.active, memory_order_relaxed) >
           atomic_load_explicit(&engine->stand_ins.stopped, memory_order_relaxed);
}
/// A thread that had stopped, if it had, takes part in nothing any more.
void gcl_stand_ins_leave(struct gcl_engine *engine, struct gcl_presence *presence);
/// Ends the threads; the engine is closing. The lock isn't held.
void gcl_stand_ins_stop(struct gcl_engine *engine);

// put_off.c; the lock is held, but not while the core is left to others.

/// Puts a command, whose units have run but something is left of it, behind those that can run:
/// false: nothing is left. Of a launch, blocks wait for others; a call would have to wait, and goes
/// to the thread of its track, which may, if no others can run.
bool gcl_engine_put_back(struct gcl_engine *engine, struct gcl_command *command);

#endif
