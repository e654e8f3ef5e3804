// The scheduler with regions written by hand that note how they are called.
#include "check.h"
#include "exec/block/block.h"
#include "exec/code/variant.h"

enum { THREADS = 70, MAX_CALLS = 16 };

struct call {
    uint32_t region, here, begin, end, count;
};

static struct call calls[MAX_CALLS];
static uint32_t call_count;
static uint32_t visits[THREADS];

// Counts the threads that a call is for.
static void note(const struct gcl_block *block, uint32_t region, uint32_t begin, uint32_t end,
                 uint32_t here) {
    struct call call = {region, here, begin, end, 0};
    for (uint32_t t = begin; t < end; t++) {
        if (here != GCL_ANYWHERE && block->next[t] != here)
            continue;
        call.count++;
        visits[t] = visits[t] * 10 + region;
    }
    assert_true(call_count < MAX_CALLS);
    calls[call_count++] = call;
}

// Even threads to barrier 1, odd ones to barrier 2, the last thread returns.
static uint32_t part(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    note(block, 0, begin, end, here);
    for (uint32_t t = begin; t < end; t++)
        block->next[t] = t == THREADS - 1 ? GCL_EXIT : 1 + t % 2;
    return GCL_DIVERGED;
}

static uint32_t first_barrier(struct gcl_block *block, uint32_t begin, uint32_t end,
                              uint32_t here) {
    note(block, 1, begin, end, here);
    return 2;
}

// Thread 1 comes to barrier 2 once more.
static uint32_t second_barrier(struct gcl_block *block, uint32_t begin, uint32_t end,
                               uint32_t here) {
    note(block, 2, begin, end, here);
    for (uint32_t t = begin; t < end; t++) {
        if (here == GCL_ANYWHERE || block->next[t] == here)
            block->next[t] = visits[t] == 2 && t == 1 ? 2 : GCL_EXIT;
    }
    return GCL_DIVERGED;
}

static const struct gcl_cut cuts[] = {
    {GCL_CUT_ENTRY, 0, 0}, {GCL_CUT_BARRIER, 0, 1}, {GCL_CUT_BARRIER, 0, 2}};
static gcl_region *const regions[] = {part, first_barrier, second_barrier};
static const struct gcl_kernel kernel = {
    .name = "part", .cuts = cuts, .region_count = 3, .max_threads = 1024};

static void each_cut_is_passed_in_one_call(void **state) {
    struct gcl_fault fault = {0};
    struct gcl_block_launch launch = {.kernel = &kernel,
                                      .regions = regions,
                                      .geometry.grid = {1, 1, 1},
                                      .end = {1, 1, 1},
                                      .geometry.block = {THREADS, 1, 1},
                                      .fault = &fault};
    struct gcl_block_pool *pool = gcl_block_pool_create();
    (void)state;
    gcl_block_run(pool, &launch, 0, 1);
    gcl_block_pool_destroy(pool);

    static const struct call expected[] = {
        {0, GCL_ANYWHERE, 0, THREADS, THREADS},
        {1, 1, 0, THREADS, THREADS / 2},
        {2, 2, 0, THREADS, THREADS / 2 - 1}, // not those that come from barrier 1
        {2, 2, 0, THREADS, THREADS / 2 + 1}, // these, and thread 1
    };
    assert_int_equal(fault.kind, GCL_FAULT_NONE);
    assert_int_equal(call_count, 4);
    for (uint32_t i = 0; i < call_count; i++)
        assert_memory_equal(&calls[i], &expected[i], sizeof calls[i]);
    for (uint32_t t = 0; t < THREADS - 1; t++)
        assert_int_equal(visits[t], t == 1 ? 22 : t % 2 == 0 ? 12 : 2);
}

// Threads that are a multiple of 10 return, the others go on to region 5.
static uint32_t run_stretch(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    uint32_t last = GCL_DIVERGED, changes = 0;
    assert_int_equal(here, GCL_ANYWHERE);
    calls[call_count++] = (struct call){.begin = begin, .end = end};
    for (uint32_t t = begin; t < end; t++) {
        block->next[t] = t % 10 == 0 ? GCL_EXIT : 5;
        changes += t > begin && block->next[t] != last;
        last = block->next[t];
    }
    return changes ? GCL_DIVERGED : last;
}

