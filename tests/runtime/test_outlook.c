// When all nodes take part: with a clock that stands still but for what the test says, so that what
// is decided depends on nothing else.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exec/forecast/outlook.h"
#include "gcluster/reasons.h"
#include "plan/schedule/schedule_memo.h"

enum { BLOCKS = 64, THREADS = 64, BEGIN = 1 << 20, TABLE = 1 << 28, TABLE_SIZE = 64 << 20 };

#define MS 1e6

// out[x] of int is written.
static const struct gcl_node nodes[] = {{GCL_NODE_GLOBAL_INDEX, 64, 0, 0, 0},
                                        {GCL_NODE_CONSTANT, 64, 0, 0, 0},
                                        {GCL_NODE_MULTIPLY, 64, 0, 1, 0}};
static const int64_t constants[] = {4};
static const struct gcl_base bases[] = {{.kind = GCL_BASE_ARGUMENT}};
static const struct gcl_access writes[] = {{.kind = GCL_ACCESS_WRITE,
                                            .offset = 2,
                                            .guard = GCL_NONE,
                                            .length = GCL_NONE,
                                            .element = 4,
                                            .size = 4}};
static const struct gcl_program program = {.nodes = nodes,
                                           .constants = constants,
                                           .bases = bases,
                                           .accesses = writes,
                                           .node_count = 3,
                                           .constant_count = 1,
                                           .base_count = 1,
                                           .access_count = 1};
// Each block writes a part of a table, and a table is read anywhere.
static const struct gcl_node part_nodes[] = {{GCL_NODE_BLOCK_INDEX, 64, 0, 0, 0},
                                             {GCL_NODE_CONSTANT, 64, 0, 0, 0},
                                             {GCL_NODE_MULTIPLY, 64, 0, 1, 0}};
static const int64_t part_constants[] = {TABLE_SIZE / BLOCKS};
static const struct gcl_base table_bases[] = {{.kind = GCL_BASE_ARGUMENT, .index = 8}};
static const struct gcl_access part_writes[] = {{.kind = GCL_ACCESS_WRITE,
                                                 .offset = 2,
                                                 .guard = GCL_NONE,
                                                 .length = GCL_NONE,
                                                 .element = 4,
                                                 .size = TABLE_SIZE / BLOCKS}};
static const struct gcl_program makes_program = {.nodes = part_nodes,
                                                 .constants = part_constants,
                                                 .bases = table_bases,
                                                 .accesses = part_writes,
                                                 .node_count = 3,
                                                 .constant_count = 1,
                                                 .base_count = 1,
                                                 .access_count = 1};
static const struct gcl_node gather_nodes[] = {{GCL_NODE_GLOBAL_INDEX, 64, 0, 0, 0},
                                               {GCL_NODE_CONSTANT, 64, 0, 0, 0},
                                               {GCL_NODE_MULTIPLY, 64, 0, 1, 0},
                                               {GCL_NODE_UNKNOWN, 64, 0, 0, 0}};
static const struct gcl_base gather_bases[] = {{.kind = GCL_BASE_ARGUMENT},
                                               {.kind = GCL_BASE_ARGUMENT, .index = 8}};
static const struct gcl_reason gather_reasons[] = {{.code = GCL_REASON_DATA_INDEX, .access = 1}};
static const struct gcl_access gather_accesses[] = {{.kind = GCL_ACCESS_WRITE,
                                                     .offset = 2,
                                                     .guard = GCL_NONE,
                                                     .length = GCL_NONE,
                                                     .element = 4,
                                                     .size = 4},
                                                    {.kind = GCL_ACCESS_READ,
                                                     .base = 1,
                                                     .offset = 3,
                                                     .guard = GCL_NONE,
                                                     .length = GCL_NONE,
                                                     .element = 4,
                                                     .size = 4}};
static const struct gcl_program gathers_program = {.nodes = gather_nodes,
                                                   .constants = constants,
                                                   .bases = gather_bases,
                                                   .accesses = gather_accesses,
                                                   .reasons = gather_reasons,
                                                   .node_count = 4,
                                                   .constant_count = 1,
                                                   .base_count = 2,
                                                   .access_count = 2,
                                                   .reason_count = 1};
