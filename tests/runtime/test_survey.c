// Nodes that plan launches whose addresses are in memory, each a thread with memory of its own: it
// has only a part of the arrays, and garbage elsewhere. All of them have to find the same schedule,
// by which each node has what its blocks write.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gcluster/reasons.h"
#include "plan/directory/pack.h"
#include "plan/schedule/partition.h"
#include "plan/schedule/schedule_memo.h"
#include "plan/survey/inspect_shares.h"
#include "random_program.h"

enum { MOST_NODES = 4, TOO_LONG = 300 };

// A job.

struct node {
    uint32_t self;
    struct gcl_directory *directory;
    struct gcl_schedule_memo *memo;
    struct gcl_reader reader;
    const struct gcl_schedule *schedule;
    unsigned char arrays[ARRAYS][ARRAY_BYTES];
    unsigned fetched; ///< bytes
    unsigned blames;
    unsigned shared; ///< calls that threads made for it
};

static struct {
    uint32_t count;
    struct node nodes[MOST_NODES];
    struct gcl_words told[MOST_NODES];
    const struct gcl_words *damage; ///< what node 1 tells instead of what it found; NULL: nothing
    pthread_barrier_t barrier;
    struct program program;
    union arguments arguments;
    struct gcl_launch_part launch;
} job;

static void fetch_run(struct node *node, const struct gcl_transfer *transfer, unsigned array) {
    struct gcl_region_cursor cursor = {.region = &transfer->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        memcpy(&node->arrays[array][run.begin], &job.nodes[transfer->from].arrays[array][run.begin],
               size);
        node->fetched += (unsigned)size;
    }
}

static bool fetch(void *context, const struct gcl_demand *demands, size_t count) {
    struct node *node = context;
    struct gcl_plan plan = {.allocation_count = 0};
    for (size_t i = 0; i < count; i++)
        assert_true(gcl_plan_demand(&plan, node->directory, &demands[i]));
    for (size_t i = 0; i < plan.transfer_count; i++) {
        const struct gcl_transfer *transfer = &plan.transfers[i];
        if (gcl_transfer_reaches(transfer, node->self))
            fetch_run(node, transfer,
                      (unsigned)(plan.allocations[transfer->allocation].begin / PLACE - 2));
    }
    gcl_plan_commit(&plan, node->directory);
    gcl_plan_finish(&plan);
    return true;
}

static const unsigned char *memory(void *context, uint64_t begin) {
    const struct node *node = context;
    return node->arrays[begin / PLACE - 2];
}

static bool tell(void *context, const struct gcl_words *own, struct gcl_words *all) {
    const struct node *node = context;
    bool can_all = true;
    job.told[node->self] = job.damage && node->self == 1 ? *job.damage : *own;
    pthread_barrier_wait(&job.barrier);
    for (uint32_t i = 0; i < job.count; i++)
        can_all = can_all && job.told[i].bytes;
    for (uint32_t i = 0; i < job.count && can_all; i++) {
        all[i] = (struct gcl_words){malloc(job.told[i].size + 1), job.told[i].size};
        memcpy(all[i].bytes, job.told[i].bytes, all[i].size);
    }
    pthread_barrier_wait(&job.barrier);
    return can_all;
}

static void blame(void *context, uint32_t culprit) {
    struct node *node = context;
    assert_int_equal(culprit, 1);
    node->blames++;
}

/// Work that threads do, whoever comes first.
struct crew {
    void (*work)(void *context, uint32_t number);
    void *context;
    uint32_t count;
    atomic_uint next;
};

static void *take_part(void *context) {
    struct crew *crew = context;
    for (uint32_t i = atomic_fetch_add(&crew->next, 1); i < crew->count;
         i = atomic_fetch_add(&crew->next, 1))
        crew->work(crew->context, i);
    return NULL;
}

static void share(void *context, void (*work)(void *work_context, uint32_t number),
                  void *work_context, uint32_t count) {
    struct node *node = context;
    struct crew crew = {.work = work, .context = work_context, .count = count};
    pthread_t threads[3];
    node->shared += count;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_part, &crew), 0);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

