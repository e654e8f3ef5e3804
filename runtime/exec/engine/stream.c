// Streams and events live as long as the engine, so that a fence may outlive its stream and a stale
// handle is noticed instead of followed; what was destroyed is used again when its work is done.
#include <assert.h>
#include <stdlib.h>

#include "exec/engine/engine.h"
#include "exec/engine/state.h"

// Streams.

static struct gcl_stream *find_dead(struct gcl_engine *engine) {
    for (struct gcl_stream *s = engine->streams; s; s = s->next) {
        if (s->is_alive)
            continue;
        gcl_queue_poll(engine, s);
        if (s->completed == s->submitted)
            return s;
    }
    return NULL;
}

static struct gcl_stream *take_stream(struct gcl_engine *engine) {
    struct gcl_stream *stream = find_dead(engine);
    if (stream) {
        gcl_queue_close(engine, stream); // the next one may have another priority
        return stream;
    }
    stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->magic = GCL_STREAM_MAGIC;
    stream->next = engine->streams;
    engine->streams = stream;
    return stream;
}

struct gcl_stream *gcl_stream_create(struct gcl_engine *engine, enum gcl_stream_kind kind,
                                     int priority, unsigned device) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_stream *stream = take_stream(engine);
    if (stream) {
        stream->kind = kind;
        stream->priority = priority;
        stream->device = device;
        stream->is_alive = true;
        stream->id = ++engine->last_stream_id;
        stream->work = (struct gcl_stream_work){.last = {0}};
        gcl_engine_label_stream(engine, stream);
    }
    pthread_mutex_unlock(&engine->lock);
    return stream;
}

void gcl_stream_destroy(struct gcl_engine *engine, struct gcl_stream *stream) {
    pthread_mutex_lock(&engine->lock);
    stream->is_alive = false;
    pthread_mutex_unlock(&engine->lock);
}

// A handle may be any pointer that is aligned like one.
static bool is_aligned(const void *handle) {
    return handle && ((uintptr_t)handle & (_Alignof(uint64_t) - 1)) == 0;
}

bool gcl_stream_is_alive(struct gcl_engine *engine, const struct gcl_stream *stream) {
    if (!is_aligned(stream) || stream->magic != GCL_STREAM_MAGIC)
        return false;
    pthread_mutex_lock(&engine->lock);
    bool is_alive = stream->is_alive;
    pthread_mutex_unlock(&engine->lock);
    return is_alive;
}

struct gcl_stream *gcl_stream_legacy(struct gcl_engine *engine) {
    return gcl_stream_legacy_of(engine, 0);
}

struct gcl_stream *gcl_stream_legacy_of(struct gcl_engine *engine, unsigned device) {
    assert(device < engine->options.device_count);
    return &engine->legacies[device];
}

unsigned gcl_stream_device(const struct gcl_stream *stream) {
    return stream->device;
}

enum gcl_stream_kind gcl_stream_kind(const struct gcl_stream *stream) {
    return stream->kind;
}

int gcl_stream_priority(const struct gcl_stream *stream) {
    return stream->priority;
}

uint64_t gcl_stream_id(const struct gcl_stream *stream) {
    return stream->id;
}

struct gcl_fence gcl_stream_fence(struct gcl_engine *engine, struct gcl_stream *stream) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_fence fence = {
        .stream = stream, .sequence = stream->submitted, .command = stream->last};
    pthread_mutex_unlock(&engine->lock);
    return fence;
}

bool gcl_stream_stands_for(const struct gcl_stream *stream, const struct gcl_stream *other) {
    return other == stream ||
           (stream->kind == GCL_STREAM_LEGACY && other->kind == GCL_STREAM_BLOCKING &&
            other->device == stream->device);
}

bool gcl_engine_is_stream_done(struct gcl_engine *engine, const struct gcl_stream *stream) {
    bool is_done = true;
    pthread_mutex_lock(&engine->lock);
    for (struct gcl_stream *s = engine->streams; s && is_done; s = s->next) {
        if (!gcl_stream_stands_for(stream, s))
            continue;
        if (s->completed < s->submitted)
            gcl_queue_poll(engine, s);
        is_done = s->completed == s->submitted;
    }
    pthread_mutex_unlock(&engine->lock);
    return is_done;
}

/// A moment of the stream, after `before` (NULL: nothing) as well; NULL: no memory. The lock is
/// held.
static struct gcl_command *append_moment(struct gcl_engine *engine, struct gcl_stream *stream,
                                         struct gcl_command *before, bool is_held) {
    struct gcl_command *command = gcl_engine_take_command(engine, GCL_COMMAND_WAIT);
    if (!command)
        return NULL;
    assert(command->unmet == 1); // its own hold, until it is appended
    command->is_aside = true;
    command->unmet += is_held;
    gcl_engine_prepare(engine, stream, command);
    gcl_engine_link(engine, before, command, NULL);
    gcl_engine_append(engine, stream, command);
    return command;
}

