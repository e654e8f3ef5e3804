// How the parts of nodes follow what kernels take on each of them, with figures that nobody has
// measured: what blocks nodes get, and when that changes.
#include <stdlib.h>

#include "check.h"
#include "plan/program/split.h"
#include "plan/schedule/balance.h"

enum { NODES = 3, KERNELS = 2, SIZE = 1 << 20 };

static const uint64_t PLACE = UINT64_C(1) << 40;
static const double one_each[NODES] = {1, 1, 1};
static struct gcl_directory *directory;
static struct gcl_balance balance;

static void begin(void) {
    const uint32_t even[NODES] = {1, 1, 1};
    directory = gcl_directory_create(NODES);
    assert_true(gcl_balance_init(&balance, NODES, even));
}

static void end(void) {
    gcl_balance_finish(&balance);
    gcl_directory_destroy(directory);
}

/// Figures with which each node has run 1000 blocks of the first kernel.
static void set_times(struct gcl_balance_figures *figures, double a, double b, double c) {
    const double block_ns[NODES] = {a, b, c};
    for (unsigned i = 0; i < NODES; i++) {
        figures[i * KERNELS] = (struct gcl_balance_figures){1000 * block_ns[i], 1000};
        figures[i * KERNELS + 1] = (struct gcl_balance_figures){0, 0};
    }
}

static bool decide(const struct gcl_balance_figures *figures, double bytes_per_ns) {
    return gcl_balance_decide(&balance, figures, KERNELS, one_each, directory, bytes_per_ns);
}

/// Blocks of a launch of so many that a node gets.
static unsigned blocks_of(uint32_t node, uint32_t count) {
    const struct gcl_launch_part launch = {.end = {count, 1, 1}};
    struct gcl_launch_part part = gcl_split_weighed(&launch, 0, balance.weights, NODES, node);
    return part.end[0] - part.begin[0];
}

/// Shares an allocation out as nodes' parts are now.
static void share_out(void) {
    struct gcl_region written[NODES];
    assert_true(gcl_directory_add(directory, PLACE, SIZE, GCL_HOST_NEVER));
    for (uint32_t i = 0, at = 0; i < NODES; i++) {
        written[i] = gcl_region_run(at, at + blocks_of(i, SIZE));
        at += blocks_of(i, SIZE);
    }
    const struct gcl_layout *after = gcl_layouts_change(
        gcl_directory_layouts(directory), gcl_directory_find(directory, PLACE)->layout,
        &(struct gcl_layout_change){.written = written});
    assert_non_null(after);
    gcl_directory_update(directory, PLACE, after, &written[0]);
}

static void parts_follow_rates(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    assert_int_equal(blocks_of(0, 900), 300);
    set_times(figures, 1, 2, 4);
    assert_true(decide(figures, 1));
    assert_in_range(blocks_of(0, 700), 399, 401);
    assert_in_range(blocks_of(1, 700), 199, 201);
    assert_in_range(blocks_of(2, 700), 99, 101);
    assert_int_equal(blocks_of(0, 7) + blocks_of(1, 7) + blocks_of(2, 7), 7);
    assert_false(decide(figures, 1)); // they are best already
    end();
}

static void threads_count(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    const double threads[NODES] = {1, 2, 1};
    (void)state;
    begin();
    set_times(figures, 1, 1, 1);
    assert_true(gcl_balance_decide(&balance, figures, KERNELS, threads, directory, 1));
    assert_in_range(blocks_of(1, 400), 199, 201);
    end();
}

static void small_changes_move_nothing(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    set_times(figures, 1, 1.05, 0.97);
    for (int i = 0; i < 100; i++)
        assert_false(decide(figures, 1e9));
    assert_int_equal(blocks_of(1, 900), 300);
    end();
}

// A third of a mebibyte would change nodes: that takes as long as many launches could save.
static void bytes_have_to_pay(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    unsigned tries = 1;
    (void)state;
    begin();
    share_out();
    set_times(figures, 1, 1, 3);
    while (!decide(figures, 1))
        assert_true(++tries < 1000);
    assert_in_range(tries, 10, 999);
    end();
    begin();
    assert_true(gcl_directory_add(directory, PLACE, SIZE, GCL_HOST_NEVER)); // nobody's yet
    assert_true(decide(figures, 1));
    end();
}

// Figures that went to and fro would have bytes move each time.
static void noise_moves_nothing(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    share_out();
    for (int i = 0; i < 100; i++) {
        set_times(figures, 1, 1, i % 2 ? 1.01 : 1.5);
        assert_false(decide(figures, 0.1));
    }
    end();
}

static void kernels_share_a_cut(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    set_times(figures, 1, 1, 1);
    // The other kernel takes ten times as long, twice that on node 0.
    for (unsigned i = 0; i < NODES; i++)
        figures[i * KERNELS + 1] = (struct gcl_balance_figures){i == 0 ? 20000 : 10000, 1000};
    assert_true(decide(figures, 1));
    assert_in_range(blocks_of(0, 1000), 200, 215); // between a third and a fifth
    assert_in_range(blocks_of(1, 1000), blocks_of(2, 1000) - 1, blocks_of(2, 1000) + 1);
    end();
}

static void what_a_node_has_not_run_is_left_out(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    set_times(figures, 1, 9, 1);
    figures[2 * KERNELS] = (struct gcl_balance_figures){0, 0};
    assert_false(decide(figures, 1));
    assert_int_equal(blocks_of(1, 900), 300);
    end();
}

// However slow it is, a node is measured again where launches are large.
static void nobody_is_left_without(void **state) {
    struct gcl_balance_figures figures[NODES * KERNELS];
    (void)state;
    begin();
    set_times(figures, 1, 1e9, 1);
    assert_true(decide(figures, 1));
    assert_int_equal(blocks_of(1, 100), 0);
    assert_in_range(blocks_of(1, 1 << 20), 1, 1 << 9);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_rates),
        cmocka_unit_test(threads_count),
        cmocka_unit_test(small_changes_move_nothing),
        cmocka_unit_test(bytes_have_to_pay),
        cmocka_unit_test(noise_moves_nothing),
        cmocka_unit_test(kernels_share_a_cut),
        cmocka_unit_test(what_a_node_has_not_run_is_left_out),
        cmocka_unit_test(nobody_is_left_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