/// Each array is on the nodes in parts, cut at `cut` and so on.
static void share_out(struct node *node, unsigned array, int64_t cut) {
    struct gcl_region written[MOST_NODES] = {0};
    uint64_t begin = place_of(array + 1);
    memset(node->arrays[array], 0x5a, ARRAY_BYTES);
    for (uint32_t i = 0; i < job.count; i++) {
        int64_t end = i + 1 < job.count ? cut * (i + 1) : ARRAY_BYTES;
        written[i] = gcl_region_run(cut * i, end);
        if (i == node->self)
            memcpy(&node->arrays[array][cut * i], &job.program.arrays[array][cut * i],
                   (size_t)(end - cut * i));
    }
    const struct gcl_layout_change change = {.written = written};
    const struct gcl_layout *layout =
        gcl_layouts_change(gcl_directory_layouts(node->directory),
                           gcl_directory_find(node->directory, begin)->layout, &change);
    assert_non_null(layout);
    const struct gcl_region all = gcl_region_run(0, ARRAY_BYTES);
    gcl_directory_update(node->directory, begin, layout, &all);
}

static void change(unsigned array, int64_t cut) {
    for (uint32_t i = 0; i < job.count; i++)
        share_out(&job.nodes[i], array, cut);
}

static void start(uint32_t count) {
    int64_t cuts[ARRAYS];
    job.count = count;
    pthread_barrier_init(&job.barrier, NULL, count);
    for (unsigned a = 0; a < ARRAYS; a++)
        cuts[a] = 4 * (1 + random_below(ARRAY_BYTES / 4 / count));
    for (uint32_t i = 0; i < count; i++) {
        struct node *node = &job.nodes[i];
        *node = (struct node){.self = i, .directory = gcl_directory_create(count)};
        node->reader = (struct gcl_reader){.self = i,
                                           .fetch = fetch,
                                           .memory = memory,
                                           .tell = tell,
                                           .blame = blame,
                                           .share = i % 2 ? share : NULL,
                                           .context = node};
        node->memo = gcl_schedule_memo_create(&job.program.tables, node->directory, &node->reader);
        for (unsigned b = 0; b <= ARRAYS; b++)
            assert_true(gcl_directory_add(node->directory, place_of(b),
                                          b == 0 ? 2 * MIDDLE : ARRAY_BYTES, GCL_HOST_NEVER));
        for (unsigned a = 0; a < ARRAYS; a++)
            share_out(node, a, cuts[a]);
    }
}

static void finish(void) {
    for (uint32_t i = 0; i < job.count; i++) {
        gcl_schedule_memo_destroy(job.nodes[i].memo);
        gcl_directory_destroy(job.nodes[i].directory);
    }
    pthread_barrier_destroy(&job.barrier);
}

// Launches.

static void *plan(void *context) {
    struct node *node = context;
    node->schedule = gcl_schedule_memo_find(node->memo, &job.launch, GCL_NOBODY);
    return NULL;
}

static void plan_all(void) {
    pthread_t threads[MOST_NODES];
    for (uint32_t i = 0; i < job.count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, plan, &job.nodes[i]), 0);
    for (uint32_t i = 0; i < job.count; i++)
        pthread_join(threads[i], NULL);
}

static bool is_same_plan(const struct gcl_plan *a, const struct gcl_plan *b) {
    bool is_same = a->allocation_count == b->allocation_count &&
                   a->transfer_count == b->transfer_count &&
                   a->combination_count == b->combination_count;
    for (size_t i = 0; is_same && i < a->allocation_count; i++)
        is_same = a->allocations[i].begin == b->allocations[i].begin &&
                  a->allocations[i].after->hash == b->allocations[i].after->hash;
    for (size_t i = 0; is_same && i < a->transfer_count; i++)
        is_same = a->transfers[i].from == b->transfers[i].from &&
                  a->transfers[i].to == b->transfers[i].to &&
                  a->transfers[i].to_end == b->transfers[i].to_end &&
                  gcl_region_equal(&a->transfers[i].bytes, &b->transfers[i].bytes);
    return is_same;
}

static struct bytes touched;

/// Whether a node may write a byte of what base 0 leads to.
static bool may_write(const struct gcl_plan *plan, uint32_t node, int64_t offset) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        if (plan->allocations[c->allocation].begin == place_of(0) &&
            gcl_region_contains_byte(&c->bytes[node], offset))
            return true;
    }
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (plan->allocations[i].begin == place_of(0))
            return gcl_region_contains_byte(&plan->allocations[i].after->held[node], offset);
    }
    return false;
}

