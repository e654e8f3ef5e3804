// Threads. A thread takes the first command of its lane and runs units of it until none is left;
// the last to leave completes it. The lock is held between commands, never while units run.
//
// Waking a thread costs microseconds, so it is avoided: one idle worker, the lookout, watches for
// new commands for a moment before it sleeps; a small command wakes one worker only, and others
// follow when it turns out long; a thread that waits runs small commands of its stream itself, and
// helps with a large one while workers wake up. Whoever watches leaves its core to threads that
// have something to do, since what it watches for may need it.
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/engine/descend.h"
#include "exec/engine/engine.h"
#include "exec/engine/state.h"
#include "exec/engine/turn.h"
#include "exec/memory/absent.h"
#include "exec/memory/space.h"
#include "exec/watch/progress.h"

#define LOOKOUT_NS 50000u  // how long a lookout watches
#define PATIENCE_NS 20000u // how long a waiting thread watches, or helps with a large command
#define GRACE_NS 1000u     // how long a lookout leaves a small command to whoever submitted it
#define LONG_NS 10000u     // a small command that takes longer gets more workers
#define SHORT_CLAIM_NS 20000u
#define LONG_CLAIM_NS 200000u
#define SMALL_STACK_SIZE ((size_t)1 << 20)

static _Thread_local bool is_calling;
static _Thread_local bool is_worker;
// The calling worker is between two commands and will look at its lanes next.
static _Thread_local bool takes_next;

bool gcl_engine_is_calling(void) {
    return is_calling;
}

bool gcl_engine_has_reached(struct gcl_fence fence) {
    return !fence.stream || fence.stream->completed >= fence.sequence;
}

// Watching makes sense only while somebody else can make progress.
static bool may_spin(const struct gcl_engine *engine) {
    return engine->options.core_count > 1;
}

// Waking.

static void wake_sleepers(struct gcl_lane_state *lane, uint32_t count) {
    for (uint32_t i = 0; i < count && i < lane->sleeping; i++)
        pthread_cond_signal(&lane->condition);
}

static void wake_workers(struct gcl_engine *engine, uint32_t count) {
    struct gcl_lane_state *lane = &engine->lanes[GCL_LANE_COMPUTE];

    atomic_fetch_add(&lane->epoch, 1);
    if (count > lane->has_lookout)
        wake_sleepers(lane, count - lane->has_lookout);
}

void gcl_engine_wake(struct gcl_engine *engine, struct gcl_command *command) {
    enum gcl_lane lane = gcl_engine_lane(engine, command);
    uint32_t count = command->is_small ? 1 : command->work.unit_count;

    if (lane != GCL_LANE_COMPUTE && lane != GCL_LANE_COPY) {
        wake_sleepers(&engine->lanes[lane], 1);
        return;
    }
    if (takes_next) {
        takes_next = false;
        count--;
    }
    if (lane == GCL_LANE_COPY && count > 0 && !engine->lanes[GCL_LANE_COMPUTE].has_lookout) {
        wake_sleepers(&engine->lanes[lane], 1);
        count--;
    }
    atomic_store_explicit(&engine->lanes[GCL_LANE_COMPUTE].is_small, command->is_small,
                          memory_order_relaxed);
    if (count > 0)
        wake_workers(engine, count);
}

void gcl_engine_notify(struct gcl_engine *engine) {
    struct gcl_waiter **link = &engine->waiters;
    while (*link) {
        struct gcl_waiter *waiter = *link;
        if (!gcl_engine_has_reached(waiter->fence) && !gcl_queue_has(waiter->fence)) {
            link = &waiter->next;
            continue;
        }
        assert(!atomic_load(&waiter->is_done));
        *link = waiter->next;
        atomic_store(&waiter->is_done, true);
        pthread_cond_signal(&waiter->condition);
    }
}

// Running.

// A small command that takes long after all: everyone may help.
static void widen(struct gcl_engine *engine, struct gcl_command *command) {
    uint32_t left = gcl_work_left(&command->work);
    if (left == 0 || !atomic_exchange(&command->may_widen, false))
        return;
    pthread_mutex_lock(&engine->lock);
    atomic_fetch_add(&engine->lanes[GCL_LANE_COMPUTE].epoch, 1);
    wake_sleepers(&engine->lanes[GCL_LANE_COMPUTE], left);
    pthread_mutex_unlock(&engine->lock);
}

