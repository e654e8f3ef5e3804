// Life, the lock, and what the program submits; the other parts are named in core.h.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "exec/code/module.h"
#include "exec/code/registry.h"
#include "exec/exchange/remote.h"
#include "exec/spread/allocations.h"
#include "exec/spread/balance.h"
#include "exec/spread/border.h"
#include "exec/spread/contents.h"
#include "exec/spread/copy.h"
#include "exec/spread/core.h"
#include "exec/spread/devices.h"
#include "exec/spread/home.h"
#include "exec/spread/launch.h"
#include "exec/spread/rest.h"
#include "exec/spread/scatter.h"
#include "exec/spread/track.h"
#include "exec/spread/verify.h"
#include "exec/watch/clocks.h"

/// What all nodes have, and what node 0 has besides. False: no memory.
static bool create_parts(struct gcl_spread *spread) {
    const struct gcl_spread_options *options = &spread->options;
    bool needs_devices = options->has_devices && options->self == 0;
    bool is_compared = options->is_verified && options->device->bytes;
    if (options->may_fault && !options->has_devices && options->device->bytes) {
        spread->remote = gcl_remote_create(options->self, options->count, &options->communicator);
        if (!spread->remote)
            return false;
    }
    return gcl_spread_create_late(spread) && gcl_spread_create_launches(spread) &&
           gcl_spread_create_readers(spread) && gcl_spread_create_home(spread) &&
           gcl_spread_create_borders(spread) && gcl_spread_create_balance(spread) &&
           (!is_compared || gcl_verify_create(spread)) && gcl_spread_create_tracks(spread) &&
           (!options->rests || gcl_rest_begin(spread)) &&
           (!needs_devices || gcl_spread_create_devices(spread));
}

struct gcl_spread *gcl_spread_create(const struct gcl_spread_options *options) {
    struct gcl_spread *spread = calloc(1, sizeof *spread);
    if (!spread)
        return NULL;
    spread->options = *options;
    spread->done = (struct gcl_done){.engine = options->engine, .listeners = options->listeners};
    pthread_mutex_init(&spread->lock, NULL);
    pthread_cond_init(&spread->has_news, NULL);
    spread->directory = gcl_directory_create(options->count);
    // Without memory for that the process ends, so that what has been made may stay.
    return spread->directory && create_parts(spread) ? spread : NULL;
}

bool gcl_spread_is_home(const struct gcl_spread *spread) {
    return spread->options.self == 0;
}

void gcl_spread_fail(struct gcl_spread *spread, enum gcl_status status, const char *reason) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    gcl_engine_fail(spread->options.engine, status);
    if (status != GCL_NODE_LOST && !atomic_exchange(&spread->has_failed, true))
        communicator->give_up(communicator->context, reason);
}

void gcl_spread_give_up(struct gcl_spread *spread) {
    if (!atomic_load(&spread->has_failed)) // or that's why
        gcl_log(GCL_LOG_ERROR, "no memory to spread commands over nodes");
    gcl_spread_fail(spread, GCL_NO_MEMORY, "it has no memory to spread commands over nodes");
}

void gcl_spread_announce(struct gcl_spread *spread, struct gcl_operation *operation) {
    // While it rests the others know of no memory.
    assert(!gcl_rest_is_on(spread) ||
           (operation->kind != GCL_OPERATION_LAUNCH && operation->kind != GCL_OPERATION_ACCESS &&
            operation->kind != GCL_OPERATION_FILL));
    operation->sequence = ++spread->sequence;
    if (!gcl_spread_is_home(spread))
        return;
    size_t size = gcl_operation_size(operation);
    unsigned char *bytes = malloc(size);
    if (!bytes) {
        gcl_spread_give_up(spread);
        return;
    }
    gcl_operation_write(operation, bytes);
    spread->options.communicator.broadcast(spread->options.communicator.context, bytes, size);
    free(bytes);
}

void gcl_spread_limit(struct gcl_spread *spread, uint32_t node, unsigned limit, size_t value) {
    struct gcl_operation o = {.kind = GCL_OPERATION_LIMIT,
                              .limit = {.node = node, .limit = limit, .value = value}};
    gcl_spread_lock(spread);
    gcl_spread_announce(spread, &o);
    gcl_spread_unlock(spread);
}

