// One lock orders operations: whoever makes one plans it, sends it and submits its commands under
// it. Locks are taken in the order registry, space, spread, engine.
//
// What the host shares (managed and pinned memory) is brought home after each launch that changes
// it, since the host may look at it at any time, and counts as changed by the host before each.
#include "spread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "base/name.h"
#include "cluster/operation.h"
#include "exec/errand.h"
#include "exec/registry.h"
#include "exec/space.h"
#include "exec/variant.h"
#include "gcluster/reasons.h"
#include "plan/schedule.h"

/// A kernel of the program, as all nodes number them.
struct kernel {
    const struct gcl_kernel *kernel;
    struct gcl_scheduler *scheduler;
    uint16_t told; ///< reason that has been logged
};

struct gcl_spread {
    struct gcl_spread_options options;
    pthread_mutex_t lock;
    struct gcl_directory *directory;
    uint64_t sequence;
    uint64_t settled; ///< operations that all nodes have done
    struct kernel *kernels;
    uint32_t kernel_count;
    struct gcl_map numbers; ///< node 0: of kernels, from 1
};

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
    pthread_mutex_init(&spread->lock, NULL);
    return spread;
}

static bool is_home(const struct gcl_spread *spread) {
    return spread->options.self == 0;
}

// Without memory to say what happens, nodes would disagree: nothing may go on then.
static void give_up(struct gcl_spread *spread) {
    gcl_log(GCL_LOG_ERROR, "no memory to spread commands over nodes");
    gcl_engine_fail(spread->options.engine, GCL_NO_MEMORY);
}

/// Gives an operation its number and, on node 0, sends it.
static void announce(struct gcl_spread *spread, struct gcl_operation *operation) {
    operation->sequence = ++spread->sequence;
    if (!is_home(spread))
        return;
    size_t size = gcl_operation_size(operation);
    unsigned char *bytes = malloc(size);
    if (!bytes) {
        give_up(spread);
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

static void finish_step(struct step *step, enum gcl_status status) {
    if (status != GCL_OK)
        gcl_engine_fail(step->spread->options.engine, status);
    if (step->is_last)
        gcl_errand_destroy(step->errand);
    free(step);
}

static void run_before(void *data) {
    struct step *step = data;
    finish_step(step, gcl_errand_before(step->errand));
}

static void run_after(void *data) {
    struct step *step = data;
    finish_step(step, gcl_errand_after(step->errand));
}

static struct gcl_fence call(struct gcl_spread *spread, struct gcl_stream *stream,
                             void (*function)(void *data), void *data) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_CALL);
    if (!command) {
        give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    command->call.function = function;
    command->call.data = data;
    return gcl_engine_submit(spread->options.engine, stream, command);
}

static struct gcl_fence submit_step(struct gcl_spread *spread, struct gcl_stream *stream,
                                    void (*function)(void *data), struct gcl_errand *errand,
                                    bool is_last) {
    struct step *step = malloc(sizeof *step);
    if (!step) {
        give_up(spread);
        return (struct gcl_fence){.stream = NULL};
    }
    *step = (struct step){spread, errand, is_last};
    return call(spread, stream, function, step);
}

static struct gcl_fence submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream) {
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_WAIT);
    if (command)
        return gcl_engine_submit(spread->options.engine, stream, command);
    give_up(spread);
    return (struct gcl_fence){.stream = NULL};
}

/// Submits this node's share of a plan, which it takes: what comes before the command (NULL: none),
/// the command, and what comes after it.
static struct gcl_fence carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                  struct gcl_plan *plan, uint64_t sequence,
                                  struct gcl_command *command) {
    struct gcl_engine *engine = spread->options.engine;
    struct gcl_fence fence = {.stream = NULL};
    gcl_plan_commit(plan, spread->directory);
    struct gcl_errand *errand =
        gcl_errand_create(plan, spread->options.self, sequence, &spread->options.courier);
    if (!errand) {
        give_up(spread);
        gcl_engine_discard(engine, command);
        return fence;
    }
    bool has_before = gcl_errand_has_before(errand), has_after = gcl_errand_has_after(errand);
    if (has_before)
        fence = submit_step(spread, stream, run_before, errand, !has_after);
    if (command)
        fence = gcl_engine_submit(engine, stream, command);
    if (has_after)
        fence = submit_step(spread, stream, run_after, errand, true);
    if (!has_before && !has_after)
        gcl_errand_destroy(errand);
    return fence.stream ? fence : submit_nothing(spread, stream);
}

