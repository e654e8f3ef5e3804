// Copies and sets: an access of node 0 to memory, or a fill that is left to whoever needs the
// bytes. Where nodes are devices, the one whose memory is written copies within device memory, and
// gets what node 0 has written for it.
#include <assert.h>
#include <stdlib.h>

#include "exec/exchange/box.h"
#include "exec/spread/carry.h"
#include "exec/spread/copy.h"
#include "exec/spread/devices.h"
#include "exec/spread/home.h"
#include "exec/spread/move.h"
#include "exec/spread/scatter.h"
#include "exec/spread/track.h"

const struct gcl_directory_entry *gcl_spread_entry(struct gcl_spread *spread,
                                                   const struct gcl_operation_box *box) {
    return box->width > 0 ? gcl_directory_find(spread->directory, box->begin) : NULL;
}

/// Adds what a node reads and writes of one allocation; NULL: none of it.
static bool demand_boxes(struct gcl_spread *spread, struct gcl_plan *plan, gcl_node node,
                         const struct gcl_directory_entry *entry,
                         const struct gcl_operation_box *read,
                         const struct gcl_operation_box *written) {
    struct gcl_region *regions = calloc(2 * (size_t)spread->options.count, sizeof *regions);
    struct gcl_region *needed = regions, *changed = regions + spread->options.count;
    assert((read || written) && node < spread->options.count);
    size_t places = plan->allocation_count, transfers = plan->transfer_count;
    if (!regions)
        return false;
    bool ok = (!read || gcl_box_region(entry, read, &needed[node])) &&
              (!written || gcl_box_region(entry, written, &changed[node])) &&
              gcl_plan_demand(plan, spread->directory,
                              &(struct gcl_demand){
                                  .begin = entry->begin, .needed = needed, .written = changed});
    gcl_region_finish(&needed[node]);
    gcl_region_finish(&changed[node]);
    free(regions);
    if (ok)
        return true;
    gcl_plan_rewind(plan, places, transfers);
    return gcl_spread_demand_all(spread, plan, entry, node, written != NULL);
}

/// Carries out a plan, which is given up, unless it couldn't be made.
static struct gcl_fence carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                  struct gcl_plan *plan, bool ok, struct gcl_turn turn,
                                  struct gcl_command *command) {
    struct gcl_fence fence = {.stream = NULL};
    if (ok) {
        fence = gcl_spread_carry_out(spread, stream, plan, turn, command);
        gcl_spread_add_transfer(spread, plan, fence);
    } else {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
    }
    gcl_plan_release(plan);
    return fence;
}

/// Submits that a node gets what node 0 has written of its memory.
static void push(struct gcl_spread *spread, struct gcl_stream *stream,
                 const struct gcl_directory_entry *entry, const struct gcl_operation_box *written) {
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = plan && demand_boxes(spread, plan, entry->home, entry, written, NULL);
    carry_out(spread, stream, plan, ok,
              (struct gcl_turn){.track = GCL_TRACK_KERNELS, .moment = ++spread->sequence}, NULL);
}

/// The command that copies what an ACCESS says. NULL, after a message: no memory.
static struct gcl_command *make_copy(struct gcl_spread *spread, const struct gcl_operation *o) {
    const struct gcl_operation_box *read = &o->access.read, *written = &o->access.written;
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_COPY);
    if (!command) {
        gcl_spread_give_up(spread);
        return NULL;
    }
    command->copy = (struct gcl_box_copy){.target = (unsigned char *)(uintptr_t)written->begin,
                                          .source = (const unsigned char *)(uintptr_t)read->begin,
                                          .target_pitch = written->pitch,
                                          .target_slice = written->slice,
                                          .source_pitch = read->pitch,
                                          .source_slice = read->slice,
                                          .width = written->width,
                                          .height = written->height,
                                          .depth = written->depth};
    return command;
}

/// Whose memory it is, if it is a device's alone.
static uint32_t home_of(const struct gcl_directory_entry *entry) {
    return entry ? entry->home : GCL_NOBODY;
}

