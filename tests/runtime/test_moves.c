// Why bytes move: plans whose causes are known, and tables made of figures.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/watch/stats.h"
#include "gcluster/kernel.h"
#include "gcluster/reasons.h"
#include "plan/schedule/plan.h"

enum { NODES = 4, ROW = 64, ROWS = 32, SIZE = ROW * ROWS, BEGIN = 4096 };

static struct gcl_directory *directory;

static int start(void **state) {
    (void)state;
    directory = gcl_directory_create(NODES);
    return !directory || !gcl_directory_add(directory, BEGIN, SIZE, true); // all of it on node 0
}

static int finish(void **state) {
    (void)state;
    gcl_directory_destroy(directory);
    return 0;
}

static void rows_of(int node, int halo, struct gcl_region *region) {
    int first = node * ROWS / NODES - halo, last = (node + 1) * ROWS / NODES + halo;
    *region = gcl_region_run((first > 0 ? first : 0) * ROW, (last < ROWS ? last : ROWS) * ROW);
}

static struct gcl_moves moves_of(const struct gcl_demand *demand) {
    struct gcl_plan plan = {.counts_moves = true};
    assert_true(gcl_plan_demand(&plan, directory, demand));
    struct gcl_moves moves = plan.moves;
    assert_int_equal(gcl_moves_total(&moves),
                     gcl_plan_moved(&plan) + gcl_plan_combined(&plan, NODES));
    gcl_plan_commit(&plan, directory);
    gcl_plan_finish(&plan);
    return moves;
}

static void expect(struct gcl_moves moves, uint64_t halo, uint64_t replicate,
                   uint64_t redistribute) {
    assert_int_equal(moves.bytes[GCL_MOVE_HALO], halo);
    assert_int_equal(moves.bytes[GCL_MOVE_REPLICATE], replicate);
    assert_int_equal(moves.bytes[GCL_MOVE_REDISTRIBUTE], redistribute);
}

static void write_rows(void) {
    struct gcl_region written[NODES];
    for (int n = 0; n < NODES; n++)
        rows_of(n, 0, &written[n]);
    expect(moves_of(&(struct gcl_demand){.begin = BEGIN, .written = written}), 0, 0, 0);
}

static void a_stencil_has_halos(void **state) {
    struct gcl_region needed[NODES];
    (void)state;
    for (int n = 0; n < NODES; n++)
        rows_of(n, 1, &needed[n]);
    struct gcl_demand demand = {.begin = BEGIN, .needed = needed};
    // From node 0, which had all: nodes 1 and 2 share two rows with each neighbour, the last one
    // with one neighbour.
    expect(moves_of(&demand), (4 + 4 + 2) * ROW, 0, (6 + 6 + 7) * ROW);
    write_rows();
    expect(moves_of(&demand), 2 * (NODES - 1) * ROW, 0, 0);
    expect(moves_of(&demand), 0, 0, 0);
}

static void what_all_read_is_replicated(void **state) {
    struct gcl_region needed[NODES];
    (void)state;
    for (int n = 0; n < NODES; n++)
        needed[n] = gcl_region_run(0, SIZE);
    write_rows();
    expect(moves_of(&(struct gcl_demand){.begin = BEGIN, .needed = needed}), 0, (NODES - 1) * SIZE,
           0);
}

// Columns after rows: a node keeps a quarter of what it needs.
static void a_transposition_redistributes(void **state) {
    struct gcl_region needed[NODES] = {0};
    const struct gcl_level level = {ROW, ROWS};
    (void)state;
    write_rows();
    for (int n = 0; n < NODES; n++)
        assert_true(gcl_region_from_box(n * ROW / NODES, ROW / NODES, &level, 1, &needed[n]));
    expect(moves_of(&(struct gcl_demand){.begin = BEGIN, .needed = needed}), 0, 0,
           SIZE / NODES * (NODES - 1));
    for (int n = 0; n < NODES; n++)
        gcl_region_finish(&needed[n]);
}

