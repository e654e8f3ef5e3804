// Surveys by arrays of which parts change from launch to launch: what is kept of an earlier look
// and put together with a new one has to be what a survey finds that has never looked before; and
// only as many shares of blocks are gone through as look at what has changed.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/inspect/inspect.h"
#include "plan/program/split.h"
#include "plan/survey/survey.h"
#include "random_program.h"

enum {
    NODE_COUNT = 2,
    THREADS = 1 << 17,
    BLOCK = 128,
    ROW = 4,           ///< at most so many columns, of THREADS / 2 rows for as many threads
    SIZE = 4 * THREADS ///< of each array, as of what base 0 leads to
};

static struct {
    struct program program;
    union arguments arguments;
    uint32_t arrays[ARRAYS][THREADS];
    struct gcl_directory *directory;
    struct gcl_launch_part launch;
    struct gcl_evaluator *evaluator;
} job;

// A node that has all memory.

static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_directory_entry *entry = gcl_directory_find(job.directory, address);
    (void)context;
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

static const unsigned char *contents(void *context, const struct gcl_span *allocation,
                                     struct gcl_span *run, uint64_t *version) {
    (void)context, (void)allocation, (void)run, (void)version;
    return NULL; // nothing is looked at but by surveys
}

static bool fetch(void *context, const struct gcl_demand *demands, size_t count) {
    (void)context, (void)demands, (void)count;
    return true;
}

static const unsigned char *memory_at(void *context, uint64_t begin) {
    (void)context;
    return (const unsigned char *)job.arrays[begin / PLACE - 2];
}

static const struct gcl_memory memory = {.find = find, .contents = contents};
static const struct gcl_reader reader = {.self = GCL_NOBODY, .fetch = fetch, .memory = memory_at};

static void take(struct gcl_survey *survey) {
    struct gcl_launch_part parts[NODE_COUNT];
    struct gcl_contents launched;
    for (uint32_t i = 0; i < NODE_COUNT; i++)
        parts[i] = gcl_split_part(&job.launch, 0, NODE_COUNT, i);
    assert_true(gcl_footprint_open_contents(job.evaluator, &job.launch, &memory, &launched));
    const struct gcl_survey_launch launch = {.evaluator = job.evaluator,
                                             .launch = &job.launch,
                                             .parts = parts,
                                             .axis = 'x',
                                             .contents = &launched};
    gcl_survey_begin_launch(survey, false);
    assert_true(gcl_survey_take(survey, &launch, &reader));
    gcl_contents_finish(&launched);
}

// Programs.

static uint16_t scaled(uint16_t index) {
    uint16_t wide = add_node(&job.program, GCL_NODE_SEXT, 64, index, 0, 0);
    return add_node(&job.program, GCL_NODE_MULTIPLY, 64, wide, constant(&job.program, 4, 64), 0);
}

static uint16_t element(unsigned array, uint16_t index) {
    return add_load(&job.program, array, 32, scaled(index));
}

/// out[array0[i]] = …
static void make_scatter(void) {
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    job.program.accesses[0].offset = scaled(element(0, index));
}

/// … x[array0[array1[i]]] …
static void make_gather(void) {
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    job.program.accesses[0].offset = scaled(element(0, element(1, index)));
    job.program.accesses[0].kind = GCL_ACCESS_READ;
}

/// … x[array0[k]] … for k from array2[i] to array2[i + 1].
static void make_rows(void) {
    struct program *p = &job.program;
    uint16_t one = constant(p, 1, 32);
    uint16_t index = add_node(p, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    index = add_node(p, GCL_NODE_LSHR, 32, index, one, 0);
    uint16_t begin = element(2, index);
    uint16_t end = element(2, add_node(p, GCL_NODE_ADD, 32, index, one, 0));
    uint16_t is_any =
        add_guard(p, GCL_GUARD_HOLDS, add_node(p, GCL_NODE_SLT, 1, begin, end, 0), GCL_NONE);
    uint16_t loop = add_guard(p, GCL_GUARD_LOOP, GCL_NONE, is_any);
    uint16_t k =
        add_node(p, GCL_NODE_ADD, 32, begin, add_node(p, GCL_NODE_ITERATION, 32, loop, 0, 0), 0);
    p->guards[loop].node =
        add_node(p, GCL_NODE_SLT, 1, add_node(p, GCL_NODE_ADD, 32, k, one, 0), end, 0);
    p->accesses[0].offset = scaled(element(0, k));
    p->accesses[0].kind = GCL_ACCESS_READ;
    p->accesses[0].guard = p->accesses[p->tables.access_count - 1].guard = loop;
}

/// Indices near i, and rows of ROW / 2 columns on average.
static void fill(void) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        job.arrays[0][i] = i ^ random_below(64);
        job.arrays[1][i] = i ^ random_below(64);
        job.arrays[2][i] = end;
        end += random_below(ROW + 1);
        end = end < THREADS - 1 ? end : THREADS - 1;
    }
}