// Memory of the host's.

static bool demand_home(struct gcl_spread *spread, struct gcl_plan *plan,
                        const struct gcl_entry *entry) {
    struct gcl_region *all = calloc(spread->options.count, sizeof *all);
    if (!all)
        return false;
    all[0] = gcl_region_run(0, (int64_t)entry->size);
    bool ok =
        gcl_plan_demand(plan, spread->directory,
                        &(struct gcl_demand){.begin = entry->begin, .needed = all, .written = all});
    free(all); // one run needs no memory
    return ok;
}

/// Brings home what the host shares and a plan has taken away. False: no memory.
static bool bring_home(struct gcl_spread *spread, struct gcl_stream *stream, const uint64_t *places,
                       size_t count, struct gcl_fence *fence) {
    struct gcl_plan plan = {.place_count = 0};
    for (size_t i = 0; i < count; i++) {
        const struct gcl_entry *entry = gcl_directory_find(spread->directory, places[i]);
        if (entry->is_shared && !demand_home(spread, &plan, entry)) {
            gcl_plan_finish(&plan);
            return false;
        }
    }
    if (plan.place_count > 0)
        *fence = carry_out(spread, stream, &plan, ++spread->sequence, NULL);
    return true;
}

static uint64_t *list_places(const struct gcl_plan *plan) {
    uint64_t *places = malloc((plan->place_count + 1) * sizeof *places);
    for (size_t i = 0; places && i < plan->place_count; i++)
        places[i] = plan->places[i].begin;
    return places;
}

// Launches.

static const char *reason_text(uint16_t code) {
    switch (code) {
#define GCL_REASON(name, number, what, why, advice)                                                \
    case number:                                                                                   \
        return why;
        GCL_REASONS
#undef GCL_REASON
    default:
        return "";
    }
}

/// Says once a kernel that it doesn't spread, and why.
static void remark(const struct gcl_spread *spread, struct kernel *kernel,
                   const struct gcl_schedule *schedule) {
    char name[128];
    if (!is_home(spread) || schedule->axis || kernel->told == schedule->reason)
        return;
    kernel->told = schedule->reason;
    gcl_log(GCL_LOG_INFO, "%s runs on node 0 alone: %s [GCL%u]",
            gcl_name_demangle(kernel->kernel->name, name, sizeof name),
            reason_text(schedule->reason), schedule->reason);
}

static struct gcl_launch_part whole_launch(const struct gcl_block_launch *launch) {
    struct gcl_launch_part part = {.arguments = launch->arguments};
    memcpy(part.block_size, launch->block_size, sizeof part.block_size);
    memcpy(part.grid_size, launch->grid_size, sizeof part.grid_size);
    memcpy(part.end, launch->grid_size, sizeof part.end);
    return part;
}

static bool is_empty(const struct gcl_launch_part *part) {
    return part->begin[0] >= part->end[0] || part->begin[1] >= part->end[1] ||
           part->begin[2] >= part->end[2];
}

/// Submits this node's share of a launch; `command` runs all of it.
static struct gcl_fence launch(struct gcl_spread *spread, struct gcl_stream *stream,
                               struct gcl_command *command, uint32_t number, bool is_single,
                               uint64_t sequence) {
    struct kernel *kernel = &spread->kernels[number];
    struct gcl_block_launch *l = &command->run.launch;
    struct gcl_launch_part part = whole_launch(l);
    struct gcl_fence fence = {.stream = NULL};
    struct gcl_schedule schedule;
    uint64_t *places = NULL;
    if (!gcl_scheduler_find(kernel->scheduler, &part, is_single, &schedule) ||
        !(places = list_places(&schedule.plan))) {
        give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return fence;
    }
    remark(spread, kernel, &schedule);
    const struct gcl_launch_part *own = &schedule.parts[spread->options.self];
    memcpy(l->begin, own->begin, sizeof l->begin);
    memcpy(l->end, own->end, sizeof l->end);
    if (is_empty(own)) {
        gcl_engine_discard(spread->options.engine, command);
        command = NULL;
    }
    size_t count = schedule.plan.place_count;
    fence = carry_out(spread, stream, &schedule.plan, sequence, command);
    if (!bring_home(spread, stream, places, count, &fence))
        give_up(spread);
    free(places);
    gcl_schedule_finish(&schedule);
    return fence;
}