static const struct gcl_kernel makes = {.name = "makes", .program = &makes_program};
static const struct gcl_kernel gathers = {.name = "gathers", .program = &gathers_program};
static const struct gcl_kernel spreads = {.name = "spreads", .program = &program};
static const struct gcl_kernel opaque = {.name = "opaque"};

static double now_ns, alone_ns; // that the program takes, and would take on node 0 alone

static uint64_t read_clock(void) {
    return (uint64_t)now_ns;
}

/// What the outlook says of judgements, against each other: where kernels ran until then, and that
/// kernels' figures add up to the program's.
struct heard {
    unsigned changes, ends;
    bool are_all;
};

static void hear(void *context, const struct gcl_judgement *j) {
    struct heard *heard = context;
    double alone_ns = 0, all_ns = j->moving_ns, moving_ns = 0;
    uint64_t moved = 0;
    assert_true(j->were_all == heard->are_all && j->at_ns == (uint64_t)now_ns);
    for (size_t i = 0; i < j->kernel_count; i++) {
        const struct gcl_judged_kernel *k = &j->kernels[i];
        alone_ns += k->alone_ns;
        all_ns += k->all_ns;
        moving_ns += k->moving_ns;
        moved += k->moved;
        assert_true(k->kept <= k->launches && k->block_ns > 0);
    }
    assert_true(j->kernel_count == 0 || !j->were_all);
    if (j->kernel_count > 0) {
        assert_float_equal(alone_ns, j->alone_ns, 1);
        assert_float_equal(all_ns, j->all_ns, 1);
        assert_true(moving_ns <= j->moving_ns + 1 && moved <= j->moved);
    }
    if (j->kind == GCL_JUDGED_ALL)
        assert_true(j->alone_ns - j->all_ns > j->needed_ns && j->needed_ns > j->changing_ns);
    heard->ends += j->kind == GCL_JUDGED_END;
    heard->changes += j->kind == GCL_JUDGED_ALL || j->kind == GCL_JUDGED_ALONE;
    heard->are_all = strcmp(gcl_judgement_who(j), "all nodes") == 0;
}

static struct heard heard;
static const struct gcl_listeners listeners = {.items = {{.context = &heard, .judged = hear}},
                                               .count = 1};

/// A program on two nodes of a thread each, with `size` bytes of memory.
struct program_run {
    struct gcl_outlook *outlook;
    uint64_t size;
    bool are_all;
    unsigned changes;
    uint64_t table;                       ///< bytes at TABLE
    uint32_t touched;                     ///< of it, in thousandths, by `gathers`
    unsigned measured;                    ///< times
    double measuring_ns;                  ///< what each takes,
    const struct gcl_forecast_link *link; ///< and finds; NULL: no answer
};

static const struct gcl_forecast_cluster cluster = {
    .node_count = 2, .threads = 1, .home_threads = 1, .bytes_per_ns = 2, .latency_ns = 30e3};

/// On a cluster as it has been measured.
static struct program_run start_on(const struct gcl_forecast_cluster *measured, uint64_t size) {
    now_ns = alone_ns = 0;
    heard = (struct heard){.changes = 0};
    struct program_run run = {.outlook = gcl_outlook_create(measured, &listeners, read_clock),
                              .size = size,
                              .measuring_ns = GCL_OUTLOOK_MEASURING_NS};
    assert_non_null(run.outlook);
    gcl_outlook_allocate(run.outlook, BEGIN, size, GCL_HOST_NEVER);
    return run;
}

static struct program_run start(uint64_t size) {
    return start_on(&cluster, size);
}

/// As rest.c does it.
static void doubt_link(struct program_run *run) {
    if (run->are_all || !gcl_outlook_doubts_link(run->outlook))
        return;
    now_ns += run->measuring_ns;
    run->measured++;
    gcl_outlook_measured(run->outlook, run->link, (uint64_t)run->measuring_ns);
}