static void combinations_have_their_own_causes(void **state) {
    struct gcl_region all[NODES];
    (void)state;
    for (int n = 0; n < NODES; n++)
        all[n] = gcl_region_run(0, SIZE);
    struct gcl_demand demand = {.begin = BEGIN, .combined = all, .element = 4};
    demand.kind = GCL_COMBINATION_REDUCE;
    struct gcl_moves moves = moves_of(&demand);
    // Small enough for one home.
    assert_int_equal(moves.bytes[GCL_MOVE_REDUCE], (NODES - 1) * SIZE);
    assert_int_equal(gcl_moves_total(&moves), (NODES - 1) * SIZE);
    // All have to have it before, and the home afterwards.
    demand.kind = GCL_COMBINATION_MERGE;
    moves = moves_of(&demand);
    assert_int_equal(moves.bytes[GCL_MOVE_MERGE], 2 * (NODES - 1) * SIZE);
}

// Tables.

static uint64_t times[2][2] = {{3000000, 1000000}, {500000, 0}};
static uint64_t plannings[2][2] = {{20000, 80000}, {0, 0}};
static uint64_t inspections[2][2] = {{0, 0}, {1500000, 2500000}};
static const struct gcl_kernel kernels[2] = {{.name = "_Z4stepPf"}, {.name = "count"}};
static struct gcl_stats_shape shapes[2] = {
    {{64, 2, 1}, 9, 900, 450, 900000},
    {{32, 1, 1}, 1, 7, 0, 0},
};
static struct gcl_stats_kernel rows[2] = {
    {.kernel = &kernels[0],
     .shapes = shapes,
     .shape_count = 2,
     .foreseen = {.kernel = &kernels[0],
                  .launches = 4,
                  .kept = 1,
                  .block_ns = 2000,
                  .alone_ns = 1.5e6,
                  .all_ns = 0.8e6,
                  .moving_ns = 0.2e6,
                  .moved = 1024,
                  .planning_ns = 0.1e6},
     .launches = 10,
     .splits = {0, 10, 0},
     .moves.bytes[GCL_MOVE_HALO] = 2048,
     .time_ns = times[0],
     .planning_ns = plannings[0],
     .inspection_ns = inspections[0]},
    {.kernel = &kernels[1],
     .launches = 3,
     .splits = {1, 0, 0},
     .reason = GCL_REASON_ATOMIC_RESULT,
     .kept = 1,
     .inspections = 2,
     .moves.bytes[GCL_MOVE_REDISTRIBUTE] = 12,
     .time_ns = times[1],
     .planning_ns = plannings[1],
     .inspection_ns = inspections[1]},
};
static struct gcl_stats_node nodes[2] = {{.sent = 1030, .exchange_ns = 100000},
                                         {.sent = 1035, .mapped = 24, .exchange_ns = 300000}};
static struct gcl_judgement judgements[3] = {
    {.kind = GCL_JUDGED_ALL,
     .node_count = 2,
     .at_ns = 4000000,
     .alone_ns = 1.5e6,
     .all_ns = 1.1e6,
     .moving_ns = 0.3e6,
     .moved = 2048,
     .planning_ns = 0.1e6,
     .changing_ns = 0.1e6,
     .needed_ns = 0.2e6},
    {.kind = GCL_JUDGED_ALONE,
     .were_all = true,
     .node_count = 2,
     .at_ns = 7000000,
     .alone_ns = 1e6,
     .all_ns = 3e6,
     .lost_ns = 2e6},
    {.kind = GCL_JUDGED_FULL, .at_ns = 8000000, .memory = 4096},
};
static const struct gcl_stats_summary summary = {.node_count = 2,
                                                 .begin_ns = 1000000,
                                                 .elapsed_ns = 10000000,
                                                 .judgements = judgements,
                                                 .judgement_count = 3,
                                                 .kernels = rows,
                                                 .kernel_count = 2,
                                                 .copies.bytes[GCL_MOVE_HOST] = 5,
                                                 .nodes = nodes,
                                                 .link_bytes_per_ns = 3.5,
                                                 .told_count = 2};

