// How long it takes to find what a launch touches, and how it is spread over four nodes: the first
// time, for the same shape again, and for launches that differ from the one before in an argument.
//
//     ninja bench_plan
//
// `stencil` has six arguments: five points of one array and one of another are read and one is
// written, of WIDTH by HEIGHT floats, with the arrays changing places from launch to launch.
// `eliminate` is a step of Gaussian elimination as in tests/bench/pays/programs: the rows and
// columns that it works on become fewer with each launch, or more, or stay, with bases that move.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "plan/schedule/plan.h"
#include "plan/schedule/schedule_memo.h"

enum { ROUNDS = 20000, WIDTH = 4096, HEIGHT = 4096, STEPS = 1000 };

struct kernel {
    struct gcl_node nodes[64];
    struct gcl_guard guards[8];
    struct gcl_access accesses[8];
    struct gcl_program program;
};

static const int64_t constants[] = {1, 4, -4};
static const struct gcl_base bases[] = {
    {GCL_BASE_ARGUMENT, 0, 0}, {GCL_BASE_ARGUMENT, 0, 8}, {GCL_BASE_ARGUMENT, 0, 16}};
static struct kernel stencil, eliminate;
static struct kernel *built; ///< to which nodes, guards and accesses are added

static void begin(struct kernel *kernel) {
    built = kernel;
    kernel->program = (struct gcl_program){.nodes = kernel->nodes,
                                           .constants = constants,
                                           .guards = kernel->guards,
                                           .bases = bases,
                                           .accesses = kernel->accesses,
                                           .constant_count = 3,
                                           .base_count = 3};
}

static uint16_t node(enum gcl_node_kind kind, unsigned width, uint16_t a, uint16_t b) {
    built->nodes[built->program.node_count] =
        (struct gcl_node){(uint8_t)kind, (uint8_t)width, a, b, 0};
    return built->program.node_count++;
}

static uint16_t guard(enum gcl_guard_kind kind, uint16_t condition, uint16_t outer) {
    built->guards[built->program.guard_count] =
        (struct gcl_guard){(uint8_t)kind, 0, condition, outer};
    return built->program.guard_count++;
}

static void access(enum gcl_access_kind kind, uint16_t base, uint16_t offset, uint16_t inside) {
    built->accesses[built->program.access_count++] = (struct gcl_access){.kind = (uint8_t)kind,
                                                                         .base = base,
                                                                         .offset = offset,
                                                                         .guard = inside,
                                                                         .length = GCL_NONE,
                                                                         .element = 4,
                                                                         .size = 4};
}

/// Offset of a float by its index, of 32 bits.
static uint16_t float_at(uint16_t index, uint16_t four) {
    return node(GCL_NODE_MULTIPLY, 64, node(GCL_NODE_SEXT, 64, index, 0), four);
}

// if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
//     out[y * width + x] = … in[…] … heat[y * width + x] …
static void build_stencil(void) {
    begin(&stencil);
    uint16_t one = node(GCL_NODE_CONSTANT, 32, 0, 0), four = node(GCL_NODE_CONSTANT, 64, 1, 0);
    uint16_t x = node(GCL_NODE_GLOBAL_INDEX, 32, 0, 0), y = node(GCL_NODE_GLOBAL_INDEX, 32, 1, 0);
    uint16_t width = node(GCL_NODE_ARGUMENT, 32, 24, 0),
             height = node(GCL_NODE_ARGUMENT, 32, 28, 0);
    uint16_t right = node(GCL_NODE_SUBTRACT, 32, width, one);
    uint16_t lowest = node(GCL_NODE_SUBTRACT, 32, height, one);
    uint16_t inside = guard(GCL_GUARD_FAILS, node(GCL_NODE_SLT, 1, x, one), GCL_NONE);
    inside = guard(GCL_GUARD_HOLDS, node(GCL_NODE_SLT, 1, x, right), inside);
    inside = guard(GCL_GUARD_FAILS, node(GCL_NODE_SLT, 1, y, one), inside);
    inside = guard(GCL_GUARD_HOLDS, node(GCL_NODE_SLT, 1, y, lowest), inside);
    uint16_t centre = node(GCL_NODE_ADD, 32, node(GCL_NODE_MULTIPLY, 32, y, width), x);
    const uint16_t places[] = {
        centre, node(GCL_NODE_ADD, 32, centre, one), node(GCL_NODE_SUBTRACT, 32, centre, one),
        node(GCL_NODE_ADD, 32, centre, width), node(GCL_NODE_SUBTRACT, 32, centre, width)};
    uint16_t offsets[5];
    for (unsigned i = 0; i < 5; i++)
        offsets[i] = float_at(places[i], four);
    for (unsigned i = 0; i < 5; i++)
        access(GCL_ACCESS_READ, 0, offsets[i], inside);
    access(GCL_ACCESS_READ, 1, offsets[0], inside);
    access(GCL_ACCESS_WRITE, 2, offsets[0], inside);
}