static bool add_kernel(struct gcl_spread *spread, const struct gcl_kernel *kernel) {
    struct kernel *kernels = realloc(spread->kernels, (spread->kernel_count + 1) * sizeof *kernels);
    if (!kernels)
        return false;
    spread->kernels = kernels;
    struct gcl_scheduler *scheduler = gcl_scheduler_create(kernel->program, spread->directory);
    if (!scheduler)
        return false;
    kernels[spread->kernel_count++] = (struct kernel){.kernel = kernel, .scheduler = scheduler};
    return true;
}

/// The number of a kernel, which the others are told. False: no memory.
static bool number_of(struct gcl_spread *spread, const struct gcl_kernel *kernel,
                      const struct gcl_code *code, uint32_t *number) {
    uintptr_t known = (uintptr_t)gcl_map_get(&spread->numbers, kernel);
    if (!known) {
        if (!add_kernel(spread, kernel))
            return false;
        known = spread->kernel_count;
        if (!gcl_map_set(&spread->numbers, kernel, (void *)known))
            return false;
        announce(spread,
                 &(struct gcl_operation){.kind = GCL_OPERATION_KERNEL,
                                         .kernel = {.number = (uint32_t)known - 1,
                                                    .id = code->id,
                                                    .id_size = (uint32_t)strcspn(code->id, "\n"),
                                                    .name = kernel->name,
                                                    .name_size = (uint32_t)strlen(kernel->name)}});
    }
    *number = (uint32_t)known - 1;
    return true;
}

static struct gcl_fence submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command, const struct gcl_code *code) {
    const struct gcl_block_launch *l = &command->run.launch;
    const struct gcl_kernel *kernel = l->kernel;
    bool is_single = command->run.is_cooperative || (kernel->flags & GCL_KERNEL_SANITIZED) != 0;
    uint32_t number;
    if (!number_of(spread, kernel, code, &number)) {
        give_up(spread);
        gcl_engine_discard(spread->options.engine, command);
        return (struct gcl_fence){.stream = NULL};
    }
    struct gcl_operation operation = {.kind = GCL_OPERATION_LAUNCH,
                                      .launch = {.kernel = number,
                                                 .directory = gcl_directory_hash(spread->directory),
                                                 .shared_size = l->dynamic_shared_size,
                                                 .is_single = is_single,
                                                 .arguments = l->arguments,
                                                 .argument_size = kernel->argument_size}};
    memcpy(operation.launch.grid, l->grid_size, sizeof l->grid_size);
    memcpy(operation.launch.block, l->block_size, sizeof l->block_size);
    announce(spread, &operation);
    return launch(spread, stream, command, number, is_single, operation.sequence);
}

// Copies and sets by node 0.

static struct gcl_operation_box box_of(const void *begin, size_t pitch, size_t slice,
                                       const struct gcl_box_copy *copy) {
    return (struct gcl_operation_box){.begin = (uintptr_t)begin,
                                      .pitch = pitch,
                                      .slice = slice,
                                      .width = copy->width,
                                      .height = copy->height,
                                      .depth = copy->depth};
}

/// The bytes of a box in its allocation; false if that can't be said exactly.
static bool region_of(const struct gcl_entry *entry, const struct gcl_operation_box *box,
                      struct gcl_region *region) {
    const struct gcl_level levels[] = {{(int64_t)box->pitch, (int64_t)box->height},
                                       {(int64_t)box->slice, (int64_t)box->depth}};
    struct gcl_span all = {0, (int64_t)entry->size};
    return gcl_region_from_box((int64_t)(box->begin - entry->begin), (int64_t)box->width, levels, 2,
                               region) &&
           gcl_region_clip(region, all, region);
}

static struct gcl_entry *entry_of(struct gcl_spread *spread, const struct gcl_operation_box *box) {
    return box->width > 0 ? gcl_directory_find(spread->directory, box->begin) : NULL;
}

/// Adds what node 0 reads and writes of one allocation; NULL: none of it.
static bool demand_boxes(struct gcl_spread *spread, struct gcl_plan *plan,
                         const struct gcl_entry *entry, const struct gcl_operation_box *read,
                         const struct gcl_operation_box *written) {
    struct gcl_region *regions = calloc(2 * (size_t)spread->options.count, sizeof *regions);
    struct gcl_region *needed = regions, *changed = regions + spread->options.count;
    size_t places = plan->place_count, transfers = plan->transfer_count;
    if (!regions)
        return false;
    bool ok = (!read || region_of(entry, read, needed)) &&
              (!written || region_of(entry, written, changed)) &&
              gcl_plan_demand(plan, spread->directory,
                              &(struct gcl_demand){
                                  .begin = entry->begin, .needed = needed, .written = changed});
    gcl_region_finish(&needed[0]);
    gcl_region_finish(&changed[0]);
    free(regions);
    if (ok)
        return true;
    plan->place_count = places;
    while (plan->transfer_count > transfers)
        gcl_region_finish(&plan->transfers[--plan->transfer_count].bytes);
    return demand_home(spread, plan, entry);
}

