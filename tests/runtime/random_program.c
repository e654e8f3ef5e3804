#include "random_program.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { STEPS = 4000, ENOUGH = 56 }; // iterations of a loop; nodes

static uint64_t state;

uint32_t random_below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((state >> 33) * limit) >> 31);
}

void random_start(uint64_t seed) {
    state = seed;
    random_below(2);
}

bool chance(uint32_t percent) {
    return random_below(100) < percent;
}

uint16_t add_node(struct program *p, enum gcl_node_kind kind, unsigned width, uint16_t a,
                  uint16_t b, uint16_t c) {
    assert_true(p->tables.node_count < NODES);
    p->nodes[p->tables.node_count] = (struct gcl_node){(uint8_t)kind, (uint8_t)width, a, b, c};
    return p->tables.node_count++;
}

uint16_t constant(struct program *p, int64_t value, unsigned width) {
    p->constants[p->tables.constant_count] = value;
    return add_node(p, GCL_NODE_CONSTANT, width, p->tables.constant_count++, 0, 0);
}

uint16_t add_guard(struct program *p, enum gcl_guard_kind kind, uint16_t node, uint16_t outer) {
    p->guards[p->tables.guard_count] = (struct gcl_guard){(uint8_t)kind, 0, node, outer};
    return p->tables.guard_count++;
}

void init_program(struct program *p) {
    memset(p, 0, sizeof *p);
    p->tables = (struct gcl_program){.nodes = p->nodes,
                                     .constants = p->constants,
                                     .guards = p->guards,
                                     .bases = p->bases,
                                     .accesses = p->accesses,
                                     .base_count = 1 + ARRAYS,
                                     .access_count = 1};
    for (uint16_t i = 0; i <= ARRAYS; i++)
        p->bases[i] = (struct gcl_base){GCL_BASE_ARGUMENT, 0, (uint16_t)(8 * (i + ARGUMENTS / 2))};
    p->accesses[0] = (struct gcl_access){
        .kind = GCL_ACCESS_WRITE, .guard = GCL_NONE, .length = GCL_NONE, .size = 4, .element = 4};
}

uint16_t add_load(struct program *p, unsigned array, unsigned width, uint16_t offset) {
    uint16_t access = p->tables.access_count++;
    assert_true(access < ACCESSES);
    p->accesses[access] = (struct gcl_access){.kind = GCL_ACCESS_READ,
                                              .base = (uint16_t)(1 + array),
                                              .offset = offset,
                                              .guard = GCL_NONE,
                                              .length = GCL_NONE,
                                              .element = (uint16_t)(width / 8),
                                              .size = width / 8};
    return add_node(p, GCL_NODE_LOAD, width, access, 0, 0);
}

// Threads one by one.

struct thread {
    const struct program *random;
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    uint32_t index[3];
    uint32_t block[3];
    int64_t iteration[GUARDS];
    int64_t last[GUARDS];
};

