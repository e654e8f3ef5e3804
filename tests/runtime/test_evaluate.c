// Access programs against threads that run one by one: random programs, launches and ranges of
// blocks. What the evaluation says must hold every byte that a thread touches, and no other where
// it says that it is exact; so must what it says of each block alone (shares.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/program/needs.h"
#include "plan/program/shares.h"
#include "random_program.h"

// What the evaluation says.

struct answer {
    struct bytes bytes;
    bool everywhere;
    bool exact;
    unsigned pieces;
    double accesses; ///< but for those that are everywhere
};

static void add_dimension(struct bytes *bytes, const struct gcl_bytes *piece, unsigned d,
                          int64_t offset) {
    if (d == piece->dimensions) {
        touch(bytes, offset, piece->length);
        return;
    }
    for (int64_t i = 0; i < piece->count[d] && !bytes->too_many; i++)
        add_dimension(bytes, piece, d + 1, offset + i * piece->stride[d]);
}

static void collect(void *context, const struct gcl_bytes *piece) {
    struct answer *answer = context;
    answer->pieces++;
    answer->exact = answer->exact && piece->certainty == GCL_CERTAINTY_EXACT;
    answer->everywhere = answer->everywhere || piece->everywhere;
    answer->accesses += piece->everywhere ? 0 : piece->accesses;
    if (!piece->everywhere)
        add_dimension(&answer->bytes, piece, 0, piece->offset);
}

static struct bytes touched;
static struct answer answer;
static unsigned followed; ///< blocks
static unsigned taken;    ///< parts

static void clear_answer(void) {
    memset(&answer, 0, offsetof(struct answer, bytes.places));
    answer.bytes.count = answer.bytes.steps = 0;
    answer.bytes.too_many = answer.everywhere = false;
    answer.exact = true;
    answer.pieces = 0;
    answer.accesses = 0;
}

// Whether the answer is what threads have touched, as far as it claims to be.
static void compare(const struct program *p, const struct gcl_launch_part *launch) {
    if (answer.bytes.too_many && !answer.exact)
        return;
    sort_bytes(&answer.bytes);
    bool all = answer.everywhere || holds_all(&answer.bytes, &touched);
    bool none_else = !answer.exact || holds_all(&touched, &answer.bytes);
    if (!all || !none_else) {
        print_program(p, launch);
        print_places("threads", &touched);
        print_places("evaluation", &answer.bytes);
        fail_msg("%s",
                 all ? "bytes that no thread touches" : "bytes that threads touch are missing");
    }
}

static void ignore(void *context, const struct gcl_bytes *piece) {
    (void)context, (void)piece;
}

// The accesses of one part find the same as each does alone, whatever others have found before.
static void check_part(struct gcl_evaluator *evaluator, const struct program *p,
                       const struct gcl_launch_part *launch) {
    static struct answer alone;
    alone = answer;
    gcl_evaluator_begin(evaluator, NULL);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(gcl_evaluate_happens(evaluator, 0, launch), alone.pieces > 0);
        clear_answer();
        gcl_evaluate(evaluator, 0, launch, collect, &answer);
        sort_bytes(&answer.bytes);
        assert_int_equal(answer.pieces, alone.pieces);
        assert_int_equal(answer.exact, alone.exact);
        assert_int_equal(answer.everywhere, alone.everywhere);
        assert_int_equal(answer.bytes.count, alone.bytes.count);
        assert_memory_equal(answer.bytes.places, alone.bytes.places,
                            alone.bytes.count * sizeof alone.bytes.places[0]);
        for (uint16_t access = p->tables.access_count; access-- > 1;)
            gcl_evaluate(evaluator, access, launch, ignore, NULL);
    }
    gcl_evaluator_end(evaluator);
}

// Compares the evaluation with the threads; false if that would take too long.
static bool check_program(const struct program *p, const struct gcl_launch_part *launch) {
    run_threads(p, launch, &touched);
    if (touched.too_many)
        return false;
    clear_answer();
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p->tables);
    gcl_evaluate(evaluator, 0, launch, collect, &answer);
    bool is_checked = !answer.bytes.too_many || answer.exact;
    if (is_checked)
        compare(p, launch);
    if (is_checked && !answer.bytes.too_many)
        check_part(evaluator, p, launch);
    gcl_evaluator_destroy(evaluator);
    return is_checked;
}

