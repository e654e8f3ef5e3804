#include "exec/engine/queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/engine/state.h"

enum {
    MARKED = 64,    ///< commands of a queue that get one mark at least
    POLL_NS = 20000 ///< between two looks of the collector
};

static const struct gcl_device_queue_ops *ops(const struct gcl_engine *engine) {
    return engine->options.device->queues;
}

// Marks.

static struct gcl_device_mark *mark_queue(struct gcl_engine *engine,
                                          const struct gcl_queue *queue) {
    struct gcl_device_mark *mark = ops(engine)->mark(engine->options.device, queue->queue);
    assert(mark);
    mark->holders = 1;
    return mark;
}

static void release(struct gcl_engine *engine, struct gcl_device_mark *mark) {
    if (mark && --mark->holders == 0)
        ops(engine)->forget_mark(engine->options.device, mark);
}

/// The command of its queue, at or behind `command`, that has the next mark; the last one gets one
/// if there is none.
static struct gcl_command *find_mark(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_queue *queue = &command->stream->queue;
    while (!command->mark && command->next)
        command = command->next;
    if (!command->mark) {
        assert(command == queue->last);
        command->mark = mark_queue(engine, queue);
        queue->unmarked = 0;
    }
    return command;
}

// Into queues.

bool gcl_queue_takes(const struct gcl_engine *engine, const struct gcl_command *command) {
    if (!ops(engine))
        return false;
    if (command->kind == GCL_COMMAND_COPY)
        return ops(engine)->takes_copy(engine->options.device, &command->copy);
    return command->kind == GCL_COMMAND_RUN || command->kind == GCL_COMMAND_RECORD ||
           command->kind == GCL_COMMAND_WAIT;
}

static bool open_queue(struct gcl_engine *engine, struct gcl_stream *stream) {
    struct gcl_queue *queue = &stream->queue;
    if (!queue->queue)
        queue->queue = ops(engine)->open(engine->options.device, stream->priority);
    if (!queue->queue) {
        gcl_log(GCL_LOG_ERROR, "no memory for a queue of the device");
        gcl_engine_fail(engine, GCL_NO_MEMORY);
    }
    return queue->queue != NULL;
}

/// Whether what a command takes is to be measured.
static bool is_timed(const struct gcl_engine *engine, const struct gcl_command *command) {
    if (command->kind != GCL_COMMAND_RUN && command->kind != GCL_COMMAND_COPY)
        return false;
    return (command->kind == GCL_COMMAND_RUN && command->run.cost) ||
           gcl_listeners_want_times(engine->options.listeners);
}

static void give(struct gcl_engine *engine, struct gcl_command *command) {
    const struct gcl_device *device = engine->options.device;
    struct gcl_queue *queue = &command->stream->queue;
    bool is_measured = is_timed(engine, command);
    if (is_measured)
        command->before = mark_queue(engine, queue);
    if (command->kind == GCL_COMMAND_RUN) {
        device->units->cut_run(device, &command->run);
        ops(engine)->put_run(device, queue->queue, &command->run);
    } else if (command->kind == GCL_COMMAND_COPY) {
        ops(engine)->put_copy(device, queue->queue, &command->copy);
    }
    if (is_measured || command->kind == GCL_COMMAND_RECORD)
        command->mark = mark_queue(engine, queue);
}

bool gcl_queue_put(struct gcl_engine *engine, struct gcl_command *command) {
    struct gcl_queue *queue = &command->stream->queue;
    bool is_needed = queue->queue || command->kind != GCL_COMMAND_WAIT;
    assert(command->flows && command->unmet == 0 && !command->is_put);
    bool works =
        is_needed && gcl_engine_status(engine) == GCL_OK && open_queue(engine, command->stream);
    if (!works && !queue->first)
        return false;
    if (works)
        give(engine, command);
    command->is_put = true;
    command->next = NULL;
    *(queue->last ? &queue->last->next : &queue->first) = command;
    queue->last = command;
    queue->unmarked = command->mark ? 0 : queue->unmarked + 1;
    return true;
}

