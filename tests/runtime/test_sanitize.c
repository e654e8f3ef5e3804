// The sanitizer against kernels with programs that are wrong, both written by hand, and its marks
// of who accessed what against a list of all accesses.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "exec/block/block.h"
#include "exec/memory/space.h"
#include "exec/sanitize/sanitize.h"
#include "exec/sanitize/shadow.h"
#include "gcluster/sanitize.h"

enum { THREADS = 32, BLOCKS = 4, COUNT = THREADS * BLOCKS, NODES = 16 };

// The kernel: out[i] = in[i] + in[i + 1] for i < n, and the last thread of a block adds to `sum`.

#define SITE(number, what, how)                                                                    \
    {.file = "k.cu", .line = number, .size = 4, .kind = what, .races = how}
static struct gcl_site sites[] = {
    SITE(3, GCL_ACCESS_READ, GCL_RACE_READ),
    SITE(4, GCL_ACCESS_READ, GCL_RACE_READ),
    SITE(5, GCL_ACCESS_WRITE, GCL_RACE_WRITE),
    SITE(6, GCL_ACCESS_REDUCE, GCL_RACE_ATOMIC),
};

struct arguments {
    int *in, *out, *sum;
    int n;
    int writes_behind; // how many elements
    int reads_before;  // how many elements, from block 2 on
};

// How threads tell of their accesses: each for itself, as a row, as a list of addresses.
static enum way { ONE_BY_ONE, ROW, LIST, WAYS } way;

static void tell(struct gcl_block *block, uint32_t begin, const int *first, struct gcl_site *site,
                 uint64_t lanes) {
    const void *addresses[64] = {NULL};
    for (uint32_t lane = 0; lane < 64; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        addresses[lane] = first + lane;
        block->thread = begin + lane;
        if (way == ONE_BY_ONE)
            gcl_device_access(first + lane, site);
    }
    block->thread = begin;
    if (way == ROW)
        gcl_device_access_row(first, site, lanes, sizeof *first);
    if (way == LIST)
        gcl_device_access_lanes(addresses, site, lanes);
}

static uint32_t run(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    const struct arguments *a = (const void *)block->arguments;
    int first = (int)(block->block_index[0] * THREADS + begin), sum = 0;
    const int *in = a->in + first - (block->block_index[0] >= 2 ? a->reads_before : 0);
    int *out = a->out + first + a->writes_behind;
    uint64_t lanes = 0;
    (void)here;
    for (uint32_t t = begin; t < end; t++)
        lanes |= (uint64_t)(first + (int)(t - begin) < a->n) << (t - begin);
    tell(block, begin, in, &sites[0], lanes);
    tell(block, begin, in + 1, &sites[1], lanes);
    tell(block, begin, out, &sites[2], lanes);
    for (uint32_t lane = 0; lane < end - begin; lane++) {
        if (lanes >> lane & 1)
            out[lane] = sum = in[lane] + in[lane + 1];
    }
    block->thread = end - 1;
    if (lanes >> (end - 1 - begin) & 1) {
        gcl_device_access(a->sum, &sites[3]);
        *a->sum += sum;
    }
    return GCL_EXIT;
}

// Its program.

struct program {
    struct gcl_program tables;
    struct gcl_node nodes[NODES];
    int64_t constants[2];
    struct gcl_guard guard;
    struct gcl_base bases[3];
    struct gcl_access accesses[4];
};

enum { NODE_OFFSET = 3, NODE_NEXT = 5, NODE_ZERO = 6, NODE_INSIDE = 9 };

static void make_access(struct program *p, unsigned a, uint8_t kind, uint16_t base,
                        uint16_t offset) {
    p->accesses[a] = (struct gcl_access){
        .kind = kind, .base = base, .offset = offset, .length = GCL_NONE, .element = 4, .size = 4};
}