static uint64_t mask_of(unsigned width) {
    return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t signed_of(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t compute(const struct thread *t, uint16_t index);

// What a thread finds in memory: small numbers, and any.
static uint64_t data_of(const struct thread *t, uint16_t node) {
    uint64_t hash = node;
    for (unsigned i = 0; i < 3; i++)
        hash = (hash * 31 + t->index[i]) * 131 + t->block[i];
    for (unsigned i = 0; i < 4; i++)
        hash = hash * 257 + (uint64_t)t->iteration[i];
    hash *= 0x9e3779b97f4a7c15u;
    return hash >> 60 ? hash >> 58 : hash >> 20;
}

// Beyond the end of an array: anything.
static uint64_t loaded(const struct thread *t, uint16_t index) {
    const struct gcl_access *access = &t->program->accesses[t->program->nodes[index].a];
    uint64_t offset = compute(t, access->offset), value = 0;
    if (offset > ARRAY_BYTES - access->size)
        return data_of(t, index);
    memcpy(&value, t->random->arrays[access->base - 1] + offset, access->size);
    return value;
}

static uint64_t divide(enum gcl_node_kind kind, uint64_t a, uint64_t b, unsigned width) {
    int64_t sa = signed_of(a, width), sb = signed_of(b, width);
    if (b == 0)
        return 0;
    if (kind == GCL_NODE_UDIV)
        return a / b;
    if (kind == GCL_NODE_UREM)
        return a % b;
    if (sb == -1)
        return kind == GCL_NODE_SDIV ? -(uint64_t)sa : 0;
    return (uint64_t)(kind == GCL_NODE_SDIV ? sa / sb : sa % sb);
}

static uint64_t shift(enum gcl_node_kind kind, uint64_t a, uint64_t by, unsigned width) {
    if (kind == GCL_NODE_ASHR)
        return (uint64_t)(signed_of(a, width) >> (by < width ? by : width - 1));
    if (by >= width)
        return 0;
    return kind == GCL_NODE_SHL ? a << by : a >> by;
}

static uint64_t operate(const struct thread *t, const struct gcl_node *node) {
    unsigned width = t->program->nodes[node->a].width;
    uint64_t a = compute(t, node->a), b = 0;
    if (node->kind < GCL_NODE_ZEXT)
        b = compute(t, node->b);
    int64_t sa = signed_of(a, width), sb = signed_of(b, width);
    switch (node->kind) {
    case GCL_NODE_ADD:
        return a + b;
    case GCL_NODE_SUBTRACT:
        return a - b;
    case GCL_NODE_MULTIPLY:
        return a * b;
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
    case GCL_NODE_UREM:
    case GCL_NODE_SREM:
        return divide(node->kind, a, b, width);
    case GCL_NODE_SHL:
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
        return shift(node->kind, a, b, width);
    case GCL_NODE_AND:
        return a & b;
    case GCL_NODE_OR:
        return a | b;
    case GCL_NODE_XOR:
        return a ^ b;
    case GCL_NODE_UMIN:
        return a < b ? a : b;
    case GCL_NODE_UMAX:
        return a > b ? a : b;
    case GCL_NODE_SMIN:
        return sa < sb ? a : b;
    case GCL_NODE_SMAX:
        return sa > sb ? a : b;
    case GCL_NODE_EQ:
        return a == b;
    case GCL_NODE_ULT:
        return a < b;
    case GCL_NODE_SLT:
        return sa < sb;
    case GCL_NODE_SELECT:
        return compute(t, a ? node->b : node->c);
    case GCL_NODE_SEXT:
        return (uint64_t)sa;
    default: // GCL_NODE_ZEXT, GCL_NODE_TRUNC
        return a;
    }
}

static uint64_t compute(const struct thread *t, uint16_t index) {
    const struct gcl_node *node = &t->program->nodes[index];
    const struct gcl_launch_part *launch = t->launch;
    uint64_t value = 0;
    switch (node->kind) {
    case GCL_NODE_CONSTANT:
        value = (uint64_t)t->program->constants[node->a];
        break;
    case GCL_NODE_ARGUMENT:
        memcpy(&value, launch->arguments + node->a, node->width / 8);
        break;
    case GCL_NODE_THREAD_INDEX:
        value = t->index[node->a];
        break;
    case GCL_NODE_BLOCK_INDEX:
        value = t->block[node->a];
        break;
    case GCL_NODE_BLOCK_SIZE:
        value = launch->geometry.block[node->a];
        break;
    case GCL_NODE_GRID_SIZE:
        value = launch->geometry.grid[node->a];
        break;
    case GCL_NODE_GLOBAL_INDEX:
        value = t->block[node->a] * launch->geometry.block[node->a] + t->index[node->a];
        break;
    case GCL_NODE_ITERATION:
        value = (uint64_t)t->iteration[node->a];
        break;
    case GCL_NODE_LAST:
        value = (uint64_t)t->last[node->a];
        break;
    case GCL_NODE_LOAD:
        value = loaded(t, index);
        break;
    case GCL_NODE_UNKNOWN:
        value = data_of(t, index);
        break;
    default:
        value = operate(t, node);
    }
    return value & mask_of(node->width);
}

void touch(struct bytes *bytes, int64_t offset, int64_t length) {
    for (int64_t i = 0; i < length && !bytes->too_many; i++) {
        if (bytes->count == BYTES)
            bytes->too_many = true;
        else
            bytes->places[bytes->count++] = offset + i;
    }
}

// Runs the loops that aren't around the access.
static void end_loops(struct thread *t, struct bytes *bytes) {
    for (uint16_t g = 0; g < t->program->guard_count; g++) {
        const struct gcl_guard *guard = &t->program->guards[g];
        if (guard->kind != GCL_GUARD_LOOP || !t->random->ended[g])
            continue;
        for (t->iteration[g] = 0; compute(t, guard->node) && !bytes->too_many; t->iteration[g]++)
            bytes->too_many = t->iteration[g] > STEPS;
        t->last[g] = t->iteration[g];
    }
}

// Runs what stands inside of guards[chain[depth - 1]], …, guards[chain[0]].
static void run_inside(struct thread *t, const uint16_t *chain, unsigned depth,
                       struct bytes *bytes) {
    if (bytes->too_many || ++bytes->steps > 50 * STEPS) {
        bytes->too_many = true;
        return;
    }
    if (depth == 0) {
        end_loops(t, bytes);
        touch(bytes, (int64_t)compute(t, t->program->accesses[0].offset),
              t->program->accesses[0].size);
        return;
    }
    uint16_t index = chain[depth - 1];
    const struct gcl_guard *guard = &t->program->guards[index];
    if (guard->kind != GCL_GUARD_LOOP) {
        if (compute(t, guard->node) == (guard->kind == GCL_GUARD_HOLDS))
            run_inside(t, chain, depth - 1, bytes);
        return;
    }
    t->iteration[index] = 0;
    do {
        run_inside(t, chain, depth - 1, bytes);
        if (t->iteration[index] > STEPS)
            bytes->too_many = true;
    } while (!bytes->too_many && compute(t, guard->node) && (++t->iteration[index], true));
}

void run_threads(const struct program *random, const struct gcl_launch_part *launch,
                 struct bytes *bytes) {
    const struct gcl_program *p = &random->tables;
    bytes->count = bytes->steps = 0;
    bytes->too_many = false;
    uint16_t chain[GUARDS];
    unsigned depth = 0;
    for (uint16_t g = p->accesses[0].guard; g != GCL_NONE; g = p->guards[g].outer)
        chain[depth++] = g;
    struct thread t = {.random = random, .program = p, .launch = launch};
    const uint32_t *size = launch->geometry.block;
    for (t.block[2] = launch->begin[2]; t.block[2] < launch->end[2]; t.block[2]++)
        for (t.block[1] = launch->begin[1]; t.block[1] < launch->end[1]; t.block[1]++)
            for (t.block[0] = launch->begin[0]; t.block[0] < launch->end[0]; t.block[0]++)
                for (uint32_t i = 0; i < size[0] * size[1] * size[2]; i++) {
                    t.index[0] = i % size[0];
                    t.index[1] = i / size[0] % size[1];
                    t.index[2] = i / size[0] / size[1];
                    run_inside(&t, chain, depth, bytes);
                }
    sort_bytes(bytes);
}

static int by_place(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

void sort_bytes(struct bytes *bytes) {
    size_t count = 0;
    qsort(bytes->places, bytes->count, sizeof *bytes->places, by_place);
    for (size_t i = 0; i < bytes->count; i++) {
        if (count == 0 || bytes->places[count - 1] != bytes->places[i])
            bytes->places[count++] = bytes->places[i];
    }
    bytes->count = count;
}

bool holds_all(const struct bytes *outer, const struct bytes *inner) {
    size_t o = 0;
    for (size_t i = 0; i < inner->count; i++) {
        while (o < outer->count && outer->places[o] < inner->places[i])
            o++;
        if (o == outer->count || outer->places[o] != inner->places[i])
            return false;
    }
    return true;
}

static const char *const kind_names[] = {
    "constant",  "argument", "thread", "block",   "block_size", "grid_size", "global",
    "iteration", "last",     "load",   "unknown", "add",        "sub",       "mul",
    "udiv",      "sdiv",     "urem",   "srem",    "shl",        "lshr",      "ashr",
    "and",       "or",       "xor",    "umin",    "umax",       "smin",      "smax",
    "eq",        "ult",      "slt",    "select",  "zext",       "sext",      "trunc"};

void print_program(const struct program *random, const struct gcl_launch_part *l) {
    const struct gcl_program *p = &random->tables;
    for (unsigned i = 0; i < p->node_count; i++) {
        const struct gcl_node *n = &p->nodes[i];
        print_message("%%%u = %s.%u %u %u %u", i, kind_names[n->kind], n->width, n->a, n->b, n->c);
        if (n->kind == GCL_NODE_CONSTANT)
            print_message(" = %lld", (long long)p->constants[n->a]);
        print_message("\n");
    }
    for (unsigned i = 0; i < p->guard_count; i++)
        print_message("guard %u: kind %u node %u outer %u\n", i, p->guards[i].kind,
                      p->guards[i].node, p->guards[i].outer);
    print_message("offset %u guard %u block %ux%ux%u grid %ux%ux%u begin %u %u %u end %u %u %u\n",
                  p->accesses[0].offset, p->accesses[0].guard, l->geometry.block[0],
                  l->geometry.block[1], l->geometry.block[2], l->geometry.grid[0],
                  l->geometry.grid[1], l->geometry.grid[2], l->begin[0], l->begin[1], l->begin[2],
                  l->end[0], l->end[1], l->end[2]);
    for (unsigned i = 0; i < ARGUMENTS; i++)
        print_message("argument %u: %d\n", 4 * i, ((const int32_t *)(const void *)l->arguments)[i]);
}

void print_places(const char *whose, const struct bytes *bytes) {
    print_message("%s:", whose);
    for (size_t i = 0; i < bytes->count; i++) {
        if (i == 0 || bytes->places[i - 1] + 1 != bytes->places[i])
            print_message(" %lld", (long long)bytes->places[i]);
    }
    print_message("\n");
}

// Random programs.

uint64_t place_of(unsigned base) {
    return (uint64_t)(base + 1) * PLACE;
}

bool find_program_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    uint64_t base = address / PLACE - 1;
    (void)context;
    if (address < PLACE || base > ARRAYS)
        return false;
    allocation->begin = (int64_t)place_of((unsigned)base);
    allocation->end = allocation->begin + (base == 0 ? 2 * MIDDLE : ARRAY_BYTES);
    return (int64_t)address < allocation->end;
}

struct gcl_launch_part random_launch(void) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 32};
    struct gcl_launch_part launch = {0};
    for (unsigned axis = 0; axis < 3; axis++) {
        uint32_t most = axis == 0 ? 8 : axis == 1 ? 4 : 2;
        launch.geometry.block[axis] = chance(60) || axis == 0 ? sizes[random_below(most)] : 1;
        launch.geometry.grid[axis] = chance(60) || axis == 0 ? 1 + random_below(most) : 1;
        launch.begin[axis] = random_below(launch.geometry.grid[axis]);
        launch.end[axis] =
            launch.begin[axis] + 1 + random_below(launch.geometry.grid[axis] - launch.begin[axis]);
    }
    return launch;
}

