// Arguments get their values in three steps: by their roles, as what the kernel divides by, shifts
// by or masks with; then those that threads are compared with, so that all threads are below them;
// in the end others are tried, up to MOST_TRIES, where some access happens in no thread. Each base
// points into the middle of 2^APART addresses of its own, so that the footprint tells which base a
// byte belongs to.
#include "sample.h"

#include <assert.h>
#include <string.h>

#include "gcluster/reasons.h"
#include "inspected.h"
#include "operands.h"
#include "plan/inspect/base.h"
#include "point.h"

// Threads along each axis of the grid, for kernels with one, two and three of them: a line, a
// square and a cube, of many more blocks than one looks at.
static const uint32_t extents[3] = {16384, 512, 64};
static const uint32_t blocks[3][3] = {{256, 1, 1}, {32, 8, 1}, {8, 8, 4}};

// What numbers are divided by, shifted by and masked with; how often loops run.
enum { DIVISOR = 96, SHIFT = 4, MASK = 63, ITERATION_COUNT = 96, FEW = 2, MUCH = 1 << 20 };

// Of a square that all threads of a line fill.
enum { SIDE = 128 };

enum { LARGEST_BLOCK = 1024 }; // along one axis

enum { MOST_TRIES = 80 }; // of other values for arguments

enum { APART = 44 }; // each base has its own 2^44 addresses

/// What a sum has of a block's and a thread's number along an axis.
struct shares {
    unsigned axis;
    int64_t block, thread;
    bool others; ///< it has more that counts
};

static void find_shares(const struct gcl_program *p, uint16_t index, int64_t factor,
                        struct shares *shares) {
    assert(index < p->node_count && shares->axis < 3);
    const struct gcl_node *n = &p->nodes[index];
    const struct gcl_node *by = n->kind == GCL_NODE_MULTIPLY ? &p->nodes[n->b] : NULL;
    if (n->kind == GCL_NODE_BLOCK_INDEX && n->a == shares->axis) {
        shares->block += factor;
    } else if (n->kind == GCL_NODE_THREAD_INDEX && n->a == shares->axis) {
        shares->thread += factor;
    } else if (n->kind == GCL_NODE_ADD) {
        find_shares(p, n->a, factor, shares);
        find_shares(p, n->b, factor, shares);
    } else if (by && by->kind == GCL_NODE_CONSTANT && ABS(p->constants[by->a]) <= LARGEST_BLOCK) {
        find_shares(p, n->a, factor * p->constants[by->a], shares);
    } else if (n->kind != GCL_NODE_CONSTANT) {
        shares->others = true;
    }
}

// 128 for `blockIdx.x * 128 + threadIdx.x`: what such kernels are launched with. 0: nothing says
// so.
static uint32_t guess_block_size(const struct gcl_program *p, unsigned axis) {
    for (uint16_t i = 0; i < p->node_count; i++) {
        struct shares shares = {.axis = axis};
        if (p->nodes[i].kind != GCL_NODE_ADD)
            continue;
        find_shares(p, i, 1, &shares);
        if (!shares.others && shares.thread > 0 && shares.block >= shares.thread &&
            shares.block % shares.thread == 0 && shares.block / shares.thread <= LARGEST_BLOCK)
            return (uint32_t)(shares.block / shares.thread);
    }
    return 0;
}

static uint32_t block_size_along(const struct gcl_sample *s, unsigned axis, unsigned axes) {
    assert(axis < 3 && axes >= 1 && axes <= 3);
    uint32_t size = s->style.guesses ? guess_block_size(&s->program, axis) : 0;
    if (s->style.known.block_size)
        return s->style.known.block_size[axis];
    return size ? size : blocks[axes - 1][axis];
}

static void choose_grid(struct gcl_sample *s) {
    unsigned axes = s->uses[2] ? 3 : s->uses[1] ? 2 : 1;
    const uint32_t *known = s->style.known.grid_size;
    for (unsigned axis = 0; axis < 3; axis++) {
        uint32_t size = block_size_along(s, axis, axes);
        uint32_t extent = s->style.is_small ? extents[axes - 1] / 16 : extents[axes - 1];
        uint32_t count = s->style.is_tiny ? 2 : MAX(extent / size, 4);
        count = known ? known[axis] : axis < axes ? count : 1;
        s->launch.geometry.block[axis] = size;
        s->launch.geometry.grid[axis] = s->launch.end[axis] = count;
    }
}

