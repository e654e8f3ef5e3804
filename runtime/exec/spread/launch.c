// Launches: how each of them is spread, and this node's share of it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/name.h"
#include "base/reason.h"
#include "exec/code/registry.h"
#include "exec/spread/balance.h"
#include "exec/spread/carry.h"
#include "exec/spread/contents.h"
#include "exec/spread/home.h"
#include "exec/spread/launch.h"
#include "exec/spread/rest.h"
#include "exec/spread/scatter.h"
#include "exec/spread/track.h"
#include "exec/spread/verify.h"
#include "plan/schedule/schedule_memo.h"

#define LONG_NS 50e3 // a share of a launch that may be taken apart takes longer
#define THREAD_NS 0.25
// What it takes more to launch with faults, and to get a byte beforehand.
#define FAULTS_NS 100e3
#define BYTE_NS 0.25

enum {
    MOST_TOUCHED_FAR = 60, ///< as the next one, where some nodes are on other hosts
    MOST_TOUCHED = 250,  ///< thousandths of what might come by faults: if more do, all comes before
    WHOLE_LAUNCHES = 64, ///< so many launches; then faults are tried again
};

/// A kernel of the program, as all nodes number them.
struct kernel {
    const struct gcl_kernel *kernel;
    struct gcl_schedule_memo *schedules;
    struct gcl_run_cost *cost;    ///< of its blocks on this node, where nobody else counts that
    struct gcl_run_cost *counted; ///< who counted the latest launch that was measured here
    struct gcl_spread_touched *touched; ///< what came by faults
    uint32_t whole;    ///< node 0: launches in a row that got all they might read beforehand
    uint32_t again;    ///< launches in a row with faults in memory that hasn't changed,
    uint64_t versions; ///< whose versions these are the sum of,
    uint64_t faulted;  ///< and the bytes that might come
    const struct gcl_code *code; ///< node 0: the object that it is in; NULL: that is unloaded
    uint16_t told;               ///< reason that has been logged
};

struct gcl_spread_launches {
    struct gcl_reader reader;
    struct kernel *kernels;
    uint32_t count;
    uint32_t told_count;    ///< node 0: those that the others know, the first ones
    struct gcl_map numbers; ///< node 0: of kernels, from 1
    uint32_t current;       ///< kernel of the launch that is being planned, or of the latest one
    uint64_t waited_ns;     ///< for commands before it, to look up what they leave behind
};

bool gcl_spread_create_launches(struct gcl_spread *spread) {
    const struct gcl_spread_options *options = &spread->options;
    spread->launches = calloc(1, sizeof *spread->launches);
    if (!spread->launches)
        return false;
    spread->launches->reader =
        (struct gcl_reader){.self = options->device->bytes ? options->self : GCL_NOBODY,
                            .fetch = gcl_spread_fetch,
                            .memory = gcl_spread_memory_at,
                            .tell = gcl_spread_tell,
                            .blame = gcl_spread_blame,
                            .share = options->device->bytes ? gcl_spread_share : NULL,
                            .context = spread};
    return true;
}

const struct gcl_kernel *gcl_spread_kernel(const struct gcl_spread *spread, uint32_t number) {
    const struct gcl_spread_launches *launches = spread->launches;
    return number < launches->count ? launches->kernels[number].kernel : NULL;
}

uint32_t gcl_spread_kernel_count(const struct gcl_spread *spread) {
    return spread->launches->count;
}

const struct gcl_run_cost *gcl_spread_kernel_cost(const struct gcl_spread *spread,
                                                  uint32_t number) {
    assert(number < spread->launches->count);
    return spread->launches->kernels[number].counted;
}

uint32_t gcl_spread_take_touched(struct gcl_spread *spread, uint32_t number) {
    assert(number < spread->launches->count);
    return atomic_exchange(&spread->launches->kernels[number].touched->most, GCL_FORECAST_UNKNOWN);
}

uint32_t gcl_spread_launched_kernel(const struct gcl_spread *spread) {
    return spread->launches->current;
}

void gcl_spread_note_wait(struct gcl_spread *spread, uint64_t time_ns) {
    spread->launches->waited_ns += time_ns;
}

size_t gcl_spread_schedule_memory(const struct gcl_spread *spread) {
    size_t size = 0;
    for (uint32_t i = 0; i < spread->launches->count; i++)
        size += gcl_schedule_memo_memory(spread->launches->kernels[i].schedules);
    return size;
}