static enum random_kind with;

static uint16_t random_leaf(struct program *p, uint16_t loop);

static uint16_t load_element(struct program *p, unsigned array, unsigned width, uint16_t index) {
    uint16_t offset = add_node(p, GCL_NODE_ZEXT, 64, index, 0, 0);
    offset = add_node(p, GCL_NODE_MULTIPLY, 64, offset, constant(p, width / 8, 64), 0);
    return add_load(p, array, width, offset);
}

// Nearly always an element that there is.
static uint16_t random_load(struct program *p, uint16_t loop) {
    unsigned array = random_below(ARRAYS), width = array == 2 ? 8 : 32;
    uint16_t index = random_leaf(p, loop);
    if (chance(97))
        index = add_node(p, GCL_NODE_UREM, 32, index, constant(p, 8 * ARRAY_BYTES / width, 32), 0);
    uint16_t value = load_element(p, array, width, index);
    return width == 32 ? value : add_node(p, GCL_NODE_ZEXT, 32, value, 0, 0);
}

static uint16_t random_leaf(struct program *p, uint16_t loop) {
    if (with == RANDOM_DATA_LOADED && chance(20) && p->tables.access_count < ACCESSES - 4)
        return random_load(p, loop);
    if ((with == RANDOM_DATA_UNKNOWN && chance(15)) || (with == RANDOM_DATA_LOADED && chance(2))) {
        uint16_t data = add_node(p, GCL_NODE_UNKNOWN, chance(50) ? 8 : 32, 0, 0, 0);
        return p->nodes[data].width == 32 ? data : add_node(p, GCL_NODE_ZEXT, 32, data, 0, 0);
    }
    switch (random_below(loop != GCL_NONE ? 8 : 7)) {
    case 0:
        return constant(p, chance(70) ? random_below(10) : random_below(200) - 100, 32);
    case 1:
        return add_node(p, GCL_NODE_ARGUMENT, 32, (uint16_t)(4 * random_below(ARGUMENTS)), 0, 0);
    case 2:
        return add_node(p, GCL_NODE_THREAD_INDEX, 32, (uint16_t)random_below(3), 0, 0);
    case 3:
        return add_node(p, GCL_NODE_BLOCK_INDEX, 32, (uint16_t)random_below(3), 0, 0);
    case 4:
        return add_node(p, GCL_NODE_BLOCK_SIZE + random_below(2), 32, (uint16_t)random_below(3), 0,
                        0);
    case 5:
    case 6:
        return add_node(p, GCL_NODE_GLOBAL_INDEX, 32, (uint16_t)random_below(3), 0, 0);
    default:
        return add_node(p, GCL_NODE_ITERATION, 32, loop, 0, 0);
    }
}