/// As rest.c does it.
static void change_over(struct program_run *run) {
    doubt_link(run);
    if (!run->are_all && gcl_outlook_says_all(run->outlook)) {
        gcl_outlook_begin_all(run->outlook, GCL_JUDGED_ALL);
    } else if (run->are_all && gcl_outlook_says_alone(run->outlook)) {
        if (run->table > 0)
            gcl_outlook_learn(run->outlook, &gathers, run->touched);
        gcl_outlook_begin_alone(run->outlook);
        gcl_outlook_allocate(run->outlook, BEGIN, run->size, GCL_HOST_NEVER);
        if (run->table > 0)
            gcl_outlook_allocate(run->outlook, TABLE, run->table, GCL_HOST_NEVER);
    } else {
        return;
    }
    run->are_all = !run->are_all;
    run->changes++;
    now_ns += (double)(run->size + run->table) / cluster.node_count /
              cluster.bytes_per_ns; // each has its part
}

/// A launch that takes `launch_ns` on node 0 alone, and `factor` times that on all nodes.
static void launch(struct program_run *run, const struct gcl_kernel *kernel, double launch_ns,
                   double factor) {
    const uint64_t arguments[] = {BEGIN, TABLE};
    struct gcl_command command = {
        .kind = GCL_COMMAND_RUN,
        .run.launch = {.kernel = kernel,
                       .arguments = (const unsigned char *)arguments,
                       .geometry = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}},
                       .end = {BLOCKS, 1, 1}}};
    change_over(run);
    if (run->are_all)
        gcl_outlook_note(run->outlook, &command.run);
    else
        gcl_outlook_foresee(run->outlook, &command);
    if (command.run.cost) {
        command.run.cost->busy_ns += (uint64_t)launch_ns;
        command.run.cost->blocks += BLOCKS;
    }
    now_ns += run->are_all ? factor * launch_ns : launch_ns;
    alone_ns += launch_ns;
}

/// Each change has been told, and the end is.
static void finish(struct program_run *run) {
    assert_int_equal(heard.changes, run->changes);
    gcl_outlook_conclude(run->outlook);
    assert_int_equal(heard.ends, 1);
    gcl_outlook_destroy(run->outlook);
}

static void gains(void **state) {
    (void)state;
    struct program_run run = start(1 << 20);
    for (int i = 0; i < 1000; i++)
        launch(&run, &spreads, 1 * MS, 0.5);
    assert_int_equal(run.changes, 1);
    assert_true(now_ns < 0.55 * alone_ns);
    finish(&run);
}

// What the other node could take off node 0 depends on how fast it is.
static void weights_of_nodes_count(void **state) {
    static const uint32_t slow[2] = {63, 1}, fast[2] = {1, 63};
    struct gcl_forecast_cluster uneven = cluster;
    (void)state;
    uneven.weights = slow;
    struct program_run run = start_on(&uneven, 1 << 20);
    for (int i = 0; i < 100; i++)
        launch(&run, &spreads, 1 * MS, 63.0 / 64);
    assert_int_equal(run.changes, 0);
    finish(&run);
    uneven.weights = fast;
    run = start_on(&uneven, 1 << 20);
    for (int i = 0; i < 100; i++)
        launch(&run, &spreads, 1 * MS, 1.0 / 64);
    assert_int_equal(run.changes, 1);
    assert_true(now_ns < 0.2 * alone_ns);
    finish(&run);
}

/// Launches that come back in turns are planned once each, whatever their keys' hashes are.
static void turns_are_remembered(void **state) {
    enum { TURNS = 40 };
    const struct gcl_plan *plans[TURNS];
    const uint64_t argument = BEGIN;
    struct gcl_directory *directory = gcl_directory_create(2);
    struct gcl_schedule_memo *memo = gcl_schedule_memo_create(&program, directory, NULL);
    (void)state;
    assert_true(directory && memo);
    assert_true(gcl_directory_add(directory, BEGIN, 1 << 20, GCL_HOST_NEVER));
    for (uint32_t i = 0; i < 3 * TURNS; i++) {
        struct gcl_launch_part launch = {
            .arguments = (const unsigned char *)&argument,
            .geometry = {.grid = {2 + i % TURNS, 1, 1}, .block = {THREADS, 1, 1}},
            .end = {2 + i % TURNS, 1, 1}};
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        assert_non_null(schedule);
        if (i >= TURNS)
            assert_ptr_equal(schedule->plan, plans[i % TURNS]);
        plans[i % TURNS] = schedule->plan;
    }
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
}

