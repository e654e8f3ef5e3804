// Nodes are made equal by a hash table, and simpler where that costs nothing: constants are
// computed, sums keep their constant at the end, what is added up to a thread's number in the grid
// becomes that.
//
// What follows from something unknown is unknown, unless the operation bounds it.
#include "device/access/graph.h"

#include <assert.h>

enum { TERMS = 16 };

static guint hash_node(gconstpointer key) {
    const struct gcl_graph_node *n = key;
    uint64_t h = n->kind | (uint64_t)n->width << 8;
    h = (h ^ n->a) * 0x9e3779b97f4a7c15u;
    h = (h ^ n->b) * 0x9e3779b97f4a7c15u;
    h = (h ^ n->c ^ (uint64_t)n->value) * 0x9e3779b97f4a7c15u;
    return (guint)(h >> 32);
}

static gboolean equal_nodes(gconstpointer left, gconstpointer right) {
    const struct gcl_graph_node *x = left, *y = right;
    return x->kind == y->kind && x->width == y->width && x->a == y->a && x->b == y->b &&
           x->c == y->c && x->value == y->value && x->loops == y->loops && x->open == y->open;
}

void gcl_graph_init(struct gcl_graph *g) {
    g->nodes = g_array_new(FALSE, FALSE, sizeof(struct gcl_graph_node));
    g->index = g_hash_table_new_full(hash_node, equal_nodes, g_free, NULL);
}

void gcl_graph_finish(struct gcl_graph *g) {
    g_array_free(g->nodes, TRUE);
    g_hash_table_destroy(g->index);
}

const struct gcl_graph_node *gcl_graph_at(const struct gcl_graph *g, uint32_t node) {
    assert(node < g->nodes->len);
    return &g_array_index(g->nodes, struct gcl_graph_node, node);
}

static int64_t sign_extend(uint64_t value, unsigned width) {
    assert(width >= 1 && width <= 64);
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

// Whether the operands of a node are as wide as its kind wants them.
static bool are_widths_sound(const struct gcl_graph *g, const struct gcl_graph_node *n) {
    unsigned a = gcl_graph_at(g, n->a)->width;
    switch ((enum gcl_node_kind)n->kind) {
    case GCL_NODE_ZEXT:
    case GCL_NODE_SEXT:
        return a < n->width;
    case GCL_NODE_TRUNC:
        return a > n->width;
    case GCL_NODE_EQ:
    case GCL_NODE_ULT:
    case GCL_NODE_SLT:
        return n->width == 1 && gcl_graph_at(g, n->b)->width == a;
    case GCL_NODE_SELECT:
        return a == 1 && gcl_graph_at(g, n->b)->width == n->width &&
               gcl_graph_at(g, n->c)->width == n->width;
    default:
        return a == n->width && gcl_graph_at(g, n->b)->width == n->width;
    }
}

// Whether a node has one form alone: a constant is sign-extended, and is the right operand of a sum
// or product; what follows from an OPEN node says so.
G_GNUC_UNUSED static bool is_sound(const struct gcl_graph *g, const struct gcl_graph_node *n) {
    const uint32_t operands[] = {n->a, n->b, n->c};
    if (n->width < 1 || n->width > 64)
        return false;
    for (unsigned i = 0; i < gcl_graph_operands(n->kind); i++) {
        if (operands[i] >= g->nodes->len || (gcl_graph_at(g, operands[i])->open & ~n->open))
            return false;
    }
    if (n->kind == GCL_NODE_CONSTANT)
        return n->value == sign_extend((uint64_t)n->value, n->width) && !n->loops && !n->open;
    if (n->kind == GCL_NODE_OPEN)
        return n->open == UINT64_C(1) << n->a;
    if ((n->kind == GCL_NODE_ADD || n->kind == GCL_NODE_MULTIPLY) &&
        gcl_graph_at(g, n->a)->kind == GCL_NODE_CONSTANT)
        return false;
    return gcl_graph_operands(n->kind) == 0 || are_widths_sound(g, n);
}

static uint32_t add_node(struct gcl_graph *g, struct gcl_graph_node node) {
    gpointer known;
    assert(is_sound(g, &node));
    node.doubtful |= node.kind == GCL_NODE_UNKNOWN || node.kind == GCL_NODE_LOAD;
    if (g_hash_table_lookup_extended(g->index, &node, NULL, &known))
        return GPOINTER_TO_UINT(known);
    g_hash_table_insert(g->index, g_memdup2(&node, sizeof node), GUINT_TO_POINTER(g->nodes->len));
    g_array_append_val(g->nodes, node);
    return g->nodes->len - 1;
}

static uint64_t zero_extend(int64_t value, unsigned width) {
    assert(width >= 1 && width <= 64);
    return width == 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << width) - 1);
}

