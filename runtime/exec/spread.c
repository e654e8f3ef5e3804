// Operations and the commands that carry out their plans; the other parts are in spread_state.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/clocks.h"
#include "exec/dry.h"
#include "exec/errand.h"
#include "exec/guard.h"
#include "exec/registry.h"
#include "exec/report.h"
#include "exec/space.h"
#include "exec/spread_state.h"
#include "exec/stats.h"

struct gcl_spread *gcl_spread_create(const struct gcl_spread_options *options) {
    struct gcl_spread *spread = calloc(1, sizeof *spread);
    if (!spread)
        return NULL;
    spread->options = *options;
    spread->directory = gcl_directory_create(options->count);
    if (!spread->directory) {
        free(spread);
        return NULL;
    }
    spread->reader = (struct gcl_reader){.self = options->dry ? GCL_NOWHERE : options->self,
                                         .fetch = gcl_spread_fetch,
                                         .memory = gcl_spread_memory_at,
                                         .tell = gcl_spread_tell,
                                         .context = spread};
    pthread_mutex_init(&spread->lock, NULL);
    pthread_cond_init(&spread->planned, NULL);
    if (gcl_spread_create_tracks(spread) &&
        (!options->has_devices || options->self > 0 || gcl_spread_init_devices(spread)))
        return spread;
    gcl_directory_destroy(spread->directory);
    free(spread);
    return NULL;
}

bool gcl_spread_is_home(const struct gcl_spread *spread) {
    return spread->options.self == 0;
}

void gcl_spread_fail(struct gcl_spread *spread, enum gcl_status status, const char *reason) {
    const struct gcl_courier *courier = &spread->options.courier;
    gcl_engine_fail(spread->options.engine, status);
    if (status != GCL_NODE_LOST && !atomic_exchange(&spread->has_failed, true))
        courier->give_up(courier->context, reason);
}

void gcl_spread_give_up(struct gcl_spread *spread) {
    gcl_log(GCL_LOG_ERROR, "no memory to spread commands over nodes");
    gcl_spread_fail(spread, GCL_NO_MEMORY, "it has no memory to spread commands over nodes");
}

void gcl_spread_announce(struct gcl_spread *spread, struct gcl_operation *operation) {
    operation->sequence = ++spread->sequence;
    if (!gcl_spread_is_home(spread))
        return;
    size_t size = gcl_operation_size(operation);
    unsigned char *bytes = malloc(size);
    if (!bytes) {
        gcl_spread_give_up(spread);
        return;
    }
    gcl_operation_write(operation, bytes);
    spread->options.courier.broadcast(spread->options.courier.context, bytes, size);
    free(bytes);
}

// Commands that carry out a plan on this node.

struct step {
    struct gcl_spread *spread;
    struct gcl_errand *errand;
    bool is_last; ///< nothing of the errand follows
};

/// Others wait for what this node hasn't done.
static void fail_step(const struct step *step, enum gcl_status status, const char *verb) {
    char what[160], reason[256];
    gcl_errand_describe(step->errand, what, sizeof what);
    snprintf(reason, sizeof reason, "it %s %s %s",
             status == GCL_NO_MEMORY ? "has no memory to" : "can't", verb, what);
    gcl_spread_fail(step->spread, status, reason);
}

/// Does a part of an errand, unless there is nobody to do it for.
static void run_step(struct step *step, enum gcl_status (*run)(struct gcl_errand *errand),
                     const char *verb) {
    struct gcl_spread *spread = step->spread;
    bool is_done = spread->options.dry || atomic_load(&spread->has_failed);
    enum gcl_status status = is_done ? GCL_OK : run(step->errand);
    if (status != GCL_OK)
        fail_step(step, status, verb);
    if (step->is_last)
        gcl_errand_destroy(step->errand);
    free(step);
}

static void run_before(void *data) {
    run_step(data, gcl_errand_before, "fetch");
}

static void run_after(void *data) {
    run_step(data, gcl_errand_after, "merge");
}

