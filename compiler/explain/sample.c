#include "sample.h"

#include <string.h>

// Threads along each axis of the grid, for kernels with one, two and three of them: a line, a
// square and a cube, of many more blocks than one looks at.
static const uint32_t extents[3] = {16384, 512, 64};
static const uint32_t blocks[3][3] = {{256, 1, 1}, {32, 8, 1}, {8, 8, 4}};

// What numbers are divided by.
enum { DIVISOR = 96 };

enum { APART = 44 }; // each base has its own 2^44 addresses

static bool has_axis(const struct gcl_program *p, unsigned axis) {
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        bool counts = node->kind == GCL_NODE_BLOCK_INDEX || node->kind == GCL_NODE_GLOBAL_INDEX;
        if (counts && node->a == axis)
            return true;
    }
    return false;
}

static void choose_grid(struct gcl_sample *s, const uint32_t *block_size) {
    unsigned axes = s->uses[2] ? 3 : s->uses[1] ? 2 : 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        uint32_t size = block_size ? block_size[axis] : blocks[axes - 1][axis];
        uint32_t count = axis < axes ? MAX(extents[axes - 1] / size, 5) : 1;
        s->launch.block_size[axis] = size;
        s->launch.grid_size[axis] = s->launch.end[axis] = count;
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

static uint64_t base_address(uint16_t base) {
    return ((uint64_t)(base + 1) << APART) + (uint64_t)GCL_SAMPLE_MIDDLE;
}

static bool find_allocation(void *context, uint64_t address, struct gcl_run *allocation) {
    (void)context;
    allocation->begin = (int64_t)(address >> APART << APART);
    allocation->end = allocation->begin + 2 * GCL_SAMPLE_MIDDLE;
    return address >> APART > 0;
}

static void set_argument(struct gcl_sample *s, const struct gcl_node *node, int64_t value) {
    memcpy(s->arguments + node->a, &value, MAX(node->width / 8u, 1));
}

/// How an expression over one argument and constants follows from it: argument + offset.
struct bound {
    const struct gcl_node *argument;
    int64_t offset;
};

static bool find_bound(const struct gcl_program *p, uint16_t index, struct bound *bound) {
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

// What a node counts: bit per axis of the grid, and one for iterations.
enum { ITERATIONS = 8, OTHER = 16 };

static unsigned counts(const struct gcl_program *p, uint16_t index) {
    const struct gcl_node *node = &p->nodes[index];
    switch (node->kind) {
    case GCL_NODE_BLOCK_INDEX:
    case GCL_NODE_GLOBAL_INDEX:
        return 1u << node->a;
    case GCL_NODE_ITERATION:
        return ITERATIONS;
    case GCL_NODE_ARGUMENT:
        return OTHER;
    default:
        break;
    }
    if (node->kind < GCL_NODE_ADD)
        return 0;
    unsigned all = counts(p, node->a);
    if (node->kind < GCL_NODE_ZEXT)
        all |= counts(p, node->b);
    if (node->kind == GCL_NODE_SELECT)
        all |= counts(p, node->c);
    return all;
}

static int64_t extent(const struct gcl_sample *s, unsigned axes) {
    int64_t product = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (axes >> axis & 1)
            product *= (int64_t)s->launch.grid_size[axis] * s->launch.block_size[axis];
    }
    return product;
}

// An argument that thread numbers are compared with is as large as they get.
static void fit_argument(struct gcl_sample *s, uint16_t number, uint16_t limit) {
    struct bound bound = {0};
    unsigned counted = counts(&s->program, number);
    if (!find_bound(&s->program, limit, &bound) || (counted & OTHER))
        return;
    if (counted != 0 && !(counted & ITERATIONS))
        set_argument(s, bound.argument, extent(s, counted) - bound.offset);
}

static void fit_arguments(struct gcl_sample *s) {
    const struct gcl_program *p = &s->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        if (node->kind != GCL_NODE_EQ && node->kind != GCL_NODE_ULT && node->kind != GCL_NODE_SLT)
            continue;
        fit_argument(s, node->a, node->b);
        fit_argument(s, node->b, node->a);
    }
}

static void choose_arguments(struct gcl_sample *s) {
    const struct gcl_program *p = &s->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        if (node->kind == GCL_NODE_ARGUMENT)
            set_argument(s, node, node->width < 16 ? 1 : extent(s, 1));
    }
    for (uint16_t i = 0; i < p->node_count; i++) {
        const struct gcl_node *node = &p->nodes[i];
        bool divides = node->kind >= GCL_NODE_UDIV && node->kind <= GCL_NODE_SREM;
        if (divides && p->nodes[node->b].kind == GCL_NODE_ARGUMENT)
            set_argument(s, &p->nodes[node->b], DIVISOR);
    }
    fit_arguments(s);
    for (uint16_t i = 0; i < p->base_count; i++) {
        uint64_t address = base_address(i);
        if (p->bases[i].kind == GCL_BASE_ARGUMENT)
            memcpy(s->arguments + p->bases[i].index, &address, sizeof address);
        else if (p->bases[i].kind == GCL_BASE_VARIABLE)
            s->variables[p->bases[i].index] = (void *)(uintptr_t)address;
    }
}

struct gcl_sample *gcl_sample_create(const struct gcl_program *program,
                                     const uint32_t *block_size) {
    struct gcl_sample *s = g_new0(struct gcl_sample, 1);
    uint16_t variables = 0;
    s->program = *program;
    for (unsigned axis = 0; axis < 3; axis++)
        s->uses[axis] = has_axis(program, axis);
    for (uint16_t i = 0; i < program->base_count; i++) {
        if (program->bases[i].kind == GCL_BASE_VARIABLE)
            variables = (uint16_t)MAX(variables, program->bases[i].index + 1);
    }
    s->arguments = g_malloc0(argument_size(program) + 1);
    s->variables = g_new0(void *, variables + 1);
    s->slots = g_new0(void *const *, variables + 1);
    for (uint16_t i = 0; i < variables; i++)
        s->slots[i] = &s->variables[i];
    s->program.variables = s->slots;
    s->launch.arguments = s->arguments;
    s->evaluator = gcl_evaluator_create(&s->program);
    choose_grid(s, block_size);
    choose_arguments(s);
    return s;
}

void gcl_sample_destroy(struct gcl_sample *s) {
    gcl_evaluator_destroy(s->evaluator);
    g_free(s->arguments);
    g_free(s->variables);
    g_free(s->slots);
    g_free(s);
}

struct gcl_footprint gcl_sample_footprint(const struct gcl_sample *s, unsigned axis, uint32_t begin,
                                          uint32_t end) {
    struct gcl_launch launch = s->launch;
    struct gcl_memory memory = {.find = find_allocation};
    struct gcl_footprint footprint;
    launch.begin[axis] = begin;
    launch.end[axis] = end;
    if (!gcl_footprint_find(s->evaluator, &launch, &memory, &footprint))
        g_error("no memory");
    return footprint;
}

const struct gcl_use *gcl_sample_use(const struct gcl_sample *s,
                                     const struct gcl_footprint *footprint, uint16_t base) {
    uint64_t address = 0;
    if (!gcl_footprint_base(&s->program, &s->launch, base, &address))
        return NULL;
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == (int64_t)(address >> APART << APART))
            return &footprint->uses[i];
    }
    return NULL;
}
