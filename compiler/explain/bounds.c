// Bounds come from operations that have some (`& 63`, `% n`, a byte, min and max), from conditions
// around the access, and from the ends of loops. Arithmetic is taken as meant: numbers don't wrap
// around.
#include "bounds.h"

#include <assert.h>
#include <string.h>

#include "text.h"

enum {
    DEEPEST = 64,     // operations in each other
    MOST_STEPS = 512, // through what adds up to a number
};

static const struct gcl_interval nobody_knows = {GCL_NONE, GCL_NONE};

void gcl_bounds_init(struct gcl_bounds *b, const struct gcl_explained_kernel *kernel,
                     bool per_block) {
    size_t count = kernel->program->node_count + 1u;
    *b = (struct gcl_bounds){.kernel = kernel,
                             .per_block = per_block,
                             .ranges = g_new(struct gcl_interval, count),
                             .is_known = g_new0(bool, count)};
    gcl_expressions_init(&b->expressions);
}

void gcl_bounds_finish(struct gcl_bounds *b) {
    gcl_expressions_finish(&b->expressions);
    g_free(b->ranges);
    g_free(b->is_known);
}

void gcl_bounds_enter(struct gcl_bounds *b, const struct gcl_access *access) {
    b->access = access;
    b->is_loose = false;
    memset(b->is_known, 0, b->kernel->program->node_count * sizeof *b->is_known);
}

static const struct gcl_node *node_at(const struct gcl_bounds *b, uint16_t node) {
    assert(node < b->kernel->program->node_count);
    return &b->kernel->program->nodes[node];
}

static bool is_constant(const struct gcl_program *p, uint16_t node, int64_t *value) {
    assert(node < p->node_count);
    if (p->nodes[node].kind != GCL_NODE_CONSTANT)
        return false;
    *value = p->constants[p->nodes[node].a];
    return true;
}

static uint16_t number(struct gcl_bounds *b, int64_t value) {
    return gcl_expression_constant(&b->expressions, value);
}

static uint16_t combine(struct gcl_bounds *b, enum gcl_pragma_node_kind kind, uint16_t x,
                        uint16_t y) {
    return gcl_expression_binary(&b->expressions, kind, x, y);
}

static struct gcl_interval exactly(uint16_t x) {
    return (struct gcl_interval){x, x};
}

bool gcl_interval_is_exact(struct gcl_interval range) {
    return range.low == range.high && range.low != GCL_NONE;
}

// Sums.

static bool is_sum(const struct gcl_program *p, uint16_t node) {
    const struct gcl_node *n = &p->nodes[node];
    int64_t by;
    return n->kind == GCL_NODE_ADD || n->kind == GCL_NODE_SUBTRACT ||
           n->kind == GCL_NODE_CONSTANT ||
           ((n->kind == GCL_NODE_MULTIPLY || n->kind == GCL_NODE_SHL) && is_constant(p, n->b, &by));
}

static void add_term(struct gcl_terms *terms, uint16_t node, int64_t factor) {
    for (unsigned i = 0; i < terms->count; i++) {
        if (terms->list[i].node != node)
            continue;
        terms->list[i].factor += factor;
        if (terms->list[i].factor == 0)
            terms->list[i] = terms->list[--terms->count];
        return;
    }
    if (terms->count < GCL_TERMS)
        terms->list[terms->count] = (struct gcl_term){node, factor};
    terms->count++;
}

static bool is_extension(const struct gcl_node *n) {
    return n->kind == GCL_NODE_ZEXT || n->kind == GCL_NODE_SEXT;
}

// What a constant comes to; too large a one doesn't fit.
static int64_t times(int64_t factor, int64_t by, struct gcl_terms *terms) {
    int64_t product;
    if (!__builtin_mul_overflow(factor, by, &product) && ABS(product) <= GCL_EXPRESSION_MAX)
        return product;
    terms->count = GCL_TERMS + 1;
    return 0;
}

