// One flag, `is_on`, is the whole state: while it is set no operation is announced, `memory` and
// `placed` hold what waking up has to tell, and the directory is empty. Waking up and lying down
// happen between two submissions, under the spread's lock, so that no operation sees half of it.
#include "exec/spread/rest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "exec/code/registry.h"
#include "exec/forecast/outlook.h"
#include "exec/forecast/predict.h"
#include "exec/spread/allocations.h"
#include "exec/spread/balance.h"
#include "exec/spread/devices.h"
#include "exec/spread/home.h"
#include "exec/spread/launch.h"
#include "exec/spread/track.h"
#include "gcluster/reasons.h"
#include "plan/schedule/schedule.h"

/// Where an object's variables lie.
struct placed {
    struct gcl_operation operation;    ///< a CODE; its texts are this list's
    const struct gcl_library *library; ///< that the others haven't loaded yet; NULL: they have
    struct placed *next;
};

struct gcl_spread_rest {
    bool is_on;
    struct gcl_map memory;        ///< allocations by address, of a spread that rests
    uint64_t size;                ///< bytes of them
    struct placed *placed;        ///< the latest last, one for each object
    struct gcl_schedule schedule; ///< of any launch: all of it on node 0
    struct gcl_outlook *outlook;  ///< NULL: the others can't make the program faster
    struct gcl_fence late;        ///< of a prediction: until that is done nobody waits
};

// A prediction waits for each command, but not longer than this: it may wait for the host. So does
// who tries a launch.
#define PATIENCE_NS 30e9
#define SLICE_PATIENCE_NS 250e6
#define WATCHED_NS 50e3 // at first without naps, so that what is short is measured
#define NAPS 32         // naps, of as large a part of the time so far, leave the core to workers
// The first slice of a launch that is tried is one of so many, or a wave of blocks.
#define SLICES 64.0

/// Says who runs kernels from here on, where nothing was foreseen.
static void judge(struct gcl_spread *spread, enum gcl_judgement_kind kind) {
    const struct gcl_judgement judgement = {.kind = kind,
                                            .were_all = !spread->rest->is_on,
                                            .at_ns = gcl_clock_ns(),
                                            .memory = spread->rest->size};
    gcl_judgement_log(&judgement);
    gcl_listeners_judged(spread->options.listeners, &judgement);
}

bool gcl_rest_begin(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest = calloc(1, sizeof *rest);
    if (!rest)
        return false;
    rest->is_on = true;
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
    if (spread->options.predict)
        return true;
    if (spread->options.cluster.node_count == 0) {
        judge(spread, GCL_JUDGED_NO_GAIN);
        return true;
    }
    struct gcl_forecast_cluster cluster = spread->options.cluster;
    cluster.weights = gcl_spread_weights(spread);
    rest->outlook = gcl_outlook_create(&cluster, spread->options.listeners, gcl_clock_ns);
    return rest->outlook != NULL;
}

bool gcl_rest_is_on(const struct gcl_spread *spread) {
    return spread->rest && spread->rest->is_on;
}

uint64_t gcl_rest_held(const struct gcl_spread *spread) {
    return gcl_rest_is_on(spread) ? spread->rest->size : 0;
}

// What is kept.

bool gcl_rest_keep_memory(struct gcl_spread *spread, const struct gcl_allocation *allocation) {
    struct gcl_spread_rest *rest = spread->rest;
    if (!gcl_rest_is_on(spread))
        return false;
    struct gcl_allocation *kept = malloc(sizeof *kept);
    if (kept)
        *kept = *allocation;
    if (!kept || !gcl_map_set(&rest->memory, gcl_map_key(kept->begin), kept)) {
        free(kept);
        gcl_spread_give_up(spread);
        return true;
    }
    rest->size += kept->size;
    enum gcl_host_use use = gcl_spread_use_of(kept->kind);
    if (rest->outlook)
        gcl_outlook_allocate(rest->outlook, kept->begin, kept->size, use);
    if (spread->options.predict)
        gcl_predict_allocate(spread->options.predict, kept->begin, kept->size, use);
    return true;
}