static void want(struct gcl_engine *engine, struct gcl_command *command) {
    command->stream->queue.wanted++;
    find_mark(engine, command);
    pthread_cond_signal(&engine->collector.condition);
}

bool gcl_queue_follow(struct gcl_engine *engine, struct gcl_command *before,
                      struct gcl_command *after) {
    assert(before->is_put && after->stream);
    if (after->flows && after->stream == before->stream)
        return true;
    if (after->flows && open_queue(engine, after->stream)) {
        struct gcl_device_mark *mark = find_mark(engine, before)->mark;
        ops(engine)->follow(engine->options.device, after->stream->queue.queue, mark);
        return true;
    }
    want(engine, before);
    return false;
}

void gcl_queue_let_go(struct gcl_stream *stream) {
    assert(stream->queue.wanted > 0);
    stream->queue.wanted--;
}

// Out of queues.

static uint64_t time_of(struct gcl_engine *engine, struct gcl_device_mark *mark) {
    return mark ? ops(engine)->time(engine->options.device, mark) : 0;
}

/// The device's line in traces, behind those of the engine's threads and of threads that help.
static uint64_t line_of_device(const struct gcl_engine *engine) {
    return engine->options.worker_count + (uint64_t)GCL_LANE_COUNT + 1;
}

/// What a command that is done has taken.
static void measure(struct gcl_engine *engine, struct gcl_command *command) {
    uint64_t begin_ns = time_of(engine, command->before), end_ns = time_of(engine, command->mark);
    if (command->kind == GCL_COMMAND_RECORD)
        command->at_ns = end_ns;
    if (!begin_ns || end_ns < begin_ns)
        return;
    command->begin_ns = begin_ns;
    command->end_ns = end_ns;
    if (gcl_listeners_want_times(engine->options.listeners)) {
        struct gcl_heard heard = gcl_engine_heard(command);
        heard.line = line_of_device(engine);
        gcl_listeners_ran_units(engine->options.listeners, &heard);
    }
    if (command->kind != GCL_COMMAND_RUN || !command->run.cost)
        return;
    atomic_fetch_add_explicit(&command->run.cost->busy_ns, end_ns - begin_ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&command->run.cost->blocks, command->run.block_count,
                              memory_order_relaxed);
}

/// Completes the commands of a queue up to number `last`.
static void reap(struct gcl_engine *engine, struct gcl_stream *stream, uint64_t last, bool failed) {
    struct gcl_queue *queue = &stream->queue;
    while (queue->first && queue->first->sequence <= last) {
        struct gcl_command *command = queue->first;
        queue->first = command->next;
        if (!queue->first) {
            queue->last = NULL;
            queue->unmarked = 0;
        }
        if (!failed)
            measure(engine, command);
        release(engine, command->before);
        release(engine, command->mark);
        command->before = command->mark = NULL;
        gcl_engine_complete(engine, command);
    }
}

/// Says what of a queue went wrong: the first failure of all queues, as others follow from it.
static void fail(struct gcl_engine *engine, struct gcl_stream *stream) {
    struct gcl_command *culprit = NULL;
    uint32_t others = 0;
    if (gcl_engine_status(engine) != GCL_OK)
        return;
    for (struct gcl_command *c = stream->queue.first; c; c = c->next) {
        others += culprit && c->kind == GCL_COMMAND_RUN;
        if (!culprit && c->kind == GCL_COMMAND_RUN)
            culprit = c;
    }
    if (culprit)
        ops(engine)->blame(engine->options.device, &culprit->run, others);
    else
        gcl_engine_fail(engine, GCL_SYSTEM);
}

/// A mark says how far a queue is: completes commands up to number `last`, or all of them.
static void take(struct gcl_engine *engine, struct gcl_stream *stream, uint64_t last,
                 enum gcl_device_reach reach) {
    assert(reach != GCL_NOT_REACHED);
    if (reach == GCL_REACH_FAILED) {
        fail(engine, stream);
        last = UINT64_MAX;
    }
    reap(engine, stream, last, reach == GCL_REACH_FAILED);
}

