// The launch is planned as the runtime would, in a directory of its own, by the same scheduler
// (plan/schedule/schedule.h): LAUNCHES times in a row, with all arrays on node 0 at first, so that
// the last one tells what moves each time. Arrays get the bytes that the whole launch touches.
//
// Which arrays change places between launches isn't known from one kernel: each read array is tried
// with each written one of the same element and extent, up to MOST_TRIALS trials, and the one by
// which most bytes move stays, also while others are tried.
#include "spread.h"

#include <assert.h>
#include <string.h>

#include "plan/inspect/base.h"
#include "plan/program/footprint.h"
#include "plan/schedule/schedule.h"
#include "point.h"
#include "sample.h"
#include "text.h"

enum {
    LAUNCHES = 4,
    MOST_TRIALS = 32,
    FEW_TRIALS = 4,  // where less depends on them
    MOST_RUNS = 200, // of an array on a node
};

/// Bytes from which on nobody knows how many there are.
#define UNKNOWN_SIZE (INT64_C(1) << 41)
/// Elements that a block alone touches, likewise: an int from memory may be any index.
#define UNKNOWN_COUNT INT32_MAX

struct array {
    uint16_t base;
    int64_t begin, end; ///< bytes that are touched, from the pointer on
    int64_t element;    ///< bytes
    bool is_read, is_changed;
    bool is_unbounded; ///< how many bytes it has isn't known
};

/// Two arrays that change places between launches.
struct pair {
    guint read, written;
};

struct spread {
    const struct gcl_spread_launch *launch;
    struct gcl_sample *sample;
    GArray *arrays; ///< struct array
    GArray *pairs;  ///< struct pair
};

/// Some launches, one after the other.
struct trial {
    struct gcl_directory *directory;
    struct gcl_scheduler *scheduler;
    struct gcl_schedule schedule; ///< the last one's
    uint64_t bytes;               ///< that moved for that
};

static struct array *array_at(const struct spread *s, guint i) {
    assert(i < s->arrays->len);
    return &g_array_index(s->arrays, struct array, i);
}

// Arrays.

static void extend(struct array *array, const struct gcl_region *region) {
    struct gcl_span bounds = gcl_region_bounds(region);
    if (gcl_region_is_empty(region))
        return;
    if (bounds.end - bounds.begin >= UNKNOWN_SIZE) {
        array->is_unbounded = true;
        return;
    }
    array->begin = MIN(array->begin, bounds.begin - GCL_SAMPLE_MIDDLE);
    array->end = MAX(array->end, bounds.end - GCL_SAMPLE_MIDDLE);
}

// The smallest element by which it is accessed.
static int64_t element_of(const struct gcl_program *p, uint16_t base) {
    int64_t element = 0;
    for (uint16_t i = 0; i < p->access_count; i++) {
        if (p->accesses[i].base == base && p->accesses[i].element > 0)
            element = element ? MIN(element, p->accesses[i].element) : p->accesses[i].element;
    }
    return MAX(element, 1);
}

enum { KINDS = 5 };

// What is read, and then what is changed, in its ways.
static void list_regions(const struct gcl_allocation_use *use,
                         const struct gcl_region *regions[KINDS]) {
    const struct gcl_region *all[KINDS] = {&use->read, &use->written, &use->touched, &use->reduced,
                                           &use->claimed};
    memcpy(regions, all, sizeof all);
}

// Whether one block may touch anything. `use`: what it does touch, or NULL.
static bool is_anywhere(const struct gcl_allocation_use *use, int64_t element) {
    const struct gcl_region *regions[KINDS];
    bool found = false;
    if (!use)
        return false;
    list_regions(use, regions);
    for (size_t i = 0; i < KINDS; i++) {
        struct gcl_span bounds = gcl_region_bounds(regions[i]);
        found |= !gcl_region_is_empty(regions[i]) &&
                 (bounds.end - bounds.begin) / element >= UNKNOWN_COUNT;
    }
    return found;
}