static bool is_skipped(struct gcl_engine *engine, const struct gcl_command *command) {
    return (command->kind == GCL_COMMAND_RUN || command->kind == GCL_COMMAND_COPY) &&
           gcl_engine_status(engine) != GCL_OK;
}

// How many units to claim next, from how long the last ones took: enough to forget the cost of
// claiming, few enough that others can still help with the rest, and that threads which send and
// receive get the core soon.
static uint32_t adapt(uint32_t most, uint64_t ns, bool has_errands) {
    if (ns < SHORT_CLAIM_NS)
        return most < UINT32_MAX / 2 ? 2 * most : most;
    return ns > (has_errands ? 2 * SHORT_CLAIM_NS : LONG_CLAIM_NS) && most > 1 ? most / 2 : most;
}

// The system lets a thread go on for milliseconds, whoever has been woken meanwhile.
static bool make_way(struct gcl_engine *engine) {
    bool has_errands = atomic_load_explicit(&engine->errands, memory_order_relaxed) > 0;
    if (has_errands)
        sched_yield();
    return has_errands;
}

// Who takes part in a command.
static void release(const struct gcl_release *release) {
    // Retired when the command was made, so it is there.
    enum gcl_status status = gcl_space_free(release->space, release->memory, GCL_SPACE_RETIRED);
    (void)status;
}

/// Makes calls [begin, end) of those that a command shares out, or its call. Of the runtime's, a
/// call may be put off, since it would have to wait.
static void call(struct gcl_command *command, uint32_t begin, uint32_t end) {
    const struct gcl_host_call *call = &command->call;
    if (call->attempt)
        command->is_put_off = !call->attempt(call->data);
    else if (!call->share)
        call->function(call->data);
    for (uint32_t i = begin; call->share && i < end; i++)
        call->share(call->data, i);
}

static void run(const struct gcl_device *device, struct gcl_command *command, void *scratch,
                uint32_t begin, uint32_t end) {
    if (command->kind == GCL_COMMAND_RUN)
        device->units->run_units(device, scratch, &command->run, begin, end);
    else if (command->kind == GCL_COMMAND_COPY)
        device->units->copy_units(device, &command->copy, begin, end);
    else if (command->kind == GCL_COMMAND_CALL)
        call(command, begin, end);
    else if (command->kind == GCL_COMMAND_FREE)
        release(&command->release);
}

/// What a thread did of a command.
struct share {
    uint32_t units;
    uint64_t blocks; ///< of a run
};

static void add_units(struct share *share, const struct gcl_command *command, uint32_t begin,
                      uint32_t end) {
    const struct gcl_run *run = &command->run;
    share->units += end - begin;
    if (command->kind != GCL_COMMAND_RUN || command->is_waiting)
        return;
    uint64_t last = end * run->blocks_per_unit;
    share->blocks +=
        (last < run->block_count ? last : run->block_count) - begin * run->blocks_per_unit;
}

static void add_cost(const struct gcl_run *run, uint64_t busy_ns, uint64_t blocks) {
    assert(blocks <= run->block_count);
    atomic_fetch_add_explicit(&run->cost->busy_ns, busy_ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->cost->blocks, blocks, memory_order_relaxed);
}