static uint16_t random_value(struct program *p, unsigned depth, uint16_t loop);

static uint16_t random_condition(struct program *p, unsigned depth, uint16_t loop) {
    static const enum gcl_node_kind comparisons[] = {GCL_NODE_SLT, GCL_NODE_SLT, GCL_NODE_ULT,
                                                     GCL_NODE_EQ};
    if (depth > 0 && chance(15)) {
        uint16_t a = random_condition(p, depth - 1, loop);
        uint16_t b = random_condition(p, depth - 1, loop);
        return add_node(p, GCL_NODE_AND + random_below(3), 1, a, b, 0);
    }
    uint16_t a = random_value(p, depth, loop), b = random_value(p, depth > 0 ? depth - 1 : 0, loop);
    return add_node(p, comparisons[random_below(4)], 1, a, b, 0);
}

// Bits of a product, as places in tables are found.
static uint16_t random_hash(struct program *p, uint16_t key) {
    uint16_t factor = constant(p, 3 + 2 * random_below(40), 32);
    uint16_t mask = constant(p, (2 << random_below(6)) - 1, 32);
    return add_node(p, GCL_NODE_AND, 32, add_node(p, GCL_NODE_MULTIPLY, 32, key, factor, 0), mask,
                    0);
}

// Numbers of 64 bits, also those that only a type without sign has.
static int64_t random_wide(void) {
    int64_t value = (int64_t)((uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX));
    return chance(30) ? value : chance(50) ? value >> random_below(60) : random_below(200) - 100;
}

