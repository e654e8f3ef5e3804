// Copies within device memory: each node copies what it has, and has it afterwards, so that nothing
// moves between nodes but bytes that none has in its place.
#include <assert.h>
#include <stdlib.h>

#include "exec/device/device.h"
#include "exec/exchange/box.h"
#include "exec/spread/carry.h"
#include "exec/spread/copy.h"
#include "exec/spread/move.h"
#include "exec/spread/track.h"

/// A copy as all nodes see it.
struct move {
    const struct gcl_directory_entry *source, *target;
    struct gcl_region read, written; ///< of their allocations
    int64_t shift;                   ///< from the one's offsets to the other's
    struct gcl_region *shares;  ///< of each node: what it copies, as offsets in the source; node 0
                                ///< makes what none has
    struct gcl_region *results; ///< the same in the target
};

static void move_finish(struct move *move, gcl_node count) {
    gcl_region_finish(&move->read);
    gcl_region_finish(&move->written);
    for (size_t i = 0; move->shares && i < 2 * (size_t)count; i++)
        gcl_region_finish(&move->shares[i]);
    free(move->shares);
}

/// Gives `node` what it has of the rest within a stretch. False: that can't be said exactly.
static bool give(const struct move *move, gcl_node node, struct gcl_span stretch,
                 struct gcl_region *rest) {
    struct gcl_region part = {.count = 0};
    bool exact = gcl_region_intersect(rest, &move->source->layout->held[node], &part) &&
                 gcl_region_clip(&part, stretch, &part) && gcl_region_subtract(rest, &part, rest) &&
                 gcl_region_unite(&move->shares[node], &part, &move->shares[node]);
    gcl_region_finish(&part);
    return exact;
}

/// Shares the copy out: what several have in even stretches, the rest to who has it.
static bool share(struct move *move, gcl_node count) {
    struct gcl_span all = gcl_region_bounds(&move->read);
    struct gcl_region rest = {.count = 0};
    bool exact = gcl_region_copy(&move->read, &rest);
    for (gcl_node i = 0; i < count && exact; i++) {
        int64_t size = all.end - all.begin;
        struct gcl_span stretch = {all.begin + size * i / count,
                                   all.begin + size * (i + 1) / count};
        exact = give(move, i, stretch, &rest);
    }
    for (gcl_node i = 0; i < count && exact; i++)
        exact = give(move, i, all, &rest);
    exact = exact && gcl_region_unite(&move->shares[0], &rest, &move->shares[0]);
    gcl_region_finish(&rest);
    for (gcl_node i = 0; i < count && exact; i++)
        exact = gcl_region_translate(&move->shares[i], move->shift, &move->results[i]);
    return exact;
}

static bool have_same_steps(const struct gcl_operation_box *a, const struct gcl_operation_box *b) {
    return (a->height == 1 || a->pitch == b->pitch) && (a->depth == 1 || a->slice == b->slice);
}

/// False: node 0 has to do it.
static bool move_init(struct move *move, struct gcl_spread *spread, const struct gcl_operation *o) {
    const struct gcl_operation_box *read = &o->access.read, *written = &o->access.written;
    gcl_node count = spread->options.count;
    *move = (struct move){.source = gcl_spread_entry(spread, read),
                          .target = gcl_spread_entry(spread, written)};
    if (!move->source || !move->target || move->source->use || move->target->use ||
        !have_same_steps(read, written) || !gcl_box_region(move->source, read, &move->read) ||
        !gcl_box_region(move->target, written, &move->written) ||
        (move->source == move->target && gcl_region_overlaps(&move->read, &move->written)))
        return false;
    move->shift = (int64_t)(written->begin - move->target->begin) -
                  (int64_t)(read->begin - move->source->begin);
    move->shares = calloc(2 * (size_t)count, sizeof *move->shares);
    move->results = move->shares + count;
    return move->shares && share(move, count);
}

static bool plan_move(const struct move *move, struct gcl_directory *directory,
                      struct gcl_plan *plan) {
    bool is_one = move->source == move->target;
    struct gcl_demand source = {.begin = move->source->begin, .needed = move->shares};
    struct gcl_demand target = {.begin = move->target->begin,
                                .needed = is_one ? move->shares : NULL,
                                .written = move->results};
    return (is_one || gcl_plan_demand(plan, directory, &source)) &&
           gcl_plan_demand(plan, directory, &target);
}

// This node's share.

struct portion {
    const struct gcl_device *device;
    struct gcl_region bytes;
    const unsigned char *source;
    unsigned char *target; ///< of offset 0
};

static void copy_portion(void *data) {
    struct portion *portion = data;
    struct gcl_region_cursor cursor = {.region = &portion->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run))
        portion->device->bytes->copy(portion->device, portion->target + run.begin,
                                     portion->source + run.begin, (size_t)(run.end - run.begin));
    gcl_region_finish(&portion->bytes);
    free(portion);
}

/// The command that copies this node's share; NULL: there is none. False: no memory.
static bool make_command(struct gcl_spread *spread, const struct move *move,
                         struct gcl_command **command) {
    const struct gcl_region *bytes = &move->shares[spread->options.self];
    assert(gcl_region_size(bytes) == gcl_region_size(&move->results[spread->options.self]));
    const unsigned char *source = (const unsigned char *)(uintptr_t)move->source->begin;
    unsigned char *target = (unsigned char *)(uintptr_t)move->target->begin + move->shift;
    const struct gcl_device *device = spread->options.device;
    bool is_one_run = gcl_region_run_count(bytes) == 1;
    *command = NULL;
    if (gcl_region_is_empty(bytes) || !device->bytes)
        return true;
    *command = gcl_engine_command(spread->options.engine,
                                  is_one_run ? GCL_COMMAND_COPY : GCL_COMMAND_CALL);
    if (!*command)
        return false;
    if (is_one_run) { // which all workers can copy
        struct gcl_span run = gcl_region_bounds(bytes);
        (*command)->copy = (struct gcl_box_copy){.target = target + run.begin,
                                                 .source = source + run.begin,
                                                 .width = (size_t)(run.end - run.begin),
                                                 .height = 1,
                                                 .depth = 1};
        return true;
    }
    struct portion *portion = calloc(1, sizeof *portion);
    if (!portion || !gcl_region_copy(bytes, &portion->bytes)) {
        free(portion);
        gcl_engine_discard(spread->options.engine, *command);
        return false;
    }
    portion->device = device;
    portion->source = source;
    portion->target = target;
    (*command)->call =
        (struct gcl_host_call){.function = copy_portion, .data = portion, .name = "copy"};
    return true;
}

bool gcl_spread_move(struct gcl_spread *spread, struct gcl_stream *stream,
                     const struct gcl_operation *o, struct gcl_fence *fence) {
    struct move move;
    struct gcl_command *command;
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = move_init(&move, spread, o) && plan && plan_move(&move, spread->directory, plan);
    if (ok && make_command(spread, &move, &command)) {
        *fence = gcl_spread_carry_out(
            spread, stream, plan,
            (struct gcl_turn){.track = gcl_spread_track_of(spread, o), .moment = o->sequence},
            command);
        gcl_spread_add_transfer(spread, plan, *fence);
    } else if (ok) {
        gcl_spread_give_up(spread);
    }
    gcl_plan_release(plan);
    move_finish(&move, spread->options.count);
    return ok;
}
