// Nodes that are devices. What a program gives a stream, its device's node does; copies are done by
// the node whose memory is written. Node 0 plans all of it, in one order for all nodes, and has a
// part in much of it: what comes from the host, and goes there.
//
// A node's own commands stand in one stream, in that order; but on node 0, kernels of its own
// device run beside what it does for others, as long as both don't use the same allocations, and
// copies to the host from different devices in a row don't wait for each other: each comes after
// all that came before the row, and what follows the row comes after all of them. The program's
// streams hold moments only, which follow those commands; so a stream that waits for its device
// doesn't keep other devices waiting. That a device has done what it was given, its node says when
// it is asked: when the program wants to know, and for moments that the program may look at. It
// says by its clock when that was, so that times of events don't have the way of the answer.
#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "exec/exchange/movement.h"
#include "exec/memory/space.h"
#include "exec/spread/carry.h"
#include "exec/spread/check.h"
#include "exec/spread/copy.h"
#include "exec/spread/devices.h"
#include "exec/spread/settle.h"
#include "exec/spread/track.h"
#include "exec/watch/clocks.h"

enum {
    TOUCHED = 32,
    OUTS = GCL_TRACK_COUNT - 1, ///< tracks that copies from other devices to the host are on
};

/// Allocations that some commands use.
struct touched {
    uint64_t begins[TOUCHED];
    size_t count;
    bool is_all; ///< there may be others
};

struct gcl_spread_devices {
    struct gcl_stream *work; ///< takes this node's commands, whatever stream they are for,
    struct gcl_stream *runs; ///< but kernels that may run beside those,
    struct gcl_stream *outs[GCL_TRACK_COUNT]; ///< and copies from other devices, by track; that of
                                              ///< GCL_TRACK_KERNELS is NULL
    bool has_outs;                            ///< some of those haven't been waited for by `work`
    struct touched worked_on;                 ///< since `runs` has come after `work`
    struct touched run_on;                    ///< since `work` has come after `runs`
    uint64_t **given;       ///< by device, by node, the last operation that gave it work
    struct gcl_map awaited; ///< by stream, the operations that it has waited for
};

bool gcl_spread_create_devices(struct gcl_spread *spread) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_spread_devices *d = spread->devices = calloc(1, sizeof *d);
    if (!d)
        return false;
    d->given = calloc(spread->options.count, sizeof *d->given);
    d->work = gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
    d->runs = gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
    bool ok = d->given && d->work && d->runs;
    for (int i = GCL_TRACK_KERNELS + 1; i < GCL_TRACK_COUNT && ok; i++) {
        d->outs[i] = gcl_stream_create(engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
        ok = d->outs[i];
    }
    return ok;
}

static void follow(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_stream *other) {
    if (gcl_stream_follow(spread->options.engine, stream, other) != GCL_OK)
        gcl_spread_give_up(spread);
}

/// What this node does from here on comes after all copies from other devices.
static void end_outs(struct gcl_spread *spread) {
    struct gcl_spread_devices *d = spread->devices;
    for (int i = GCL_TRACK_KERNELS + 1; d && d->has_outs && i < GCL_TRACK_COUNT; i++)
        follow(spread, d->work, d->outs[i]);
    if (d)
        d->has_outs = false;
}

struct gcl_stream *gcl_spread_work(struct gcl_spread *spread, struct gcl_stream *stream) {
    return spread->devices ? spread->devices->work : stream;
}

uint32_t gcl_spread_device_of(const struct gcl_spread *spread, const struct gcl_stream *stream) {
    return spread->devices ? gcl_stream_device(stream) : GCL_NOBODY;
}

struct gcl_stream *gcl_spread_own_stream(struct gcl_spread *spread) {
    end_outs(spread);
    return gcl_spread_work(spread, gcl_stream_legacy(spread->options.engine));
}

uint32_t gcl_spread_home_of(struct gcl_spread *spread, const void *address) {
    const struct gcl_directory_entry *entry =
        gcl_directory_find(spread->directory, (uintptr_t)address);
    return entry ? entry->home : GCL_NOBODY;
}

enum gcl_track gcl_spread_device_track(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (o->kind != GCL_OPERATION_ACCESS)
        return GCL_TRACK_KERNELS;
    const struct gcl_directory_entry *source = gcl_spread_entry(spread, &o->access.read);
    const struct gcl_directory_entry *target = gcl_spread_entry(spread, &o->access.written);
    bool is_to_host = o->access.written.width > 0 && (!target || target->use == GCL_HOST_UNSEEN);
    if (!is_to_host || !source || source->use || source->home == GCL_NOBODY || source->home == 0)
        return GCL_TRACK_KERNELS;
    return (enum gcl_track)(GCL_TRACK_KERNELS + 1 + (source->home - 1) % OUTS);
}