bool gcl_rest_drop_memory(struct gcl_spread *spread, uintptr_t begin) {
    struct gcl_spread_rest *rest = spread->rest;
    if (!gcl_rest_is_on(spread))
        return false;
    struct gcl_allocation *kept = gcl_map_get(&rest->memory, gcl_map_key(begin));
    assert(kept && rest->size >= kept->size);
    rest->size -= kept->size;
    if (rest->outlook)
        gcl_outlook_free(rest->outlook, begin, kept->size);
    if (spread->options.predict)
        gcl_predict_free(spread->options.predict, begin);
    free(kept);
    if (!gcl_map_set(&rest->memory, gcl_map_key(begin), NULL))
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

/// NULL: no memory.
static struct placed *copy_placed(const struct gcl_operation *code) {
    struct placed *placed = malloc(sizeof *placed);
    if (!placed)
        return NULL;
    *placed = (struct placed){.operation = *code};
    placed->operation.code.id = copy_bytes(code->code.id, code->code.id_size);
    placed->operation.code.addresses =
        copy_bytes(code->code.addresses, code->code.count * sizeof(uint64_t));
    if (placed->operation.code.id && placed->operation.code.addresses)
        return placed;
    free_placed(placed);
    return NULL;
}

static bool is_same_code(const struct gcl_operation *a, const struct gcl_operation *b) {
    return a->code.id_size == b->code.id_size &&
           memcmp(a->code.id, b->code.id, a->code.id_size) == 0;
}

bool gcl_rest_keep_code(struct gcl_spread *spread, const struct gcl_operation *code,
                        const struct gcl_library *library) {
    if (!spread->rest)
        return false;
    struct placed **link = &spread->rest->placed, *placed = copy_placed(code);
    if (!placed) {
        gcl_spread_give_up(spread);
        return true;
    }
    placed->library = spread->rest->is_on ? library : NULL;
    while (*link && !is_same_code(&(*link)->operation, code))
        link = &(*link)->next;
    if (*link) {
        placed->next = (*link)->next;
        free_placed(*link);
    }
    *link = placed;
    return spread->rest->is_on;
}

void gcl_rest_drop_code(struct gcl_spread *spread, const char *id) {
    const struct gcl_operation code = {.code = {.id = id, .id_size = (uint32_t)strcspn(id, "\n")}};
    struct placed **link = spread->rest ? &spread->rest->placed : NULL;
    while (link && *link && !is_same_code(&(*link)->operation, &code))
        link = &(*link)->next;
    if (!link || !*link)
        return;
    struct placed *gone = *link;
    *link = gone->next;
    free_placed(gone);
}

// Waking up and lying down. Commands of before know nothing of those that follow, so they are
// waited for.

static void wait_for_all(struct gcl_spread *spread) {
    gcl_spread_pause(spread);
    enum gcl_status status = gcl_engine_wait_device(spread->options.engine, 0);
    (void)status; // a failure stays, and comes up with the next command
    gcl_spread_resume(spread);
}

/// Whether the memory that a CODE names is still allocated: objects may be unloaded.
static bool is_there(struct gcl_spread *spread, const struct gcl_operation *code) {
    uint64_t address = 0;
    if (code->code.count == 0)
        return true;
    memcpy(&address, code->code.addresses, sizeof address);
    return gcl_directory_find(spread->directory, address) != NULL;
}

static void wake(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest;
    assert(rest->is_on && !spread->options.predict);
    wait_for_all(spread);
    enum gcl_judgement_kind why =
        rest->size > spread->options.home_memory ? GCL_JUDGED_FULL : GCL_JUDGED_ALL;
    if (rest->outlook)
        gcl_outlook_begin_all(rest->outlook, why);
    else
        judge(spread, why);
    rest->is_on = false;
    rest->size = 0;
    gcl_engine_set_workers(spread->options.engine, spread->options.threads);
    for (size_t i = 0; i < rest->memory.capacity; i++) {
        struct gcl_allocation *kept = rest->memory.entries[i].value;
        if (kept)
            gcl_spread_tell_memory(spread, kept, 0);
        free(kept);
    }
    gcl_map_finish(&rest->memory);
    rest->memory = (struct gcl_map){.count = 0};
    for (struct placed *placed = rest->placed; placed; placed = placed->next) {
        if (!is_there(spread, &placed->operation))
            continue;
        gcl_spread_tell_code(spread, &placed->operation, placed->library);
        placed->library = NULL;
    }
    gcl_spread_tell_kernels(spread);
}

static enum gcl_space_kind kind_of(enum gcl_host_use use) {
    if (use == GCL_HOST_GUARDED)
        return GCL_SPACE_MANAGED;
    return use == GCL_HOST_UNSEEN ? GCL_SPACE_PINNED : GCL_SPACE_DEVICE;
}

/// What was seen of faults counts for when to wake up again. All launches are done.
static void tell_touched(struct gcl_spread *spread) {
    for (uint32_t i = 0; i < gcl_spread_kernel_count(spread); i++) {
        uint32_t touched = gcl_spread_take_touched(spread, i);
        if (touched != GCL_FORECAST_UNKNOWN)
            gcl_outlook_learn(spread->rest->outlook, gcl_spread_kernel(spread, i), touched);
    }
}

static void lie_down(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest;
    size_t count;
    assert(!rest->is_on && rest->memory.count == 0 && rest->size == 0);
    gcl_spread_fetch_home(spread, gcl_spread_own_stream(spread));
    wait_for_all(spread);
    gcl_spread_tell_late(spread); // what was allocated and freed meanwhile
    rest->is_on = true;
    gcl_engine_set_workers(spread->options.engine, spread->options.home_threads);
    gcl_outlook_weigh(rest->outlook, gcl_spread_weights(spread));
    tell_touched(spread);
    gcl_outlook_begin_alone(rest->outlook);
    const struct gcl_directory_entry *entries;
    while ((entries = gcl_directory_entries(spread->directory, &count)) && count > 0) {
        const struct gcl_allocation allocation = {.begin = entries[count - 1].begin,
                                                  .size = entries[count - 1].size,
                                                  .kind = kind_of(entries[count - 1].use)};
        gcl_spread_forget_memory(spread, allocation.begin);
        gcl_rest_keep_memory(spread, &allocation);
    }
}

/// Whether node 0 can't do all by itself any more, or shouldn't.
static bool is_time_to_wake(const struct gcl_spread *spread) {
    const struct gcl_spread_rest *rest = spread->rest;
    return rest->size > spread->options.home_memory ||
           (rest->outlook && gcl_outlook_says_all(rest->outlook));
}

static bool is_time_to_rest(struct gcl_spread *spread) {
    return gcl_directory_size(spread->directory) <= spread->options.home_memory &&
           gcl_outlook_says_alone(spread->rest->outlook);
}

/// Measures the link between nodes again if the outlook may have been told of a worse one.
static void doubt_link(struct gcl_spread *spread) {
    const struct gcl_spread_options *options = &spread->options;
    struct gcl_outlook *outlook = spread->rest->outlook;
    struct gcl_forecast_link link;
    if (!outlook || !options->measure_link || !gcl_outlook_doubts_link(outlook))
        return;
    uint64_t begin_ns = gcl_clock_ns();
    gcl_spread_pause(spread);
    bool has_answer = options->measure_link(options->measure_context, &link);
    gcl_spread_resume(spread);
    gcl_outlook_measured(outlook, has_answer ? &link : NULL, gcl_clock_ns() - begin_ns);
}

/// Whether nothing is under way that may wait for the program, after it has been given a little
/// time. The thread of a host function can't wait.
static bool may_wait(struct gcl_spread *spread) {
    gcl_spread_pause(spread);
    bool are_done = gcl_spread_await_calls(spread);
    gcl_spread_resume(spread);
    return are_done && !gcl_engine_is_calling();
}

/// With each launch.
static void look_ahead(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest;
    if (gcl_engine_is_calling())
        return;
    if (rest->is_on)
        doubt_link(spread);
    if (rest->is_on && is_time_to_wake(spread) && may_wait(spread))
        wake(spread);
    else if (!rest->is_on && rest->outlook && is_time_to_rest(spread) && may_wait(spread))
        lie_down(spread);
}

// Commands.

/// Tells listeners of a launch that node 0 does alone.
static void tell_launch(struct gcl_spread *spread, uint32_t number,
                        const struct gcl_block_launch *launch, struct gcl_fence fence) {
    struct gcl_schedule *schedule = &spread->rest->schedule;
    uint16_t reason = gcl_geometry_blocks(&launch->geometry) > 1 ? GCL_REASON_NO_GAIN : 0;
    schedule->parts[0].geometry = launch->geometry;
    memcpy(schedule->parts[0].end, launch->geometry.grid, sizeof schedule->parts[0].end);
    gcl_listeners_launches(spread->options.listeners,
                           &(struct gcl_heard_launch){number, schedule, reason});
    gcl_spread_add_done(
        spread,
        &(struct gcl_heard_plan){.kind = GCL_HEARD_LAUNCH, .kernel = number, .reason = reason},
        schedule->plan, fence);
}

/// `code`: of a run that is told; NULL: it isn't.
static struct gcl_fence submit(struct gcl_spread *spread, struct gcl_stream *stream,
                               struct gcl_command *command, const struct gcl_code *code) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_outlook *outlook = spread->rest->outlook;
    bool is_run = command->kind == GCL_COMMAND_RUN, is_call = command->kind == GCL_COMMAND_CALL;
    uint32_t number = 0;
    if (code && !gcl_spread_number(spread, command->run.launch.kernel, code, &number)) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    if (spread->options.predict)
        gcl_predict_before(spread->options.predict, command);
    const struct gcl_block_launch launch = command->run.launch;
    struct gcl_fence fence = gcl_engine_submit(engine, stream, command);
    if (outlook && is_run)
        gcl_outlook_submitted(outlook, fence);
    if (code)
        tell_launch(spread, number, &launch, fence);
    if (is_call)
        gcl_spread_note_call(spread, fence);
    return fence;
}