/// Why a launch isn't cut; 0: nobody would expect it to be.
static uint16_t reason_of(const struct gcl_spread *spread, const struct gcl_run *run,
                          const struct gcl_schedule *schedule) {
    const struct gcl_block_launch *l = &run->launch;
    const struct gcl_program *program = l->kernel->program;
    bool has_blocks = l->geometry.grid[0] > 1 || l->geometry.grid[1] > 1 || l->geometry.grid[2] > 1;
    bool is_asked_for = spread->options.has_devices || run->is_ordered ||
                        (l->kernel->flags & GCL_KERNEL_SANITIZED) != 0 ||
                        (program && program->flags & GCL_PROGRAM_SINGLE);
    return schedule->axis || !has_blocks || is_asked_for ? 0 : schedule->reason;
}

/// Says once a kernel that it doesn't spread, and why.
static void remark(const struct gcl_spread *spread, struct kernel *kernel, uint16_t reason) {
    char name[128];
    if (!gcl_spread_is_home(spread) || !reason || kernel->told == reason)
        return;
    kernel->told = reason;
    gcl_log(GCL_LOG_INFO, "%s runs on node 0 alone: %s [GCL%u]",
            gcl_name_demangle(kernel->kernel->name, name, sizeof name), gcl_reason_why(reason),
            reason);
}

static struct gcl_launch_part whole_launch(const struct gcl_block_launch *launch) {
    struct gcl_launch_part part = {.arguments = launch->arguments, .geometry = launch->geometry};
    memcpy(part.begin, launch->begin, sizeof part.begin);
    memcpy(part.end, launch->end, sizeof part.end);
    return part;
}

/// Finds how a launch is spread, and counts the time for that. NULL: no memory.
static const struct gcl_schedule *find_schedule(struct gcl_spread *spread,
                                                const struct gcl_spread_site *site,
                                                struct gcl_launch_part *launch) {
    const struct gcl_listeners *listeners = spread->options.listeners;
    bool is_timed = gcl_listeners_want_times(listeners);
    uint64_t begin_ns = is_timed ? gcl_clock_ns() : 0, sequence = spread->sequence;
    assert(site->kernel < spread->launches->count);
    spread->launches->current = site->kernel;
    spread->launches->waited_ns = 0;
    if (site->node != GCL_NOBODY)
        launch->variable_shift = ((int64_t)site->node - spread->options.self) *
                                 (int64_t)gcl_space_stride(spread->options.space);
    struct gcl_schedule_memo *schedules = spread->launches->kernels[site->kernel].schedules;
    gcl_schedule_memo_limit(schedules, site->planning ? site->planning : INT64_MAX);
    gcl_schedule_memo_fault(schedules, site->faults);
    gcl_schedule_memo_look(schedules, site->may_wait);
    gcl_spread_rebalance(spread, schedules, site->may_wait);
    const struct gcl_schedule *schedule = gcl_schedule_memo_find(schedules, launch, site->node);
    if (is_timed)
        gcl_listeners_planned(listeners, site->kernel, spread->sequence > sequence,
                              gcl_clock_ns() - begin_ns - spread->launches->waited_ns);
    return schedule;
}

/// A kernel uses memory of another device than its own, and the program hasn't allowed that.
static void refuse(struct gcl_spread *spread, const struct kernel *kernel, uint32_t device,
                   uint64_t begin) {
    char name[128];
    if (!gcl_spread_is_home(spread))
        return;
    gcl_log(GCL_LOG_ERROR,
            "%s on device %u uses memory of device %u at %p, and cudaDeviceEnablePeerAccess "
            "hasn't been called for that",
            gcl_name_demangle(kernel->kernel->name, name, sizeof name), device,
            gcl_directory_find(spread->directory, begin)->home, (void *)(uintptr_t)begin);
    gcl_engine_fail(spread->options.engine, GCL_ILLEGAL_ADDRESS);
}

/// Whether all memory that a launch uses is the device's: what other commands do with it comes
/// before the launch or after it, and the host does nothing.
static bool is_closed(const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (plan->allocations[i].use != GCL_HOST_NEVER)
            return false;
    }
    return true;
}