struct gcl_stream *gcl_spread_copy_stream(struct gcl_spread *spread, struct gcl_stream *stream,
                                          enum gcl_track track) {
    bool is_beside = spread->devices && track != GCL_TRACK_KERNELS;
    return is_beside ? spread->devices->outs[track] : gcl_spread_work(spread, stream);
}

bool gcl_spread_is_beside(const struct gcl_spread *spread, const struct gcl_stream *stream) {
    for (int i = GCL_TRACK_KERNELS + 1; spread->devices && i < GCL_TRACK_COUNT; i++) {
        if (stream == spread->devices->outs[i])
            return true;
    }
    return false;
}

void gcl_spread_give(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence,
                     uint32_t node) {
    if (!spread->devices)
        return;
    if (fence.stream)
        follow(spread, stream, fence.stream);
    if (node == GCL_NOBODY)
        return;
    uint64_t **given = &spread->devices->given[gcl_stream_device(stream)];
    assert(node < spread->options.count);
    if (!*given)
        *given = calloc(spread->options.count, sizeof **given);
    if (*given)
        (*given)[node] = spread->sequence;
    else
        gcl_spread_give_up(spread);
    if (node != 0)
        gcl_stream_note(spread->options.engine, stream, GCL_TRACK_KERNELS, spread->sequence);
}

// Kernels of this node's own device, beside what it does for others.

static void touch(struct touched *touched, const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count && !touched->is_all; i++) {
        size_t at = 0;
        assert(touched->count <= TOUCHED);
        while (at < touched->count && touched->begins[at] != plan->allocations[i].begin)
            at++;
        if (at == TOUCHED)
            touched->is_all = true;
        else
            touched->begins[at] = plan->allocations[i].begin;
        touched->count += at == touched->count && !touched->is_all;
    }
}

static bool is_touched(const struct touched *touched, const struct gcl_plan *plan) {
    bool is_any = touched->is_all;
    for (size_t i = 0; i < plan->allocation_count && !is_any; i++) {
        for (size_t at = 0; at < touched->count; at++)
            is_any = is_any || touched->begins[at] == plan->allocations[i].begin;
    }
    return is_any;
}

/// What is to be done for others comes after the kernels, from here on.
static void end_runs(struct gcl_spread *spread) {
    follow(spread, spread->devices->work, spread->devices->runs);
    spread->devices->run_on = (struct touched){.count = 0};
}

void gcl_spread_order(struct gcl_spread *spread, struct gcl_stream *stream,
                      const struct gcl_plan *plan) {
    struct gcl_spread_devices *d = spread->devices;
    if (!d)
        return;
    if (is_touched(&d->run_on, plan))
        end_runs(spread);
    touch(&d->worked_on, plan);
    if (gcl_spread_is_beside(spread, stream)) {
        follow(spread, stream, d->work);
        d->has_outs = true;
    } else {
        end_outs(spread);
    }
}

struct gcl_fence gcl_spread_submit_kernel(struct gcl_spread *spread, struct gcl_stream *stream,
                                          const struct gcl_plan *plan,
                                          struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    if (!spread->devices)
        return gcl_engine_submit(engine, stream, command);
    if (is_touched(&spread->devices->worked_on, plan)) {
        end_outs(spread);
        follow(spread, spread->devices->runs, spread->devices->work);
        spread->devices->worked_on = (struct touched){.count = 0};
    }
    touch(&spread->devices->run_on, plan);
    command->is_aside = true;
    return gcl_engine_submit(engine, spread->devices->runs, command);
}

void gcl_spread_order_call(struct gcl_spread *spread, struct gcl_stream *stream) {
    if (!spread->devices)
        return;
    follow(spread, spread->devices->runs, stream);
    follow(spread, spread->devices->work, stream); // which copies from other devices come after
}

void gcl_spread_join_given(struct gcl_spread *spread) {
    if (!spread->devices)
        return;
    end_outs(spread);
    end_runs(spread);
    spread->devices->worked_on.is_all = true;
}

void gcl_spread_join(struct gcl_spread *spread) {
    if (!spread->devices)
        return;
    gcl_spread_lock(spread);
    gcl_spread_join_given(spread);
    gcl_spread_unlock(spread);
}

// Node 0 asks another one.

struct question {
    struct gcl_spread *spread;
    const struct gcl_clocks *clocks; ///< the other node's
    struct gcl_command *held;        ///< the moment that comes with the answer
    struct gcl_request request;
    struct gcl_spread_word word;
};

static void answered(void *data, enum gcl_status status) {
    struct question *question = data;
    assert(question->held && question->request.peer > 0);
    struct gcl_engine *engine = question->spread->options.engine;
    uint64_t at_ns = status == GCL_OK ? gcl_clocks_here(question->clocks, question->word.at_ns) : 0;
    if (status == GCL_OK)
        status = gcl_spread_word_status(question->spread, question->request.peer, &question->word);
    if (status != GCL_OK)
        gcl_engine_fail(engine, status);
    gcl_engine_let_go(engine, question->held, at_ns);
    free(question);
}