struct gcl_fence gcl_spread_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                 struct gcl_call call) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_CALL);
    if (!command) {
        gcl_spread_give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    command->call = call;
    return gcl_engine_submit(spread->options.engine, stream, command);
}

/// Submits the part of an errand that comes before its command, or after it.
static struct gcl_fence submit_step(struct gcl_spread *spread, struct gcl_stream *stream,
                                    enum gcl_track track, bool is_after, struct gcl_errand *errand,
                                    bool is_last) {
    struct step *step = malloc(sizeof *step);
    if (!step) {
        gcl_spread_give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    *step = (struct step){spread, errand, is_last};
    return gcl_spread_call(
        spread, stream,
        (struct gcl_call){.function = is_after ? run_after : run_before,
                          .data = step,
                          .name = is_after ? "merge" : "fetch",
                          .track = track,
                          .leaves_workers = !gcl_spread_is_alone(spread, track)});
}

struct gcl_fence gcl_spread_submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_WAIT);
    if (command)
        return gcl_engine_submit(spread->options.engine, stream, command);
    gcl_spread_give_up(spread);
    return (struct gcl_fence){.stream = NULL};
}

/// What is left of a command in a dry run; NULL: nothing.
static struct gcl_command *empty(const struct gcl_spread *spread, const struct gcl_plan *plan,
                                 struct gcl_command *command) {
    gcl_dry_plan(spread->options.dry, plan);
    if (!command)
        return NULL;
    bool targets_device = command->kind == GCL_COMMAND_COPY &&
                          gcl_directory_find(spread->directory, (uintptr_t)command->copy.target);
    if (gcl_dry_empty(command, targets_device))
        return command;
    gcl_engine_discard(spread->options.engine, command);
    return NULL;
}

static const char *what_of(const struct gcl_command *command) {
    return command && command->kind == GCL_COMMAND_RUN ? command->run.launch.kernel->name
                                                       : "a copy";
}

struct gcl_fence gcl_spread_carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_plan *plan, struct gcl_turn turn,
                                      struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_fence fence = {.stream = NULL};
    gcl_plan_commit(plan, spread->directory);
    const char *what = what_of(command);
    if (spread->options.dry)
        command = empty(spread, plan, command);
    struct gcl_errand *errand = gcl_errand_create(
        plan, (struct gcl_errand_purpose){what, turn.moment, turn.track},
        &(struct gcl_errand_means){spread->options.self, spread->options.courier, spread->guard});
    if (!errand) {
        gcl_spread_give_up(spread);
        gcl_engine_discard(engine, command);
        return fence;
    }
    bool has_before = gcl_errand_has_before(errand), has_after = gcl_errand_has_after(errand);
    if (gcl_spread_occupies_others(spread, plan))
        spread->tracks[turn.track].worked = turn.moment;
    stream = gcl_spread_take_off(spread, stream, turn.track, plan);
    bool is_run = command && command->kind == GCL_COMMAND_RUN;
    if (has_before || has_after || (command && !is_run))
        gcl_spread_order(spread, plan);
    if (has_before)
        fence = submit_step(spread, stream, turn.track, false, errand, !has_after);
    if (is_run)
        fence = gcl_spread_submit_kernel(spread, stream, plan, command);
    else if (command)
        fence = gcl_engine_submit(engine, stream, command);
    if (has_after)
        fence = submit_step(spread, stream, turn.track, true, errand, true);
    if (!has_before && !has_after)
        gcl_errand_destroy(errand);
    if (!fence.stream && !spread->work)
        fence = gcl_spread_submit_nothing(spread, stream);
    gcl_spread_fly(spread, turn, plan, fence);
    return fence;
}

void gcl_spread_count_copy(struct gcl_spread *spread, struct gcl_plan *plan,
                           struct gcl_fence fence) {
    if (spread->options.stats)
        gcl_stats_copy(spread->options.stats, plan, fence);
}