// Arguments.

static size_t argument_size(const struct gcl_program *p) {
    size_t size = 0;
    for (uint16_t i = 0; i < p->node_count; i++) {
        if (p->nodes[i].kind == GCL_NODE_ARGUMENT)
            size = MAX(size, p->nodes[i].a + sizeof(uint64_t));
    }
    for (uint16_t i = 0; i < p->base_count; i++) {
        if (p->bases[i].kind == GCL_BASE_ARGUMENT)
            size = MAX(size, p->bases[i].index + sizeof(uint64_t));
    }
    return size;
}

uint64_t gcl_sample_address(uint16_t base) {
    return ((uint64_t)(base + 1) << APART) + (uint64_t)GCL_SAMPLE_MIDDLE;
}

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address >> APART << APART);
    allocation->end = allocation->begin + 2 * GCL_SAMPLE_MIDDLE;
    return address >> APART > 0;
}

// All but what is known is 0.
static void clear_arguments(struct gcl_sample *s) {
    size_t size = argument_size(&s->program);
    memset(s->arguments, 0, size);
    for (size_t i = 0; i < s->style.known.number_count; i++) {
        const struct gcl_known_number *n = &s->style.known.numbers[i];
        if (n->offset >= size)
            continue;
        memcpy(s->arguments + n->offset, &n->value, MIN(n->size, size - n->offset));
        memset(s->pinned + n->offset, true, MIN(n->size, size - n->offset));
    }
}

static void set_argument(struct gcl_sample *s, const struct gcl_node *node, int64_t value) {
    assert(node->kind == GCL_NODE_ARGUMENT && node->width <= 64);
    if (!s->pinned[node->a])
        memcpy(s->arguments + node->a, &value, MAX(node->width / 8u, 1));
}

/// How an expression over one argument and constants follows from it: argument + offset.
struct bound {
    const struct gcl_node *argument;
    int64_t offset;
};

static bool find_bound(const struct gcl_program *p, uint16_t index, struct bound *bound) {
    assert(index < p->node_count);
    const struct gcl_node *node = &p->nodes[index];
    if (node->kind == GCL_NODE_ARGUMENT) {
        bound->argument = node;
        return true;
    }
    if (node->kind >= GCL_NODE_ZEXT)
        return find_bound(p, node->a, bound);
    if ((node->kind != GCL_NODE_ADD && node->kind != GCL_NODE_SUBTRACT) ||
        p->nodes[node->b].kind != GCL_NODE_CONSTANT || !find_bound(p, node->a, bound))
        return false;
    int64_t constant = p->constants[p->nodes[node->b].a];
    bound->offset += node->kind == GCL_NODE_ADD ? constant : -constant;
    return true;
}

// What nodes count: a bit per axis of the grid, one for iterations, and one for arguments.
enum { THREADS = 7, ITERATIONS = 8, ARGUMENTS = 16, OTHER = 32 };

static unsigned leaf_counts(const struct gcl_node *node) {
    switch (node->kind) {
    case GCL_NODE_CONSTANT:
    case GCL_NODE_BLOCK_SIZE:
    case GCL_NODE_GRID_SIZE:
        return 0;
    case GCL_NODE_ARGUMENT:
        return ARGUMENTS;
    case GCL_NODE_THREAD_INDEX:
    case GCL_NODE_BLOCK_INDEX:
    case GCL_NODE_GLOBAL_INDEX:
        return 1u << node->a;
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
        return ITERATIONS;
    default:
        return OTHER;
    }
}

static void find_counts(struct gcl_sample *s) {
    const struct gcl_program *p = &s->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        unsigned all = node->kind < GCL_NODE_ADD ? leaf_counts(node) : s->counts[node->a];
        if (node->kind >= GCL_NODE_ADD && node->kind < GCL_NODE_ZEXT)
            all |= s->counts[node->b];
        if (node->kind == GCL_NODE_SELECT)
            all |= s->counts[node->c];
        s->counts[i] = (uint8_t)all;
    }
}

