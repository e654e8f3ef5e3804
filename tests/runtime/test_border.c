// Launches with a halo, on node 1 of two, whose exchanges and blocks the test holds up: which
// blocks run while bytes are under way, and what is exchanged while blocks run.
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/code/registry.h"
#include "follower.h"
#include "gcluster/kernel.h"

enum {
    BLOCKS = 256,
    FIRST = BLOCKS / 2, ///< of node 1
    STRETCH = 1024,     ///< bytes that a block writes
    HALO = 64,          ///< and reads besides, at either end
    SIZE = BLOCKS * STRETCH,
    BLOCK_NS = 4000, ///< so that it pays to take a launch apart
    HELD = 200,      ///< a block that waits when the test says so
};

static struct follower *f;
static uint64_t a, b, c; // allocations
static atomic_int runs[BLOCKS];
static atomic_int exchanges, requests_seen;
static atomic_bool holds_exchange, holds_block;

static uint32_t run_blur(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    uint64_t begin_ns = gcl_clock_ns();
    (void)begin, (void)end, (void)here;
    while (gcl_clock_ns() - begin_ns < BLOCK_NS ||
           (block->block_index[0] == HELD && atomic_load(&holds_block)))
        sched_yield();
    atomic_fetch_add(&runs[block->block_index[0]], 1);
    return GCL_EXIT;
}

static gcl_region *const regions[] = {run_blur};
static const struct gcl_variant variants[] = {{.regions = regions}};
static const struct gcl_parameter parameters[] = {{0, 8}, {8, 8}};
static const int64_t constants[] = {STRETCH, -HALO};
static const struct gcl_node nodes[] = {
    {.kind = GCL_NODE_BLOCK_INDEX, .width = 64, .a = 0},
    {.kind = GCL_NODE_CONSTANT, .width = 64, .a = 0},
    {.kind = GCL_NODE_MULTIPLY, .width = 64, .a = 0, .b = 1},
    {.kind = GCL_NODE_CONSTANT, .width = 64, .a = 1},
    {.kind = GCL_NODE_ADD, .width = 64, .a = 2, .b = 3},
};
static const struct gcl_base bases[] = {{.kind = GCL_BASE_ARGUMENT, .index = 0},
                                        {.kind = GCL_BASE_ARGUMENT, .index = 8}};
static const struct gcl_access accesses[] = {{.kind = GCL_ACCESS_READ,
                                              .base = 0,
                                              .offset = 4,
                                              .guard = GCL_NONE,
                                              .length = GCL_NONE,
                                              .element = 4,
                                              .size = STRETCH + 2 * HALO},
                                             {.kind = GCL_ACCESS_WRITE,
                                              .base = 1,
                                              .offset = 2,
                                              .guard = GCL_NONE,
                                              .length = GCL_NONE,
                                              .element = 4,
                                              .size = STRETCH}};
static const struct gcl_program program = {.nodes = nodes,
                                           .constants = constants,
                                           .bases = bases,
                                           .accesses = accesses,
                                           .node_count = 5,
                                           .constant_count = 2,
                                           .base_count = 2,
                                           .access_count = 2};
static const struct gcl_kernel kernels[] = {{.name = "blur",
                                             .parameters = parameters,
                                             .variants = variants,
                                             .program = &program,
                                             .variant_count = 1,
                                             .parameter_count = 2,
                                             .argument_size = 16,
                                             .region_count = 1,
                                             .max_threads = 1024}};
static const struct gcl_code code = {.abi = GCL_KERNEL_ABI,
                                     .kernel_count = 1,
                                     .id = "border-code",
                                     .cpu = "",
                                     .source = "border.cu",
                                     .kernels = kernels};

static void exchange(const struct gcl_request *requests, size_t count) {
    (void)requests;
    atomic_fetch_add(&requests_seen, (int)count);
    atomic_fetch_add(&exchanges, 1);
    while (atomic_load(&holds_exchange))
        sched_yield();
}

static void apply(struct gcl_operation o) {
    assert_true(follower_apply(f, &o));
}

static uint64_t allocate(uint64_t at) {
    apply((struct gcl_operation){.kind = GCL_OPERATION_ALLOCATE,
                                 .allocate = {.begin = at,
                                              .size = SIZE,
                                              .space_kind = GCL_SPACE_DEVICE,
                                              .home = UINT32_MAX,
                                              .holder = UINT32_MAX}});
    return at;
}