static void start(void (*make)(void)) {
    struct gcl_region halves[NODE_COUNT];
    init_program(&job.program);
    make();
    fill();
    job.arguments = (union arguments){.bases = {0}};
    for (unsigned b = 0; b <= ARRAYS; b++)
        job.arguments.bases[ARGUMENTS / 2 + b] = place_of(b);
    job.launch = (struct gcl_launch_part){.arguments = (const unsigned char *)&job.arguments,
                                          .geometry.block = {BLOCK, 1, 1},
                                          .geometry.grid = {THREADS / BLOCK, 1, 1},
                                          .end = {THREADS / BLOCK, 1, 1}};
    job.directory = gcl_directory_create(NODE_COUNT);
    job.evaluator = gcl_evaluator_create(&job.program.tables);
    for (unsigned b = 0; b <= ARRAYS; b++)
        assert_true(gcl_directory_add(job.directory, place_of(b), SIZE, GCL_HOST_NEVER));
    // What all nodes have isn't surveyed.
    for (int64_t i = 0; i < NODE_COUNT; i++)
        halves[i] = gcl_region_run(i * SIZE / NODE_COUNT, (i + 1) * SIZE / NODE_COUNT);
    const struct gcl_layout *layout =
        gcl_layouts_change(gcl_directory_layouts(job.directory),
                           gcl_directory_find(job.directory, place_of(0))->layout,
                           &(struct gcl_layout_change){.written = halves});
    gcl_directory_update(job.directory, place_of(0), layout, NULL);
}

static void finish(void) {
    gcl_evaluator_destroy(job.evaluator);
    gcl_directory_destroy(job.directory);
}

/// Changes some elements of an array, from `begin` on, and says so.
static void change(unsigned array, uint32_t begin, uint32_t count) {
    const struct gcl_region changed =
        gcl_region_run(4 * (int64_t)begin, 4 * (int64_t)(begin + count));
    const struct gcl_directory_entry *entry =
        gcl_directory_find(job.directory, place_of(array + 1));
    for (uint32_t i = begin; i < begin + count; i++)
        job.arrays[array][i] =
            array < 2 ? random_below(THREADS) : job.arrays[array][i + (i + 1 < THREADS)];
    gcl_directory_update(job.directory, entry->begin, entry->layout, &changed);
}

// Checks.

static void check_found(const struct gcl_survey *survey, const struct gcl_survey *fresh) {
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        const struct gcl_inspection *found = gcl_survey_found(survey, node)[0];
        const struct gcl_inspection *wanted = gcl_survey_found(fresh, node)[0];
        assert_true(found && wanted);
        assert_int_equal(found->outside, wanted->outside);
        assert_int_equal(found->count, wanted->count);
        for (size_t i = 0; i < found->count; i++) {
            assert_int_equal(found->parts[i].allocation.begin, wanted->parts[i].allocation.begin);
            assert_int_equal(found->parts[i].exact, wanted->parts[i].exact);
            assert_true(gcl_region_equal(&found->parts[i].bytes, &wanted->parts[i].bytes));
        }
    }
}

/// Surveys anew, and as if it had never been done; returns how many shares have been gone through.
static unsigned repair(struct gcl_survey *survey) {
    struct gcl_survey *fresh = gcl_survey_create(&job.program.tables, job.directory);
    struct gcl_survey_shares before = gcl_survey_shares(survey), after;
    take(survey);
    take(fresh);
    check_found(survey, fresh);
    after = gcl_survey_shares(survey);
    uint64_t all = after.looked + after.kept - before.looked - before.kept;
    assert_true(all == 0 || all == gcl_survey_shares(fresh).looked); // 0: it was remembered
    gcl_survey_destroy(fresh);
    return (unsigned)(after.looked - before.looked);
}

static void (*const makers[])(void) = {make_scatter, make_gather, make_rows};