bool gcl_graph_is_constant(const struct gcl_graph *g, uint32_t node, int64_t *value) {
    const struct gcl_graph_node *n = gcl_graph_at(g, node);
    *value = n->value;
    return n->kind == GCL_NODE_CONSTANT;
}

static bool is_value(const struct gcl_graph *g, uint32_t node, int64_t value) {
    int64_t known;
    return gcl_graph_is_constant(g, node, &known) && known == value;
}

static bool is_kind(const struct gcl_graph *g, uint32_t node, enum gcl_node_kind kind) {
    return gcl_graph_at(g, node)->kind == kind;
}

static unsigned width_of(const struct gcl_graph *g, uint32_t node) {
    return gcl_graph_at(g, node)->width;
}

uint32_t gcl_graph_constant(struct gcl_graph *g, unsigned width, int64_t value) {
    return add_node(g, (struct gcl_graph_node){.kind = GCL_NODE_CONSTANT,
                                               .width = (uint8_t)width,
                                               .value = sign_extend((uint64_t)value, width)});
}

uint32_t gcl_graph_leaf(struct gcl_graph *g, enum gcl_node_kind kind, unsigned width, uint32_t a,
                        uint64_t loops) {
    assert(gcl_graph_operands(kind) == 0 && kind != GCL_NODE_CONSTANT && kind != GCL_NODE_UNKNOWN);
    return add_node(g, (struct gcl_graph_node){
                           .kind = (uint8_t)kind, .width = (uint8_t)width, .a = a, .loops = loops});
}

uint32_t gcl_graph_load(struct gcl_graph *g, unsigned width, uint32_t record, uint64_t loops,
                        uint64_t open) {
    return add_node(g, (struct gcl_graph_node){.kind = GCL_NODE_LOAD,
                                               .width = (uint8_t)width,
                                               .a = record,
                                               .loops = loops,
                                               .open = open});
}

uint32_t gcl_graph_open(struct gcl_graph *g, unsigned width, unsigned depth, uint64_t loops) {
    assert(depth < 64); // a bit of gcl_graph_node.open
    return add_node(g, (struct gcl_graph_node){.kind = GCL_NODE_OPEN,
                                               .width = (uint8_t)width,
                                               .a = depth,
                                               .loops = loops,
                                               .open = UINT64_C(1) << depth});
}

unsigned gcl_graph_operands(enum gcl_node_kind kind) {
    if ((int)kind == GCL_NODE_OPEN || kind < GCL_NODE_ADD)
        return 0;
    if (kind == GCL_NODE_SELECT)
        return 3;
    return kind >= GCL_NODE_ZEXT ? 1 : 2;
}

static uint32_t make(struct gcl_graph *g, enum gcl_node_kind kind, unsigned width, uint32_t a,
                     uint32_t b, uint32_t c) {
    struct gcl_graph_node node = {.kind = (uint8_t)kind, .width = (uint8_t)width, a, b, c};
    const uint32_t operands[] = {a, b, c};
    for (unsigned i = 0; i < gcl_graph_operands(kind); i++) {
        node.loops |= gcl_graph_at(g, operands[i])->loops;
        node.open |= gcl_graph_at(g, operands[i])->open;
        node.doubtful |= gcl_graph_at(g, operands[i])->doubtful;
    }
    return add_node(g, node);
}

uint32_t gcl_graph_unknown(struct gcl_graph *g, unsigned width, uint32_t reason, uint64_t loops) {
    return add_node(g, (struct gcl_graph_node){.kind = GCL_NODE_UNKNOWN,
                                               .width = (uint8_t)width,
                                               .a = reason,
                                               .b = g->unknown_count++,
                                               .loops = loops});
}

// Unknown for the reason of `source`, and as changeable as all operands.
static uint32_t spread_unknown(struct gcl_graph *g, uint32_t source, unsigned width, uint32_t a,
                               uint32_t b) {
    struct gcl_graph_node node = *gcl_graph_at(g, source);
    assert(node.kind == GCL_NODE_UNKNOWN); // whose `a` is a reason
    node.width = (uint8_t)width;
    node.b = g->unknown_count++;
    node.loops |= gcl_graph_at(g, a)->loops | gcl_graph_at(g, b)->loops;
    node.open |= gcl_graph_at(g, a)->open | gcl_graph_at(g, b)->open;
    return add_node(g, node);
}

