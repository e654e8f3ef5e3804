// Access programs against threads that run one by one: random programs, launches and ranges of
// blocks. What the evaluation says must hold every byte that a thread touches, and no other where
// it says that it is exact.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/evaluate.h"
#include "random_program.h"

// What the evaluation says.

struct answer {
    struct bytes bytes;
    bool everywhere;
    bool exact;
    unsigned pieces;
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
    if (!piece->everywhere)
        add_dimension(&answer->bytes, piece, 0, piece->offset);
}

static struct bytes touched;
static struct answer answer;

// Compares the evaluation with the threads; false if that would take too long.
static bool check_program(const struct program *p, const struct gcl_launch_part *launch) {
    run_threads(p, launch, &touched);
    if (touched.too_many)
        return false;
    memset(&answer, 0, offsetof(struct answer, bytes.places));
    answer.bytes.count = answer.bytes.steps = 0;
    answer.bytes.too_many = answer.everywhere = false;
    answer.exact = true;
    answer.pieces = 0;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&p->tables);
    gcl_evaluate(evaluator, 0, launch, collect, &answer);
    gcl_evaluator_destroy(evaluator);
    if (answer.bytes.too_many && !answer.exact)
        return false;
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
    return true;
}

// Without data most are exact.
static void run_random(uint64_t seed, enum random_kind data, unsigned count) {
    static struct program p;
    unsigned checked = 0, exact = 0, everywhere = 0, pieces = 0;
    for (unsigned n = 0; n < count; n++) {
        int32_t arguments[ARGUMENTS];
        random_start(seed * 1000003u + n);
        struct gcl_launch_part launch = random_launch();
        for (unsigned i = 0; i < ARGUMENTS; i++)
            arguments[i] =
                (int32_t)(i < 3 ? 1 + random_below(40) : random_below(300)) - (i == 5 ? 150 : 0);
        launch.arguments = (const unsigned char *)arguments;
        random_program(&p, data);
        if (!check_program(&p, &launch))
            continue;
        checked++;
        exact += answer.exact;
        everywhere += answer.everywhere;
        pieces += answer.pieces;
    }
    print_message("%u of %u programs checked, %u exact, %u everywhere, %u pieces\n", checked, count,
                  exact, everywhere, pieces);
    assert_true(checked > count / 2);
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

// test_evaluate [how many random programs]
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_random_data)};
    if (argc > 1)
        random_count = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
