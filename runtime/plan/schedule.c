#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "gcluster/reasons.h"
#include "plan/combine.h"

struct gcl_scheduler {
    const struct gcl_program *program;
    struct gcl_directory *directory;
    struct gcl_evaluator *evaluator; ///< NULL without a program

    // Of the schedule that is being found.
    const struct gcl_schedule_reader *reader;
    struct gcl_reading *readings;
    size_t reading_count;
    bool is_general;
    size_t escaped, escaped_at; ///< entry `escaped_at` is the one with this number
};

struct gcl_scheduler *gcl_scheduler_create(const struct gcl_program *program,
                                           struct gcl_directory *directory) {
    struct gcl_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler)
        return NULL;
    scheduler->program = program;
    scheduler->directory = directory;
    scheduler->evaluator = program ? gcl_evaluator_create(program) : NULL;
    if (scheduler->evaluator || !program)
        return scheduler;
    free(scheduler);
    return NULL;
}

void gcl_schedule_finish(struct gcl_schedule *schedule) {
    gcl_plan_release(schedule->plan);
    free(schedule->parts);
    free(schedule->readings);
    *schedule = (struct gcl_schedule){.node_count = 0};
}

void gcl_scheduler_destroy(struct gcl_scheduler *scheduler) {
    if (!scheduler)
        return;
    gcl_evaluator_destroy(scheduler->evaluator);
    free(scheduler);
}

// Memory, as the directory knows it.

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    struct gcl_scheduler *scheduler = context;
    const struct gcl_entry *entry = gcl_directory_find(scheduler->directory, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

/// They are asked for one after the other.
static bool escaped_at(void *context, size_t index, struct gcl_span *allocation) {
    struct gcl_scheduler *scheduler = context;
    size_t count;
    const struct gcl_entry *entries = gcl_directory_entries(scheduler->directory, &count);
    if (index < scheduler->escaped)
        scheduler->escaped = scheduler->escaped_at = 0;
    for (; scheduler->escaped_at < count; scheduler->escaped_at++) {
        const struct gcl_entry *entry = &entries[scheduler->escaped_at];
        if (!entry->has_escaped || scheduler->escaped++ < index)
            continue;
        scheduler->escaped--;
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
        return true;
    }
    return false;
}

static const unsigned char *contents_of(void *context, const struct gcl_span *allocation,
                                        uint64_t *version) {
    struct gcl_scheduler *scheduler = context;
    const struct gcl_entry *entry =
        gcl_directory_find(scheduler->directory, (uint64_t)allocation->begin);
    *version = entry->version;
    return scheduler->reader->contents(scheduler->reader->context, entry->begin);
}

static struct gcl_memory memory_of(struct gcl_scheduler *scheduler) {
    bool is_known = !gcl_directory_has_escaped(scheduler->directory, 0);
    return (struct gcl_memory){.find = find_allocation,
                               .escaped = is_known ? escaped_at : NULL,
                               .contents = scheduler->reader ? contents_of : NULL,
                               .context = scheduler};
}

/// Notes what a footprint depends on. False: no memory.
static bool note(struct gcl_scheduler *scheduler, const struct gcl_footprint *footprint) {
    scheduler->is_general |=
        footprint->follows || footprint->reads_escaped || footprint->writes_escaped;
    for (size_t i = 0; i < footprint->reading_count; i++) {
        const struct gcl_reading *reading = &footprint->readings[i];
        size_t at = 0;
        while (at < scheduler->reading_count &&
               scheduler->readings[at].allocation.begin != reading->allocation.begin)
            at++;
        if (at < scheduler->reading_count)
            continue;
        struct gcl_reading *readings = realloc(scheduler->readings, (at + 1) * sizeof *readings);
        if (!readings)
            return false;
        readings[at] = *reading;
        scheduler->readings = readings;
        scheduler->reading_count++;
    }
    return true;
}

// Demands of a launch that is cut.

static const struct gcl_use *use_of(const struct gcl_footprint *footprint, int64_t begin) {
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == begin)
            return &footprint->uses[i];
    }
    return NULL;
}