static void repaired_is_as_good_as_new(void **context) {
    unsigned looked = 0, all = 0;
    (void)context;
    for (unsigned m = 0; m < sizeof makers / sizeof makers[0]; m++) {
        random_start(m + 1);
        start(makers[m]);
        struct gcl_survey *survey = gcl_survey_create(&job.program.tables, job.directory);
        unsigned shares = repair(survey);
        for (unsigned round = 0; round < 12; round++) {
            for (unsigned i = random_below(3); i < 3; i++) {
                uint32_t begin = random_below(THREADS);
                change(random_below(ARRAYS), begin, 1 + random_below(THREADS - begin) / 16);
            }
            looked += repair(survey);
            all += shares;
        }
        gcl_survey_destroy(survey);
        finish();
    }
    print_message("%u of %u shares were gone through again\n", looked, all);
    assert_in_range(looked, 1, all / 2);
}

// One element of one array: the share that looks at it; none, where nobody does.
static void only_what_changed_is_looked_up_again(void **context) {
    (void)context;
    random_start(1);
    start(make_scatter);
    struct gcl_survey *survey = gcl_survey_create(&job.program.tables, job.directory);
    assert_int_equal(repair(survey), THREADS >> 13); // of so many threads each
    assert_int_equal(repair(survey), 0);             // what was found is remembered
    change(0, THREADS / 3, 1);
    assert_int_equal(repair(survey), 1);
    change(0, THREADS / 3, 1);
    change(0, THREADS / 2 + THREADS / 3, 1);
    assert_int_equal(repair(survey), 2);
    change(1, 0, THREADS); // which isn't looked at
    assert_int_equal(repair(survey), 0);
    change(0, 0, THREADS);
    assert_int_equal(repair(survey), THREADS >> 13);
    gcl_survey_destroy(survey);
    finish();
}

// Memory that is freed and comes back at the same place holds something else.
static void another_array_is_looked_up_anew(void **context) {
    (void)context;
    random_start(1);
    start(make_scatter);
    struct gcl_survey *survey = gcl_survey_create(&job.program.tables, job.directory);
    unsigned shares = repair(survey);
    for (uint32_t i = 0; i < THREADS; i++)
        job.arrays[0][i] = random_below(THREADS);
    assert_true(gcl_directory_remove(job.directory, place_of(1)));
    assert_true(gcl_directory_add(job.directory, place_of(1), SIZE, GCL_HOST_NEVER));
    assert_int_equal(repair(survey), shares);
    gcl_survey_destroy(survey);
    finish();
}

// Changes of an allocation, against a list of which version each byte has.
static void changes_are_known(void **context) {
    enum { BYTES_ALL = 200, ROUNDS = 400 };
    static uint64_t versions[BYTES_ALL];
    struct gcl_changes changes = {.count = 0};
    uint64_t in_vain = 0, told = 0;
    (void)context;
    random_start(1);
    for (uint64_t version = 1; version <= ROUNDS; version++) {
        int64_t begin = random_below(BYTES_ALL), end = begin + 1 + random_below(20);
        struct gcl_region region = {.count = 0};
        const struct gcl_region run = gcl_region_run(begin, end < BYTES_ALL ? end : BYTES_ALL);
        if (version % 3 == 0)
            region = gcl_region_run(0, 10);
        assert_true(gcl_region_unite(&region, &run, &region));
        gcl_changes_add(&changes, version, &region);
        for (int64_t i = 0; i < BYTES_ALL; i++)
            versions[i] = gcl_region_contains_byte(&region, i) ? version : versions[i];
        uint64_t since = version - random_below((uint32_t)(version < 6 ? version : 6));
        gcl_region_finish(&region);
        gcl_changes_since(&changes, since, &region);
        for (int64_t i = 0; i < BYTES_ALL; i++) {
            bool is_told = gcl_region_contains_byte(&region, i);
            assert_true(is_told || versions[i] <= since);
            told += is_told;
            in_vain += is_told && versions[i] <= since;
        }
        assert_true(since < version || gcl_region_is_empty(&region));
        gcl_region_finish(&region);
    }
    assert_true(in_vain < told);
    gcl_changes_finish(&changes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(repaired_is_as_good_as_new),
                                       cmocka_unit_test(only_what_changed_is_looked_up_again),
                                       cmocka_unit_test(another_array_is_looked_up_anew),
                                       cmocka_unit_test(changes_are_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
