// The graph. A command counts the edges that lead to it (`unmet`); completing one follows its edges
// and starts what is then free. Commands that take no time (records, waits, and everything after a
// failure) complete on the spot, by a list instead of recursion, since chains may be long.
//
// In a stream each command has an edge from the one before it. The order between the legacy stream
// and blocking streams is made of edges too, when commands are appended.
#include "exec/engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/engine/state.h"

static void add_legacy(struct gcl_engine *engine, unsigned device) {
    struct gcl_stream *stream = &engine->legacies[device];
    *stream = (struct gcl_stream){.magic = GCL_STREAM_MAGIC,
                                  .kind = GCL_STREAM_LEGACY,
                                  .device = device,
                                  .is_alive = true,
                                  .id = ++engine->last_stream_id,
                                  .next = engine->streams};
    engine->streams = stream;
    gcl_engine_label_stream(engine, stream);
}

struct gcl_engine *gcl_engine_create(const struct gcl_engine_options *options) {
    assert(options->device && options->worker_count >= 1 && options->device_count >= 1);
    struct gcl_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->options = *options;
    engine->threads =
        calloc(options->worker_count + (size_t)GCL_LANE_COUNT, sizeof engine->threads[0]);
    engine->legacies = calloc(options->device_count, sizeof engine->legacies[0]);
    if (!engine->threads || !engine->legacies) {
        free(engine->threads);
        free(engine->legacies);
        free(engine);
        return NULL;
    }
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&engine->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    for (int i = 0; i < GCL_LANE_COUNT; i++)
        pthread_cond_init(&engine->lanes[i].condition, NULL);
    pthread_cond_init(&engine->reserve, NULL);
    pthread_cond_init(&engine->stand_ins.condition, NULL);
    pthread_cond_init(&engine->collector.condition, NULL);
    engine->active_count = options->worker_count;
    for (unsigned device = 0; device < options->device_count; device++)
        add_legacy(engine, device);
    return engine;
}

void gcl_engine_label_stream(struct gcl_engine *engine, const struct gcl_stream *stream) {
    gcl_listeners_made_stream(engine->options.listeners, stream->id,
                              stream->kind == GCL_STREAM_LEGACY);
}

void gcl_engine_close(struct gcl_engine *engine) {
    enum gcl_status status = gcl_engine_wait_all(engine);
    (void)status; // whoever was interested has asked before
    gcl_engine_stop_threads(engine);
}

enum gcl_status gcl_engine_status(struct gcl_engine *engine) {
    return (enum gcl_status)atomic_load(&engine->status);
}

/// What went wrong with the device, which has logged it.
static enum gcl_status check_device(struct gcl_engine *engine) {
    const struct gcl_device *device = engine->options.device;
    enum gcl_status status = device->status ? device->status() : GCL_OK;
    if (status != GCL_OK)
        gcl_engine_fail(engine, status);
    return status;
}

enum gcl_status gcl_engine_recover(struct gcl_engine *engine) {
    int status = atomic_load(&engine->status);
    while (status != GCL_NODE_LOST && status != GCL_UNAVAILABLE &&
           !atomic_compare_exchange_weak(&engine->status, &status, GCL_OK))
        ;
    return check_device(engine);
}

/// Whether a command touches memory of which nobody knows, as it wasn't made to fit the device
/// where launches are, or as not all is known of it.
static bool is_unfit(const struct gcl_engine *engine, const struct gcl_command *command) {
    return engine->fitter && (!command->is_fit || command->is_vague) &&
           (command->kind == GCL_COMMAND_RUN || command->kind == GCL_COMMAND_COPY ||
            command->kind == GCL_COMMAND_CALL);
}

bool gcl_engine_is_fit(const struct gcl_engine *engine) {
    return atomic_load_explicit(&engine->unfit_count, memory_order_acquire) == 0;
}

void gcl_engine_set_fitter(struct gcl_engine *engine, gcl_fitter *fitter) {
    engine->fitter = fitter;
}

