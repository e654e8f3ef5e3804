#include "exec/spread/rest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "exec/code/registry.h"
#include "exec/spread/allocations.h"
#include "exec/spread/launch.h"
#include "gcluster/reasons.h"
#include "plan/schedule/schedule.h"

/// Where an object's variables lie.
struct placed {
    struct gcl_operation operation; ///< a CODE; its texts are this list's
    struct placed *next;
};

struct gcl_spread_rest {
    struct gcl_map memory; ///< allocations by address
    uint64_t size;         ///< bytes of them
    struct placed *placed; ///< the latest first
    struct placed **last;
    struct gcl_schedule schedule; ///< of any launch: all of it on node 0
};

static const void *key_of(uintptr_t begin) {
    return (const void *)begin;
}

bool gcl_rest_begin(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = calloc(1, sizeof *rest);
    if (!rest)
        return false;
    rest->schedule = (struct gcl_schedule){
        .plan = gcl_plan_create(),
        .parts = calloc(spread->options.count, sizeof *rest->schedule.parts),
        .node_count = spread->options.count,
        .reason = GCL_REASON_NO_GAIN,
        .access = GCL_NONE,
    };
    if (!rest->schedule.plan || !rest->schedule.parts)
        return false;
    rest->schedule.plan->is_at_home = true;
    rest->last = &rest->placed;
    spread->rest = rest;
    return true;
}

// What is kept.

bool gcl_rest_keep_memory(struct gcl_spread *spread, const struct gcl_allocation *allocation) {
    struct gcl_spread_rest *rest = spread->rest;
    if (!rest)
        return false;
    struct gcl_allocation *kept = malloc(sizeof *kept);
    if (kept)
        *kept = *allocation;
    if (kept && gcl_map_set(&rest->memory, key_of(kept->begin), kept)) {
        rest->size += kept->size;
        return true;
    }
    free(kept);
    gcl_spread_give_up(spread);
    return true;
}

bool gcl_rest_drop_memory(struct gcl_spread *spread, uintptr_t begin) {
    struct gcl_spread_rest *rest = spread->rest;
    if (!rest)
        return false;
    struct gcl_allocation *kept = gcl_map_get(&rest->memory, key_of(begin));
    assert(kept && rest->size >= kept->size);
    rest->size -= kept->size;
    free(kept);
    if (!gcl_map_set(&rest->memory, key_of(begin), NULL))
        gcl_spread_give_up(spread);
    return true;
}

static void free_placed(struct placed *placed) {
    free((void *)(uintptr_t)placed->operation.code.id);
    free((void *)(uintptr_t)placed->operation.code.addresses);
    free(placed);
}

static void *copy_bytes(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    return copy ? memcpy(copy, bytes, size) : NULL;
}

bool gcl_rest_keep_code(struct gcl_spread *spread, const struct gcl_operation *code) {
    if (!spread->rest)
        return false;
    struct placed *placed = malloc(sizeof *placed);
    if (!placed) {
        gcl_spread_give_up(spread);
        return true;
    }
    *placed = (struct placed){.operation = *code};
    placed->operation.code.id = copy_bytes(code->code.id, code->code.id_size);
    placed->operation.code.addresses =
        copy_bytes(code->code.addresses, code->code.count * sizeof(uint64_t));
    if (!placed->operation.code.id || !placed->operation.code.addresses) {
        free_placed(placed);
        gcl_spread_give_up(spread);
        return true;
    }
    *spread->rest->last = placed;
    spread->rest->last = &placed->next;
    return true;
}

uint64_t gcl_rest_held(const struct gcl_spread *spread) {
    return spread->rest ? spread->rest->size : 0;
}

// Waking up.

/// Whether the memory that a CODE names is still allocated: objects may be unloaded.
static bool is_there(struct gcl_spread *spread, const struct gcl_operation *code) {
    uint64_t address = 0;
    if (code->code.count == 0)
        return true;
    memcpy(&address, code->code.addresses, sizeof address);
    return gcl_directory_find(spread->directory, address) != NULL;
}

