// What comes from the host goes on to the nodes that are going to read it, before they ask: to
// those that needed these bytes for the last launch that read any of the allocation; where there
// was none, to each node its block of the allocation. Node 0 has its own copy by then, so the
// program may use its memory again, and who reads something else fetches it as ever.
//
// Small copies aren't worth the messages.
#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "exec/exchange/box.h"
#include "exec/spread/carry.h"
#include "exec/spread/copy.h"
#include "exec/spread/scatter.h"
#include "plan/schedule/forecast.h"

enum { LEAST_SIZE = GCL_FORECAST_SCATTERED, ALIGNMENT = 64 };

/// By large allocations: the plan of the last launch that read some of it, which is held.
struct gcl_spread_readers {
    struct gcl_map plans;
};

bool gcl_spread_create_readers(struct gcl_spread *spread) {
    spread->readers = calloc(1, sizeof *spread->readers);
    return spread->readers != NULL;
}

static void set_reader(struct gcl_spread *spread, uint64_t begin, struct gcl_plan *plan) {
    struct gcl_plan *before = gcl_map_get(&spread->readers->plans, gcl_map_key(begin));
    if (before == plan)
        return;
    if (!gcl_map_set(&spread->readers->plans, gcl_map_key(begin),
                     plan ? gcl_plan_hold(plan) : NULL)) {
        gcl_plan_release(plan);
        gcl_spread_give_up(spread);
        return;
    }
    gcl_plan_release(before);
}

void gcl_spread_note_readers(struct gcl_spread *spread, struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *place = &plan->allocations[i];
        if (place->size >= LEAST_SIZE && !place->use && !gcl_region_is_empty(&place->used))
            set_reader(spread, place->begin, plan);
    }
}

void gcl_spread_forget_readers(struct gcl_spread *spread, uint64_t begin) {
    set_reader(spread, begin, NULL);
}

/// What each node needed of the allocation for the last launch that read any of it; NULL: none did.
static const struct gcl_region *find_needed(const struct gcl_spread *spread, uint64_t begin) {
    const struct gcl_plan *plan = gcl_map_get(&spread->readers->plans, gcl_map_key(begin));
    for (size_t i = 0; plan && i < plan->allocation_count; i++) {
        if (plan->allocations[i].begin == begin)
            return plan->allocations[i].needed;
    }
    return NULL;
}

/// The node's block of an allocation.
static struct gcl_span block_of(const struct gcl_directory_entry *entry, gcl_node node,
                                gcl_node count) {
    int64_t size = (int64_t)entry->size, step = (size + count - 1) / count;
    step = (step + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    int64_t begin = step * node < size ? step * node : size;
    assert(step % ALIGNMENT == 0 && step * count >= size); // the blocks are all of it
    return (struct gcl_span){begin, begin + step < size ? begin + step : size};
}

/// What each other node gets of the bytes. False: that can't be said exactly.
static bool find_wanted(const struct gcl_spread *spread, const struct gcl_directory_entry *entry,
                        const struct gcl_region *bytes, struct gcl_region *wanted) {
    const struct gcl_region *needed = find_needed(spread, entry->begin);
    gcl_node count = spread->options.count;
    bool exact = true;
    for (gcl_node i = 1; i < count && exact; i++)
        exact = needed ? gcl_region_intersect(&needed[i], bytes, &wanted[i])
                       : gcl_region_clip(bytes, block_of(entry, i, count), &wanted[i]);
    return exact;
}

void gcl_spread_scatter(struct gcl_spread *spread, const struct gcl_directory_entry *entry,
                        const struct gcl_operation_box *box) {
    gcl_node count = spread->options.count;
    assert(entry->use == GCL_HOST_NEVER); // its track is for device memory
    struct gcl_region *wanted = calloc(count, sizeof *wanted), bytes = {.count = 0};
    struct gcl_plan *plan = gcl_plan_create();
    bool ok = wanted && plan && gcl_box_region(entry, box, &bytes) &&
              gcl_region_size(&bytes) >= LEAST_SIZE && find_wanted(spread, entry, &bytes, wanted) &&
              gcl_plan_demand(plan, spread->directory,
                              &(struct gcl_demand){.begin = entry->begin, .needed = wanted});
    if (ok && plan->transfer_count > 0) {
        struct gcl_turn turn = {.track = GCL_TRACK_SCATTER, .moment = ++spread->sequence};
        struct gcl_fence fence = gcl_spread_carry_out(spread, NULL, plan, turn, NULL);
        gcl_spread_add_transfer(spread, plan, fence);
    }
    for (gcl_node i = 0; wanted && i < count; i++)
        gcl_region_finish(&wanted[i]);
    gcl_region_finish(&bytes);
    gcl_plan_release(plan);
    free(wanted);
}
