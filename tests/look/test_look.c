// Looks find what inspections find that go through the program themselves, which are held against
// threads one by one elsewhere (test_inspect.c): of random programs, of parts of launches, with
// arrays of which only some is known.
#include <stdlib.h>
#include <string.h>

#include "../runtime/check.h"
#include "../runtime/random_program.h"
#include "base/processor.h"
#include "jit.h"
#include "plan/inspect/look.h"

enum { PARTS = 6, STEPS = 1 << 22 };

static const struct gcl_memory memory = {.find = find_program_allocation};

/// Gives a run of each array, at times all of it.
static void give(struct gcl_contents *contents, const struct program *p) {
    *contents = (struct gcl_contents){.memory = &memory, .may_read = true, .is_given = true};
    for (unsigned i = 0; i < ARRAYS; i++) {
        struct gcl_span allocation;
        uint32_t end = chance(80) ? ARRAY_BYTES : 1 + random_below(ARRAY_BYTES);
        uint32_t begin = chance(80) ? 0 : random_below(end);
        const struct gcl_region here = gcl_region_run(begin, end);
        assert_true(find_program_allocation(NULL, place_of(1 + i), &allocation));
        assert_true(gcl_contents_give(contents, &allocation, p->arrays[i], &here));
    }
}

static struct gcl_launch_part part_of(const struct gcl_launch_part *launch) {
    struct gcl_launch_part part = *launch;
    for (unsigned axis = 0; axis < 3; axis++) {
        part.begin[axis] = random_below(launch->end[axis]);
        part.end[axis] = part.begin[axis] + 1 + random_below(launch->end[axis] - part.begin[axis]);
    }
    return chance(50) ? *launch : part;
}

static void check_same(struct gcl_marked *looked, struct gcl_marked *inspected, bool is_written) {
    struct gcl_inspection a, b;
    assert_int_equal(looked->is_doubtful, inspected->is_doubtful);
    assert_int_equal(looked->outside, inspected->outside);
    assert_true(gcl_marked_tell(looked, is_written, &a));
    assert_true(gcl_marked_tell(inspected, is_written, &b));
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++) {
        assert_int_equal(a.parts[i].allocation.begin, b.parts[i].allocation.begin);
        assert_int_equal(a.parts[i].exact, b.parts[i].exact);
        assert_true(gcl_region_equal(&a.parts[i].bytes, &b.parts[i].bytes));
    }
    gcl_inspection_finish(&a);
    gcl_inspection_finish(&b);
}

/// What came of looks.
static struct counts {
    unsigned looks, found, doubtful, touching;
} counts;

static void check_part(struct program *p, const struct gcl_launch_part *launch, bool knows_guards) {
    struct gcl_contents contents;
    struct gcl_origins origins;
    assert_true(gcl_origins_find(&p->tables, 0, &origins));
    if (!knows_guards)
        origins.load_count = origins.bare_load_count;
    give(&contents, p);
    const struct gcl_inspect_input input = {&p->tables, 0, launch, &contents, &origins, 1};
    struct gcl_program bare = p->tables;
    struct gcl_inspect_input other = input;
    struct gcl_marked looked, inspected;
    bare.look_count = 0;
    other.program = &bare;
    counts.looks++;
    if (gcl_look(&input, STEPS, &looked) == GCL_LOOKED_FOUND) {
        assert_int_equal(gcl_inspect(&other, &inspected), GCL_INSPECTED_FOUND);
        counts.found++;
        counts.doubtful += looked.is_doubtful;
        counts.touching += looked.count > 0;
        check_same(&looked, &inspected, true);
    }
    gcl_contents_finish(&contents);
    gcl_origins_finish(&origins);
}

/// Moves the access, and what its look finds with it.
static void shift_access(struct program *p, struct jit *jit) {
    int64_t shift = (int64_t)random_below(64) - 16;
    uint16_t offset = p->tables.accesses[0].offset;
    if (offset == GCL_NONE || p->tables.node_count + 2 > NODES)
        return;
    p->accesses[0].offset = add_node(p, GCL_NODE_ADD, 64, offset, constant(p, shift, 64), 0);
    jit_shift(jit, 0, shift);
}

static unsigned random_count = 300;