static void check_part(uint32_t node) {
    const struct gcl_schedule *schedule = job.nodes[0].schedule;
    struct gcl_launch_part part = schedule->parts[node];
    part.arguments = job.launch.arguments;
    if (gcl_split_is_empty(&part))
        return;
    run_threads(&job.program, &part, &touched);
    for (size_t i = 0; i < touched.count && !touched.too_many; i++) {
        int64_t offset = touched.places[i] + MIDDLE;
        if (offset < 0 || offset >= 2 * MIDDLE || may_write(schedule->plan, node, offset))
            continue;
        print_program(&job.program, &part);
        fail_msg("node %u isn't meant to write byte %lld", node, (long long)offset);
    }
}

static void check_schedules(void) {
    const struct node *first = &job.nodes[0];
    for (uint32_t i = 0; i < job.count; i++) {
        const struct node *node = &job.nodes[i];
        assert_non_null(node->schedule);
        assert_int_equal(node->schedule->axis, first->schedule->axis);
        assert_int_equal(node->schedule->has_looked, first->schedule->has_looked);
        assert_int_equal(gcl_directory_hash(node->directory), gcl_directory_hash(first->directory));
        assert_true(is_same_plan(node->schedule->plan, first->schedule->plan));
        check_part(i);
    }
}

static void set_arguments(void) {
    job.arguments = (union arguments){.bases = {0}};
    for (unsigned i = 0; i < ARGUMENTS; i++)
        job.arguments.numbers[i] = (int32_t)(1 + random_below(i < 3 ? 40 : 300));
    for (unsigned b = 0; b <= ARRAYS; b++)
        job.arguments.bases[ARGUMENTS / 2 + b] = place_of(b) + (b == 0 ? MIDDLE : 0);
    job.launch.arguments = (const unsigned char *)&job.arguments;
}

static unsigned random_count = 250;

static void all_nodes_find_the_same(void **context) {
    unsigned looked = 0, cut = 0;
    (void)context;
    for (unsigned n = 0; n < random_count; n++) {
        random_start(5 * 1000003u + n);
        job.launch = random_launch();
        // All blocks are launched.
        memset(job.launch.begin, 0, sizeof job.launch.begin);
        memcpy(job.launch.end, job.launch.geometry.grid, sizeof job.launch.end);
        set_arguments();
        random_program(&job.program, RANDOM_DATA_LOADED);
        start(2 + random_below(MOST_NODES - 1));
        plan_all();
        check_schedules();
        looked += job.nodes[0].schedule->has_looked;
        cut += job.nodes[0].schedule->has_looked && job.nodes[0].schedule->axis;
        plan_all(); // what is remembered
        check_schedules();
        assert_false(job.nodes[0].schedule->has_looked && job.nodes[0].schedule->axis);
        unsigned array = random_below(ARRAYS); // what isn't looked up there is kept
        for (unsigned i = 0; i < ARRAY_BYTES; i++)
            job.program.arrays[array][i] = (unsigned char)random_below(256);
        change(array, 4 * (1 + random_below(ARRAY_BYTES / 4 / job.count)));
        plan_all();
        check_schedules();
        finish();
    }
    print_message("%u of %u launches looked into memory, %u of them were cut\n", looked,
                  random_count, cut);
    assert_true(looked > random_count / 8 && cut > random_count / 16);
}

// By hand: out[row[column[i]]] = ..., where each node looks up what is its own.

static uint16_t scaled(uint16_t index) {
    uint16_t wide = add_node(&job.program, GCL_NODE_SEXT, 64, index, 0, 0);
    return add_node(&job.program, GCL_NODE_MULTIPLY, 64, wide, constant(&job.program, 4, 64), 0);
}

/// `add` adds to the program; NULL: nothing.
static void start_scatter(uint32_t nodes, void (*add)(void)) {
    init_program(&job.program);
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    uint16_t column = add_load(&job.program, 1, 32, scaled(index));
    job.program.accesses[0].offset = scaled(add_load(&job.program, 0, 32, scaled(column)));
    // An argument that has nothing to do with the place.
    uint16_t other = add_node(&job.program, GCL_NODE_ARGUMENT, 32, 0, 0, 0);
    uint16_t zero = constant(&job.program, 0, 32);
    uint16_t holds = add_node(&job.program, GCL_NODE_SLT, 1, zero, other, 0);
    uint16_t access = job.program.tables.access_count++;
    job.program.accesses[access] = job.program.accesses[0];
    job.program.accesses[access].kind = GCL_ACCESS_READ;
    job.program.accesses[access].base = 3;
    job.program.accesses[access].offset = scaled(index);
    job.program.accesses[access].guard = add_guard(&job.program, GCL_GUARD_HOLDS, holds, GCL_NONE);
    if (add)
        add();
    int32_t numbers[ARRAYS][ARRAY_BYTES / 4];
    for (int i = 0; i < ARRAY_BYTES / 4; i++) {
        numbers[0][i] = 7 * i;
        numbers[1][i] = i ^ 1; // neighbours
        numbers[2][i] = i;
    }
    memcpy(job.program.arrays, numbers, sizeof numbers);
    job.launch = (struct gcl_launch_part){
        .geometry.block = {4, 1, 1}, .geometry.grid = {16, 1, 1}, .end = {16, 1, 1}};
    random_start(1);
    set_arguments();
    start(nodes);
}

