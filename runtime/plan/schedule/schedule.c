// A schedule is found in three steps. First the planner asks whether anything keeps the kernel on
// one node. If not, it makes a partition of the grid along each axis that counts (partition.h), the
// slowest first, and keeps the cheapest one; an axis whose parts are so large that some node would
// do half as much again is passed over. In the end the demands of the partition, or of the one node
// that runs all blocks, become a plan (plan.h).
//
// Finding a schedule may look into memory, for which nodes move bytes: then the directory is
// another one, and everything is found anew, until nothing has moved meanwhile. So a schedule
// always belongs to the directory as it is when gcl_scheduler_find returns. All nodes find the same
// schedule, since each step depends only on the launch, the directory and what the reader tells all
// nodes.
#include "plan/schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gcluster/reasons.h"
#include "plan/inspect/base.h"
#include "plan/inspect/contents.h"
#include "plan/schedule/partition.h"
#include "plan/schedule/sound.h"
#include "plan/survey/survey.h"

enum {
    LOOKED = 32,
    PAGE = 4096,
    BYTES_AN_ACCESS = 2, ///< may move where nodes merge what they write
    IN_VAIN = 8,         ///< launches in a row are looked at though they can't be cut;
    AGAIN = 64,          ///< then, one of so many is
    FEW_STEPS = 64,      ///< tell a launch on one node apart where more would save next to nothing:
    FEW_BYTES = 1 << 16  ///< these at most
};

/// Bytes that all nodes had when they were looked at, and still have: versions of two allocations
/// are never the same.
struct looked {
    uint64_t version;
    struct gcl_span run;
};

struct gcl_scheduler {
    const struct gcl_program *program;
    struct gcl_directory *directory;
    struct gcl_evaluator *evaluator; ///< NULL without a program
    struct gcl_survey *survey;       ///< likewise
    struct gcl_shares shares;        ///< of the launch that was looked at last
    bool looks_up;                   ///< the program does
    bool counts_moves;
    bool faults;                  ///< pages come as they are touched
    int64_t steps;                ///< that a launch may take
    const uint32_t *weights;      ///< of nodes' parts; NULL: they are even
    struct looked looked[LOOKED]; ///< a new one takes an old one's place
    unsigned next_looked;
    uint64_t looks; ///< into memory, apart from the survey's
    /// Launches in a row that couldn't be cut though that took long to find out.
    struct {
        uint64_t launches, most_blocks;
        uint16_t reason, access; ///< of the last one that was looked at
    } in_vain;

    // Of the schedule that is being found.
    const struct gcl_reader *reader;
    struct gcl_reading *readings;
    size_t reading_count;
    bool is_general;
    bool lacks_memory;          ///< to find whether the launch can be cut
    uint32_t node;              ///< where all of it has to run; GCL_NOBODY: nowhere in particular
    uint64_t forbidden;         ///< as in struct gcl_schedule
    size_t escaped, escaped_at; ///< entry `escaped_at` is the one with this number
};

struct gcl_scheduler *gcl_scheduler_create(const struct gcl_program *program,
                                           struct gcl_directory *directory) {
    struct gcl_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler)
        return NULL;
    scheduler->program = program;
    scheduler->directory = directory;
    scheduler->steps = INT64_MAX;
    if (!program)
        return scheduler;
    scheduler->evaluator = gcl_evaluator_create(program);
    scheduler->survey = gcl_survey_create(program, directory);
    scheduler->looks_up = gcl_footprint_looks_up(program);
    if (scheduler->evaluator && scheduler->survey)
        return scheduler;
    gcl_scheduler_destroy(scheduler);
    return NULL;
}

size_t gcl_scheduler_memory(const struct gcl_scheduler *scheduler) {
    return sizeof *scheduler + gcl_shares_memory(&scheduler->shares) +
           (scheduler->survey ? gcl_survey_memory(scheduler->survey) : 0);
}

void gcl_scheduler_count_moves(struct gcl_scheduler *scheduler) {
    scheduler->counts_moves = true;
}