// A block that follows the leading one touches what that one does, moved.
static void check_follows(struct gcl_shares *shares, const uint32_t *block) {
    static uint32_t leader[3];
    static struct bytes ours;
    struct gcl_share_move move;
    bool is_first = !shares->leader;
    bool follows = gcl_shares_follow(shares, block, &move);
    if (is_first || !follows) {
        gcl_shares_lead(shares);
        memcpy(leader, block, sizeof leader);
        return;
    }
    memcpy(&ours, &answer.bytes, sizeof ours);
    clear_answer();
    gcl_shares_visit(shares, 0, leader, collect, &answer);
    sort_bytes(&answer.bytes);
    assert_int_equal(ours.count, answer.bytes.count);
    for (size_t i = 0; i < ours.count && !answer.bytes.too_many; i++) {
        assert_int_equal(ours.places[i], answer.bytes.places[i] + move.shift);
        assert_true(ours.places[i] >= move.bytes.begin && ours.places[i] < move.bytes.end);
    }
    followed++;
}

// Compares the share of each block with its threads.
static void check_shares(const struct program *p, const struct gcl_launch_part *launch) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p->tables);
    struct gcl_shares shares = {0};
    struct gcl_launch_part one = *launch;
    assert_true(gcl_shares_find(evaluator, launch, &shares));
    for (one.begin[2] = launch->begin[2]; one.begin[2] < launch->end[2]; one.begin[2]++) {
        for (one.begin[1] = launch->begin[1]; one.begin[1] < launch->end[1]; one.begin[1]++) {
            for (one.begin[0] = launch->begin[0]; one.begin[0] < launch->end[0]; one.begin[0]++) {
                for (unsigned axis = 0; axis < 3; axis++)
                    one.end[axis] = one.begin[axis] + 1;
                run_threads(p, &one, &touched);
                clear_answer();
                gcl_shares_visit(&shares, 0, one.begin, collect, &answer);
                compare(p, &one);
                check_follows(&shares, one.begin);
            }
        }
    }
    gcl_shares_finish(&shares);
    gcl_evaluator_destroy(evaluator);
}

/// Some of the blocks along one axis, as nodes get them; along the others all.
static struct gcl_launch_part random_part(const struct gcl_launch_part *launch) {
    struct gcl_launch_part part = *launch;
    unsigned axis = random_below(3);
    uint32_t blocks = launch->end[axis] - launch->begin[axis], first = random_below(blocks);
    part.begin[axis] += first;
    part.end[axis] = part.begin[axis] + 1 + random_below(blocks - first);
    return part;
}

// What is taken out of an exact evaluation of all blocks is what the threads of a part touch, and
// as often as an evaluation of the part says. Of another launch, with other arguments, nothing that
// was found before is left.
static void check_taken_parts(const struct program *p, const struct gcl_launch_part *first) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p->tables);
    struct gcl_shares shares = {0};
    for (int round = 0; round < 2; round++) {
        union arguments arguments;
        struct gcl_launch_part launch = *first;
        memcpy(&arguments, first->arguments, sizeof arguments);
        if (round > 0)
            arguments.numbers[random_below(ARGUMENTS)] -= 1 + (int32_t)random_below(4);
        launch.arguments = (const unsigned char *)&arguments;
        struct gcl_launch_part part = random_part(&launch);
        gcl_evaluator_take_parts(evaluator);
        gcl_evaluator_begin(evaluator, NULL);
        assert_true(gcl_shares_find_exact(evaluator, &launch, &shares));
        gcl_evaluator_end(evaluator);
        if (!gcl_shares_are_exact(&shares, 0))
            break;
        run_threads(p, &part, &touched);
        if (touched.too_many)
            break;
        clear_answer();
        gcl_shares_visit_part(&shares, 0, &part, collect, &answer);
        assert_true(answer.exact && !answer.everywhere);
        compare(p, &part);
        double accesses = answer.accesses;
        clear_answer();
        gcl_evaluate(evaluator, 0, &part, collect, &answer);
        assert_true(!answer.exact || answer.accesses == accesses);
        taken += answer.exact;
    }
    gcl_shares_finish(&shares);
    gcl_evaluator_destroy(evaluator);
}

