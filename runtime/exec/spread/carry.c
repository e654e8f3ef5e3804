// What comes before a command, the command, and what comes after it are commands of the engine, in
// one stream.
#include "exec/spread/carry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec/exchange/movement.h"
#include "exec/exchange/remote.h"
#include "exec/spread/border.h"
#include "exec/spread/devices.h"
#include "exec/spread/home.h"
#include "exec/spread/plan_log.h"
#include "exec/spread/track.h"

struct step {
    struct gcl_spread *spread;
    struct gcl_movement *movement;
    struct gcl_spread_touched *touched; ///< counts what came; NULL: nobody does
    bool is_last;                       ///< nothing of the movement follows
};

/// Fails the job: other nodes wait for what this node hasn't done.
static void fail_step(const struct step *step, enum gcl_status status, const char *verb) {
    char what[160], reason[256];
    gcl_movement_describe(step->movement, what, sizeof what);
    snprintf(reason, sizeof reason, "it %s %s %s",
             status == GCL_NO_MEMORY ? "has no memory to" : "can't", verb, what);
    gcl_spread_fail(step->spread, status, reason);
}

/// Notes what has come by faults of a launch.
static void note_touched(const struct step *step) {
    uint64_t came = gcl_movement_came(step->movement);
    uint64_t faulted = gcl_plan_faulted(gcl_movement_plan(step->movement));
    if (faulted == 0 || !gcl_spread_is_home(step->spread))
        return;
    uint32_t part = (uint32_t)(1000 * came / faulted), most = atomic_load(&step->touched->most);
    atomic_store(&step->touched->part, part);
    if (most == GCL_FORECAST_UNKNOWN || part > most)
        atomic_store(&step->touched->most, part);
    gcl_listeners_touched(step->spread->options.listeners, step->touched->kernel, came);
}

/// Does a part of a movement, unless there is nobody to do it for any more. False: it isn't ready.
static bool run_step(struct step *step, enum gcl_status (*run)(struct gcl_movement *movement),
                     const char *verb) {
    struct gcl_spread *spread = step->spread;
    enum gcl_status status = atomic_load(&spread->has_failed) ? GCL_OK : run(step->movement);
    if (status == GCL_NOT_READY)
        return false;
    if (status != GCL_OK)
        fail_step(step, status, verb);
    if (step->touched)
        note_touched(step);
    if (step->is_last)
        gcl_movement_destroy(step->movement);
    free(step);
    return true;
}

static void run_before(void *data) {
    run_step(data, gcl_movement_before, "fetch");
}

static bool attempt_before(void *data) {
    return run_step(data, gcl_movement_attempt, "fetch");
}

static void run_after(void *data) {
    run_step(data, gcl_movement_after, "merge");
}

struct gcl_fence gcl_spread_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                 struct gcl_host_call call) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_CALL);
    if (!command) {
        gcl_spread_give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    command->call = call;
    command->is_aside = gcl_spread_is_beside(spread, stream);
    return gcl_engine_submit(spread->options.engine, stream, command);
}

enum { SMALL_MOVEMENT = 16 << 10 }; ///< bytes that nodes of one machine pass on without waiting

static bool is_near(const struct gcl_spread *spread, gcl_node peer) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    return peer == GCL_NOWHERE || peer == spread->options.self ||
           communicator->is_near(communicator->context, peer);
}

bool gcl_spread_moves_far(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        bool is_sent = t->from == spread->options.self;
        if (!is_sent && !is_near(spread, t->from))
            return true;
        for (gcl_node peer = t->to; is_sent && peer < t->to_end; peer++) {
            if (!is_near(spread, peer))
                return true;
        }
    }
    return false;
}

/// Whether what a node gets and sends before its command may be there without anybody's waiting.
static bool is_quick(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    int64_t size = 0;
    for (size_t i = 0; i < plan->own_count; i++)
        size += gcl_region_size(&plan->transfers[plan->own[i]].bytes);
    return size <= SMALL_MOVEMENT && !gcl_spread_moves_far(spread, plan);
}

/// Submits the part of a movement that comes before its command, or after it. `is_alone`: no kernel
/// is under way that it might keep from going on.
static struct gcl_fence submit_step(struct gcl_spread *spread, struct gcl_stream *stream,
                                    enum gcl_track track, bool is_after, bool is_alone,
                                    const struct step *what) {
    struct step *step = malloc(sizeof *step);
    if (!step) {
        gcl_spread_give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    *step = *what;
    bool may_attempt = !is_after && !is_alone && track <= GCL_TRACK_KERNELS_LAST &&
                       is_quick(spread, gcl_movement_plan(step->movement));
    return gcl_spread_call(spread, stream,
                           (struct gcl_host_call){.function = is_after ? run_after : run_before,
                                                  .attempt = may_attempt ? attempt_before : NULL,
                                                  .data = step,
                                                  .name = is_after ? "merge" : "fetch",
                                                  .track = track,
                                                  .leaves_workers = !is_alone});
}

struct gcl_fence gcl_spread_submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_WAIT);
    if (command)
        return gcl_engine_submit(spread->options.engine, stream, command);
    gcl_spread_give_up(spread);
    return (struct gcl_fence){.stream = NULL};
}

