// The engine: streams, events, and the graph of commands between them; workers that run commands as
// soon as nothing holds them up.
//
// A stream's commands run in order. A command of the legacy stream also waits for what all blocking
// streams have been given so far, and theirs wait for what the legacy stream has. Everything here
// may be called from any thread; commands pass to the engine when they are submitted.
//
// Nobody spins while idle: a worker that finds nothing to do looks for some microseconds and then
// sleeps. A thread that waits runs small commands itself instead of waking a worker for them, and
// has a share in large ones until the workers are awake.
#ifndef GCL_EXEC_ENGINE_H
#define GCL_EXEC_ENGINE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "exec/engine/command.h"

struct gcl_engine;
struct gcl_lease_end;
struct gcl_listeners;

struct gcl_engine_options {
    const struct gcl_device *device; ///< runs the commands; outlives the engine
    unsigned worker_count;
    unsigned core_count;   ///< that all threads share
    const cpu_set_t *pins; ///< where each worker runs; NULL: anywhere. Outlives the engine
    bool shows_progress;
    const cpu_set_t *near; ///< where the other threads stay; NULL: anywhere
    bool has_nodes; ///< calls of the runtime's own may wait for other nodes while kernels run
    /// Devices that streams are of. With several, commands of all streams that do something run in
    /// the order in which they are submitted; moments between them belong to their stream alone.
    unsigned device_count;
    const struct gcl_listeners *listeners; ///< outlive the engine
    /// Threads run blocks while they have it. NULL: the device is this process' alone. Outlives the
    /// engine
    const struct gcl_lease_end *lease;
};

/// A moment in a stream's work: reached when its first `sequence` commands are done.
struct gcl_fence {
    struct gcl_stream *stream; ///< NULL: reached
    uint64_t sequence;
    struct gcl_command *command; ///< the last of them, as long as it isn't reached
};

/// As the device of a stream: it is of none, nobody waits for it but gcl_engine_wait_all.
#define GCL_NO_DEVICE UINT32_MAX

enum gcl_stream_kind {
    GCL_STREAM_LEGACY,
    GCL_STREAM_BLOCKING,
    GCL_STREAM_NON_BLOCKING,
};

/// Threads start with the first command. NULL: no memory.
struct gcl_engine *gcl_engine_create(const struct gcl_engine_options *options);
/// Waits for all commands, then ends the threads. The engine itself lives as long as the process,
/// since other threads of the program may still be in the middle of a call.
void gcl_engine_close(struct gcl_engine *engine);

/// The first failure of a command; it stays, and commands after it do nothing.
enum gcl_status gcl_engine_status(struct gcl_engine *engine);
/// From here on commands do nothing. The first failure stays.
void gcl_engine_fail(struct gcl_engine *engine, enum gcl_status status);
/// Forgets the failure, unless it is a lost node or agent, or the device has failed for good:
/// returns with what.
enum gcl_status gcl_engine_recover(struct gcl_engine *engine);
/// What a stream has to do with: the last operation of each track, by numbers that only grow.
struct gcl_stream_work {
    uint64_t last[GCL_TRACK_COUNT];
};
/// Called by a thread that waits, once what it waits for is done on this node: `work` is that, NULL
/// all there is.
typedef void gcl_settle(void *context, const struct gcl_stream_work *work);
void gcl_engine_set_settle(struct gcl_engine *engine, gcl_settle *settle, void *context);
/// Makes a launch or copy fit the device, in commands that are marked so: submits those instead,
/// and says when they are done. False: it is submitted as it is.
typedef bool gcl_fitter(struct gcl_stream *stream, struct gcl_command *command,
                        struct gcl_fence *fence);
/// Before anything is launched.
void gcl_engine_set_fitter(struct gcl_engine *engine, gcl_fitter *fitter);
/// Whether all commands that aren't done were made to fit the device, or touch no memory. Without a
/// lock.
bool gcl_engine_is_fit(const struct gcl_engine *engine);
/// From here on so many of the workers run commands, from 1 to all; the others sleep.
void gcl_engine_set_workers(struct gcl_engine *engine, unsigned count);
/// How many workers run commands.
unsigned gcl_engine_workers(struct gcl_engine *engine);

// Threads that stop for memory which isn't there. Others, up to some number, run units of launches
// in their stead, so that many stop at a time, and blocks that go through the same memory do so
// together. With one worker nobody does: its blocks run in order.

/// Before anything is launched.
void gcl_engine_set_stand_ins(struct gcl_engine *engine, unsigned most);
/// A thread has stopped at a page: gives the kernel of which it runs blocks, NULL: of none. Returns
/// whether others run units meanwhile.
bool gcl_engine_stopped(struct gcl_engine *engine, pid_t thread, uintptr_t page,
                        const struct gcl_kernel **kernel);
/// Threads that have stopped at pages of [begin, end) go on.
void gcl_engine_went_on(struct gcl_engine *engine, uintptr_t begin, uintptr_t end);

// Commands.

/// A command of a kind, zeroed but for the large arrays; NULL: no memory or no threads.
struct gcl_command *gcl_engine_command(struct gcl_engine *engine, enum gcl_command_kind kind);
/// Gives a command that runs a launch room for the launch's arguments, in bytes, which are the
/// command's from here on. False: no memory; the command is as it was.
bool gcl_engine_make_room(struct gcl_command *command, size_t argument_size);
/// Another command that runs the blocks of a run; only what is the same for each of them is copied:
/// the launch, where it comes from, and where its cost is counted. NULL: no memory.
struct gcl_command *gcl_engine_copy_run(struct gcl_engine *engine, const struct gcl_run *run);
/// Gives back a command that is not going to be submitted.
void gcl_engine_discard(struct gcl_engine *engine, struct gcl_command *command);
/// Appends a command to a stream. Returns at once; the fence says when it is done.
struct gcl_fence gcl_engine_submit(struct gcl_engine *engine, struct gcl_stream *stream,
                                   struct gcl_command *command);