static size_t used_memory(struct gcl_space *space) {
    size_t used = 0;
    for (unsigned device = 0; device < gcl_space_device_count(space); device++)
        used += gcl_space_used(space, device);
    return used;
}

static struct gcl_fence submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command, const struct gcl_code *code) {
    uint32_t node = spread->work ? gcl_stream_device(stream) : GCL_NOBODY;
    struct gcl_fence fence =
        gcl_spread_submit_run(spread, gcl_spread_work(spread, stream), command, code, node);
    gcl_spread_give(spread, stream, fence, node);
    return fence;
}

/// A function of the program's comes after all that its stream was given before.
static struct gcl_fence submit_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    gcl_spread_await_given(spread, stream);
    struct gcl_fence fence = gcl_engine_submit(engine, stream, command);
    if (spread->runs && gcl_stream_follow(engine, spread->runs, stream) != GCL_OK)
        gcl_spread_give_up(spread);
    return fence;
}

/// Memory is free when nobody uses it any more, whatever streams that is for.
static struct gcl_fence submit_free(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    if (spread->work)
        gcl_spread_join_given(spread);
    stream = gcl_spread_work(spread, stream);
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    return gcl_engine_submit(spread->options.engine, stream, command);
}

static struct gcl_fence submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    uint32_t home = gcl_spread_home_of(spread, command->copy.target);
    bool is_own = spread->work && gcl_stream_device(stream) == spread->options.self;
    if (is_own)
        gcl_spread_join_given(spread);
    struct gcl_fence fence =
        gcl_spread_submit_copy(spread, gcl_spread_work(spread, stream), command);
    gcl_spread_give(spread, stream, fence, home);
    if (is_own)
        gcl_spread_join_given(spread);
    return fence;
}

struct gcl_fence gcl_spread_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command) {
    bool is_run = command->kind == GCL_COMMAND_RUN, is_call = command->kind == GCL_COMMAND_CALL;
    bool is_free = command->kind == GCL_COMMAND_FREE;
    const struct gcl_kernel *kernel = is_run ? command->run.launch.kernel : NULL;
    const struct gcl_code *code = is_run ? gcl_registry_code(kernel) : NULL;
    struct gcl_dry *dry = spread->options.dry;
    size_t allocated = dry ? used_memory(spread->options.space) : 0;
    struct gcl_escapes escapes = {.count = 0};
    struct gcl_fence fence;
    if (is_run)
        escapes = gcl_spread_find_escapes(spread, kernel);
    gcl_spread_lock(spread);
    if (dry)
        gcl_dry_begin(dry, allocated);
    gcl_spread_tell_escapes(spread, &escapes);
    // Others wait for these, which may wait for the host.
    if (is_call || (is_run && command->run.is_cooperative))
        gcl_spread_bring_all_home(spread, gcl_spread_work(spread, stream));
    if (is_run)
        fence = submit_run(spread, stream, command, code);
    else if (is_free)
        fence = submit_free(spread, stream, command);
    else if (is_call)
        fence = submit_call(spread, stream, command);
    else
        fence = submit_copy(spread, stream, command);
    if (dry)
        gcl_dry_end(dry, is_run);
    gcl_spread_unlock(spread);
    return fence;
}

// Memory.

size_t gcl_spread_memory(struct gcl_spread *spread) {
    gcl_spread_lock(spread);
    size_t size = gcl_directory_memory(spread->directory);
    for (uint32_t i = 0; i < spread->kernel_count; i++)
        size += gcl_schedule_memo_memory(spread->kernels[i].schedules);
    gcl_spread_unlock(spread);
    return size;
}

static enum gcl_host_use use_of(uint32_t kind) {
    if (kind & GCL_SPACE_MANAGED)
        return GCL_HOST_GUARDED;
    return kind & GCL_SPACE_PINNED ? GCL_HOST_UNSEEN : GCL_HOST_NEVER;
}

