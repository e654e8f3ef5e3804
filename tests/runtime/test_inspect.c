// Footprints of programs whose addresses and loops depend on what arrays hold.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/inspect/inspect.h"
#include "plan/program/footprint.h"
#include "random_program.h"

static struct {
    const struct program *program;
    uint64_t versions[ARRAYS];
    unsigned asked;
} memory_state;

static const unsigned char *contents(void *context, const struct gcl_span *allocation,
                                     struct gcl_span *run, uint64_t *version) {
    size_t array = (uint64_t)allocation->begin / PLACE - 2;
    (void)context;
    memory_state.asked++;
    *run = (struct gcl_span){0, allocation->end - allocation->begin};
    if (array >= ARRAYS)
        return NULL;
    *version = memory_state.versions[array];
    return memory_state.program->arrays[array];
}

static const struct gcl_memory memory = {.find = find_program_allocation, .contents = contents};

static void set_bases(union arguments *arguments) {
    for (unsigned i = 0; i <= ARRAYS; i++)
        arguments->bases[ARGUMENTS / 2 + i] = place_of(i) + (i == 0 ? MIDDLE : 0);
}

// What the footprint says.

static struct bytes touched, written, at_most;

static void collect(const struct gcl_region *region, struct bytes *bytes) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run) && !bytes->too_many)
        touch(bytes, run.begin - MIDDLE, run.end - run.begin);
}

static const struct gcl_allocation_use *use_of_out(const struct gcl_footprint *f) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->uses[i].allocation.begin == (int64_t)place_of(0))
            return &f->uses[i];
    }
    return NULL;
}

static void collect_writes(const struct gcl_footprint *f) {
    const struct gcl_allocation_use *use = use_of_out(f);
    written.count = at_most.count = 0;
    written.too_many = at_most.too_many = false;
    if (!use)
        return;
    collect(&use->written, &written);
    collect(&use->written, &at_most);
    collect(&use->touched, &at_most);
    sort_bytes(&at_most);
}

static bool lies_inside(const struct bytes *bytes) {
    return bytes->count == 0 ||
           (bytes->places[0] >= -MIDDLE && bytes->places[bytes->count - 1] < MIDDLE);
}

static void check_writes(const struct program *p, const struct gcl_launch_part *launch) {
    bool all = at_most.too_many || holds_all(&at_most, &touched);
    bool none_else = holds_all(&touched, &written);
    if (all && none_else)
        return;
    print_program(p, launch);
    print_places("threads", &touched);
    print_places("written", &written);
    fail_msg("%s", all ? "bytes that no thread touches" : "bytes that threads touch are missing");
}

static unsigned random_count = 4000;

static void test_random(void **context) {
    static struct program p;
    unsigned checked = 0, exact = 0, inspected = 0;
    (void)context;
    for (unsigned n = 0; n < random_count; n++) {
        union arguments arguments = {.bases = {0}};
        struct gcl_footprint f;
        random_start(3 * 1000003u + n);
        struct gcl_launch_part launch = random_launch();
        for (unsigned i = 0; i < ARGUMENTS; i++)
            arguments.numbers[i] =
                (int32_t)(1 + random_below(i < 3 ? 40 : 300)) - (i == 5 ? 150 : 0);
        set_bases(&arguments);
        launch.arguments = (const unsigned char *)&arguments;
        random_program(&p, RANDOM_DATA_LOADED);
        memory_state.program = &p;
        memory_state.asked = 0;
        run_threads(&p, &launch, &touched);
        if (touched.too_many || !lies_inside(&touched))
            continue;
        struct gcl_evaluator *evaluator = gcl_evaluator_create(&p.tables);
        assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
        collect_writes(&f);
        check_writes(&p, &launch);
        checked++;
        inspected += memory_state.asked > 0;
        exact += memory_state.asked > 0 && f.exact;
        gcl_footprint_finish(&f);
        gcl_evaluator_destroy(evaluator);
    }
    print_message("%u of %u programs checked, %u inspected, %u of them exact\n", checked,
                  random_count, inspected, exact);
    assert_true(checked > random_count / 2);
    assert_true(inspected > checked / 4 && exact > inspected / 2);
}