static struct share run_units(struct gcl_engine *engine, struct gcl_command *command,
                              const struct gcl_participant *who) {
    struct gcl_turn_taken turn = {.lease = NULL};
    if (gcl_work_left(&command->work) > 0)
        turn = gcl_turn_begin(engine, command);
    bool skips = is_skipped(engine, command);
    uint64_t begin_ns = gcl_clock_ns(), last_ns = begin_ns, waited_ns = gcl_absent_waited_ns();
    uint32_t begin, end, most = 1;
    struct share share = {.units = 0};

    while (gcl_work_claim(&command->work, who->slot, most, &begin, &end)) {
        if (!skips && gcl_turn_is_mine(&turn))
            run(engine->options.device, command, who->scratch, begin, end);
        add_units(&share, command, begin, end);
        if (command->work.unit_count == 1)
            break;
        atomic_fetch_add_explicit(&command->work.done, end - begin, memory_order_relaxed);
        uint64_t now_ns = gcl_clock_ns();
        if ((who->leaves && now_ns - begin_ns > PATIENCE_NS) ||
            (who->stands_in && gcl_stand_in_is_needless(engine)))
            break;
        bool has_errands = make_way(engine);
        most = adapt(most, now_ns - last_ns, has_errands);
        bool has_waited = gcl_work_left(&command->work) > 0 && gcl_turn_renew(&turn);
        last_ns = has_errands || has_waited ? gcl_clock_ns() : now_ns;
        if (now_ns - begin_ns > LONG_NS &&
            atomic_load_explicit(&command->may_widen, memory_order_relaxed))
            widen(engine, command);
    }
    gcl_turn_end(&turn);
    if (command->kind == GCL_COMMAND_RUN && command->run.cost && share.units > 0)
        // Blocks take as long anywhere but for pages that other nodes have, and others' turns.
        add_cost(&command->run,
                 gcl_clock_ns() - begin_ns - (gcl_absent_waited_ns() - waited_ns) - turn.waited_ns,
                 share.blocks);
    return share;
}

static void tell_units(struct gcl_engine *engine, const struct gcl_command *command, uint64_t line,
                       uint64_t begin_ns, struct share share) {
    if (share.units == 0 || (command->is_waiting && !command->run.waiting.has_moved))
        return;
    struct gcl_heard heard = gcl_engine_heard(command);
    heard.line = line;
    heard.begin_ns = begin_ns;
    heard.amount = heard.kind == GCL_HEARD_RUN ? share.blocks : share.units;
    gcl_listeners_ran_units(engine->options.listeners, &heard);
}

// The line of threads of the program that wait and help.
static uint64_t guest_line(const struct gcl_engine *engine) {
    return engine->options.worker_count + (uint64_t)GCL_LANE_COUNT;
}

static void enter(struct gcl_engine *engine, struct gcl_presence *presence,
                  const struct gcl_command *command) {
    static _Thread_local pid_t thread;
    if (!thread)
        thread = gettid();
    *presence =
        (struct gcl_presence){.thread = thread, .command = command, .next = engine->present};
    if (presence->next)
        presence->next->previous = presence;
    engine->present = presence;
}

static void leave(struct gcl_engine *engine, struct gcl_presence *presence) {
    gcl_stand_ins_leave(engine, presence);
    assert(presence->previous || engine->present == presence);
    if (presence->next)
        presence->next->previous = presence->previous;
    if (presence->previous)
        presence->previous->next = presence->next;
    else
        engine->present = presence->next;
}

struct gcl_presence *gcl_engine_presence(const struct gcl_engine *engine, pid_t thread) {
    struct gcl_presence *presence = engine->present;
    while (presence && presence->thread != thread)
        presence = presence->next;
    return presence;
}

bool gcl_engine_is_running(struct gcl_engine *engine, pid_t thread) {
    pthread_mutex_lock(&engine->lock);
    bool is_running = gcl_engine_presence(engine, thread) != NULL;
    pthread_mutex_unlock(&engine->lock);
    return is_running;
}

/// Runs what the blocks of a command's kernel have launched, which are done: they are part of it.
static void descend(struct gcl_engine *engine, struct gcl_command *command,
                    const struct gcl_participant *who) {
    struct gcl_presence presence;
    command->participants++;
    enter(engine, &presence, command);
    pthread_mutex_unlock(&engine->lock);
    struct gcl_turn_taken turn = gcl_turn_begin(engine, command);
    gcl_descend(engine->options.device, who->scratch, &command->run, &turn);
    gcl_turn_end(&turn);
    pthread_mutex_lock(&engine->lock);
    leave(engine, &presence);
    command->participants--;
}

