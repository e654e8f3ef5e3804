// Access programs against threads that run one by one: random programs, launches and ranges of
// blocks. What the evaluation says must hold every byte that a thread touches, and no other where
// it says that it is exact.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/evaluate.h"

enum { NODES = 96, GUARDS = 12, CONSTANTS = 64, ARGUMENTS = 6, STEPS = 4000, BYTES = 1 << 17 };

// Programs.

struct program {
    struct gcl_program tables;
    struct gcl_node nodes[NODES];
    struct gcl_guard guards[GUARDS];
    int64_t constants[CONSTANTS];
    struct gcl_base base;
    struct gcl_access access;
};

static uint64_t state;

static uint32_t random_below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((state >> 33) * limit) >> 31);
}

static bool chance(uint32_t percent) {
    return random_below(100) < percent;
}

static uint16_t add_node(struct program *p, enum gcl_node_kind kind, unsigned width, uint16_t a,
                         uint16_t b, uint16_t c) {
    assert_true(p->tables.node_count < NODES);
    p->nodes[p->tables.node_count] = (struct gcl_node){(uint8_t)kind, (uint8_t)width, a, b, c};
    return p->tables.node_count++;
}

static uint16_t constant(struct program *p, int64_t value, unsigned width) {
    p->constants[p->tables.constant_count] = value;
    return add_node(p, GCL_NODE_CONSTANT, width, p->tables.constant_count++, 0, 0);
}

static uint16_t add_guard(struct program *p, enum gcl_guard_kind kind, uint16_t node,
                          uint16_t outer) {
    p->guards[p->tables.guard_count] = (struct gcl_guard){(uint8_t)kind, 0, node, outer};
    return p->tables.guard_count++;
}

static void init_program(struct program *p) {
    memset(p, 0, sizeof *p);
    p->tables = (struct gcl_program){.nodes = p->nodes,
                                     .constants = p->constants,
                                     .guards = p->guards,
                                     .bases = &p->base,
                                     .accesses = &p->access,
                                     .base_count = 1,
                                     .access_count = 1};
    p->access = (struct gcl_access){
        .kind = GCL_ACCESS_WRITE, .guard = GCL_NONE, .length = GCL_NONE, .size = 4, .element = 4};
}

// Threads one by one.

static bool ended[GUARDS]; // loops behind which the access stands

struct thread {
    const struct gcl_program *program;
    const struct gcl_launch *launch;
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
    const struct gcl_launch *launch = t->launch;
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
        value = launch->block_size[node->a];
        break;
    case GCL_NODE_GRID_SIZE:
        value = launch->grid_size[node->a];
        break;
    case GCL_NODE_GLOBAL_INDEX:
        value = t->block[node->a] * launch->block_size[node->a] + t->index[node->a];
        break;
    case GCL_NODE_ITERATION:
        value = (uint64_t)t->iteration[node->a];
        break;
    case GCL_NODE_LAST:
        value = (uint64_t)t->last[node->a];
        break;
    case GCL_NODE_UNKNOWN:
        value = data_of(t, index);
        break;
    default:
        value = operate(t, node);
    }
    return value & mask_of(node->width);
}

struct bytes {
    int64_t places[BYTES];
    size_t count;
    unsigned steps;
    bool too_many;
};

