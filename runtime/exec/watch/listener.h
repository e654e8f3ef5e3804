// Who is told what a node does, while it does it: statistics, the trace, what a dry run counts.
// The engine, the spread and the meter tell; none of them knows who listens.
#ifndef GCL_EXEC_LISTENER_H
#define GCL_EXEC_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/communicator/communicator.h"

struct gcl_judgement;
struct gcl_kernel;
struct gcl_plan;
struct gcl_schedule;

/// Something that took time: a command, one thread's share of it, or waiting.
struct gcl_heard {
    enum gcl_heard_kind {
        GCL_HEARD_RUN,
        GCL_HEARD_COPY,
        GCL_HEARD_SET,
        GCL_HEARD_FREE,
        GCL_HEARD_CALL,
        GCL_HEARD_WAIT,
    } kind;
    const struct gcl_kernel *kernel; ///< of a run
    uint32_t block[3];               ///< threads of a block of it
    const char *name;                ///< of a call; NULL: a function of the program's
    uint64_t line;                   ///< the stream, or for a thread's share the thread
    uint64_t amount;                 ///< blocks of a run; bytes, or a thread's pieces; the stream
                                     ///< that is waited for
    uint32_t origin;                 ///< of gcl_trace_origin; 0: unknown
    uint64_t begin_ns, end_ns;
};

/// A launch that is going to be carried out.
struct gcl_heard_launch {
    uint32_t kernel; ///< number
    const struct gcl_schedule *schedule;
    uint16_t reason; ///< enum gcl_reason_code: why it isn't split; 0: it is, or nobody would expect
                     ///< it to be
};

/// What node 0 is done with.
struct gcl_heard_plan {
    enum gcl_heard_plan_kind {
        GCL_HEARD_LAUNCH,
        GCL_HEARD_INSPECTION, ///< what nodes looked up to plan a launch
        GCL_HEARD_TRANSFER,   ///< a copy or set by the program, or what is brought home for it
    } kind;
    uint32_t kernel; ///< number, unless it is a transfer
    char axis;       ///< of a launch, as in struct gcl_schedule
    uint16_t reason; ///< of a launch, as in struct gcl_heard_launch
    const struct gcl_plan *plan;
};

/// An exchange with other nodes.
struct gcl_heard_exchange {
    enum gcl_track track;
    const char *name; ///< "fetch", "merge" or "read"; NULL: of nodes' words to each other
    const struct gcl_request *requests;
    size_t count; ///< not 0
    uint64_t begin_ns, end_ns;
    uint64_t mapped; ///< bytes that were copied from where other nodes' memory is mapped
    bool is_alone;   ///< only this node knows of it: who sent isn't going to tell
};

/// Memory that has come to this node's device from its other tiers.
struct gcl_heard_came {
    const struct gcl_kernel *kernel; ///< that it came for; NULL: a copy
    bool is_touched;                 ///< as threads touched it; else beforehand
    uint64_t bytes, from_files;      ///< the latter are some of the former
    uint64_t lack, most_lack;        ///< bytes that the device lacks to have kept it since it was
                                     ///< there last: on average, and at most
    uint64_t went;                   ///< bytes that went for it
    uint64_t begin_ns, end_ns;
};

/// Functions are called on any thread, some at once, and never call who tells them. One that is
/// NULL isn't called.
struct gcl_listener {
    void *context;
    bool wants_causes; ///< why bytes move, which takes time to find: plans have `moves`

    // By the engine.

    /// Whether times matter now; if nobody wants them, `ran_units` and `ran_command` aren't told.
    bool (*wants_times)(void *context);
    void (*began_thread)(void *context, uint64_t line, const char *name);
    void (*made_stream)(void *context, uint64_t stream, bool is_default);
    void (*ran_units)(void *context, const struct gcl_heard *heard);
    void (*ran_command)(void *context, const struct gcl_heard *heard);
    void (*waited)(void *context, const struct gcl_heard *heard);

