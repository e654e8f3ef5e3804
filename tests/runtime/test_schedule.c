// Launches of random programs one after the other, each with another argument, base or grid than
// the one before: what a scheduler finds that has seen the others is what a fresh one finds, and
// what is remembered of thousands stays within bounds. What runs on one node is planned no longer
// than that saves.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/schedule/schedule_memo.h"
#include "random_program.h"

enum {
    PLACES = 4,    ///< nodes of the job
    LAUNCHES = 8,  ///< of one program; as many as are looked at though they can't be cut
    PROGRAMS = 60, ///< that are tried
    SIZE = 1 << 20 ///< bytes of an allocation; programs touch some around its middle
};

static const uint64_t APART = (uint64_t)1 << 40;
static unsigned cut_count;

static struct gcl_directory *make_directory(void) {
    struct gcl_directory *directory = gcl_directory_create(PLACES);
    for (uint64_t i = 1; i <= 1 + ARRAYS; i++)
        assert_true(gcl_directory_add(directory, i * APART, SIZE, GCL_HOST_NEVER));
    return directory;
}

static union arguments random_arguments(void) {
    union arguments arguments = {.bases = {0}};
    for (unsigned i = 0; i < ARGUMENTS; i++)
        arguments.numbers[i] =
            (int32_t)(i < 3 ? 1 + random_below(40) : random_below(300)) - (i == 5 ? 150 : 0);
    for (unsigned i = 0; i <= ARRAYS; i++)
        arguments.bases[ARGUMENTS / 2 + i] = (i + 1) * APART + SIZE / 2;
    return arguments;
}

/// Changes what a loop around the launch would.
static void change(union arguments *arguments, struct gcl_launch_part *launch) {
    uint32_t what = random_below(10), axis = random_below(3);
    if (what < 5)
        arguments->numbers[random_below(ARGUMENTS)] += chance(50) ? 1 : -1;
    else if (what < 8)
        arguments->bases[ARGUMENTS / 2] += 4 * (uint64_t)(1 + random_below(30));
    else if (launch->geometry.grid[axis] > 1)
        launch->geometry.grid[axis] += chance(50) ? 1u : -1u;
    memset(launch->begin, 0, sizeof launch->begin);
    memcpy(launch->end, launch->geometry.grid, sizeof launch->end);
}

static void compare_allocations(const struct gcl_plan *plan, const struct gcl_plan *fresh) {
    assert_int_equal(plan->allocation_count, fresh->allocation_count);
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *a = &plan->allocations[i], *b = &fresh->allocations[i];
        assert_int_equal(a->begin, b->begin);
        assert_ptr_equal(a->before, b->before);
        assert_ptr_equal(a->after, b->after);
        assert_int_equal(a->is_changed, b->is_changed);
        assert_true(gcl_region_equal(&a->used, &b->used));
        assert_true(gcl_region_equal(&a->touched, &b->touched));
        for (uint32_t node = 0; a->needed && node < PLACES; node++)
            assert_true(gcl_region_equal(&a->needed[node], &b->needed[node]));
    }
}

static void compare(const struct gcl_schedule *schedule, const struct gcl_schedule *fresh) {
    const struct gcl_plan *plan = schedule->plan, *other = fresh->plan;
    assert_int_equal(schedule->axis, fresh->axis);
    assert_int_equal(schedule->reason, fresh->reason);
    for (uint32_t node = 0; node < PLACES; node++) {
        assert_memory_equal(schedule->parts[node].begin, fresh->parts[node].begin, 12);
        assert_memory_equal(schedule->parts[node].end, fresh->parts[node].end, 12);
    }
    compare_allocations(plan, other);
    assert_int_equal(plan->transfer_count, other->transfer_count);
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *a = &plan->transfers[i], *b = &other->transfers[i];
        assert_true(a->allocation == b->allocation && a->from == b->from && a->to == b->to &&
                    a->to_end == b->to_end && gcl_region_equal(&a->bytes, &b->bytes));
    }
    assert_int_equal(plan->combination_count, other->combination_count);
    for (size_t i = 0; i < plan->combination_count; i++) {
        for (uint32_t node = 0; node < PLACES; node++)
            assert_true(gcl_region_equal(&plan->combinations[i].bytes[node],
                                         &other->combinations[i].bytes[node]));
    }
}