static struct gcl_fence do_access(struct gcl_spread *spread, struct gcl_stream *stream,
                                  const struct gcl_operation *o, struct gcl_command *command) {
    const struct gcl_entry *read = entry_of(spread, &o->access.read);
    const struct gcl_entry *written = entry_of(spread, &o->access.written);
    struct gcl_plan plan = {.place_count = 0};
    bool ok = true;
    if (read)
        ok = demand_boxes(spread, &plan, read, &o->access.read,
                          read == written ? &o->access.written : NULL);
    if (written && written != read)
        ok = ok && demand_boxes(spread, &plan, written, NULL, &o->access.written);
    if (!ok)
        give_up(spread);
    return carry_out(spread, stream, &plan, o->sequence, command);
}

static struct gcl_fence do_fill(struct gcl_spread *spread, struct gcl_stream *stream,
                                const struct gcl_operation *o) {
    const struct gcl_entry *entry = entry_of(spread, &o->fill.box);
    struct gcl_plan plan = {.place_count = 0};
    struct gcl_region region = {.count = 0};
    if (!entry || !region_of(entry, &o->fill.box, &region) ||
        !gcl_plan_fill(&plan, spread->directory, entry->begin, &region, (uint8_t)o->fill.value))
        give_up(spread);
    gcl_region_finish(&region);
    return carry_out(spread, stream, &plan, o->sequence, NULL);
}

/// Whether a set can be left to whoever needs the bytes.
static bool is_fill(struct gcl_spread *spread, const struct gcl_box_copy *copy,
                    const struct gcl_operation_box *box) {
    const struct gcl_entry *entry = entry_of(spread, box);
    struct gcl_region region = {.count = 0};
    bool ok = !copy->source && entry && !entry->is_shared && region_of(entry, box, &region);
    gcl_region_finish(&region);
    return ok;
}

static struct gcl_fence submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                    struct gcl_command *command) {
    const struct gcl_box_copy *copy = &command->copy;
    struct gcl_operation o = {.kind = GCL_OPERATION_ACCESS};
    struct gcl_operation_box box =
        box_of(copy->target, copy->target_pitch, copy->target_slice, copy);
    if (is_fill(spread, copy, &box)) {
        o.kind = GCL_OPERATION_FILL;
        o.fill.box = box;
        o.fill.value = (unsigned char)copy->value;
        announce(spread, &o);
        gcl_engine_discard(spread->options.engine, command);
        return do_fill(spread, stream, &o);
    }
    o.access.written = box;
    if (copy->source)
        o.access.read = box_of(copy->source, copy->source_pitch, copy->source_slice, copy);
    if (!entry_of(spread, &o.access.read) && !entry_of(spread, &o.access.written))
        return gcl_engine_submit(spread->options.engine, stream, command);
    announce(spread, &o);
    return do_access(spread, stream, &o, command);
}

struct gcl_fence gcl_spread_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command) {
    bool is_run = command->kind == GCL_COMMAND_RUN;
    const struct gcl_code *code = is_run ? gcl_registry_code(command->run.launch.kernel) : NULL;
    pthread_mutex_lock(&spread->lock);
    struct gcl_fence fence =
        is_run ? submit_run(spread, stream, command, code) : submit_copy(spread, stream, command);
    pthread_mutex_unlock(&spread->lock);
    return fence;
}

// Memory.

static bool is_shared(uint32_t kind) {
    return (kind & (GCL_SPACE_MANAGED | GCL_SPACE_PINNED)) != 0;
}

static void add_memory(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (!gcl_directory_add(spread->directory, o->allocate.begin, o->allocate.size,
                           is_shared(o->allocate.space_kind)))
        give_up(spread);
}