// if (row < n - 1 - k && column < n - k)
//     a[(k + 1 + row) * n + k + column] -= m[(k + 1 + row) * n + k] * a[k * n + k + column];
//     if (column == 0)
//         b[k + 1 + row] -= m[(k + 1 + row) * n + k] * b[k];
static void build_eliminate(void) {
    begin(&eliminate);
    uint16_t one = node(GCL_NODE_CONSTANT, 32, 0, 0), four = node(GCL_NODE_CONSTANT, 64, 1, 0);
    uint16_t row = node(GCL_NODE_GLOBAL_INDEX, 32, 1, 0),
             column = node(GCL_NODE_GLOBAL_INDEX, 32, 0, 0);
    uint16_t n = node(GCL_NODE_ARGUMENT, 32, 24, 0), k = node(GCL_NODE_ARGUMENT, 32, 28, 0);
    uint16_t rest = node(GCL_NODE_SUBTRACT, 32, n, k);
    uint16_t below = node(GCL_NODE_ADD, 32, node(GCL_NODE_ADD, 32, k, one), row);
    uint16_t right = node(GCL_NODE_ADD, 32, k, column);
    uint16_t first = node(GCL_NODE_MULTIPLY, 32, below, n);
    uint16_t element = float_at(node(GCL_NODE_ADD, 32, first, right), four);
    uint16_t factor = float_at(node(GCL_NODE_ADD, 32, first, k), four);
    uint16_t pivot =
        float_at(node(GCL_NODE_ADD, 32, node(GCL_NODE_MULTIPLY, 32, k, n), right), four);
    uint16_t is_row = node(GCL_NODE_SLT, 1, row, node(GCL_NODE_SUBTRACT, 32, rest, one));
    uint16_t inside = guard(GCL_GUARD_HOLDS, is_row, GCL_NONE);
    inside = guard(GCL_GUARD_HOLDS, node(GCL_NODE_SLT, 1, column, rest), inside);
    uint16_t zero = node(GCL_NODE_SUBTRACT, 32, one, one);
    uint16_t leftmost = guard(GCL_GUARD_HOLDS, node(GCL_NODE_EQ, 1, column, zero), inside);
    access(GCL_ACCESS_READ, 0, factor, inside);
    access(GCL_ACCESS_READ, 1, pivot, inside);
    access(GCL_ACCESS_READ, 1, element, inside);
    access(GCL_ACCESS_WRITE, 1, element, inside);
    access(GCL_ACCESS_READ, 2, float_at(k, four), leftmost);
    access(GCL_ACCESS_READ, 2, float_at(below, four), leftmost);
    access(GCL_ACCESS_WRITE, 2, float_at(below, four), leftmost);
}

enum { APART = 40, ARRAYS = 3, NODES = 4 };

static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address >> APART << APART);
    allocation->end = allocation->begin + 4 * (int64_t)WIDTH * HEIGHT;
    return true;
}

struct arguments {
    uint64_t in, heat, out;
    int32_t width, height;
    float step;
};

