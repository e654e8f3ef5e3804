// Inner blocks of random launches: whatever their threads do, one by one, has nothing to do with
// what moves meanwhile, for their own launch or for a later one.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/schedule/border.h"
#include "random_program.h"

enum { TRANSFERS = 3, SELF = 1, NODES_OF_JOB = 3 };

static struct program program;
static union arguments arguments;
static struct bytes touched;

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    *allocation = (struct gcl_span){PLACE, PLACE + 2 * MIDDLE};
    return address >= PLACE && address < PLACE + 2 * MIDDLE;
}

static const struct gcl_memory memory = {.find = find_allocation};

/// What moves before an operation on the only allocation.
struct moves {
    struct gcl_plan plan;
    struct gcl_plan_allocation allocation;
    struct gcl_transfer transfers[TRANSFERS];
};

/// A launch of one axis, which reads or writes.
static struct gcl_launch_part make_launch(void) {
    struct gcl_launch_part launch = {.geometry.block = {1 + random_below(8), 1, 1},
                                     .geometry.grid = {4 + random_below(28), 1, 1}};
    launch.begin[0] = random_below(launch.geometry.grid[0] - 3);
    launch.end[0] =
        launch.begin[0] + 3 + random_below(launch.geometry.grid[0] - launch.begin[0] - 2);
    launch.end[1] = launch.end[2] = 1;
    random_program(&program, RANDOM_DATA_NONE);
    program.accesses[0].kind = chance(50) ? GCL_ACCESS_READ : GCL_ACCESS_WRITE;
    arguments = (union arguments){.bases = {0}};
    for (unsigned i = 0; i < ARGUMENTS; i++)
        arguments.numbers[i] = (int32_t)(1 + random_below(i < 3 ? 40 : 300));
    arguments.bases[ARGUMENTS / 2] = PLACE + MIDDLE;
    launch.arguments = (const unsigned char *)&arguments;
    return launch;
}

/// A few bytes where an end of the launch, or any block, touches some.
static struct gcl_region make_bytes(const struct gcl_launch_part *launch) {
    struct gcl_launch_part one = *launch;
    uint32_t count = launch->end[0] - launch->begin[0];
    one.begin[0] += chance(40) ? 0 : chance(70) ? count - 1 : random_below(count);
    one.end[0] = one.begin[0] + 1;
    run_threads(&program, &one, &touched);
    int64_t at = touched.count > 0 ? touched.places[random_below((uint32_t)touched.count)] : 0;
    if (at < -MIDDLE || at >= MIDDLE - 32) // not in the allocation
        at = random_below(1000);
    at += MIDDLE;
    return gcl_region_run(at, at + 1 + random_below(24));
}

static void make_moves(struct moves *moves, const struct gcl_launch_part *launch) {
    *moves = (struct moves){.allocation = {.begin = PLACE, .size = 2 * MIDDLE}};
    moves->plan = (struct gcl_plan){.allocations = &moves->allocation,
                                    .transfers = moves->transfers,
                                    .allocation_count = 1,
                                    .transfer_count = 1 + random_below(TRANSFERS)};
    for (size_t i = 0; i < moves->plan.transfer_count; i++) {
        uint32_t from = random_below(NODES_OF_JOB),
                 to = (from + 1 + random_below(2)) % NODES_OF_JOB;
        moves->transfers[i] = (struct gcl_transfer){.from = chance(10) ? GCL_NOWHERE : from,
                                                    .to = to,
                                                    .to_end = chance(20) ? NODES_OF_JOB : to + 1,
                                                    .bytes = make_bytes(launch)};
    }
}

/// Whether a byte must stay as it is for what moves, or isn't there yet.
static bool is_moving(const struct moves *moves, int64_t offset) {
    bool writes = program.accesses[0].kind == GCL_ACCESS_WRITE;
    for (size_t i = 0; i < moves->plan.transfer_count; i++) {
        const struct gcl_transfer *t = &moves->transfers[i];
        bool comes = t->from != SELF && t->to <= SELF && SELF < t->to_end;
        if ((comes || (writes && t->from == SELF)) && gcl_region_contains_byte(&t->bytes, offset))
            return true;
    }
    return false;
}

static void check_apart(const struct gcl_launch_part *launch, const struct gcl_border *border,
                        const struct moves *moves) {
    struct gcl_launch_part inner = *launch;
    inner.begin[0] = border->begin;
    inner.end[0] = border->end;
    run_threads(&program, &inner, &touched);
    for (size_t i = 0; i < touched.count && !touched.too_many; i++) {
        if (!is_moving(moves, MIDDLE + touched.places[i]))
            continue;
        print_program(&program, launch);
        fail_msg("blocks [%u, %u) touch byte %lld", border->begin, border->end,
                 (long long)touched.places[i]);
    }
}

static unsigned random_count = 4000;