// Computed in 64 bits, cut off to 32.
static uint16_t random_detour(struct program *p, unsigned depth, uint16_t loop) {
    uint16_t narrow = random_value(p, depth, loop);
    uint16_t a = chance(30)
                     ? constant(p, random_wide(), 64)
                     : add_node(p, chance(50) ? GCL_NODE_SEXT : GCL_NODE_ZEXT, 64, narrow, 0, 0);
    for (uint32_t n = 1 + random_below(2); n > 0; n--) {
        uint16_t b = constant(p, random_wide(), 64);
        uint32_t what = random_below(10);
        if (what < 3)
            a = add_node(p, GCL_NODE_ADD + random_below(3), 64, a, b, 0);
        else if (what < 8)
            a = add_node(p, GCL_NODE_UDIV + random_below(14), 64, a, b, 0);
        else
            a = add_node(p, GCL_NODE_SELECT, 64,
                         add_node(p, GCL_NODE_EQ + random_below(3), 1, a, b, 0), a,
                         constant(p, random_wide(), 64));
    }
    return add_node(p, GCL_NODE_TRUNC, 32, a, 0, 0);
}

// An integer of 32 bits.
static uint16_t random_value(struct program *p, unsigned depth, uint16_t loop) {
    if (depth > 0 && with == RANDOM_WIDE && p->tables.node_count < ENOUGH - 10 && chance(25))
        return random_detour(p, depth - 1, loop);
    if (depth == 0 || p->tables.node_count > ENOUGH || chance(15))
        return random_leaf(p, loop);
    uint16_t a = random_value(p, depth - 1, loop), b;
    uint32_t what = random_below(100);
    if (what < 8) {
        b = random_condition(p, depth - 1, loop);
        uint16_t c = random_value(p, depth - 1, loop);
        return add_node(p, GCL_NODE_SELECT, 32, b, a, c);
    }
    if (what < 12)
        return random_hash(p, a);
    if (what < 30) // by what is the same for all threads
        b = chance(50) ? constant(p, 1 + random_below(chance(30) ? 40 : 9), 32)
                       : add_node(p, GCL_NODE_ARGUMENT, 32, (uint16_t)(4 * random_below(3)), 0, 0);
    else
        b = random_value(p, depth - 1, loop);
    if (what < 25)
        return add_node(p, GCL_NODE_MULTIPLY + random_below(5), 32, a, b, 0);
    if (what < 30)
        return add_node(p, GCL_NODE_SHL + random_below(6), 32, a, b, 0);
    if (what < 35)
        return add_node(p, GCL_NODE_UMIN + random_below(4), 32, a, b, 0);
    if (what < 38)
        return add_node(p, GCL_NODE_MULTIPLY + random_below(12), 32, a, b, 0);
    return add_node(p, GCL_NODE_ADD + (what > 85), 32, a, b, 0);
}