/// Waits until not too much is under way; the lock is held, but meanwhile.
static void wait_for_backlog(struct gcl_spread *spread) {
    struct gcl_fence backlog = gcl_outlook_backlog(spread->rest->outlook);
    if (!backlog.stream || gcl_engine_is_calling())
        return;
    gcl_spread_unlock(spread);
    if (gcl_spread_await_calls(spread))
        gcl_engine_reach(spread->options.engine, backlog);
    gcl_spread_lock(spread);
}

/// Waits for a command, no longer than `patience_ns`: it may wait for the host. The lock isn't
/// held. What it took, 0: it takes longer.
static uint64_t wait_awhile(struct gcl_spread *spread, struct gcl_fence fence, double patience_ns) {
    uint64_t begin_ns = gcl_clock_ns(), taken_ns = 0;
    while (!gcl_engine_is_reached(spread->options.engine, fence)) {
        taken_ns = gcl_clock_ns() - begin_ns;
        if ((double)taken_ns > patience_ns)
            return 0;
        if ((double)taken_ns > WATCHED_NS)
            nanosleep(&(struct timespec){.tv_nsec = (long)(taken_ns / NAPS % 1000000000)}, NULL);
    }
    return gcl_clock_ns() - begin_ns;
}

// Trying. A kernel whose blocks nobody has measured is run slice by slice along the grid's slowest
// axis, each as large as all before it, so that a program of one long launch has the rest of it
// done by all nodes. Nobody else submits anything between the slices of a launch.