static void inner_blocks_are_apart(void **state) {
    unsigned found = 0, later = 0;
    (void)state;
    for (unsigned n = 0; n < random_count; n++) {
        struct moves before, next;
        random_start(11 * 1000003u + n);
        const struct gcl_launch_part launch = make_launch();
        make_moves(&before, &launch);
        make_moves(&next, &launch);
        struct gcl_evaluator *evaluator = gcl_evaluator_create(&program.tables);
        struct gcl_border *border =
            gcl_border_create(evaluator, &launch, &memory, 0, &before.plan, SELF);
        if (border) {
            assert_true(launch.begin[0] <= border->begin && border->end <= launch.end[0]);
            assert_true(2 * (border->end - border->begin) >= launch.end[0] - launch.begin[0] - 1);
            check_apart(&launch, border, &before);
            bool is_apart = gcl_border_is_apart(border, &next.plan, SELF);
            if (is_apart)
                check_apart(&launch, border, &next);
            found++;
            later += is_apart;
        }
        gcl_border_release(border);
        gcl_evaluator_destroy(evaluator);
    }
    print_message("%u of %u launches have inner blocks, %u for a later one, too\n", found,
                  random_count, later);
    assert_true(found > random_count / 4 && later > random_count / 8);
}

// By hand: blocks of 64 bytes, that read 8 bytes more at either end.

static void make_stencil(struct gcl_launch_part *launch) {
    init_program(&program);
    uint16_t index = add_node(&program, GCL_NODE_BLOCK_INDEX, 64, 0, 0, 0);
    uint16_t at = add_node(&program, GCL_NODE_MULTIPLY, 64, index, constant(&program, 64, 64), 0);
    at = add_node(&program, GCL_NODE_ADD, 64, at, constant(&program, -8, 64), 0);
    program.accesses[0].kind = GCL_ACCESS_READ;
    program.accesses[0].offset = at;
    program.accesses[0].size = 80;
    arguments = (union arguments){.bases = {0}};
    arguments.bases[ARGUMENTS / 2] = PLACE + MIDDLE;
    *launch = (struct gcl_launch_part){.arguments = (const unsigned char *)&arguments,
                                       .geometry.block = {1, 1, 1},
                                       .geometry.grid = {96, 1, 1},
                                       .begin = {32, 0, 0},
                                       .end = {64, 1, 1}};
}

/// Bytes [begin, end) come; the inner blocks are these. 0, 0: there are none.
static void check_comes(int64_t begin, int64_t end, uint32_t first, uint32_t last) {
    struct gcl_launch_part launch;
    struct moves moves = {.allocation = {.begin = PLACE, .size = 2 * MIDDLE},
                          .transfers = {{.to = SELF,
                                         .to_end = SELF + 1,
                                         .bytes = gcl_region_run(MIDDLE + begin, MIDDLE + end)}}};
    moves.plan = (struct gcl_plan){.allocations = &moves.allocation,
                                   .transfers = moves.transfers,
                                   .allocation_count = 1,
                                   .transfer_count = 1};
    make_stencil(&launch);
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program.tables);
    struct gcl_border *border =
        gcl_border_create(evaluator, &launch, &memory, 0, &moves.plan, SELF);
    assert_int_equal(border ? border->begin : 0, first);
    assert_int_equal(border ? border->end : 0, last);
    gcl_border_release(border);
    // What others look up, or combine, is left whole.
    moves.allocation.use = GCL_HOST_GUARDED;
    assert_null(gcl_border_create(evaluator, &launch, &memory, 0, &moves.plan, SELF));
    moves.allocation.use = GCL_HOST_NEVER;
    moves.plan.combination_count = 1;
    assert_null(gcl_border_create(evaluator, &launch, &memory, 0, &moves.plan, SELF));
    moves.plan.combination_count = 0;
    program.accesses[0].kind = GCL_ACCESS_REDUCE;
    program.accesses[0].reduction = GCL_REDUCTION_ADD;
    program.accesses[0].element = 4;
    assert_null(gcl_border_create(evaluator, &launch, &memory, 0, &moves.plan, SELF));
    gcl_evaluator_destroy(evaluator);
}

static void few_blocks_are_left_out(void **state) {
    (void)state;
    check_comes(32 * 64 - 8, 32 * 64, 33, 64);
    check_comes(64 * 64, 64 * 64 + 8, 32, 63);
    check_comes(61 * 64, 64 * 64 + 8, 32, 60); // four, as block 60 reads some of them
    check_comes(32 * 64 - 8, 40 * 64 - 8, 40, 64);
    check_comes(32 * 64 - 8, 41 * 64, 0, 0); // more than eight
    check_comes(48 * 64, 48 * 64 + 1, 0, 0);
}

int main(int count, char **values) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inner_blocks_are_apart),
                                       cmocka_unit_test(few_blocks_are_left_out)};
    if (count > 1)
        random_count = (unsigned)atoi(values[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
