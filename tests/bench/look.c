// How far looking up is from reading at the speed of memory: for each element of an index array,
// nanoseconds that one thread takes, going through the access program and by the look that the
// compiler makes of it, to find the places of
//
//     gather   … x[index[i]] …                          for i < n
//     scatter  y[index[i]] = …                          for i < n
//     rows     … x[column[k]] …  for k from row[i] to row[i + 1], ROW of them on average
//     values   … x[k] …          for the same k
//
// with indices that are near i (a band of a matrix) or anywhere; and how many times as long that is
// as a sum over the same array; `regions` is what it takes to make one of what was found.
//
//     ninja bench_look
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../look/jit.h"
#include "base/processor.h"
#include "plan/inspect/inspect.h"

enum { N = 1 << 22, ROW = 16, BAND = 512, ROUNDS = 9, APART = 40, BLOCK = 256 };

enum base { X, INDEX, ROWS, BASES };

static struct gcl_node nodes[64];
static struct gcl_guard guards[8];
static struct gcl_access accesses[8];
static const int64_t constants[] = {1, 4, N, N / ROW};
static const struct gcl_base bases[BASES] = {
    {GCL_BASE_ARGUMENT, 0, 0}, {GCL_BASE_ARGUMENT, 0, 8}, {GCL_BASE_ARGUMENT, 0, 16}};
static struct gcl_program program = {.nodes = nodes,
                                     .constants = constants,
                                     .guards = guards,
                                     .bases = bases,
                                     .accesses = accesses,
                                     .constant_count = 4,
                                     .base_count = BASES};
static uint32_t numbers[BASES][N + 1];

static uint16_t node(enum gcl_node_kind kind, unsigned width, uint16_t a, uint16_t b) {
    nodes[program.node_count] = (struct gcl_node){(uint8_t)kind, (uint8_t)width, a, b, 0};
    return program.node_count++;
}

static uint16_t guard(enum gcl_guard_kind kind, uint16_t condition, uint16_t outer) {
    guards[program.guard_count] = (struct gcl_guard){(uint8_t)kind, 0, condition, outer};
    return program.guard_count++;
}

/// An access to element `index` of an array.
static uint16_t access(enum gcl_access_kind kind, enum base base, uint16_t index, uint16_t inside) {
    uint16_t wide = node(GCL_NODE_SEXT, 64, index, 0);
    uint16_t four = node(GCL_NODE_CONSTANT, 64, 1, 0);
    accesses[program.access_count] =
        (struct gcl_access){.kind = (uint8_t)kind,
                            .base = (uint16_t)base,
                            .offset = node(GCL_NODE_MULTIPLY, 64, wide, four),
                            .guard = inside,
                            .length = GCL_NONE,
                            .element = 4,
                            .size = 4};
    return program.access_count++;
}

static uint16_t load(enum base base, uint16_t index, uint16_t inside) {
    return node(GCL_NODE_LOAD, 32, access(GCL_ACCESS_READ, base, index, inside), 0);
}

static uint16_t start(uint16_t limit, uint16_t *inside) {
    program.node_count = program.guard_count = program.access_count = 0;
    uint16_t i = node(GCL_NODE_GLOBAL_INDEX, 32, 0, 0);
    uint16_t n = node(GCL_NODE_CONSTANT, 32, limit, 0);
    *inside = guard(GCL_GUARD_HOLDS, node(GCL_NODE_SLT, 1, i, n), GCL_NONE);
    return i;
}

static uint16_t build_single(enum gcl_access_kind kind) {
    uint16_t inside, i = start(2, &inside);
    return access(kind, X, load(INDEX, i, inside), inside);
}

static uint16_t build_rows(bool has_columns) {
    uint16_t inside, i = start(3, &inside);
    uint16_t one = node(GCL_NODE_CONSTANT, 32, 0, 0);
    uint16_t begin = load(ROWS, i, inside);
    uint16_t end = load(ROWS, node(GCL_NODE_ADD, 32, i, one), inside);
    uint16_t is_any = guard(GCL_GUARD_HOLDS, node(GCL_NODE_SLT, 1, begin, end), inside);
    uint16_t loop = guard(GCL_GUARD_LOOP, GCL_NONE, is_any);
    uint16_t k = node(GCL_NODE_ADD, 32, begin, node(GCL_NODE_ITERATION, 32, loop, 0));
    guards[loop].node = node(GCL_NODE_SLT, 1, node(GCL_NODE_ADD, 32, k, one), end);
    return access(GCL_ACCESS_READ, X, has_columns ? load(INDEX, k, loop) : k, loop);
}

