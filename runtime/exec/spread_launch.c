// Launches: how each of them is spread, and this node's share of it.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/name.h"
#include "base/reason.h"
#include "exec/dry.h"
#include "exec/registry.h"
#include "exec/spread_state.h"
#include "exec/stats.h"
#include "plan/schedule_memo.h"

/// Why a launch isn't cut; 0: nobody would expect it to be.
static uint16_t reason_of(const struct gcl_spread *spread, const struct gcl_run *run,
                          const struct gcl_schedule *schedule) {
    const struct gcl_block_launch *l = &run->launch;
    const struct gcl_program *program = l->kernel->program;
    bool has_blocks = l->grid_size[0] > 1 || l->grid_size[1] > 1 || l->grid_size[2] > 1;
    bool is_asked_for = spread->options.has_devices || run->is_ordered ||
                        (l->kernel->flags & GCL_KERNEL_SANITIZED) != 0 ||
                        (program && program->flags & GCL_PROGRAM_SINGLE);
    return schedule->axis || !has_blocks || is_asked_for ? 0 : schedule->reason;
}

/// Says once a kernel that it doesn't spread, and why.
static void remark(const struct gcl_spread *spread, struct gcl_spread_kernel *kernel,
                   uint16_t reason) {
    char name[128];
    if (!gcl_spread_is_home(spread) || !reason || kernel->told == reason)
        return;
    kernel->told = reason;
    gcl_log(GCL_LOG_INFO, "%s runs on node 0 alone: %s [GCL%u]",
            gcl_name_demangle(kernel->kernel->name, name, sizeof name), gcl_reason_why(reason),
            reason);
}

static struct gcl_launch_part whole_launch(const struct gcl_block_launch *launch) {
    struct gcl_launch_part part = {.arguments = launch->arguments};
    memcpy(part.block_size, launch->block_size, sizeof part.block_size);
    memcpy(part.grid_size, launch->grid_size, sizeof part.grid_size);
    memcpy(part.end, launch->grid_size, sizeof part.end);
    return part;
}

/// Finds how a launch is spread, and counts the time for that. NULL: no memory.
static const struct gcl_schedule *find_schedule(struct gcl_spread *spread,
                                                const struct gcl_spread_site *site,
                                                struct gcl_launch_part *launch) {
    struct gcl_stats *stats = spread->options.stats;
    uint64_t begin_ns = stats ? gcl_clock_ns() : 0, sequence = spread->sequence;
    spread->launched = site->kernel;
    spread->waited_ns = 0;
    if (site->node != GCL_NOBODY)
        launch->variable_shift =
            ((int64_t)site->node - spread->options.self) * (int64_t)spread->stride;
    const struct gcl_schedule *schedule =
        gcl_schedule_memo_find(spread->kernels[site->kernel].schedules, launch, site->node);
    if (stats)
        gcl_stats_plan(stats, site->kernel, spread->sequence > sequence,
                       gcl_clock_ns() - begin_ns - spread->waited_ns);
    return schedule;
}