void gcl_spread_add_memory(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (!gcl_directory_add(spread->directory, o->allocate.begin, o->allocate.size,
                           use_of(o->allocate.space_kind)))
        gcl_spread_give_up(spread);
    else
        gcl_directory_set_home(spread->directory, o->allocate.begin, o->allocate.home);
}

// What the host uses as well is everybody's.
static uint32_t home_for_all(const struct gcl_spread *spread,
                             const struct gcl_allocation *allocation) {
    bool is_shared = allocation->kind == GCL_SPACE_MANAGED || allocation->kind == GCL_SPACE_PINNED;
    return spread->options.has_devices && !is_shared ? allocation->device : GCL_NOBODY;
}

bool gcl_spread_remove_memory(struct gcl_spread *spread, uint64_t begin) {
    gcl_spread_forget_readers(spread, begin);
    return gcl_directory_remove(spread->directory, begin);
}

// Where the host's use of managed memory can't be noticed, that is memory like pinned one.
static uint32_t kind_for_all(const struct gcl_spread *spread, enum gcl_space_kind kind) {
    bool is_unseen = kind == GCL_SPACE_MANAGED && !spread->guard;
    return is_unseen ? GCL_SPACE_PINNED : (uint32_t)kind;
}

/// Tells of an allocation that is there or is going to be free, once no launch is being planned: it
/// is none that such a launch uses, and whoever tells may hold what commands wait for.
static void change_memory(struct gcl_spread *spread, struct gcl_operation *o) {
    if (spread->is_planning) {
        struct gcl_operation copy = *o;
        struct gcl_operation *late =
            realloc(spread->late, (spread->late_count + 1) * sizeof *spread->late);
        if (!late) {
            gcl_spread_give_up(spread);
            return;
        }
        late[spread->late_count++] = copy;
        spread->late = late;
        return;
    }
    gcl_spread_announce(spread, o);
    if (o->kind == GCL_OPERATION_ALLOCATE)
        gcl_spread_add_memory(spread, o);
    else
        gcl_spread_remove_memory(spread, o->free.begin);
}

void gcl_spread_allocated(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_ALLOCATE,
                              .allocate = {.begin = allocation->begin, .size = allocation->size}};
    pthread_mutex_lock(&spread->lock);
    if (allocation->kind == GCL_SPACE_MANAGED)
        gcl_spread_guard(spread);
    o.allocate.space_kind = kind_for_all(spread, allocation->kind);
    o.allocate.home = home_for_all(spread, allocation);
    change_memory(spread, &o);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_freed(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_FREE, .free = {.begin = allocation->begin}};
    pthread_mutex_lock(&spread->lock);
    change_memory(spread, &o);
    if (spread->guard)
        gcl_guard_forget(spread->guard, allocation->begin);
    pthread_mutex_unlock(&spread->lock);
}

struct gcl_verified gcl_spread_verified(struct gcl_spread *spread) {
    return spread->verified;
}

// The lock.

void gcl_spread_lock(struct gcl_spread *spread) {
    pthread_mutex_lock(&spread->lock);
    while (spread->is_planning)
        pthread_cond_wait(&spread->planned, &spread->lock);
}