static void add_array(struct spread *s, const struct gcl_allocation_use *use,
                      const struct gcl_footprint *of_block) {
    const struct gcl_region *regions[KINDS];
    struct array array = {.base = gcl_sample_base(use)};
    array.element = element_of(&s->sample->program, array.base);
    array.is_read = !gcl_region_is_empty(&use->read);
    array.is_unbounded =
        is_anywhere(gcl_sample_use(s->sample, of_block, array.base), array.element);
    list_regions(use, regions);
    for (size_t i = 0; i < KINDS; i++) {
        array.is_changed |= i > 0 && !gcl_region_is_empty(regions[i]);
        if (!array.is_unbounded)
            extend(&array, regions[i]);
    }
    if (array.is_read || array.is_changed)
        g_array_append_val(s->arrays, array);
}

// What nobody knows the size of has as many elements as the largest of the others, or as there are
// threads.
static void bound_arrays(struct spread *s) {
    const struct gcl_geometry *geometry = &s->sample->launch.geometry;
    int64_t most = 1;
    for (unsigned axis = 0; axis < 3; axis++)
        most *= (int64_t)geometry->block[axis] * geometry->grid[axis];
    for (guint i = 0; i < s->arrays->len; i++) {
        const struct array *array = array_at(s, i);
        most = MAX(most, (array->end - array->begin) / array->element);
    }
    for (guint i = 0; i < s->arrays->len; i++) {
        struct array *array = array_at(s, i);
        if (array->is_unbounded)
            array->end = MAX(array->end, array->begin + most * array->element);
    }
}

static void find_arrays(struct spread *s) {
    uint32_t end = s->sample->launch.geometry.grid[0];
    struct gcl_footprint footprint = gcl_sample_footprint(s->sample, 0, 0, end);
    struct gcl_footprint of_block = gcl_sample_footprint(s->sample, 0, 0, 1);
    for (size_t i = 0; i < footprint.count; i++)
        add_array(s, &footprint.uses[i], &of_block);
    gcl_footprint_finish(&of_block);
    gcl_footprint_finish(&footprint);
    bound_arrays(s);
}

// Launches.

static uint64_t pointer_of(const struct spread *s, const struct array *array) {
    uint64_t address = 0;
    if (!gcl_base_address(&s->sample->program, &s->sample->launch, array->base, &address))
        address = gcl_sample_address(array->base);
    return address;
}

// Where an array begins and ends that may be in the place of another one.
static struct gcl_span span_of(const struct spread *s, guint index) {
    struct array both = *array_at(s, index);
    for (guint i = 0; i < s->pairs->len; i++) {
        const struct pair *pair = &g_array_index(s->pairs, struct pair, i);
        if (pair->read != index && pair->written != index)
            continue;
        const struct array *other = array_at(s, pair->read == index ? pair->written : pair->read);
        both.begin = MIN(both.begin, other->begin);
        both.end = MAX(both.end, other->end);
    }
    assert(both.begin <= both.end);
    int64_t pointer = (int64_t)pointer_of(s, &both);
    return (struct gcl_span){pointer + both.begin, pointer + both.end};
}

// At first node 0 has all of it.
static bool add_allocation(const struct spread *s, guint index, struct gcl_directory *directory) {
    struct gcl_span span = span_of(s, index);
    uint64_t begin = (uint64_t)span.begin;
    if (!gcl_directory_add(directory, begin, (uint64_t)(span.end - span.begin), GCL_HOST_NEVER))
        return false;
    if (s->sample->program.bases[array_at(s, index)->base].kind >= GCL_BASE_LOADED)
        gcl_directory_escape(directory, begin);
    const struct gcl_layout *layout =
        gcl_layouts_home(gcl_directory_layouts(directory), span.end - span.begin);
    const struct gcl_region all = gcl_region_run(0, span.end - span.begin);
    if (layout)
        gcl_directory_update(directory, begin, layout, &all);
    return layout != NULL;
}