bool gcl_spread_load(struct gcl_spread *spread, uint32_t number, const void *bytes, size_t size) {
    if (size > GCL_OPERATION_MAX_MODULE) {
        gcl_log(GCL_LOG_ERROR, "a module of %zu bytes is too large for other nodes", size);
        return false;
    }
    struct gcl_operation o = {.kind = GCL_OPERATION_MODULE,
                              .module = {number, gcl_hash(bytes, size), bytes, (uint32_t)size}};
    gcl_spread_lock(spread);
    gcl_spread_announce(spread, &o);
    gcl_spread_unlock(spread);
    return true;
}

// Listeners.

void gcl_spread_add_done(struct gcl_spread *spread, const struct gcl_heard_plan *heard,
                         struct gcl_plan *plan, struct gcl_fence fence) {
    if (gcl_spread_is_home(spread) && gcl_listeners_want_done(spread->options.listeners))
        gcl_done_add(&spread->done, heard, plan, fence);
}

void gcl_spread_add_transfer(struct gcl_spread *spread, struct gcl_plan *plan,
                             struct gcl_fence fence) {
    gcl_spread_add_done(spread, &(struct gcl_heard_plan){.kind = GCL_HEARD_TRANSFER}, plan, fence);
}

void gcl_spread_tell_done(struct gcl_spread *spread) {
    pthread_mutex_lock(&spread->lock);
    gcl_done_tell(&spread->done);
    pthread_mutex_unlock(&spread->lock);
}

/// `are_known`: where pointers in memory may lead, also outside of what other nodes have.
static struct gcl_fence submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command, const struct gcl_code *code,
                                   bool are_known) {
    uint32_t node = gcl_spread_device_of(spread, stream);
    if (!are_known && node == GCL_NOBODY)
        node = spread->options.self;
    struct gcl_fence fence =
        gcl_spread_submit_run(spread, gcl_spread_work(spread, stream), command, code, node);
    gcl_spread_give(spread, stream, fence, node);
    return fence;
}

/// A function of the program's comes after all that its stream was given before.
static struct gcl_fence submit_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    gcl_spread_await_given(spread, stream);
    struct gcl_fence fence = gcl_engine_submit(engine, stream, command);
    gcl_spread_order_call(spread, stream);
    gcl_spread_note_call(spread, fence);
    return fence;
}

/// Memory is free when nobody uses it any more, whatever streams that is for. Of what comes later,
/// in any of them, none moves it.
static struct gcl_fence submit_free(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    gcl_spread_join_given(spread);
    stream = gcl_spread_work(spread, stream);
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    gcl_spread_retire(spread, (uintptr_t)command->release.memory);
    return gcl_engine_submit(spread->options.engine, stream, command);
}

static struct gcl_fence submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    uint32_t home = gcl_spread_home_of(spread, command->copy.target);
    bool is_own = gcl_spread_device_of(spread, stream) == spread->options.self;
    if (is_own)
        gcl_spread_join_given(spread);
    struct gcl_fence fence =
        gcl_spread_submit_copy(spread, gcl_spread_work(spread, stream), command);
    gcl_spread_give(spread, stream, fence, home);
    if (is_own)
        gcl_spread_join_given(spread);
    return fence;
}

/// Has all nodes do a command. False: they rest again.
static bool submit_to_all(struct gcl_spread *spread, struct gcl_stream *stream,
                          struct gcl_command *command, struct gcl_fence *fence) {
    bool is_run = command->kind == GCL_COMMAND_RUN, is_call = command->kind == GCL_COMMAND_CALL;
    bool is_free = command->kind == GCL_COMMAND_FREE;
    const struct gcl_kernel *kernel = is_run ? command->run.launch.kernel : NULL;
    const struct gcl_code *code = is_run ? gcl_registry_code(kernel) : NULL;
    const struct gcl_listeners *listeners = spread->options.listeners;
    struct gcl_escapes escapes = {.count = 0};
    if (is_run)
        escapes = gcl_spread_find_escapes(spread, kernel);
    gcl_listeners_submits(listeners);
    gcl_spread_lock(spread);
    if (gcl_rest_is_on(spread)) {
        gcl_spread_unlock(spread);
        free(escapes.list);
        return false;
    }
    gcl_listeners_begins(listeners);
    gcl_spread_tell_escapes(spread, &escapes);
    // Other nodes wait for calls and cooperative launches, which may wait for the host.
    if (is_call || (is_run && command->run.is_cooperative))
        gcl_spread_bring_all_home(spread, gcl_spread_work(spread, stream));
    if (is_run)
        *fence = submit_run(spread, stream, command, code, !escapes.are_unknown);
    else if (is_free)
        *fence = submit_free(spread, stream, command);
    else if (is_call)
        *fence = submit_call(spread, stream, command);
    else
        *fence = submit_copy(spread, stream, command);
    if (is_run && spread->rest)
        gcl_rest_note(spread, *fence);
    gcl_listeners_ends(listeners, is_run);
    gcl_spread_unlock(spread);
    return true;
}