/// Tells the other nodes what there is, all of it in node 0's memory.
static void tell_all(struct gcl_spread *spread, struct gcl_spread_rest *rest) {
    for (size_t i = 0; i < rest->memory.capacity; i++) {
        struct gcl_allocation *kept = rest->memory.entries[i].value;
        if (!kept)
            continue;
        gcl_spread_tell_memory(spread, kept, 0);
        free(kept);
    }
    for (struct placed *placed = rest->placed, *next; placed; placed = next) {
        next = placed->next;
        if (is_there(spread, &placed->operation))
            gcl_spread_announce(spread, &placed->operation);
        free_placed(placed);
    }
    gcl_spread_tell_kernels(spread);
}

/// Commands so far know nothing of those that follow, so they are waited for.
static void wake(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest;
    gcl_spread_pause(spread);
    enum gcl_status status = gcl_engine_wait_device(spread->options.engine, 0);
    (void)status; // a failure stays, and comes up with the next command
    gcl_spread_resume(spread);
    spread->rest = NULL;
    gcl_log(GCL_LOG_INFO, "all nodes take part from here on: %llu bytes are more than node 0 has",
            (unsigned long long)rest->size);
    tell_all(spread, rest);
    gcl_map_finish(&rest->memory);
    gcl_schedule_finish(&rest->schedule);
    free(rest);
}

/// Whether node 0 can't do all by itself any more.
static bool is_too_much(const struct gcl_spread *spread) {
    return spread->rest->size > spread->options.home_memory && !gcl_engine_is_calling();
}

// Commands.

/// Tells listeners of a launch that node 0 does alone.
static void tell_launch(struct gcl_spread *spread, uint32_t number,
                        const struct gcl_block_launch *launch, struct gcl_fence fence) {
    struct gcl_schedule *schedule = &spread->rest->schedule;
    bool has_blocks = launch->geometry.grid[0] > 1 || launch->geometry.grid[1] > 1 ||
                      launch->geometry.grid[2] > 1;
    uint16_t reason = has_blocks ? GCL_REASON_NO_GAIN : 0;
    schedule->parts[0].geometry = launch->geometry;
    memcpy(schedule->parts[0].end, launch->geometry.grid, sizeof schedule->parts[0].end);
    gcl_listeners_launches(spread->options.listeners,
                           &(struct gcl_heard_launch){number, schedule, reason});
    gcl_spread_add_done(
        spread,
        &(struct gcl_heard_plan){.kind = GCL_HEARD_LAUNCH, .kernel = number, .reason = reason},
        schedule->plan, fence);
}

static struct gcl_fence submit(struct gcl_spread *spread, struct gcl_stream *stream,
                               struct gcl_command *command, const struct gcl_code *code) {
    struct gcl_engine *engine = spread->options.engine;
    const struct gcl_block_launch launch = command->run.launch;
    uint32_t number = 0;
    if (!code)
        return gcl_engine_submit(engine, stream, command);
    if (!gcl_spread_number(spread, launch.kernel, code, &number)) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    struct gcl_fence fence = gcl_engine_submit(engine, stream, command);
    tell_launch(spread, number, &launch, fence);
    return fence;
}

bool gcl_rest_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                     struct gcl_command *command, struct gcl_fence *fence) {
    // Only who listens needs kernels' numbers.
    bool is_heard =
        command->kind == GCL_COMMAND_RUN && gcl_listeners_want_times(spread->options.listeners);
    const struct gcl_code *code = is_heard ? gcl_registry_code(command->run.launch.kernel) : NULL;
    gcl_spread_lock(spread);
    if (spread->rest && is_too_much(spread))
        wake(spread);
    bool rests = spread->rest != NULL;
    if (rests)
        *fence = submit(spread, stream, command, code);
    gcl_spread_unlock(spread);
    return rests;
}