void gcl_scheduler_limit(struct gcl_scheduler *scheduler, int64_t steps) {
    assert(steps > 0);
    scheduler->steps = steps;
}

void gcl_scheduler_weigh(struct gcl_scheduler *scheduler, const uint32_t *weights) {
    scheduler->weights = weights;
}

void gcl_scheduler_fault(struct gcl_scheduler *scheduler, bool faults) {
    scheduler->faults = faults;
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
    gcl_shares_finish(&scheduler->shares);
    gcl_evaluator_destroy(scheduler->evaluator);
    gcl_survey_destroy(scheduler->survey);
    free(scheduler);
}

static struct gcl_plan *create_plan(const struct gcl_scheduler *scheduler) {
    struct gcl_plan *plan = gcl_plan_create();
    if (plan)
        plan->counts_moves = scheduler->counts_moves;
    return plan;
}

// Memory, as the directory knows it.

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    struct gcl_scheduler *scheduler = context;
    const struct gcl_directory_entry *entry = gcl_directory_find(scheduler->directory, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

/// Iterates over allocations that have escaped; callers ask for index 0, 1, 2, …, so that each step
/// goes on where the last one ended.
static bool escaped_at(void *context, size_t index, struct gcl_span *allocation) {
    struct gcl_scheduler *scheduler = context;
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(scheduler->directory, &count);
    if (index < scheduler->escaped)
        scheduler->escaped = scheduler->escaped_at = 0;
    for (; scheduler->escaped_at < count; scheduler->escaped_at++) {
        const struct gcl_directory_entry *entry = &entries[scheduler->escaped_at];
        if (!entry->has_escaped ||
            !gcl_directory_allows(scheduler->directory, scheduler->node, entry) ||
            scheduler->escaped++ < index)
            continue;
        scheduler->escaped--;
        assert(scheduler->escaped == index);
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
        return true;
    }
    return false;
}

static bool is_looked_at(const struct gcl_scheduler *scheduler, const struct looked *wanted) {
    for (unsigned i = 0; i < LOOKED; i++) {
        const struct looked *l = &scheduler->looked[i];
        if (l->version == wanted->version && l->run.begin <= wanted->run.begin &&
            l->run.end >= wanted->run.end)
            return true;
    }
    return false;
}

/// Has all nodes get what they all look at. False: one of them can't have it.
static bool look_at(struct gcl_scheduler *scheduler, uint64_t begin, struct gcl_span run) {
    const struct gcl_reader *reader = scheduler->reader;
    uint32_t count = gcl_directory_node_count(scheduler->directory);
    struct gcl_region *needed = calloc(count, sizeof *needed);
    struct gcl_words *all = calloc(count, sizeof *all);
    const struct gcl_demand demand = {.begin = begin, .needed = needed};
    unsigned char nothing = 0;
    for (uint32_t i = 0; needed && i < count; i++)
        needed[i] = gcl_region_run(run.begin, run.end);
    bool ok = needed && all && reader->fetch(reader->context, &demand, 1);
    const struct gcl_words own = {ok ? &nothing : NULL, 0};
    if (reader->self != GCL_NOBODY)
        ok = all && reader->tell(reader->context, &own, all) && ok;
    for (uint32_t i = 0; all && i < count; i++)
        free(all[i].bytes);
    free(needed); // single runs need no memory
    free(all);
    scheduler->looks++;
    return ok;
}

/// What all nodes look at alike: few bytes, as many as they get for the price of one.
static const unsigned char *contents_of(void *context, const struct gcl_span *allocation,
                                        struct gcl_span *run, uint64_t *version) {
    struct gcl_scheduler *scheduler = context;
    const struct gcl_directory_entry *entry =
        gcl_directory_find(scheduler->directory, (uint64_t)allocation->begin);
    int64_t size = (int64_t)entry->size, end = (run->end + PAGE - 1) / PAGE * PAGE;
    *version = entry->version;
    *run = (struct gcl_span){run->begin / PAGE * PAGE, end < size ? end : size};
    const struct looked looked = {entry->version, *run};
    assert(run->begin < run->end && run->begin % PAGE == 0);
    if (entry->use == GCL_HOST_UNSEEN) // the host may change it
        return NULL;
    if (!is_looked_at(scheduler, &looked)) {
        if (!look_at(scheduler, entry->begin, *run))
            return NULL;
        scheduler->looked[scheduler->next_looked++ % LOOKED] = looked;
    }
    return scheduler->reader->memory(scheduler->reader->context, entry->begin);
}

static struct gcl_memory memory_of(struct gcl_scheduler *scheduler) {
    bool is_known = !gcl_directory_has_escaped(scheduler->directory, 0);
    return (struct gcl_memory){.find = find_allocation,
                               .escaped = is_known ? escaped_at : NULL,
                               .contents = scheduler->reader ? contents_of : NULL,
                               .context = scheduler};
}

/// Notes what is depended on. False: no memory.
static bool note_readings(struct gcl_scheduler *scheduler, const struct gcl_reading *readings,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < scheduler->reading_count &&
               scheduler->readings[at].allocation.begin != readings[i].allocation.begin)
            at++;
        if (at < scheduler->reading_count)
            continue;
        struct gcl_reading *grown = realloc(scheduler->readings, (at + 1) * sizeof *grown);
        if (!grown)
            return false;
        grown[at] = readings[i];
        scheduler->readings = grown;
        scheduler->reading_count++;
    }
    return true;
}