void gcl_spread_allocated(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_ALLOCATE,
                              .allocate = {.begin = allocation->begin,
                                           .size = allocation->size,
                                           .space_kind = (uint32_t)allocation->kind}};
    pthread_mutex_lock(&spread->lock);
    announce(spread, &o);
    add_memory(spread, &o);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_freed(void *context, const struct gcl_allocation *allocation) {
    struct gcl_spread *spread = context;
    struct gcl_operation o = {.kind = GCL_OPERATION_FREE, .free = {.begin = allocation->begin}};
    pthread_mutex_lock(&spread->lock);
    announce(spread, &o);
    gcl_directory_remove(spread->directory, o.free.begin);
    pthread_mutex_unlock(&spread->lock);
}

void gcl_spread_placed(void *context, const struct gcl_code *code) {
    struct gcl_spread *spread = context;
    uint64_t *addresses = malloc((code->variable_count + 1) * sizeof *addresses);
    if (!addresses) {
        give_up(spread);
        return;
    }
    for (uint32_t i = 0; i < code->variable_count; i++)
        addresses[i] = (uintptr_t)*code->variables[i].address;
    pthread_mutex_lock(&spread->lock);
    announce(spread, &(struct gcl_operation){.kind = GCL_OPERATION_CODE,
                                             .code = {.id = code->id,
                                                      .id_size = (uint32_t)strcspn(code->id, "\n"),
                                                      .addresses = (const unsigned char *)addresses,
                                                      .count = code->variable_count}});
    pthread_mutex_unlock(&spread->lock);
    free(addresses);
}

// Settling.

static struct gcl_parcel settle_parcel(gcl_node peer, bool is_sent, uint64_t sequence,
                                       int32_t *status) {
    return (struct gcl_parcel){.peer = peer,
                               .is_sent = is_sent,
                               .tag = gcl_errand_tag_beside(sequence),
                               .bytes = status,
                               .size = sizeof *status};
}

void gcl_spread_settle(void *context) {
    struct gcl_spread *spread = context;
    gcl_node others = spread->options.count - 1;
    struct gcl_operation o = {.kind = GCL_OPERATION_SETTLE};
    struct gcl_parcel *parcels = calloc(others, sizeof *parcels);
    int32_t *statuses = calloc(others, sizeof *statuses);
    pthread_mutex_lock(&spread->lock);
    bool is_settled = spread->settled == spread->sequence;
    if (!is_settled && parcels && statuses) {
        announce(spread, &o);
        spread->settled = spread->sequence;
    }
    pthread_mutex_unlock(&spread->lock);
    for (gcl_node i = 0; parcels && statuses && !is_settled && i < others; i++)
        parcels[i] = settle_parcel(i + 1, false, o.sequence, &statuses[i]);
    enum gcl_status status = GCL_OK;
    if (!parcels || !statuses)
        status = GCL_NO_MEMORY;
    else if (!is_settled)
        status = spread->options.courier.exchange(spread->options.courier.context, parcels, others);
    for (gcl_node i = 0; i < others && status == GCL_OK; i++)
        status = (enum gcl_status)statuses[i];
    if (status != GCL_OK)
        gcl_engine_fail(spread->options.engine, status);
    free(parcels);
    free(statuses);
}

struct settling {
    struct gcl_spread *spread;
    uint64_t sequence;
};

static void tell_settled(void *data) {
    struct settling *settling = data;
    struct gcl_spread *spread = settling->spread;
    int32_t status = (int32_t)gcl_engine_status(spread->options.engine);
    fflush(stdout); // what kernels printed comes before what the program prints next
    struct gcl_parcel parcel = settle_parcel(0, true, settling->sequence, &status);
    enum gcl_status sent =
        spread->options.courier.exchange(spread->options.courier.context, &parcel, 1);
    if (sent != GCL_OK)
        gcl_engine_fail(spread->options.engine, sent);
    free(settling);
}

// Other nodes.

struct memory_change {
    struct gcl_spread *spread;
    struct gcl_allocation allocation;
    bool is_free;
};

// In the order of commands: memory may be in use up to there.
static void change_memory(void *data) {
    struct memory_change *change = data;
    struct gcl_space *space = change->spread->options.space;
    if (change->is_free)
        gcl_space_abandon(space, change->allocation.begin);
    else if (gcl_space_adopt(space, &change->allocation) != GCL_OK)
        gcl_engine_fail(change->spread->options.engine, GCL_NO_MEMORY);
    free(change);
}

static void submit_change(struct gcl_spread *spread, struct gcl_stream *stream,
                          const struct gcl_operation *o) {
    struct memory_change *change = calloc(1, sizeof *change);
    if (!change) {
        give_up(spread);
        return;
    }
    change->spread = spread;
    change->is_free = o->kind == GCL_OPERATION_FREE;
    change->allocation.begin = change->is_free ? o->free.begin : o->allocate.begin;
    if (!change->is_free) {
        change->allocation.size = o->allocate.size;
        change->allocation.kind = (enum gcl_space_kind)o->allocate.space_kind;
    }
    call(spread, stream, change_memory, change);
}