struct gcl_fence gcl_spread_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command) {
    struct gcl_fence fence;
    bool is_done = false;
    while (!is_done)
        is_done = (spread->options.rests && gcl_rest_submit(spread, stream, command, &fence)) ||
                  submit_to_all(spread, stream, command, &fence);
    return fence;
}

// Memory.

size_t gcl_spread_memory(struct gcl_spread *spread) {
    gcl_spread_lock(spread);
    size_t size = gcl_directory_memory(spread->directory) + gcl_spread_schedule_memory(spread);
    gcl_spread_unlock(spread);
    return size;
}

// The lock.

void gcl_spread_lock(struct gcl_spread *spread) {
    pthread_mutex_lock(&spread->lock);
    while (spread->is_planning)
        pthread_cond_wait(&spread->has_news, &spread->lock);
}

void gcl_spread_unlock(struct gcl_spread *spread) {
    gcl_spread_tell_late(spread);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_pause(struct gcl_spread *spread) {
    if (!gcl_spread_is_home(spread))
        return;
    assert(!spread->is_planning);
    spread->is_planning = true;
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_resume(struct gcl_spread *spread) {
    if (!gcl_spread_is_home(spread))
        return;
    pthread_mutex_lock(&spread->lock);
    assert(spread->is_planning);
    spread->is_planning = false;
    pthread_cond_broadcast(&spread->has_news);
}

struct gcl_directory_share gcl_spread_share_of(struct gcl_spread *spread, gcl_node node) {
    pthread_mutex_lock(&spread->lock); // not held for long by anybody
    struct gcl_directory_share share = gcl_directory_share_of(spread->directory, node);
    pthread_mutex_unlock(&spread->lock);
    return share;
}

void gcl_spread_show_held(struct gcl_spread *spread, uint64_t *held) {
    size_t count;
    memset(held, 0, spread->options.count * sizeof *held);
    gcl_spread_lock(spread);
    held[0] = gcl_rest_held(spread);
    const struct gcl_directory_entry *entries = gcl_directory_entries(spread->directory, &count);
    for (size_t i = 0; i < count; i++) {
        for (gcl_node node = 0; node < spread->options.count; node++)
            held[node] += (uint64_t)gcl_region_size(&entries[i].layout->held[node]);
    }
    gcl_spread_unlock(spread);
}

// Reports.

struct gcl_report gcl_spread_report(const struct gcl_spread *spread, uint64_t sequence) {
    return (struct gcl_report){.stats = spread->options.stats,
                               .trace = spread->options.trace,
                               .communicator = &spread->options.communicator,
                               .sequence = sequence};
}

void gcl_spread_collect(struct gcl_spread *spread, const struct gcl_clocks *clocks) {
    struct gcl_operation o = {.kind = GCL_OPERATION_REPORT};
    if (gcl_engine_status(spread->options.engine) != GCL_OK)
        return;
    gcl_spread_lock(spread);
    if (gcl_rest_is_on(spread)) // what nodes report on
        gcl_spread_tell_kernels(spread);
    gcl_spread_announce(spread, &o);
    gcl_spread_unlock(spread);
    struct gcl_report report = gcl_spread_report(spread, o.sequence);
    for (gcl_node node = 1; node < spread->options.count; node++) {
        if (!gcl_report_receive(&report, node, &clocks[node]))
            return;
    }
}