void gcl_terms_add(const struct gcl_program *p, uint16_t node, int64_t factor, bool is_deep,
                   struct gcl_terms *terms) {
    const struct gcl_node *n = &p->nodes[node];
    int64_t by = 0;
    assert(node < p->node_count);
    if (++terms->steps > MOST_STEPS)
        terms->count = GCL_TERMS + 1;
    if (terms->count > GCL_TERMS)
        return;
    if (is_extension(n) && p->nodes[n->a].width >= 32 && (is_deep || !is_sum(p, n->a))) {
        gcl_terms_add(p, n->a, factor, is_deep, terms);
    } else if (is_constant(p, node, &by)) {
        terms->constant += times(factor, by, terms);
    } else if (n->kind == GCL_NODE_ADD || n->kind == GCL_NODE_SUBTRACT) {
        gcl_terms_add(p, n->a, factor, is_deep, terms);
        gcl_terms_add(p, n->b, n->kind == GCL_NODE_ADD ? factor : -factor, is_deep, terms);
    } else if (n->kind == GCL_NODE_MULTIPLY && is_constant(p, n->b, &by)) {
        gcl_terms_add(p, n->a, times(factor, by, terms), is_deep, terms);
    } else if (n->kind == GCL_NODE_SHL && is_constant(p, n->b, &by) && by >= 0 && by < 32) {
        gcl_terms_add(p, n->a, times(factor, (int64_t)1 << by, terms), is_deep, terms);
    } else {
        add_term(terms, node, factor);
    }
}

// Arithmetic on ranges.

struct gcl_interval gcl_bounds_add(struct gcl_bounds *b, struct gcl_interval x,
                                   struct gcl_interval y) {
    return (struct gcl_interval){combine(b, GCL_PRAGMA_NODE_ADD, x.low, y.low),
                                 combine(b, GCL_PRAGMA_NODE_ADD, x.high, y.high)};
}

// What is between the bounds stays a sum of its own, so that it can be seen.
static struct gcl_interval from(struct gcl_bounds *b, uint16_t low, uint16_t steps) {
    return (struct gcl_interval){low, combine(b, GCL_PRAGMA_NODE_ADD, low, steps)};
}

struct gcl_interval gcl_bounds_scale(struct gcl_bounds *b, struct gcl_interval x, int64_t factor) {
    uint16_t by = number(b, factor), steps = combine(b, GCL_PRAGMA_NODE_SUBTRACT, x.high, x.low);
    uint16_t low = combine(b, GCL_PRAGMA_NODE_MULTIPLY, by, factor < 0 ? x.high : x.low);
    if (steps != GCL_NONE)
        return from(b, low, combine(b, GCL_PRAGMA_NODE_MULTIPLY, number(b, ABS(factor)), steps));
    return (struct gcl_interval){
        low, combine(b, GCL_PRAGMA_NODE_MULTIPLY, by, factor < 0 ? x.low : x.high)};
}

static struct gcl_interval multiply(struct gcl_bounds *b, struct gcl_interval x,
                                    struct gcl_interval y) {
    int64_t factor;
    if (gcl_interval_is_exact(x) && gcl_expression_is_constant(&b->expressions, x.low, &factor))
        return gcl_bounds_scale(b, y, factor);
    if (gcl_interval_is_exact(y) && gcl_expression_is_constant(&b->expressions, y.low, &factor))
        return gcl_bounds_scale(b, x, factor);
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(combine(b, GCL_PRAGMA_NODE_MULTIPLY, x.low, y.low));
    if (gcl_interval_is_exact(x))
        return multiply(b, y, x);
    if (!gcl_interval_is_exact(y))
        return nobody_knows;
    b->is_loose = true;
    uint16_t steps = combine(b, GCL_PRAGMA_NODE_SUBTRACT, x.high, x.low);
    return from(b, combine(b, GCL_PRAGMA_NODE_MULTIPLY, x.low, y.low),
                combine(b, GCL_PRAGMA_NODE_MULTIPLY, steps, y.low));
}

// Division by a constant, and shifts to the right.
static struct gcl_interval divide(struct gcl_bounds *b, enum gcl_pragma_node_kind kind,
                                  struct gcl_interval x, struct gcl_interval y) {
    int64_t by;
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(combine(b, kind, x.low, y.low));
    if (!gcl_interval_is_exact(y) || !gcl_expression_is_constant(&b->expressions, y.low, &by) ||
        by <= 0)
        return nobody_knows;
    return (struct gcl_interval){combine(b, kind, x.low, y.low), combine(b, kind, x.high, y.low)};
}