void gcl_engine_set_settle(struct gcl_engine *engine, gcl_settle *settle, void *context) {
    engine->settle = settle;
    engine->settle_context = context;
}

void gcl_engine_fail(struct gcl_engine *engine, enum gcl_status status) {
    int known = GCL_OK;
    assert(status != GCL_OK);
    // A reset forgets other failures, but not these.
    if (status == GCL_NODE_LOST || status == GCL_UNAVAILABLE)
        atomic_store(&engine->status, (int)status);
    else
        atomic_compare_exchange_strong(&engine->status, &known, (int)status);
}

// Commands.

// Zeroes the head and, of a kernel's part, what it doesn't fill itself.
static void clear(struct gcl_command *command, enum gcl_command_kind kind) {
    command->stream = NULL;
    command->unmet = 1; // held until it is appended
    command->participants = 0;
    command->is_listed = false;
    command->is_awaited = false;
    command->is_put_off = command->is_waiting = command->is_told = false;
    command->is_aside = command->is_fit = command->is_vague = false;
    command->flows = command->is_put = false;
    command->dependents = NULL;
    command->next = command->previous = NULL;
    command->before = command->mark = NULL;
    command->begin_ns = command->end_ns = command->moved_ns = command->at_ns = 0;
    command->kind = kind;
    if (kind == GCL_COMMAND_CALL) {
        command->call = (struct gcl_host_call){.function = NULL};
    } else if (kind == GCL_COMMAND_COPY) {
        memset(&command->copy, 0, sizeof command->copy);
    } else if (kind == GCL_COMMAND_RUN) {
        memset(&command->run, 0, offsetof(struct gcl_run, inline_arguments));
        command->run.arguments = command->run.inline_arguments;
        command->run.launch.fault = &command->run.fault;
    }
}

struct gcl_command *gcl_engine_take_command(struct gcl_engine *engine, enum gcl_command_kind kind) {
    struct gcl_command *command = engine->free_commands;
    if (command) {
        engine->free_commands = command->next;
    } else {
        command = aligned_alloc(_Alignof(struct gcl_command), sizeof *command);
        if (!command)
            return NULL;
    }
    clear(command, kind);
    return command;
}

struct gcl_command *gcl_engine_command(struct gcl_engine *engine, enum gcl_command_kind kind) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_command *command =
        gcl_engine_start_threads(engine) ? gcl_engine_take_command(engine, kind) : NULL;
    pthread_mutex_unlock(&engine->lock);
    return command;
}

static void recycle(struct gcl_engine *engine, struct gcl_command *command) {
    assert(!command->is_listed && command->participants == 0);
    if (command->kind == GCL_COMMAND_RUN && command->run.arguments != command->run.inline_arguments)
        free(command->run.arguments);
    if (command->kind == GCL_COMMAND_COPY)
        free(command->copy.staging);
    command->next = engine->free_commands;
    engine->free_commands = command;
}

bool gcl_engine_make_room(struct gcl_command *command, size_t argument_size) {
    struct gcl_run *run = &command->run;
    assert(command->kind == GCL_COMMAND_RUN && run->arguments == run->inline_arguments);
    if (argument_size > sizeof run->inline_arguments) {
        unsigned char *room = malloc(argument_size);
        if (!room)
            return false;
        run->arguments = room;
    }
    run->launch.arguments = run->arguments;
    return true;
}

struct gcl_command *gcl_engine_copy_run(struct gcl_engine *engine, const struct gcl_run *run) {
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_RUN);
    size_t size = run->launch.kernel->argument_size;
    if (!command)
        return NULL;
    struct gcl_run *copy = &command->run;
    if (!gcl_engine_make_room(command, size)) {
        gcl_engine_discard(engine, command);
        return NULL;
    }
    memcpy(copy->arguments, run->arguments, size);
    copy->launch = run->launch;
    copy->launch.arguments = copy->arguments;
    copy->launch.fault = &copy->fault;
    if (run->launch.file == run->file)
        copy->launch.file = strcpy(copy->file, run->file);
    copy->origin = run->origin;
    copy->cost = run->cost;
    return command;
}