static void exchange(const struct spread *s, unsigned char *arguments) {
    const struct gcl_base *bases = s->sample->program.bases;
    for (guint i = 0; i < s->pairs->len; i++) {
        const struct pair *pair = &g_array_index(s->pairs, struct pair, i);
        assert(bases[array_at(s, pair->read)->base].kind == GCL_BASE_ARGUMENT &&
               bases[array_at(s, pair->written)->base].kind ==
                   GCL_BASE_ARGUMENT); // as may_pair wants
        unsigned char *read = arguments + bases[array_at(s, pair->read)->base].index;
        unsigned char *written = arguments + bases[array_at(s, pair->written)->base].index;
        uint64_t pointers[2];
        memcpy(&pointers[0], read, sizeof pointers[0]);
        memcpy(&pointers[1], written, sizeof pointers[1]);
        memcpy(read, &pointers[1], sizeof pointers[1]);
        memcpy(written, &pointers[0], sizeof pointers[0]);
    }
}

static void trial_finish(struct trial *trial) {
    gcl_schedule_finish(&trial->schedule);
    gcl_scheduler_destroy(trial->scheduler);
    gcl_directory_destroy(trial->directory);
}

static bool launch_all(const struct spread *s, struct trial *trial) {
    size_t size = gcl_sample_argument_size(s->sample);
    g_autofree unsigned char *exchanged = g_memdup2(s->sample->arguments, size);
    exchange(s, exchanged);
    for (int i = 0; i < LAUNCHES; i++) {
        struct gcl_launch_part launch = s->sample->launch;
        if (i % 2 == 0)
            launch.arguments = exchanged;
        gcl_schedule_finish(&trial->schedule);
        if (!gcl_scheduler_find(trial->scheduler, &launch, GCL_NOBODY, NULL, &trial->schedule))
            return false;
        gcl_plan_commit(trial->schedule.plan, trial->directory);
    }
    trial->bytes = gcl_plan_moved(trial->schedule.plan) +
                   gcl_plan_combined(trial->schedule.plan, s->launch->node_count);
    return true;
}

// False: no memory; the trial is to be finished all the same.
static bool try_launches(const struct spread *s, struct trial *trial) {
    *trial = (struct trial){.directory = gcl_directory_create(s->launch->node_count)};
    bool ok = trial->directory != NULL;
    for (guint i = 0; ok && i < s->arrays->len; i++)
        ok = add_allocation(s, i, trial->directory);
    if (ok)
        trial->scheduler = gcl_scheduler_create(&s->sample->program, trial->directory);
    return ok && trial->scheduler && launch_all(s, trial);
}

// Pairs.

static bool is_paired(const struct spread *s, guint index) {
    for (guint i = 0; i < s->pairs->len; i++) {
        const struct pair *pair = &g_array_index(s->pairs, struct pair, i);
        if (pair->read == index || pair->written == index)
            return true;
    }
    return false;
}

static bool is_fixed(const struct spread *s, const struct gcl_base *base) {
    for (size_t i = 0; i < s->launch->fixed_count; i++) {
        if (s->launch->fixed[i] == base->index)
            return true;
    }
    return false;
}

static bool may_pair(const struct spread *s, const struct pair *pair) {
    const struct gcl_base *bases = s->sample->program.bases;
    const struct array *read = array_at(s, pair->read), *written = array_at(s, pair->written);
    int64_t a = read->end - read->begin, b = written->end - written->begin;
    return read->is_read && !read->is_changed && written->is_changed && !written->is_read &&
           !is_paired(s, pair->read) && read->element == written->element && !read->is_unbounded &&
           !written->is_unbounded && a <= 2 * b && b <= 2 * a &&
           bases[read->base].kind == GCL_BASE_ARGUMENT && !is_fixed(s, &bases[read->base]) &&
           bases[written->base].kind == GCL_BASE_ARGUMENT;
}