/// Has the command run this node's share; NULL: there is none.
static struct gcl_command *take_share(struct gcl_spread *spread,
                                      const struct gcl_spread_share *launch) {
    const struct gcl_launch_part *own = &launch->schedule->parts[spread->options.self];
    assert(launch->schedule->node_count == spread->options.count);
    struct gcl_block_launch *l = &launch->command->run.launch;
    memcpy(l->begin, own->begin, sizeof l->begin);
    memcpy(l->end, own->end, sizeof l->end);
    launch->command->run.is_closed = is_closed(launch->schedule->plan);
    if (!gcl_split_is_empty(own))
        return launch->command;
    gcl_engine_discard(spread->options.engine, launch->command);
    return NULL;
}

static struct gcl_fence carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                  struct gcl_spread_share *launch) {
    launch->command = take_share(spread, launch);
    struct gcl_fence fence = gcl_spread_carry_out_launch(spread, stream, launch);
    gcl_spread_note_readers(spread, launch->schedule->plan);
    return fence;
}

/// Like carry_out, between what compares the result with that of one node.
static struct gcl_fence carry_out_compared(struct gcl_spread *spread, struct gcl_stream *stream,
                                           struct gcl_spread_share *launch) {
    struct gcl_verification *verification;
    bool ok =
        gcl_verify_begin(spread, stream, &launch->command->run, launch->schedule, &verification);
    launch->turn.moment = ++spread->sequence;
    struct gcl_fence fence = carry_out(spread, stream, launch);
    if (!ok || (verification && !gcl_verify_end(verification, stream, &fence)))
        gcl_spread_give_up(spread);
    return fence;
}

/// Notes a launch with memory that the host may change while it runs.
static void note_host(struct gcl_spread *spread, const struct gcl_plan *plan,
                      struct gcl_fence fence) {
    bool is_host = false;
    for (size_t i = 0; i < plan->allocation_count; i++)
        is_host |= plan->allocations[i].use == GCL_HOST_UNSEEN;
    if (is_host && gcl_spread_is_home(spread))
        gcl_spread_note_call(spread, fence);
}

/// Carries a launch out, tells listeners, and brings home what has to be there afterwards.
static struct gcl_fence carry_through(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_spread_share *launch,
                                      const struct gcl_heard_launch *heard) {
    const struct gcl_schedule *schedule = launch->schedule;
    gcl_listeners_launches(spread->options.listeners, heard);
    struct gcl_fence fence = spread->comparison ? carry_out_compared(spread, stream, launch)
                                                : carry_out(spread, stream, launch);
    gcl_spread_add_done(spread,
                        &(struct gcl_heard_plan){.kind = GCL_HEARD_LAUNCH,
                                                 .kernel = heard->kernel,
                                                 .axis = schedule->axis,
                                                 .reason = heard->reason},
                        schedule->plan, fence);
    note_host(spread, schedule->plan, fence);
    if (!gcl_spread_bring_home(spread, stream, schedule->plan, launch->turn.track, &fence))
        gcl_spread_give_up(spread);
    return fence;
}

/// What a block of a run takes, as far as its kernel has been measured on this node. The program
/// may be far ahead of that: until then a thread takes no longer than a vector's lane of a short
/// kernel.
static double block_ns(const struct gcl_run *run) {
    uint64_t blocks = atomic_load_explicit(&run->cost->blocks, memory_order_relaxed);
    uint64_t busy_ns = atomic_load_explicit(&run->cost->busy_ns, memory_order_relaxed);
    const uint32_t *block = run->launch.geometry.block;
    return blocks ? (double)busy_ns / (double)blocks : THREAD_NS * block[0] * block[1] * block[2];
}

/// Whether this node's share takes so long that taking it apart, which costs some microseconds, can
/// pay.
static bool is_long(const struct gcl_spread *spread, const struct gcl_run *run,
                    const struct gcl_launch_part *own) {
    double blocks = 1;
    for (unsigned i = 0; i < 3; i++)
        blocks *= own->end[i] - own->begin[i];
    return block_ns(run) * blocks > LONG_NS * gcl_engine_workers(spread->options.engine);
}

/// Has a run measured.
static void measure(struct kernel *kernel, struct gcl_run *run) {
    kernel->counted = run->cost = run->cost ? run->cost : kernel->cost;
}

