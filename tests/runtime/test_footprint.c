// Footprints of a small kernel:
//
//     if (i < n) out[i] = in[i + 1];        i = blockIdx.x * blockDim.x + threadIdx.x
#include <string.h>

#include "check.h"
#include "plan/program/footprint.h"

enum { BLOCK = 64, BLOCKS = 16, SIZE = 1 << 20 };

static const struct gcl_node nodes[] = {
    {GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0}, {GCL_NODE_ARGUMENT, 32, 16, 0, 0},
    {GCL_NODE_SLT, 1, 0, 1, 0},           {GCL_NODE_SEXT, 64, 0, 0, 0},
    {GCL_NODE_CONSTANT, 64, 0, 0, 0},     {GCL_NODE_MULTIPLY, 64, 3, 4, 0},
    {GCL_NODE_ADD, 64, 5, 4, 0}};
static const int64_t constants[] = {4};
static const struct gcl_guard guards[] = {{GCL_GUARD_HOLDS, 0, 2, GCL_NONE}};
static const struct gcl_base bases[] = {{.kind = GCL_BASE_ARGUMENT, .index = 0},
                                        {.kind = GCL_BASE_ARGUMENT, .index = 8}};
static const struct gcl_access accesses[] = {
    {.kind = GCL_ACCESS_READ, .base = 1, .offset = 6, .length = GCL_NONE, .element = 4, .size = 4},
    {.kind = GCL_ACCESS_WRITE,
     .base = 0,
     .offset = 5,
     .length = GCL_NONE,
     .element = 4,
     .size = 4}};
static const struct gcl_program program = {.nodes = nodes,
                                           .constants = constants,
                                           .guards = guards,
                                           .bases = bases,
                                           .accesses = accesses,
                                           .node_count = 7,
                                           .constant_count = 1,
                                           .guard_count = 1,
                                           .base_count = 2,
                                           .access_count = 2};

struct arguments {
    uint64_t out, in;
    int32_t n;
    float unused;
};

// Allocations of SIZE bytes, one at each multiple of 2 * SIZE but the first.
static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address / (2 * SIZE) * (2 * SIZE));
    allocation->end = allocation->begin + SIZE;
    return allocation->begin > 0 && (int64_t)address < allocation->end;
}

static const struct gcl_memory memory = {.find = find};

static struct gcl_launch_part launch_of(const struct arguments *arguments) {
    return (struct gcl_launch_part){.arguments = (const unsigned char *)arguments,
                                    .geometry.block = {BLOCK, 1, 1},
                                    .geometry.grid = {BLOCKS, 1, 1},
                                    .begin = {4, 0, 0},
                                    .end = {8, 1, 1}};
}

static const struct gcl_allocation_use *use_at(const struct gcl_footprint *footprint,
                                               uint64_t begin) {
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == (int64_t)begin)
            return &footprint->uses[i];
    }
    return NULL;
}

static void check_run(const struct gcl_region *region, int64_t begin, int64_t end) {
    struct gcl_region expected = gcl_region_run(begin, end);
    assert_true(gcl_region_equal(region, &expected));
}

static void check_footprint(const struct gcl_footprint *f, const struct arguments *a) {
    int64_t first = 4 * 4 * BLOCK, last = 4 * (a->n < 8 * BLOCK ? a->n : 8 * BLOCK);
    const struct gcl_allocation_use *out = use_at(f, a->out), *in = use_at(f, a->in - 16);
    assert_non_null(f);
    assert_true(f->exact && !f->outside && f->count == 2);
    check_run(&out->written, first, last);
    assert_true(gcl_region_is_empty(&out->touched) && gcl_region_is_empty(&out->read));
    check_run(&in->read, first + 20, last + 20);
    assert_true(gcl_region_is_empty(&in->written));
}

// By one evaluator, which keeps nothing of a launch for the next.
static void test_places(void **context) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program);
    struct gcl_footprint f;
    (void)context;
    for (unsigned i = 0; i < 100; i++) {
        struct arguments a = {.out = 2 * SIZE * (uint64_t)(1 + i % 3),
                              .in = 2 * SIZE * (uint64_t)(4 + i % 2) + 16,
                              .n = i % 7 == 0 ? 300 : 1000,
                              .unused = (float)i};
        struct gcl_launch_part launch = launch_of(&a);
        assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
        check_footprint(&f, &a);
        gcl_footprint_finish(&f);
    }
    gcl_evaluator_destroy(evaluator);
}

// What lies in no allocation is said.
static void test_outside(void **context) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program);
    struct arguments a = {.out = 64, .in = 2 * SIZE, .n = 1000};
    struct gcl_launch_part launch = launch_of(&a);
    struct gcl_footprint f;
    (void)context;
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    assert_true(f.outside && f.count == 1);
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

// One array in two places, and a part that ends with the allocation.
static void test_same(void **context) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program);
    struct arguments a = {.out = 2 * SIZE, .in = 2 * SIZE, .n = 1000};
    struct gcl_launch_part launch = launch_of(&a);
    struct gcl_footprint f;
    (void)context;
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    assert_int_equal(f.count, 1);
    check_run(&f.uses[0].written, 1024, 2048);
    check_run(&f.uses[0].read, 1028, 2052);
    gcl_footprint_finish(&f);
    a.in += SIZE - 1536;
    assert_true(gcl_footprint_find(evaluator, &launch, &memory, &f));
    check_run(&f.uses[0].read, SIZE - 1536 + 1028, SIZE);
    gcl_footprint_finish(&f);
    gcl_evaluator_destroy(evaluator);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_outside), cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