/// What all nodes do with one allocation.
struct draft {
    struct gcl_region *needed, *written, *combined;
};

static bool unite(struct gcl_region *sum, const struct gcl_region *region) {
    return gcl_region_unite(sum, region, sum);
}

/// Adds what one node does.
static bool draft_node(const struct gcl_handling *handling, const struct gcl_use *use,
                       struct gcl_region *needed, struct gcl_region *written,
                       struct gcl_region *combined) {
    const unsigned handles = handling->handles;
    struct gcl_region all =
        gcl_region_run(0, handling->allocation.end - handling->allocation.begin);
    bool reduces = (handles & (GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)) != 0;
    bool ok = unite(needed, &use->read);
    if (handles & GCL_HANDLE_WHOLE)
        ok = ok && (gcl_region_is_empty(&use->read) || unite(needed, &all));
    if (reduces)
        ok = ok && unite(combined, &use->reduced);
    else
        ok = ok && unite(needed, &use->reduced) && unite(written, &use->reduced);
    if (handles & GCL_HANDLE_MERGE)
        return ok && unite(combined, &use->written) && unite(combined, &use->touched);
    return ok && unite(needed, &use->touched) && unite(written, &use->touched) &&
           unite(written, &use->written);
}

/// Why an allocation's parts can't be combined; 0: they can.
static uint16_t find_obstacle(const struct gcl_handling *handling) {
    if (!(handling->handles & (GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)))
        return 0;
    if (handling->handles & GCL_HANDLE_MERGE)
        return GCL_REASON_OVERLAP;
    return gcl_combine_can(handling->reduction, handling->element) ? 0 : GCL_REASON_OPERATION;
}

static uint8_t combination_kind(const struct gcl_handling *handling) {
    if (handling->handles & GCL_HANDLE_MERGE)
        return GCL_COMBINATION_MERGE;
    return handling->handles & GCL_HANDLE_REDUCE ? GCL_COMBINATION_REDUCE : GCL_COMBINATION_AGAIN;
}

static bool demand(const struct gcl_scheduler *scheduler, const struct gcl_handling *handling,
                   const struct gcl_footprint *ranges, uint32_t count, struct gcl_plan *plan) {
    bool combines =
        (handling->handles & (GCL_HANDLE_MERGE | GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)) != 0;
    struct gcl_region *regions = calloc(3 * (size_t)count, sizeof *regions);
    struct gcl_region *needed = regions, *written = regions + count, *combined = written + count;
    bool ok = regions != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        const struct gcl_use *use = use_of(&ranges[i], handling->allocation.begin);
        if (use)
            ok = draft_node(handling, use, &needed[i], &written[i], &combined[i]);
    }
    ok = ok && gcl_plan_demand(plan, scheduler->directory,
                               &(struct gcl_demand){.begin = (uint64_t)handling->allocation.begin,
                                                    .needed = needed,
                                                    .written = written,
                                                    .combined = combines ? combined : NULL,
                                                    .kind = combination_kind(handling),
                                                    .reduction = handling->reduction,
                                                    .element = handling->element});
    for (size_t i = 0; regions && i < 3 * (size_t)count; i++)
        gcl_region_finish(&regions[i]);
    free(regions);
    return ok;
}

// Cutting along an axis.

static bool find_parts(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                       unsigned axis, struct gcl_launch_part *parts, struct gcl_footprint *ranges) {
    uint32_t count = gcl_directory_node_count(scheduler->directory);
    const struct gcl_memory memory = memory_of(scheduler);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = gcl_split_part(launch, axis, count, i);
        if (parts[i].begin[axis] < parts[i].end[axis] &&
            !(gcl_footprint_find(scheduler->evaluator, &parts[i], &memory, &ranges[i]) &&
              note(scheduler, &ranges[i])))
            return false;
    }
    return true;
}