// Gives a value to all arguments that `index` is a product of.
static void set_factors(struct gcl_sample *s, uint16_t index, int64_t value) {
    assert(index < s->program.node_count);
    const struct gcl_node *node = &s->program.nodes[index];
    struct bound bound = {0};
    if (s->counts[index] != ARGUMENTS)
        return;
    if (find_bound(&s->program, index, &bound)) {
        set_argument(s, bound.argument, value);
    } else if (node->kind >= GCL_NODE_ZEXT) {
        set_factors(s, node->a, value);
    } else if (node->kind == GCL_NODE_MULTIPLY) {
        set_factors(s, node->a, value);
        set_factors(s, node->b, value);
    }
}

// Arguments by what they do to numbers that change: multiply them, as the lengths of rows do,
// divide or mask them. What is only added to them is 0.
static void set_roles(struct gcl_sample *s) {
    const struct gcl_program *p = &s->program;
    int64_t row = s->uses[2] ? 256 : s->uses[1] ? 4096 : 65536;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *n = &p->nodes[i];
        if (n->kind < GCL_NODE_ADD || n->kind >= GCL_NODE_SELECT)
            continue;
        if (n->kind == GCL_NODE_MULTIPLY && (s->counts[n->a] & ~ARGUMENTS))
            set_factors(s, n->b, row);
        if (n->kind == GCL_NODE_MULTIPLY && (s->counts[n->b] & ~ARGUMENTS))
            set_factors(s, n->a, row);
    }
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *n = &p->nodes[i];
        struct bound bound = {0};
        if (n->kind >= GCL_NODE_UDIV && n->kind <= GCL_NODE_SREM)
            set_factors(s, n->b, s->style.divides_by_much ? MUCH : DIVISOR);
        else if (n->kind >= GCL_NODE_SHL && n->kind <= GCL_NODE_ASHR)
            set_factors(s, n->b, SHIFT);
        else if (n->kind == GCL_NODE_AND && n->width > 1 && find_bound(p, n->b, &bound))
            set_argument(s, bound.argument, MASK - bound.offset);
    }
}

// Like set_factors, gives arguments among the factors of node `index` values, but only those that
// have none yet.
static void set_missing(struct gcl_sample *s, uint16_t index, int64_t value) {
    assert(index < s->program.node_count);
    const struct gcl_node *node = &s->program.nodes[index];
    int64_t present = 0;
    if (node->kind == GCL_NODE_ARGUMENT) {
        memcpy(&present, s->arguments + node->a, MAX(node->width / 8u, 1));
        if (present == 0)
            set_argument(s, node, value);
    } else if (node->kind >= GCL_NODE_ZEXT || node->kind == GCL_NODE_MULTIPLY) {
        set_missing(s, node->a, value);
        if (node->kind == GCL_NODE_MULTIPLY)
            set_missing(s, node->b, value);
    }
}

// Whether a comparison lets the threads pass that are below what they are compared with, its second
// operand or, if `is_first`, its first.
static bool bounds_above(const struct gcl_program *p, uint16_t comparison, bool is_first) {
    bool found = false;
    for (uint16_t i = 0; i < p->guard_count; i++) {
        const struct gcl_guard *guard = &p->guards[i];
        if (guard->node != comparison)
            continue;
        found = true;
        if ((guard->kind == GCL_GUARD_FAILS) == is_first)
            return true;
    }
    return !found;
}

static struct gcl_point last_point(const struct gcl_sample *s, uint32_t iteration) {
    struct gcl_point last = {.iteration = iteration};
    for (unsigned axis = 0; axis < 3; axis++) {
        last.block[axis] = s->launch.geometry.grid[axis] - 1;
        last.thread[axis] = s->launch.geometry.block[axis] - 1;
    }
    return last;
}