static void stretches_are_told_apart(void **state) {
    uint32_t next[] = {7, 7, 3, 7, 7, 7, 3, 3, 7, 3, 7, 7};
    static const uint32_t after[] = {7, 5, 3, 5, 5, 5, 3, 3, 5, 3, GCL_EXIT, 5};
    struct gcl_block block = {.next = next};
    (void)state;
    call_count = 0;
    assert_int_equal(gcl_region_run_stretches(run_stretch, &block, 1, 10, 7), 5);
    assert_int_equal(gcl_region_run_stretches(run_stretch, &block, 10, 12, 7), GCL_DIVERGED);
    static const uint32_t bounds[][2] = {{1, 2}, {3, 6}, {8, 9}, {10, 12}};
    assert_int_equal(call_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(calls[i].begin, bounds[i][0]);
        assert_int_equal(calls[i].end, bounds[i][1]);
    }
    assert_memory_equal(next, after, sizeof next);
}

static void best_variant_is_found(void **state) {
    static const struct gcl_variant variants[] = {{.level = GCL_CPU_V4, .block_size = {16, 16, 1}},
                                                  {.level = GCL_CPU_V4},
                                                  {.level = GCL_CPU_V3, .block_size = {16, 16, 1}},
                                                  {.level = GCL_CPU_V2}};
    const struct gcl_kernel k = {.variants = variants, .variant_count = 4};
    const uint32_t square[] = {16, 16, 1}, cube[] = {16, 16, 2};
    (void)state;
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V4, square), &variants[0]);
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V4, cube), &variants[1]);
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V3, square), &variants[2]);
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V3, cube), &variants[3]);
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V2, square), &variants[3]);
    assert_null(gcl_variant_find(&k, GCL_CPU_ANY, square));
    const uint32_t column[] = {1, 256, 1}, short_rows[] = {3, 3, 3}, rows[] = {4, 4, 1};
    assert_ptr_equal(gcl_variant_find(&k, GCL_CPU_V4, column), &variants[1]);
    const struct gcl_kernel t = {
        .variants = variants, .variant_count = 4, .flags = GCL_KERNEL_THREADS};
    assert_ptr_equal(gcl_variant_find(&t, GCL_CPU_V4, column), &variants[3]);
    assert_ptr_equal(gcl_variant_find(&t, GCL_CPU_V4, short_rows), &variants[3]);
    assert_ptr_equal(gcl_variant_find(&t, GCL_CPU_V4, rows), &variants[1]);
    assert_ptr_equal(gcl_variant_find(&t, GCL_CPU_V4, square), &variants[0]);
    assert_null(gcl_variant_find(&t, GCL_CPU_ANY, column));
    static const struct gcl_variant fused[] = {
        {.level = GCL_CPU_V4}, {.level = GCL_CPU_V2}, {.level = GCL_CPU_V3}};
    const struct gcl_kernel f = {
        .variants = fused, .variant_count = 3, .flags = GCL_KERNEL_THREADS};
    assert_ptr_equal(gcl_variant_find(&f, GCL_CPU_V4, column), &fused[2]);
    assert_ptr_equal(gcl_variant_find(&f, GCL_CPU_V2, column), &fused[1]);
    assert_ptr_equal(gcl_variant_find(&f, GCL_CPU_V4, square), &fused[0]);
}

static void levels_are_capped(void **state) {
    (void)state;
    gcl_variant_set_level(GCL_CPU_V2);
    assert_true(gcl_variant_runs(""));
    assert_false(gcl_variant_runs("x86-64-v3"));
    assert_false(gcl_variant_runs("x86-64-v4"));
    gcl_variant_set_level(0);
    assert_true(gcl_variant_runs(""));
    assert_false(gcl_variant_is_capped());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cut_is_passed_in_one_call),
        cmocka_unit_test(stretches_are_told_apart),
        cmocka_unit_test(best_variant_is_found),
        cmocka_unit_test(levels_are_capped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