// Gives a written array the read one by which most moves; `bytes`: what does without. False: no
// memory.
static bool choose_pair(struct spread *s, guint written, uint64_t *bytes, unsigned *trials) {
    struct pair best = {.written = written, .read = G_MAXUINT};
    for (guint read = 0; read < s->arrays->len && *trials > 0; read++) {
        struct pair pair = {.written = written, .read = read};
        struct trial trial;
        if (!may_pair(s, &pair))
            continue;
        --*trials;
        g_array_append_val(s->pairs, pair);
        bool ok = try_launches(s, &trial);
        g_array_set_size(s->pairs, s->pairs->len - 1);
        if (ok && trial.bytes > *bytes) {
            *bytes = trial.bytes;
            best = pair;
        }
        trial_finish(&trial);
        if (!ok)
            return false;
    }
    if (best.read != G_MAXUINT)
        g_array_append_val(s->pairs, best);
    return true;
}

static bool choose_pairs(struct spread *s, unsigned trials) {
    struct trial trial;
    bool ok = try_launches(s, &trial);
    for (guint i = 0; ok && i < s->arrays->len; i++)
        ok = choose_pair(s, i, &trial.bytes, &trials);
    trial_finish(&trial);
    return ok;
}

// The spread as JSON.

static json_t *numbers(const uint32_t values[3]) {
    return json_pack("[I, I, I]", (json_int_t)values[0], (json_int_t)values[1],
                     (json_int_t)values[2]);
}

static char *name_of(const struct spread *s, guint index) {
    return gcl_text_base(s->launch->kernel, array_at(s, index)->base);
}

/// Runs of elements of one array.
struct runs {
    json_t *list;
    const struct array *array;
    bool is_simple; ///< all of them are there
};

// In elements from the first one of the array, whose bytes a run of `length` may cut.
static void add_run(struct runs *runs, int64_t begin, int64_t length, struct gcl_level level) {
    assert(runs->array->element > 0);
    int64_t element = runs->array->element, first = begin / element;
    int64_t end = (begin + length + element - 1) / element;
    if (json_array_size(runs->list) >= MOST_RUNS)
        runs->is_simple = false;
    else
        json_array_append_new(
            runs->list, json_pack("[I, I, I, I]", (json_int_t)first, (json_int_t)(end - first),
                                  (json_int_t)(level.stride / element), (json_int_t)level.count));
}

static void add_box(struct runs *runs, const struct gcl_strided *box, int64_t begin,
                    uint32_t depth) {
    const struct gcl_level *outer = &box->levels[depth > 0 ? depth - 1 : 0];
    for (size_t i = 0; depth == 0 && box->motif && i < box->motif->count && runs->is_simple; i++) {
        const struct gcl_strided *part = &box->motif->boxes[i];
        add_box(runs, part, begin + part->begin, gcl_strided_depth(part));
    }
    if (depth == 0 && box->motif)
        return;
    if (depth <= 1 && !box->motif && !box->growth) {
        add_run(runs, begin, box->length, *outer);
        return;
    }
    for (int64_t i = 0; box->growth && i < outer->count && runs->is_simple; i++)
        add_run(runs, begin + i * outer->stride, box->length + i * box->growth,
                (struct gcl_level){0, 1});
    if (box->growth)
        return;
    for (int64_t i = 0; i < outer->count && runs->is_simple; i++)
        add_box(runs, box, begin + i * outer->stride, depth - 1);
}

// What the region is of an allocation that begins where the array does. Too many runs are the one
// that covers them.
static json_t *runs_json(const struct array *array, const struct gcl_region *region,
                         bool *is_simple) {
    struct runs runs = {json_array(), array, true};
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    for (size_t i = 0; i < gcl_region_box_count(region) && runs.is_simple; i++)
        add_box(&runs, &boxes[i], boxes[i].begin, gcl_strided_depth(&boxes[i]));
    if (runs.is_simple)
        return runs.list;
    struct gcl_span bounds = gcl_region_bounds(region);
    *is_simple = false;
    json_array_clear(runs.list);
    add_run(&runs, bounds.begin, bounds.end - bounds.begin, (struct gcl_level){0, 1});
    return runs.list;
}

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_directory_entry *entry = gcl_directory_find(context, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

static bool find_escaped(void *context, size_t index, struct gcl_span *allocation) {
    size_t count;
    const struct gcl_directory_entry *entries = gcl_directory_entries(context, &count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].has_escaped && index-- == 0)
            return find_allocation(context, entries[i].begin, allocation);
    }
    return false;
}