/// Submits this node's share of an ACCESS that one node does.
static struct gcl_fence access_by(struct gcl_spread *spread, struct gcl_stream *stream,
                                  const struct gcl_operation *o, gcl_node node,
                                  struct gcl_command *command) {
    const struct gcl_directory_entry *read = gcl_spread_entry(spread, &o->access.read);
    const struct gcl_directory_entry *written = gcl_spread_entry(spread, &o->access.written);
    struct gcl_turn turn = {.track = gcl_spread_track_of(spread, o), .moment = o->sequence};
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = plan != NULL;
    if (ok)
        plan->is_at_home = node == 0;
    if (read)
        ok = ok && demand_boxes(spread, plan, node, read, &o->access.read,
                                read == written ? &o->access.written : NULL);
    if (written && written != read)
        ok = ok && demand_boxes(spread, plan, node, written, NULL, &o->access.written);
    assert(!ok || plan->combination_count == 0); // one node writes
    struct gcl_fence fence = carry_out(spread, stream, plan, ok, turn, command);
    if (ok && turn.track == GCL_TRACK_IN)
        gcl_spread_scatter(spread, written, &o->access.written);
    return fence;
}

struct gcl_fence gcl_spread_access(struct gcl_spread *spread, struct gcl_stream *stream,
                                   const struct gcl_operation *o, struct gcl_command *command) {
    const struct gcl_directory_entry *read = gcl_spread_entry(spread, &o->access.read);
    const struct gcl_directory_entry *written = gcl_spread_entry(spread, &o->access.written);
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_fence fence = {.stream = NULL};
    uint32_t home = home_of(written);
    bool is_within = read && home != GCL_NOBODY && home_of(read) != GCL_NOBODY;
    assert(!command || gcl_spread_is_home(spread)); // whose command it is
    gcl_node node = is_within ? home : 0;
    if (home == GCL_NOBODY && gcl_spread_move(spread, stream, o, &fence)) {
        gcl_engine_discard(engine, command);
        return fence;
    }
    if (node > 0) {
        gcl_engine_discard(engine, command);
        command = node == spread->options.self ? make_copy(spread, o) : NULL;
    }
    fence = access_by(spread, stream, o, node, command);
    if (home != GCL_NOBODY && home != node)
        push(spread, stream, written, &o->access.written);
    return fence;
}

struct gcl_fence gcl_spread_fill(struct gcl_spread *spread, struct gcl_stream *stream,
                                 const struct gcl_operation *o) {
    const struct gcl_directory_entry *entry = gcl_spread_entry(spread, &o->fill.box);
    struct gcl_plan *plan = gcl_plan_create();
    struct gcl_region region = {.count = 0};
    bool ok = plan && entry && gcl_box_region(entry, &o->fill.box, &region) &&
              gcl_plan_fill(plan, spread->directory, entry->begin, &region, (uint8_t)o->fill.value);
    gcl_region_finish(&region);
    return carry_out(
        spread, stream, plan, ok,
        (struct gcl_turn){.track = gcl_spread_track_of(spread, o), .moment = o->sequence}, NULL);
}

/// Whether a set can be left to whoever needs the bytes.
static bool is_fill(struct gcl_spread *spread, const struct gcl_box_copy *copy,
                    const struct gcl_operation_box *box) {
    const struct gcl_directory_entry *entry = gcl_spread_entry(spread, box);
    struct gcl_region region = {.count = 0};
    bool ok = !copy->source && entry && !entry->use && gcl_box_region(entry, box, &region);
    gcl_region_finish(&region);
    return ok;
}

struct gcl_fence gcl_spread_submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                        struct gcl_command *command) {
    const struct gcl_box_copy *copy = &command->copy;
    struct gcl_operation o = {.kind = GCL_OPERATION_ACCESS,
                              .track = gcl_spread_choose_track(spread, stream)};
    struct gcl_operation_box box =
        gcl_box_of_copy(copy->target, copy->target_pitch, copy->target_slice, copy);
    if (is_fill(spread, copy, &box)) {
        o.kind = GCL_OPERATION_FILL;
        o.fill.box = box;
        o.fill.value = (unsigned char)copy->value;
        gcl_spread_announce(spread, &o);
        gcl_engine_discard(spread->options.engine, command);
        return gcl_spread_fill(spread, stream, &o);
    }
    o.access.written = box;
    if (copy->source)
        o.access.read = gcl_box_of_copy(copy->source, copy->source_pitch, copy->source_slice, copy);
    if (!gcl_spread_entry(spread, &o.access.read) && !gcl_spread_entry(spread, &o.access.written)) {
        gcl_spread_join_given(spread);
        return gcl_engine_submit(spread->options.engine, stream, command);
    }
    stream = gcl_spread_copy_stream(spread, stream, gcl_spread_track_of(spread, &o));
    gcl_spread_announce(spread, &o);
    return gcl_spread_access(spread, stream, &o, command);
}