static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_directory_entry *entry = gcl_directory_find(context, address);
    if (entry)
        *allocation =
            (struct gcl_span){(int64_t)entry->begin, (int64_t)(entry->begin + entry->size)};
    return entry != NULL;
}

static bool remember(void *context, const struct gcl_footprint *footprint) {
    unsigned *room = context;
    (void)footprint;
    return (*room)-- > 0;
}

// Other nodes find that a launch can be cut: one that can't tell mustn't take it for one that
// can't.
static void no_memory_is_no_answer(void **context) {
    struct gcl_partition cut;
    unsigned room = 1;
    (void)context;
    start_scatter(4, NULL);
    struct gcl_directory *directory = job.nodes[0].directory;
    const struct gcl_memory memory = {.find = find, .context = directory};
    const struct gcl_partition_input input = {
        .evaluator = gcl_evaluator_create(&job.program.tables),
        .launch = &job.launch,
        .memory = &memory,
        .directory = directory,
        .survey = gcl_survey_create(&job.program.tables, directory),
        .found = remember,
        .context = &room,
    };
    gcl_partition_init(&cut, &input, 0, UINT64_MAX);
    assert_true(cut.lacks_memory && !cut.is_possible);
    gcl_partition_finish(&cut);
    room = 4;
    gcl_partition_init(&cut, &input, 0, UINT64_MAX);
    assert_true(!cut.lacks_memory && cut.is_possible);
    gcl_partition_finish(&cut);
    gcl_survey_destroy(input.survey);
    gcl_evaluator_destroy(input.evaluator);
    finish();
}

static unsigned all_fetched(void) {
    unsigned sum = 0;
    for (uint32_t i = 0; i < job.count; i++)
        sum += job.nodes[i].fetched;
    return sum;
}

// Not for want of memory, which would be the hearer's fault, but because of who told it.
static void nonsense_is_told(void **context) {
    static unsigned char bytes[][8] = {
        {9, 0, 0},             // nothing that is found
        {0, 0, 0, 0, 0, 0, 0}, // something behind what is found
        {0, 0, 1, 5, 0},       // found where no allocation is
        {0},                   // too little
    };
    static const size_t sizes[] = {3, 7, 5, 1};
    (void)context;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct gcl_words damage = {bytes[i], sizes[i]};
        start_scatter(3, NULL);
        job.damage = &damage;
        plan_all();
        job.damage = NULL;
        for (uint32_t n = 0; n < job.count; n++) {
            assert_null(job.nodes[n].schedule);
            assert_int_equal(job.nodes[n].blames, 1);
        }
        finish();
    }
}

static void nodes_look_at_what_is_theirs(void **context) {
    (void)context;
    start_scatter(4, NULL);
    change(0, ARRAY_BYTES / 4);
    change(1, ARRAY_BYTES / 4);
    plan_all();
    check_schedules();
    assert_int_equal(job.nodes[0].schedule->axis, 'x');
    assert_true(job.nodes[0].schedule->has_looked);
    assert_int_equal(job.nodes[0].schedule->plan->combination_count, 0); // each has its own
    assert_int_equal(all_fetched(), 0);
    change(1, ARRAY_BYTES / 8); // elsewhere: three quarters of it aren't where they are needed
    plan_all();
    check_schedules();
    assert_true(job.nodes[0].schedule->has_looked);
    assert_in_range(all_fetched(), ARRAY_BYTES / 2, ARRAY_BYTES);
    finish();
}

