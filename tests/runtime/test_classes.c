// What allocations need when a launch runs as several ranges: for each kind a case, random regions
// against bytes one by one, and how launches are cut.
#include <string.h>

#include "check.h"
#include "gcluster/reasons.h"
#include "plan/program/split.h"

enum { RANGES = 3, SIZE = 64 };

static const struct gcl_base bases[] = {{.kind = GCL_BASE_ARGUMENT, .index = 0}};
static const struct gcl_base disjoint[] = {
    {.kind = GCL_BASE_ARGUMENT, .flags = GCL_BASE_DISJOINT, .index = 0}};
static const struct gcl_access accesses[] = {{.kind = GCL_ACCESS_READ},
                                             {.kind = GCL_ACCESS_WRITE},
                                             {.kind = GCL_ACCESS_REDUCE},
                                             {.kind = GCL_ACCESS_ATOMIC}};
static struct gcl_program program = {
    .bases = bases, .accesses = accesses, .base_count = 1, .access_count = 4};
static const uint64_t argument = 4096;
static const struct gcl_launch_part launch = {.arguments = (const unsigned char *)&argument};

static struct gcl_allocation_use uses[RANGES];
static struct gcl_footprint ranges[RANGES];

static void start(void) {
    program.bases = bases;
    program.reason_count = 0;
    for (int i = 0; i < RANGES; i++) {
        uses[i] = (struct gcl_allocation_use){
            .allocation = {4096, 4096 + SIZE}, .reduction = GCL_REDUCTION_ADD, .element = 4};
        ranges[i] = (struct gcl_footprint){.uses = &uses[i], .count = 1, .exact = true};
    }
}

// What is to be done, with the only allocation.
static unsigned handles(uint16_t reason) {
    struct gcl_classes classes;
    assert_true(gcl_classes_find(&program, &launch, ranges, RANGES, &classes));
    assert_int_equal(classes.count, 1);
    assert_int_equal(classes.reason, reason);
    unsigned result = classes.handlings[0].handles;
    gcl_classes_finish(&classes);
    return result;
}

static struct gcl_region part(int i, int64_t before, int64_t behind) {
    return gcl_region_run(16 * i - before, 16 * i + 16 + behind);
}

static void test_reads(void **context) {
    (void)context;
    start();
    for (int i = 0; i < RANGES; i++)
        uses[i].read = part(i, 0, 0);
    assert_int_equal(handles(0), GCL_HANDLE_FETCH);
    uses[1].read = gcl_region_run(0, SIZE);
    assert_int_equal(handles(0), GCL_HANDLE_WHOLE);
}

// in and out of place: halos are read as they were
static void test_writes(void **context) {
    (void)context;
    start();
    for (int i = 0; i < RANGES; i++)
        uses[i].written = part(i, 0, 0);
    assert_int_equal(handles(0), GCL_HANDLE_OWN);
    for (int i = 0; i < RANGES; i++)
        uses[i].read = part(i, 0, 0);
    assert_int_equal(handles(0), GCL_HANDLE_FETCH | GCL_HANDLE_OWN);
    uses[1].read = part(1, 4, 0);
    assert_int_equal(handles(0), GCL_HANDLE_FETCH | GCL_HANDLE_OLD | GCL_HANDLE_OWN);
    uses[1].read = part(1, 0, 4);
    assert_int_equal(handles(0), GCL_HANDLE_FETCH | GCL_HANDLE_OLD | GCL_HANDLE_OWN);
}

static void test_guarded(void **context) {
    (void)context;
    start();
    for (int i = 0; i < RANGES; i++)
        uses[i].touched = part(i, 0, 0);
    assert_int_equal(handles(0), GCL_HANDLE_KEEP);
    uses[1].written = gcl_region_run(60, 64);
    assert_int_equal(handles(0), GCL_HANDLE_OWN | GCL_HANDLE_KEEP);
    uses[2].touched = part(2, 1, 0);
    assert_int_equal(handles(0), GCL_HANDLE_MERGE);
}

static void test_disjoint(void **context) {
    struct gcl_classes classes;
    (void)context;
    start();
    program.bases = disjoint;
    for (int i = 0; i < RANGES; i++)
        uses[i].touched = gcl_region_run(0, SIZE);
    assert_true(gcl_classes_find(&program, &launch, ranges, RANGES, &classes));
    assert_int_equal(classes.handlings[0].handles, GCL_HANDLE_MERGE);
    assert_true(classes.handlings[0].is_disjoint);
    gcl_classes_finish(&classes);
}

