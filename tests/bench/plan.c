// How long it takes to find what a launch touches: the first time, and, as part of its schedule on
// four nodes, again for the same shape.
//
//     ninja bench_plan
//
// The kernel has six arguments: a stencil of five points that reads two arrays and writes one, of
// `width` by `height` floats, with the arrays moving from launch to launch as in a time loop.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "plan/schedule/plan.h"
#include "plan/schedule/schedule_memo.h"

enum { ROUNDS = 20000, WIDTH = 4096, HEIGHT = 4096 };

static struct gcl_node nodes[64];
static struct gcl_guard guards[8];
static struct gcl_access accesses[8];
static const int64_t constants[] = {1, 4, -4};
static const struct gcl_base bases[] = {
    {GCL_BASE_ARGUMENT, 0, 0}, {GCL_BASE_ARGUMENT, 0, 8}, {GCL_BASE_ARGUMENT, 0, 16}};
static struct gcl_program program = {.nodes = nodes,
                                     .constants = constants,
                                     .guards = guards,
                                     .bases = bases,
                                     .accesses = accesses,
                                     .constant_count = 3,
                                     .base_count = 3};

static uint16_t node(enum gcl_node_kind kind, unsigned width, uint16_t a, uint16_t b) {
    nodes[program.node_count] = (struct gcl_node){(uint8_t)kind, (uint8_t)width, a, b, 0};
    return program.node_count++;
}

static uint16_t guard(enum gcl_guard_kind kind, uint16_t condition, uint16_t outer) {
    guards[program.guard_count] = (struct gcl_guard){(uint8_t)kind, 0, condition, outer};
    return program.guard_count++;
}

static void access(enum gcl_access_kind kind, uint16_t base, uint16_t offset, uint16_t inside) {
    accesses[program.access_count++] = (struct gcl_access){.kind = (uint8_t)kind,
                                                           .base = base,
                                                           .offset = offset,
                                                           .guard = inside,
                                                           .length = GCL_NONE,
                                                           .element = 4,
                                                           .size = 4};
}

// if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
//     out[y * width + x] = … in[…] … heat[y * width + x] …
static void build(void) {
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
        offsets[i] = node(GCL_NODE_MULTIPLY, 64, node(GCL_NODE_SEXT, 64, places[i], 0), four);
    for (unsigned i = 0; i < 5; i++)
        access(GCL_ACCESS_READ, 0, offsets[i], inside);
    access(GCL_ACCESS_READ, 1, offsets[0], inside);
    access(GCL_ACCESS_WRITE, 2, offsets[0], inside);
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

static double median_us(void) {
    qsort(times, ROUNDS, sizeof *times, by_time);
    return (double)times[ROUNDS / 2] / 1e3;
}

static struct arguments arguments_of(uint32_t round) {
    return (struct arguments){.in = (uint64_t)(1 + round % 2) << APART,
                              .heat = (uint64_t)3 << APART,
                              .out = (uint64_t)(2 - round % 2) << APART,
                              .width = WIDTH,
                              .height = HEIGHT,
                              .step = (float)round};
}

static void must(bool done) {
    if (!done)
        abort();
}

// Each launch has a height of its own.
static double measure_first(void) {
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program);
    struct gcl_memory memory = {.find = find};
    must(evaluator != NULL);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct arguments arguments = arguments_of(i);
        arguments.height -= (int32_t)(i % 1024);
        struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                         .geometry.block = {32, 8, 1},
                                         .geometry.grid = {WIDTH / 32, HEIGHT / 8, 1},
                                         .begin = {0, HEIGHT / 32, 0},
                                         .end = {WIDTH / 32, HEIGHT / 16, 1}};
        struct gcl_footprint footprint;
        uint64_t begin = gcl_clock_ns();
        must(gcl_footprint_find(evaluator, &launch, &memory, &footprint));
        times[i] = gcl_clock_ns() - begin;
        gcl_footprint_finish(&footprint);
    }
    gcl_evaluator_destroy(evaluator);
    return median_us();
}

static double measure_known(void) {
    struct gcl_directory *directory = gcl_directory_create(NODES);
    for (uint64_t i = 1; i <= ARRAYS; i++)
        must(
            gcl_directory_add(directory, i << APART, (uint64_t)4 * WIDTH * HEIGHT, GCL_HOST_NEVER));
    struct gcl_schedule_memo *memo = gcl_schedule_memo_create(&program, directory, NULL);
    must(memo != NULL);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct arguments arguments = arguments_of(i);
        struct gcl_launch_part launch = {.arguments = (const unsigned char *)&arguments,
                                         .geometry.block = {32, 8, 1},
                                         .geometry.grid = {WIDTH / 32, HEIGHT / 8, 1},
                                         .end = {WIDTH / 32, HEIGHT / 8, 1}};
        uint64_t begin = gcl_clock_ns();
        const struct gcl_schedule *schedule = gcl_schedule_memo_find(memo, &launch, GCL_NOBODY);
        times[i] = gcl_clock_ns() - begin;
        must(schedule && schedule->node_count == NODES);
        gcl_plan_commit(schedule->plan, directory);
    }
    gcl_schedule_memo_destroy(memo);
    gcl_directory_destroy(directory);
    return median_us();
}

int main(void) {
    build();
    printf("a stencil with 6 arguments (medians of %d)\n", ROUNDS);
    printf("  footprint of a quarter of its blocks, first time  %8.2f us (wanted: at most 20)\n",
           measure_first());
    printf("  schedule on 4 nodes, known shape                  %8.2f us (wanted: at most 2)\n",
           measure_known());
    return 0;
}