/// Notes what a footprint depends on. False: no memory.
static bool note(void *context, const struct gcl_footprint *footprint) {
    struct gcl_scheduler *scheduler = context;
    size_t count;
    const struct gcl_reading *surveyed = gcl_survey_readings(scheduler->survey, &count);
    scheduler->is_general |=
        footprint->follows || footprint->reads_escaped || footprint->writes_escaped;
    return note_readings(scheduler, surveyed, count) &&
           note_readings(scheduler, footprint->readings, footprint->reading_count);
}

// On one node.

/// The node that runs all blocks of a launch that isn't cut.
static uint32_t place_of(const struct gcl_scheduler *scheduler) {
    return scheduler->node == GCL_NOBODY ? 0 : scheduler->node;
}

static bool unite(struct gcl_region *sum, const struct gcl_region *region) {
    return gcl_region_unite(sum, region, sum);
}

static bool demand_of_one(const struct gcl_scheduler *scheduler, uint64_t begin,
                          const struct gcl_region *needed, const struct gcl_region *written,
                          struct gcl_plan *plan) {
    uint32_t count = gcl_directory_node_count(scheduler->directory);
    uint32_t node = place_of(scheduler);
    assert(node < count);
    struct gcl_region *regions = calloc(2 * (size_t)count, sizeof *regions);
    bool ok = regions && gcl_region_copy(needed, &regions[node]) &&
              gcl_region_copy(written, &regions[count + node]) &&
              gcl_plan_demand(plan, scheduler->directory,
                              &(struct gcl_demand){
                                  .begin = begin, .needed = regions, .written = regions + count});
    if (regions) {
        gcl_region_finish(&regions[node]);
        gcl_region_finish(&regions[count + node]);
    }
    free(regions);
    return ok;
}

static bool demand_use(const struct gcl_scheduler *scheduler, const struct gcl_allocation_use *use,
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

/// The node has everything that it may use: it isn't known what the launch touches.
static bool demand_everything(const struct gcl_scheduler *scheduler, struct gcl_plan *plan) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(scheduler->directory, &count);
    for (size_t i = 0; i < count; i++) {
        struct gcl_region all = gcl_region_run(0, (int64_t)entries[i].size);
        if (!gcl_directory_allows(scheduler->directory, scheduler->node, &entries[i]))
            continue;
        if (!demand_of_one(scheduler, entries[i].begin, &all, &all, plan))
            return false;
    }
    return true;
}