// Constants.

static bool compute_division(enum gcl_node_kind kind, int64_t a, int64_t b, unsigned width,
                             int64_t *result) {
    uint64_t x = zero_extend(a, width), y = zero_extend(b, width);
    if (b == 0 || (b == -1 && (kind == GCL_NODE_SDIV || kind == GCL_NODE_SREM)))
        return false;
    switch (kind) {
    case GCL_NODE_UDIV:
        *result = (int64_t)(x / y);
        return true;
    case GCL_NODE_SDIV:
        *result = a / b;
        return true;
    case GCL_NODE_UREM:
        *result = (int64_t)(x % y);
        return true;
    default:
        *result = a % b;
        return true;
    }
}

static bool compute_shift(enum gcl_node_kind kind, int64_t a, int64_t b, unsigned width,
                          int64_t *result) {
    uint64_t by = zero_extend(b, width);
    if (by >= width)
        return false;
    if (kind == GCL_NODE_SHL)
        *result = (int64_t)((uint64_t)a << by);
    else if (kind == GCL_NODE_LSHR)
        *result = (int64_t)(zero_extend(a, width) >> by);
    else
        *result = a >> by;
    return true;
}

static bool compute(enum gcl_node_kind kind, int64_t a, int64_t b, unsigned width,
                    int64_t *result) {
    uint64_t x = zero_extend(a, width), y = zero_extend(b, width);
    switch (kind) {
    case GCL_NODE_ADD:
        *result = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case GCL_NODE_SUBTRACT:
        *result = (int64_t)((uint64_t)a - (uint64_t)b);
        return true;
    case GCL_NODE_MULTIPLY:
        *result = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
    case GCL_NODE_UREM:
    case GCL_NODE_SREM:
        return compute_division(kind, a, b, width, result);
    case GCL_NODE_SHL:
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
        return compute_shift(kind, a, b, width, result);
    case GCL_NODE_AND:
        *result = a & b;
        return true;
    case GCL_NODE_OR:
        *result = a | b;
        return true;
    case GCL_NODE_XOR:
        *result = a ^ b;
        return true;
    case GCL_NODE_UMIN:
        *result = x < y ? a : b;
        return true;
    case GCL_NODE_UMAX:
        *result = x > y ? a : b;
        return true;
    case GCL_NODE_SMIN:
        *result = a < b ? a : b;
        return true;
    case GCL_NODE_SMAX:
        *result = a > b ? a : b;
        return true;
    case GCL_NODE_EQ:
        *result = a == b;
        return true;
    case GCL_NODE_ULT:
        *result = x < y;
        return true;
    case GCL_NODE_SLT:
        *result = a < b;
        return true;
    default:
        return false;
    }
}

// Sums.

unsigned gcl_graph_terms(const struct gcl_graph *g, uint32_t node, uint32_t *terms, unsigned room) {
    const struct gcl_graph_node *n = gcl_graph_at(g, node);
    if (room > 0 && n->kind == GCL_NODE_ADD) {
        unsigned first = gcl_graph_terms(g, n->a, terms, room);
        return first > room ? first : first + gcl_graph_terms(g, n->b, terms + first, room - first);
    }
    if (room > 0)
        *terms = node;
    return 1;
}

// Whether `product` is block index times block size of `axis`.
static bool is_block_start(const struct gcl_graph *g, uint32_t product, uint32_t axis) {
    const struct gcl_graph_node *n = gcl_graph_at(g, product);
    if (n->kind != GCL_NODE_MULTIPLY)
        return false;
    const struct gcl_graph_node *x = gcl_graph_at(g, n->a), *y = gcl_graph_at(g, n->b);
    if (x->kind != GCL_NODE_BLOCK_INDEX) {
        const struct gcl_graph_node *other = x;
        x = y;
        y = other;
    }
    return x->kind == GCL_NODE_BLOCK_INDEX && y->kind == GCL_NODE_BLOCK_SIZE && x->a == axis &&
           y->a == axis;
}

// A term without the constant that it is multiplied by.
static uint32_t split_term(const struct gcl_graph *g, uint32_t term, int64_t *factor) {
    const struct gcl_graph_node *n = gcl_graph_at(g, term);
    if (n->kind == GCL_NODE_MULTIPLY && gcl_graph_is_constant(g, n->b, factor))
        return n->a;
    *factor = 1;
    return term;
}