// The footprints of all nodes' parts, to be finished.
static struct gcl_footprint *find_footprints(const struct spread *s, const struct trial *trial) {
    struct gcl_memory memory = {
        .find = find_allocation, .escaped = find_escaped, .context = trial->directory};
    struct gcl_footprint *footprints = g_new0(struct gcl_footprint, s->launch->node_count);
    for (uint32_t node = 0; node < s->launch->node_count; node++) {
        struct gcl_launch_part part = trial->schedule.parts[node];
        part.arguments = s->sample->launch.arguments;
        if (!gcl_split_is_empty(&part) &&
            !gcl_footprint_find(s->sample->evaluator, &part, &memory, &footprints[node]))
            g_error("no memory");
    }
    return footprints;
}

static const struct gcl_allocation_use *use_of(const struct gcl_footprint *footprint,
                                               int64_t begin) {
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == begin)
            return &footprint->uses[i];
    }
    return NULL;
}

static json_t *writes_json(const struct array *array, const struct gcl_allocation_use *use,
                           bool *is_simple) {
    const struct gcl_region *parts[] = {&use->touched, &use->reduced, &use->claimed};
    struct gcl_region all = {.count = 0};
    *is_simple &= gcl_region_copy(&use->written, &all);
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        *is_simple &= gcl_region_unite(&all, parts[i], &all);
    json_t *runs = runs_json(array, &all, is_simple);
    gcl_region_finish(&all);
    return runs;
}

// The index of the allocation in the plan; allocation_count: none.
static uint32_t allocation_of(const struct gcl_plan *plan, int64_t begin) {
    uint32_t allocation = 0;
    while (allocation < plan->allocation_count &&
           plan->allocations[allocation].begin != (uint64_t)begin)
        allocation++;
    return allocation;
}

// Bytes of an allocation that a node gets from others, before the launch and after it.
static uint64_t received(const struct gcl_plan *plan, uint32_t allocation, uint32_t node,
                         uint32_t node_count) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        if (t->allocation == allocation && gcl_transfer_reaches(t, node) && t->from != GCL_NOWHERE)
            bytes += (uint64_t)gcl_region_size(&t->bytes);
    }
    for (size_t i = 0; i < plan->combination_count; i++) {
        for (uint32_t from = 0; plan->combinations[i].allocation == allocation && from < node_count;
             from++) {
            struct gcl_region part = {.count = 0};
            if (from != node && gcl_combination_part(&plan->combinations[i], from, node, &part))
                bytes += (uint64_t)gcl_region_size(&part);
            gcl_region_finish(&part);
        }
    }
    return bytes;
}

static json_t *causes_json(const struct gcl_plan *plan, uint32_t allocation, uint32_t count) {
    struct gcl_moves moves = {.bytes = {0}};
    json_t *causes = json_object();
    if (allocation < plan->allocation_count && plan->allocations[allocation].needed &&
        !gcl_moves_add_needed(&moves, plan, allocation, plan->allocations[allocation].needed,
                              count))
        g_error("no memory");
    gcl_moves_add_combined(&moves, plan, allocation, count);
    for (int i = 0; i < GCL_MOVE_CAUSE_COUNT; i++) {
        if (moves.bytes[i] > 0)
            json_object_set_new(causes, gcl_moves_name((enum gcl_move_cause)i),
                                json_integer((json_int_t)moves.bytes[i]));
    }
    return causes;
}