static void launch(uint64_t in, uint64_t out) {
    const uint64_t arguments[] = {in, out};
    apply(
        (struct gcl_operation){.kind = GCL_OPERATION_LAUNCH,
                               .launch = {.geometry = {.grid = {BLOCKS, 1, 1}, .block = {1, 1, 1}},
                                          .node = UINT32_MAX,
                                          .directory = gcl_directory_hash(f->spread->directory),
                                          .arguments = (const unsigned char *)arguments,
                                          .argument_size = sizeof arguments}});
}

/// Blocks [begin, end) have run so often, or won't any more.
static void await_runs(uint32_t begin, uint32_t end, int count) {
    uint64_t begin_ns = gcl_clock_ns();
    for (uint32_t i = begin; i < end; i++) {
        while (atomic_load(&runs[i]) < count && ms_since(begin_ns) < 20000)
            pause_ms(1);
        if (i != HELD || !atomic_load(&holds_block))
            assert_int_equal(atomic_load(&runs[i]), count);
    }
}

static void await_exchanges(int count) {
    uint64_t begin_ns = gcl_clock_ns();
    while (atomic_load(&exchanges) < count && ms_since(begin_ns) < 20000)
        pause_ms(1);
    assert_int_equal(atomic_load(&exchanges), count);
}

/// All that has been launched is done, and each of this node's blocks has run once a launch.
static void finish(int launches) {
    follower_settle(f);
    await_runs(FIRST, BLOCKS, launches);
    for (uint32_t i = 0; i < FIRST; i++)
        assert_int_equal(atomic_load(&runs[i]), 0);
    memset(runs, 0, sizeof runs);
    atomic_store(&exchanges, 0);
    atomic_store(&requests_seen, 0);
}

static int start(void **state) {
    (void)state;
    gcl_code_register(&code);
    f = follower_start();
    f->exchanges = exchange;
    a = allocate(f->begin + ((uint64_t)1 << 24));
    b = allocate(a + 2 * (uint64_t)SIZE);
    c = allocate(b + 2 * (uint64_t)SIZE);
    apply((struct gcl_operation){.kind = GCL_OPERATION_KERNEL,
                                 .kernel = {.number = 0,
                                            .id = code.id,
                                            .id_size = (uint32_t)strlen(code.id),
                                            .name = "blur",
                                            .name_size = 4}});
    // Until plans repeat, and the kernel has been measured.
    for (int i = 0; i < 3; i++) {
        launch(a, b);
        launch(b, a);
    }
    finish(6);
    return 0;
}

static void inner_blocks_run_while_bytes_come(void **state) {
    (void)state;
    atomic_store(&holds_exchange, true);
    launch(a, b);
    await_exchanges(1);
    assert_int_equal(atomic_load(&requests_seen), 2); // the halos of both
    await_runs(FIRST + 1, BLOCKS, 1);
    assert_int_equal(atomic_load(&runs[FIRST]), 0);
    atomic_store(&holds_exchange, false);
    finish(1);
}

static void bytes_go_while_inner_blocks_run(void **state) {
    (void)state;
    atomic_store(&holds_block, true);
    launch(b, a);
    launch(a, b);
    await_exchanges(2);
    assert_int_equal(atomic_load(&runs[FIRST]), 1); // which writes what is sent
    assert_int_equal(atomic_load(&runs[HELD]), 0);
    // The launch after that isn't so far: the border's blocks read what inner blocks have written.
    launch(b, a);
    pause_ms(20);
    assert_int_equal(atomic_load(&exchanges), 2);
    assert_int_equal(atomic_load(&runs[FIRST]), 1);
    atomic_store(&holds_block, false);
    finish(3);
}

static void what_comes_between_keeps_its_place(void **state) {
    (void)state;
    atomic_store(&holds_block, true);
    launch(a, b);
    apply((struct gcl_operation){
        .kind = GCL_OPERATION_FILL,
        .fill = {
            .box =
                {.begin = c, .pitch = SIZE, .slice = SIZE, .width = SIZE, .height = 1, .depth = 1},
            .value = 1}});
    launch(b, a);
    await_exchanges(1);
    pause_ms(20);
    assert_int_equal(atomic_load(&exchanges), 1);
    atomic_store(&holds_block, false);
    finish(2);
}

static void new_plans_are_left_whole(void **state) {
    (void)state;
    atomic_store(&holds_exchange, true);
    launch(a, c);
    await_exchanges(1);
    pause_ms(20);
    for (uint32_t i = FIRST; i < BLOCKS; i++)
        assert_int_equal(atomic_load(&runs[i]), 0);
    atomic_store(&holds_exchange, false);
    finish(1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_blocks_run_while_bytes_come),
        cmocka_unit_test(bytes_go_while_inner_blocks_run),
        cmocka_unit_test(what_comes_between_keeps_its_place),
        cmocka_unit_test(new_plans_are_left_whole),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