/// Blocks of a launch along its slowest axis in the first slice; 0: it isn't worth slicing.
static uint32_t first_slice(const struct gcl_spread *spread, const struct gcl_geometry *geometry) {
    uint32_t count = geometry->grid[gcl_geometry_slowest(geometry)];
    double layer = (double)gcl_geometry_blocks(geometry) / count; // blocks
    const struct gcl_forecast_cluster *cluster = &spread->options.cluster;
    double threads = (double)geometry->block[0] * geometry->block[1] * geometry->block[2];
    double blocks = cluster->wave > 0 ? cluster->wave / threads : cluster->home_threads;
    double wave = blocks / layer;
    double slice = wave > (double)count / SLICES ? wave : (double)count / SLICES;
    return 4 * slice > count ? 0 : (uint32_t)slice + 1;
}

/// Runs blocks up to `end` along an axis of what is left of a launch, and waits. False: that takes
/// too long, or there is no memory.
static bool run_slice(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_run *run,
                      unsigned axis, uint32_t end) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_command *slice = gcl_engine_copy_run(engine, run);
    if (!slice)
        return false;
    slice->run.launch.end[axis] = end;
    run->launch.begin[axis] = end;
    struct gcl_fence fence = gcl_engine_submit(engine, stream, slice);
    gcl_spread_pause(spread);
    uint64_t taken_ns = wait_awhile(spread, fence, SLICE_PATIENCE_NS);
    gcl_spread_resume(spread);
    return taken_ns > 0;
}

/// Runs slices of a launch that has been foreseen, as long as that may show that all nodes should
/// do the rest. The launch is what is left.
static void try_slices(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_run *run) {
    struct gcl_outlook *outlook = spread->rest->outlook;
    struct gcl_block_launch *launch = &run->launch;
    const unsigned axis = gcl_geometry_slowest(&launch->geometry);
    uint32_t slice = first_slice(spread, &launch->geometry);
    bool is_whole = run->is_cooperative || run->is_ordered ||
                    (launch->kernel->flags & GCL_KERNEL_SANITIZED) != 0;
    bool goes_on = !is_whole && slice > 0;
    while (goes_on && gcl_outlook_tries(outlook, run) && !gcl_outlook_says_all(outlook) &&
           2 * slice <= launch->end[axis] - launch->begin[axis]) {
        goes_on = run_slice(spread, stream, run, axis, launch->begin[axis] + slice);
        slice = launch->begin[axis];
    }
}