// Bytes from what a thread touches to what the next one along an axis does; 0: that isn't known.
static int64_t step_along(const struct spread *s, uint16_t base, unsigned axis) {
    const struct gcl_program *p = &s->sample->program;
    struct gcl_point at = {.block = {0}}, next = at;
    int64_t here, there;
    next.block[axis] = s->sample->launch.geometry.block[axis] == 1;
    next.thread[axis] = s->sample->launch.geometry.block[axis] > 1;
    for (uint16_t i = 0; i < p->access_count && s->sample->uses[axis]; i++) {
        uint16_t offset = p->accesses[i].base == base ? p->accesses[i].offset : GCL_NONE;
        if (offset != GCL_NONE && gcl_point_value(s->sample, &at, offset, &here) &&
            gcl_point_value(s->sample, &next, offset, &there))
            return ABS(there - here);
    }
    return 0;
}

// The second smallest step is that from row to row.
static int64_t row_of(const struct spread *s, const struct array *array) {
    int64_t least = INT64_MAX, second = INT64_MAX;
    for (unsigned axis = 0; axis < 3; axis++) {
        int64_t step = step_along(s, array->base, axis);
        if (step == 0)
            continue;
        second = MIN(second, MAX(step, least));
        least = MIN(least, step);
    }
    return second == INT64_MAX || second == least ? 0 : second / array->element;
}

static json_t *array_json(const struct spread *s, const struct trial *trial,
                          const struct gcl_footprint *footprints, guint index) {
    const struct array *array = array_at(s, index);
    const struct gcl_plan *plan = trial->schedule.plan;
    int64_t begin = span_of(s, index).begin;
    uint32_t allocation = allocation_of(plan, begin), count = s->launch->node_count;
    g_autofree char *name = name_of(s, index);
    bool is_simple = true;
    json_t *nodes = json_array();
    for (uint32_t node = 0; node < count; node++) {
        const struct gcl_allocation_use *use = use_of(&footprints[node], begin);
        json_t *reads = use ? runs_json(array, &use->read, &is_simple) : json_array();
        json_t *writes = use ? writes_json(array, use, &is_simple) : json_array();
        json_array_append_new(nodes,
                              json_pack("{s:I, s:o, s:o, s:I}", "node", (json_int_t)node, "reads",
                                        reads, "writes", writes, "received",
                                        (json_int_t)received(plan, allocation, node, count)));
    }
    struct gcl_span span = span_of(s, index);
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:b, s:b}", "name", name, "elementBytes",
                     (json_int_t)array->element, "elements",
                     (json_int_t)((span.end - span.begin + array->element - 1) / array->element),
                     "row", (json_int_t)row_of(s, array), "nodes", nodes, "causes",
                     causes_json(plan, allocation, count), "simplified", !is_simple, "unbounded",
                     (int)array->is_unbounded);
}

static json_t *arrays_json(const struct spread *s, const struct trial *trial) {
    struct gcl_footprint *footprints = find_footprints(s, trial);
    json_t *arrays = json_array();
    for (guint i = 0; i < s->arrays->len; i++)
        json_array_append_new(arrays, array_json(s, trial, footprints, i));
    for (uint32_t node = 0; node < s->launch->node_count; node++)
        gcl_footprint_finish(&footprints[node]);
    g_free(footprints);
    return arrays;
}

static json_t *parts_json(const struct gcl_schedule *schedule) {
    json_t *parts = json_array();
    for (uint32_t node = 0; node < schedule->node_count; node++) {
        const struct gcl_launch_part *part = &schedule->parts[node];
        if (!gcl_split_is_empty(part))
            json_array_append_new(parts,
                                  json_pack("{s:I, s:o, s:o}", "node", (json_int_t)node, "begin",
                                            numbers(part->begin), "end", numbers(part->end)));
    }
    return parts;
}

static json_t *moves_json(const struct gcl_plan *plan, uint32_t count) {
    g_autofree uint64_t *links = g_new0(uint64_t, (size_t)count *count);
    json_t *moves = json_array();
    gcl_moves_add_links(plan, count, links);
    for (uint32_t i = 0; i < count * count; i++) {
        if (links[i] > 0)
            json_array_append_new(moves, json_pack("[I, I, I]", (json_int_t)(i / count),
                                                   (json_int_t)(i % count), (json_int_t)links[i]));
    }
    return moves;
}