// An argument that a number is compared with is as large as that gets for threads of the grid; of
// loops a few iterations are enough to see.
static void fit_argument(struct gcl_sample *s, uint16_t number, uint16_t limit, bool is_below) {
    struct bound bound = {0};
    int64_t value = 0, present = 0;
    unsigned counted = s->counts[number];
    if (!(counted & (THREADS | ITERATIONS)) || (counted & OTHER))
        return;
    if (!find_bound(&s->program, limit, &bound)) {
        if (s->counts[limit] == ARGUMENTS)
            set_missing(s, limit, SIDE);
        return;
    }
    if (!is_below && bound.offset == 0 && (counted & THREADS)) // one thread of them all
        return;
    uint32_t rounds = s->style.is_small ? FEW : ITERATION_COUNT;
    uint32_t iteration = counted & THREADS ? 3 : rounds - 1;
    struct gcl_point last = last_point(s, counted & ITERATIONS ? iteration : 0);
    memcpy(&present, s->arguments + bound.argument->a, MAX(bound.argument->width / 8u, 1));
    if (!gcl_point_value(s, &last, number, &value) || value < 0)
        return;
    bool fits = s->fitted[bound.argument->a] || !(counted & THREADS);
    value += is_below - bound.offset;
    if (!fits || value > present)
        set_argument(s, bound.argument, value);
    if (counted & THREADS)
        s->fitted[bound.argument->a] = true;
}

// Loops first: threads may be counted by how often those run.
static void fit_arguments(struct gcl_sample *s, bool threads) {
    const struct gcl_program *p = &s->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        bool compares = node->kind >= GCL_NODE_EQ && node->kind <= GCL_NODE_SLT;
        if (!compares || threads != ((s->counts[i] & THREADS) != 0))
            continue;
        bool is_less = node->kind != GCL_NODE_EQ;
        if (!is_less || bounds_above(p, i, false))
            fit_argument(s, node->a, node->b, is_less);
        if (!is_less || bounds_above(p, i, true))
            fit_argument(s, node->b, node->a, is_less);
    }
}

static void choose_arguments(struct gcl_sample *s) {
    const struct gcl_program *p = &s->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        if (node->kind == GCL_NODE_ARGUMENT && node->width < 16)
            set_argument(s, node, 1);
    }
    set_roles(s);
    fit_arguments(s, false);
    fit_arguments(s, true);
    for (uint16_t i = 0; i < p->base_count; i++) {
        uint64_t address = gcl_sample_address(i);
        if (p->bases[i].kind == GCL_BASE_ARGUMENT)
            memcpy(s->arguments + p->bases[i].index, &address, sizeof address);
        else if (p->bases[i].kind == GCL_BASE_VARIABLE)
            s->variables[p->bases[i].index] = (void *)(uintptr_t)address;
    }
}

// What happens of the kernel.

// How many accesses happen; `seen`: which.
static unsigned count_seen(const struct gcl_sample *s, bool *seen) {
    unsigned count = 0;
    for (uint16_t i = 0; i < s->program.access_count; i++) {
        seen[i] = s->program.accesses[i].offset == GCL_NONE ||
                  gcl_evaluate_happens(s->evaluator, i, &s->launch);
        count += seen[i];
    }
    return count;
}

// Marks the arguments that decide whether the accesses happen that don't.
static void find_deciding(const struct gcl_sample *s, const bool *seen, bool *deciding) {
    const struct gcl_program *p = &s->program;
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    for (uint16_t i = 0; i < p->access_count; i++) {
        for (uint16_t g = seen[i] ? GCL_NONE : p->accesses[i].guard; g != GCL_NONE;
             g = p->guards[g].outer) {
            if (p->guards[g].node != GCL_NONE)
                marks[p->guards[g].node] = true;
        }
    }
    gcl_operands_mark(p, marks);
    for (uint16_t i = 0; i < p->node_count; i++)
        deciding[i] = marks[i] && p->nodes[i].kind == GCL_NODE_ARGUMENT;
}