/// What nodes of a schedule need of the first array is what their blocks' threads touch there, at
/// least.
static void check_needs(struct gcl_evaluator *evaluator, const struct gcl_schedule *schedule,
                        const struct gcl_launch_part *launch, const struct gcl_memory *memory) {
    for (uint32_t node = 0; node < PLACES; node++) {
        struct gcl_launch_part part = schedule->parts[node];
        struct gcl_footprint footprint;
        part.arguments = launch->arguments;
        if (gcl_split_is_empty(&part))
            continue;
        assert_true(gcl_footprint_find(evaluator, &part, memory, &footprint));
        for (size_t i = 0; i < footprint.count; i++) {
            const struct gcl_allocation_use *use = &footprint.uses[i];
            for (size_t k = 0; k < schedule->plan->allocation_count; k++) {
                const struct gcl_plan_allocation *a = &schedule->plan->allocations[k];
                if (a->begin != (uint64_t)use->allocation.begin)
                    continue;
                assert_true(gcl_region_is_empty(&use->read) ||
                            gcl_region_contains(&a->needed[node], &use->read));
                assert_true(gcl_region_is_empty(&use->written) || !schedule->axis ||
                            schedule->plan->combination_count > 0 ||
                            gcl_region_contains(&a->after->held[node], &use->written));
            }
        }
        gcl_footprint_finish(&footprint);
    }
}

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_directory_entry *entry = gcl_directory_find(context, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

static void check_sequence(const struct program *p) {
    struct gcl_directory *directory = make_directory();
    struct gcl_memory memory = {.find = find_allocation, .context = directory};
    struct gcl_schedule_memo *memo = gcl_schedule_memo_create(&p->tables, directory, NULL);
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p->tables);
    struct gcl_launch_part launch = random_launch();
    union arguments arguments = random_arguments();
    uint32_t weights[PLACES];
    uint64_t weighing = 0;
    launch.arguments = (const unsigned char *)&arguments;
    for (int i = 0; i < LAUNCHES; i++) {
        struct gcl_schedule_memo *fresh = gcl_schedule_memo_create(&p->tables, directory, NULL);
        if (chance(30)) {
            for (uint32_t node = 0; node < PLACES; node++)
                weights[node] = 1 + random_below(20);
            gcl_schedule_memo_weigh(memo, weights, ++weighing);
        }
        if (weighing > 0)
            gcl_schedule_memo_weigh(fresh, weights, weighing);
        if (chance(70)) // or it is the same launch with other weights
            change(&arguments, &launch);
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        const struct gcl_schedule *other = gcl_schedule_memo_find(fresh, &launch, GCL_NOBODY);
        assert_true(schedule && other);
        compare(schedule, other);
        check_needs(evaluator, schedule, &launch, &memory);
        cut_count += schedule->axis != 0;
        gcl_plan_commit(schedule->plan, directory);
        gcl_schedule_memo_destroy(fresh);
    }
    gcl_evaluator_destroy(evaluator);
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
}

/// Adds accesses that touch what the program's own does: they read it, write it, or both.
static void add_alike(struct program *p) {
    for (uint32_t i = 0, count = random_below(4); i < count; i++) {
        struct gcl_access *access = &p->accesses[p->tables.access_count++];
        *access = p->accesses[0];
        access->kind = chance(50) ? GCL_ACCESS_READ : GCL_ACCESS_WRITE;
    }
}

static void schedules_dont_depend_on_earlier_launches(void **state) {
    static struct program p;
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        random_start(1 + 1000003u * i);
        random_program(&p, i % 4 ? RANDOM_DATA_NONE : RANDOM_DATA_UNKNOWN);
        add_alike(&p);
        check_sequence(&p);
    }
    assert_true(cut_count > PROGRAMS);
}

/// Leaves every eighth byte of an allocation on node 0 alone.
static void scatter(struct gcl_directory *directory, uint64_t begin) {
    static struct gcl_span runs[SIZE / 128];
    struct gcl_region written[PLACES] = {{.count = 0}};
    for (size_t i = 0; i < SIZE / 128; i++)
        runs[i] = (struct gcl_span){(int64_t)(128 * i), (int64_t)(128 * i) + 1 + random_below(60)};
    assert_true(gcl_region_from_runs(runs, SIZE / 128, &written[0]));
    const struct gcl_layout *after = gcl_layouts_change(
        gcl_directory_layouts(directory), gcl_directory_find(directory, begin)->layout,
        &(struct gcl_layout_change){.written = written});
    assert_non_null(after);
    gcl_directory_update(directory, begin, after, &written[0]);
    gcl_region_finish(&written[0]);
}

