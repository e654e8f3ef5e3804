// Nodes that are devices. What a program gives a stream, its device's node does; copies are done by
// the node whose memory is written. Node 0 plans all of it, in one order for all nodes, and has a
// part in much of it: what comes from the host, and goes there.
//
// A node's own commands stand in one stream, in that order; but on node 0, kernels of its own
// device run beside what it does for others, as long as both don't use the same allocations. The
// program's streams hold moments only, which follow those commands; so a stream that waits for its
// device doesn't keep other devices waiting. That a device has done what it was given, its node
// says when it is asked: when the program wants to know, and for moments that the program may look
// at. It says by its clock when that was, so that times of events don't have the way of the answer.
#include <stdlib.h>

#include "exec/clocks.h"
#include "exec/errand.h"
#include "exec/space.h"
#include "exec/spread_state.h"

bool gcl_spread_init_devices(struct gcl_spread *spread) {
    spread->given = calloc(spread->options.count, sizeof *spread->given);
    spread->work =
        gcl_stream_create(spread->options.engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
    spread->runs =
        gcl_stream_create(spread->options.engine, GCL_STREAM_NON_BLOCKING, 0, GCL_NO_DEVICE);
    spread->stride = gcl_space_stride(spread->options.space);
    return spread->given && spread->work && spread->runs;
}

struct gcl_stream *gcl_spread_work(struct gcl_spread *spread, struct gcl_stream *stream) {
    return spread->work ? spread->work : stream;
}

struct gcl_stream *gcl_spread_own_stream(struct gcl_spread *spread) {
    return gcl_spread_work(spread, gcl_stream_legacy(spread->options.engine));
}

uint32_t gcl_spread_home_of(struct gcl_spread *spread, const void *address) {
    const struct gcl_entry *entry = gcl_directory_find(spread->directory, (uintptr_t)address);
    return entry ? entry->home : GCL_NOBODY;
}

static void follow(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_stream *other) {
    if (gcl_stream_follow(spread->options.engine, stream, other) != GCL_OK)
        gcl_spread_give_up(spread);
}

void gcl_spread_give(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence,
                     uint32_t node) {
    if (!spread->work)
        return;
    if (fence.stream)
        follow(spread, stream, fence.stream);
    if (node == GCL_NOBODY)
        return;
    uint64_t **given = &spread->given[gcl_stream_device(stream)];
    if (!*given)
        *given = calloc(spread->options.count, sizeof **given);
    if (*given)
        (*given)[node] = spread->sequence;
    else
        gcl_spread_give_up(spread);
}

// Kernels of this node's own device, beside what it does for others.

static void touch(struct gcl_spread_touched *touched, const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->place_count && !touched->is_all; i++) {
        size_t at = 0;
        while (at < touched->count && touched->begins[at] != plan->places[i].begin)
            at++;
        if (at == GCL_SPREAD_TOUCHED)
            touched->is_all = true;
        else
            touched->begins[at] = plan->places[i].begin;
        touched->count += at == touched->count && !touched->is_all;
    }
}

static bool is_touched(const struct gcl_spread_touched *touched, const struct gcl_plan *plan) {
    bool is_any = touched->is_all;
    for (size_t i = 0; i < plan->place_count && !is_any; i++) {
        for (size_t at = 0; at < touched->count; at++)
            is_any = is_any || touched->begins[at] == plan->places[i].begin;
    }
    return is_any;
}

/// What is to be done for others comes after the kernels, from here on.
static void end_runs(struct gcl_spread *spread) {
    follow(spread, spread->work, spread->runs);
    spread->run_on = (struct gcl_spread_touched){.count = 0};
}

void gcl_spread_order(struct gcl_spread *spread, const struct gcl_plan *plan) {
    if (!spread->work)
        return;
    if (is_touched(&spread->run_on, plan))
        end_runs(spread);
    touch(&spread->worked_on, plan);
}

struct gcl_fence gcl_spread_submit_kernel(struct gcl_spread *spread, struct gcl_stream *stream,
                                          const struct gcl_plan *plan,
                                          struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    if (!spread->work)
        return gcl_engine_submit(engine, stream, command);
    if (is_touched(&spread->worked_on, plan)) {
        follow(spread, spread->runs, spread->work);
        spread->worked_on = (struct gcl_spread_touched){.count = 0};
    }
    touch(&spread->run_on, plan);
    command->is_aside = true;
    return gcl_engine_submit(engine, spread->runs, command);
}

void gcl_spread_join_given(struct gcl_spread *spread) {
    end_runs(spread);
    spread->worked_on.is_all = true;
}

void gcl_spread_join(struct gcl_spread *spread) {
    if (!spread->work)
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
    struct gcl_parcel parcel;
    struct gcl_spread_word word;
};

static void answered(void *data, enum gcl_status status) {
    struct question *question = data;
    struct gcl_engine *engine = question->spread->options.engine;
    uint64_t at_ns = status == GCL_OK ? gcl_clocks_here(question->clocks, question->word.at_ns) : 0;
    if (status == GCL_OK)
        status = gcl_spread_word_status(question->spread, question->parcel.peer, &question->word);
    if (status != GCL_OK)
        gcl_engine_fail(engine, status);
    gcl_engine_let_go(engine, question->held, at_ns);
    free(question);
}

static void ask(struct gcl_spread *spread, struct gcl_stream *stream, gcl_node node) {
    const struct gcl_courier *courier = &spread->options.courier;
    struct gcl_operation o = {.kind = GCL_OPERATION_AWAIT, .await.node = node};
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
    question->parcel = (struct gcl_parcel){.what = "the end of a device's commands",
                                           .peer = node,
                                           .tag = gcl_errand_tag_beside(o.sequence, 0),
                                           .bytes = &question->word,
                                           .size = sizeof question->word};
    courier->expect(courier->context, &question->parcel, answered, question);
}

/// Asks the nodes that are at work for the stream, and one in any case (0: none).
static void ask_nodes(struct gcl_spread *spread, struct gcl_stream *stream, gcl_node always) {
    const uint64_t *given = spread->work ? spread->given[gcl_stream_device(stream)] : NULL;
    uint64_t awaited = (uintptr_t)gcl_map_get(&spread->awaited, stream), now = spread->sequence;
    for (gcl_node node = 1; node < spread->options.count; node++) {
        if (node == always || (given && given[node] > awaited))
            ask(spread, stream, node);
    }
    if (given && !gcl_map_set(&spread->awaited, stream, (void *)(uintptr_t)now))
        gcl_spread_give_up(spread);
}

void gcl_spread_await_given(struct gcl_spread *spread, struct gcl_stream *stream) {
    ask_nodes(spread, stream, 0);
}

void gcl_spread_await(struct gcl_spread *spread, struct gcl_stream *stream) {
    if (!spread->work)
        return;
    gcl_spread_lock(spread);
    gcl_spread_await_given(spread, stream);
    gcl_spread_unlock(spread);
}

// Its node is asked even if it has nothing to do: two events of a device are compared, and clocks
// of nodes are known to each other no better than messages are fast.
void gcl_spread_time(struct gcl_spread *spread, struct gcl_stream *stream) {
    if (!spread->work)
        return;
    gcl_spread_lock(spread);
    ask_nodes(spread, stream, gcl_stream_device(stream));
    gcl_spread_unlock(spread);
}

void gcl_spread_reach(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_engine *engine = spread->options.engine;
    if (!spread->work || gcl_engine_is_calling())
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
