// Calls for streams and events. An event is the moment of its stream when it was last recorded, and
// the time when the stream came there.
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "card.h"

/// The context is first, which others ask for.
struct event {
    struct card_context *context;
    uint64_t handle;
    unsigned flags;
    struct card_moment moment;
    uint64_t records; ///< so many times was it recorded
    uint64_t ns;      ///< the time of record `timed`
    uint64_t timed;
    uint64_t unfinished; ///< records that haven't run
    bool is_destroyed;
};

struct card_stream *card_stream_find(void *handle) {
    struct card_context *context = card_current();
    if (!handle || (uint64_t)handle == CARD_LEGACY_STREAM)
        return context->legacy;
    if ((uint64_t)handle == CARD_PER_THREAD_STREAM)
        card_misuse("the default stream of each thread isn't there");
    struct card_stream *stream = card_handle_find(CARD_KIND_STREAM, (uint64_t)handle);
    if (stream->context != context)
        card_misuse("the stream is of device %d, the current context of device %d",
                    stream->context->device, context->device);
    return stream;
}

void card_streams_leak_check(struct card_context *context) {
    size_t count = 0;
    for (const struct card_stream *s = context->streams; s; s = s->next)
        count += !s->is_destroyed && s != context->legacy;
    if (count > 0)
        card_misuse("not given back: %zu streams", count);
}

// Streams.

static int create(void **stream, unsigned flags, int priority) {
    if (!stream || flags > CARD_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    struct card_stream *s = card_stream_create(card_current(), flags);
    s->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    *stream = (void *)s->handle;
    return CUDA_SUCCESS;
}

int cuStreamCreate(void **stream, unsigned flags) {
    int result = card_enter("cuStreamCreate", CARD_CONTEXT);
    return card_leave(result ? result : create(stream, flags, 0));
}

int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    int result = card_enter("cuStreamCreateWithPriority", CARD_CONTEXT);
    return card_leave(result ? result : create(stream, flags, priority));
}