// Looks among `terms` for that which makes thread `t` of them its number in the grid; -1: none.
static int find_block_start(const struct gcl_graph *g, const uint32_t *terms, unsigned count,
                            unsigned t, uint32_t *axis, int64_t *factor) {
    int64_t other;
    const struct gcl_graph_node *thread = gcl_graph_at(g, split_term(g, terms[t], factor));
    *axis = thread->a;
    for (unsigned p = 0; thread->kind == GCL_NODE_THREAD_INDEX && p < count; p++) {
        if (is_block_start(g, split_term(g, terms[p], &other), *axis) && other == *factor)
            return (int)p;
    }
    return -1;
}

// The sum as it is if no two of its terms are a thread's number in the grid.
static uint32_t find_global_index(struct gcl_graph *g, uint32_t a, uint32_t b) {
    uint32_t terms[TERMS], axis;
    unsigned count = gcl_graph_terms(g, a, terms, TERMS);
    if (count <= TERMS)
        count += gcl_graph_terms(g, b, terms + count, TERMS - count);
    unsigned width = width_of(g, a);
    int64_t factor;
    for (unsigned t = 0; t < count && count <= TERMS; t++) {
        int start = find_block_start(g, terms, count, t, &axis, &factor);
        if (start < 0)
            continue;
        uint32_t sum = gcl_graph_leaf(g, GCL_NODE_GLOBAL_INDEX, width, axis, 0);
        sum = gcl_graph_binary(g, GCL_NODE_MULTIPLY, sum, gcl_graph_constant(g, width, factor));
        for (unsigned i = 0; i < count; i++) {
            if (i != t && i != (unsigned)start)
                sum = gcl_graph_binary(g, GCL_NODE_ADD, sum, terms[i]);
        }
        return sum;
    }
    return make(g, GCL_NODE_ADD, width, MIN(a, b), MAX(a, b), 0);
}

static bool is_difference(const struct gcl_graph *g, uint32_t node, uint32_t subtrahend) {
    const struct gcl_graph_node *n = gcl_graph_at(g, node);
    return n->kind == GCL_NODE_SUBTRACT && n->b == subtrahend;
}