/// The border of this node's share of the launch that has just been planned, `part`; NULL: the
/// share is left whole. Where that counts, the run is measured.
static struct gcl_border *find_border(struct gcl_spread *spread, struct kernel *kernel,
                                      struct gcl_run *run, const struct gcl_launch_part *part,
                                      const struct gcl_schedule *schedule) {
    const struct gcl_launch_part *own = &schedule->parts[spread->options.self];
    if (!schedule->axis || gcl_split_is_empty(own) || spread->options.has_devices ||
        spread->comparison || !gcl_spread_moves_far(spread, schedule->plan))
        return NULL;
    assert(!run->is_cooperative && !run->is_ordered); // those are one node's
    measure(kernel, run);
    return is_long(spread, run, own)
               ? gcl_schedule_memo_border(kernel->schedules, part, spread->options.self)
               : NULL;
}

/// Notes a launch that may have faults.
static void note_faults(const struct gcl_spread *spread, struct kernel *kernel,
                        const struct gcl_plan *plan) {
    uint64_t versions = gcl_plan_fault_versions(plan, spread->directory);
    if (plan->fault_count == 0)
        return;
    kernel->again = versions == kernel->versions ? kernel->again + 1 : 0;
    kernel->versions = versions;
    kernel->faulted = gcl_plan_faulted(plan);
}

struct gcl_fence gcl_spread_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command,
                                   const struct gcl_spread_site *site) {
    struct kernel *kernel = &spread->launches->kernels[site->kernel];
    struct gcl_launch_part part = whole_launch(&command->run.launch);
    const struct gcl_schedule *schedule = find_schedule(spread, site, &part);
    if (!schedule) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    if (schedule->forbidden) {
        refuse(spread, kernel, site->node, schedule->forbidden);
        gcl_engine_discard(spread->options.engine, command);
        return gcl_spread_submit_nothing(spread, stream);
    }
    const struct gcl_heard_launch heard = {.kernel = site->kernel,
                                           .schedule = schedule,
                                           .reason = reason_of(spread, &command->run, schedule)};
    remark(spread, kernel, heard.reason);
    note_faults(spread, kernel, schedule->plan);
    if (schedule->axis && gcl_spread_note_cut(spread))
        measure(kernel, &command->run);
    // What was looked up has used the number.
    bool has_looked = spread->sequence > site->sequence;
    struct gcl_spread_share launch = {
        .kernel = kernel->kernel,
        .schedule = schedule,
        .border = find_border(spread, kernel, &command->run, &part, schedule),
        .touched = schedule->plan->fault_count > 0 ? kernel->touched : NULL,
        .command = command,
        .turn = {.track = gcl_spread_track_of_run(schedule->plan, site->track),
                 .moment = has_looked ? ++spread->sequence : site->sequence}};
    return carry_through(spread, stream, &launch, &heard);
}

bool gcl_spread_add_kernel(struct gcl_spread *spread, const struct gcl_kernel *kernel) {
    const struct gcl_listeners *listeners = spread->options.listeners;
    struct gcl_spread_launches *launches = spread->launches;
    struct kernel *kernels = realloc(launches->kernels, (launches->count + 1) * sizeof *kernels);
    if (!kernels)
        return false;
    launches->kernels = kernels;
    struct gcl_schedule_memo *schedules =
        gcl_schedule_memo_create(kernel->program, spread->directory, &spread->launches->reader);
    struct gcl_run_cost *cost = calloc(1, sizeof *cost);
    struct gcl_spread_touched *touched = calloc(1, sizeof *touched);
    if (!schedules || !cost || !touched || !gcl_listeners_added_kernel(listeners, kernel))
        return false;
    if (gcl_listeners_want_causes(listeners) && gcl_spread_is_home(spread))
        gcl_schedule_memo_count_moves(schedules);
    touched->kernel = launches->count;
    atomic_store(&touched->most, GCL_FORECAST_UNKNOWN);
    kernels[launches->count++] =
        (struct kernel){.kernel = kernel, .schedules = schedules, .cost = cost, .touched = touched};
    return true;
}

/// What other nodes don't know and has been unloaded keeps its number, without a name.
static void tell_kernel(struct gcl_spread *spread, uint32_t number) {
    const struct kernel *kernel = &spread->launches->kernels[number];
    const char *id = kernel->code ? kernel->code->id : "";
    const char *name = kernel->code ? kernel->kernel->name : "";
    gcl_spread_announce(spread,
                        &(struct gcl_operation){.kind = GCL_OPERATION_KERNEL,
                                                .kernel = {.number = number,
                                                           .id = id,
                                                           .id_size = (uint32_t)strcspn(id, "\n"),
                                                           .name = name,
                                                           .name_size = (uint32_t)strlen(name)}});
}