// The lock is held before and after.
void gcl_engine_participate(struct gcl_engine *engine, struct gcl_command *command,
                            const struct gcl_participant *who) {
    bool is_told = gcl_listeners_want_times(engine->options.listeners);
    bool is_watched = is_told || engine->options.shows_progress;
    uint64_t begin_ns = is_watched ? gcl_clock_ns() : 0;

    struct gcl_presence presence;
    assert(command->unmet == 0); // nothing holds it up
    command->participants++;
    enter(engine, &presence, command);
    if (is_watched && !command->begin_ns)
        command->begin_ns = begin_ns;
    pthread_mutex_unlock(&engine->lock);
    struct share share = run_units(engine, command, who);
    if (command->kind == GCL_COMMAND_RUN && share.units > 0)
        engine->options.device->units->leave_run(engine->options.device, &command->run);
    if (is_told)
        tell_units(engine, command, who->line, begin_ns, share);
    pthread_mutex_lock(&engine->lock);
    leave(engine, &presence);
    bool is_claimed = gcl_work_left(&command->work) == 0;
    if (command->is_listed && is_claimed)
        gcl_engine_unlist(engine, command);
    if (--command->participants > 0 || !is_claimed)
        return;
    takes_next = is_worker;
    bool follows = command->is_put_off || command->kind == GCL_COMMAND_RUN;
    bool is_again = follows && gcl_engine_put_back(engine, command);
    takes_next = false;
    if (is_again)
        return;
    if (command->kind == GCL_COMMAND_RUN && gcl_descend_is_needed(&command->run))
        descend(engine, command, who);
    takes_next = is_worker;
    gcl_engine_complete(engine, command);
    takes_next = false;
}

// Threads of the engine.

static struct gcl_command *pick(struct gcl_engine *engine, enum gcl_lane lane) {
    struct gcl_lane_state *compute = &engine->lanes[GCL_LANE_COMPUTE];
    struct gcl_lane_state *copy = &engine->lanes[GCL_LANE_COPY];

    if (lane != GCL_LANE_COMPUTE)
        return engine->lanes[lane].first;
    // A lookout that was counted on may have gone for something else: others have to see to the
    // rest.
    if (compute->first) {
        if (compute->first->next)
            wake_sleepers(compute, 1);
        if (copy->first)
            wake_sleepers(copy, 1);
        return compute->first;
    }
    return copy->first;
}

// Whoever submits a small command often waits for it at once, and has it done sooner than it can be
// handed over.
static void give_way(void) {
    uint64_t begin_ns = gcl_clock_ns();
    while (gcl_clock_ns() - begin_ns < GRACE_NS)
        gcl_clock_pause();
}

// Returns when there may be something to do.
static void rest(struct gcl_engine *engine, enum gcl_lane lane_index) {
    struct gcl_lane_state *lane = &engine->lanes[lane_index];

    if (lane_index == GCL_LANE_COMPUTE && !lane->has_lookout && may_spin(engine)) {
        uint64_t epoch = atomic_load(&lane->epoch), begin_ns = gcl_clock_ns();
        lane->has_lookout = true;
        pthread_mutex_unlock(&engine->lock);
        while (atomic_load_explicit(&lane->epoch, memory_order_relaxed) == epoch &&
               gcl_clock_ns() - begin_ns < LOOKOUT_NS)
            sched_yield();
        if (atomic_load_explicit(&lane->is_small, memory_order_relaxed))
            give_way();
        pthread_mutex_lock(&engine->lock);
        lane->has_lookout = false;
        if (pick(engine, lane_index) || engine->is_closing)
            return;
    }
    lane->sleeping++;
    pthread_cond_wait(&lane->condition, &engine->lock);
    lane->sleeping--;
}

/// Whether a worker isn't among those that run commands.
static bool is_reserve(const struct gcl_engine_thread *thread) {
    return thread->lane == GCL_LANE_COMPUTE && thread->slot >= thread->engine->active_count;
}

/// Sleeps until more workers are to run commands.
static void stand_by(struct gcl_engine_thread *thread) {
    // The worker may have been woken for a command, or been counted on as the lookout.
    wake_sleepers(&thread->engine->lanes[GCL_LANE_COMPUTE], 1);
    while (is_reserve(thread) && !thread->engine->is_closing)
        pthread_cond_wait(&thread->engine->reserve, &thread->engine->lock);
}