/// A run is going to be submitted: foresees it, and wakes the other nodes up where they should do
/// it, or what is left of it.
static void foresee_run(struct gcl_spread *spread, struct gcl_stream *stream,
                        struct gcl_command *command) {
    struct gcl_outlook *outlook = spread->rest->outlook;
    gcl_outlook_foresee(outlook, command);
    if (gcl_engine_is_calling())
        return;
    try_slices(spread, stream, &command->run);
    if (!gcl_outlook_says_all(outlook) || !may_wait(spread))
        return;
    wake(spread);
    gcl_outlook_take_over(outlook, &command->run);
}

// Predicting.

/// A command that is predicted has been submitted; the lock is held, but while it is waited for.
static void tell_prediction(struct gcl_spread *spread, bool is_call, struct gcl_fence fence) {
    struct gcl_spread_rest *rest = spread->rest;
    uint64_t taken_ns = 0;
    bool is_late = rest->late.stream && !gcl_engine_is_reached(spread->options.engine, rest->late);
    if (!is_late && !is_call) {
        gcl_spread_unlock(spread);
        taken_ns = wait_awhile(spread, fence, PATIENCE_NS);
        gcl_spread_lock(spread);
        if (taken_ns == 0)
            gcl_log(GCL_LOG_WARN,
                    "what is predicted is wrong by what a command takes that isn't done after %g "
                    "s: it isn't waited for any longer, in case it waits for the host",
                    PATIENCE_NS * 1e-9);
    }
    if (!is_late && taken_ns == 0)
        rest->late = fence;
    gcl_predict_after(spread->options.predict, taken_ns);
}

bool gcl_rest_waited(struct gcl_spread *spread) {
    if (!spread->options.predict)
        return false;
    gcl_spread_lock(spread);
    gcl_predict_waited(spread->options.predict);
    gcl_spread_unlock(spread);
    return true;
}

uint32_t gcl_rest_planning(const struct gcl_spread *spread, const struct gcl_run *run) {
    const struct gcl_spread_rest *rest = spread->rest;
    return rest && rest->outlook ? gcl_outlook_planning(rest->outlook, run) : 0;
}

bool gcl_rest_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                     struct gcl_command *command, struct gcl_fence *fence) {
    bool is_run = command->kind == GCL_COMMAND_RUN, is_call = command->kind == GCL_COMMAND_CALL;
    // Only who listens needs kernels' numbers.
    bool is_heard = is_run && gcl_listeners_want_times(spread->options.listeners);
    const struct gcl_code *code = is_heard ? gcl_registry_code(command->run.launch.kernel) : NULL;
    gcl_spread_lock(spread);
    struct gcl_spread_rest *rest = spread->rest;
    if (is_run && rest->outlook)
        wait_for_backlog(spread);
    if (is_run)
        look_ahead(spread);
    if (!rest->is_on && is_run && rest->outlook)
        gcl_outlook_note(rest->outlook, &command->run);
    else if (rest->is_on && is_run && rest->outlook)
        foresee_run(spread, stream, command);
    else if (rest->is_on && rest->outlook)
        gcl_outlook_foresee(rest->outlook, command);
    bool is_on = rest->is_on;
    if (is_on)
        *fence = submit(spread, stream, command, code);
    if (spread->options.predict)
        tell_prediction(spread, is_call, *fence);
    gcl_spread_unlock(spread);
    return is_on;
}

void gcl_spread_conclude(struct gcl_spread *spread) {
    struct gcl_spread_rest *rest = spread->rest;
    if (!rest || spread->options.predict)
        return;
    gcl_spread_lock(spread);
    if (rest->outlook)
        gcl_outlook_conclude(rest->outlook);
    else
        judge(spread, GCL_JUDGED_END);
    gcl_spread_unlock(spread);
}

void gcl_rest_note(struct gcl_spread *spread, struct gcl_fence fence) {
    if (spread->rest->outlook)
        gcl_outlook_submitted(spread->rest->outlook, fence);
}
