// Streams of the driver as the device's queues, and its events as marks in them.
//
// Events tell times relative to each other, as a number of milliseconds with 24 bits. So a base is
// recorded every second: an event of which the host's time is known. From one to the next time goes
// on without a jump, at a rate that lets it keep up with the host's clock. A GPU has fewer queues
// than there are streams, so that a kernel may hold the event up, and the kernel may wait for the
// host: nobody waits for a base but the first, before anything is launched.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "exec/device/cuda/state.h"
#include "exec/memory/space.h"

#define BASE_NS 1000000000u
#define PATIENCE_NS 2000000u
#define MOST_SLEW 1e-3

/// An event of which the host's time is known.
struct base {
    void *event;
    uint64_t at_ns, host_ns; ///< as told, and by the host's clock
    double rate;             ///< nanoseconds to tell for one of the GPU's
    unsigned users;          ///< marks, and `clock`
};

struct mark {
    struct gcl_device_mark common;
    void *event;       ///< NULL: how it ended is known
    struct base *base; ///< NULL: no time
    _Atomic int error; ///< the driver's, once `is_settled`
    bool is_settled;
    struct mark *next; ///< among spare ones
};

static struct {
    pthread_mutex_t lock;
    struct mark *spare;
    struct base *base; ///< the latest; NULL: there is none yet
    uint64_t tried_ns; ///< when one was to be recorded, last
    struct gcl_cuda_lane *lane;
} clock_of = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Without memory for a mark: one of those that have ended. What a queue fails with stays, of all
/// of them.
static struct mark ended = {.is_settled = true}, failed = {.is_settled = true};

// Times; the lock is held.

static void drop(struct base *base) {
    if (!base || --base->users > 0)
        return;
    gcl_cuda.driver->event_destroy(base->event);
    free(base);
}

/// Nanoseconds of the GPU's from one event to another that isn't before it.
static double between(void *from, void *to) {
    float milliseconds = 0;
    if (gcl_cuda.driver->event_elapsed(&milliseconds, from, to) != GCL_CU_OK)
        return 0;
    return milliseconds * 1e6;
}

/// When an event was, as told.
static uint64_t tell(const struct base *base, void *event) {
    double ns = between(base->event, event) * base->rate;
    return ns > 0 ? base->at_ns + (uint64_t)ns : base->at_ns;
}

/// Whether an event has come: the first one at last, others soon.
static bool has_come(void *event) {
    uint64_t end_ns = gcl_clock_ns() + PATIENCE_NS;
    int error = GCL_CU_NOT_READY;
    if (!clock_of.base)
        return gcl_cuda.driver->event_wait(event) == GCL_CU_OK;
    while (error == GCL_CU_NOT_READY && gcl_clock_ns() < end_ns)
        error = gcl_cuda.driver->event_query(event);
    return error == GCL_CU_OK;
}

static bool record(struct base *base) {
    const struct gcl_driver *driver = gcl_cuda.driver;
    if (!clock_of.lane)
        clock_of.lane = gcl_cuda_lane_open(0);
    if (!clock_of.lane || driver->event_create(&base->event, 0) != GCL_CU_OK)
        return false;
    uint64_t begin_ns = gcl_clock_ns();
    if (driver->event_record(base->event, clock_of.lane->stream) != GCL_CU_OK ||
        !has_come(base->event)) {
        driver->event_destroy(base->event);
        return false;
    }
    base->host_ns = begin_ns + (gcl_clock_ns() - begin_ns) / 2;
    return true;
}

static void renew_base(void) {
    struct base *last = clock_of.base, *base;
    if (last && gcl_clock_ns() - clock_of.tried_ns < BASE_NS)
        return;
    clock_of.tried_ns = gcl_clock_ns();
    base = calloc(1, sizeof *base);
    if (!base || !record(base)) {
        free(base);
        return;
    }
    base->users = 1;
    base->at_ns = base->host_ns;
    base->rate = 1;
    if (last) {
        base->at_ns = tell(last, base->event);
        double behind_ns = (double)base->host_ns - (double)base->at_ns;
        double rate = last->rate + behind_ns / (double)(base->host_ns - last->host_ns) / 2;
        base->rate = fmin(fmax(rate, 1 - MOST_SLEW), 1 + MOST_SLEW);
    }
    clock_of.base = base;
    drop(last);
}

// Marks.

/// A mark with an event; NULL: no memory.
static struct mark *take_mark(void) {
    struct mark *mark = clock_of.spare;
    if (mark) {
        clock_of.spare = mark->next;
        return mark;
    }
    mark = calloc(1, sizeof *mark);
    if (mark && gcl_cuda.driver->event_create(&mark->event, 0) == GCL_CU_OK)
        return mark;
    free(mark);
    return NULL;
}

static void give_mark(struct mark *mark) {
    drop(mark->base);
    mark->base = NULL;
    mark->is_settled = false;
    mark->error = GCL_CU_OK;
    mark->next = clock_of.spare;
    clock_of.spare = mark;
}

static struct mark *wait_instead(const struct gcl_cuda_lane *lane) {
    int error = gcl_cuda.driver->stream_wait(lane->stream);
    if (error == GCL_CU_OK)
        return &ended;
    failed.error = error;
    return &failed;
}