void gcl_engine_discard(struct gcl_engine *engine, struct gcl_command *command) {
    if (!command)
        return;
    pthread_mutex_lock(&engine->lock);
    recycle(engine, command);
    pthread_mutex_unlock(&engine->lock);
}

// Edges.

void gcl_engine_link(struct gcl_engine *engine, struct gcl_command *before,
                     struct gcl_command *after, struct gcl_edge *edge) {
    if (!before || (before->is_put && gcl_queue_follow(engine, before, after)))
        return;
    if (!edge) {
        edge = engine->free_edges;
        if (edge)
            engine->free_edges = edge->next;
        else
            edge = malloc(sizeof *edge);
    }
    if (!edge) {
        // Without the edge results would be wrong, so that nothing may run any more.
        gcl_log(GCL_LOG_ERROR, "no memory to order commands");
        gcl_engine_fail(engine, GCL_NO_MEMORY);
        return;
    }
    assert(before != after && after->unmet > 0); // or it would have started
    edge->command = after;
    edge->next = before->dependents;
    before->dependents = edge;
    after->unmet++;
}

static void link_streams(struct gcl_engine *engine, struct gcl_stream *stream,
                         struct gcl_command *command) {
    if (stream->kind == GCL_STREAM_BLOCKING)
        gcl_engine_link(engine, engine->legacies[stream->device].last, command, NULL);
    if (stream->kind != GCL_STREAM_LEGACY)
        return;
    for (struct gcl_stream *s = engine->streams; s; s = s->next) {
        if (s->kind == GCL_STREAM_BLOCKING && s->device == stream->device)
            gcl_engine_link(engine, s->last, command, NULL);
    }
}

// Lanes.

enum gcl_lane gcl_engine_lane(const struct gcl_engine *engine, const struct gcl_command *command) {
    if (command->kind == GCL_COMMAND_COPY)
        return GCL_LANE_COPY;
    if (command->kind != GCL_COMMAND_CALL)
        return GCL_LANE_COMPUTE;
    if (!command->call.name)
        return GCL_LANE_CALL;
    const struct gcl_host_call *call = &command->call;
    if (engine->options.device_count > 1 && call->track == GCL_TRACK_KERNELS)
        return GCL_LANE_COPY;
    if (call->attempt || (call->track == GCL_TRACK_KERNELS && !call->leaves_workers))
        return GCL_LANE_COMPUTE;
    return (enum gcl_lane)((int)GCL_LANE_TRACKS + (int)call->track);
}

static struct gcl_work_slot *take_slots(struct gcl_engine *engine) {
    if (engine->free_slot_count > 0)
        return engine->free_slots[--engine->free_slot_count];
    return aligned_alloc(_Alignof(struct gcl_work_slot),
                         engine->options.worker_count * sizeof(struct gcl_work_slot));
}

static void give_slots(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_work *work = &command->work;
    if (work->slots == &work->single)
        return;
    if (engine->free_slot_count < GCL_ENGINE_KEPT)
        engine->free_slots[engine->free_slot_count++] = work->slots;
    else
        free(work->slots);
}

/// Whether the thread of a track makes the call.
static bool is_errand(const struct gcl_engine *engine, const struct gcl_command *command) {
    return gcl_engine_lane(engine, command) >= GCL_LANE_TRACKS;
}

void gcl_engine_list(struct gcl_engine *engine, struct gcl_command *command, uint32_t unit_count) {
    struct gcl_lane_state *lane = &engine->lanes[gcl_engine_lane(engine, command)];

    atomic_fetch_add_explicit(&engine->errands, is_errand(engine, command), memory_order_relaxed);
    assert(command->unmet == 0 && !command->is_listed && unit_count > 0);
    atomic_store_explicit(&command->may_widen, command->is_small && unit_count > 1,
                          memory_order_relaxed);
    gcl_work_start(&command->work, command->is_small ? NULL : take_slots(engine),
                   engine->options.worker_count, unit_count);
    struct gcl_command *before = lane->last;
    while (before && before->stream->priority > command->stream->priority && !command->is_waiting)
        before = before->previous;
    command->previous = before;
    command->next = before ? before->next : lane->first;
    *(command->next ? &command->next->previous : &lane->last) = command;
    *(before ? &before->next : &lane->first) = command;
    command->is_listed = true;
    if (!command->is_awaited || !command->is_small)
        gcl_engine_wake(engine, command);
}