static bool find(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address >> APART << APART);
    allocation->end = allocation->begin + (int64_t)sizeof numbers[0];
    return true;
}

static void must(bool done) {
    if (!done)
        abort();
}

static uint64_t state = 1;

static uint32_t below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 32) * limit >> 32);
}

static void fill(bool is_near) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < N; i++) {
        uint32_t place = i + below(2 * BAND);
        numbers[INDEX][i] = is_near ? (place < BAND       ? 0
                                       : place - BAND < N ? place - BAND
                                                          : N - 1)
                                    : below(N);
    }
    for (uint32_t i = 0; i <= N / ROW; i++) {
        numbers[ROWS][i] = end;
        end += below(2 * ROW + 1);
        end = end > N ? N : end;
    }
}

/// The thread's, since others may have the processor meanwhile.
static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// Nanoseconds for all elements.
static uint64_t read_once(void) {
    uint64_t begin = now_ns();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += numbers[INDEX][i];
    volatile uint32_t result = sum;
    (void)result;
    return now_ns() - begin;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/// Nanoseconds that it takes to look an access up, and to make regions of that.
struct times {
    uint64_t look, tell;
};

static struct times look_up(const struct gcl_inspect_input *input) {
    struct times times = {UINT64_MAX, UINT64_MAX};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct gcl_marked marked;
        struct gcl_inspection found;
        uint64_t begin = now_ns();
        must(gcl_inspect(input, &marked) == GCL_INSPECTED_FOUND);
        uint64_t middle = now_ns();
        must(gcl_marked_tell(&marked, false, &found));
        times.look = least(times.look, middle - begin);
        times.tell = least(times.tell, now_ns() - middle);
        gcl_inspection_finish(&found);
    }
    return times;
}

static void measure(const char *what, uint16_t access_number, uint32_t threads, bool is_near) {
    const uint64_t arguments[] = {(uint64_t)1 << APART, (uint64_t)2 << APART, (uint64_t)3 << APART};
    const struct gcl_memory memory = {.find = find};
    const struct gcl_launch_part launch = {.arguments = (const unsigned char *)arguments,
                                           .geometry.block = {BLOCK, 1, 1},
                                           .geometry.grid = {threads / BLOCK, 1, 1},
                                           .end = {threads / BLOCK, 1, 1}};
    struct gcl_contents contents = {.memory = &memory, .may_read = true, .is_given = true};
    const struct gcl_region all = gcl_region_run(0, (int64_t)sizeof numbers[0]);
    struct gcl_origins origins;
    uint64_t read = UINT64_MAX;
    fill(is_near);
    must(gcl_origins_find(&program, access_number, &origins));
    for (unsigned b = INDEX; b < BASES; b++) {
        struct gcl_span allocation;
        find(NULL, arguments[b], &allocation);
        must(gcl_contents_give(&contents, &allocation, (const unsigned char *)numbers[b], &all));
    }
    const struct gcl_inspect_input input = {&program,  access_number, &launch,
                                            &contents, &origins,      1};
    for (unsigned round = 0; round < ROUNDS; round++)
        read = least(read, read_once());
    const struct times through = look_up(&input);
    struct jit *jit = jit_create(&program, gcl_processor_level());
    const struct times compiled = look_up(&input);
    jit_destroy(jit);
    printf("%-8s %-9s %5.2f ns an element by the program, %5.2f compiled: %4.1f and %4.1f times as "
           "long as to read it; regions %.2f ns\n",
           what, is_near ? "near" : "anywhere", (double)through.look / N, (double)compiled.look / N,
           (double)through.look / (double)read, (double)compiled.look / (double)read,
           (double)compiled.tell / N);
    gcl_origins_finish(&origins);
    gcl_contents_finish(&contents);
}

int main(void) {
    for (int is_near = 1; is_near >= 0; is_near--) {
        measure("gather", build_single(GCL_ACCESS_READ), N, is_near);
        measure("scatter", build_single(GCL_ACCESS_WRITE), N, is_near);
        measure("rows", build_rows(true), N / ROW, is_near);
        measure("values", build_rows(false), N / ROW, is_near);
    }
    return 0;
}