static struct gcl_interval up_to(struct gcl_bounds *b, uint16_t high) {
    return (struct gcl_interval){number(b, 0), high};
}

static struct gcl_interval remainder_of(struct gcl_bounds *b, struct gcl_interval x,
                                        struct gcl_interval y) {
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(combine(b, GCL_PRAGMA_NODE_REMAINDER, x.low, y.low));
    if (!gcl_interval_is_exact(y))
        return nobody_knows;
    b->is_loose = true;
    return up_to(b, combine(b, GCL_PRAGMA_NODE_SUBTRACT, y.low, number(b, 1)));
}

static struct gcl_interval mask(struct gcl_bounds *b, struct gcl_interval x,
                                struct gcl_interval y) {
    int64_t bits = 0;
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(combine(b, GCL_PRAGMA_NODE_BIT_AND, x.low, y.low));
    if (gcl_interval_is_exact(x))
        return mask(b, y, x);
    if (!gcl_interval_is_exact(y) ||
        (gcl_expression_is_constant(&b->expressions, y.low, &bits) && bits < 0))
        return nobody_knows;
    b->is_loose = true;
    return up_to(b, y.low);
}

// Where one side is known exactly it is a clamp: the other one's bound is taken to be on the right
// side of it.
static struct gcl_interval least(struct gcl_bounds *b, struct gcl_interval x, struct gcl_interval y,
                                 bool is_unsigned) {
    if (gcl_interval_is_exact(x) && !gcl_interval_is_exact(y))
        return least(b, y, x, is_unsigned);
    uint16_t low = gcl_interval_is_exact(y) && !gcl_interval_is_exact(x)
                       ? x.low
                       : combine(b, GCL_PRAGMA_NODE_MIN, x.low, y.low);
    uint16_t high = x.high == GCL_NONE || gcl_interval_is_exact(y) ? y.high : x.high;
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(low);
    b->is_loose = true;
    return (struct gcl_interval){is_unsigned && low == GCL_NONE ? number(b, 0) : low, high};
}