static void check_random(struct program *p, uint64_t seed, uint32_t level) {
    union arguments arguments = {.bases = {0}};
    random_start(seed);
    struct gcl_launch_part launch = random_launch();
    for (unsigned i = 0; i < ARGUMENTS; i++)
        arguments.numbers[i] = (int32_t)(1 + random_below(i < 3 ? 40 : 300)) - (i == 5 ? 150 : 0);
    for (unsigned i = 0; i <= ARRAYS; i++)
        arguments.bases[ARGUMENTS / 2 + i] = place_of(i) + (i == 0 ? MIDDLE : 0);
    launch.arguments = (const unsigned char *)&arguments;
    random_program(p, RANDOM_DATA_LOADED);
    struct jit *jit = jit_create(&p->tables, level);
    if (p->tables.look_count > 0 && chance(50))
        shift_access(p, jit);
    for (unsigned i = 0; i < PARTS && p->tables.look_count > 0; i++) {
        const struct gcl_launch_part part = part_of(&launch);
        check_part(p, &part, chance(70));
    }
    jit_destroy(jit);
}

static void test_random(void **context) {
    static struct program p;
    uint32_t levels = gcl_processor_level() + 1;
    (void)context;
    for (unsigned n = 0; n < random_count; n++)
        check_random(&p, 7 * 1000003u + n, n % levels);
    print_message("%u looks, %u found something out, %u of them doubtful, %u that it touches\n",
                  counts.looks, counts.found, counts.doubtful, counts.touching);
    assert_true(counts.found > counts.looks / 3);
    assert_true(counts.touching > counts.found / 3);
}

// What a look reads is noted, so that it is done again when just that has changed.

enum { INDEXES = 1 << 14, PAGE = 4096, BLOCK = 64 };

static bool find_large(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address / PLACE * PLACE);
    allocation->end = allocation->begin + INDEXES * (int64_t)sizeof(int32_t);
    return (int64_t)address < allocation->end;
}

static void notes_what_it_reads(void **context) {
    static struct program p;
    static int32_t indexes[INDEXES];
    uint64_t arguments[ARGUMENTS / 2 + 1 + ARRAYS] = {0};
    const struct gcl_memory large = {.find = find_large};
    struct gcl_contents contents = {.memory = &large, .may_read = true, .is_given = true}, lent;
    const struct gcl_region here = gcl_region_run(0, sizeof indexes);
    struct gcl_origins origins;
    struct gcl_span allocation;
    struct gcl_marked marked;
    (void)context;
    for (unsigned i = 0; i < INDEXES; i++)
        indexes[i] = (int32_t)(i ^ 1);
    init_program(&p);
    uint16_t i = add_node(&p, GCL_NODE_GLOBAL_INDEX, 64, 0, 0, 0), four = constant(&p, 4, 64);
    uint16_t index = add_load(&p, 0, 32, add_node(&p, GCL_NODE_MULTIPLY, 64, i, four, 0));
    uint16_t wide = add_node(&p, GCL_NODE_SEXT, 64, index, 0, 0);
    p.accesses[0].offset = add_node(&p, GCL_NODE_MULTIPLY, 64, wide, four, 0);
    arguments[ARGUMENTS / 2] = place_of(0);
    arguments[ARGUMENTS / 2 + 1] = place_of(1);
    struct jit *jit = jit_create(&p.tables, gcl_processor_level());
    const struct gcl_launch_part launch = {.arguments = (const unsigned char *)arguments,
                                           .geometry.block = {BLOCK, 1, 1},
                                           .geometry.grid = {INDEXES / BLOCK, 1, 1},
                                           .begin = {4 * PAGE / sizeof *indexes / BLOCK, 0, 0},
                                           .end = {6 * PAGE / sizeof *indexes / BLOCK, 1, 1}};
    assert_true(gcl_origins_find(&p.tables, 0, &origins));
    assert_true(find_large(NULL, place_of(1), &allocation));
    assert_true(gcl_contents_give(&contents, &allocation, (unsigned char *)indexes, &here));
    assert_true(gcl_contents_lend(&contents, &lent));
    const struct gcl_inspect_input input = {&p.tables, 0, &launch, &lent, &origins, 1};
    assert_int_equal(gcl_look(&input, STEPS, &marked), GCL_LOOKED_FOUND);
    struct gcl_region pages = {0}, touched = {0};
    const struct gcl_region expected = gcl_region_run(4 * PAGE, 6 * PAGE);
    assert_true(gcl_marks_region(&lent.list[0].read, 16, 16, &pages));
    assert_true(gcl_region_equal(&pages, &expected));
    assert_true(gcl_marks_region(&marked.parts[0].marks, 16, 16, &touched));
    assert_true(gcl_region_equal(&touched, &expected));
    gcl_region_finish(&pages);
    gcl_region_finish(&touched);
    gcl_marked_finish(&marked);
    gcl_contents_return(&lent);
    gcl_contents_finish(&contents);
    gcl_origins_finish(&origins);
    jit_destroy(jit);
}