static void touch(struct bytes *bytes, int64_t offset, int64_t length) {
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
        if (guard->kind != GCL_GUARD_LOOP || !ended[g])
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

static void run_threads(const struct gcl_program *p, const struct gcl_launch *launch,
                        struct bytes *bytes) {
    uint16_t chain[GUARDS];
    unsigned depth = 0;
    for (uint16_t g = p->accesses[0].guard; g != GCL_NONE; g = p->guards[g].outer)
        chain[depth++] = g;
    struct thread t = {.program = p, .launch = launch};
    const uint32_t *size = launch->block_size;
    for (t.block[2] = launch->begin[2]; t.block[2] < launch->end[2]; t.block[2]++)
        for (t.block[1] = launch->begin[1]; t.block[1] < launch->end[1]; t.block[1]++)
            for (t.block[0] = launch->begin[0]; t.block[0] < launch->end[0]; t.block[0]++)
                for (uint32_t i = 0; i < size[0] * size[1] * size[2]; i++) {
                    t.index[0] = i % size[0];
                    t.index[1] = i / size[0] % size[1];
                    t.index[2] = i / size[0] / size[1];
                    run_inside(&t, chain, depth, bytes);
                }
}

// What the evaluation says.

struct answer {
    struct bytes bytes;
    bool everywhere;
    bool exact;
    unsigned pieces;
};

static void add_dimension(struct bytes *bytes, const struct gcl_bytes *piece, unsigned d,
                          int64_t offset) {
    if (d == piece->dimensions) {
        touch(bytes, offset, piece->length);
        return;
    }
    for (int64_t i = 0; i < piece->count[d] && !bytes->too_many; i++)
        add_dimension(bytes, piece, d + 1, offset + i * piece->stride[d]);
}

static void collect(void *context, const struct gcl_bytes *piece) {
    struct answer *answer = context;
    answer->pieces++;
    answer->exact = answer->exact && piece->certainty == GCL_CERTAINTY_EXACT;
    answer->everywhere = answer->everywhere || piece->everywhere;
    if (!piece->everywhere)
        add_dimension(&answer->bytes, piece, 0, piece->offset);
}

static int by_place(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_bytes(struct bytes *bytes) {
    size_t count = 0;
    qsort(bytes->places, bytes->count, sizeof *bytes->places, by_place);
    for (size_t i = 0; i < bytes->count; i++) {
        if (count == 0 || bytes->places[count - 1] != bytes->places[i])
            bytes->places[count++] = bytes->places[i];
    }
    bytes->count = count;
}

static bool holds_all(const struct bytes *outer, const struct bytes *inner) {
    size_t o = 0;
    for (size_t i = 0; i < inner->count; i++) {
        while (o < outer->count && outer->places[o] < inner->places[i])
            o++;
        if (o == outer->count || outer->places[o] != inner->places[i])
            return false;
    }
    return true;
}

static struct bytes touched;
static struct answer answer;

static const char *const kind_names[] = {
    "constant",  "argument", "thread", "block",   "block_size", "grid_size", "global",
    "iteration", "last",     "load",   "unknown", "add",        "sub",       "mul",
    "udiv",      "sdiv",     "urem",   "srem",    "shl",        "lshr",      "ashr",
    "and",       "or",       "xor",    "umin",    "umax",       "smin",      "smax",
    "eq",        "ult",      "slt",    "select",  "zext",       "sext",      "trunc"};

static void print_program(const struct gcl_program *p, const struct gcl_launch *l) {
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
                  p->accesses[0].offset, p->accesses[0].guard, l->block_size[0], l->block_size[1],
                  l->block_size[2], l->grid_size[0], l->grid_size[1], l->grid_size[2], l->begin[0],
                  l->begin[1], l->begin[2], l->end[0], l->end[1], l->end[2]);
    for (unsigned i = 0; i < ARGUMENTS; i++)
        print_message("argument %u: %d\n", 4 * i, ((const int32_t *)(const void *)l->arguments)[i]);
}

static void print_places(const char *whose, const struct bytes *bytes) {
    print_message("%s:", whose);
    for (size_t i = 0; i < bytes->count; i++) {
        if (i == 0 || bytes->places[i - 1] + 1 != bytes->places[i])
            print_message(" %lld", (long long)bytes->places[i]);
    }
    print_message("\n");
}

// Compares the evaluation with the threads; false if that would take too long.
static bool check_program(const struct gcl_program *p, const struct gcl_launch *launch) {
    touched.count = touched.steps = 0;
    touched.too_many = false;
    run_threads(p, launch, &touched);
    if (touched.too_many)
        return false;
    memset(&answer, 0, offsetof(struct answer, bytes.places));
    answer.bytes.count = answer.bytes.steps = 0;
    answer.bytes.too_many = answer.everywhere = false;
    answer.exact = true;
    answer.pieces = 0;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(p);
    gcl_evaluate(evaluator, 0, launch, collect, &answer);
    gcl_evaluator_destroy(evaluator);
    if (answer.bytes.too_many && !answer.exact)
        return false;
    sort_bytes(&touched);
    sort_bytes(&answer.bytes);
    bool all = answer.everywhere || holds_all(&answer.bytes, &touched);
    bool none_else = !answer.exact || holds_all(&touched, &answer.bytes);
    if (!all || !none_else) {
        print_program(p, launch);
        print_places("threads", &touched);
        print_places("evaluation", &answer.bytes);
        fail_msg("%s",
                 all ? "bytes that no thread touches" : "bytes that threads touch are missing");
    }
    return true;
}

// Random programs.

static struct gcl_launch random_launch(void) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 32};
    struct gcl_launch launch = {0};
    for (unsigned axis = 0; axis < 3; axis++) {
        uint32_t most = axis == 0 ? 8 : axis == 1 ? 4 : 2;
        launch.block_size[axis] = chance(60) || axis == 0 ? sizes[random_below(most)] : 1;
        launch.grid_size[axis] = chance(60) || axis == 0 ? 1 + random_below(most) : 1;
        launch.begin[axis] = random_below(launch.grid_size[axis]);
        launch.end[axis] =
            launch.begin[axis] + 1 + random_below(launch.grid_size[axis] - launch.begin[axis]);
    }
    return launch;
}