static struct gcl_device_mark *set_mark(const struct gcl_device *device, void *queue) {
    const struct gcl_cuda_lane *lane = queue;
    (void)device;
    gcl_cuda_enter();
    pthread_mutex_lock(&clock_of.lock);
    if (clock_of.base)
        renew_base();
    struct mark *mark = take_mark();
    if (mark) {
        mark->base = clock_of.base;
        if (mark->base)
            mark->base->users++;
        mark->error = gcl_cuda.driver->event_record(mark->event, lane->stream);
        mark->is_settled = mark->error != GCL_CU_OK;
    }
    pthread_mutex_unlock(&clock_of.lock);
    return mark ? &mark->common : &wait_instead(lane)->common;
}

static void forget_mark(const struct gcl_device *device, struct gcl_device_mark *forgotten) {
    struct mark *mark = (struct mark *)forgotten;
    (void)device;
    if (!mark->event)
        return;
    gcl_cuda_enter();
    pthread_mutex_lock(&clock_of.lock);
    give_mark(mark);
    pthread_mutex_unlock(&clock_of.lock);
}

static void follow(const struct gcl_device *device, void *queue, struct gcl_device_mark *followed) {
    const struct mark *mark = (struct mark *)followed;
    const struct gcl_cuda_lane *lane = queue;
    (void)device;
    gcl_cuda_enter();
    if (!mark->is_settled)
        gcl_cuda_check(gcl_cuda.driver->stream_follow(lane->stream, mark->event, 0),
                       "wait for another stream");
}

/// What a queue has failed with, for `blame`.
static _Atomic int failure;

static enum gcl_device_reach judge(int error) {
    if (error == GCL_CU_NOT_READY)
        return GCL_NOT_REACHED;
    if (error != GCL_CU_OK)
        atomic_store(&failure, error);
    return error == GCL_CU_OK ? GCL_REACHED : GCL_REACH_FAILED;
}

static enum gcl_device_reach look(const struct gcl_device *device, struct gcl_device_mark *at) {
    const struct mark *mark = (struct mark *)at;
    (void)device;
    gcl_cuda_enter();
    int error = mark->is_settled ? mark->error : gcl_cuda.driver->event_query(mark->event);
    // What kernels have printed appears when somebody waits, and not if he only looks.
    if (!mark->is_settled && error == GCL_CU_OK)
        error = gcl_cuda.driver->event_wait(mark->event);
    return judge(error);
}

static enum gcl_device_reach await(const struct gcl_device *device, struct gcl_device_mark *at) {
    const struct mark *mark = (struct mark *)at;
    (void)device;
    gcl_cuda_enter();
    return judge(mark->is_settled ? mark->error : gcl_cuda.driver->event_wait(mark->event));
}

static uint64_t time_of(const struct gcl_device *device, struct gcl_device_mark *at) {
    const struct mark *mark = (struct mark *)at;
    (void)device;
    gcl_cuda_enter();
    pthread_mutex_lock(&clock_of.lock);
    uint64_t at_ns = mark->base ? tell(mark->base, mark->event) : gcl_clock_ns();
    pthread_mutex_unlock(&clock_of.lock);
    return at_ns;
}

// Queues.

static void *open(const struct gcl_device *device, int priority) {
    (void)device;
    gcl_cuda_enter();
    pthread_mutex_lock(&clock_of.lock);
    if (!clock_of.base)
        renew_base();
    pthread_mutex_unlock(&clock_of.lock);
    return gcl_cuda_lane_open(priority);
}

static void close(const struct gcl_device *device, void *queue) {
    (void)device;
    gcl_cuda_lane_close(queue);
}

/// Whether the driver copies to or from there without staging anything.
static bool is_within_reach(const unsigned char *begin, size_t size) {
    return gcl_cuda_is_apart(begin) || gcl_cuda_is_locked(begin, size);
}

static bool takes_copy(const struct gcl_device *device, const struct gcl_box_copy *c) {
    size_t rows = c->height * c->depth;
    (void)device;
    if (rows == 0 || c->width == 0 || c->staging || gcl_cuda_overlaps(c))
        return false;
    bool notes = c->space && gcl_space_notes_escapes(c->space);
    size_t target_size = gcl_cuda_span(c->target_pitch, c->target_slice, c);
    if (gcl_cuda_is_banked(c->target, target_size)) // done before it is told
        return false;
    if (!c->source)
        return gcl_cuda_is_apart(c->target);
    size_t source_size = gcl_cuda_span(c->source_pitch, c->source_slice, c);
    return !notes && (gcl_cuda_is_apart(c->target) || gcl_cuda_is_apart(c->source)) &&
           is_within_reach(c->target, target_size) && is_within_reach(c->source, source_size);
}

static void put_run(const struct gcl_device *device, void *queue, struct gcl_run *run) {
    (void)device;
    gcl_cuda_put_run(queue, run);
}

static void put_copy(const struct gcl_device *device, void *queue, const struct gcl_box_copy *c) {
    (void)device;
    gcl_cuda_enter();
    gcl_cuda_put_copy(queue, c);
}

static void blame(const struct gcl_device *device, struct gcl_run *run, uint32_t others) {
    char where[96] = "on the GPU";
    (void)device;
    if (others > 0)
        snprintf(where, sizeof where, "on the GPU, here or in one of the %u launches behind it",
                 others);
    gcl_cuda_report(run, atomic_load(&failure), where);
}

const struct gcl_device_queue_ops gcl_cuda_queues = {.open = open,
                                                     .close = close,
                                                     .takes_copy = takes_copy,
                                                     .put_run = put_run,
                                                     .put_copy = put_copy,
                                                     .mark = set_mark,
                                                     .forget_mark = forget_mark,
                                                     .follow = follow,
                                                     .look = look,
                                                     .await = await,
                                                     .time = time_of,
                                                     .blame = blame};