static void what_makes_no_difference_is_remembered(void **context) {
    (void)context;
    start_scatter(3, NULL);
    plan_all();
    assert_true(job.nodes[0].schedule->has_looked);
    job.arguments.numbers[0] = -1; // a number that no place depends on
    plan_all();
    check_schedules();
    assert_false(job.nodes[0].schedule->has_looked);
    change(2, 32); // an array that nothing is looked up in
    plan_all();
    check_schedules();
    assert_false(job.nodes[0].schedule->has_looked);
    change(0, 32);
    plan_all();
    check_schedules();
    assert_true(job.nodes[0].schedule->has_looked);
    finish();
}

/// Adds a condition to the scatter: that an element of array 2 is below an argument.
static void guard_scatter(void) {
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    uint16_t level = add_load(&job.program, 2, 32, scaled(index));
    uint16_t now = add_node(&job.program, GCL_NODE_ARGUMENT, 32, 4, 0, 0);
    uint16_t below = add_node(&job.program, GCL_NODE_SLT, 1, level, now, 0);
    job.program.accesses[0].guard = add_guard(&job.program, GCL_GUARD_HOLDS, below, GCL_NONE);
}

/// Has array 2 hold something else.
static void change_levels(int round) {
    int32_t levels[ARRAY_BYTES / 4];
    for (int i = 0; i < ARRAY_BYTES / 4; i++)
        levels[i] = (7 * i + 3 * round) % 11;
    memcpy(job.program.arrays[2], levels, sizeof levels);
    change(2, 64);
}

/// What places depend on changes, and is looked at.
static void check_places(void) {
    change(0, 32);
    plan_all();
    check_schedules();
    assert_true(job.nodes[0].schedule->has_looked);
}

// Indices that stay the same are looked up again and again as long as that may pay, because of a
// condition that changes; then once more, whatever the condition is.
static void conditions_that_change_are_left_open(void **context) {
    unsigned looks = 0;
    bool is_last = false;
    (void)context;
    start_scatter(3, guard_scatter);
    for (int round = 0; round < 12; round++) {
        job.arguments.numbers[1] = round % 5;
        change_levels(round);
        plan_all();
        check_schedules();
        is_last = job.nodes[0].schedule->has_looked;
        looks += is_last;
    }
    assert_in_range(looks, 3, 6);
    assert_false(is_last);
    assert_int_equal(job.nodes[0].schedule->axis, 'x');
    check_places();
    finish();
}

/// Adds to what guard_scatter does that each thread changes the element of array 2 that it reads.
static void guard_by_own_writes(void) {
    guard_scatter();
    uint16_t access = job.program.tables.access_count++;
    job.program.accesses[access] = job.program.accesses[0];
    job.program.accesses[access].base = 3;
    job.program.accesses[access].guard = GCL_NONE;
    job.program.accesses[access].offset =
        scaled(add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0));
}

// What the launch itself changes isn't read, so that it makes no difference what it was before.
static void conditions_that_the_launch_changes_are_not_read(void **context) {
    (void)context;
    start_scatter(3, guard_by_own_writes);
    for (int round = 0; round < 4; round++) {
        job.arguments.numbers[1] = 5;
        change_levels(round);
        plan_all();
        check_schedules();
        assert_int_equal(job.nodes[0].schedule->has_looked, round == 0);
    }
    check_places();
    finish();
}

/// Adds to what guard_scatter does another condition, of which nothing is known.
static void guard_by_something(void) {
    guard_scatter();
    uint16_t something = add_node(&job.program, GCL_NODE_UNKNOWN, 1, 0, 0, 0);
    job.program.accesses[0].guard =
        add_guard(&job.program, GCL_GUARD_HOLDS, something, job.program.accesses[0].guard);
}

// Where a condition doesn't make it certain what is touched, it is looked at once, and then left
// open.
static void conditions_that_make_nothing_certain_are_left_open(void **context) {
    (void)context;
    start_scatter(3, guard_by_something);
    for (int round = 0; round < 6; round++) {
        job.arguments.numbers[1] = 3 + round % 5;
        change_levels(round);
        plan_all();
        for (uint32_t i = 1; i < job.count; i++)
            assert_true(is_same_plan(job.nodes[i].schedule->plan, job.nodes[0].schedule->plan));
        assert_int_equal(job.nodes[0].schedule->has_looked, round < 2);
    }
    finish();
}

// A condition that changes now and then is worth a look.
static void conditions_that_stay_for_a_while_are_looked_at(void **context) {
    (void)context;
    start_scatter(3, guard_scatter);
    job.arguments.numbers[1] = 5;
    for (int round = 0; round < 8; round++) {
        change_levels(round);
        plan_all();
        check_schedules();
        assert_true(job.nodes[0].schedule->has_looked);
        plan_all(); // where bytes are now
        plan_all();
        check_schedules();
        assert_false(job.nodes[0].schedule->has_looked);
    }
    finish();
}