int cuStreamDestroy_v2(void *stream) {
    int result = card_enter("cuStreamDestroy_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct card_stream *s = card_stream_find(stream);
    if (s == s->context->legacy)
        return card_leave(CUDA_ERROR_INVALID_HANDLE);
    s->is_destroyed = true; // its thread does what is left
    card_handle_remove(CARD_KIND_STREAM, s->handle);
    pthread_cond_broadcast(&card.changed);
    return card_leave(CUDA_SUCCESS);
}

/// What a stream was given; the legacy stream stands for those that it waits for, too.
static int await_stream(struct card_stream *stream) {
    struct card_context *context = stream->context;
    if (stream != context->legacy)
        return card_moment_await(context, card_moment_of(stream));
    for (struct card_stream *s = context->streams; s; s = s->next) {
        if (s->is_blocking)
            card_moment_await(context, card_moment_of(s));
    }
    return context->error;
}

int cuStreamSynchronize(void *stream) {
    int result = card_enter("cuStreamSynchronize", CARD_CONTEXT);
    return card_leave(result ? result : await_stream(card_stream_find(stream)));
}

int cuStreamQuery(void *stream) {
    int result = card_enter("cuStreamQuery", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    bool is_past = card_moment_ask(card_moment_of(card_stream_find(stream)));
    return card_leave(is_past ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

int cuStreamGetPriority(void *stream, int *priority) {
    int result = card_enter("cuStreamGetPriority", CARD_CONTEXT);
    if (!result)
        *priority = card_stream_find(stream)->priority;
    return card_leave(result);
}

int cuStreamGetFlags(void *stream, unsigned *flags) {
    int result = card_enter("cuStreamGetFlags", CARD_CONTEXT);
    if (!result)
        *flags = card_stream_find(stream)->flags;
    return card_leave(result);
}

// Functions of the host.

struct callback {
    void (*function)(void *);
    void (*old_function)(void *, int, void *);
    void *context, *stream;
};

static int run_callback(struct card_task *task) {
    const struct callback *c = task->data;
    card_forbid_calls(true);
    if (c->old_function)
        c->old_function(c->stream, task->stream->context->error, c->context);
    else
        c->function(c->context);
    card_forbid_calls(false);
    return CUDA_SUCCESS;
}

static void finish_data(struct card_task *task) {
    free(task->data);
}

static void submit_callback(void *stream, struct callback callback) {
    struct callback *kept = card_allocate(1, sizeof *kept);
    *kept = callback;
    struct card_task *task =
        card_task_create(card_stream_find(stream), run_callback, finish_data, kept);
    task->is_always = callback.old_function != NULL;
    task->is_host = true;
    card_task_submit(task);
}

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *context) {
    int result = card_enter("cuLaunchHostFunc", CARD_CONTEXT);
    if (!result && !function)
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        submit_callback(stream, (struct callback){.function = function, .context = context});
    return card_leave(result);
}

int cuStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *context,
                        unsigned flags) {
    int result = card_enter("cuStreamAddCallback", CARD_CONTEXT);
    if (!result && (!function || flags))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        submit_callback(
            stream,
            (struct callback){.old_function = function, .context = context, .stream = stream});
    return card_leave(result);
}

// Events.

static struct event *find_event(void *handle) {
    struct event *event = card_handle_find(CARD_KIND_EVENT, (uint64_t)handle);
    if (event->context->device != card_current()->device)
        card_misuse("the event is of device %d, the current context of device %d",
                    event->context->device, card_current()->device);
    return event;
}

static void free_event(struct event *event) {
    if (event->is_destroyed && event->unfinished == 0)
        free(event);
}

int cuEventCreate(void **event, unsigned flags) {
    int result = card_enter("cuEventCreate", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    if (!event || flags > 7)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    if (flags & CARD_EVENT_INTERPROCESS)
        return card_leave(CUDA_ERROR_NOT_SUPPORTED);
    struct event *e = card_allocate(1, sizeof *e);
    e->context = card_current();
    e->flags = flags;
    e->handle = card_handle_add(CARD_KIND_EVENT, e);
    *event = (void *)e->handle;
    return card_leave(CUDA_SUCCESS);
}

int cuEventDestroy_v2(void *event) {
    int result = card_enter("cuEventDestroy_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct event *e = find_event(event);
    card_handle_remove(CARD_KIND_EVENT, e->handle);
    e->is_destroyed = true;
    free_event(e);
    return card_leave(CUDA_SUCCESS);
}

/// A record of an event on its way.
struct record {
    struct event *event;
    uint64_t number, ns;
};

static int run_record(struct card_task *task) {
    struct record *record = task->data;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    record->ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    return CUDA_SUCCESS;
}

static void finish_record(struct card_task *task) {
    struct record *record = task->data;
    struct event *event = record->event;
    if (record->number > event->timed) {
        event->timed = record->number;
        event->ns = record->ns;
    }
    event->unfinished--;
    free_event(event);
    free(record);
}

static int record_event(void *event, void *stream) {
    struct event *e = find_event(event);
    struct card_stream *s = card_stream_find(stream);
    struct record *record = card_allocate(1, sizeof *record);
    *record = (struct record){.event = e, .number = ++e->records};
    e->unfinished++;
    e->moment = (struct card_moment){s, s->submitted + 1};
    card_task_submit(card_task_create(s, run_record, finish_record, record));
    return CUDA_SUCCESS;
}

int cuEventRecord(void *event, void *stream) {
    int result = card_enter("cuEventRecord", CARD_CONTEXT);
    return card_leave(result ? result : record_event(event, stream));
}

int cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    int result = card_enter("cuEventRecordWithFlags", CARD_CONTEXT);
    if (!result && flags)
        result = CUDA_ERROR_INVALID_VALUE;
    return card_leave(result ? result : record_event(event, stream));
}

int cuEventQuery(void *event) {
    int result = card_enter("cuEventQuery", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    bool is_past = card_moment_ask(find_event(event)->moment);
    return card_leave(is_past ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

int cuEventSynchronize(void *event) {
    int result = card_enter("cuEventSynchronize", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct event *e = find_event(event);
    if (!e->moment.stream)
        return card_leave(CUDA_SUCCESS);
    return card_leave(card_moment_await(e->context, e->moment));
}

static int run_nothing(struct card_task *task) {
    (void)task;
    return CUDA_SUCCESS;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    int result = card_enter("cuStreamWaitEvent", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct event *e = card_handle_find(CARD_KIND_EVENT, (uint64_t)event);
    if (flags)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    struct card_task *task = card_task_create(card_stream_find(stream), run_nothing, NULL, NULL);
    card_task_wait_for(task, e->moment);
    card_task_submit(task);
    return card_leave(CUDA_SUCCESS);
}

static int elapsed(float *milliseconds, void *begin, void *end) {
    const struct event *b = find_event(begin), *e = find_event(end);
    if ((b->flags | e->flags) & CARD_EVENT_NO_TIMING || !b->records || !e->records)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!card_moment_is_past(b->moment) || !card_moment_is_past(e->moment))
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)((double)(int64_t)(e->ns - b->ns) * 1e-6);
    return CUDA_SUCCESS;
}

int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
    int result = card_enter("cuEventElapsedTime", CARD_CONTEXT);
    return card_leave(result ? result : elapsed(milliseconds, begin, end));
}

int cuEventElapsedTime_v2(float *milliseconds, void *begin, void *end) {
    int result = card_enter("cuEventElapsedTime_v2", CARD_CONTEXT);
    return card_leave(result ? result : elapsed(milliseconds, begin, end));
}