/// Notes an allocation of a footprint that the node mustn't use.
static void note_forbidden(struct gcl_scheduler *scheduler, const struct gcl_footprint *footprint) {
    for (size_t i = 0; i < footprint->count; i++) {
        uint64_t begin = (uint64_t)footprint->uses[i].allocation.begin;
        if (!gcl_directory_allows(scheduler->directory, scheduler->node,
                                  gcl_directory_find(scheduler->directory, begin)))
            scheduler->forbidden = begin;
    }
}

/// Finds what the node touches that runs all blocks.
static bool find_footprint(struct gcl_scheduler *scheduler, const struct gcl_launch_part *parts,
                           struct gcl_footprint *footprint) {
    uint32_t node = place_of(scheduler);
    const struct gcl_launch_part *whole = &parts[node];
    const struct gcl_memory memory = memory_of(scheduler);
    struct gcl_contents contents;
    const struct gcl_survey_launch launch = {
        .evaluator = scheduler->evaluator, .launch = whole, .parts = parts, .contents = &contents};
    if (!gcl_footprint_open_contents(scheduler->evaluator, whole, &memory, &contents))
        return false;
    bool ok = gcl_survey_take(scheduler->survey, &launch, scheduler->reader);
    const struct gcl_footprint_known known = {
        .contents = &contents, .inspections = gcl_survey_found(scheduler->survey, node)};
    ok = ok && gcl_footprint_find_known(scheduler->evaluator, whole, &known, footprint);
    gcl_contents_finish(&contents);
    return ok;
}

/// Bytes of an allocation that a node lacks, and copies of them that others have.
static int64_t bytes_away(const struct gcl_directory_entry *entry, uint32_t node) {
    const struct gcl_layout *layout = entry->layout;
    int64_t away = (int64_t)entry->size - gcl_region_size(&layout->held[node]);
    for (uint32_t i = 0; i < layout->node_count && away <= FEW_BYTES; i++)
        away += i == node ? 0 : gcl_region_size(&layout->held[i]);
    return away;
}

/// Steps that it may take to find what a launch on one node touches: few where that node could as
/// well have all of each allocation that the launch names, since hardly a byte is elsewhere.
static int64_t steps_of_one(const struct gcl_scheduler *scheduler,
                            const struct gcl_launch_part *launch) {
    const struct gcl_program *program = scheduler->program;
    int64_t away = 0;
    for (uint16_t i = 0; i < program->base_count && away <= FEW_BYTES; i++) {
        uint64_t address;
        const struct gcl_directory_entry *entry =
            gcl_base_address(program, launch, i, &address)
                ? gcl_directory_find(scheduler->directory, address)
                : NULL;
        if (!entry)
            continue;
        if (entry->use != GCL_HOST_NEVER)
            return scheduler->steps;
        away += bytes_away(entry, place_of(scheduler));
    }
    bool is_little = away <= FEW_BYTES && scheduler->steps > FEW_STEPS;
    return is_little ? FEW_STEPS : scheduler->steps;
}

static bool demand_footprint(struct gcl_scheduler *scheduler, const struct gcl_launch_part *parts,
                             struct gcl_plan *plan) {
    struct gcl_footprint footprint;
    if (!scheduler->program)
        return false;
    gcl_evaluator_take_parts(scheduler->evaluator);
    gcl_evaluator_limit(scheduler->evaluator, steps_of_one(scheduler, &parts[place_of(scheduler)]));
    if (!find_footprint(scheduler, parts, &footprint))
        return false;
    bool ok = note(scheduler, &footprint) && !footprint.reads_escaped && !footprint.writes_escaped;
    note_forbidden(scheduler, &footprint);
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
    schedule->plan = create_plan(scheduler);
    if (!schedule->parts || !schedule->plan)
        return false;
    schedule->parts[place_of(scheduler)] = *launch;
    if (demand_footprint(scheduler, schedule->parts, schedule->plan))
        return true;
    scheduler->is_general = true;
    gcl_plan_finish(schedule->plan);
    return demand_everything(scheduler, schedule->plan);
}

// Choice.