// out[i / 64 * 64 + row[i % 64]] = …: a permutation of 64 elements each.
static void make_shuffle(void) {
    init_program(&job.program);
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    uint16_t low =
        add_node(&job.program, GCL_NODE_AND, 32, index, constant(&job.program, 63, 32), 0);
    uint16_t high = add_node(&job.program, GCL_NODE_XOR, 32, index, low, 0);
    uint16_t row = add_load(&job.program, 0, 32, scaled(low));
    job.program.accesses[0].offset = scaled(add_node(&job.program, GCL_NODE_ADD, 32, high, row, 0));
    int32_t rows[ARRAY_BYTES / 4];
    for (int i = 0; i < ARRAY_BYTES / 4; i++)
        rows[i] = 7 * i % 64;
    memcpy(job.program.arrays[0], rows, sizeof rows);
}

// Nodes that share their blocks out to threads find what others find alone.
static void shares_make_no_difference(void **context) {
    (void)context;
    for (uint32_t blocks = 3; blocks <= 3 << 10; blocks *= 4) {
        make_shuffle();
        job.launch = (struct gcl_launch_part){
            .geometry.block = {64, 1, 1}, .geometry.grid = {blocks, 1, 1}, .end = {blocks, 1, 1}};
        random_start(1);
        set_arguments();
        start(3);
        plan_all();
        check_schedules();
        assert_int_equal(job.nodes[0].schedule->axis, 'x');
        assert_true(job.nodes[0].schedule->has_looked);
        assert_int_equal(job.nodes[0].schedule->plan->combination_count, 0);
        assert_int_equal(job.nodes[0].shared, 0);
        uint32_t shares = gcl_inspect_share_count(&job.nodes[1].schedule->parts[1]);
        // Of eight shares one goes first, alone.
        assert_int_equal(job.nodes[1].shared, shares >= 8 ? shares - 1 : shares > 1 ? shares : 0);
        change(0, 64); // at which all shares look
        plan_all();
        check_schedules();
        shares = 2 * (shares >= 8 ? shares - 1 : shares > 1 ? shares : 0);
        assert_int_equal(job.nodes[1].shared, shares);
        change(1, 64); // at which none does
        plan_all();
        check_schedules();
        assert_int_equal(job.nodes[1].shared, shares);
        finish();
    }
}

/// out[x ^ row[i % 64]], perhaps, where x is i or goes all over 8 MiB.
static void make_spread(bool is_all_over) {
    make_shuffle(); // of which the rows are taken
    int32_t rows[ARRAY_BYTES / 4];
    memcpy(rows, job.program.arrays[0], sizeof rows);
    init_program(&job.program);
    memcpy(job.program.arrays[0], rows, sizeof rows);
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    uint16_t far =
        add_node(&job.program, GCL_NODE_MULTIPLY, 32, index, constant(&job.program, 1021, 32), 0);
    far = add_node(&job.program, GCL_NODE_AND, 32, far,
                   constant(&job.program, 2 * MIDDLE / 4 - 1, 32), 0);
    uint16_t low =
        add_node(&job.program, GCL_NODE_AND, 32, index, constant(&job.program, 63, 32), 0);
    uint16_t row = add_load(&job.program, 0, 32, scaled(low));
    uint16_t place =
        scaled(add_node(&job.program, GCL_NODE_XOR, 32, is_all_over ? far : index, row, 0));
    job.program.accesses[0].offset =
        add_node(&job.program, GCL_NODE_ADD, 64, place, constant(&job.program, -MIDDLE, 64), 0);
    uint16_t something = add_node(&job.program, GCL_NODE_UNKNOWN, 1, 0, 0, 0);
    job.program.accesses[0].guard = add_guard(&job.program, GCL_GUARD_HOLDS, something, GCL_NONE);
    job.program.tables.split = 'x';
}

/// Bytes that a node may change of what base 0 leads to.
static int64_t merged_by(const struct gcl_plan *plan, uint32_t node) {
    assert_int_equal(plan->combination_count, 1);
    assert_int_equal(plan->combinations[0].kind, GCL_COMBINATION_MERGE);
    return gcl_region_size(&plan->combinations[0].bytes[node]);
}