void gcl_engine_set_workers(struct gcl_engine *engine, unsigned count) {
    assert(count >= 1 && count <= engine->options.worker_count);
    pthread_mutex_lock(&engine->lock);
    engine->active_count = count;
    pthread_cond_broadcast(&engine->reserve);
    pthread_mutex_unlock(&engine->lock);
}

unsigned gcl_engine_workers(struct gcl_engine *engine) {
    pthread_mutex_lock(&engine->lock);
    unsigned count = engine->active_count;
    pthread_mutex_unlock(&engine->lock);
    return count;
}

static void run_lane(struct gcl_engine_thread *thread) {
    struct gcl_engine *engine = thread->engine;
    const struct gcl_participant who = {.line = (uint64_t)(thread - engine->threads),
                                        .slot = thread->slot,
                                        .scratch = thread->scratch};

    pthread_mutex_lock(&engine->lock);
    for (;;) {
        if (is_reserve(thread))
            stand_by(thread);
        struct gcl_command *command = pick(engine, thread->lane);
        if (command)
            gcl_engine_participate(engine, command, &who);
        else if (engine->is_closing)
            break;
        else
            rest(engine, thread->lane);
    }
    pthread_mutex_unlock(&engine->lock);
}

static void pin(const struct gcl_engine_thread *thread, const char *name) {
    const struct gcl_engine_options *options = &thread->engine->options;
    bool has_pin = thread->lane == GCL_LANE_COMPUTE && options->pins;
    const cpu_set_t *set = has_pin ? &options->pins[thread->slot] : options->near;
    if (set && sched_setaffinity(0, sizeof *set, set) != 0)
        gcl_log(GCL_LOG_DEBUG, "%s may run anywhere: %s", name, strerror(errno));
}

static void name_thread(const struct gcl_engine_thread *thread, char *name, size_t size) {
    static const char *const names[GCL_LANE_COUNT] = {
        [GCL_LANE_COPY] = "gcl-copy",
        [GCL_LANE_CALL] = "gcl-call",
        [(int)GCL_LANE_TRACKS + GCL_TRACK_IN] = "gcl-in",
        [(int)GCL_LANE_TRACKS + GCL_TRACK_OUT] = "gcl-out",
        [(int)GCL_LANE_TRACKS + GCL_TRACK_SCATTER] = "gcl-scatter"};
    if (thread->lane == GCL_LANE_COMPUTE)
        snprintf(name, size, "gcl-worker-%u", thread->slot % 1000);
    else if (names[thread->lane])
        snprintf(name, size, "%s", names[thread->lane]);
    else
        snprintf(name, size, "gcl-beside-%u", (unsigned)(thread->lane - GCL_LANE_TRACKS) % 100);
}

static void *begin_thread(void *argument) {
    struct gcl_engine_thread *thread = argument;
    const struct gcl_device *device = thread->engine->options.device;
    char name[16];

    name_thread(thread, name, sizeof name);
    pin(thread, name);
    pthread_setname_np(pthread_self(), name);
    device->units->enter_thread(device);
    gcl_listeners_began_thread(thread->engine->options.listeners,
                               (uint64_t)(thread - thread->engine->threads), name);
    is_calling = thread->lane == GCL_LANE_CALL;
    is_worker = thread->lane == GCL_LANE_COMPUTE;
    run_lane(thread);
    return NULL;
}

static bool start_thread(struct gcl_engine *engine, enum gcl_lane lane, uint32_t slot) {
    struct gcl_engine_thread *thread = &engine->threads[engine->thread_count];
    const struct gcl_device *device = engine->options.device;
    pthread_attr_t attributes;

    *thread = (struct gcl_engine_thread){.engine = engine, .lane = lane, .slot = slot};
    if (lane == GCL_LANE_COMPUTE) {
        thread->scratch = device->units->open_scratch(device);
        if (!thread->scratch)
            return false;
    }
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes,
                              lane < GCL_LANE_TRACKS ? GCL_ENGINE_STACK_SIZE : SMALL_STACK_SIZE);
    int error = pthread_create(&thread->id, &attributes, begin_thread, thread);
    pthread_attr_destroy(&attributes);
    if (error) {
        gcl_log(GCL_LOG_ERROR, "can't start a thread: %s", strerror(error));
        device->units->close_scratch(device, thread->scratch);
        return false;
    }
    engine->thread_count++;
    return true;
}