static bool is_candidate(const struct gcl_program *program, const struct gcl_launch_part *launch,
                         unsigned axis) {
    if (launch->end[axis] - launch->begin[axis] < 2)
        return false;
    return program->split ? program->split == (char)('x' + axis) : gcl_split_counts(program, axis);
}

/// The largest part of a launch that one node gets, in parts of 2^32; with weights, of a node of
/// average weight that would have as much to do.
static uint64_t largest_part(const struct gcl_launch_part *launch, unsigned axis, uint32_t nodes,
                             const uint32_t *weights) {
    uint64_t blocks = launch->end[axis] - launch->begin[axis], sum = 0;
    double most = 0;
    if (!weights)
        return ((blocks + nodes - 1) / nodes << 32) / blocks;
    for (uint32_t i = 0; i < nodes; i++)
        sum += weights[i];
    for (uint32_t i = 0; i < nodes; i++) {
        struct gcl_launch_part part = gcl_split_weighed(launch, axis, weights, nodes, i);
        double own = part.end[axis] - part.begin[axis];
        double load = own * (double)sum / ((double)nodes * weights[i]);
        most = load > most ? load : most;
    }
    return (uint64_t)(most / (double)blocks * 0x1p32);
}

/// Finds what parts of a launch are taken from. What isn't exact counts as if it hadn't been looked
/// at: the parts are evaluated. NULL: all of them are.
static const struct gcl_shares *find_shares(struct gcl_scheduler *scheduler,
                                            const struct gcl_launch_part *launch) {
    struct gcl_evaluator *evaluator = scheduler->evaluator;
    if (scheduler->looks_up)
        return NULL;
    gcl_evaluator_take_parts(evaluator);
    gcl_evaluator_begin(evaluator, NULL);
    bool ok = gcl_shares_find_exact(evaluator, launch, &scheduler->shares);
    gcl_evaluator_end(evaluator);
    if (!gcl_evaluator_is_spent(evaluator))
        return ok ? &scheduler->shares : NULL;
    gcl_shares_finish(&scheduler->shares); // vague for lack of steps
    gcl_evaluator_limit(evaluator, scheduler->steps);
    return NULL;
}

/// Tries all axes; `best` isn't possible if none can be cut. False: no memory.
static bool try_axes(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                     struct gcl_partition *best) {
    const struct gcl_memory memory = memory_of(scheduler);
    const struct gcl_partition_input input = {.evaluator = scheduler->evaluator,
                                              .launch = launch,
                                              .memory = &memory,
                                              .directory = scheduler->directory,
                                              .survey = scheduler->survey,
                                              .shares = find_shares(scheduler, launch),
                                              .weights = scheduler->weights,
                                              .faults = scheduler->faults,
                                              .reader = scheduler->reader,
                                              .found = note,
                                              .context = scheduler};
    uint64_t best_part = 0;
    for (unsigned axis = 3; axis-- > 0;) {
        if (!is_candidate(scheduler->program, launch, axis))
            continue;
        uint64_t part = largest_part(launch, axis, gcl_directory_node_count(scheduler->directory),
                                     scheduler->weights);
        bool is_evener = best->is_possible && 3 * part <= 2 * best_part;
        uint64_t limit = best->is_possible && !is_evener ? best->cost : UINT64_MAX;
        struct gcl_partition other;
        if (limit == 0 || (best->is_possible && 2 * part >= 3 * best_part) ||
            gcl_evaluator_is_spent(scheduler->evaluator))
            continue;
        gcl_partition_init(&other, &input, axis, limit);
        if (other.lacks_memory) {
            gcl_partition_finish(&other);
            return false;
        }
        if (other.is_possible || (!best->is_possible && !best->reason)) {
            gcl_partition_finish(best);
            *best = other;
            best_part = part;
        } else {
            gcl_partition_finish(&other);
        }
    }
    return true;
}