/// What is to be carried out.
struct task {
    struct gcl_turn turn;
    struct gcl_command *command; ///< NULL: none
    const char *what;            ///< whose bytes move, for messages
    struct gcl_border *border;   ///< of a launch whose inner blocks may run beside; NULL: none
    struct gcl_spread_touched *touched; ///< counts what comes by faults; NULL: nobody does
    unsigned axis;                      ///< that the border is on
};

/// Submits a launch and the movement before it, beside which its inner blocks run.
static struct gcl_fence submit_bordered(struct gcl_spread *spread, struct gcl_stream *stream,
                                        const struct task *task, struct gcl_movement *movement) {
    enum gcl_track track = task->turn.track;
    struct gcl_bordered launch = {.border = task->border, .track = track, .stream = stream};
    if (!gcl_spread_begin_bordered(spread, gcl_movement_plan(movement), &launch))
        return (struct gcl_fence){.stream = NULL};
    submit_step(spread, launch.beside, track, false, false,
                &(struct step){.spread = spread, .movement = movement, .is_last = true});
    return gcl_spread_run_bordered(spread, &launch, task->axis, task->command);
}

/// Submits a command between what its movement does before it and after it.
static struct gcl_fence submit_all(struct gcl_spread *spread, struct gcl_stream *stream,
                                   const struct task *task, struct gcl_movement *movement) {
    const struct gcl_plan *plan = gcl_movement_plan(movement);
    struct gcl_command *command = task->command;
    struct gcl_fence fence = {.stream = NULL};
    enum gcl_track track = task->turn.track;
    bool has_before = gcl_movement_has_before(movement),
         has_after = gcl_movement_has_after(movement);
    bool is_run = command && command->kind == GCL_COMMAND_RUN;
    assert(!has_after || has_before); // who merges has kept what was there
    if (has_before || has_after || (command && !is_run))
        gcl_spread_order(spread, stream, plan);
    // Inner blocks may write pages that are absent until the movement is done.
    if (is_run && task->border && has_before && !has_after && !gcl_movement_has_task(movement))
        return submit_bordered(spread, stream, task, movement);
    bool is_alone = has_before && gcl_spread_is_alone(spread, track);
    struct step step = {.spread = spread, .movement = movement, .is_last = !has_after};
    if (has_before)
        fence = submit_step(spread, stream, track, false, is_alone, &step);
    if (is_run)
        fence = gcl_spread_submit_kernel(spread, stream, plan, command);
    else if (command) {
        command->is_aside = gcl_spread_is_beside(spread, stream);
        fence = gcl_engine_submit(spread->options.engine, stream, command);
    }
    step.touched = task->touched;
    step.is_last = true;
    if (has_after)
        fence = submit_step(spread, stream, track, true, is_alone, &step);
    if (!has_before && !has_after)
        gcl_movement_destroy(movement);
    return fence;
}

/// NULL: no memory.
static struct gcl_movement *create_movement(struct gcl_spread *spread, struct gcl_plan *plan,
                                            const struct task *task) {
    struct gcl_remote_task *pages = NULL;
    if (spread->remote && !gcl_remote_plan(spread->remote, plan, &pages))
        return NULL;
    return gcl_movement_create(
        plan, (struct gcl_movement_purpose){task->what, task->turn.moment, task->turn.track},
        &(struct gcl_movement_means){spread->options.self, spread->options.communicator,
                                     spread->options.device, gcl_spread_guard_of(spread),
                                     spread->remote},
        pages);
}

static struct gcl_fence carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                  struct gcl_plan *plan, const struct task *task) {
    struct gcl_turn turn = task->turn;
    assert(turn.moment <= spread->sequence); // operations are numbered as they are made
    gcl_plan_commit(plan, spread->directory);
    gcl_listeners_carries_out(spread->options.listeners, plan);
    struct gcl_movement *movement = create_movement(spread, plan, task);
    if (!movement) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(spread->options.engine, task->command);
        return (struct gcl_fence){.stream = NULL};
    }
    gcl_spread_note_work(spread, turn, plan);
    stream = gcl_spread_begin(spread, stream, turn.track, plan);
    struct gcl_fence fence = submit_all(spread, stream, task, movement);
    if (!fence.stream && !spread->devices)
        fence = gcl_spread_submit_nothing(spread, stream);
    gcl_spread_note_pending(spread, turn, plan, fence);
    return fence;
}

struct gcl_fence gcl_spread_carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_plan *plan, struct gcl_turn turn,
                                      struct gcl_command *command) {
    const struct task task = {.turn = turn, .command = command, .what = "a copy"};
    gcl_spread_log_plan(spread, plan);
    return carry_out(spread, stream, plan, &task);
}

struct gcl_fence gcl_spread_carry_out_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                             const struct gcl_spread_share *share) {
    const struct gcl_schedule *schedule = share->schedule;
    const struct task task = {.turn = share->turn,
                              .command = share->command,
                              .what = share->kernel->name,
                              .border = share->border,
                              .touched = share->touched,
                              .axis = schedule->axis ? (unsigned)(schedule->axis - 'x') : 0};
    gcl_spread_log_schedule(spread, schedule, share->kernel);
    return carry_out(spread, stream, schedule->plan, &task);
}