static struct gcl_interval most(struct gcl_bounds *b, struct gcl_interval x,
                                struct gcl_interval y) {
    if (gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(combine(b, GCL_PRAGMA_NODE_MAX, x.low, y.low));
    if (gcl_interval_is_exact(x))
        return most(b, y, x);
    b->is_loose = true;
    return (struct gcl_interval){
        x.low == GCL_NONE || gcl_interval_is_exact(y) ? y.low : x.low,
        gcl_interval_is_exact(y) ? x.high : combine(b, GCL_PRAGMA_NODE_MAX, x.high, y.high)};
}

// Conditions that are numbers.

static struct gcl_interval compare(struct gcl_bounds *b, const struct gcl_node *n) {
    struct gcl_interval x = gcl_bounds_of(b, n->a), y = gcl_bounds_of(b, n->b);
    enum gcl_pragma_node_kind kind =
        n->kind == GCL_NODE_EQ ? GCL_PRAGMA_NODE_EQUAL : GCL_PRAGMA_NODE_LESS;
    if (!gcl_interval_is_exact(x) || !gcl_interval_is_exact(y) || node_at(b, n->a)->width == 1)
        return nobody_knows;
    return exactly(combine(b, kind, x.low, y.low));
}

static struct gcl_interval choose(struct gcl_bounds *b, const struct gcl_node *n) {
    struct gcl_interval which = gcl_bounds_of(b, n->a);
    struct gcl_interval x = gcl_bounds_of(b, n->b), y = gcl_bounds_of(b, n->c);
    if (gcl_interval_is_exact(which) && gcl_interval_is_exact(x) && gcl_interval_is_exact(y))
        return exactly(gcl_expression_select(&b->expressions, which.low, x.low, y.low));
    b->is_loose = true;
    return (struct gcl_interval){combine(b, GCL_PRAGMA_NODE_MIN, x.low, y.low),
                                 combine(b, GCL_PRAGMA_NODE_MAX, x.high, y.high)};
}

// What conditions around the access say.

// Where `small` + gap <= `large`: narrows what isn't known of a node that is part of one of them.
static void order(struct gcl_bounds *b, uint16_t node, uint16_t small, uint16_t large, int64_t gap,
                  struct gcl_interval *range) {
    struct gcl_terms less = {0}, more = {0};
    gcl_terms_add(b->kernel->program, small, 1, true, &less);
    gcl_terms_add(b->kernel->program, node, -1, true, &less);
    gcl_terms_add(b->kernel->program, large, 1, true, &more);
    gcl_terms_add(b->kernel->program, node, -1, true, &more);
    if (range->high == GCL_NONE && less.count == 0)
        range->high = combine(b, GCL_PRAGMA_NODE_SUBTRACT, gcl_bounds_of(b, large).high,
                              number(b, less.constant + gap));
    if (range->low == GCL_NONE && more.count == 0)
        range->low = combine(b, GCL_PRAGMA_NODE_ADD, gcl_bounds_of(b, small).low,
                             number(b, gap - more.constant));
}

static bool is_not(const struct gcl_program *p, const struct gcl_node *n) {
    int64_t value;
    return n->kind == GCL_NODE_XOR && n->width == 1 && is_constant(p, n->b, &value) && value != 0;
}

static void narrow(struct gcl_bounds *b, uint16_t node, uint16_t condition, bool holds,
                   struct gcl_interval *range) {
    const struct gcl_node *n = node_at(b, condition);
    struct gcl_terms rest = {0};
    if (is_not(b->kernel->program, n)) {
        narrow(b, node, n->a, !holds, range);
    } else if (n->kind == (holds ? GCL_NODE_AND : GCL_NODE_OR) && n->width == 1) {
        narrow(b, node, n->a, holds, range);
        narrow(b, node, n->b, holds, range);
    } else if (n->kind == GCL_NODE_EQ && holds) {
        order(b, node, n->a, n->b, 0, range);
        order(b, node, n->b, n->a, 0, range);
    } else if (n->kind == GCL_NODE_SLT || n->kind == GCL_NODE_ULT) {
        order(b, node, holds ? n->a : n->b, holds ? n->b : n->a, holds, range);
        gcl_terms_add(b->kernel->program, n->a, 1, true, &rest);
        gcl_terms_add(b->kernel->program, node, -1, true, &rest);
        if (n->kind == GCL_NODE_ULT && holds && rest.count == 0 && range->low == GCL_NONE)
            range->low = number(b, -rest.constant);
    }
}

static void narrow_by_conditions(struct gcl_bounds *b, uint16_t node, struct gcl_interval *range) {
    const struct gcl_guard *guards = b->kernel->program->guards;
    for (uint16_t g = b->access->guard; g != GCL_NONE; g = guards[g].outer) {
        if (guards[g].kind != GCL_GUARD_LOOP && guards[g].node != GCL_NONE)
            narrow(b, node, guards[g].node, guards[g].kind == GCL_GUARD_HOLDS, range);
    }
}

// Loops.

// The last iteration, if the next one runs as long as `terms` are more than 0.
static uint16_t last_while_positive(struct gcl_bounds *b, struct gcl_terms *terms, uint16_t loop) {
    struct gcl_interval left = exactly(number(b, terms->constant));
    int64_t step = 0;
    for (unsigned i = 0; i < MIN(terms->count, GCL_TERMS); i++) {
        const struct gcl_node *n = node_at(b, terms->list[i].node);
        if (n->kind == GCL_NODE_ITERATION && n->a == loop)
            step = -terms->list[i].factor;
        else
            left = gcl_bounds_add(
                b, left,
                gcl_bounds_scale(b, gcl_bounds_of(b, terms->list[i].node), terms->list[i].factor));
    }
    if (step <= 0 || terms->count > GCL_TERMS)
        return GCL_NONE;
    uint16_t rounded = combine(b, GCL_PRAGMA_NODE_ADD, left.high, number(b, step - 1));
    return combine(b, GCL_PRAGMA_NODE_DIVIDE, rounded, number(b, step));
}

static uint16_t last_while(struct gcl_bounds *b, uint16_t condition, bool holds, uint16_t loop) {
    const struct gcl_program *p = b->kernel->program;
    const struct gcl_node *n = &p->nodes[condition];
    struct gcl_terms terms = {0};
    if (is_not(p, n))
        return last_while(b, n->a, !holds, loop);
    if (n->kind == (holds ? GCL_NODE_AND : GCL_NODE_OR) && n->width == 1) {
        uint16_t first = last_while(b, n->a, holds, loop);
        return first != GCL_NONE ? first : last_while(b, n->b, holds, loop);
    }
    if (n->kind != GCL_NODE_SLT && n->kind != GCL_NODE_ULT && (n->kind != GCL_NODE_EQ || holds))
        return GCL_NONE;
    terms.constant = n->kind != GCL_NODE_EQ && !holds; // a <= b is a < b + 1
    gcl_terms_add(p, n->b, holds ? 1 : -1, true, &terms);
    gcl_terms_add(p, n->a, holds ? -1 : 1, true, &terms);
    uint16_t last = last_while_positive(b, &terms, loop);
    if (last != GCL_NONE || n->kind != GCL_NODE_EQ)
        return last;
    terms.constant = -terms.constant;
    for (unsigned i = 0; i < MIN(terms.count, GCL_TERMS); i++)
        terms.list[i].factor = -terms.list[i].factor;
    return last_while_positive(b, &terms, loop);
}

static uint16_t last_iteration(struct gcl_bounds *b, uint16_t loop) {
    uint16_t condition = b->kernel->program->guards[loop].node;
    return condition == GCL_NONE ? GCL_NONE : last_while(b, condition, true, loop);
}

// Nodes.

static uint16_t index_of(struct gcl_bounds *b, enum gcl_pragma_node_kind kind, unsigned axis) {
    return gcl_expression_index(&b->expressions, kind, axis);
}

static struct gcl_interval thread(struct gcl_bounds *b, unsigned axis) {
    if (!b->per_block)
        return exactly(index_of(b, GCL_PRAGMA_NODE_THREAD_INDEX, axis));
    return up_to(b, combine(b, GCL_PRAGMA_NODE_SUBTRACT,
                            index_of(b, GCL_PRAGMA_NODE_BLOCK_SIZE, axis), number(b, 1)));
}

static struct gcl_interval argument(struct gcl_bounds *b, uint16_t offset) {
    g_autofree char *name = gcl_text_name(b->kernel, offset);
    return name ? exactly(gcl_expression_object(&b->expressions, name)) : nobody_knows;
}

static struct gcl_interval leaf(struct gcl_bounds *b, const struct gcl_node *n) {
    uint16_t first;
    switch (n->kind) {
    case GCL_NODE_CONSTANT:
        return exactly(number(b, b->kernel->program->constants[n->a]));
    case GCL_NODE_ARGUMENT:
        return argument(b, n->a);
    case GCL_NODE_THREAD_INDEX:
        return thread(b, n->a);
    case GCL_NODE_BLOCK_INDEX:
        return exactly(index_of(b, GCL_PRAGMA_NODE_BLOCK_INDEX, n->a));
    case GCL_NODE_BLOCK_SIZE:
        return exactly(index_of(b, GCL_PRAGMA_NODE_BLOCK_SIZE, n->a));
    case GCL_NODE_GRID_SIZE:
        return exactly(index_of(b, GCL_PRAGMA_NODE_GRID_SIZE, n->a));
    case GCL_NODE_GLOBAL_INDEX:
        first = combine(b, GCL_PRAGMA_NODE_MULTIPLY, index_of(b, GCL_PRAGMA_NODE_BLOCK_INDEX, n->a),
                        index_of(b, GCL_PRAGMA_NODE_BLOCK_SIZE, n->a));
        return gcl_bounds_add(b, exactly(first), thread(b, n->a));
    case GCL_NODE_ITERATION:
        return up_to(b, last_iteration(b, n->a));
    default:
        return nobody_knows;
    }
}

// Numbers of few bits have bounds in any case.
static struct gcl_interval cast(struct gcl_bounds *b, const struct gcl_node *n) {
    struct gcl_interval range = gcl_bounds_of(b, n->a);
    unsigned width = MIN(n->width, node_at(b, n->a)->width);
    bool is_cut = n->kind == GCL_NODE_TRUNC && gcl_interval_is_exact(range);
    if (width >= 32 || (range.low != GCL_NONE && range.high != GCL_NONE && !is_cut))
        return range;
    if (n->kind == GCL_NODE_ZEXT)
        return up_to(b, number(b, ((int64_t)1 << width) - 1));
    if (n->kind == GCL_NODE_SEXT)
        return (struct gcl_interval){number(b, -((int64_t)1 << (width - 1))),
                                     number(b, ((int64_t)1 << (width - 1)) - 1)};
    return nobody_knows;
}

static struct gcl_interval bitwise(struct gcl_bounds *b, const struct gcl_node *n,
                                   struct gcl_interval x, struct gcl_interval y) {
    static const uint8_t kinds[] = {[GCL_NODE_OR] = GCL_PRAGMA_NODE_BIT_OR,
                                    [GCL_NODE_XOR] = GCL_PRAGMA_NODE_BIT_XOR,
                                    [GCL_NODE_SHL] = GCL_PRAGMA_NODE_SHIFT_LEFT};
    int64_t bits;
    if (!gcl_interval_is_exact(x) || !gcl_interval_is_exact(y) || n->width == 1)
        return nobody_knows;
    if (n->kind == GCL_NODE_XOR && is_constant(b->kernel->program, n->b, &bits) && bits == -1)
        return exactly(combine(b, GCL_PRAGMA_NODE_SUBTRACT, y.low, x.low));
    assert(n->kind < G_N_ELEMENTS(kinds) && kinds[n->kind]);
    return exactly(combine(b, kinds[n->kind], x.low, y.low));
}

static struct gcl_interval shift_right(struct gcl_bounds *b, const struct gcl_node *n,
                                       struct gcl_interval x, struct gcl_interval y) {
    int64_t by;
    struct gcl_interval range = divide(b, GCL_PRAGMA_NODE_SHIFT_RIGHT, x, y);
    if (range.low == GCL_NONE && n->kind == GCL_NODE_LSHR &&
        is_constant(b->kernel->program, n->b, &by) && by > 0 && by < n->width)
        return up_to(b, number(b, (int64_t)(UINT64_MAX >> (64 - n->width) >> by)));
    return range;
}

static struct gcl_interval operation(struct gcl_bounds *b, const struct gcl_node *n) {
    struct gcl_interval x = gcl_bounds_of(b, n->a), y = gcl_bounds_of(b, n->b);
    int64_t by;
    switch (n->kind) {
    case GCL_NODE_ADD:
        return gcl_bounds_add(b, x, y);
    case GCL_NODE_SUBTRACT:
        return gcl_bounds_add(b, x, gcl_bounds_scale(b, y, -1));
    case GCL_NODE_MULTIPLY:
        return multiply(b, x, y);
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
        return divide(b, GCL_PRAGMA_NODE_DIVIDE, x, y);
    case GCL_NODE_UREM:
    case GCL_NODE_SREM:
        return remainder_of(b, x, y);
    case GCL_NODE_SHL:
        if (is_constant(b->kernel->program, n->b, &by) && by >= 0 && by < 32)
            return gcl_bounds_scale(b, x, (int64_t)1 << by);
        return bitwise(b, n, x, y);
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
        return shift_right(b, n, x, y);
    case GCL_NODE_AND:
        return n->width == 1 ? nobody_knows : mask(b, x, y);
    case GCL_NODE_OR:
    case GCL_NODE_XOR:
        return bitwise(b, n, x, y);
    case GCL_NODE_UMIN:
    case GCL_NODE_SMIN:
        return least(b, x, y, n->kind == GCL_NODE_UMIN);
    case GCL_NODE_UMAX:
    case GCL_NODE_SMAX:
        return most(b, x, y);
    default:
        return compare(b, n);
    }
}

static struct gcl_interval find(struct gcl_bounds *b, uint16_t node) {
    const struct gcl_node *n = node_at(b, node);
    if (n->kind < GCL_NODE_ADD)
        return leaf(b, n);
    if (n->kind == GCL_NODE_SELECT)
        return choose(b, n);
    return n->kind >= GCL_NODE_ZEXT ? cast(b, n) : operation(b, n);
}

struct gcl_interval gcl_bounds_of(struct gcl_bounds *b, uint16_t node) {
    assert(node < b->kernel->program->node_count);
    if (b->is_known[node])
        return b->ranges[node];
    b->is_known[node] = true;
    b->ranges[node] = nobody_knows; // where it is met again on the way
    if (b->depth == DEEPEST)
        return nobody_knows;
    b->depth++;
    struct gcl_interval range = find(b, node);
    b->depth--;
    if (!gcl_interval_is_exact(range))
        narrow_by_conditions(b, node, &range);
    b->ranges[node] = range;
    return range;
}

// Blocks that sweep.

static uint16_t plain(const struct gcl_program *p, uint16_t node) {
    while (is_extension(&p->nodes[node]))
        node = p->nodes[node].a;
    return node;
}

// `blockDim.x * iteration`: the loop, GCL_NONE if it is something else.
static uint16_t swept_loop(const struct gcl_program *p, uint16_t node, unsigned *axis) {
    const struct gcl_node *n = &p->nodes[node];
    if (n->kind != GCL_NODE_MULTIPLY)
        return GCL_NONE;
    const struct gcl_node *x = &p->nodes[plain(p, n->a)], *y = &p->nodes[plain(p, n->b)];
    const struct gcl_node *size = x->kind == GCL_NODE_BLOCK_SIZE ? x : y;
    const struct gcl_node *count = size == x ? y : x;
    *axis = size->a;
    return size->kind == GCL_NODE_BLOCK_SIZE && count->kind == GCL_NODE_ITERATION ? count->a
                                                                                  : GCL_NONE;
}

static unsigned find_term(const struct gcl_bounds *b, const struct gcl_terms *terms,
                          enum gcl_node_kind kind, unsigned axis, int64_t factor) {
    for (unsigned i = 0; i < MIN(terms->count, GCL_TERMS); i++) {
        const struct gcl_node *n = node_at(b, terms->list[i].node);
        if (n->kind == kind && n->a == axis && terms->list[i].factor == factor)
            return i;
    }
    return GCL_TERMS;
}

// The last that a thread of the block comes to, if the loop's condition is about just that: what
// comes next is below a bound.
static uint16_t sweep_end(struct gcl_bounds *b, uint16_t loop, uint16_t step, unsigned axis) {
    const struct gcl_program *p = b->kernel->program;
    uint16_t condition = p->guards[loop].node;
    const struct gcl_node *n = condition == GCL_NONE ? NULL : &p->nodes[condition];
    struct gcl_terms next = {0};
    if (!n || (n->kind != GCL_NODE_SLT && n->kind != GCL_NODE_ULT))
        return GCL_NONE;
    gcl_terms_add(p, n->a, 1, true, &next);
    gcl_terms_add(p, step, -1, true, &next);
    if (next.count != 2 || find_term(b, &next, GCL_NODE_THREAD_INDEX, axis, 1) == GCL_TERMS ||
        find_term(b, &next, GCL_NODE_BLOCK_SIZE, axis, 1) == GCL_TERMS)
        return GCL_NONE;
    return combine(b, GCL_PRAGMA_NODE_SUBTRACT, gcl_bounds_of(b, n->b).high,
                   number(b, next.constant + 1));
}

bool gcl_bounds_sweep(struct gcl_bounds *b, struct gcl_terms *terms, struct gcl_interval *range,
                      int64_t *factor) {
    for (unsigned i = 0; i < MIN(terms->count, GCL_TERMS); i++) {
        struct gcl_term step = terms->list[i];
        unsigned axis;
        uint16_t loop = swept_loop(b->kernel->program, step.node, &axis);
        if (loop == GCL_NONE ||
            find_term(b, terms, GCL_NODE_THREAD_INDEX, axis, step.factor) == GCL_TERMS)
            continue;
        *range = up_to(b, sweep_end(b, loop, step.node, axis));
        *factor = step.factor;
        terms->list[i] = terms->list[--terms->count];
        unsigned thread = find_term(b, terms, GCL_NODE_THREAD_INDEX, axis, step.factor);
        terms->list[thread] = terms->list[--terms->count];
        return true;
    }
    return false;
}