static int by_time(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t times[ROUNDS];

static double median_us(size_t count) {
    qsort(times, count, sizeof *times, by_time);
    return (double)times[count / 2] / 1e3;
}

static void must(bool done) {
    if (!done)
        abort();
}

static struct arguments stencil_arguments(uint32_t round) {
    return (struct arguments){.in = (uint64_t)(1 + round % 2) << APART,
                              .heat = (uint64_t)3 << APART,
                              .out = (uint64_t)(2 - round % 2) << APART,
                              .width = WIDTH,
                              .height = HEIGHT,
                              .step = (float)round};
}

// Each launch has a height of its own.
static double measure_footprint(void) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&stencil.program);
    struct gcl_memory memory = {.find = find};
    must(evaluator != NULL);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct arguments arguments = stencil_arguments(i);
        arguments.height -= (int32_t)(i % 1024);
        struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                         .geometry.block = {32, 8, 1},
                                         .geometry.grid = {WIDTH / 32, HEIGHT / 8, 1},
                                         .begin = {0, HEIGHT / 32, 0},
                                         .end = {WIDTH / 32, HEIGHT / 16, 1}};
        struct gcl_footprint footprint;
        uint64_t begin_ns = gcl_clock_ns();
        must(gcl_footprint_find(evaluator, &launch, &memory, &footprint));
        times[i] = gcl_clock_ns() - begin_ns;
        gcl_footprint_finish(&footprint);
    }
    gcl_evaluator_destroy(evaluator);
    return median_us(ROUNDS);
}

/// Launches in a row of one kernel, number `round`.
struct sequence {
    const char *name;
    struct kernel *kernel;
    struct gcl_geometry geometry;
    struct arguments (*arguments)(uint32_t round);
    uint32_t rounds;
    double wanted_us;
};

static struct arguments eliminate_at(uint32_t k) {
    return (struct arguments){.in = (uint64_t)1 << APART,
                              .heat = (uint64_t)2 << APART,
                              .out = (uint64_t)3 << APART,
                              .width = STEPS + 1,
                              .height = (int32_t)k};
}

static struct arguments shrinking(uint32_t round) {
    return eliminate_at(round);
}

static struct arguments growing(uint32_t round) {
    return eliminate_at(STEPS - 1 - round);
}

// Another part of the arrays each time.
static struct arguments shifted(uint32_t round) {
    struct arguments arguments = eliminate_at(STEPS / 2);
    arguments.in += 4 * (uint64_t)(STEPS + 1) * round;
    arguments.heat += 4 * (uint64_t)(STEPS + 1) * round;
    arguments.out += 4 * (uint64_t)round;
    return arguments;
}

// Schedules that the sequence finds when it is gone through from the same state of memory.
static double measure(const struct sequence *sequence) {
    struct gcl_directory *directory = gcl_directory_create(NODES);
    for (uint64_t i = 1; i <= ARRAYS; i++)
        must(
            gcl_directory_add(directory, i << APART, (uint64_t)4 * WIDTH * HEIGHT, GCL_HOST_NEVER));
    struct gcl_schedule_memo *memo =
        gcl_schedule_memo_create(&sequence->kernel->program, directory, NULL);
    must(memo != NULL);
    for (uint32_t i = 0; i < sequence->rounds; i++) {
        struct arguments arguments = sequence->arguments(i);
        struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                         .geometry = sequence->geometry};
        for (unsigned a = 0; a < 3; a++)
            launch.end[a] = launch.geometry.grid[a];
        uint64_t begin_ns = gcl_clock_ns();
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        times[i] = gcl_clock_ns() - begin_ns;
        must(schedule && schedule->node_count == NODES);
        gcl_plan_commit(schedule->plan, directory);
    }
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
    return median_us(sequence->rounds);
}

int main(void) {
    const struct gcl_geometry by_32 = {.block = {32, 8, 1}, .grid = {WIDTH / 32, HEIGHT / 8, 1}};
    const struct gcl_geometry by_16 = {.block = {16, 16, 1},
                                       .grid = {STEPS / 16 + 1, STEPS / 16 + 1, 1}};
    const struct sequence sequences[] = {
        {"stencil, two arrays change places", &stencil, by_32, stencil_arguments, ROUNDS, 2},
        {"elimination, fewer rows each time", &eliminate, by_16, shrinking, STEPS, 5},
        {"elimination, more rows each time", &eliminate, by_16, growing, STEPS, 5},
        {"elimination, at other bases", &eliminate, by_16, shifted, STEPS, 5},
    };
    build_stencil();
    build_eliminate();
    printf("medians in us, of %d launches, or of %d where each is another one\n", ROUNDS, STEPS);
    printf("  %-46s %8.2f (wanted: at most 20)\n", "footprint of a quarter of a stencil's blocks",
           measure_footprint());
    printf("schedules on %d nodes\n", NODES);
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        printf("  %-46s %8.2f (wanted: at most %g)\n", sequences[i].name, measure(&sequences[i]),
               sequences[i].wanted_us);
    return 0;
}