static void init_program(struct program *p) {
    static const char *const names[] = {"in", "out", "sum", "n", "writes_behind"};
    static const struct gcl_node nodes[] = {
        {GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0}, {GCL_NODE_SEXT, 64, 0, 0, 0},
        {GCL_NODE_CONSTANT, 64, 0, 0, 0},     {GCL_NODE_MULTIPLY, 64, 1, 2, 0},
        {GCL_NODE_CONSTANT, 64, 0, 0, 0},     {GCL_NODE_ADD, 64, 3, 4, 0},
        {GCL_NODE_CONSTANT, 64, 1, 0, 0},     {GCL_NODE_ARGUMENT, 32, 24, 0, 0},
        {GCL_NODE_GLOBAL_INDEX, 32, 0, 0, 0}, {GCL_NODE_SLT, 1, 8, 7, 0},
    };
    *p = (struct program){.constants = {4, 0},
                          .guard = {GCL_GUARD_HOLDS, 0, NODE_INSIDE, GCL_NONE},
                          .bases = {{GCL_BASE_ARGUMENT, 0, 0},
                                    {GCL_BASE_ARGUMENT, 0, 8},
                                    {GCL_BASE_ARGUMENT, 0, 16}}};
    memcpy(p->nodes, nodes, sizeof nodes);
    make_access(p, 0, GCL_ACCESS_READ, 0, NODE_OFFSET);
    make_access(p, 1, GCL_ACCESS_READ, 0, NODE_NEXT);
    make_access(p, 2, GCL_ACCESS_WRITE, 1, NODE_OFFSET);
    make_access(p, 3, GCL_ACCESS_REDUCE, 2, NODE_ZERO);
    p->tables = (struct gcl_program){.nodes = p->nodes,
                                     .constants = p->constants,
                                     .guards = &p->guard,
                                     .bases = p->bases,
                                     .accesses = p->accesses,
                                     .names = names,
                                     .node_count = sizeof nodes / sizeof nodes[0],
                                     .constant_count = 2,
                                     .guard_count = 1,
                                     .base_count = 3,
                                     .access_count = 4};
}

// Launches.

static const struct gcl_parameter parameters[] = {{0, 8}, {8, 8}, {16, 8}, {24, 4}, {28, 4}};
static const struct gcl_cut cuts[] = {{GCL_CUT_ENTRY, 0, 0}};

static int *allocate(struct gcl_space *space, size_t count) {
    const struct gcl_allocation request = {.size = count * sizeof(int), .kind = GCL_SPACE_DEVICE};
    void *memory = NULL;
    assert_int_equal(gcl_space_allocate(space, &request, &memory), GCL_OK);
    return memory;
}

// Runs the kernel, then ends the process as the runtime would.
static _Noreturn void launch(const struct program *program, struct arguments *arguments) {
    const struct gcl_kernel kernel = {.name = "k",
                                      .parameters = parameters,
                                      .cuts = cuts,
                                      .parameter_count = 5,
                                      .argument_size = sizeof *arguments,
                                      .region_count = 1,
                                      .max_threads = 1024,
                                      .flags = GCL_KERNEL_SANITIZED | GCL_KERNEL_FOOTPRINT,
                                      .program = program ? &program->tables : NULL};
    struct gcl_space *space = gcl_space_create(1 << 24, &gcl_pages_host);
    struct gcl_block_pool *pool = gcl_block_pool_create();
    struct gcl_fault fault = {0};
    arguments->in = allocate(space, COUNT + 1);
    arguments->out = allocate(space, 2 * COUNT);
    arguments->sum = allocate(space, 1);
    const struct gcl_block_launch block_launch = {
        .kernel = &kernel,
        .regions = (gcl_region *const[]){run},
        .geometry.grid = {BLOCKS, 1, 1},
        .end = {BLOCKS, 1, 1},
        .geometry.block = {THREADS, 1, 1},
        .arguments = (const unsigned char *)arguments,
        .fault = &fault,
    };
    gcl_sanitize_run(&(struct gcl_sanitize_launch){&block_launch, space, BLOCKS, false}, pool);
    int status = gcl_sanitize_end();
    gcl_block_pool_destroy(pool);
    gcl_space_destroy(space);
    exit(status);
}

struct outcome {
    int status;
    char text[4096];
};

// In a process of its own, since what is found ends it.
static struct outcome run_kernel(const struct program *program, struct arguments arguments) {
    struct outcome outcome = {0};
    int ends[2];
    size_t length = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        launch(program, &arguments);
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && length + 1 < sizeof outcome.text; length += (size_t)got) {
        got = read(ends[0], outcome.text + length, sizeof outcome.text - 1 - length);
        assert_true(got >= 0);
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &outcome.status, 0), child);
    assert_true(WIFEXITED(outcome.status));
    outcome.status = WEXITSTATUS(outcome.status);
    return outcome;
}

static void expect(const struct outcome *outcome, int status, const char *text) {
    if (!strstr(outcome->text, text) || outcome->status != status)
        print_error("status %d, wanted %d; text:\n%swanted: %s\n", outcome->status, status,
                    outcome->text, text);
    assert_int_equal(outcome->status, status);
    assert_non_null(strstr(outcome->text, text));
}