void gcl_spread_unlock(struct gcl_spread *spread) {
    for (size_t i = 0; i < spread->late_count; i++) {
        struct gcl_operation late = spread->late[i];
        change_memory(spread, &late);
    }
    spread->late_count = 0;
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_pause(struct gcl_spread *spread) {
    if (!gcl_spread_is_home(spread))
        return;
    spread->is_planning = true;
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_resume(struct gcl_spread *spread) {
    if (!gcl_spread_is_home(spread))
        return;
    pthread_mutex_lock(&spread->lock);
    spread->is_planning = false;
    pthread_cond_broadcast(&spread->planned);
}

void gcl_spread_placed(void *context, const struct gcl_code *code) {
    struct gcl_spread *spread = context;
    uint64_t *addresses = malloc((code->variable_count + 1) * sizeof *addresses);
    if (!addresses) {
        gcl_spread_give_up(spread);
        return;
    }
    for (uint32_t i = 0; i < code->variable_count; i++)
        addresses[i] = (uintptr_t)*code->variables[i].address;
    if (code->image)
        addresses[code->variable_count] = (uintptr_t)*code->image->address;
    gcl_spread_lock(spread);
    gcl_spread_announce(spread, &(struct gcl_operation){
                                    .kind = GCL_OPERATION_CODE,
                                    .code = {.id = code->id,
                                             .id_size = (uint32_t)strcspn(code->id, "\n"),
                                             .stride = spread->stride,
                                             .addresses = (const unsigned char *)addresses,
                                             .count = (uint32_t)gcl_registry_address_count(code)}});
    gcl_spread_unlock(spread);
    free(addresses);
}

// Settling.

/// Node 0 receives a word from each other node, they send theirs. Has seen to it that nothing goes
/// on unless it is GCL_OK.
static enum gcl_status pass_words(struct gcl_spread *spread, uint64_t sequence,
                                  struct gcl_spread_word *words) {
    const struct gcl_courier *courier = &spread->options.courier;
    bool is_home = gcl_spread_is_home(spread);
    gcl_node peers = is_home ? spread->options.count - 1 : 1;
    struct gcl_parcel *parcels = calloc(peers, sizeof *parcels);
    enum gcl_status status = parcels ? GCL_OK : GCL_NO_MEMORY;
    for (gcl_node i = 0; status == GCL_OK && i < peers; i++)
        parcels[i] = (struct gcl_parcel){.what = "the end of all commands",
                                         .peer = is_home ? i + 1 : 0,
                                         .is_sent = !is_home,
                                         .tag = gcl_errand_tag_beside(sequence, 0),
                                         .bytes = &words[i],
                                         .size = sizeof words[i]};
    if (status == GCL_OK)
        status = courier->exchange(courier->context, (struct gcl_turn){0}, parcels, peers);
    if (status != GCL_OK)
        gcl_spread_fail(spread, status, "it has no memory to exchange nodes' states");
    free(parcels);
    return status;
}

/// Tracks (bits) with an operation of the work that nodes may still be busy with.
static unsigned find_busy(const struct gcl_spread *spread, const struct gcl_stream_work *work) {
    unsigned busy = 0;
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++) {
        uint64_t last = work ? work->last[i] : spread->tracks[i].worked;
        busy |= last > spread->tracks[i].settled ? 1u << i : 0;
    }
    return busy;
}

/// Has all nodes say when they are done with the work's tracks. False: they are already. Another
/// thread may be waiting for that: it is waited for, too.
static bool begin_settling(struct gcl_spread *spread, const struct gcl_stream_work *work,
                           struct gcl_operation *o) {
    pthread_mutex_lock(&spread->lock);
    while (spread->is_planning || (spread->settling & find_busy(spread, work)))
        pthread_cond_wait(&spread->planned, &spread->lock);
    o->settle.tracks = find_busy(spread, work);
    if (o->settle.tracks)
        gcl_spread_announce(spread, o);
    spread->settling |= o->settle.tracks;
    gcl_spread_unlock(spread);
    return o->settle.tracks != 0;
}

static void end_settling(struct gcl_spread *spread, const struct gcl_operation *o) {
    pthread_mutex_lock(&spread->lock);
    for (unsigned i = 0; i < GCL_TRACK_COUNT; i++) {
        if (o->settle.tracks & 1u << i)
            spread->tracks[i].settled = o->sequence;
    }
    spread->settling &= ~o->settle.tracks;
    pthread_cond_broadcast(&spread->planned);
    pthread_mutex_unlock(&spread->lock);
}

/// Waits for the others' word on an operation, and gives the first failure among them.
static enum gcl_status hear_all(struct gcl_spread *spread, uint64_t sequence) {
    gcl_node others = spread->options.count - 1;
    struct gcl_spread_word *words = calloc(others, sizeof *words);
    enum gcl_status status = words ? pass_words(spread, sequence, words) : GCL_NO_MEMORY;
    for (gcl_node i = 0; i < others && status == GCL_OK; i++)
        status = gcl_spread_word_status(spread, i + 1, &words[i]);
    free(words);
    return status;
}

// Where nodes are devices, a fence of a stream is reached when its device has done all of it.
void gcl_spread_settle(void *context, const struct gcl_stream_work *work) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_SETTLE};
    if ((spread->options.has_devices && work) || !begin_settling(spread, work, &o))
        return;
    enum gcl_status status = hear_all(spread, o.sequence);
    if (status != GCL_OK)
        gcl_engine_fail(spread->options.engine, status);
    end_settling(spread, &o);
}