// Keeps an argument at a value and finds the others for it.
static void try_value(struct gcl_sample *s, const struct gcl_node *argument, int64_t value) {
    assert(argument->kind == GCL_NODE_ARGUMENT);
    if (s->pinned[argument->a])
        return;
    memset(s->fitted, 0, argument_size(&s->program));
    clear_arguments(s);
    set_argument(s, argument, value);
    s->pinned[argument->a] = true;
    choose_arguments(s);
    s->pinned[argument->a] = false;
}

// Roles may suggest a value with which some accesses never happen: one that is everywhere else a
// length may be a number of steps here. Then another value for one of the arguments that decide
// about it is better, if more happens with that.
static void improve(struct gcl_sample *s) {
    static const int64_t values[] = {1, 2, 4, 16, 64, 512, 4096, 0};
    const struct gcl_program *p = &s->program;
    g_autofree bool *seen = g_new0(bool, p->access_count + 1u);
    g_autofree bool *deciding = g_new0(bool, p->node_count + 1u);
    size_t size = argument_size(p);
    unsigned most = count_seen(s, seen), tries = MOST_TRIES;
    g_autofree unsigned char *best = g_memdup2(s->arguments, size + 1);
    find_deciding(s, seen, deciding);
    for (uint16_t i = 0; i < p->node_count && most < p->access_count; i++) {
        for (size_t v = 0; v < G_N_ELEMENTS(values) && deciding[i] && tries > 0; v++, tries--) {
            try_value(s, &p->nodes[i], values[v]);
            unsigned count = count_seen(s, seen);
            if (count <= most)
                continue;
            most = count;
            memcpy(best, s->arguments, size);
        }
    }
    memcpy(s->arguments, best, size);
}

struct gcl_sample *gcl_sample_create(const struct gcl_program *program,
                                     const struct gcl_sample_style *style) {
    struct gcl_sample *s = g_new0(struct gcl_sample, 1);
    uint16_t variables = 0;
    s->program = *program;
    s->style = *style;
    for (unsigned axis = 0; axis < 3; axis++)
        s->uses[axis] = gcl_split_counts(program, axis) || program->split == 'x' + axis;
    for (uint16_t i = 0; i < program->base_count; i++) {
        if (program->bases[i].kind == GCL_BASE_VARIABLE)
            variables = (uint16_t)MAX(variables, program->bases[i].index + 1);
    }
    s->arguments = g_malloc0(argument_size(program) + 1);
    s->fitted = g_new0(bool, argument_size(program) + 1);
    s->pinned = g_new0(bool, argument_size(program) + 1);
    s->counts = g_new0(uint8_t, program->node_count + 1u);
    find_counts(s);
    s->variables = g_new0(void *, variables + 1);
    s->slots = g_new0(void *const *, variables + 1);
    for (uint16_t i = 0; i < variables; i++)
        s->slots[i] = &s->variables[i];
    s->program.variables = s->slots;
    s->launch.arguments = s->arguments;
    s->evaluator = gcl_evaluator_create(&s->program);
    choose_grid(s);
    clear_arguments(s);
    choose_arguments(s);
    improve(s);
    return s;
}

size_t gcl_sample_argument_size(const struct gcl_sample *sample) {
    return argument_size(&sample->program);
}

void gcl_sample_destroy(struct gcl_sample *s) {
    if (!s)
        return;
    gcl_evaluator_destroy(s->evaluator);
    g_free(s->arguments);
    g_free(s->fitted);
    g_free(s->pinned);
    g_free(s->counts);
    g_free(s->variables);
    g_free(s->slots);
    g_free(s);
}

// Pointers from memory lead to allocations of their own.
static bool list_escaped(void *context, size_t index, struct gcl_span *allocation) {
    const struct gcl_program *p = context;
    for (uint16_t i = 0; i < p->base_count; i++) {
        if (p->bases[i].kind >= GCL_BASE_LOADED && index-- == 0)
            return find_allocation(NULL, gcl_sample_address(i), allocation);
    }
    return false;
}

static struct gcl_memory memory_of(const struct gcl_sample *s) {
    return (struct gcl_memory){
        .find = find_allocation, .escaped = list_escaped, .context = (void *)&s->program};
}