/// Two ranges store numbers of 4 bytes in [0, 16), and bytes in the given ones.
static void check_values(struct gcl_span bytes, struct gcl_span numbers_left,
                         struct gcl_span bytes_left) {
    struct gcl_region values[2][GCL_VALUE_SIZES] = {{{.count = 0}}};
    struct gcl_classes classes;
    start();
    for (int i = 0; i < 2; i++) {
        uses[i].touched = gcl_region_run(0, SIZE);
        uses[i].stored = 1 | 4;
        uses[i].values = values[i];
        values[i][0] = gcl_region_run(bytes.begin, bytes.end);
        values[i][2] = gcl_region_run(0, 16);
    }
    assert_true(gcl_classes_find(&program, &launch, ranges, RANGES, &classes));
    const struct gcl_handling *handling = &classes.handlings[0];
    assert_int_equal(handling->handles, GCL_HANDLE_MERGE);
    assert_int_equal(handling->element, 1);
    struct gcl_region whole = gcl_region_run(numbers_left.begin, numbers_left.end);
    struct gcl_region single = gcl_region_run(bytes_left.begin, bytes_left.end);
    assert_true(gcl_region_equal(&handling->values[2], &whole));
    assert_true(gcl_region_equal(&handling->values[0], &single));
    assert_true(gcl_region_is_empty(&handling->values[1]));
    assert_true(gcl_region_is_empty(&handling->values[3]));
    gcl_classes_finish(&classes);
}

// values of each size are merged as wholes, unless they overlap with smaller ones
static void test_values(void **context) {
    (void)context;
    check_values((struct gcl_span){16, 18}, (struct gcl_span){0, 16}, (struct gcl_span){16, 18});
    check_values((struct gcl_span){13, 18}, (struct gcl_span){0, 12}, (struct gcl_span){12, 18});
    check_values((struct gcl_span){0, 32}, (struct gcl_span){0, 0}, (struct gcl_span){0, 32});
}

static void test_reductions(void **context) {
    (void)context;
    start();
    for (int i = 0; i < RANGES; i++)
        uses[i].reduced = gcl_region_run(0, 32);
    assert_int_equal(handles(0), GCL_HANDLE_REDUCE);
    uses[2].read = gcl_region_run(40, 48);
    assert_int_equal(handles(0), GCL_HANDLE_REDUCE | GCL_HANDLE_FETCH);
    // a sum that is looked at can't be put together afterwards; a minimum can
    uses[2].read = gcl_region_run(28, 48);
    handles(GCL_REASON_ATOMIC_RESULT);
    for (int i = 0; i < RANGES; i++)
        uses[i].reduction = GCL_REDUCTION_SMIN;
    assert_int_equal(handles(0), GCL_HANDLE_COMBINE | GCL_HANDLE_FETCH);
    // of several kinds at once
    uses[1].reduction = GCL_REDUCTION_SMAX;
    handles(GCL_REASON_ATOMIC_RESULT);
    // each range its own
    for (int i = 0; i < RANGES; i++) {
        uses[i].reduction = GCL_REDUCTION_ADD;
        uses[i].reduced = part(i, 0, 0);
        uses[i].read = part(i, 0, 0);
    }
    assert_int_equal(handles(0), GCL_HANDLE_FETCH | GCL_HANDLE_KEEP);
}

static void test_single(void **context) {
    static const struct gcl_reason fence[] = {{.code = GCL_REASON_PARTS, .access = 0},
                                              {.code = GCL_REASON_FENCE, .access = GCL_NONE}};
    struct gcl_classes classes;
    (void)context;
    start();
    uses[1].claimed = gcl_region_run(0, 4);
    assert_true(gcl_classes_find(&program, &launch, ranges, RANGES, &classes));
    assert_int_equal(classes.reason, GCL_REASON_ATOMIC_RESULT);
    assert_int_equal(classes.access, 3);
    gcl_classes_finish(&classes);
    start();
    ranges[2].writes_escaped = true;
    handles(GCL_REASON_BASE);
    program.reasons = fence;
    program.reason_count = 2;
    handles(GCL_REASON_FENCE);
}

// Random regions.

static uint64_t state = 1;

static uint32_t random_below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((state >> 33) * limit) >> 31);
}

static struct gcl_region random_region(uint64_t *bits) {
    *bits = 0;
    if (random_below(2))
        return (struct gcl_region){0};
    int64_t begin = random_below(SIZE), end = begin + random_below(12) + 1;
    for (int64_t i = begin; i < end && i < SIZE; i++)
        *bits |= UINT64_C(1) << i;
    return gcl_region_run(begin, end < SIZE ? end : SIZE);
}

struct sets {
    uint64_t read, changed, written, touched, reduced;
};

static unsigned expected(const struct sets sets[RANGES], bool *single) {
    struct sets all = {0}, others[RANGES] = {{0}};
    bool merge = false, old = false, meet = false;
    for (int i = 0; i < RANGES; i++) {
        for (int k = 0; k < RANGES; k++) {
            others[i].read |= k == i ? 0 : sets[k].read;
            others[i].changed |= k == i ? 0 : sets[k].changed;
            others[i].reduced |= k == i ? 0 : sets[k].reduced;
        }
        merge |= (sets[i].changed & others[i].changed) != 0;
        old |= (sets[i].read & others[i].changed) != 0;
        meet |= (sets[i].reduced & (others[i].read | others[i].changed | others[i].reduced)) != 0;
        all.read |= sets[i].read;
        all.changed |= sets[i].changed;
        all.written |= sets[i].written;
        all.touched |= sets[i].touched;
        all.reduced |= sets[i].reduced;
    }
    unsigned result = (all.read ? GCL_HANDLE_FETCH : 0u) | (old ? GCL_HANDLE_OLD : 0u);
    if (merge)
        result |= GCL_HANDLE_MERGE;
    else
        result |= (all.written ? GCL_HANDLE_OWN : 0u) | (all.touched ? GCL_HANDLE_KEEP : 0u);
    *single = meet && (all.reduced & (all.read | all.changed));
    if (all.reduced && !*single)
        result |= meet ? GCL_HANDLE_REDUCE : GCL_HANDLE_KEEP;
    return result;
}