/// Plans what classes say. False: they say that it can't be cut, or no memory.
static bool plan_classes(const struct gcl_scheduler *scheduler, const struct gcl_classes *classes,
                         const struct gcl_footprint *ranges, struct gcl_schedule *schedule) {
    schedule->reason = classes->reason;
    schedule->access = classes->access;
    for (size_t i = 0; i < classes->count && !schedule->reason; i++) {
        const struct gcl_handling *handling = &classes->handlings[i];
        schedule->reason = find_obstacle(handling);
        if (!schedule->reason &&
            !demand(scheduler, handling, ranges, schedule->node_count, schedule->plan))
            schedule->reason = GCL_REASON_PARTS;
    }
    return !schedule->reason;
}

/// Schedules the launch in parts along an axis. False: why not is in the schedule.
static bool try_axis(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                     unsigned axis, struct gcl_schedule *schedule) {
    uint32_t count = gcl_directory_node_count(scheduler->directory);
    struct gcl_footprint *ranges = calloc(count, sizeof *ranges);
    struct gcl_classes classes = {.count = 0};
    *schedule =
        (struct gcl_schedule){.node_count = count, .axis = (char)('x' + axis), .access = GCL_NONE};
    schedule->parts = calloc(count, sizeof *schedule->parts);
    schedule->plan = gcl_plan_create();
    bool ok = ranges && schedule->parts && schedule->plan &&
              find_parts(scheduler, launch, axis, schedule->parts, ranges) &&
              gcl_classes_find(scheduler->program, launch, ranges, count, &classes) &&
              plan_classes(scheduler, &classes, ranges, schedule);
    gcl_classes_finish(&classes);
    for (uint32_t i = 0; ranges && i < count; i++)
        gcl_footprint_finish(&ranges[i]);
    free(ranges);
    return ok;
}

// On one node.

static bool demand_of_one(const struct gcl_scheduler *scheduler, uint64_t begin,
                          const struct gcl_region *needed, const struct gcl_region *written,
                          struct gcl_plan *plan) {
    uint32_t count = gcl_directory_node_count(scheduler->directory);
    struct gcl_region *regions = calloc(2 * (size_t)count, sizeof *regions);
    bool ok = regions && gcl_region_copy(needed, &regions[0]) &&
              gcl_region_copy(written, &regions[count]) &&
              gcl_plan_demand(plan, scheduler->directory,
                              &(struct gcl_demand){
                                  .begin = begin, .needed = regions, .written = regions + count});
    if (regions) {
        gcl_region_finish(&regions[0]);
        gcl_region_finish(&regions[count]);
    }
    free(regions);
    return ok;
}

static bool demand_use(const struct gcl_scheduler *scheduler, const struct gcl_use *use,
                       struct gcl_plan *plan) {
    struct gcl_region needed = {.count = 0}, written = {.count = 0};
    bool ok = unite(&written, &use->touched) && unite(&written, &use->reduced) &&
              unite(&written, &use->claimed) && unite(&needed, &written) &&
              unite(&needed, &use->read) && unite(&written, &use->written) &&
              demand_of_one(scheduler, (uint64_t)use->allocation.begin, &needed, &written, plan);
    gcl_region_finish(&needed);
    gcl_region_finish(&written);
    return ok;
}

/// Node 0 has everything: it isn't known what the launch touches.
static bool demand_everything(const struct gcl_scheduler *scheduler, struct gcl_plan *plan) {
    size_t count;
    const struct gcl_entry *entries = gcl_directory_entries(scheduler->directory, &count);
    for (size_t i = 0; i < count; i++) {
        struct gcl_region all = gcl_region_run(0, (int64_t)entries[i].size);
        if (!demand_of_one(scheduler, entries[i].begin, &all, &all, plan))
            return false;
    }
    return true;
}

static bool demand_footprint(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                             struct gcl_plan *plan) {
    const struct gcl_memory memory = memory_of(scheduler);
    struct gcl_footprint footprint;
    if (!scheduler->program ||
        !gcl_footprint_find(scheduler->evaluator, launch, &memory, &footprint))
        return false;
    bool ok = note(scheduler, &footprint) && !footprint.reads_escaped && !footprint.writes_escaped;
    for (size_t i = 0; i < footprint.count && ok; i++)
        ok = demand_use(scheduler, &footprint.uses[i], plan);
    gcl_footprint_finish(&footprint);
    return ok;
}

