// Work in streams. Each stream has a thread, which runs the stream's tasks in their order; a task
// also waits for moments of other streams, those that events told it and those of the legacy
// stream. When it runs after that is the seed's:
//
//     0      at once: a call returns when its task is done, or waits for something else
//     1      when somebody waits for it
//     other  at once, when somebody waits for it, or some calls later, as it falls for each task
//
// A card promises no more, but for one thing: in the end all work is done. So a task also runs when
// nobody has called for a while, or when it was asked for often enough.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "card.h"

#define MILLISECOND UINT64_C(1000000)

enum {
    EARLY_MS = 20,     ///< that a call waits for its task, with seed 0
    IDLE_MS = 20,      ///< without a call, after which a task runs
    WAITING_MS = 2000, ///< while a call waits for other work
    ASKED = 8,         ///< questions after which a task runs
    MOST_CALLS = 12,   ///< for which a task is delayed
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Waits for a change at most until a moment of the clock.
static void wait_until(uint64_t ns) {
    struct timespec t;
    uint64_t left = ns > now_ns() ? ns - now_ns() : 0;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t when = (uint64_t)t.tv_nsec + left;
    t.tv_sec += (time_t)(when / 1000000000u);
    t.tv_nsec = (long)(when % 1000000000u);
    pthread_cond_timedwait(&card.changed, &card.lock, &t);
}

// Moments.

struct card_moment card_moment_of(struct card_stream *stream) {
    return (struct card_moment){stream, stream->submitted};
}

bool card_moment_is_past(struct card_moment moment) {
    return !moment.stream || moment.stream->done >= moment.number;
}

static void add_moment(struct card_moment **moments, size_t *count, struct card_moment moment) {
    if (card_moment_is_past(moment))
        return;
    struct card_moment *more = realloc(*moments, (*count + 1) * sizeof *more);
    if (!more)
        card_misuse("the host has no memory left");
    more[(*count)++] = moment;
    *moments = more;
}

void card_task_wait_for(struct card_task *task, struct card_moment moment) {
    if (moment.stream != task->stream)
        add_moment(&task->waits, &task->wait_count, moment);
}

/// Has work run, and what it waits for.
static void demand(struct card_moment moment) {
    struct card_moment *todo = NULL;
    size_t count = 0;
    add_moment(&todo, &count, moment);
    while (count > 0) {
        struct card_moment next = todo[--count];
        struct card_stream *stream = next.stream;
        uint64_t before = stream->demanded;
        if (before >= next.number)
            continue;
        stream->demanded = next.number;
        for (struct card_task *t = stream->first; t && t->number <= next.number; t = t->next) {
            for (size_t i = 0; t->number > before && i < t->wait_count; i++)
                add_moment(&todo, &count, t->waits[i]);
        }
    }
    free(todo);
    pthread_cond_broadcast(&card.changed);
}

static struct card_task *task_of(struct card_moment moment) {
    struct card_task *task = moment.stream->first;
    while (task && task->number < moment.number)
        task = task->next;
    return task;
}

bool card_moment_ask(struct card_moment moment) {
    if (card_moment_is_past(moment))
        return true;
    struct card_task *task = task_of(moment);
    if (task && ++task->asked >= ASKED)
        demand(moment);
    return false;
}

static void await(struct card_moment moment) {
    demand(moment);
    card.waiting++;
    while (!card_moment_is_past(moment))
        pthread_cond_wait(&card.changed, &card.lock);
    card.waiting--;
}

int card_moment_await(struct card_context *context, struct card_moment moment) {
    await(moment);
    card_flush_output(context);
    return context->error;
}

int card_context_await(struct card_context *context) {
    for (struct card_stream *s = context->streams; s; s = s->next)
        demand(card_moment_of(s));
    for (struct card_stream *s = context->streams; s; s = s->next)
        await(card_moment_of(s));
    card_flush_output(context);
    return context->error;
}

// Tasks.

struct card_task *card_task_create(struct card_stream *stream, int (*run)(struct card_task *task),
                                   void (*finish)(struct card_task *task), void *data) {
    struct card_task *task = card_allocate(1, sizeof *task);
    task->stream = stream;
    task->call = card_call();
    task->run = run;
    task->finish = finish;
    task->data = data;
    return task;
}

void card_task_use(struct card_task *task, uint64_t begin, size_t size) {
    struct card_use *more = realloc(task->uses, (task->use_count + 1) * sizeof *more);
    if (!more)
        card_misuse("the host has no memory left");
    more[task->use_count++] = (struct card_use){begin, begin + size};
    task->uses = more;
}

/// Of the legacy stream: it waits for all blocking streams, and they wait for it.
static void add_legacy_waits(struct card_task *task) {
    struct card_stream *stream = task->stream, *legacy = stream->context->legacy;
    if (stream != legacy) {
        if (stream->is_blocking)
            add_moment(&task->waits, &task->wait_count, card_moment_of(legacy));
        return;
    }
    for (struct card_stream *s = stream->context->streams; s; s = s->next) {
        if (s != legacy && s->is_blocking)
            add_moment(&task->waits, &task->wait_count, card_moment_of(s));
    }
}

/// Of a card with fewer queues than streams: what is in another stream holds it up.
static void add_queue_waits(struct card_task *task) {
    const struct card_context *context = task->stream->context;
    for (struct card_stream *s = card.settings.has_one_queue ? context->streams : NULL; s;
         s = s->next)
        card_task_wait_for(task, card_moment_of(s));
}

/// The call with whose number a task may run.
static uint64_t release_of(const struct card_task *task) {
    uint64_t random = (card.settings.seed * UINT64_C(0x9e3779b97f4a7c15)) ^
                      (task->stream->handle + task->number) * UINT64_C(0xbf58476d1ce4e5b9);
    random = (random ^ random >> 29) * UINT64_C(0x94d049bb133111eb);
    random ^= random >> 32;
    if (card.settings.seed == 0)
        return 0;
    if (card.settings.seed == 1 || random % 4 == 0)
        return UINT64_MAX;
    return random % 4 == 1 ? 0 : card.operations + random / 4 % MOST_CALLS;
}

static bool waits_are_past(const struct card_task *task) {
    for (size_t i = 0; i < task->wait_count; i++) {
        if (!card_moment_is_past(task->waits[i]))
            return false;
    }
    return true;
}

static void free_task(struct card_task *task) {
    if (task->finish)
        task->finish(task);
    free(task->waits);
    free(task->uses);
    free(task);
}

static void note_error(struct card_context *context, int error) {
    int none = 0;
    atomic_compare_exchange_strong(&context->error, &none, error);
}

/// Runs a stream's first task, with the lock given away meanwhile.
static void run_first(struct card_stream *stream) {
    struct card_task *task = stream->first;
    if (!stream->context->error || task->is_always) {
        pthread_mutex_unlock(&card.lock);
        int error = task->run(task);
        pthread_mutex_lock(&card.lock);
        if (error)
            note_error(stream->context, error);
    }
    stream->first = task->next;
    if (!stream->first)
        stream->last = NULL;
    stream->done = task->number;
    free_task(task);
    pthread_cond_broadcast(&card.changed);
}

/// Waits until a task may run, or something has changed. True: it may.
static bool may_run(const struct card_task *task) {
    const struct card_stream *stream = task->stream;
    if (stream->context->error)
        return true;
    if (!waits_are_past(task)) {
        pthread_cond_wait(&card.changed, &card.lock);
        return false;
    }
    if (stream->demanded >= task->number || task->release <= card.operations)
        return true;
    uint64_t idle = card.last_call_ns + (card.waiting ? WAITING_MS : IDLE_MS) * MILLISECOND;
    if (now_ns() >= idle)
        return true;
    wait_until(idle);
    return false;
}

static void *work(void *argument) {
    struct card_stream *stream = argument;
    pthread_mutex_lock(&card.lock);
    while (stream->first || !stream->is_destroyed) {
        if (!stream->first)
            pthread_cond_wait(&card.changed, &card.lock);
        else if (may_run(stream->first))
            run_first(stream);
    }
    pthread_mutex_unlock(&card.lock);
    return NULL;
}

static void start_thread(struct card_stream *stream) {
    pthread_t thread;
    sigset_t signals, before;
    if (stream->has_thread)
        return;
    sigfillset(&signals);
    sigdelset(&signals, SIGSEGV);
    sigdelset(&signals, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    int error = pthread_create(&thread, NULL, work, stream);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        card_misuse("a stream has no thread");
    pthread_setname_np(thread, "card-stream");
    pthread_detach(thread);
    stream->has_thread = true;
}

void card_task_submit(struct card_task *task) {
    struct card_stream *stream = task->stream;
    add_legacy_waits(task);
    add_queue_waits(task);
    task->number = ++stream->submitted;
    task->release = release_of(task);
    *(stream->last ? &stream->last->next : &stream->first) = task;
    stream->last = task;
    start_thread(stream);
    pthread_cond_broadcast(&card.changed);
    struct card_moment moment = card_moment_of(stream);
    uint64_t end = now_ns() + EARLY_MS * MILLISECOND;
    bool is_early = card.settings.seed == 0 && !task->is_host && stream->first == task;
    if (is_early)
        is_early = waits_are_past(task);
    while (is_early && !card_moment_is_past(moment) && now_ns() < end)
        wait_until(end);
}

// Streams.

struct card_stream *card_stream_create(struct card_context *context, unsigned flags) {
    struct card_stream *stream = card_allocate(1, sizeof *stream);
    stream->context = context;
    stream->flags = flags;
    stream->is_blocking = !(flags & CARD_STREAM_NON_BLOCKING);
    stream->handle = card_handle_add(CARD_KIND_STREAM, stream);
    stream->next = context->streams;
    context->streams = stream;
    return stream;
}

static const struct card_task *next_unfinished(const struct card_context *context,
                                               const struct card_stream **stream,
                                               const struct card_task *task) {
    if (task && task->next)
        return task->next;
    *stream = *stream ? (*stream)->next : context->streams;
    while (*stream && !(*stream)->first)
        *stream = (*stream)->next;
    return *stream ? (*stream)->first : NULL;
}

size_t card_unfinished(const struct card_context *context) {
    const struct card_stream *stream = NULL;
    const struct card_task *task = NULL;
    size_t count = 0;
    while ((task = next_unfinished(context, &stream, task)))
        count++;
    return count;
}

static void check_task_unused(const struct card_task *task, uint64_t begin, uint64_t end) {
    for (size_t i = 0; i < task->use_count; i++) {
        if (task->uses[i].begin < end && begin < task->uses[i].end)
            card_misuse("unfinished work of %s in stream %#" PRIx64 " uses memory at %#" PRIx64,
                        task->call, task->stream->handle, task->uses[i].begin);
    }
}

void card_check_unused(uint64_t begin, uint64_t end) {
    for (int d = 0; d < card.settings.devices; d++) {
        const struct card_stream *stream = NULL;
        const struct card_task *task = NULL;
        const struct card_context *context = card.devices[d].context;
        while (context && !context->error && (task = next_unfinished(context, &stream, task)))
            check_task_unused(task, begin, end);
    }
}

void card_check_not_running(const void *module) {
    for (int d = 0; d < card.settings.devices; d++) {
        const struct card_stream *stream = NULL;
        const struct card_task *task = NULL;
        const struct card_context *context = card.devices[d].context;
        while (context && (task = next_unfinished(context, &stream, task))) {
            if (task->module == module)
                card_misuse("unfinished work of %s runs its code", task->call);
        }
    }
}