static uint16_t narrowed(struct program *p, uint16_t value, unsigned width) {
    return width == 32 ? value : add_node(p, GCL_NODE_TRUNC, width, value, 0, 0);
}

// Whether a loop goes on that counts from `begin` by `step`, rotated or not, all of `width` bits.
static uint16_t counted(struct program *p, uint16_t loop, unsigned width, const uint16_t range[3]) {
    uint16_t begin = narrowed(p, range[0], width), end = narrowed(p, range[1], width);
    uint16_t step = narrowed(p, range[2], width);
    if (width == 8 && chance(60)) // which may wrap around
        step = constant(p, 1 + random_below(120), width);
    uint16_t k = narrowed(p, add_node(p, GCL_NODE_ITERATION, 32, loop, 0, 0), width);
    uint16_t way = add_node(p, GCL_NODE_MULTIPLY, width, k, step, 0);
    bool down = chance(20);
    enum gcl_node_kind go = down ? GCL_NODE_SUBTRACT : GCL_NODE_ADD;
    uint16_t tested = add_node(p, go, width, begin, way, 0);
    if (chance(70))
        tested = add_node(p, go, width, tested, step, 0);
    uint32_t how = random_below(4);
    enum gcl_node_kind kind = how == 1 ? GCL_NODE_ULT : GCL_NODE_SLT;
    if (chance(70)) {
        uint16_t enters =
            down ? add_node(p, kind, 1, end, begin, 0) : add_node(p, kind, 1, begin, end, 0);
        p->guards[loop].outer = add_guard(p, GCL_GUARD_HOLDS, enters, p->guards[loop].outer);
    }
    if (how > 0)
        return down ? add_node(p, kind, 1, end, tested, 0) : add_node(p, kind, 1, tested, end, 0);
    uint16_t ends = add_node(p, GCL_NODE_EQ, 1, tested, end, 0);
    return add_node(p, GCL_NODE_XOR, 1, ends, constant(p, 1, 1), 0);
}