static bool schedule_single(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                            struct gcl_schedule *schedule) {
    schedule->node_count = gcl_directory_node_count(scheduler->directory);
    schedule->axis = 0;
    schedule->parts = calloc(schedule->node_count, sizeof *schedule->parts);
    schedule->plan = gcl_plan_create();
    if (!schedule->parts || !schedule->plan)
        return false;
    schedule->parts[0] = *launch;
    if (demand_footprint(scheduler, launch, schedule->plan))
        return true;
    scheduler->is_general = true;
    gcl_plan_finish(schedule->plan);
    return demand_everything(scheduler, schedule->plan);
}

// Choice.

static uint64_t cost_of(const struct gcl_schedule *schedule) {
    return gcl_plan_moved(schedule->plan) + gcl_plan_combined(schedule->plan, schedule->node_count);
}

static bool is_candidate(const struct gcl_program *program, const struct gcl_launch_part *launch,
                         unsigned axis) {
    if (launch->end[axis] - launch->begin[axis] < 2)
        return false;
    return program->split ? program->split == (char)('x' + axis) : gcl_split_counts(program, axis);
}

/// The better of two ways; the other one is finished. An axis that can't be cut is none.
static void keep_better(struct gcl_schedule *best, struct gcl_schedule *other, bool is_possible) {
    bool is_better =
        is_possible ? !best->axis || cost_of(other) < cost_of(best) : !best->axis && !best->reason;
    if (!is_possible)
        other->axis = 0;
    if (is_better) {
        gcl_schedule_finish(best);
        *best = *other;
    } else {
        gcl_schedule_finish(other);
    }
}

static void try_axes(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                     struct gcl_schedule *best) {
    const struct gcl_program *program = scheduler->program;
    for (unsigned axis = 3; axis-- > 0;) {
        struct gcl_schedule other;
        if (!is_candidate(program, launch, axis))
            continue;
        bool is_possible = try_axis(scheduler, launch, axis, &other);
        keep_better(best, &other, is_possible);
    }
}

/// Finds a schedule as long as nobody moves bytes meanwhile.
static bool find(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch, bool single,
                 struct gcl_schedule *schedule) {
    const struct gcl_program *program = scheduler->program;
    *schedule = (struct gcl_schedule){.access = GCL_NONE};
    if (program && !single && !(program->flags & GCL_PROGRAM_SINGLE) &&
        gcl_directory_node_count(scheduler->directory) > 1)
        try_axes(scheduler, launch, schedule);
    if (schedule->axis)
        return true;
    uint16_t reason = schedule->reason ? schedule->reason : GCL_REASON_NO_BLOCKS;
    uint16_t access = schedule->access;
    gcl_schedule_finish(schedule);
    schedule->reason = program ? reason : GCL_REASON_CALL;
    schedule->access = access;
    return schedule_single(scheduler, launch, schedule);
}

bool gcl_scheduler_find(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                        bool single, const struct gcl_schedule_reader *reader,
                        struct gcl_schedule *schedule) {
    uint64_t hash;
    bool ok;
    scheduler->reader = reader;
    *schedule = (struct gcl_schedule){.access = GCL_NONE};
    do {
        hash = gcl_directory_hash(scheduler->directory);
        gcl_schedule_finish(schedule);
        scheduler->reading_count = 0;
        scheduler->is_general = false;
        scheduler->escaped = scheduler->escaped_at = 0;
        ok = find(scheduler, launch, single, schedule);
    } while (ok && hash != gcl_directory_hash(scheduler->directory));
    schedule->is_general = scheduler->is_general;
    schedule->readings = scheduler->readings;
    schedule->reading_count = scheduler->reading_count;
    scheduler->readings = NULL;
    scheduler->reading_count = 0;
    return ok;
}