static void true_programs_are_silent(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    struct outcome all = run_kernel(&p, (struct arguments){.n = COUNT});
    struct outcome some = run_kernel(&p, (struct arguments){.n = COUNT - 40});
    struct outcome unknown = run_kernel(NULL, (struct arguments){.n = COUNT});
    expect(&all, 0, "");
    assert_string_equal(all.text, "");
    assert_string_equal(some.text, "");
    assert_string_equal(unknown.text, "");
    assert_int_equal(some.status + unknown.status, 0);
}

static void wrong_offset_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    p.accesses[1].offset = NODE_OFFSET; // 4 too low
    struct outcome read = run_kernel(&p, (struct arguments){.n = COUNT});
    expect(&read, 66,
           "footprint: k.cu:4: kernel k, block (0,0,0), thread (31,0,0) reads 4 bytes at in+128, "
           "outside of its footprint [0, 128)");
    init_program(&p);
    struct outcome written = run_kernel(&p, (struct arguments){.n = COUNT, .writes_behind = 1});
    expect(&written, 66,
           "footprint: k.cu:5: kernel k, block (0,0,0), thread (31,0,0) writes 4 bytes at "
           "out+128, outside of its footprint [0, 128)");
}

static void wrong_guard_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    p.guard.kind = GCL_GUARD_FAILS; // i >= n
    struct outcome outcome = run_kernel(&p, (struct arguments){.n = 40});
    expect(&outcome, 66, "thread (0,0,0) reads 4 bytes at in, outside of its footprint empty");
}

static void missing_access_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    p.tables.access_count = 3; // no reduction
    struct outcome outcome = run_kernel(&p, (struct arguments){.n = COUNT});
    expect(&outcome, 66,
           "footprint: k.cu:6: kernel k, block (0,0,0), thread (31,0,0) changes atomically 4 "
           "bytes at sum, outside of its footprint empty");
}

static void wrong_kind_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    p.accesses[2].kind = GCL_ACCESS_READ;
    struct outcome outcome = run_kernel(&p, (struct arguments){.n = COUNT});
    expect(&outcome, 66, "thread (0,0,0) writes 4 bytes at out, outside of its footprint empty");
}

// Blocks that are evaluated at once may not touch what is another one's.
static void access_of_a_neighbour_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    struct outcome outcome =
        run_kernel(&p, (struct arguments){.n = COUNT, .reads_before = THREADS});
    expect(&outcome, 66,
           "footprint: k.cu:3: kernel k, block (2,0,0), thread (0,0,0) reads 4 bytes at in+128, "
           "outside of its footprint [256, 388)");
}

static void incomplete_write_is_found(void **state) {
    struct program p;
    (void)state;
    init_program(&p);
    p.accesses[2].guard = GCL_NONE;
    struct outcome outcome = run_kernel(&p, (struct arguments){.n = 40});
    expect(&outcome, 66,
           "footprint: kernel k, block (1,0,0): 4 bytes at out+160 aren't written, but "
           "its footprint says so: [128, 256)");
}

// Marks.

enum { BYTES = 24, STEPS = 60, ROUNDS = 3000 };

struct entry {
    unsigned block, kinds, begin, end;
};

static unsigned random_below(unsigned limit) {
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % limit);
}

static bool are_race(const struct entry *a, const struct entry *b) {
    unsigned both = a->kinds | b->kinds;
    return a->block != b->block && a->begin < b->end && b->begin < a->end &&
           both != GCL_RACE_READ && both != GCL_RACE_ATOMIC;
}

// Whether the marks tell of a race at this access.
static bool mark(struct gcl_shadow *shadow, struct gcl_shadow_extent *extent,
                 const struct entry *e) {
    bool is_race = false;
    for (unsigned g = e->begin / GCL_GRANULE; g * GCL_GRANULE < e->end; g++) {
        gcl_mark bytes = 0;
        for (unsigned b = 0; b < GCL_GRANULE; b++) {
            unsigned at = g * GCL_GRANULE + b;
            bytes |= (gcl_mark)(at >= e->begin && at < e->end) << b;
        }
        gcl_mark m = gcl_mark_make(shadow->first + e->block, 7, e->kinds);
        m = (m & ~((gcl_mark)GCL_GRANULE_ALL << 4)) | bytes << 4;
        gcl_mark joined = extent->words[g];
        bool joins = bytes == GCL_GRANULE_ALL && gcl_shadow_join(shadow, &joined, m);
        bool is_new_race = gcl_shadow_access(shadow, &extent->words[g], m) != 0;
        if (joins) // it would be the same in a row of such words
            assert_true(!is_new_race && extent->words[g] == joined);
        is_race |= is_new_race;
    }
    return is_race;
}