/// A launch that may not take the steps for being spread stays on one node until it may take more,
/// and what has been found once is kept.
static void planning_is_limited(void **state) {
    const uint64_t argument = BEGIN;
    const struct gcl_launch_part launch = {.arguments = (const unsigned char *)&argument,
                                           .geometry = {{BLOCKS, 1, 1}, {THREADS, 1, 1}, 0},
                                           .end = {BLOCKS, 1, 1}};
    struct gcl_directory *directory = gcl_directory_create(2);
    struct gcl_schedule_memo *memo = gcl_schedule_memo_create(&program, directory, NULL);
    struct gcl_plan *plan = NULL;
    (void)state;
    assert_true(directory && memo);
    assert_true(gcl_directory_add(directory, BEGIN, 1 << 20, GCL_HOST_NEVER));
    // A piece and a box for each of two nodes.
    for (int64_t steps = 1; steps <= 3; steps++) {
        gcl_schedule_memo_limit(memo, steps);
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        assert_non_null(schedule);
        assert_int_equal(schedule->axis, 0);
        assert_int_equal(schedule->reason, GCL_REASON_DEAR_PLAN);
        assert_true((schedule->plan == plan) == (steps == 3)); // twice as many as the last time?
        gcl_plan_release(plan);
        plan = gcl_plan_hold(schedule->plan); // so that no other one lies there
    }
    gcl_plan_release(plan);
    for (int64_t steps = 4; steps > 0; steps--) {
        gcl_schedule_memo_limit(memo, steps);
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        assert_non_null(schedule);
        assert_int_equal(schedule->axis, 'x');
    }
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
}

/// A tenth of what a launch takes, and not less than 2 ms; 10 ms where that isn't known.
static void planning_is_a_part(void **state) {
    struct program_run run = start(1 << 20);
    struct gcl_run next = {.launch = {.kernel = &spreads,
                                      .geometry = {{BLOCKS, 1, 1}, {THREADS, 1, 1}, 0},
                                      .end = {BLOCKS, 1, 1}}};
    (void)state;
    assert_int_equal(gcl_outlook_planning(run.outlook, &next), 10000);
    launch(&run, &spreads, 1 * MS, 1);
    assert_int_equal(gcl_outlook_planning(run.outlook, &next), 2000);
    launch(&run, &spreads, 79 * MS, 1);
    assert_int_equal(gcl_outlook_planning(run.outlook, &next), 4000);
    next.launch.end[0] = next.launch.geometry.grid[0] = 4 * BLOCKS;
    assert_int_equal(gcl_outlook_planning(run.outlook, &next), 16000);
    finish(&run);
}

// A link that looked a hundred times slower than it is, as the machine was busy, is measured again.
static void slow_link_is_doubted(void **state) {
    static const struct gcl_forecast_link links[] = {{90e3, 0.03}, {30e3, 2}};
    struct gcl_forecast_cluster slow = cluster;
    (void)state;
    slow.bytes_per_ns = 0.02;
    slow.latency_ns = 100e3;
    for (int answer = 0; answer < 3; answer++) {
        struct program_run run = start_on(&slow, 64 << 20);
        run.link = answer < 2 ? &links[answer] : NULL;
        for (int i = 0; i < 4000; i++)
            launch(&run, &spreads, 1 * MS, 0.5);
        // The time doubles from 300 ms of kernels on, as long as nothing comes of it.
        assert_in_range(run.measured, answer == 1 ? 1 : 3, answer == 1 ? 1 : 4);
        assert_int_equal(run.changes, answer == 1);
        if (answer == 1)
            assert_true(now_ns < 0.65 * alone_ns);
        else
            assert_true(now_ns < 1.05 * alone_ns + GCL_OUTLOOK_LOSS_NS);
        finish(&run);
    }
    // Other links wouldn't help.
    struct program_run run = start_on(&slow, 64 << 20);
    for (int i = 0; i < 4000; i++)
        launch(&run, &opaque, 1 * MS, 1);
    assert_int_equal(run.measured, 0);
    finish(&run);
}