    // By the spread: for node 0, and `added_kernel` and `planned` for others, too. All but
    // `submits` one at a time.

    /// A kernel has got the next number. False: no memory.
    bool (*added_kernel)(void *context, const struct gcl_kernel *kernel);
    /// The program submits a command. Nothing is locked.
    void (*submits)(void *context);
    /// A command begins to be planned, and has been submitted.
    void (*begins)(void *context);
    void (*ends)(void *context, bool is_launch);
    /// A launch has been planned, `has_looked`: with a look into memory.
    void (*planned)(void *context, uint32_t kernel, bool has_looked, uint64_t time_ns);
    void (*launches)(void *context, const struct gcl_heard_launch *heard);
    /// A plan is going to be carried out.
    void (*carries_out)(void *context, const struct gcl_plan *plan);
    /// Node 0 has done its part of one, some time ago.
    void (*carried_out)(void *context, const struct gcl_heard_plan *heard);
    /// Bytes have come to nodes as blocks of a launch touched them. Any thread.
    void (*touched)(void *context, uint32_t kernel, uint64_t bytes);
    /// It has been decided who runs kernels.
    void (*judged)(void *context, const struct gcl_judgement *judgement);

    // By the residency. Any thread.

    void (*came)(void *context, const struct gcl_heard_came *heard);

    // By the meter.

    void (*exchanged)(void *context, const struct gcl_heard_exchange *heard);
};

enum { GCL_LISTENERS_MOST = 3 };

/// Starts zeroed; doesn't change once there is somebody who tells.
struct gcl_listeners {
    struct gcl_listener items[GCL_LISTENERS_MOST];
    size_t count;
};

void gcl_listeners_add(struct gcl_listeners *listeners, const struct gcl_listener *listener);

// Each tells all listeners; `wants_*` whether one of them does.

bool gcl_listeners_want_causes(const struct gcl_listeners *listeners);
bool gcl_listeners_want_times(const struct gcl_listeners *listeners);
/// Whether anybody hears of plans that are done.
bool gcl_listeners_want_done(const struct gcl_listeners *listeners);
void gcl_listeners_began_thread(const struct gcl_listeners *listeners, uint64_t line,
                                const char *name);
void gcl_listeners_made_stream(const struct gcl_listeners *listeners, uint64_t stream,
                               bool is_default);
void gcl_listeners_ran_units(const struct gcl_listeners *listeners, const struct gcl_heard *heard);
void gcl_listeners_ran_command(const struct gcl_listeners *listeners,
                               const struct gcl_heard *heard);
void gcl_listeners_waited(const struct gcl_listeners *listeners, const struct gcl_heard *heard);
/// False: one of them has no memory.
GCL_MUST_USE bool gcl_listeners_added_kernel(const struct gcl_listeners *listeners,
                                             const struct gcl_kernel *kernel);
void gcl_listeners_submits(const struct gcl_listeners *listeners);
void gcl_listeners_begins(const struct gcl_listeners *listeners);
void gcl_listeners_ends(const struct gcl_listeners *listeners, bool is_launch);
void gcl_listeners_planned(const struct gcl_listeners *listeners, uint32_t kernel, bool has_looked,
                           uint64_t time_ns);
void gcl_listeners_launches(const struct gcl_listeners *listeners,
                            const struct gcl_heard_launch *heard);
void gcl_listeners_carries_out(const struct gcl_listeners *listeners, const struct gcl_plan *plan);
void gcl_listeners_carried_out(const struct gcl_listeners *listeners,
                               const struct gcl_heard_plan *heard);
void gcl_listeners_touched(const struct gcl_listeners *listeners, uint32_t kernel, uint64_t bytes);
void gcl_listeners_judged(const struct gcl_listeners *listeners,
                          const struct gcl_judgement *judgement);
void gcl_listeners_came(const struct gcl_listeners *listeners, const struct gcl_heard_came *heard);
void gcl_listeners_exchanged(const struct gcl_listeners *listeners,
                             const struct gcl_heard_exchange *heard);

#endif