// Where a share shows that an access goes all over, the other shares aren't gone through, unless it
// is certain what is written.
static void one_share_shows_that_it_goes_all_over(void **context) {
    enum { BLOCKS = 3 << 10, SHARES = 8, SURE = 2 };
    (void)context;
    for (int kind = 0; kind < 3; kind++) {
        make_spread(kind > 0);
        if (kind == SURE)
            job.program.accesses[0].guard = GCL_NONE;
        job.launch = (struct gcl_launch_part){
            .geometry.block = {64, 1, 1}, .geometry.grid = {BLOCKS, 1, 1}, .end = {BLOCKS, 1, 1}};
        random_start(1);
        set_arguments();
        start(3);
        plan_all();
        const struct gcl_schedule *schedule = job.nodes[1].schedule;
        assert_true(schedule->axis == 'x' && schedule->has_looked);
        assert_int_equal(gcl_inspect_share_count(&schedule->parts[1]), SHARES);
        assert_int_equal(job.nodes[1].shared, kind == 1 ? 0 : SHARES - 1);
        if (kind == 0) // each node has a part of its own
            assert_int_equal(schedule->plan->combination_count, 0);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(is_same_plan(job.nodes[i].schedule->plan, schedule->plan));
            if (kind == 1)
                assert_int_equal(merged_by(schedule->plan, i), 2 * MIDDLE);
        }
        finish();
    }
}

/// What a node has to have of an array: bit i is its element 7 i mod 64.
static uint64_t needed_of(const struct gcl_plan *plan, unsigned array, uint32_t node) {
    uint64_t elements = 0;
    for (size_t i = 0; i < plan->allocation_count; i++) {
        if (plan->allocations[i].begin != place_of(array + 1))
            continue;
        for (int64_t e = 0; e < ARRAY_BYTES / 4; e++)
            if (gcl_region_contains_byte(&plan->allocations[i].needed[node], 4 * (7 * e % 64)))
                elements |= UINT64_C(1) << e;
    }
    return elements;
}

// Of x[row[i / 1024]] and y[row[i / 1024]] with arrays of one size, threads are gone through once.
static void twins_are_gone_through_once(void **context) {
    enum { BLOCKS = 3 << 8 };
    (void)context;
    make_shuffle(); // of which the rows are taken
    int32_t rows[ARRAY_BYTES / 4];
    memcpy(rows, job.program.arrays[0], sizeof rows);
    init_program(&job.program);
    memcpy(job.program.arrays[0], rows, sizeof rows);
    uint16_t index = add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    uint16_t line =
        add_node(&job.program, GCL_NODE_LSHR, 32, index, constant(&job.program, 10, 32), 0);
    uint16_t offset = scaled(add_load(&job.program, 0, 32, scaled(line)));
    job.program.accesses[0].offset = scaled(index);
    for (uint16_t base = 2; base <= 3; base++) {
        struct gcl_access *access = &job.program.accesses[job.program.tables.access_count++];
        *access = job.program.accesses[0];
        access->kind = GCL_ACCESS_READ;
        access->base = base;
        access->offset = offset;
    }
    job.launch = (struct gcl_launch_part){
        .geometry.block = {64, 1, 1}, .geometry.grid = {BLOCKS, 1, 1}, .end = {BLOCKS, 1, 1}};
    random_start(1);
    set_arguments();
    start(3);
    plan_all();
    check_schedules();
    const struct gcl_schedule *schedule = job.nodes[1].schedule;
    assert_true(schedule->axis == 'x' && schedule->has_looked);
    assert_int_equal(job.nodes[1].shared, gcl_inspect_share_count(&schedule->parts[1]));
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t elements = UINT64_C(0xffff) << 16 * i;
        assert_int_equal(needed_of(schedule->plan, 1, i), elements);
        assert_int_equal(needed_of(schedule->plan, 2, i), elements);
    }
    finish();
}

// Merging.

static void launch_blocks(uint32_t blocks, int32_t argument) {
    job.launch.geometry.grid[0] = job.launch.end[0] = blocks;
    job.arguments.numbers[0] = argument;
    plan_all();
    for (uint32_t i = 0; i < job.count; i++)
        assert_true(is_same_plan(job.nodes[i].schedule->plan, job.nodes[0].schedule->plan));
}