// A constant stands last, and there is only one.
static uint32_t make_sum(struct gcl_graph *g, uint32_t a, uint32_t b) {
    int64_t constant, inner;
    assert(width_of(g, a) == width_of(g, b));
    if (is_difference(g, a, b) || is_difference(g, b, a))
        return gcl_graph_at(g, is_difference(g, a, b) ? a : b)->a;
    if (is_kind(g, a, GCL_NODE_CONSTANT)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    struct gcl_graph_node x = *gcl_graph_at(g, a), y = *gcl_graph_at(g, b);
    if (gcl_graph_is_constant(g, b, &constant)) {
        if (x.kind == GCL_NODE_ADD && gcl_graph_is_constant(g, x.b, &inner))
            return make_sum(
                g, x.a,
                gcl_graph_constant(g, x.width, (int64_t)((uint64_t)constant + (uint64_t)inner)));
        return constant == 0 ? a : make(g, GCL_NODE_ADD, x.width, a, b, 0);
    }
    if (x.kind == GCL_NODE_ADD && gcl_graph_is_constant(g, x.b, &inner))
        return make_sum(g, make_sum(g, x.a, b), x.b);
    if (y.kind == GCL_NODE_ADD && gcl_graph_is_constant(g, y.b, &inner))
        return make_sum(g, make_sum(g, a, y.a), y.b);
    return find_global_index(g, a, b);
}

// Other operations.

// Whether something is known of the result although one operand isn't.
static bool bounds(enum gcl_node_kind kind) {
    switch (kind) {
    case GCL_NODE_AND:
    case GCL_NODE_OR:
    case GCL_NODE_UREM:
    case GCL_NODE_SREM:
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
    case GCL_NODE_UMIN:
    case GCL_NODE_UMAX:
    case GCL_NODE_SMIN:
    case GCL_NODE_SMAX:
        return true;
    default:
        return false;
    }
}

static bool is_commutative(enum gcl_node_kind kind) {
    switch (kind) {
    case GCL_NODE_MULTIPLY:
    case GCL_NODE_AND:
    case GCL_NODE_OR:
    case GCL_NODE_XOR:
    case GCL_NODE_UMIN:
    case GCL_NODE_UMAX:
    case GCL_NODE_SMIN:
    case GCL_NODE_SMAX:
    case GCL_NODE_EQ:
        return true;
    default:
        return false;
    }
}

static bool is_comparison(enum gcl_node_kind kind) {
    return kind == GCL_NODE_EQ || kind == GCL_NODE_ULT || kind == GCL_NODE_SLT;
}

// A product of constants, or of a sum with a constant in it.
static uint32_t distribute(struct gcl_graph *g, uint32_t a, uint32_t b, int64_t constant) {
    struct gcl_graph_node x = *gcl_graph_at(g, a);
    int64_t inner;
    assert(is_value(g, b, constant));
    if ((x.kind != GCL_NODE_MULTIPLY && x.kind != GCL_NODE_ADD) ||
        !gcl_graph_is_constant(g, x.b, &inner))
        return GCL_NOTHING;
    uint32_t product =
        gcl_graph_constant(g, x.width, (int64_t)((uint64_t)constant * (uint64_t)inner));
    if (x.kind == GCL_NODE_MULTIPLY)
        return gcl_graph_binary(g, GCL_NODE_MULTIPLY, x.a, product);
    return gcl_graph_binary(g, GCL_NODE_ADD, gcl_graph_binary(g, GCL_NODE_MULTIPLY, x.a, b),
                            product);
}

// (x << up) >> by with up >= by is an extension of the low bits.
static uint32_t extend_low(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a, int64_t by) {
    struct gcl_graph_node x = *gcl_graph_at(g, a);
    int64_t factor;
    if (x.kind != GCL_NODE_MULTIPLY || !gcl_graph_is_constant(g, x.b, &factor) || factor <= 1 ||
        (factor & (factor - 1)) != 0)
        return GCL_NOTHING;
    int up = __builtin_ctzll((unsigned long long)factor);
    assert((unsigned)up < x.width);
    if (by < 0 || by > up)
        return GCL_NOTHING;
    uint32_t low = gcl_graph_cast(g, GCL_NODE_TRUNC, x.width - (unsigned)up, x.a);
    low = gcl_graph_cast(g, kind == GCL_NODE_ASHR ? GCL_NODE_SEXT : GCL_NODE_ZEXT, x.width, low);
    return gcl_graph_binary(g, GCL_NODE_MULTIPLY, low,
                            gcl_graph_constant(g, x.width, INT64_C(1) << (up - by)));
}

// With a constant as the right operand; GCL_NOTHING if that makes nothing simpler.
static uint32_t simplify_constant(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a,
                                  uint32_t b, int64_t constant) {
    assert(is_value(g, b, constant));
    unsigned width = width_of(g, a);
    bool is_zero = constant == 0, is_one = zero_extend(constant, width) == 1;
    switch (kind) {
    case GCL_NODE_SUBTRACT:
        return make_sum(g, a, gcl_graph_constant(g, width, (int64_t)-(uint64_t)constant));
    case GCL_NODE_MULTIPLY:
        return is_zero ? b : is_one ? a : distribute(g, a, b, constant);
    case GCL_NODE_SHL:
        if (zero_extend(constant, width) >= width)
            return GCL_NOTHING;
        b = gcl_graph_constant(g, width, (int64_t)(UINT64_C(1) << constant));
        return gcl_graph_binary(g, GCL_NODE_MULTIPLY, a, b);
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
        return is_one && width > 1 ? a : GCL_NOTHING;
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
        return is_zero ? a : extend_low(g, kind, a, constant);
    case GCL_NODE_XOR:
        return is_zero ? a : GCL_NOTHING;
    case GCL_NODE_OR:
        return is_zero ? a : constant == -1 ? b : GCL_NOTHING;
    case GCL_NODE_AND:
        return is_zero ? b : constant == -1 ? a : GCL_NOTHING;
    case GCL_NODE_EQ:
        return width > 1 ? GCL_NOTHING : is_zero ? gcl_graph_not(g, a) : a;
    default:
        return GCL_NOTHING;
    }
}

// Of two equal operands, or two of which one is the other's opposite.
static uint32_t simplify_pair(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a,
                              uint32_t b) {
    bool is_logic = kind == GCL_NODE_AND || kind == GCL_NODE_OR;
    if (a == b && (is_logic || (kind >= GCL_NODE_UMIN && kind <= GCL_NODE_SMAX)))
        return a;
    if (a == b && (kind == GCL_NODE_SUBTRACT || kind == GCL_NODE_XOR))
        return gcl_graph_constant(g, width_of(g, a), 0);
    if (a == b && is_comparison(kind))
        return gcl_graph_constant(g, 1, kind == GCL_NODE_EQ);
    if (is_logic && width_of(g, a) == 1 && gcl_graph_not(g, a) == b)
        return gcl_graph_constant(g, 1, kind == GCL_NODE_OR);
    return GCL_NOTHING;
}

// a, or b and not a.
static uint32_t simplify_otherwise(struct gcl_graph *g, uint32_t a, uint32_t b) {
    struct gcl_graph_node y = *gcl_graph_at(g, b);
    if (y.width != 1 || y.kind != GCL_NODE_AND)
        return GCL_NOTHING;
    uint32_t not = gcl_graph_not(g, a);
    if (y.a != not&&y.b != not)
        return GCL_NOTHING;
    return gcl_graph_binary(g, GCL_NODE_OR, a, y.a == not? y.b : y.a);
}

// a and b or a and not b.
static uint32_t simplify_cases(struct gcl_graph *g, uint32_t a, uint32_t b) {
    struct gcl_graph_node x = *gcl_graph_at(g, a), y = *gcl_graph_at(g, b);
    if (x.width != 1)
        return GCL_NOTHING;
    uint32_t either = simplify_otherwise(g, a, b);
    if (either == GCL_NOTHING)
        either = simplify_otherwise(g, b, a);
    if (either != GCL_NOTHING || x.kind != GCL_NODE_AND || y.kind != GCL_NODE_AND)
        return either;
    for (int i = 0; i < 4; i++) {
        uint32_t p = i & 1 ? x.a : x.b, p_other = i & 1 ? x.b : x.a;
        uint32_t q = i & 2 ? y.a : y.b, q_other = i & 2 ? y.b : y.a;
        if (p == q && gcl_graph_not(g, p_other) == q_other)
            return p;
    }
    return GCL_NOTHING;
}

// x == c and something else about x and a constant, which c answers.
static uint32_t simplify_known(struct gcl_graph *g, uint32_t a, uint32_t b) {
    struct gcl_graph_node x = *gcl_graph_at(g, a), y = *gcl_graph_at(g, b);
    bool inverted = y.kind == GCL_NODE_XOR;
    int64_t value, limit;
    if (x.kind != GCL_NODE_EQ || !gcl_graph_is_constant(g, x.b, &value))
        return GCL_NOTHING;
    if (inverted)
        y = *gcl_graph_at(g, y.a);
    if (!is_comparison(y.kind) || (y.a != x.a && y.b != x.a) ||
        !gcl_graph_is_constant(g, y.a == x.a ? y.b : y.a, &limit))
        return GCL_NOTHING;
    uint32_t left = y.a == x.a ? x.b : y.a, right = y.a == x.a ? y.b : x.b;
    bool holds = is_value(g, gcl_graph_binary(g, y.kind, left, right), -1);
    return holds != inverted ? a : gcl_graph_constant(g, 1, 0);
}

static uint32_t simplify(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a, uint32_t b) {
    int64_t constant;
    uint32_t simple = GCL_NOTHING;
    if (gcl_graph_is_constant(g, b, &constant))
        simple = simplify_constant(g, kind, a, b, constant);
    if (simple == GCL_NOTHING)
        simple = simplify_pair(g, kind, a, b);
    if (simple == GCL_NOTHING && kind == GCL_NODE_OR)
        simple = simplify_cases(g, a, b);
    if (simple == GCL_NOTHING && kind == GCL_NODE_AND && width_of(g, a) == 1)
        simple = simplify_known(g, a, b);
    if (simple == GCL_NOTHING && kind == GCL_NODE_AND && width_of(g, a) == 1)
        simple = simplify_known(g, b, a);
    return simple;
}

uint32_t gcl_graph_binary(struct gcl_graph *g, enum gcl_node_kind kind, uint32_t a, uint32_t b) {
    int64_t x, y, result;
    bool left = gcl_graph_is_constant(g, a, &x), right = gcl_graph_is_constant(g, b, &y);
    unsigned width = width_of(g, a), result_width = is_comparison(kind) ? 1 : width;
    assert(width_of(g, b) == width);
    assert(gcl_graph_operands(kind) == 2);
    if (left && right && compute(kind, x, y, width, &result))
        return gcl_graph_constant(g, result_width, result);
    if (is_commutative(kind) && (left || (!right && a > b))) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    // What is true whatever the other operand is comes before what isn't known.
    uint32_t simple = kind == GCL_NODE_ADD ? GCL_NOTHING : simplify(g, kind, a, b);
    if (simple != GCL_NOTHING)
        return simple;
    if (!bounds(kind) && is_kind(g, a, GCL_NODE_UNKNOWN))
        return spread_unknown(g, a, result_width, a, b);
    if (!bounds(kind) && is_kind(g, b, GCL_NODE_UNKNOWN))
        return spread_unknown(g, b, result_width, a, b);
    if (is_kind(g, a, GCL_NODE_UNKNOWN) && is_kind(g, b, GCL_NODE_UNKNOWN))
        return spread_unknown(g, a, result_width, a, b);
    return kind == GCL_NODE_ADD ? make_sum(g, a, b) : make(g, kind, result_width, a, b, 0);
}

static bool is_index(const struct gcl_graph *g, uint32_t node) {
    enum gcl_node_kind kind = gcl_graph_at(g, node)->kind;
    return kind >= GCL_NODE_THREAD_INDEX && kind <= GCL_NODE_GRID_SIZE;
}

// The low bits of what wraps around are those of its operands' low bits. GCL_NOTHING for others.
static uint32_t cut_off(struct gcl_graph *g, struct gcl_graph_node n, unsigned width) {
    switch (n.kind) {
    case GCL_NODE_ADD:
    case GCL_NODE_SUBTRACT:
    case GCL_NODE_MULTIPLY:
        n.a = gcl_graph_cast(g, GCL_NODE_TRUNC, width, n.a);
        return gcl_graph_binary(g, n.kind, n.a, gcl_graph_cast(g, GCL_NODE_TRUNC, width, n.b));
    case GCL_NODE_SELECT:
        n.b = gcl_graph_cast(g, GCL_NODE_TRUNC, width, n.b);
        return gcl_graph_select(g, n.a, n.b, gcl_graph_cast(g, GCL_NODE_TRUNC, width, n.c));
    case GCL_NODE_ARGUMENT:
        return gcl_graph_leaf(g, n.kind, width, n.a, 0);
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
    case GCL_NODE_GLOBAL_INDEX:
        return width == 32 ? gcl_graph_leaf(g, n.kind, width, n.a, n.loops) : GCL_NOTHING;
    default:
        return GCL_NOTHING;
    }
}

uint32_t gcl_graph_cast(struct gcl_graph *g, enum gcl_node_kind kind, unsigned width, uint32_t a) {
    struct gcl_graph_node n = *gcl_graph_at(g, a);
    if (n.width == width)
        return a;
    assert(kind == GCL_NODE_TRUNC
               ? width < n.width
               : width > n.width && (kind == GCL_NODE_ZEXT || kind == GCL_NODE_SEXT));
    if (n.kind == GCL_NODE_CONSTANT)
        return gcl_graph_constant(
            g, width, kind == GCL_NODE_ZEXT ? (int64_t)zero_extend(n.value, n.width) : n.value);
    // Indices and sizes are below 2^31, and what was made of their 32 bits is as good as made of 64
    if (is_index(g, a) && n.width >= 32 && width >= 32)
        return gcl_graph_leaf(g, n.kind, width, n.a, 0);
    if (kind == GCL_NODE_TRUNC && (n.kind == GCL_NODE_ZEXT || n.kind == GCL_NODE_SEXT)) {
        unsigned inner = width_of(g, n.a);
        return gcl_graph_cast(g, inner < width ? n.kind : GCL_NODE_TRUNC, width, n.a);
    }
    if (kind != GCL_NODE_TRUNC && n.kind == GCL_NODE_ZEXT)
        return gcl_graph_cast(g, GCL_NODE_ZEXT, width, n.a);
    if (kind == GCL_NODE_SEXT && n.kind == GCL_NODE_SEXT)
        return gcl_graph_cast(g, GCL_NODE_SEXT, width, n.a);
    if (kind == GCL_NODE_TRUNC && n.kind == GCL_NODE_TRUNC)
        return gcl_graph_cast(g, GCL_NODE_TRUNC, width, n.a);
    uint32_t low = kind == GCL_NODE_TRUNC ? cut_off(g, n, width) : GCL_NOTHING;
    if (low != GCL_NOTHING)
        return low;
    if (n.kind == GCL_NODE_UNKNOWN && kind != GCL_NODE_ZEXT)
        return spread_unknown(g, a, width, a, a);
    return make(g, kind, width, a, 0, 0);
}

static uint32_t select_condition(struct gcl_graph *g, uint32_t condition, uint32_t a, uint32_t b) {
    uint32_t not = gcl_graph_not(g, condition);
    if (is_value(g, b, 0))
        return gcl_graph_binary(g, GCL_NODE_AND, condition, a);
    if (is_value(g, a, -1))
        return gcl_graph_binary(g, GCL_NODE_OR, condition, b);
    if (is_value(g, a, 0))
        return gcl_graph_binary(g, GCL_NODE_AND, not, b);
    if (is_value(g, b, -1))
        return gcl_graph_binary(g, GCL_NODE_OR, not, a);
    return make(g, GCL_NODE_SELECT, 1, condition, a, b);
}

// i == 0 ? a : b, where b is a in the first iteration.
static bool is_no_exception(struct gcl_graph *g, uint32_t condition, uint32_t a, uint32_t b) {
    static const unsigned widths[] = {8, 16, 32, 64};
    struct gcl_graph_node n = *gcl_graph_at(g, condition);
    if (n.kind != GCL_NODE_EQ || !is_value(g, n.b, 0) || !is_kind(g, n.a, GCL_NODE_ITERATION))
        return false;
    struct gcl_graph_node i = *gcl_graph_at(g, n.a);
    for (size_t w = 0; w < G_N_ELEMENTS(widths); w++) {
        uint32_t now = gcl_graph_leaf(g, GCL_NODE_ITERATION, widths[w], i.a, i.loops);
        b = gcl_graph_replace(g, b, now, gcl_graph_constant(g, widths[w], 0));
    }
    return a == b;
}

uint32_t gcl_graph_select(struct gcl_graph *g, uint32_t condition, uint32_t a, uint32_t b) {
    int64_t known;
    assert(width_of(g, condition) == 1 && width_of(g, a) == width_of(g, b));
    if (is_no_exception(g, condition, a, b))
        return b;
    if (a == b)
        return a;
    if (gcl_graph_is_constant(g, condition, &known))
        return known ? a : b;
    if (width_of(g, a) == 1)
        return select_condition(g, condition, a, b);
    if (is_kind(g, a, GCL_NODE_UNKNOWN) && is_kind(g, b, GCL_NODE_UNKNOWN))
        return spread_unknown(g, a, width_of(g, a), condition, b);
    return make(g, GCL_NODE_SELECT, width_of(g, a), condition, a, b);
}

uint32_t gcl_graph_not(struct gcl_graph *g, uint32_t a) {
    struct gcl_graph_node n = *gcl_graph_at(g, a);
    assert(n.width == 1);
    if (n.kind == GCL_NODE_CONSTANT)
        return gcl_graph_constant(g, 1, !n.value);
    if (n.kind == GCL_NODE_XOR && is_kind(g, n.b, GCL_NODE_CONSTANT))
        return n.a;
    return make(g, GCL_NODE_XOR, 1, a, gcl_graph_constant(g, 1, -1), 0);
}

uint32_t gcl_graph_negate(struct gcl_graph *g, uint32_t a) {
    return gcl_graph_binary(g, GCL_NODE_SUBTRACT, gcl_graph_constant(g, width_of(g, a), 0), a);
}

uint32_t gcl_graph_resize(struct gcl_graph *g, uint32_t node, unsigned width) {
    return gcl_graph_cast(g, width_of(g, node) < width ? GCL_NODE_SEXT : GCL_NODE_TRUNC, width,
                          node);
}

static uint32_t rebuild(struct gcl_graph *g, struct gcl_graph_node n) {
    assert(gcl_graph_operands(n.kind) > 0);
    switch (gcl_graph_operands(n.kind)) {
    case 1:
        return gcl_graph_cast(g, n.kind, n.width, n.a);
    case 2:
        return gcl_graph_binary(g, n.kind, n.a, n.b);
    default:
        return gcl_graph_select(g, n.a, n.b, n.c);
    }
}

static uint32_t replace(struct gcl_graph *g, uint32_t node, uint32_t from, uint32_t to,
                        GHashTable *done) {
    gpointer known;
    struct gcl_graph_node n = *gcl_graph_at(g, node);
    unsigned count = gcl_graph_operands(n.kind);
    if (node == from)
        return to;
    if (count == 0 || node < from)
        return node;
    if (g_hash_table_lookup_extended(done, GUINT_TO_POINTER(node), NULL, &known))
        return GPOINTER_TO_UINT(known);
    n.a = replace(g, n.a, from, to, done);
    if (count > 1)
        n.b = replace(g, n.b, from, to, done);
    if (count > 2)
        n.c = replace(g, n.c, from, to, done);
    uint32_t result = rebuild(g, n);
    assert(width_of(g, result) == n.width);
    g_hash_table_insert(done, GUINT_TO_POINTER(node), GUINT_TO_POINTER(result));
    return result;
}

uint32_t gcl_graph_replace(struct gcl_graph *g, uint32_t node, uint32_t from, uint32_t to) {
    assert(width_of(g, from) == width_of(g, to));
    g_autoptr(GHashTable) done = g_hash_table_new(g_direct_hash, g_direct_equal);
    return replace(g, node, from, to, done);
}