void gcl_engine_list_again(struct gcl_engine *engine, struct gcl_command *command,
                           uint32_t unit_count) {
    atomic_fetch_sub_explicit(&engine->errands, is_errand(engine, command), memory_order_relaxed);
    give_slots(engine, command);
    command->is_small = true;
    gcl_engine_list(engine, command, unit_count);
}

void gcl_engine_unlist(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_lane_state *lane = &engine->lanes[gcl_engine_lane(engine, command)];
    assert(command->is_listed);
    assert(command->previous ? command->previous->next == command : lane->first == command);
    assert(command->next ? command->next->previous == command : lane->last == command);
    *(command->previous ? &command->previous->next : &lane->first) = command->next;
    *(command->next ? &command->next->previous : &lane->last) = command->previous;
    assert((lane->first == NULL) == (lane->last == NULL));
    command->next = command->previous = NULL;
    command->is_listed = false;
}

// Completion.

/// Cuts a command into units, and says whether it is small; 0: nothing runs.
static uint32_t cut(const struct gcl_engine *engine, struct gcl_command *command) {
    const struct gcl_device *device = engine->options.device;
    struct gcl_device_units units = {.count = 1, .is_small = true};
    if (command->kind == GCL_COMMAND_RUN)
        units = device->units->cut_run(device, &command->run);
    else if (command->kind == GCL_COMMAND_COPY)
        units = device->units->cut_copy(device, &command->copy);
    else if (command->kind == GCL_COMMAND_CALL && command->call.share)
        units = (struct gcl_device_units){.count = command->call.share_count};
    command->is_small = units.is_small;
    return units.count;
}

/// The units of a command that nothing holds up any more; 0: it is done on the spot.
static uint32_t start(struct gcl_engine *engine, struct gcl_command *command) {
    switch (command->kind) {
    case GCL_COMMAND_RUN:
    case GCL_COMMAND_COPY:
        return gcl_engine_status(engine) == GCL_OK ? cut(engine, command) : 0;
    case GCL_COMMAND_CALL:
    case GCL_COMMAND_FREE:
        return cut(engine, command);
    case GCL_COMMAND_RECORD:
    case GCL_COMMAND_WAIT:
        return 0;
    }
    return 0;
}

static void check_fault(struct gcl_engine *engine, struct gcl_fault *fault) {
    static const enum gcl_status statuses[] = {
        [GCL_FAULT_ASSERT] = GCL_ASSERT,
        [GCL_FAULT_TRAP] = GCL_TRAP,
        [GCL_FAULT_MEMORY] = GCL_OUT_OF_RESOURCES,
        [GCL_FAULT_BARRIER] = GCL_TRAP,
        [GCL_FAULT_ADDRESS] = GCL_ILLEGAL_ADDRESS,
        [GCL_FAULT_CODE] = GCL_NO_IMAGE,
        [GCL_FAULT_INSTRUCTION] = GCL_ILLEGAL_INSTRUCTION,
        [GCL_FAULT_WAIT] = GCL_TIMEOUT,
    };
    int kind = atomic_load(&fault->kind);
    if (kind == GCL_FAULT_NONE)
        return;
    gcl_log(GCL_LOG_ERROR, "%s", fault->text);
    gcl_engine_fail(engine, statuses[kind]);
}