// What isn't known may be known another time, so it is for inspections to say what that means.

/// Looks for 4 bytes at base 0 + what array 0 has, if array 1 has 1, at byte i of both; `has_loop`:
/// in a loop of two iterations.
static enum gcl_looked look_guarded(bool has_loop, int64_t known_guards) {
    static struct program p;
    static unsigned char bytes[ARRAY_BYTES];
    uint64_t arguments[ARGUMENTS / 2 + 1 + ARRAYS] = {0};
    struct gcl_contents contents = {.memory = &memory, .may_read = true, .is_given = true};
    struct gcl_origins origins;
    struct gcl_marked marked;
    memset(bytes, 1, sizeof bytes);
    init_program(&p);
    uint16_t i = add_node(&p, GCL_NODE_GLOBAL_INDEX, 64, 0, 0, 0);
    p.accesses[0].offset = add_node(&p, GCL_NODE_ZEXT, 64, add_load(&p, 0, 8, i), 0, 0);
    p.accesses[0].guard = add_guard(&p, GCL_GUARD_HOLDS, add_load(&p, 1, 8, i), GCL_NONE);
    if (has_loop) {
        uint16_t loop = add_guard(&p, GCL_GUARD_LOOP, GCL_NONE, p.accesses[0].guard);
        uint16_t turn = add_node(&p, GCL_NODE_ITERATION, 64, loop, 0, 0);
        p.guards[loop].node = add_node(&p, GCL_NODE_EQ, 1, turn, constant(&p, 0, 64), 0);
        p.accesses[0].guard = loop;
    }
    for (unsigned a = 0; a <= ARRAYS; a++)
        arguments[ARGUMENTS / 2 + a] = place_of(a);
    for (unsigned a = 0; a < 2; a++) {
        struct gcl_span allocation;
        const struct gcl_region here = gcl_region_run(0, a == 0 ? ARRAY_BYTES : known_guards);
        assert_true(find_program_allocation(NULL, place_of(1 + a), &allocation));
        assert_true(gcl_contents_give(&contents, &allocation, bytes, &here));
    }
    const struct gcl_launch_part launch = {.arguments = (const unsigned char *)arguments,
                                           .geometry.block = {BLOCK, 1, 1},
                                           .geometry.grid = {1, 1, 1},
                                           .end = {1, 1, 1}};
    struct jit *jit = jit_create(&p.tables, gcl_processor_level());
    assert_true(gcl_origins_find(&p.tables, 0, &origins));
    const struct gcl_inspect_input input = {&p.tables, 0, &launch, &contents, &origins, 1};
    enum gcl_looked looked = gcl_look(&input, STEPS, &marked);
    gcl_marked_finish(&marked);
    gcl_contents_finish(&contents);
    gcl_origins_finish(&origins);
    jit_destroy(jit);
    return looked;
}

static void gives_up_where_something_is_not_known(void **context) {
    (void)context;
    assert_int_equal(look_guarded(false, BLOCK), GCL_LOOKED_FOUND);
    assert_int_equal(look_guarded(false, BLOCK - 1), GCL_LOOKED_NOT);
    assert_int_equal(look_guarded(true, BLOCK), GCL_LOOKED_FOUND);
    assert_int_equal(look_guarded(true, BLOCK - 1), GCL_LOOKED_NOT);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(notes_what_it_reads),
                                       cmocka_unit_test(gives_up_where_something_is_not_known)};
    random_count = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : random_count;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