/// Whether nodes would move so many bytes to merge what they write, more than node 0 has to get if
/// it runs all blocks and to give back, that it can't pay: a byte that moves costs about as much as
/// two accesses to memory.
static bool is_too_dear(const struct gcl_scheduler *scheduler,
                        const struct gcl_partition *partition) {
    uint64_t alone = 0;
    return partition->merges && !scheduler->program->split &&
           gcl_partition_cost_of_one(partition, scheduler->directory, &alone) &&
           (double)partition->cost >
               2 * (double)alone + (double)BYTES_AN_ACCESS * partition->accesses;
}

/// Whether a launch isn't looked at, since those before it were in vain: only now and then one is.
static bool is_in_vain_again(const struct gcl_scheduler *scheduler,
                             const struct gcl_launch_part *launch) {
    return scheduler->in_vain.launches >= IN_VAIN && scheduler->in_vain.launches % AGAIN != 0 &&
           gcl_geometry_blocks(&launch->geometry) <= scheduler->in_vain.most_blocks;
}

static void note_look(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                      const struct gcl_schedule *schedule) {
    uint64_t blocks = gcl_geometry_blocks(&launch->geometry);
    bool was_in_vain = schedule->reason == GCL_REASON_DEAR_MERGE ||
                       schedule->reason == GCL_REASON_DEAR_PLAN ||
                       schedule->reason == GCL_REASON_PARTS;
    if (!was_in_vain) {
        scheduler->in_vain.launches = scheduler->in_vain.most_blocks = 0;
        return;
    }
    scheduler->in_vain.launches++;
    if (blocks > scheduler->in_vain.most_blocks)
        scheduler->in_vain.most_blocks = blocks;
    scheduler->in_vain.reason = schedule->reason;
    scheduler->in_vain.access = schedule->access;
}

/// Plans what a partition asks for, and takes its parts.
static bool schedule_partition(const struct gcl_scheduler *scheduler,
                               struct gcl_partition *partition, struct gcl_schedule *schedule) {
    schedule->axis = partition->axis;
    schedule->node_count = gcl_directory_node_count(scheduler->directory);
    schedule->plan = create_plan(scheduler);
    if (!schedule->plan)
        return false;
    for (size_t i = 0; i < partition->demand_count; i++) {
        if (!gcl_plan_add_outline(schedule->plan, scheduler->directory, partition->outlines[i]))
            return false;
    }
    schedule->parts = partition->parts;
    partition->parts = NULL;
    return true;
}

/// Schedules the launch on all nodes; false: why not is in the schedule, or there is no memory.
static bool schedule_all(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                         struct gcl_schedule *schedule) {
    struct gcl_partition partition = {.access = GCL_NONE};
    if (is_in_vain_again(scheduler, launch)) {
        scheduler->in_vain.launches++;
        schedule->reason = scheduler->in_vain.reason;
        schedule->access = scheduler->in_vain.access;
        return false;
    }
    gcl_evaluator_limit(scheduler->evaluator, scheduler->steps);
    scheduler->lacks_memory = !try_axes(scheduler, launch, &partition);
    if (scheduler->lacks_memory) {
        gcl_partition_finish(&partition);
        return false;
    }
    bool is_dear = partition.is_possible && is_too_dear(scheduler, &partition);
    bool ok =
        partition.is_possible && !is_dear && schedule_partition(scheduler, &partition, schedule);
    schedule->reason = partition.reason;
    schedule->access = partition.access;
    if (partition.is_possible && !ok)
        schedule->reason = is_dear ? GCL_REASON_DEAR_MERGE : GCL_REASON_PARTS;
    note_look(scheduler, launch, schedule);
    gcl_partition_finish(&partition);
    return ok;
}

/// What keeps all launches of a kernel on one node; NULL: nothing does.
static const struct gcl_reason *obstacle_of(const struct gcl_program *program) {
    for (uint16_t i = 0; i < program->reason_count; i++) {
        if (gcl_classes_is_single(program->reasons[i].code))
            return &program->reasons[i];
    }
    return NULL;
}