// Kernels written by hand.

static struct program hand;
static int32_t (*const numbers)[ARRAY_BYTES / 4] = (int32_t (*)[ARRAY_BYTES / 4]) hand.arrays;

static struct gcl_launch_part hand_launch(union arguments *arguments, uint32_t blocks) {
    *arguments = (union arguments){.bases = {0}};
    set_bases(arguments);
    memory_state.program = &hand;
    return (struct gcl_launch_part){.arguments = (const unsigned char *)arguments,
                                    .geometry.block = {4, 1, 1},
                                    .geometry.grid = {blocks, 1, 1},
                                    .end = {blocks, 1, 1}};
}

static uint16_t scaled(uint16_t index, int64_t size) {
    uint16_t wide = add_node(&hand, GCL_NODE_SEXT, 64, index, 0, 0);
    return add_node(&hand, GCL_NODE_MULTIPLY, 64, wide, constant(&hand, size, 64), 0);
}

static uint16_t global_index(void) {
    return add_node(&hand, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
}

// out[row[column[i]]] = …
static void make_scatter(void) {
    init_program(&hand);
    uint16_t column = add_load(&hand, 1, 32, scaled(global_index(), 4));
    hand.accesses[0].offset = scaled(add_load(&hand, 0, 32, scaled(column, 4)), 4);
    for (int i = 0; i < ARRAY_BYTES / 4; i++) {
        numbers[0][i] = 10 * i;
        numbers[1][i] = ARRAY_BYTES / 4 - 1 - i;
    }
}

static void check_scatter(const struct gcl_footprint *f, int count) {
    const struct gcl_allocation_use *use = use_of_out(f);
    assert_true(f->exact && gcl_region_is_empty(&use->touched));
    assert_int_equal(gcl_region_size(&use->written), 4 * count);
    for (int i = 0; i < count; i++)
        assert_true(
            gcl_region_contains_byte(&use->written, MIDDLE + 4 * numbers[0][numbers[1][i]]));
}

static void test_nested(void **context) {
    union arguments arguments;
    struct gcl_launch_part launch = hand_launch(&arguments, 8);
    struct gcl_footprint f;
    (void)context;
    make_scatter();
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    check_scatter(&f, 32);
    gcl_footprint_finish(&f);
    // an element that there isn't: nothing is known of where it leads
    launch = hand_launch(&arguments, 17);
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    assert_false(f.exact);
    assert_true(gcl_region_is_empty(&use_of_out(&f)->written));
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

// What the launch changes itself isn't looked at, but what lies beside it in one allocation is.
static void test_changed(void **context) {
    union arguments arguments;
    struct gcl_launch_part launch = hand_launch(&arguments, 2);
    (void)context;
    for (int first = 0; first < 16; first++) {
        struct gcl_footprint f;
        make_scatter();
        uint16_t offset = scaled(global_index(), 4);
        uint16_t access = hand.tables.access_count++;
        hand.accesses[access] = hand.accesses[0];
        hand.accesses[access].base = 2;
        hand.accesses[access].offset =
            add_node(&hand, GCL_NODE_ADD, 64, offset, constant(&hand, 4 * first, 64), 0);
        struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
        launch.end[0] = 1; // column[0 … 3] are read here, column[0 … 7] by the launch
        assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
        assert_int_equal(f.exact, first >= 4);
        assert_int_equal(gcl_region_is_empty(&use_of_out(&f)->touched), first >= 4);
        gcl_footprint_finish(&f);
        gcl_evaluator_destroy(evaluator);
    }
}

static bool out_escaped(void *context, size_t index, struct gcl_span *allocation) {
    return index == 0 && find_program_allocation(context, place_of(0), allocation);
}

static bool all_escaped(void *context, size_t index, struct gcl_span *allocation) {
    return index <= ARRAYS &&
           find_program_allocation(context, place_of((unsigned)index), allocation);
}

// rows[i][j] = …: pointers that lead into `out`
static void test_pointers(void **context) {
    union arguments arguments;
    struct gcl_launch_part launch = hand_launch(&arguments, 2);
    struct gcl_footprint f;
    (void)context;
    init_program(&hand);
    uint16_t block = add_node(&hand, GCL_NODE_BLOCK_INDEX, 32, 0, 0, 0);
    add_load(&hand, 0, 64, scaled(block, 8));
    hand.bases[0] = (struct gcl_base){.kind = GCL_BASE_LOADED, .index = 1};
    hand.accesses[0].offset = scaled(add_node(&hand, GCL_NODE_THREAD_INDEX, 32, 0, 0, 0), 4);
    const uint64_t rows[] = {place_of(0) + 4096, place_of(0) + 64};
    memcpy(hand.arrays[0], rows, sizeof rows);
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    assert_true(f.writes_escaped && !f.exact); // anywhere: also into the rows' pointers
    gcl_footprint_finish(&f);
    // it is known that nothing but `out` has escaped: the pointers are looked up
    const struct gcl_memory known = {
        .find = find_program_allocation, .escaped = out_escaped, .contents = contents};
    assert_true(gcl_footprint_find(evaluator, &launch, &known, &f));
    assert_true(f.exact && gcl_region_size(&use_of_out(&f)->written) == 32);
    gcl_footprint_finish(&f);
    // they may lead to themselves: they aren't, and what has escaped is taken
    const struct gcl_memory all = {
        .find = find_program_allocation, .escaped = all_escaped, .contents = contents};
    assert_true(gcl_footprint_find(evaluator, &launch, &all, &f));
    assert_true(!f.exact && !f.writes_escaped && f.follows);
    assert_int_equal(gcl_region_size(&use_of_out(&f)->touched), 2 * MIDDLE);
    gcl_footprint_finish(&f);
    hand.accesses[0].kind = GCL_ACCESS_READ;
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    assert_true(f.exact && !f.reads_escaped);
    const struct gcl_span expected[] = {{64, 80}, {4096, 4112}};
    struct gcl_region read = {0};
    assert_true(gcl_region_from_runs((struct gcl_span[]){expected[0], expected[1]}, 2, &read));
    assert_true(gcl_region_equal(&use_of_out(&f)->read, &read));
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

// for (k = 0; k < row[0]; k++) out[i] = …: one number for all is no reason to go through them.
static void test_scalar(void **context) {
    union arguments arguments;
    struct gcl_launch_part launch = hand_launch(&arguments, 1 << 16);
    struct gcl_footprint f;
    (void)context;
    init_program(&hand);
    uint16_t count = add_load(&hand, 0, 32, constant(&hand, 8, 64)), index = global_index();
    uint16_t inside = add_node(&hand, GCL_NODE_SLT, 1, index, count, 0);
    hand.accesses[0].guard = add_guard(&hand, GCL_GUARD_HOLDS, inside, GCL_NONE);
    hand.accesses[0].offset = scaled(index, 4);
    numbers[0][2] = 100000;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    struct gcl_region expected = gcl_region_run(MIDDLE, MIDDLE + 400000);
    assert_true(f.exact && gcl_region_equal(&use_of_out(&f)->written, &expected));
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

// What takes too long isn't gone through: some hundred million nodes don't.
static void test_limit(void **context) {
    union arguments arguments;
    (void)context;
    init_program(&hand);
    uint16_t index = add_node(&hand, GCL_NODE_AND, 32, global_index(), constant(&hand, 63, 32), 0);
    hand.accesses[0].offset = scaled(add_load(&hand, 1, 32, scaled(index, 4)), 4);
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
    for (unsigned i = 0; i < 2; i++) {
        struct gcl_launch_part launch = hand_launch(&arguments, i ? 1 << 28 : 3 << 21);
        struct gcl_footprint f;
        assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
        assert_int_equal(f.exact, i == 0);
        assert_int_equal(gcl_region_is_empty(&use_of_out(&f)->written), i == 1);
        if (i == 1)
            assert_int_equal(gcl_region_size(&use_of_out(&f)->touched), 2 * MIDDLE);
        gcl_footprint_finish(&f);
    }
    gcl_evaluator_destroy(evaluator);
}

// if (i < 8) for (k = 0; k != 2^20; k++) out[2^20 * row[i] + k] = … of bytes, by far more threads:
// what follows from the first iteration, or from where a guard fails, isn't gone through.
static void test_lines(void **context) {
    union arguments arguments;
    struct gcl_launch_part launch = hand_launch(&arguments, 1 << 28);
    struct gcl_footprint f;
    (void)context;
    init_program(&hand);
    uint16_t index = global_index();
    uint16_t inside = add_node(&hand, GCL_NODE_SLT, 1, index, constant(&hand, 8, 32), 0);
    uint16_t start = scaled(add_load(&hand, 0, 32, scaled(index, 4)), 1 << 20);
    uint16_t guard = add_guard(&hand, GCL_GUARD_HOLDS, inside, GCL_NONE);
    uint16_t loop = add_guard(&hand, GCL_GUARD_LOOP, GCL_NONE, guard);
    uint16_t k = add_node(&hand, GCL_NODE_ITERATION, 32, loop, 0, 0);
    uint16_t next = add_node(&hand, GCL_NODE_ADD, 32, k, constant(&hand, 1, 32), 0);
    uint16_t equal = add_node(&hand, GCL_NODE_EQ, 1, next, constant(&hand, 1 << 20, 32), 0);
    hand.guards[loop].node = add_node(&hand, GCL_NODE_XOR, 1, equal, constant(&hand, 1, 1), 0);
    uint16_t wide = add_node(&hand, GCL_NODE_ZEXT, 64, k, 0, 0);
    hand.accesses[0].size = hand.accesses[0].element = 1;
    hand.accesses[0].guard = loop;
    hand.accesses[0].offset = add_node(&hand, GCL_NODE_ADD, 64, start, wide, 0);
    for (int i = 0; i < ARRAY_BYTES / 4; i++)
        numbers[0][i] = i % 3 - 1;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    struct gcl_region expected = gcl_region_run(MIDDLE - (1 << 20), MIDDLE + (2 << 20));
    assert_true(f.exact && gcl_region_equal(&use_of_out(&f)->written, &expected));
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

// It isn't worth it to go through many threads for what they read of a small array.
static void test_worth(void **context) {
    (void)context;
    for (unsigned bits = 8; bits <= 14; bits += 6) {
        union arguments arguments;
        struct gcl_launch_part launch = hand_launch(&arguments, 1u << bits);
        struct gcl_footprint f;
        init_program(&hand);
        uint16_t index =
            add_node(&hand, GCL_NODE_AND, 32, global_index(), constant(&hand, 3, 32), 0);
        hand.accesses[0].kind = GCL_ACCESS_READ;
        hand.accesses[0].base = 2;
        hand.accesses[0].offset = scaled(add_load(&hand, 1, 32, scaled(index, 4)), 4);
        struct gcl_evaluator *evaluator = gcl_evaluator_create(&hand.tables);
        assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
        assert_int_equal(f.exact, bits == 8);
        gcl_footprint_finish(&f);
        gcl_evaluator_destroy(evaluator);
    }
}

enum { MARKED = 3 << 20, PARTS = 2, SHARES = 5 };

static void mark(struct gcl_marked *marked, unsigned part, unsigned count, unsigned char *plain) {
    const struct gcl_span allocation = {(int64_t)place_of(part), (int64_t)place_of(part) + MARKED};
    size_t place = 0;
    while (place < marked->count && marked->parts[place].allocation.begin != allocation.begin)
        place++;
    if (place == marked->count)
        assert_true(gcl_marked_add(marked, &allocation, 4));
    for (; count > 0; count--) {
        int64_t offset = 4 * (int64_t)random_below(MARKED / 4);
        gcl_marks_set(&marked->parts[place].marks, offset, 4);
        memset(plain + offset, 1, 4);
    }
}

/// Whether a part told of what is plain, and how many bytes are told in vain.
static int64_t told_in_vain(const struct gcl_inspected_part *part, const unsigned char *plain) {
    struct gcl_region_cursor cursor = {.region = &part->bytes};
    struct gcl_span run, last = {0, 0};
    int64_t in_vain = 0;
    while (gcl_region_next(&cursor, &run)) {
        assert_null(memchr(plain + last.end, 1, (size_t)(run.begin - last.end)));
        for (int64_t i = run.begin; i < run.end; i++)
            in_vain += !plain[i];
        last = run;
    }
    assert_null(memchr(plain + last.end, 1, (size_t)(MARKED - last.end)));
    return in_vain;
}

/// Pages of 2^bits bytes in which something is plain.
static int64_t plain_pages(const unsigned char *plain, unsigned bits) {
    int64_t count = 0;
    for (size_t at = 0; at < MARKED; at += (size_t)1 << bits)
        count += memchr(plain + at, 1, (size_t)1 << bits) != NULL;
    return count;
}

// Shares are united in any order; what is certainly written is told byte by byte as far as that can
// be, the rest in as many boxes as are worth it.
static void test_united(void **context) {
    static unsigned char plain[PARTS][MARKED];
    (void)context;
    random_start(77);
    for (unsigned round = 0; round < 24; round++) {
        struct gcl_marked shares[SHARES] = {{.count = 0}};
        struct gcl_inspection told;
        bool is_written = round % 2, is_doubtful = round % 3 == 0;
        unsigned most = round % 8 < 4 ? 40 : 20000; // marks of a part
        memset(plain, 0, sizeof plain);
        for (unsigned i = 0; i < SHARES; i++) {
            for (unsigned part = 0; part < PARTS; part++) {
                if (i == 0 || chance(50))
                    mark(&shares[i], (part + i) % PARTS, most, plain[(part + i) % PARTS]);
            }
            shares[i].is_doubtful = is_doubtful && i == round % SHARES;
        }
        for (unsigned i = 1; i < SHARES; i++)
            assert_true(gcl_marked_unite(&shares[0], &shares[i]));
        for (unsigned i = 0; i < PARTS; i++) {
            size_t part = (uint64_t)shares[0].parts[i].allocation.begin / PLACE - 1;
            for (unsigned bits = 12; bits <= 16; bits += 4)
                assert_int_equal(gcl_marks_stretches(&shares[0].parts[i].marks, bits),
                                 plain_pages(plain[part], bits));
        }
        assert_true(gcl_marked_tell(&shares[0], is_written, &told));
        assert_int_equal(told.count, PARTS);
        for (unsigned part = 0; part < PARTS; part++) {
            const struct gcl_inspected_part *found = &told.parts[part];
            bool is_scattered = most > 40;
            assert_int_equal(found->allocation.begin, place_of(part));
            int64_t in_vain = told_in_vain(found, plain[part]);
            assert_int_equal(in_vain > 0, is_scattered);
            assert_int_equal(found->exact, !is_doubtful && !is_scattered);
            assert_in_range(gcl_region_box_count(&found->bytes), 1, MARKED / 4096);
        }
        gcl_inspection_finish(&told);
    }
}

// test_inspect [how many random programs]
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_nested),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_scalar),  cmocka_unit_test(test_limit),
        cmocka_unit_test(test_worth),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_united)};
    if (argc > 1)
        random_count = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