static bool disagree(const struct gcl_spread *spread, const char *what) {
    gcl_log(GCL_LOG_ERROR, "node %u can't follow node 0: %s", spread->options.self, what);
    return false;
}

static bool apply_kernel(struct gcl_spread *spread, const struct gcl_operation *o) {
    const struct gcl_kernel *kernel =
        gcl_registry_kernel(o->kernel.id, o->kernel.id_size, o->kernel.name, o->kernel.name_size);
    if (!kernel || o->kernel.number != spread->kernel_count)
        return disagree(spread, "it launches a kernel that isn't known here");
    return add_kernel(spread, kernel);
}

static bool apply_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                         const struct gcl_operation *o) {
    if (o->launch.kernel >= spread->kernel_count)
        return disagree(spread, "it launches a kernel that has no number");
    if (o->launch.directory != gcl_directory_hash(spread->directory))
        return disagree(spread, "its directory is another one");
    const struct gcl_kernel *kernel = spread->kernels[o->launch.kernel].kernel;
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_RUN);
    if (!command)
        return false;
    struct gcl_run *run = &command->run;
    if (o->launch.argument_size > sizeof run->inline_arguments) {
        run->arguments = malloc(o->launch.argument_size);
        if (!run->arguments)
            return false;
    }
    memcpy(run->arguments, o->launch.arguments, o->launch.argument_size);
    run->space = spread->options.space;
    run->launch.kernel = kernel;
    run->launch.arguments = run->arguments;
    run->launch.dynamic_shared_size = o->launch.shared_size;
    memcpy(run->launch.grid_size, o->launch.grid, sizeof o->launch.grid);
    memcpy(run->launch.block_size, o->launch.block, sizeof o->launch.block);
    run->launch.regions = gcl_variant_regions(kernel, run->launch.block_size);
    launch(spread, stream, command, o->launch.kernel, o->launch.is_single != 0, o->sequence);
    return true;
}

static bool apply_settle(struct gcl_spread *spread, struct gcl_stream *stream,
                         const struct gcl_operation *o) {
    struct settling *settling = malloc(sizeof *settling);
    if (!settling)
        return false;
    *settling = (struct settling){spread, o->sequence};
    call(spread, stream, tell_settled, settling);
    return true;
}

static bool apply_code(struct gcl_spread *spread, struct gcl_stream *stream,
                       const struct gcl_operation *o) {
    // The images go to memory that has to be there.
    struct gcl_fence fence = submit_nothing(spread, stream);
    return gcl_engine_wait(spread->options.engine, fence) == GCL_OK &&
           gcl_registry_adopt(o->code.id, o->code.id_size, o->code.addresses, o->code.count) ==
               GCL_OK;
}

static bool apply(struct gcl_spread *spread, struct gcl_operation *o) {
    struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
    if (o->sequence != ++spread->sequence)
        return disagree(spread, "an operation is missing");
    switch (o->kind) {
    case GCL_OPERATION_ALLOCATE:
        add_memory(spread, o);
        submit_change(spread, stream, o);
        return true;
    case GCL_OPERATION_FREE:
        submit_change(spread, stream, o);
        return gcl_directory_remove(spread->directory, o->free.begin) ||
               disagree(spread, "it frees what isn't allocated");
    case GCL_OPERATION_CODE:
        return apply_code(spread, stream, o);
    case GCL_OPERATION_KERNEL:
        return apply_kernel(spread, o);
    case GCL_OPERATION_LAUNCH:
        return apply_launch(spread, stream, o);
    case GCL_OPERATION_ACCESS:
        do_access(spread, stream, o, NULL);
        return true;
    case GCL_OPERATION_FILL:
        do_fill(spread, stream, o);
        return true;
    case GCL_OPERATION_SETTLE:
        return apply_settle(spread, stream, o);
    }
    return false;
}

bool gcl_spread_apply(struct gcl_spread *spread, const void *bytes, size_t size) {
    struct gcl_operation operation;
    const char *wrong = gcl_operation_read(bytes, size, &operation);
    if (wrong) {
        gcl_log(GCL_LOG_ERROR, "an operation of node 0 can't be read: %s", wrong);
        return false;
    }
    return apply(spread, &operation);
}