// Whether writes overlap whose places will be looked up, is seen then: here they are none.
struct gcl_split gcl_sample_split(const struct gcl_sample *s) {
    struct gcl_memory memory = memory_of(s);
    struct gcl_program program = s->program;
    struct gcl_access *accesses =
        g_memdup2(program.accesses, program.access_count * sizeof *accesses);
    struct gcl_split split;
    for (uint16_t i = 0; i < program.access_count; i++) {
        if (accesses[i].kind == GCL_ACCESS_WRITE && gcl_inspected_access(&s->program, i))
            accesses[i].kind = GCL_ACCESS_READ;
    }
    program.accesses = accesses;
    struct gcl_evaluator *evaluator = gcl_evaluator_create(&program);
    if (!evaluator || !gcl_split_choose(evaluator, &s->launch, &memory, &split))
        g_error("no memory");
    gcl_evaluator_destroy(evaluator);
    g_free(accesses);
    return split;
}

// Blocks of a correct program don't write the same: if they do here, the sample may be one that the
// kernel isn't meant for, such as a grid beyond its arrays. If they do in all samples, the first
// counts; it also does if something else than its size keeps it on one node.
struct gcl_sample *gcl_sample_choose(const struct gcl_program *program,
                                     const struct gcl_known_launch *known) {
    static const struct gcl_sample_style kinds[] = {
        {.guesses = true},
        {.guesses = false},
        {.is_small = true},
        {.divides_by_much = true},
        {.is_small = true, .is_tiny = true},
    };
    struct gcl_sample *first = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct gcl_sample_style style = kinds[i];
        style.known = *known;
        struct gcl_sample *sample = gcl_sample_create(program, &style);
        uint16_t reason = gcl_sample_split(sample).reason;
        if (!first && reason != GCL_REASON_OVERLAP)
            return sample;
        if (first && reason == 0) {
            gcl_sample_destroy(first);
            return sample;
        }
        gcl_sample_destroy(first ? sample : NULL);
        first = first ? first : sample;
    }
    return first;
}

struct gcl_footprint gcl_sample_footprint(const struct gcl_sample *s, unsigned axis, uint32_t begin,
                                          uint32_t end) {
    struct gcl_launch_part launch = s->launch;
    struct gcl_memory memory = memory_of(s);
    struct gcl_footprint footprint;
    launch.begin[axis] = begin;
    launch.end[axis] = end;
    if (!gcl_footprint_find(s->evaluator, &launch, &memory, &footprint))
        g_error("no memory");
    return footprint;
}

bool gcl_sample_begin_larger(const struct gcl_sample *sample, uint16_t node,
                             struct gcl_sample *larger) {
    const struct gcl_node *argument = &sample->program.nodes[node];
    int64_t value = 0;
    *larger = *sample;
    if (argument->width < 16 || sample->pinned[argument->a])
        return false;
    larger->arguments = g_memdup2(sample->arguments, gcl_sample_argument_size(sample) + 1);
    larger->launch.arguments = larger->arguments;
    memcpy(&value, larger->arguments + argument->a, argument->width / 8u);
    set_argument(larger, argument, value + value / 2 + 1);
    return true;
}

void gcl_sample_finish_larger(struct gcl_sample *larger) {
    g_free(larger->arguments);
}

void gcl_sample_begin_access(const struct gcl_sample *sample, uint16_t access,
                             struct gcl_sample *one) {
    *one = *sample;
    one->program.accesses += access;
    one->program.access_count = 1;
    one->evaluator = gcl_evaluator_create(&one->program);
}

void gcl_sample_finish_access(struct gcl_sample *sample) {
    gcl_evaluator_destroy(sample->evaluator);
}

uint16_t gcl_sample_base(const struct gcl_allocation_use *use) {
    return (uint16_t)((use->allocation.begin >> APART) - 1);
}

const struct gcl_allocation_use *
gcl_sample_use(const struct gcl_sample *s, const struct gcl_footprint *footprint, uint16_t base) {
    uint64_t address = 0;
    if (!gcl_base_address(&s->program, &s->launch, base, &address))
        return NULL;
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == (int64_t)(address >> APART << APART))
            return &footprint->uses[i];
    }
    return NULL;
}