static bool start_all(struct gcl_engine *engine) {
    uint32_t count = 0;

    gcl_listeners_began_thread(engine->options.listeners, guest_line(engine), "waiting thread");
    if (!start_thread(engine, GCL_LANE_CALL, GCL_WORK_GUEST) ||
        !start_thread(engine, GCL_LANE_COPY, GCL_WORK_GUEST))
        return false;
    for (int lane = GCL_LANE_TRACKS; engine->options.has_nodes && lane < GCL_LANE_COUNT; lane++) {
        if (!start_thread(engine, (enum gcl_lane)lane, GCL_WORK_GUEST))
            return false;
    }
    while (count < engine->options.worker_count && start_thread(engine, GCL_LANE_COMPUTE, count))
        count++;
    gcl_log(GCL_LOG_INFO, "%u workers%s", count, engine->options.pins ? ", bound to cores" : "");
    return count > 0 && gcl_collector_start(engine);
}

bool gcl_engine_start_threads(struct gcl_engine *engine) {
    // New threads wait for the lock, which is held: all of them start with the same picture.
    if (!engine->has_tried_threads) {
        engine->has_tried_threads = true;
        engine->has_threads = start_all(engine);
    }
    return engine->has_threads;
}

void gcl_engine_stop_threads(struct gcl_engine *engine) {
    pthread_mutex_lock(&engine->lock);
    engine->is_closing = true;
    for (int i = 0; i < GCL_LANE_COUNT; i++) {
        atomic_fetch_add(&engine->lanes[i].epoch, 1);
        pthread_cond_broadcast(&engine->lanes[i].condition);
    }
    pthread_cond_broadcast(&engine->reserve);
    pthread_mutex_unlock(&engine->lock);
    gcl_stand_ins_stop(engine);
    gcl_collector_stop(engine);
    for (unsigned i = 0; i < engine->thread_count; i++) {
        pthread_join(engine->threads[i].id, NULL);
        engine->options.device->units->close_scratch(engine->options.device,
                                                     engine->threads[i].scratch);
    }
    engine->thread_count = 0;
}

// Waiting.

static struct gcl_command *find_open(struct gcl_lane_state *lane, struct gcl_stream *stream) {
    for (struct gcl_command *c = lane->first; c; c = c->next) {
        if (c->stream == stream && gcl_work_left(&c->work) > 0)
            return c;
    }
    return NULL;
}

static void *take_scratch(struct gcl_engine *engine) {
    const struct gcl_device *device = engine->options.device;
    if (engine->free_scratch_count > 0)
        return engine->free_scratches[--engine->free_scratch_count];
    return device->units->open_scratch(device);
}

static void give_scratch(struct gcl_engine *engine, void *scratch) {
    const struct gcl_device *device = engine->options.device;
    if (engine->free_scratch_count < GCL_ENGINE_KEPT)
        engine->free_scratches[engine->free_scratch_count++] = scratch;
    else
        device->units->close_scratch(device, scratch);
}

// Runs something that the stream waits for; false if there is nothing that the caller should run.
// `*is_patient` becomes false when it has left a large command to the workers.
static bool help(struct gcl_engine *engine, struct gcl_stream *stream, bool *is_patient) {
    struct gcl_participant guest = {.line = guest_line(engine), .slot = GCL_WORK_GUEST};
    struct gcl_command *command = find_open(&engine->lanes[GCL_LANE_COPY], stream);

    for (int lane = GCL_LANE_TRACKS; lane < GCL_LANE_COUNT && !command; lane++)
        command = find_open(&engine->lanes[lane], stream);
    if (command) {
        gcl_engine_participate(engine, command, &guest);
        return true;
    }
    command = find_open(&engine->lanes[GCL_LANE_COMPUTE], stream);
    guest.leaves = command && !command->is_small;
    // With one worker blocks run in order.
    if (!command || (guest.leaves && (!*is_patient || engine->options.worker_count == 1)))
        return false;
    guest.scratch = take_scratch(engine);
    if (!guest.scratch)
        return false;
    if (guest.leaves)
        *is_patient = false;
    gcl_engine_participate(engine, command, &guest);
    give_scratch(engine, guest.scratch);
    return true;
}