static bool with_data;

static uint16_t random_leaf(struct program *p, uint16_t loop) {
    if (with_data && chance(15)) {
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

// An integer of 32 bits.
static uint16_t random_value(struct program *p, unsigned depth, uint16_t loop) {
    if (depth == 0 || p->tables.node_count > NODES - 40 || chance(15))
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

// Around the access: a loop as compilers leave it.
static uint16_t random_loop(struct program *p, uint16_t outer, uint16_t outer_loop) {
    uint16_t loop = add_guard(p, GCL_GUARD_LOOP, GCL_NONE, outer);
    uint16_t begin = random_value(p, 1, outer_loop), end = random_value(p, 1, outer_loop);
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

static void random_program(struct program *p) {
    init_program(p);
    uint16_t guard = GCL_NONE, loop = GCL_NONE;
    for (uint32_t n = random_below(4); n > 0; n--) {
        if (chance(40) && p->tables.guard_count < 4)
            guard = loop = random_loop(p, guard, loop);
        else
            guard = add_guard(p, chance(70) ? GCL_GUARD_HOLDS : GCL_GUARD_FAILS,
                              random_condition(p, 2, loop), guard);
    }
    uint16_t index = random_value(p, 3, loop);
    memset(ended, 0, sizeof ended);
    if (chance(15) && p->tables.node_count < NODES - 40) {
        uint16_t before = random_loop(p, GCL_NONE, GCL_NONE);
        ended[before] = true;
        uint16_t last = add_node(p, GCL_NODE_LAST, 32, before, 0, 0);
        index = add_node(p, GCL_NODE_ADD, 32, index, last, 0);
    }
    index = add_node(p, chance(60) ? GCL_NODE_SEXT : GCL_NODE_ZEXT, 64, index, 0, 0);
    p->access.offset = add_node(p, GCL_NODE_MULTIPLY, 64, index, constant(p, 4, 64), 0);
    p->access.guard = guard;
}

// Without data most are exact.
static void run_random(uint64_t seed, unsigned count) {
    static struct program p;
    unsigned checked = 0, exact = 0, everywhere = 0, pieces = 0;
    for (unsigned n = 0; n < count; n++) {
        int32_t arguments[ARGUMENTS];
        state = seed * 1000003u + n;
        random_below(2);
        struct gcl_launch launch = random_launch();
        for (unsigned i = 0; i < ARGUMENTS; i++)
            arguments[i] =
                (int32_t)(i < 3 ? 1 + random_below(40) : random_below(300)) - (i == 5 ? 150 : 0);
        launch.arguments = (const unsigned char *)arguments;
        random_program(&p);
        if (!check_program(&p.tables, &launch))
            continue;
        checked++;
        exact += answer.exact;
        everywhere += answer.everywhere;
        pieces += answer.pieces;
    }
    print_message("%u of %u programs checked, %u exact, %u everywhere, %u pieces\n", checked, count,
                  exact, everywhere, pieces);
    assert_true(checked > count / 2);
    assert_true(with_data || exact > checked * 4 / 5);
}

static unsigned random_count = 3000;

static void test_random(void **context) {
    (void)context;
    with_data = false;
    run_random(1, random_count);
}

static void test_random_data(void **context) {
    (void)context;
    with_data = true;
    run_random(2, random_count);
}

// test_evaluate [how many random programs]
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_random_data)};
    if (argc > 1)
        random_count = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