// Each launch has a plan that takes a megabyte, and none of them is the same.
static void what_is_remembered_is_bounded(void **state) {
    enum { MEGABYTE = 1 << 20 };
    static struct program p;
    union arguments arguments = {.bases = {0}};
    size_t most = 0;
    (void)state;
    init_program(&p);
    p.accesses[0].kind = GCL_ACCESS_READ;
    p.accesses[0].size = SIZE / 2;
    uint16_t block =
        add_node(&p, GCL_NODE_ZEXT, 64, add_node(&p, GCL_NODE_BLOCK_INDEX, 32, 0, 0, 0), 0, 0);
    p.accesses[0].offset = add_node(&p, GCL_NODE_MULTIPLY, 64, block, constant(&p, 4, 64), 0);
    struct gcl_directory *directory = make_directory();
    struct gcl_schedule_memo *memo = gcl_schedule_memo_create(&p.tables, directory, NULL);
    struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                     .geometry = {.grid = {8, 1, 1}, .block = {32, 1, 1}},
                                     .end = {8, 1, 1}};
    scatter(directory, APART);
    for (uint64_t i = 0; i < 40; i++) {
        arguments.bases[ARGUMENTS / 2] = APART + 4 * i;
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        assert_true(schedule && schedule->axis == 'x');
        size_t size = gcl_plan_memory(schedule->plan);
        most = size > most ? size : most;
    }
    assert_true(most > MEGABYTE / 2);
    assert_true(gcl_schedule_memo_memory(memo) < (size_t)17 * MEGABYTE);
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
}

/// Bytes that a launch of many blocks on one node touches as it is planned, of which few are
/// touched in fact.
static int64_t touched_by_one(struct program *p, struct gcl_directory *directory) {
    const union arguments arguments = {.bases[ARGUMENTS / 2] = APART};
    const struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                           .geometry = {.grid = {4000, 1, 1}, .block = {1, 1, 1}},
                                           .end = {4000, 1, 1}};
    struct gcl_schedule schedule;
    struct gcl_scheduler *scheduler = gcl_scheduler_create(&p->tables, directory);
    assert_true(gcl_scheduler_find(scheduler, &launch, GCL_NOBODY, NULL, &schedule));
    assert_int_equal(schedule.axis, 0);
    assert_int_equal(schedule.plan->transfer_count, 0);
    int64_t touched = gcl_region_size(&schedule.plan->allocations[0].touched);
    gcl_schedule_finish(&schedule);
    gcl_scheduler_destroy(scheduler);
    return touched;
}

// Bytes that only this node has stay there, whatever it touches of them: so that isn't told apart
// for longer than it may take. Copies that others have count.
static void what_stays_in_its_place_is_told_in_few_steps(void **state) {
    static struct program p;
    (void)state;
    init_program(&p);
    p.tables.flags = GCL_PROGRAM_SINGLE;
    p.tables.base_count = 1;
    uint16_t block = add_node(&p, GCL_NODE_BLOCK_INDEX, 32, 0, 0, 0);
    uint16_t wild = add_node(&p, GCL_NODE_MULTIPLY, 32, block, constant(&p, 1717, 32), 0);
    uint16_t rest = add_node(&p, GCL_NODE_UREM, 32, wild, constant(&p, 1021, 32), 0);
    uint16_t is_less = add_node(&p, GCL_NODE_ULT, 32, rest, constant(&p, 500, 32), 0);
    p.accesses[0].guard = add_guard(&p, GCL_GUARD_HOLDS, is_less, GCL_NONE);
    p.accesses[0].offset =
        add_node(&p, GCL_NODE_ZEXT, 64,
                 add_node(&p, GCL_NODE_MULTIPLY, 32, block, constant(&p, 4, 32), 0), 0, 0);
    struct gcl_directory *directory = make_directory();
    assert_true(touched_by_one(&p, directory) < 4 * 4000);
    const struct gcl_layout *home = gcl_layouts_home(gcl_directory_layouts(directory), SIZE);
    gcl_directory_update(directory, APART, home, &home->held[0]);
    assert_int_equal(touched_by_one(&p, directory), SIZE);
    gcl_directory_destroy(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_dont_depend_on_earlier_launches),
        cmocka_unit_test(what_is_remembered_is_bounded),
        cmocka_unit_test(what_stays_in_its_place_is_told_in_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
