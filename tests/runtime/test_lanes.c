// Nodes computed for many lanes at once, against the same nodes computed one by one.
#include <string.h>

#include "check.h"
#include "plan/inspect/lanes.h"
#include "random_program.h"

enum { ROUNDS = 40 };

static struct gcl_lanes operands[3], result;

/// Numbers near the ends of a width are as frequent as others; shifts are short now and then.
static uint64_t number(unsigned width) {
    uint64_t bits = (uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX);
    uint64_t near = (uint64_t)(int64_t)((int32_t)random_below(9) - 4);
    uint64_t top = UINT64_C(1) << (width - 1);
    const uint64_t numbers[] = {bits, near, top + near, random_below(70)};
    return gcl_scalar_truncate(numbers[random_below(4)], width);
}

static void fill(struct gcl_lanes *lanes, unsigned width) {
    lanes->all_known = chance(50);
    for (unsigned i = 0; i < GCL_LANES; i++) {
        lanes->values[i] = number(width);
        lanes->known[i] = chance(70);
    }
}

/// What a lane has to be known for: `and` with 0, and `or` with 1 of one bit, need no more.
static bool is_known(const struct gcl_node *node, unsigned count, unsigned lane) {
    bool all = true, decided = false;
    if (node->kind == GCL_NODE_SELECT)
        return gcl_lanes_is_known(&operands[0], lane) &&
               gcl_lanes_is_known(&operands[operands[0].values[lane] ? 1 : 2], lane);
    for (unsigned k = 0; k < count; k++) {
        bool is_one = gcl_lanes_is_known(&operands[k], lane);
        all = all && is_one;
        decided = decided || (is_one && node->kind == GCL_NODE_AND && !operands[k].values[lane]);
        decided = decided || (is_one && node->kind == GCL_NODE_OR && node->width == 1 &&
                              operands[k].values[lane]);
    }
    return all || decided;
}

static void check_kind(enum gcl_node_kind kind) {
    bool compares = kind >= GCL_NODE_EQ && kind <= GCL_NODE_SLT;
    unsigned width = 1 + random_below(64), count = 2;
    unsigned first = kind == GCL_NODE_SELECT ? 1 : width;
    struct gcl_node node = {.kind = (uint8_t)kind, .width = (uint8_t)(compares ? 1 : width)};
    if (kind == GCL_NODE_SELECT)
        count = 3;
    if (kind >= GCL_NODE_ZEXT) {
        count = 1;
        first = kind == GCL_NODE_TRUNC ? width + random_below(65 - width) : 1 + random_below(width);
    }
    for (unsigned k = 0; k < count; k++)
        fill(&operands[k], k == 0 ? first : width);
    const struct gcl_lanes *const of[3] = {&operands[0], count > 1 ? &operands[1] : NULL,
                                           count > 2 ? &operands[2] : NULL};
    unsigned lanes = 1 + random_below(GCL_LANES);
    gcl_lanes_compute(&node, first, of, lanes, &result);
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t a = operands[0].values[i], b = count > 1 ? operands[1].values[i] : 0;
        uint64_t expected = kind == GCL_NODE_SELECT ? operands[a ? 1 : 2].values[i]
                                                    : gcl_scalar_compute(node.kind, a, b, first);
        assert_int_equal(result.values[i], gcl_scalar_truncate(expected, node.width));
        assert_int_equal(gcl_lanes_is_known(&result, i), is_known(&node, count, i));
    }
}

static void computes_as_one_by_one(void **state) {
    (void)state;
    random_start(1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned kind = GCL_NODE_ADD; kind <= GCL_NODE_TRUNC; kind++)
            check_kind((enum gcl_node_kind)kind);
    }
}

static void picks(void **state) {
    uint16_t from[GCL_LANES];
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&operands[0], 64);
        for (unsigned i = 0; i < GCL_LANES; i++)
            from[i] = (uint16_t)random_below(GCL_LANES);
        gcl_lanes_pick(&operands[0], from, GCL_LANES, &result);
        for (unsigned i = 0; i < GCL_LANES; i++) {
            assert_int_equal(result.values[i], operands[0].values[from[i]]);
            assert_int_equal(gcl_lanes_is_known(&result, i),
                             gcl_lanes_is_known(&operands[0], from[i]));
        }
    }
}

static void finds_bounds(void **state) {
    uint64_t values[GCL_LANES];
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned count = 1 + random_below(GCL_LANES), set = 0;
        uint64_t step = random_below(9), least = UINT64_MAX, greatest = 0, begin = number(64);
        for (unsigned i = 0; i < count; i++) {
            values[i] = begin + i * step;
            values[i] = round % 2 && chance(1) ? number(64) : values[i];
            least = values[i] < least ? values[i] : least;
            greatest = values[i] > greatest ? values[i] : greatest;
            set += values[i] != 0;
        }
        struct gcl_lanes_bounds bounds = gcl_lanes_find_bounds(values, count);
        assert_int_equal(bounds.least, least);
        assert_int_equal(bounds.greatest, greatest);
        assert_int_equal(gcl_lanes_count_set(values, count), set);
    }
}

static void reads(void **state) {
    unsigned char bytes[GCL_LANES];
    uint64_t values[GCL_LANES], begin = 1000;
    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)random_below(256);
    for (unsigned size = 1; size <= 8; size++) {
        uint64_t places[GCL_LANES];
        for (unsigned i = 0; i < GCL_LANES; i++)
            places[i] = values[i] = begin + random_below((uint32_t)(sizeof bytes - size + 1));
        gcl_lanes_read(bytes, begin, size, GCL_LANES, values);
        for (unsigned i = 0; i < GCL_LANES; i++) {
            uint64_t expected = 0;
            for (unsigned k = size; k-- > 0;)
                expected = expected << 8 | bytes[places[i] - begin + k];
            assert_int_equal(values[i], expected);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(computes_as_one_by_one),
                                       cmocka_unit_test(picks), cmocka_unit_test(finds_bounds),
                                       cmocka_unit_test(reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