enum gcl_status gcl_stream_await(struct gcl_engine *engine, struct gcl_stream *stream,
                                 struct gcl_fence fence) {
    pthread_mutex_lock(&engine->lock);
    bool ok = gcl_engine_has_reached(fence) || append_moment(engine, stream, fence.command, false);
    pthread_mutex_unlock(&engine->lock);
    return ok ? GCL_OK : GCL_NO_MEMORY;
}

void gcl_stream_work_add(struct gcl_stream_work *work, const struct gcl_stream_work *other) {
    for (int i = 0; i < GCL_TRACK_COUNT; i++) {
        if (work->last[i] < other->last[i])
            work->last[i] = other->last[i];
    }
}

void gcl_stream_note(struct gcl_engine *engine, struct gcl_stream *stream, enum gcl_track track,
                     uint64_t number) {
    pthread_mutex_lock(&engine->lock);
    stream->work.last[track] = number;
    pthread_mutex_unlock(&engine->lock);
}

enum gcl_status gcl_stream_follow(struct gcl_engine *engine, struct gcl_stream *stream,
                                  struct gcl_stream *other) {
    pthread_mutex_lock(&engine->lock);
    bool ok = !other->last || append_moment(engine, stream, other->last, false);
    pthread_mutex_unlock(&engine->lock);
    return ok ? GCL_OK : GCL_NO_MEMORY;
}

struct gcl_command *gcl_stream_hold(struct gcl_engine *engine, struct gcl_stream *stream) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_command *held = append_moment(engine, stream, NULL, true);
    pthread_mutex_unlock(&engine->lock);
    return held;
}

// Events.

static struct gcl_event *take_event(struct gcl_engine *engine) {
    struct gcl_event *event = engine->free_events;
    if (event) {
        assert(!event->is_alive && event->pending == 0);
        engine->free_events = event->next_free;
        return event;
    }
    event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    event->magic = GCL_EVENT_MAGIC;
    event->next = engine->events;
    engine->events = event;
    return event;
}

struct gcl_event *gcl_event_create(struct gcl_engine *engine, unsigned flags, unsigned device) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_event *event = take_event(engine);
    if (event) {
        event->is_alive = true;
        event->is_recorded = false;
        event->flags = flags;
        event->device = device;
        event->fence = (struct gcl_fence){.stream = NULL};
    }
    pthread_mutex_unlock(&engine->lock);
    return event;
}

void gcl_event_destroy(struct gcl_engine *engine, struct gcl_event *event) {
    pthread_mutex_lock(&engine->lock);
    assert(event->is_alive);
    event->is_alive = false;
    if (event->pending == 0) {
        event->next_free = engine->free_events;
        engine->free_events = event;
    }
    pthread_mutex_unlock(&engine->lock);
}

bool gcl_event_is_alive(struct gcl_engine *engine, const struct gcl_event *event) {
    if (!is_aligned(event) || event->magic != GCL_EVENT_MAGIC)
        return false;
    pthread_mutex_lock(&engine->lock);
    bool is_alive = event->is_alive;
    pthread_mutex_unlock(&engine->lock);
    return is_alive;
}

unsigned gcl_event_flags(const struct gcl_event *event) {
    return event->flags;
}

unsigned gcl_event_device(const struct gcl_event *event) {
    return event->device;
}

enum gcl_status gcl_event_record(struct gcl_engine *engine, struct gcl_event *event,
                                 struct gcl_stream *stream) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_command *command = gcl_engine_take_command(engine, GCL_COMMAND_RECORD);
    if (command) {
        command->event = event;
        command->is_aside = true;
        event->command = command;
        event->is_recorded = true;
        event->pending++;
        event->fence = gcl_engine_append(engine, stream, command);
    }
    pthread_mutex_unlock(&engine->lock);
    return command ? GCL_OK : GCL_NO_MEMORY;
}

struct gcl_fence gcl_event_fence(struct gcl_engine *engine, struct gcl_event *event) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_fence fence = event->fence;
    pthread_mutex_unlock(&engine->lock);
    return fence;
}

enum gcl_status gcl_event_hold(struct gcl_engine *engine, struct gcl_event *event,
                               struct gcl_stream *stream) {
    enum gcl_status status = GCL_OK;
    pthread_mutex_lock(&engine->lock);
    if (event->fence.stream)
        gcl_stream_work_add(&stream->work, &event->fence.stream->work);
    if (event->command && !append_moment(engine, stream, event->command, false))
        status = GCL_NO_MEMORY;
    pthread_mutex_unlock(&engine->lock);
    return status;
}

enum gcl_status gcl_event_time(struct gcl_engine *engine, struct gcl_event *event,
                               uint64_t *time_ns) {
    enum gcl_status status = GCL_OK;
    pthread_mutex_lock(&engine->lock);
    if (event->command)
        gcl_queue_poll(engine, event->command->stream);
    if (!event->is_recorded)
        status = GCL_INVALID_HANDLE;
    else if (event->command)
        status = GCL_NOT_READY;
    else
        *time_ns = event->time_ns;
    pthread_mutex_unlock(&engine->lock);
    return status;
}