/// A table is made anew and read, again and again; all of it takes longer to move than all nodes
/// win. `page_ns`: as in struct gcl_forecast_cluster. Gives the changes.
static unsigned gather_often(double page_ns, uint32_t touched, double factor) {
    struct gcl_forecast_cluster faulting = cluster;
    faulting.page_ns = page_ns;
    struct program_run run = start_on(&faulting, 1 << 20);
    run.table = TABLE_SIZE;
    run.touched = touched;
    gcl_outlook_allocate(run.outlook, TABLE, TABLE_SIZE, GCL_HOST_NEVER);
    for (int i = 0; i < 400; i++) {
        launch(&run, &makes, 1 * MS, 0.5);
        launch(&run, &gathers, 12 * MS, factor);
        assert_true(now_ns <= 1.1 * alone_ns + GCL_OUTLOOK_LOSS_NS + factor * 12 * MS);
    }
    finish(&run);
    return run.changes;
}

// What a kernel reads anywhere may come as it is touched: that is tried, and what was seen then
// counts.
static void faults_are_tried(void **state) {
    (void)state;
    assert_int_equal(gather_often(0, 0, 0.6), 0);
    assert_int_equal(gather_often(8e3, 10, 0.6), 1);
    assert_true(now_ns < 0.8 * alone_ns);
    assert_int_equal(gather_often(8e3, 900, 3), 2);
    assert_int_equal(gather_often(80e3, 10, 0.6), 1);
}

static void cannot_gain(void **state) {
    (void)state;
    struct program_run run = start(1 << 20);
    for (int i = 0; i < 1000; i++)
        launch(&run, &opaque, 1 * MS, 1);
    assert_int_equal(run.changes, 0);
    finish(&run);

    run = start(1 << 20); // a message takes longer than the half of a launch
    for (int i = 0; i < 10000; i++)
        launch(&run, i % 2 ? &spreads : &opaque, 20e3, 1);
    assert_int_equal(run.changes, 0);
    finish(&run);
}

// Memory that takes long to move isn't moved for a program that may end soon.
static void much_memory(void **state) {
    (void)state;
    struct program_run run = start((uint64_t)2 << 30);
    for (int i = 0; i < 1000; i++)
        launch(&run, &spreads, 10 * MS, 0.5);
    assert_int_equal(run.changes, 0);
    for (int i = 0; i < 50000; i++)
        launch(&run, &spreads, 10 * MS, 0.5);
    assert_int_equal(run.changes, 1);
    assert_true(now_ns < 0.6 * alone_ns);
    finish(&run);
}

// Whatever the program does, it takes at most a tenth longer than alone, and 50 ms; but for
// a launch that is under way when that is found out.
static void loses_little(void **state) {
    static const double factors[] = {0.5, 0.5, 1, 3, 10};
    unsigned changes = 0;
    (void)state;
    srand(7);
    for (int round = 0; round < 400; round++) {
        struct program_run run = start((uint64_t)1 << (12 + rand() % 18));
        double launch_ns = 1e4 * (1 << rand() % 10), factor = 0.5;
        for (int i = 0; i < 2000; i++) {
            if (rand() % 50 == 0)
                factor = factors[rand() % 5];
            // The longer it went well, the worse it becomes.
            if (run.are_all && rand() % 20 == 0)
                factor = 10;
            launch(&run, rand() % 8 ? &spreads : &opaque, launch_ns, factor);
            assert_true(now_ns <= 1.1 * alone_ns + GCL_OUTLOOK_LOSS_NS + 10 * launch_ns);
        }
        changes += run.changes;
        finish(&run);
    }
    assert_true(changes > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gains),
                                       cmocka_unit_test(weights_of_nodes_count),
                                       cmocka_unit_test(slow_link_is_doubted),
                                       cmocka_unit_test(turns_are_remembered),
                                       cmocka_unit_test(planning_is_limited),
                                       cmocka_unit_test(planning_is_a_part),
                                       cmocka_unit_test(faults_are_tried),
                                       cmocka_unit_test(cannot_gain),
                                       cmocka_unit_test(much_memory),
                                       cmocka_unit_test(loses_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