static void test_random(void **context) {
    unsigned split = 0, merged = 0;
    (void)context;
    for (int n = 0; n < 20000; n++) {
        struct sets sets[RANGES];
        bool single;
        start();
        for (int i = 0; i < RANGES; i++) {
            uses[i].read = random_region(&sets[i].read);
            uses[i].written = random_region(&sets[i].written);
            uses[i].touched = random_region(&sets[i].touched);
            uses[i].reduced = random_region(&sets[i].reduced);
            sets[i].changed = sets[i].written | sets[i].touched;
        }
        unsigned wanted = expected(sets, &single);
        unsigned found = handles(single ? GCL_REASON_ATOMIC_RESULT : 0);
        assert_int_equal(found, wanted);
        split += !single;
        merged += (found & GCL_HANDLE_MERGE) != 0;
    }
    assert_true(split > 1000 && split < 19000 && merged > 1000 && merged < 19000);
}

// Cuts: out[4 * (x + 100 y)] is written.

static const struct gcl_node nodes[] = {
    {GCL_NODE_GLOBAL_INDEX, 64, 0, 0, 0}, {GCL_NODE_GLOBAL_INDEX, 64, 1, 0, 0},
    {GCL_NODE_CONSTANT, 64, 0, 0, 0},     {GCL_NODE_MULTIPLY, 64, 1, 2, 0},
    {GCL_NODE_ADD, 64, 0, 3, 0},          {GCL_NODE_CONSTANT, 64, 1, 0, 0},
    {GCL_NODE_MULTIPLY, 64, 4, 5, 0}};
static int64_t constants[] = {100, 4};
static const struct gcl_access writes[] = {{.kind = GCL_ACCESS_WRITE,
                                            .offset = 6,
                                            .guard = GCL_NONE,
                                            .length = GCL_NONE,
                                            .element = 4,
                                            .size = 4}};
static struct gcl_program matrix = {.nodes = nodes,
                                    .constants = constants,
                                    .bases = bases,
                                    .accesses = writes,
                                    .node_count = 7,
                                    .constant_count = 2,
                                    .base_count = 1,
                                    .access_count = 1};

static bool find(void *unused, uint64_t address, struct gcl_span *allocation) {
    (void)unused;
    *allocation = (struct gcl_span){4096, 1 << 20};
    return address >= 4096 && address < 1 << 20;
}

static void check_split(char axis, uint16_t reason, uint32_t width, uint32_t height) {
    const struct gcl_launch_part whole = {.arguments = (const unsigned char *)&argument,
                                          .geometry.block = {10, 1, 1},
                                          .geometry.grid = {width, height, 1},
                                          .end = {width, height, 1}};
    const struct gcl_memory memory = {.find = find};
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&matrix);
    struct gcl_split split;
    assert_true(gcl_split_choose(evaluator, &whole, &memory, &split));
    assert_int_equal(split.axis, axis);
    assert_int_equal(split.reason, reason);
    assert_int_equal(split.access, reason == GCL_REASON_OVERLAP ? 0 : GCL_NONE);
    gcl_evaluator_destroy(evaluator);
}

static void test_split(void **context) {
    (void)context;
    check_split('y', 0, 10, 8);
    check_split('x', 0, 10, 1); // one row
    check_split('y', 0, 1, 8);
    check_split(0, GCL_REASON_NO_BLOCKS, 1, 1);
    constants[0] = 0; // all rows are one
    check_split('x', 0, 10, 8);
    check_split('y', GCL_REASON_OVERLAP, 1, 8);
    matrix.split = 'y';
    check_split('y', GCL_REASON_OVERLAP, 10, 8);
    matrix.split = 0;
    matrix.flags = GCL_PROGRAM_SINGLE;
    check_split(0, 0, 10, 8);
    matrix.flags = 0;
}

static void test_parts(void **context) {
    (void)context;
    for (uint32_t blocks = 1; blocks < 50; blocks++) {
        for (uint32_t count = 1; count < 60; count++) {
            const struct gcl_launch_part whole = {.begin = {0, 7, 0}, .end = {3, 7 + blocks, 1}};
            uint32_t at = 7;
            for (uint32_t i = 0; i < count; i++) {
                struct gcl_launch_part p = gcl_split_part(&whole, 1, count, i);
                assert_int_equal(p.begin[1], at);
                assert_true(p.end[1] - at == blocks / count || p.end[1] - at == blocks / count + 1);
                at = p.end[1];
            }
            assert_int_equal(at, 7 + blocks);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),   cmocka_unit_test(test_writes),
        cmocka_unit_test(test_guarded), cmocka_unit_test(test_disjoint),
        cmocka_unit_test(test_values),  cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_single),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_split),   cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