struct gcl_heard gcl_engine_heard(const struct gcl_command *command) {
    struct gcl_heard heard = {.kind = GCL_HEARD_CALL,
                              .line = command->stream->id,
                              .begin_ns = command->begin_ns,
                              .end_ns = command->end_ns ? command->end_ns : gcl_clock_ns()};
    if (command->kind == GCL_COMMAND_RUN) {
        heard.kind = GCL_HEARD_RUN;
        heard.kernel = command->run.launch.kernel;
        memcpy(heard.block, command->run.launch.geometry.block, sizeof heard.block);
        heard.amount = command->run.block_count;
        heard.origin = command->run.origin;
    } else if (command->kind == GCL_COMMAND_COPY) {
        const struct gcl_box_copy *copy = &command->copy;
        heard.kind = copy->source ? GCL_HEARD_COPY : GCL_HEARD_SET;
        heard.amount = copy->width * copy->height * copy->depth;
    } else if (command->kind == GCL_COMMAND_FREE) {
        heard.kind = GCL_HEARD_FREE;
    } else {
        heard.name = command->call.name;
    }
    return heard;
}

static void finish_event(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_event *event = command->event;
    assert(event->pending > 0);
    if (event->command == command) { // else it was recorded again since
        event->command = NULL;
        event->time_ns = command->at_ns ? command->at_ns : gcl_clock_ns();
    }
    if (--event->pending == 0 && !event->is_alive) {
        event->next_free = engine->free_events;
        engine->free_events = event;
    }
}

static bool is_moment(const struct gcl_command *command) {
    return command->kind == GCL_COMMAND_RECORD || command->kind == GCL_COMMAND_WAIT;
}

/// A moment has come when all that it waits for was done, which may have been elsewhere, and known
/// here only later.
static void reach(struct gcl_command *moment, uint64_t at_ns) {
    assert(is_moment(moment));
    if (moment->at_ns < at_ns)
        moment->at_ns = at_ns;
}

static void finish(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_stream *stream = command->stream;

    assert(command->unmet == 0 && command->participants == 0 && !command->is_listed);
    assert(stream->completed < stream->submitted);
    if (is_unfit(engine, command))
        atomic_fetch_sub_explicit(&engine->unfit_count, 1, memory_order_release);
    if (command->kind == GCL_COMMAND_RUN)
        check_fault(engine, &command->run.fault);
    check_device(engine);
    if (command->kind == GCL_COMMAND_RECORD)
        finish_event(engine, command);
    if (command->begin_ns && gcl_listeners_want_times(engine->options.listeners)) {
        const struct gcl_heard heard = gcl_engine_heard(command);
        gcl_listeners_ran_command(engine->options.listeners, &heard);
    }
    stream->completed++;
    if (stream->last == command)
        stream->last = NULL;
    if (engine->last == command)
        engine->last = NULL;
}

/// Commands that nothing holds up any more, and those that are done.
struct wave {
    struct gcl_command *ready, *done;
};

static void add(struct gcl_command **list, struct gcl_command *command) {
    command->next = *list;
    *list = command;
}

static void free_edge(struct gcl_engine *engine, struct gcl_edge *edge) {
    if (edge == &edge->command->in_stream)
        return;
    edge->next = engine->free_edges;
    engine->free_edges = edge;
}

/// A command is in a queue of the device, where the order of what flows after it is kept, too.
static void pass_on(struct gcl_engine *engine, struct gcl_command *command, struct wave *wave) {
    struct gcl_edge *edges = command->dependents;
    command->dependents = NULL;
    for (struct gcl_edge *next, *e = edges; e; e = next) {
        struct gcl_command *after = e->command;
        next = e->next;
        if (!gcl_queue_follow(engine, command, after)) {
            e->next = command->dependents;
            command->dependents = e;
            continue;
        }
        free_edge(engine, e);
        if (--after->unmet == 0)
            add(&wave->ready, after);
    }
}

static void begin_one(struct gcl_engine *engine, struct gcl_command *command, struct wave *wave) {
    if (command->flows && gcl_queue_put(engine, command)) {
        pass_on(engine, command, wave);
        return;
    }
    uint32_t unit_count = start(engine, command);
    if (unit_count == 0)
        add(&wave->done, command);
    else
        gcl_engine_list(engine, command, unit_count);
}