struct gcl_directory_share gcl_spread_share_of(struct gcl_spread *spread, gcl_node node) {
    pthread_mutex_lock(&spread->lock); // not held for long by anybody
    struct gcl_directory_share share = gcl_directory_share_of(spread->directory, node);
    pthread_mutex_unlock(&spread->lock);
    return share;
}

struct settling {
    struct gcl_spread *spread;
    uint64_t sequence;
};

static void tell_settled(void *data) {
    struct settling *settling = data;
    struct gcl_spread *spread = settling->spread;
    struct gcl_spread_word word = {gcl_clock_ns(), gcl_engine_status(spread->options.engine)};
    fflush(stdout); // what kernels printed comes before what the program prints next
    enum gcl_status sent = pass_words(spread, settling->sequence, &word);
    (void)sent;
    free(settling);
}

bool gcl_spread_apply_settle(struct gcl_spread *spread, const struct gcl_operation *o) {
    struct settling *settling = malloc(sizeof *settling);
    if (!settling)
        return false;
    *settling = (struct settling){spread, o->sequence};
    unsigned tracks = o->kind == GCL_OPERATION_AWAIT ? 1u << GCL_TRACK_KERNELS : o->settle.tracks;
    // On the thread of one of the tracks: others may be busy for long.
    enum gcl_track track = GCL_TRACK_KERNELS;
    while (!(tracks & 1u << track) && track + 1 < GCL_TRACK_COUNT)
        track++;
    struct gcl_stream *stream = spread->tracks[track].stream;
    gcl_spread_join_tracks(spread, stream, tracks);
    gcl_spread_call(
        spread, stream,
        (struct gcl_call){
            .function = tell_settled, .data = settling, .name = "settle", .track = track});
    return true;
}

void gcl_spread_show_held(struct gcl_spread *spread, uint64_t *held) {
    size_t count;
    memset(held, 0, spread->options.count * sizeof *held);
    gcl_spread_lock(spread);
    const struct gcl_entry *entries = gcl_directory_entries(spread->directory, &count);
    for (size_t i = 0; i < count; i++) {
        for (gcl_node node = 0; node < spread->options.count; node++)
            held[node] += (uint64_t)gcl_region_size(&entries[i].layout->held[node]);
    }
    gcl_spread_unlock(spread);
}

// Reports.

struct gcl_report gcl_spread_report(const struct gcl_spread *spread, uint64_t sequence) {
    return (struct gcl_report){.stats = spread->options.stats,
                               .trace = spread->options.trace,
                               .courier = &spread->options.courier,
                               .sequence = sequence};
}

void gcl_spread_collect(struct gcl_spread *spread, const struct gcl_clocks *clocks) {
    struct gcl_operation o = {.kind = GCL_OPERATION_REPORT};
    if (gcl_engine_status(spread->options.engine) != GCL_OK)
        return;
    gcl_spread_lock(spread);
    gcl_spread_announce(spread, &o);
    gcl_spread_unlock(spread);
    struct gcl_report report = gcl_spread_report(spread, o.sequence);
    for (gcl_node node = 1; node < spread->options.count; node++) {
        if (!gcl_report_receive(&report, node, &clocks[node]))
            return;
    }
}