// Without data most are exact.
static void run_random(uint64_t seed, enum random_kind data, unsigned count) {
    static struct program p;
    unsigned checked = 0, exact = 0, everywhere = 0, pieces = 0;
    for (unsigned n = 0; n < count; n++) {
        union arguments arguments = {.bases = {0}};
        random_start(seed * 1000003u + n);
        struct gcl_launch_part launch = random_launch();
        for (unsigned i = 0; i < ARGUMENTS; i++)
            arguments.numbers[i] =
                (int32_t)(i < 3 ? 1 + random_below(40) : random_below(300)) - (i == 5 ? 150 : 0);
        launch.arguments = (const unsigned char *)&arguments;
        random_program(&p, data);
        if (!check_program(&p, &launch))
            continue;
        checked++;
        exact += answer.exact;
        everywhere += answer.everywhere;
        pieces += answer.pieces;
        check_shares(&p, &launch);
        check_taken_parts(&p, &launch);
    }
    print_message("%u of %u programs checked, %u exact, %u everywhere, %u pieces, %u blocks like "
                  "others, %u parts\n",
                  checked, count, exact, everywhere, pieces, followed, taken);
    assert_true(checked > count / 2 && followed > count / 10);
    assert_true(data != RANDOM_DATA_NONE || taken > checked / 2);
    assert_true(data != RANDOM_DATA_NONE || exact > checked * 4 / 5);
}

static unsigned random_count = 3000;

static void test_random(void **context) {
    (void)context;
    run_random(1, RANDOM_DATA_NONE, random_count);
}

static void test_random_data(void **context) {
    (void)context;
    run_random(2, RANDOM_DATA_UNKNOWN, random_count);
}

// x² + y²: a piece for each block.
static void init_squares(struct program *p) {
    uint16_t squares[2];
    init_program(p);
    for (uint16_t axis = 0; axis < 2; axis++) {
        uint16_t x = add_node(p, GCL_NODE_BLOCK_INDEX, 64, axis, 0, 0);
        squares[axis] = add_node(p, GCL_NODE_MULTIPLY, 64, x, x, 0);
    }
    p->accesses[0].offset = add_node(p, GCL_NODE_ADD, 64, squares[0], squares[1], 0);
}

static const union arguments no_arguments = {.bases = {0}};
static const struct gcl_launch_part many_blocks = {.arguments =
                                                       (const unsigned char *)&no_arguments,
                                                   .geometry.block = {1, 1, 1},
                                                   .geometry.grid = {1000, 1000, 1},
                                                   .end = {1000, 500, 1}};

// Of an access that has too many pieces in one part of a launch, nothing is looked for in the
// others.
static void test_parts(void **context) {
    static struct program p;
    struct gcl_launch_part part = many_blocks, small = part;
    (void)context;
    init_squares(&p);
    small.end[1] = 2;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p.tables);
    for (unsigned i = 0; i < 2; i++) {
        gcl_evaluator_take_parts(evaluator);
        clear_answer();
        gcl_evaluate(evaluator, 0, &small, collect, &answer);
        assert_true(answer.pieces > 1 && !answer.everywhere);
        clear_answer();
        gcl_evaluate(evaluator, 0, &part, collect, &answer);
        assert_true(answer.pieces > 1 && answer.everywhere);
        clear_answer();
        gcl_evaluate(evaluator, 0, &small, collect, &answer);
        assert_true(answer.pieces == 1 && answer.everywhere);
    }
    gcl_evaluator_destroy(evaluator);
}

// Whether an access happens is known long before all of its pieces are.
static void test_happens(void **context) {
    static struct program p;
    (void)context;
    init_squares(&p);
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p.tables);
    gcl_evaluator_limit(evaluator, 100);
    assert_true(gcl_evaluate_happens(evaluator, 0, &many_blocks));
    assert_false(gcl_evaluator_is_spent(evaluator));
    gcl_evaluate(evaluator, 0, &many_blocks, ignore, NULL);
    assert_true(gcl_evaluator_is_spent(evaluator));
    gcl_evaluator_destroy(evaluator);
}