/// Passes on to what waited for a command that is done.
static void conclude(struct gcl_engine *engine, struct gcl_command *command, struct wave *wave) {
    struct gcl_stream *stream = command->stream;
    finish(engine, command);
    for (struct gcl_edge *next, *e = command->dependents; e; e = next) {
        struct gcl_command *after = e->command;
        next = e->next;
        free_edge(engine, e);
        if (command->is_put)
            gcl_queue_let_go(stream);
        if (is_moment(after))
            reach(after, is_moment(command) && command->at_ns ? command->at_ns : gcl_clock_ns());
        if (--after->unmet > 0)
            continue;
        after->is_awaited = false; // whoever waits sleeps by now
        add(&wave->ready, after);
    }
    recycle(engine, command);
}

/// Until all are under way or done.
static void advance(struct gcl_engine *engine, struct wave *wave) {
    while (wave->ready || wave->done) {
        struct gcl_command **list = wave->ready ? &wave->ready : &wave->done;
        struct gcl_command *command = *list;
        *list = command->next;
        command->next = NULL;
        if (list == &wave->ready)
            begin_one(engine, command, wave);
        else
            conclude(engine, command, wave);
    }
    gcl_engine_notify(engine);
}

/// Nothing holds the command up any more: has it run, or completes it.
static void begin(struct gcl_engine *engine, struct gcl_command *command) {
    struct wave wave = {.ready = command};
    assert(command->unmet == 0 && !command->next);
    advance(engine, &wave);
}

void gcl_engine_complete(struct gcl_engine *engine, struct gcl_command *command) {
    struct wave wave = {.done = command};
    if (!command->is_put) {
        atomic_fetch_sub_explicit(&engine->errands, is_errand(engine, command),
                                  memory_order_relaxed);
        give_slots(engine, command);
    }
    command->next = NULL;
    advance(engine, &wave);
}

void gcl_engine_prepare(const struct gcl_engine *engine, struct gcl_stream *stream,
                        struct gcl_command *command) {
    command->stream = stream;
    command->flows = gcl_queue_takes(engine, command);
}

struct gcl_fence gcl_engine_append(struct gcl_engine *engine, struct gcl_stream *stream,
                                   struct gcl_command *command) {
    assert(command->unmet > 0); // it is held until all its edges are there
    if (is_unfit(engine, command))
        atomic_fetch_add_explicit(&engine->unfit_count, 1, memory_order_relaxed);
    gcl_engine_prepare(engine, stream, command);
    gcl_engine_link(engine, stream->last, command, &command->in_stream);
    link_streams(engine, stream, command);
    if (engine->options.device_count > 1 && !command->is_aside) {
        gcl_engine_link(engine, engine->last, command, NULL);
        engine->last = command;
    }
    stream->last = command;
    struct gcl_fence fence = {
        .stream = stream, .sequence = ++stream->submitted, .command = command};
    command->sequence = fence.sequence;
    if (--command->unmet == 0)
        begin(engine, command);
    gcl_queue_tidy(engine, stream);
    return fence;
}

bool gcl_engine_fits(struct gcl_engine *engine, struct gcl_stream *stream,
                     struct gcl_command *command, struct gcl_fence *fence) {
    bool may_lack_room = command->kind == GCL_COMMAND_RUN || command->kind == GCL_COMMAND_COPY;
    return engine->fitter && may_lack_room && !command->is_fit &&
           engine->fitter(stream, command, fence);
}

struct gcl_fence gcl_engine_submit(struct gcl_engine *engine, struct gcl_stream *stream,
                                   struct gcl_command *command) {
    struct gcl_fence fence;
    if (gcl_engine_fits(engine, stream, command, &fence))
        return fence;
    pthread_mutex_lock(&engine->lock);
    fence = gcl_engine_append(engine, stream, command);
    pthread_mutex_unlock(&engine->lock);
    return fence;
}

void gcl_engine_let_go(struct gcl_engine *engine, struct gcl_command *held, uint64_t at_ns) {
    pthread_mutex_lock(&engine->lock);
    reach(held, at_ns);
    if (--held->unmet == 0)
        begin(engine, held);
    pthread_mutex_unlock(&engine->lock);
}