/// Submits and waits: cheaper than both, since the calling thread runs a short command itself.
GCL_MUST_USE enum gcl_status gcl_engine_run(struct gcl_engine *engine, struct gcl_stream *stream,
                                            struct gcl_command *command);

// Waiting. Each returns the engine's status afterwards, GCL_NOT_PERMITTED in a host function.

GCL_MUST_USE enum gcl_status gcl_engine_wait(struct gcl_engine *engine, struct gcl_fence fence);
/// For all that a stream has been given so far; the legacy stream stands for blocking ones, too.
GCL_MUST_USE enum gcl_status gcl_engine_wait_stream(struct gcl_engine *engine,
                                                    struct gcl_stream *stream);
/// For what the streams of one device have been given; nothing is settled.
GCL_MUST_USE enum gcl_status gcl_engine_wait_device(struct gcl_engine *engine, unsigned device);
GCL_MUST_USE enum gcl_status gcl_engine_wait_all(struct gcl_engine *engine);
/// Waits until the fence is reached on this node, whatever other nodes still do.
void gcl_engine_reach(struct gcl_engine *engine, struct gcl_fence fence);
bool gcl_engine_is_reached(struct gcl_engine *engine, struct gcl_fence fence);
/// Whether what gcl_engine_wait_stream would wait for is done.
bool gcl_engine_is_stream_done(struct gcl_engine *engine, const struct gcl_stream *stream);
/// Whether the calling thread runs a host function for the engine.
bool gcl_engine_is_calling(void);
/// Whether a thread (its number for the system) takes part in a command right now.
bool gcl_engine_is_running(struct gcl_engine *engine, pid_t thread);

// Streams. Handles are checked: functions that take one get GCL_INVALID_HANDLE for what was
// destroyed. Lower priorities run first, as in CUDA. Each device has a legacy stream of its own,
// for its own blocking streams.

struct gcl_stream *gcl_stream_create(struct gcl_engine *engine, enum gcl_stream_kind kind,
                                     int priority, unsigned device);
/// Returns at once; commands already submitted still run.
void gcl_stream_destroy(struct gcl_engine *engine, struct gcl_stream *stream);
bool gcl_stream_is_alive(struct gcl_engine *engine, const struct gcl_stream *stream);
/// Of device 0, and of any.
struct gcl_stream *gcl_stream_legacy(struct gcl_engine *engine);
struct gcl_stream *gcl_stream_legacy_of(struct gcl_engine *engine, unsigned device);
unsigned gcl_stream_device(const struct gcl_stream *stream);
enum gcl_stream_kind gcl_stream_kind(const struct gcl_stream *stream);
int gcl_stream_priority(const struct gcl_stream *stream);
uint64_t gcl_stream_id(const struct gcl_stream *stream);
/// What is reached when all commands submitted to the stream so far are done.
struct gcl_fence gcl_stream_fence(struct gcl_engine *engine, struct gcl_stream *stream);
/// Later commands of `stream` wait for the fence.
GCL_MUST_USE enum gcl_status gcl_stream_await(struct gcl_engine *engine, struct gcl_stream *stream,
                                              struct gcl_fence fence);
/// Notes an operation of a track in a stream, and so in those that wait for it by events
/// afterwards.
void gcl_stream_note(struct gcl_engine *engine, struct gcl_stream *stream, enum gcl_track track,
                     uint64_t number);
/// What was noted so of a stream, and of those that it waits for.
struct gcl_stream_work gcl_stream_noted(struct gcl_engine *engine, const struct gcl_stream *stream);
/// What `stream` is given from here on comes after what `other` has been given so far.
/// GCL_NO_MEMORY.
GCL_MUST_USE enum gcl_status gcl_stream_follow(struct gcl_engine *engine, struct gcl_stream *stream,
                                               struct gcl_stream *other);
/// A moment of the stream that isn't reached before gcl_engine_let_go, which any thread may call.
/// `at_ns`: when it came, which may have been before that. NULL: no memory.
struct gcl_command *gcl_stream_hold(struct gcl_engine *engine, struct gcl_stream *stream);
void gcl_engine_let_go(struct gcl_engine *engine, struct gcl_command *held, uint64_t at_ns);

// Events.

struct gcl_event *gcl_event_create(struct gcl_engine *engine, unsigned flags, unsigned device);
void gcl_event_destroy(struct gcl_engine *engine, struct gcl_event *event);
bool gcl_event_is_alive(struct gcl_engine *engine, const struct gcl_event *event);
unsigned gcl_event_flags(const struct gcl_event *event);
unsigned gcl_event_device(const struct gcl_event *event);
GCL_MUST_USE enum gcl_status gcl_event_record(struct gcl_engine *engine, struct gcl_event *event,
                                              struct gcl_stream *stream);
/// The fence of the latest record; reached if there was none.
struct gcl_fence gcl_event_fence(struct gcl_engine *engine, struct gcl_event *event);
/// Later commands of `stream` wait for the event's latest record.
GCL_MUST_USE enum gcl_status gcl_event_hold(struct gcl_engine *engine, struct gcl_event *event,
                                            struct gcl_stream *stream);
/// When the latest record was reached: GCL_NOT_READY before, GCL_INVALID_HANDLE if there was none.
GCL_MUST_USE enum gcl_status gcl_event_time(struct gcl_engine *engine, struct gcl_event *event,
                                            uint64_t *time_ns);

#endif