static void test_random_wide(void **context) {
    (void)context;
    run_random(3, RANDOM_WIDE, random_count);
}

// (data & 7) * 3 & 30: a stretch of bits of what isn't exact.
static void test_masked_data(void **context) {
    (void)context;
    static struct program p;
    struct gcl_launch_part launch = {.geometry.block = {8, 1, 1},
                                     .geometry.grid = {7, 2, 2},
                                     .begin = {2, 1, 0},
                                     .end = {5, 2, 2}};
    init_program(&p);
    uint16_t data = add_node(&p, GCL_NODE_UNKNOWN, 32, 0, 0, 0);
    uint16_t digit = add_node(&p, GCL_NODE_AND, 32, data, constant(&p, 7, 32), 0);
    uint16_t product = add_node(&p, GCL_NODE_MULTIPLY, 32, digit, constant(&p, 3, 32), 0);
    uint16_t masked = add_node(&p, GCL_NODE_AND, 32, product, constant(&p, 30, 32), 0);
    uint16_t index = add_node(&p, GCL_NODE_SEXT, 64, masked, 0, 0);
    p.accesses[0].offset = add_node(&p, GCL_NODE_MULTIPLY, 64, index, constant(&p, 4, 64), 0);
    assert_true(check_program(&p, &launch));
}

// (8 * block + thread) & INT64_MAX: all bits but the sign's, which no number is.
static void test_masked_sign(void **context) {
    (void)context;
    static struct program p;
    struct gcl_launch_part launch = {.geometry.block = {8, 1, 1},
                                     .geometry.grid = {7, 1, 1},
                                     .begin = {2, 0, 0},
                                     .end = {5, 1, 1}};
    init_program(&p);
    uint16_t block = add_node(&p, GCL_NODE_BLOCK_INDEX, 64, 0, 0, 0);
    uint16_t begin = add_node(&p, GCL_NODE_MULTIPLY, 64, block, constant(&p, 8, 64), 0);
    uint16_t thread = add_node(&p, GCL_NODE_THREAD_INDEX, 64, 0, 0, 0);
    uint16_t index = add_node(&p, GCL_NODE_ADD, 64, begin, thread, 0);
    p.accesses[0].offset = add_node(&p, GCL_NODE_AND, 64, index, constant(&p, INT64_MAX, 64), 0);
    assert_true(check_program(&p, &launch));
    assert_true(answer.exact && !answer.everywhere);
}

// Loops that each run as often as the one before got: more than are followed.
static void test_many_loops(void **context) {
    (void)context;
    static struct program p;
    struct gcl_needs needs;
    bool seen[NODES];
    init_program(&p);
    uint16_t last = constant(&p, 3, 32);
    for (unsigned i = 0; i < GUARDS; i++) {
        uint16_t loop = add_guard(&p, GCL_GUARD_LOOP, GCL_NONE, GCL_NONE);
        uint16_t k = add_node(&p, GCL_NODE_ITERATION, 32, loop, 0, 0);
        p.guards[loop].node = add_node(&p, GCL_NODE_SLT, 1, k, last, 0);
        last = add_node(&p, GCL_NODE_LAST, 32, loop, 0, 0);
    }
    p.accesses[0].offset = last;
    p.accesses[0].guard = GCL_NONE;
    gcl_needs_find(&p.tables, 0, seen, &needs);
    assert_int_equal(needs.ended_count, GCL_PIECE_LOOPS);
    for (uint16_t i = 0; i < GCL_PIECE_LOOPS; i++)
        assert_int_equal(needs.ended[i], i);
}

// test_evaluate [how many random programs]
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_random_data),
        cmocka_unit_test(test_random_wide), cmocka_unit_test(test_masked_data),
        cmocka_unit_test(test_masked_sign), cmocka_unit_test(test_many_loops),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_happens)};
    if (argc > 1)
        random_count = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