// Nobody knows where threads write: each node would have all of 8 MiB to merge.
static void a_merge_has_to_be_worth_it(void **context) {
    const struct node *node = &job.nodes[0];
    (void)context;
    init_program(&job.program);
    add_node(&job.program, GCL_NODE_ARGUMENT, 32, 0, 0, 0);
    add_node(&job.program, GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0);
    job.program.accesses[0].offset = add_node(&job.program, GCL_NODE_UNKNOWN, 64, 0, 0, 0);
    job.launch = (struct gcl_launch_part){
        .geometry.block = {256, 1, 1}, .geometry.grid = {1, 1, 1}, .end = {1, 1, 1}};
    random_start(1);
    set_arguments();
    start(3);
    for (int32_t i = 0; i < 20; i++) {
        launch_blocks(16, i);
        assert_int_equal(node->schedule->axis, 0);
        assert_int_equal(node->schedule->reason, GCL_REASON_DEAR_MERGE);
        assert_int_equal(node->schedule->plan->combination_count, 0);
        assert_int_equal(node->schedule->parts[0].end[0], 16);
    }
    // Where there is more to do it is.
    launch_blocks(100000, 0);
    assert_int_equal(node->schedule->axis, 'x');
    assert_int_equal(node->schedule->plan->combination_count, 1);
    // And where somebody says so.
    job.program.tables.split = 'x';
    launch_blocks(16, 30);
    assert_int_equal(node->schedule->axis, 'x');
    finish();
}

// Regions as bytes.

static void regions_survive_packing(void **context) {
    (void)context;
    for (unsigned n = 0; n < 2000; n++) {
        struct gcl_region region = {0}, copy = {0};
        struct gcl_pack out = {.size = 0};
        random_start(n + 1);
        const unsigned stride = random_below(2) * 40; // that boxes have in common; 0: none
        for (unsigned i = random_below(5); i > 0; i--) {
            struct gcl_level levels[2] = {
                {stride ? stride : 8 + random_below(90), 1 + random_below(9)},
                {1000 + random_below(900), 1 + random_below(9)}};
            struct gcl_region box = {0};
            int64_t begin = (int64_t)random_below(100000) - 5000;
            assert_true(gcl_region_from_box(begin, 1 + random_below(8), levels, 2, &box));
            assert_true(gcl_region_unite(&region, &box, &region));
            gcl_region_finish(&box);
        }
        const int64_t length = random_below(8) + 1, growth = (int64_t)random_below(4) - 1;
        for (int64_t i = random_below(9); i > 0 && length + growth * i > 0; i--) {
            struct gcl_region run =
                gcl_region_run(200000 + 100 * i, 200000 + 100 * i + length + growth * i);
            assert_true(gcl_region_unite(&region, &run, &region));
        }
        gcl_pack_region(&out, &region);
        assert_false(out.has_failed);
        struct gcl_unpack in = {out.bytes, out.bytes + out.size, false};
        gcl_unpack_region(&in, &copy);
        assert_false(in.has_failed);
        assert_true(in.at == in.end && gcl_region_equal(&region, &copy));
        gcl_region_finish(&copy);
        // Nonsense is noticed, or is some region.
        out.bytes[random_below((uint32_t)out.size)] = (unsigned char)random_below(256);
        in =
            (struct gcl_unpack){out.bytes, out.bytes + random_below((uint32_t)out.size + 1), false};
        gcl_unpack_region(&in, &copy);
        gcl_region_finish(&copy);
        gcl_region_finish(&region);
        free(out.bytes);
    }
}

// test_survey [how many random programs]
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_is_no_answer),
        cmocka_unit_test(all_nodes_find_the_same),
        cmocka_unit_test(nonsense_is_told),
        cmocka_unit_test(nodes_look_at_what_is_theirs),
        cmocka_unit_test(what_makes_no_difference_is_remembered),
        cmocka_unit_test(shares_make_no_difference),
        cmocka_unit_test(conditions_that_change_are_left_open),
        cmocka_unit_test(conditions_that_stay_for_a_while_are_looked_at),
        cmocka_unit_test(conditions_that_the_launch_changes_are_not_read),
        cmocka_unit_test(conditions_that_make_nothing_certain_are_left_open),
        cmocka_unit_test(one_share_shows_that_it_goes_all_over),
        cmocka_unit_test(twins_are_gone_through_once),
        cmocka_unit_test(a_merge_has_to_be_worth_it),
        cmocka_unit_test(regions_survive_packing)};
    if (argc > 1)
        random_count = (unsigned)atoi(argv[1]);
    alarm(TOO_LONG); // nodes that don't do the same wait for each other
    return cmocka_run_group_tests(tests, NULL, NULL);
}