static void ask(struct gcl_spread *spread, struct gcl_stream *stream, gcl_node node) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    struct gcl_operation o = {.kind = GCL_OPERATION_AWAIT, .await.node = node};
    assert(node > 0); // node 0 knows
    struct question *question = calloc(1, sizeof *question);
    struct gcl_command *held = question ? gcl_stream_hold(spread->options.engine, stream) : NULL;
    if (!held) {
        free(question);
        gcl_spread_give_up(spread);
        return;
    }
    gcl_spread_announce(spread, &o);
    question->spread = spread;
    question->clocks = &spread->options.clocks[node];
    question->held = held;
    question->request = (struct gcl_request){.what = "the end of a device's commands",
                                             .peer = node,
                                             .tag = gcl_movement_tag_beside(o.sequence, 0),
                                             .bytes = &question->word,
                                             .size = sizeof question->word};
    communicator->expect(communicator->context, &question->request, answered, question);
}

/// Asks the nodes that are at work for the stream, and one in any case (0: none).
static void ask_nodes(struct gcl_spread *spread, struct gcl_stream *stream, gcl_node always) {
    struct gcl_spread_devices *d = spread->devices;
    const uint64_t *given = d->given[gcl_stream_device(stream)];
    uint64_t awaited = (uintptr_t)gcl_map_get(&d->awaited, stream), now = spread->sequence;
    for (gcl_node node = 1; node < spread->options.count; node++) {
        if (node == always || (given && given[node] > awaited))
            ask(spread, stream, node);
    }
    if (given && !gcl_map_set(&d->awaited, stream, (void *)(uintptr_t)now))
        gcl_spread_give_up(spread);
}

void gcl_spread_await_given(struct gcl_spread *spread, struct gcl_stream *stream) {
    if (spread->devices)
        ask_nodes(spread, stream, 0);
}

void gcl_spread_await(struct gcl_spread *spread, struct gcl_stream *stream) {
    if (!spread->devices)
        return;
    gcl_spread_lock(spread);
    gcl_spread_await_given(spread, stream);
    gcl_spread_unlock(spread);
}

// The device's node is asked even if it has nothing to do: two events of a device are compared, and
// clocks of nodes are known to each other no better than messages are fast. Others are asked only
// if they have something to do for the stream itself: their answers take a while, and an event
// that came with them would come too late. What node 0's device runs next comes after them, too.
void gcl_spread_time(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_spread_devices *d = spread->devices;
    if (!d)
        return;
    gcl_spread_lock(spread);
    gcl_node own = gcl_stream_device(stream);
    struct gcl_stream_work work = gcl_stream_noted(spread->options.engine, stream);
    if (work.last[GCL_TRACK_KERNELS] > (uintptr_t)gcl_map_get(&d->awaited, stream)) {
        ask_nodes(spread, stream, own);
        follow(spread, d->runs, stream);
    } else if (own != 0) {
        ask(spread, stream, own);
    }
    gcl_spread_unlock(spread);
}

void gcl_spread_reach(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_engine *engine = spread->options.engine;
    if (!spread->devices || gcl_engine_is_calling())
        return;
    gcl_spread_await(spread, stream);
    gcl_engine_reach(engine, gcl_stream_fence(engine, stream));
}

// Rights.

static bool allow(struct gcl_spread *spread, const struct gcl_operation *o) {
    return gcl_directory_allow(spread->directory, o->allow.node, o->allow.home,
                               o->allow.is_allowed != 0);
}

void gcl_spread_allow(struct gcl_spread *spread, unsigned device, unsigned peer, bool is_allowed) {
    struct gcl_operation o = {.kind = GCL_OPERATION_ALLOW,
                              .allow = {.node = device, .home = peer, .is_allowed = is_allowed}};
    gcl_spread_lock(spread);
    gcl_spread_announce(spread, &o);
    if (!allow(spread, &o))
        gcl_spread_give_up(spread);
    gcl_spread_unlock(spread);
}

bool gcl_spread_apply_allow(struct gcl_spread *spread, const struct gcl_operation *o) {
    return allow(spread, o);
}

// The order that the engine keeps: nothing is noted here, and all nodes count as busy.

static bool occupies_others(const struct gcl_plan *plan) {
    (void)plan;
    return true;
}

static void note_pending(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                         struct gcl_fence fence) {
    (void)spread, (void)turn, (void)plan, (void)fence;
}

static void reach_all(struct gcl_spread *spread) {
    struct gcl_stream *stream = gcl_spread_own_stream(spread);
    gcl_engine_reach(spread->options.engine, gcl_spread_submit_nothing(spread, stream));
}

const struct gcl_spread_order gcl_spread_device_order = {
    .occupies_others = occupies_others, .note_pending = note_pending, .reach_all = reach_all};