static const char *written(void (*write)(const struct gcl_stats_summary *summary, FILE *out)) {
    static char text[8192];
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    write(&summary, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void a_table_says_what_and_why(void **state) {
    const char *text = written(gcl_stats_write_table);
    (void)state;
    assert_non_null(strstr(text, "gcluster: 2 nodes, 10.0 ms\n"));
    assert_non_null(strstr(text, " 10  y           4.0 ms   20.0 %     0.1 ms          -  halo"));
    assert_non_null(strstr(text, "  x, none  "));
    assert_non_null(strstr(text, "   2.5 %          -     4.0 ms  redistribute 12 B\n"));
    assert_non_null(strstr(text, "2 looked up in memory before: the place comes from memory"));
    assert_non_null(strstr(text, "[GCL226]\n"));
    assert_non_null(strstr(text, "1 on node 0 alone: the result of an atomic operation is used"));
    assert_non_null(strstr(text, "[GCL201]\n"));
    assert_non_null(strstr(text, "host 5 B\n"));
    assert_non_null(strstr(text, " 4.5 ms   22.5 %     0.1 ms     4.0 ms  \n"));
    assert_non_null(strstr(
        text,
        " 0.4 ms    2.0 %          -          -  2.0 KiB at 0.01 of 3.5 GB/s, mapped 24 B\n"));
    assert_non_null(strstr(text, " 9 launches of blocks of 64 x 2 x 1: 900 blocks, 2 us each\n"));
    assert_non_null(strstr(text, " 1 launch of blocks of 32 x 1 x 1: 7 blocks\n"));
    assert_non_null(strstr(text,
                           " foreseen, with 2 us a block: 1.5 ms on node 0, on 2 nodes 0.8 ms "
                           "and 0.2 ms moving 1.0 KiB; 1 of 4 launches stay on one; "));
    assert_non_null(strstr(text, "  after 3.0 ms all nodes take part from here on: kernels took "
                                 "1.5 ms on node 0, and would have taken 1.1 ms on 2 nodes, 0.3 ms "
                                 "of it moving 2.0 KiB; planning took 0.1 ms; to change over takes "
                                 "0.1 ms, and pays from 0.2 ms won on\n"));
    assert_non_null(strstr(text, "  after 6.0 ms node 0 goes on alone: all nodes have lost 2.0 ms "
                                 "so far: 3.0 ms have passed since all took part, for what would "
                                 "have taken 1.0 ms\n"));
    assert_non_null(strstr(text, "  after 7.0 ms all nodes take part from here on: node 0 has no "
                                 "room for 4096 bytes\n"));
}

static void json_has_every_byte(void **state) {
    const char *text = written(gcl_stats_write_json);
    (void)state;
    assert_non_null(strstr(text, "\"split\": {\"x\": 1, \"y\": 0, \"z\": 0, \"none\": 2}"));
    assert_non_null(strstr(text, "\"kept\": 1, \"reason\": \"GCL201\", \"why\": \"the result"));
    assert_non_null(strstr(
        text,
        "\"total\": 2065, \"link_bytes_per_s\": 3500000000, \"transfers\": [{\"sent\": 1030,"));
    assert_non_null(strstr(text, "{\"sent\": 1035, \"mapped\": 24, \"time_ns\": 300000}"));
    assert_non_null(
        strstr(text, "\"time_ns\": [3000000, 1000000], \"planning_ns\": [20000, 80000]"));
    assert_non_null(strstr(text, "\"inspection_ns\": [1500000, 2500000], \"inspections\": 2, "));
    assert_non_null(strstr(text, "\"share\": 0.200000}"));
    assert_non_null(strstr(text,
                           "\"shapes\": [{\"block\": [64, 2, 1], \"launches\": 9, \"blocks\": "
                           "900, \"measured\": 450, \"busy_ns\": 900000}, "));
    assert_non_null(strstr(text,
                           "\"foreseen\": {\"launches\": 4, \"kept\": 1, \"block_ns\": 2000.0, "
                           "\"alone_ns\": 1500000, "));
    assert_non_null(strstr(text, "\"judgements\": [{\"at_ns\": 3000000, \"from\": \"node 0\", "
                                 "\"to\": \"all nodes\", \"why\": \"faster\", "));
    assert_non_null(strstr(text, "\"why\": \"no room\"}]"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stencil_has_halos, start, finish),
        cmocka_unit_test_setup_teardown(what_all_read_is_replicated, start, finish),
        cmocka_unit_test_setup_teardown(a_transposition_redistributes, start, finish),
        cmocka_unit_test_setup_teardown(combinations_have_their_own_causes, start, finish),
        cmocka_unit_test(a_table_says_what_and_why),
        cmocka_unit_test(json_has_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