// Around the access: a loop as compilers leave it, rotated or not.
static uint16_t random_loop(struct program *p, uint16_t outer, uint16_t outer_loop) {
    uint16_t loop = add_guard(p, GCL_GUARD_LOOP, GCL_NONE, outer);
    uint16_t begin = random_value(p, 1, outer_loop), end = random_value(p, 1, outer_loop);
    if (with == RANDOM_DATA_LOADED && chance(40)) { // for (k = row[i]; k < row[i + 1]; …
        uint16_t row =
            add_node(p, GCL_NODE_UREM, 32, begin, constant(p, ARRAY_BYTES / 4 - 1, 32), 0);
        begin = load_element(p, 0, 32, row);
        end = load_element(p, 0, 32, add_node(p, GCL_NODE_ADD, 32, row, constant(p, 1, 32), 0));
    }
    uint16_t step = chance(60) ? constant(p, chance(80) ? 1 : 1 + random_below(5), 32)
                               : random_value(p, 1, outer_loop);
    uint16_t condition;
    if (chance(15)) {
        uint16_t k = add_node(p, GCL_NODE_ITERATION, 32, loop, 0, 0);
        uint16_t i = add_node(p, chance(50) ? GCL_NODE_LSHR : GCL_NODE_ASHR, 32, begin, k, 0);
        uint16_t next = add_node(p, GCL_NODE_LSHR, 32, i, constant(p, 1, 32), 0);
        condition = add_node(p, GCL_NODE_SLT, 1, constant(p, 0, 32), next, 0);
    } else {
        const uint16_t range[] = {begin, end, step};
        condition = counted(p, loop, chance(20) ? 8 : 32, range);
    }
    if (chance(10)) {
        uint16_t more = random_condition(p, 1, loop);
        condition = add_node(p, GCL_NODE_AND, 1, condition, more, 0);
    }
    p->guards[loop].node = condition;
    return loop;
}

// Rows that end where the next begins; numbers, most of them small; bytes.
static void fill_arrays(struct program *p) {
    int32_t row = 0, number;
    for (size_t i = 0; i < ARRAY_BYTES; i += 4) {
        memcpy(p->arrays[0] + i, &row, 4);
        row += (int32_t)random_below(chance(10) ? 12 : 4);
        number = (int32_t)random_below(60) - (chance(3) ? 1000 : 0);
        memcpy(p->arrays[1] + i, &number, 4);
    }
    for (size_t i = 0; i < ARRAY_BYTES; i++)
        p->arrays[2][i] = (unsigned char)random_below(40);
}

void random_program(struct program *p, enum random_kind data) {
    with = data;
    init_program(p);
    if (data == RANDOM_DATA_LOADED)
        fill_arrays(p);
    uint16_t guard = GCL_NONE, loop = GCL_NONE;
    for (uint32_t n = random_below(4); n > 0; n--) {
        if (chance(40) && p->tables.guard_count < 4)
            guard = loop = random_loop(p, guard, loop);
        else
            guard = add_guard(p, chance(70) ? GCL_GUARD_HOLDS : GCL_GUARD_FAILS,
                              random_condition(p, 2, loop), guard);
    }
    uint16_t index = random_value(p, 3, loop);
    if (chance(15) && p->tables.node_count < ENOUGH) {
        uint16_t before = random_loop(p, GCL_NONE, GCL_NONE);
        p->ended[before] = true;
        uint16_t last = add_node(p, GCL_NODE_LAST, 32, before, 0, 0);
        index = add_node(p, GCL_NODE_ADD, 32, index, last, 0);
    }
    index = add_node(p, chance(60) ? GCL_NODE_SEXT : GCL_NODE_ZEXT, 64, index, 0, 0);
    p->accesses[0].offset = add_node(p, GCL_NODE_MULTIPLY, 64, index, constant(p, 4, 64), 0);
    p->accesses[0].guard = guard;
}