// A loop that retries a compare-and-swap may begin by a plain read, in whatever order the threads
// of a block run.
static void marks_keep_that_a_result_is_used(void **state) {
    static const gcl_mark retries[] = {GCL_RACE_READ, GCL_RACE_ATOMIC | GCL_MARK_RESULT,
                                       GCL_RACE_READ, GCL_RACE_ATOMIC | GCL_MARK_RESULT};
    struct gcl_shadow shadow = {0};
    (void)state;
    for (uint32_t from = 0, count = sizeof retries / sizeof *retries; from < 2; from++) {
        gcl_shadow_start(&shadow, 2);
        gcl_mark *word = gcl_shadow_add(&shadow, 4096, 4096 + BYTES)->words;
        for (uint32_t i = from; i < count; i++)
            assert_true(gcl_shadow_access(&shadow, word,
                                          gcl_mark_make(shadow.first, i + 1, 0) | retries[i]) == 0);
        gcl_mark race =
            gcl_shadow_access(&shadow, word, gcl_mark_make(shadow.first + 1, 9, GCL_RACE_READ));
        assert_true(race & GCL_MARK_RESULT);
        assert_in_range(gcl_mark_site(race), 1, count);
    }
    gcl_shadow_finish(&shadow);
}

// A launch has a race if and only if the marks tell of one, and what is written is known.
static void marks_tell_all_races(void **state) {
    struct gcl_shadow shadow = {0};
    unsigned races = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct entry list[STEPS];
        bool is_race = false, is_told = false, is_written[BYTES] = {false};
        unsigned count = 1 + random_below(STEPS), block = 0, kinds_used = 1 + random_below(3);
        gcl_shadow_start(&shadow, STEPS);
        struct gcl_shadow_extent *extent = gcl_shadow_add(&shadow, 4096, 4096 + BYTES);
        for (unsigned i = 0; i < count; i++) {
            static const unsigned kinds[] = {GCL_RACE_READ, GCL_RACE_ATOMIC, GCL_RACE_WRITE};
            block += random_below(8) == 0;
            unsigned begin = random_below(BYTES), size = 1u << random_below(3);
            unsigned end = begin + size < BYTES ? begin + size : BYTES;
            list[i] = (struct entry){block, kinds[random_below(kinds_used)], begin, end};
            for (unsigned k = 0; k < i; k++)
                is_race |= are_race(&list[k], &list[i]);
            is_told |= mark(&shadow, extent, &list[i]);
            for (unsigned b = begin; b < end; b++)
                is_written[b] |= list[i].kinds != GCL_RACE_READ;
        }
        assert_int_equal(is_told, is_race);
        races += is_race;
        for (unsigned b = 0; b < BYTES && !is_race; b++)
            assert_int_equal(is_written[b],
                             gcl_shadow_is_written(&shadow, extent->words[b / GCL_GRANULE],
                                                   1u << b % GCL_GRANULE, shadow.first));
    }
    gcl_shadow_finish(&shadow);
    assert_in_range(races, ROUNDS / 10, ROUNDS - ROUNDS / 10);
}

static void extents_follow_allocations(void **state) {
    struct gcl_shadow shadow = {0};
    (void)state;
    gcl_shadow_start(&shadow, 1);
    gcl_shadow_add(&shadow, 4096, 8192)->words[0] = 1;
    gcl_shadow_add(&shadow, 16384, 20480);
    assert_non_null(gcl_shadow_find(&shadow, 8191));
    assert_null(gcl_shadow_find(&shadow, 8192));
    gcl_shadow_start(&shadow, 1);
    assert_null(gcl_shadow_find(&shadow, 4096)); // perhaps it is gone
    assert_int_equal(gcl_shadow_add(&shadow, 4096, 8192)->words[0], 1);
    assert_non_null(gcl_shadow_add(&shadow, 6144, 17000)); // in the place of both
    assert_int_equal(shadow.extent_count, 1);
    gcl_shadow_finish(&shadow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_programs_are_silent),
        cmocka_unit_test(wrong_offset_is_found),
        cmocka_unit_test(wrong_guard_is_found),
        cmocka_unit_test(missing_access_is_found),
        cmocka_unit_test(wrong_kind_is_found),
        cmocka_unit_test(access_of_a_neighbour_is_found),
        cmocka_unit_test(incomplete_write_is_found),
        cmocka_unit_test(marks_keep_that_a_result_is_used),
        cmocka_unit_test(marks_tell_all_races),
        cmocka_unit_test(extents_follow_allocations),
    };
    int failed = 0;
    for (way = ONE_BY_ONE; way < WAYS; way++)
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