static void show_progress(struct gcl_engine *engine) {
    // A command that has no unclaimed units left is in no list; the line then stays as it is.
    for (int i = 0; i < GCL_LANE_CALL; i++) {
        const struct gcl_command *c = engine->lanes[i].first;
        if (!c)
            continue;
        gcl_progress_show(&(struct gcl_progress){
            .kernel = c->kind == GCL_COMMAND_RUN ? c->run.launch.kernel->name : NULL,
            .done = atomic_load_explicit(&c->work.done, memory_order_relaxed),
            .count = c->work.unit_count,
            .begin_ns = c->begin_ns});
    }
}

static void sleep_until_notified(struct gcl_engine *engine, struct gcl_waiter *waiter) {
    while (!atomic_load(&waiter->is_done)) {
        if (!engine->options.shows_progress) {
            pthread_cond_wait(&waiter->condition, &engine->lock);
            continue;
        }
        struct timespec deadline = gcl_clock_in(GCL_PROGRESS_INTERVAL_NS);
        pthread_cond_timedwait(&waiter->condition, &engine->lock, &deadline);
        show_progress(engine);
    }
}

static void tell_wait(struct gcl_engine *engine, struct gcl_fence fence, uint64_t begin_ns) {
    gcl_listeners_waited(engine->options.listeners, &(struct gcl_heard){.kind = GCL_HEARD_WAIT,
                                                                        .line = guest_line(engine),
                                                                        .amount = fence.stream->id,
                                                                        .begin_ns = begin_ns,
                                                                        .end_ns = gcl_clock_ns()});
}

// Sleeps, having watched for a moment if it may. The lock is held before and after.
static void wait_for(struct gcl_engine *engine, struct gcl_fence fence, bool watches) {
    struct gcl_waiter waiter = {.fence = fence, .next = engine->waiters};
    uint64_t begin_ns = gcl_clock_ns();

    pthread_cond_init(&waiter.condition, NULL);
    engine->waiters = &waiter;
    pthread_mutex_unlock(&engine->lock);
    while (watches && may_spin(engine) &&
           !atomic_load_explicit(&waiter.is_done, memory_order_relaxed) &&
           gcl_clock_ns() - begin_ns < PATIENCE_NS)
        sched_yield();
    // Also when it is done: whoever notifies has the lock until it no longer needs the waiter.
    pthread_mutex_lock(&engine->lock);
    sleep_until_notified(engine, &waiter);
    pthread_cond_destroy(&waiter.condition);
    if (gcl_listeners_want_times(engine->options.listeners))
        tell_wait(engine, fence, begin_ns);
    gcl_progress_clear();
}

/// Waits for what a queue of the device has to do for the fence; false: nothing.
static bool wait_for_queue(struct gcl_engine *engine, struct gcl_fence fence) {
    uint64_t begin_ns = gcl_clock_ns();
    if (!gcl_queue_await(engine, fence))
        return false;
    if (gcl_listeners_want_times(engine->options.listeners))
        tell_wait(engine, fence, begin_ns);
    return true;
}

static void wait_with_help(struct gcl_engine *engine, struct gcl_fence fence) {
    bool is_patient = true;
    while (!gcl_engine_has_reached(fence)) {
        if (!wait_for_queue(engine, fence) && !help(engine, fence.stream, &is_patient))
            wait_for(engine, fence, is_patient);
    }
}

// What is done here may not be on other nodes.
static enum gcl_status settle(struct gcl_engine *engine, const struct gcl_stream_work *work) {
    if (engine->settle && gcl_engine_status(engine) == GCL_OK)
        engine->settle(engine->settle_context, work);
    return gcl_engine_status(engine);
}

