// What node 0 and the others look up in memory to plan a launch, and which allocations pointers in
// memory may lead to. All nodes plan alike, so all of them look up the same at the same time.
#include <stdlib.h>

#include "base/clock.h"
#include "exec/errand.h"
#include "exec/space.h"
#include "exec/spread_state.h"
#include "exec/stats.h"

static const char LOOK[] = "a look into memory";

// Contents.

/// Submits that every node gets all of an allocation. False: no memory.
static bool fetch_everywhere(struct gcl_spread *spread, const struct gcl_entry *entry,
                             uint64_t sequence, struct gcl_fence *fence) {
    gcl_node count = spread->options.count;
    struct gcl_region *all = calloc(count, sizeof *all);
    struct gcl_plan *plan = gcl_plan_create();
    for (gcl_node i = 0; all && i < count; i++)
        all[i] = gcl_region_run(0, (int64_t)entry->size);
    bool ok = all && plan &&
              gcl_plan_demand(plan, spread->directory,
                              &(struct gcl_demand){.begin = entry->begin, .needed = all});
    if (ok) {
        struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
        *fence = gcl_spread_carry_out(spread, stream, plan, sequence, NULL);
        if (spread->options.stats)
            gcl_stats_inspect(spread->options.stats, spread->launched, plan, *fence);
    }
    gcl_plan_release(plan);
    free(all); // single runs need no memory
    return ok;
}

/// Waits for what was submitted before, which isn't what looking up costs.
static void wait_for_earlier(struct gcl_spread *spread) {
    struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
    uint64_t begin_ns = gcl_clock_ns();
    struct gcl_fence fence = gcl_spread_submit_nothing(spread, stream);
    gcl_spread_pause(spread);
    gcl_engine_reach(spread->options.engine, fence);
    gcl_spread_resume(spread);
    spread->waited_ns += gcl_clock_ns() - begin_ns;
}

/// Whether `status` is GCL_OK on all nodes; they all get the same answer.
static bool are_all_well(struct gcl_spread *spread, uint64_t sequence, enum gcl_status status) {
    bool is_home = gcl_spread_is_home(spread);
    gcl_node peers = is_home ? spread->options.count - 1 : 1;
    int32_t *statuses = malloc(peers * sizeof *statuses), all = (int32_t)status;
    enum gcl_status passed = statuses ? GCL_OK : GCL_NO_MEMORY;
    if (!statuses)
        gcl_spread_give_up(spread);
    if (passed == GCL_OK && is_home)
        passed = gcl_spread_pass_status(spread, LOOK, sequence, false, statuses);
    for (gcl_node i = 0; passed == GCL_OK && i < peers && is_home; i++)
        all = statuses[i] != GCL_OK ? statuses[i] : all;
    for (gcl_node i = 0; passed == GCL_OK && i < peers; i++)
        statuses[i] = all;
    if (passed == GCL_OK)
        passed = gcl_spread_pass_status(spread, LOOK, sequence, true, statuses);
    if (passed == GCL_OK && !is_home)
        passed = gcl_spread_pass_status(spread, LOOK, sequence, false, &all);
    free(statuses);
    return passed == GCL_OK && all == GCL_OK;
}

const unsigned char *gcl_spread_contents(void *context, uint64_t begin) {
    struct gcl_spread *spread = context;
    const struct gcl_entry *entry = gcl_directory_find(spread->directory, begin);
    if (entry->use == GCL_HOST_UNSEEN) // the host may change it
        return NULL;
    uint64_t sequence = ++spread->sequence;
    struct gcl_fence fence;
    wait_for_earlier(spread);
    if (!fetch_everywhere(spread, entry, sequence, &fence)) {
        gcl_spread_give_up(spread);
        return NULL;
    }
    gcl_spread_pause(spread);
    gcl_engine_reach(spread->options.engine, fence);
    // After a failure nodes may have different bytes.
    enum gcl_status status = gcl_engine_status(spread->options.engine);
    bool is_well = are_all_well(spread, sequence, status);
    gcl_spread_resume(spread);
    return is_well ? (const unsigned char *)(uintptr_t)begin : NULL;
}

// Escapes. Only node 0 sees how addresses come into memory.

static bool follows(const struct gcl_program *program) {
    for (uint16_t i = 0; program && i < program->base_count; i++) {
        if (program->bases[i].kind >= GCL_BASE_LOADED)
            return true;
    }
    return false;
}

struct gcl_escapes gcl_spread_find_escapes(struct gcl_spread *spread,
                                           const struct gcl_kernel *kernel) {
    struct gcl_escapes found = {.count = 0};
    size_t room = 0;
    if (!follows(kernel->program))
        return found;
    // Copies note addresses as they are carried out.
    struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
    gcl_engine_reach(spread->options.engine, gcl_spread_submit_nothing(spread, stream));
    while ((found.count = gcl_space_escaped(spread->options.space, found.list, room)) > room) {
        room = 2 * found.count;
        free(found.list);
        found.list = malloc(room * sizeof *found.list);
        if (!found.list) {
            gcl_spread_give_up(spread);
            found.count = 0;
            break;
        }
    }
    return found;
}

void gcl_spread_tell_escapes(struct gcl_spread *spread, struct gcl_escapes *escapes) {
    for (size_t i = 0; i < escapes->count; i++) {
        struct gcl_operation o = {.kind = GCL_OPERATION_ESCAPE,
                                  .escape.begin = escapes->list[i].begin};
        if (gcl_directory_has_escaped(spread->directory, o.escape.begin))
            continue;
        gcl_spread_announce(spread, &o);
        gcl_directory_escape(spread->directory, o.escape.begin);
    }
    free(escapes->list);
}