/// Finds a schedule as long as nobody moves bytes meanwhile.
static bool find(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                 struct gcl_schedule *schedule) {
    const struct gcl_program *program = scheduler->program;
    const struct gcl_reason *obstacle = program ? obstacle_of(program) : NULL;
    bool single = scheduler->node != GCL_NOBODY;
    *schedule = (struct gcl_schedule){.access = GCL_NONE};
    if (obstacle || single)
        scheduler->reader = NULL; // bounds will do for what one node needs
    if (obstacle) {
        schedule->reason = obstacle->code;
        schedule->access = obstacle->access;
    } else if (program && !single && !(program->flags & GCL_PROGRAM_SINGLE) &&
               gcl_directory_node_count(scheduler->directory) > 1 &&
               schedule_all(scheduler, launch, schedule)) {
        return true;
    }
    if (scheduler->lacks_memory)
        return false;
    uint16_t reason = single ? GCL_REASON_GRID_BARRIER : GCL_REASON_NO_BLOCKS;
    if (schedule->reason)
        reason = schedule->reason;
    uint16_t access = schedule->access;
    gcl_schedule_finish(schedule);
    schedule->reason = program ? reason : GCL_REASON_CALL;
    schedule->access = access;
    bool ok = schedule_single(scheduler, launch, schedule);
    if (ok)
        schedule->plan->is_at_home = place_of(scheduler) == 0;
    return ok;
}

static uint64_t looks_of(const struct gcl_scheduler *scheduler) {
    return scheduler->looks + (scheduler->survey ? gcl_survey_looks(scheduler->survey) : 0);
}

void gcl_scheduler_note_reuse(struct gcl_scheduler *scheduler) {
    if (scheduler->survey)
        gcl_survey_begin_launch(scheduler->survey, true);
}

bool gcl_scheduler_find(struct gcl_scheduler *scheduler, const struct gcl_launch_part *launch,
                        uint32_t node, const struct gcl_reader *reader,
                        struct gcl_schedule *schedule) {
    uint64_t hash, looks = looks_of(scheduler);
    bool ok;
    if (scheduler->survey)
        gcl_survey_begin_launch(scheduler->survey, false);
    scheduler->reader = reader;
    scheduler->node = node;
    *schedule = (struct gcl_schedule){.access = GCL_NONE};
    do {
        hash = gcl_directory_hash(scheduler->directory);
        gcl_schedule_finish(schedule);
        scheduler->reading_count = 0;
        scheduler->is_general = false;
        scheduler->lacks_memory = false;
        scheduler->forbidden = 0;
        scheduler->escaped = scheduler->escaped_at = 0;
        ok = find(scheduler, launch, schedule);
    } while (ok && hash != gcl_directory_hash(scheduler->directory));
    schedule->is_general = scheduler->is_general;
    schedule->forbidden = scheduler->forbidden;
    schedule->readings = scheduler->readings;
    schedule->reading_count = scheduler->reading_count;
    schedule->has_looked = looks_of(scheduler) > looks;
    scheduler->readings = NULL;
    scheduler->reading_count = 0;
    assert(!ok || gcl_schedule_is_sound(schedule, launch));
    return ok;
}

struct gcl_border *gcl_scheduler_find_border(struct gcl_scheduler *scheduler,
                                             const struct gcl_launch_part *launch,
                                             const struct gcl_schedule *schedule, uint32_t node) {
    struct gcl_launch_part part = *launch;
    assert(node < schedule->node_count);
    if (!schedule->axis || schedule->is_general || schedule->reading_count > 0)
        return NULL;
    memcpy(part.begin, schedule->parts[node].begin, sizeof part.begin);
    memcpy(part.end, schedule->parts[node].end, sizeof part.end);
    scheduler->reader = NULL;
    const struct gcl_memory memory = memory_of(scheduler);
    gcl_evaluator_take_parts(scheduler->evaluator);
    gcl_evaluator_limit(scheduler->evaluator, scheduler->steps);
    return gcl_border_create(scheduler->evaluator, &part, &memory, (unsigned)(schedule->axis - 'x'),
                             schedule->plan, node);
}