// Of a stream that was waited for, and of those that it has waited for.
static struct gcl_stream_work work_of(const struct gcl_engine *engine,
                                      const struct gcl_stream *stream) {
    struct gcl_stream_work work = {.last = {0}};
    if (!stream)
        return work;
    work = stream->work;
    for (const struct gcl_stream *s = engine->streams; s; s = s->next) {
        if ((stream->kind == GCL_STREAM_LEGACY && s->kind == GCL_STREAM_BLOCKING) ||
            (stream->kind == GCL_STREAM_BLOCKING && s->kind == GCL_STREAM_LEGACY))
            gcl_stream_work_add(&work, &s->work);
    }
    return work;
}

struct gcl_stream_work gcl_stream_noted(struct gcl_engine *engine,
                                        const struct gcl_stream *stream) {
    pthread_mutex_lock(&engine->lock);
    struct gcl_stream_work work = work_of(engine, stream);
    pthread_mutex_unlock(&engine->lock);
    return work;
}

enum gcl_status gcl_engine_wait(struct gcl_engine *engine, struct gcl_fence fence) {
    if (is_calling)
        return GCL_NOT_PERMITTED;
    pthread_mutex_lock(&engine->lock);
    wait_with_help(engine, fence);
    struct gcl_stream_work work = work_of(engine, fence.stream);
    pthread_mutex_unlock(&engine->lock);
    return settle(engine, &work);
}

enum gcl_status gcl_engine_wait_stream(struct gcl_engine *engine, struct gcl_stream *stream) {
    if (is_calling)
        return GCL_NOT_PERMITTED;
    pthread_mutex_lock(&engine->lock);
    for (struct gcl_stream *s = engine->streams; s; s = s->next) {
        if (gcl_stream_stands_for(stream, s))
            wait_with_help(engine, (struct gcl_fence){
                                       .stream = s, .sequence = s->submitted, .command = s->last});
    }
    struct gcl_stream_work work = work_of(engine, stream);
    pthread_mutex_unlock(&engine->lock);
    return settle(engine, &work);
}

enum gcl_status gcl_engine_run(struct gcl_engine *engine, struct gcl_stream *stream,
                               struct gcl_command *command) {
    if (is_calling) {
        gcl_engine_discard(engine, command);
        return GCL_NOT_PERMITTED;
    }
    struct gcl_fence fence = {.stream = NULL};
    bool is_submitted = gcl_engine_fits(engine, stream, command, &fence);
    pthread_mutex_lock(&engine->lock);
    if (!is_submitted) {
        command->is_awaited = true;
        fence = gcl_engine_append(engine, stream, command);
    }
    wait_with_help(engine, fence);
    pthread_mutex_unlock(&engine->lock);
    return gcl_engine_status(engine);
}

/// Waits for the streams of a device; NULL: for all there are.
static void wait_for_streams(struct gcl_engine *engine, const unsigned *device) {
    pthread_mutex_lock(&engine->lock);
    // Stream by stream, each up to where it is when its turn comes: streams are never freed.
    for (struct gcl_stream *s = engine->streams; s; s = s->next) {
        if (!device || s->device == *device)
            wait_with_help(engine, (struct gcl_fence){.stream = s, .sequence = s->submitted});
    }
    pthread_mutex_unlock(&engine->lock);
}

enum gcl_status gcl_engine_wait_device(struct gcl_engine *engine, unsigned device) {
    if (is_calling)
        return GCL_NOT_PERMITTED;
    wait_for_streams(engine, &device);
    return gcl_engine_status(engine);
}

enum gcl_status gcl_engine_wait_all(struct gcl_engine *engine) {
    if (is_calling)
        return GCL_NOT_PERMITTED;
    wait_for_streams(engine, NULL);
    return settle(engine, NULL);
}

void gcl_engine_reach(struct gcl_engine *engine, struct gcl_fence fence) {
    pthread_mutex_lock(&engine->lock);
    wait_with_help(engine, fence);
    pthread_mutex_unlock(&engine->lock);
}

bool gcl_engine_is_reached(struct gcl_engine *engine, struct gcl_fence fence) {
    pthread_mutex_lock(&engine->lock);
    if (!gcl_engine_has_reached(fence))
        gcl_queue_poll(engine, fence.stream);
    bool is_reached = gcl_engine_has_reached(fence);
    pthread_mutex_unlock(&engine->lock);
    return is_reached;
}