static json_t *pairs_json(const struct spread *s) {
    json_t *pairs = json_array();
    for (guint i = 0; i < s->pairs->len; i++) {
        const struct pair *pair = &g_array_index(s->pairs, struct pair, i);
        g_autofree char *read = name_of(s, pair->read), *written = name_of(s, pair->written);
        json_array_append_new(pairs, json_pack("[s, s]", read, written));
    }
    return pairs;
}

// Why the launch isn't cut, or what cutting it costs. Nobody would expect one block to be cut.
static json_t *reasons_json(const struct spread *s, const struct gcl_schedule *schedule) {
    const uint32_t *grid = s->sample->launch.geometry.grid;
    bool has_blocks = grid[0] > 1 || grid[1] > 1 || grid[2] > 1;
    json_t *reasons = json_array();
    if (schedule->reason && has_blocks && schedule->node_count > 1)
        json_array_append_new(
            reasons, gcl_explained_reason(s->launch->kernel, schedule->reason, schedule->access));
    return reasons;
}

static json_t *spread_json(const struct spread *s, const struct trial *trial) {
    const struct gcl_schedule *schedule = &trial->schedule;
    const struct gcl_launch_part *launch = &s->sample->launch;
    char split[] = {schedule->axis, '\0'};
    g_autofree char *arguments =
        g_base64_encode(launch->arguments, gcl_sample_argument_size(s->sample));
    return json_pack(
        "{s:s, s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:I, s:o, s:o}", "split",
        schedule->axis ? split : "none", "nodes", (json_int_t)schedule->node_count, "grid",
        numbers(launch->geometry.grid), "block", numbers(launch->geometry.block), "arguments",
        arguments, "parts", parts_json(schedule), "arrays", arrays_json(s, trial), "exchanged",
        pairs_json(s), "bytes", (json_int_t)trial->bytes, "moves",
        moves_json(schedule->plan, schedule->node_count), "reasons", reasons_json(s, schedule));
}

static void spread_init(struct spread *s, const struct gcl_spread_launch *launch) {
    *s = (struct spread){.launch = launch,
                         .sample = gcl_sample_choose(launch->kernel->program, &launch->known),
                         .arrays = g_array_new(FALSE, FALSE, sizeof(struct array)),
                         .pairs = g_array_new(FALSE, FALSE, sizeof(struct pair))};
    find_arrays(s);
}

static void spread_finish(struct spread *s) {
    g_array_unref(s->arrays);
    g_array_unref(s->pairs);
    gcl_sample_destroy(s->sample);
}

json_t *gcl_spread(const struct gcl_spread_launch *launch) {
    struct spread s;
    struct trial trial = {.directory = NULL};
    spread_init(&s, launch);
    json_t *json =
        choose_pairs(&s, MOST_TRIALS) && try_launches(&s, &trial) ? spread_json(&s, &trial) : NULL;
    trial_finish(&trial);
    spread_finish(&s);
    return json;
}

bool gcl_spread_find_price(const struct gcl_spread_launch *launch,
                           const struct gcl_forecast_cluster *cluster,
                           struct gcl_spread_price *price) {
    struct spread s;
    struct trial trial = {.directory = NULL};
    struct gcl_forecast_moves moves = {.bytes = 0};
    assert(cluster->node_count == launch->node_count);
    spread_init(&s, launch);
    bool ok = choose_pairs(&s, FEW_TRIALS) && try_launches(&s, &trial) &&
              gcl_forecast_price(cluster, trial.schedule.plan, &moves);
    const struct gcl_geometry *geometry = &s.sample->launch.geometry;
    *price = (struct gcl_spread_price){.axis = trial.schedule.axis, .moves_ns = moves.time_ns};
    memcpy(price->grid, geometry->grid, sizeof price->grid);
    memcpy(price->block, geometry->block, sizeof price->block);
    trial_finish(&trial);
    spread_finish(&s);
    return ok;
}