/// A kernel uses memory of another device than its own, and the program hasn't allowed that.
static void refuse(struct gcl_spread *spread, const struct gcl_spread_kernel *kernel,
                   uint32_t device, uint64_t begin) {
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

struct gcl_fence gcl_spread_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command,
                                   const struct gcl_spread_site *site) {
    struct gcl_spread_kernel *kernel = &spread->kernels[site->kernel];
    uint64_t sequence = site->sequence;
    struct gcl_block_launch *l = &command->run.launch;
    struct gcl_launch_part part = whole_launch(l);
    struct gcl_fence fence = {.stream = NULL};
    const struct gcl_schedule *schedule = find_schedule(spread, site, &part);
    if (!schedule) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return fence;
    }
    if (schedule->forbidden) {
        refuse(spread, kernel, site->node, schedule->forbidden);
        gcl_engine_discard(spread->options.engine, command);
        return gcl_spread_submit_nothing(spread, stream);
    }
    const struct gcl_stats_launched launched = {.kernel = site->kernel,
                                                .schedule = schedule,
                                                .reason =
                                                    reason_of(spread, &command->run, schedule)};
    remark(spread, kernel, launched.reason);
    if (spread->sequence > sequence) // what was looked up has used the number
        sequence = ++spread->sequence;
    if (spread->options.dry)
        gcl_dry_launch(spread->options.dry, schedule);
    struct gcl_verification *verification = NULL;
    if (spread->options.is_verified) {
        if (!gcl_verify_begin(spread, stream, &command->run, schedule, &verification))
            gcl_spread_give_up(spread);
        sequence = ++spread->sequence;
    }
    const struct gcl_launch_part *own = &schedule->parts[spread->options.self];
    memcpy(l->begin, own->begin, sizeof l->begin);
    memcpy(l->end, own->end, sizeof l->end);
    if (gcl_split_is_empty(own)) {
        gcl_engine_discard(spread->options.engine, command);
        command = NULL;
    }
    enum gcl_track track = gcl_spread_track_of_run(schedule->plan, site->track);
    fence = gcl_spread_carry_out(spread, stream, schedule->plan, (struct gcl_turn){track, sequence},
                                 command);
    gcl_spread_note_readers(spread, schedule->plan);
    if (verification && !gcl_verify_end(verification, stream, &fence))
        gcl_spread_give_up(spread);
    if (spread->options.stats)
        gcl_stats_launch(spread->options.stats, &launched, fence);
    if (!gcl_spread_bring_home(spread, stream, schedule->plan, track, &fence))
        gcl_spread_give_up(spread);
    return fence;
}

bool gcl_spread_add_kernel(struct gcl_spread *spread, const struct gcl_kernel *kernel) {
    struct gcl_stats *stats = spread->options.stats;
    struct gcl_spread_kernel *kernels =
        realloc(spread->kernels, (spread->kernel_count + 1) * sizeof *kernels);
    if (!kernels)
        return false;
    spread->kernels = kernels;
    struct gcl_schedule_memo *schedules =
        gcl_schedule_memo_create(kernel->program, spread->directory, &spread->reader);
    if (!schedules || (stats && !gcl_stats_add_kernel(stats, kernel)))
        return false;
    if (stats && gcl_stats_wants_causes(stats) && gcl_spread_is_home(spread))
        gcl_schedule_memo_count_moves(schedules);
    kernels[spread->kernel_count++] =
        (struct gcl_spread_kernel){.kernel = kernel, .schedules = schedules};
    return true;
}

/// The number of a kernel, which the others are told. False: no memory.
static bool number_of(struct gcl_spread *spread, const struct gcl_kernel *kernel,
                      const struct gcl_code *code, uint32_t *number) {
    uintptr_t known = (uintptr_t)gcl_map_get(&spread->numbers, kernel);
    if (!known) {
        if (!gcl_spread_add_kernel(spread, kernel))
            return false;
        known = spread->kernel_count;
        if (!gcl_map_set(&spread->numbers, kernel, (void *)known))
            return false;
        gcl_spread_announce(spread, &(struct gcl_operation){
                                        .kind = GCL_OPERATION_KERNEL,
                                        .kernel = {.number = (uint32_t)known - 1,
                                                   .id = code->id,
                                                   .id_size = (uint32_t)strcspn(code->id, "\n"),
                                                   .name = kernel->name,
                                                   .name_size = (uint32_t)strlen(kernel->name)}});
    }
    *number = (uint32_t)known - 1;
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
    if (node == GCL_NOBODY && is_single)
        node = 0;
    if (!number_of(spread, kernel, code, &number)) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    struct gcl_operation operation = {
        .kind = GCL_OPERATION_LAUNCH,
        .track = gcl_spread_choose_track(spread, stream),
        .launch = {.kernel = number,
                   .directory = gcl_directory_hash(spread->directory),
                   .shared_size = l->dynamic_shared_size,
                   .flags = flags,
                   .node = node,
                   .origin = command->run.origin,
                   .file = l->file,
                   .file_size = l->file ? (uint32_t)strlen(l->file) : 0,
                   .line = l->line,
                   .arguments = l->arguments,
                   .argument_size = kernel->argument_size}};
    memcpy(operation.launch.grid, l->grid_size, sizeof l->grid_size);
    memcpy(operation.launch.block, l->block_size, sizeof l->block_size);
    gcl_spread_announce(spread, &operation);
    return gcl_spread_launch(
        spread, stream, command,
        &(struct gcl_spread_site){number, node, operation.sequence, operation.track});
}