void gcl_queue_poll(struct gcl_engine *engine, struct gcl_stream *stream) {
    while (stream->queue.first) {
        struct gcl_command *command = find_mark(engine, stream->queue.first);
        enum gcl_device_reach reach = ops(engine)->look(engine->options.device, command->mark);
        if (reach == GCL_NOT_REACHED)
            return;
        take(engine, stream, command->sequence, reach);
    }
}

void gcl_queue_tidy(struct gcl_engine *engine, struct gcl_stream *stream) {
    if (stream->queue.unmarked < MARKED)
        return;
    find_mark(engine, stream->queue.last);
    gcl_queue_poll(engine, stream);
}

bool gcl_queue_has(struct gcl_fence fence) {
    const struct gcl_command *first = fence.stream ? fence.stream->queue.first : NULL;
    return first && first->sequence <= fence.sequence;
}

bool gcl_queue_await(struct gcl_engine *engine, struct gcl_fence fence) {
    if (!gcl_queue_has(fence))
        return false;
    struct gcl_command *command = fence.stream->queue.first;
    while (command->next && command->sequence < fence.sequence)
        command = command->next;
    command = find_mark(engine, command);
    struct gcl_device_mark *mark = command->mark;
    uint64_t last = command->sequence;
    mark->holders++;
    pthread_mutex_unlock(&engine->lock);
    enum gcl_device_reach reach = ops(engine)->await(engine->options.device, mark);
    pthread_mutex_lock(&engine->lock);
    release(engine, mark);
    take(engine, fence.stream, last, reach);
    return true;
}

// The collector.

/// Looks at all queues in which somebody is interested; false: there are none.
static bool look_at_wanted(struct gcl_engine *engine) {
    bool is_wanted = false;
    for (struct gcl_stream *s = engine->streams; s; s = s->next) {
        if (s->queue.wanted > 0)
            gcl_queue_poll(engine, s);
        is_wanted |= s->queue.wanted > 0;
    }
    return is_wanted;
}

static void *collect(void *argument) {
    struct gcl_engine *engine = argument;
    pthread_setname_np(pthread_self(), "gcl-collect");
    prctl(PR_SET_TIMERSLACK, 1);
    engine->options.device->units->enter_thread(engine->options.device);
    pthread_mutex_lock(&engine->lock);
    while (!engine->is_closing) {
        if (!look_at_wanted(engine)) {
            pthread_cond_wait(&engine->collector.condition, &engine->lock);
            continue;
        }
        pthread_mutex_unlock(&engine->lock);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = POLL_NS}, NULL);
        pthread_mutex_lock(&engine->lock);
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

void gcl_queue_close(struct gcl_engine *engine, struct gcl_stream *stream) {
    struct gcl_queue *queue = &stream->queue;
    assert(!queue->first);
    if (queue->queue)
        ops(engine)->close(engine->options.device, queue->queue);
    *queue = (struct gcl_queue){.queue = NULL};
}

bool gcl_collector_start(struct gcl_engine *engine) {
    struct gcl_collector *collector = &engine->collector;
    if (!ops(engine))
        return true;
    gcl_listeners_began_thread(engine->options.listeners, line_of_device(engine), "device");
    int error = pthread_create(&collector->thread, NULL, collect, engine);
    if (error)
        gcl_log(GCL_LOG_ERROR, "can't start a thread: %s", strerror(error));
    collector->is_running = !error;
    return collector->is_running;
}

void gcl_collector_stop(struct gcl_engine *engine) {
    if (!engine->collector.is_running)
        return;
    pthread_mutex_lock(&engine->lock);
    assert(engine->is_closing);
    pthread_cond_signal(&engine->collector.condition);
    pthread_mutex_unlock(&engine->lock);
    pthread_join(engine->collector.thread, NULL);
    engine->collector.is_running = false;
    for (struct gcl_stream *s = engine->streams; s; s = s->next)
        gcl_queue_close(engine, s);
}