void gcl_spread_drop_kernels(struct gcl_spread *spread, const struct gcl_code *code) {
    struct gcl_spread_launches *launches = spread->launches;
    for (uint32_t i = 0; i < launches->count; i++) {
        if (launches->kernels[i].code == code)
            launches->kernels[i].code = NULL;
    }
}

void gcl_spread_tell_kernels(struct gcl_spread *spread) {
    struct gcl_spread_launches *launches = spread->launches;
    assert(launches->told_count <= launches->count);
    while (launches->told_count < launches->count)
        tell_kernel(spread, launches->told_count++);
}

bool gcl_spread_number(struct gcl_spread *spread, const struct gcl_kernel *kernel,
                       const struct gcl_code *code, uint32_t *number) {
    uintptr_t known = (uintptr_t)gcl_map_get(&spread->launches->numbers, kernel);
    if (!known) {
        if (!gcl_spread_add_kernel(spread, kernel))
            return false;
        known = spread->launches->count;
        assert(spread->launches->kernels[known - 1].kernel == kernel);
        if (!gcl_map_set(&spread->launches->numbers, kernel, (void *)known))
            return false;
        spread->launches->kernels[known - 1].code = code;
        if (!gcl_rest_is_on(spread))
            gcl_spread_tell_kernels(spread);
    }
    *number = (uint32_t)known - 1;
    return true;
}

/// How much of what might come by faults may do so, in parts of 1000: one page takes as long as
/// many that come together, the more so between hosts.
static uint32_t most_touched(const struct gcl_spread *spread) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    for (gcl_node i = 1; i < spread->options.count; i++) {
        if (!communicator->is_near(communicator->context, i))
            return MOST_TOUCHED_FAR;
    }
    return MOST_TOUCHED;
}

/// Node 0: whether pages come as a launch touches them.
static bool may_fault(struct gcl_spread *spread, struct kernel *kernel) {
    if (!spread->remote)
        return false;
    bool is_dear = kernel->again * FAULTS_NS > (double)kernel->faulted * BYTE_NS;
    if (!is_dear && atomic_load(&kernel->touched->part) <= most_touched(spread))
        return true;
    if (++kernel->whole < WHOLE_LAUNCHES)
        return false;
    kernel->whole = kernel->again = 0;
    atomic_store(&kernel->touched->part, 0);
    return true;
}

struct gcl_fence gcl_spread_submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                       struct gcl_command *command, const struct gcl_code *code,
                                       uint32_t node) {
    const struct gcl_block_launch *l = &command->run.launch;
    const struct gcl_kernel *kernel = l->kernel;
    uint32_t flags = (command->run.is_cooperative ? GCL_OPERATION_COOPERATIVE : 0) |
                     (command->run.is_ordered ? GCL_OPERATION_ORDERED : 0);
    bool is_single = flags != 0 || (kernel->flags & GCL_KERNEL_SANITIZED) != 0;
    uint32_t number;
    bool may_wait = !gcl_spread_has_calls(spread);
    if (node == GCL_NOBODY && is_single)
        node = 0;
    if (!gcl_spread_number(spread, kernel, code, &number)) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    struct gcl_operation operation = {
        .kind = GCL_OPERATION_LAUNCH,
        .track = gcl_spread_choose_track(spread, stream),
        .launch = {.kernel = number,
                   .directory = gcl_directory_hash(spread->directory),
                   .geometry = l->geometry,
                   .first = l->begin[gcl_geometry_slowest(&l->geometry)],
                   .flags = flags | (may_wait ? 0 : GCL_OPERATION_BESIDE_CALL),
                   .node = node,
                   .planning = gcl_rest_planning(spread, &command->run),
                   .origin = command->run.origin,
                   .file = l->file,
                   .file_size = l->file ? (uint32_t)strlen(l->file) : 0,
                   .line = l->line,
                   .arguments = l->arguments,
                   .argument_size = kernel->argument_size}};
    bool faults = node == GCL_NOBODY && may_fault(spread, &spread->launches->kernels[number]);
    operation.launch.flags |= faults ? GCL_OPERATION_FAULTS : 0;
    gcl_spread_announce(spread, &operation);
    return gcl_spread_launch(spread, stream, command,
                             &(struct gcl_spread_site){number, node, operation.sequence,
                                                       operation.track, operation.launch.planning,
                                                       may_wait, faults});
}
