// Sums are kept flat: a constant, and what is added or taken away. So `x + 3 - (x - 1)` is 4, which
// is how the number of elements between two bounds comes out.
#include "expression.h"

#include <assert.h>
#include <string.h>

enum { LARGEST = 48 }; // nodes of an expression that people read

void gcl_expressions_init(struct gcl_expressions *e) {
    e->nodes = g_array_new(FALSE, TRUE, sizeof(struct gcl_pragma_node));
    e->sizes = g_array_new(FALSE, FALSE, sizeof(uint16_t));
}

void gcl_expressions_finish(struct gcl_expressions *e) {
    for (guint i = 0; i < e->nodes->len; i++)
        g_free(g_array_index(e->nodes, struct gcl_pragma_node, i).object.name);
    g_array_free(e->nodes, TRUE);
    g_array_free(e->sizes, TRUE);
}

static struct gcl_pragma_node node_at(const struct gcl_expressions *e, uint16_t node) {
    assert(node < e->nodes->len);
    return g_array_index(e->nodes, struct gcl_pragma_node, node);
}

static unsigned operand_count(uint8_t kind) {
    assert(kind < GCL_PRAGMA_NODE_COUNT);
    return gcl_pragma_operators[kind].operand_count;
}

static bool is_same(const struct gcl_pragma_node *a, const struct gcl_pragma_node *b) {
    return a->kind == b->kind && a->axis == b->axis && a->a == b->a && a->b == b->b &&
           a->c == b->c && a->value == b->value && g_strcmp0(a->object.name, b->object.name) == 0;
}

// Takes the node's name.
static uint16_t add(struct gcl_expressions *e, struct gcl_pragma_node node) {
    const uint16_t operands[] = {node.a, node.b, node.c};
    unsigned size = 1;
    for (unsigned i = 0; i < operand_count(node.kind); i++) {
        if (operands[i] == GCL_NONE)
            return GCL_NONE;
        assert(operands[i] < e->nodes->len);
        size += g_array_index(e->sizes, uint16_t, operands[i]);
    }
    for (guint i = 0; i < e->nodes->len; i++) {
        if (is_same(&node, &g_array_index(e->nodes, struct gcl_pragma_node, i))) {
            g_free(node.object.name);
            return (uint16_t)i;
        }
    }
    if (size > LARGEST || e->nodes->len >= GCL_PRAGMA_NODES_MAX) {
        g_free(node.object.name);
        return GCL_NONE;
    }
    g_array_append_val(e->nodes, node);
    g_array_append_vals(e->sizes, &(uint16_t){(uint16_t)size}, 1);
    assert(e->sizes->len == e->nodes->len);
    return (uint16_t)(e->nodes->len - 1);
}

uint16_t gcl_expression_constant(struct gcl_expressions *e, int64_t value) {
    if (value > GCL_EXPRESSION_MAX || value < -GCL_EXPRESSION_MAX)
        return GCL_NONE;
    return add(e, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_CONSTANT, .value = value});
}

bool gcl_expression_is_constant(const struct gcl_expressions *e, uint16_t node, int64_t *value) {
    if (node == GCL_NONE || node_at(e, node).kind != GCL_PRAGMA_NODE_CONSTANT)
        return false;
    *value = node_at(e, node).value;
    return true;
}

uint16_t gcl_expression_index(struct gcl_expressions *e, enum gcl_pragma_node_kind kind,
                              unsigned axis) {
    assert(axis < 3 && kind >= GCL_PRAGMA_NODE_THREAD_INDEX && kind <= GCL_PRAGMA_NODE_GRID_SIZE);
    return add(e, (struct gcl_pragma_node){.kind = (uint8_t)kind, .axis = (uint8_t)axis});
}

uint16_t gcl_expression_object(struct gcl_expressions *e, const char *name) {
    return add(
        e, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_OBJECT, .object.name = g_strdup(name)});
}

static uint16_t make(struct gcl_expressions *e, enum gcl_pragma_node_kind kind, uint16_t a,
                     uint16_t b) {
    return add(e, (struct gcl_pragma_node){.kind = (uint8_t)kind, .a = a, .b = b});
}

// Sums.

/// A constant, and expressions that are added or, with `minus`, taken away.
struct addend {
    uint16_t node;
    bool minus;
};

struct sum {
    int64_t constant;
    struct addend addends[2 * LARGEST]; // of two expressions
    unsigned count;
};

static void gather_one(struct sum *sum, uint16_t node, bool minus) {
    for (unsigned i = 0; i < sum->count; i++) {
        if (sum->addends[i].node == node && sum->addends[i].minus != minus) {
            sum->count--;
            memmove(&sum->addends[i], &sum->addends[i + 1],
                    (sum->count - i) * sizeof *sum->addends);
            return;
        }
    }
    if (sum->count < 2 * LARGEST)
        sum->addends[sum->count++] = (struct addend){node, minus};
}

static void gather(const struct gcl_expressions *e, uint16_t node, bool minus, struct sum *sum) {
    struct gcl_pragma_node n = node_at(e, node);
    switch (n.kind) {
    case GCL_PRAGMA_NODE_CONSTANT:
        sum->constant += minus ? -n.value : n.value;
        break;
    case GCL_PRAGMA_NODE_ADD:
    case GCL_PRAGMA_NODE_SUBTRACT:
        gather(e, n.a, minus, sum);
        gather(e, n.b, minus != (n.kind == GCL_PRAGMA_NODE_SUBTRACT), sum);
        break;
    case GCL_PRAGMA_NODE_NEGATE:
        gather(e, n.a, !minus, sum);
        break;
    default:
        gather_one(sum, node, minus);
    }
}

static uint16_t add_up(struct gcl_expressions *e, const struct sum *sum) {
    assert(sum->count <= G_N_ELEMENTS(sum->addends));
    uint16_t zero = gcl_expression_constant(e, 0), total = zero;
    int64_t constant = sum->constant;
    for (unsigned minus = 0; minus < 2; minus++) { // what is taken away comes last
        for (unsigned i = 0; i < sum->count; i++) {
            uint16_t node = sum->addends[i].node;
            if (sum->addends[i].minus != (minus == 1))
                continue;
            if (total == zero)
                total = minus ? make(e, GCL_PRAGMA_NODE_NEGATE, node, 0) : node;
            else
                total =
                    make(e, minus ? GCL_PRAGMA_NODE_SUBTRACT : GCL_PRAGMA_NODE_ADD, total, node);
        }
    }
    if (constant == 0)
        return total;
    if (total == zero)
        return gcl_expression_constant(e, constant);
    if (constant > 0)
        return make(e, GCL_PRAGMA_NODE_ADD, total, gcl_expression_constant(e, constant));
    return make(e, GCL_PRAGMA_NODE_SUBTRACT, total, gcl_expression_constant(e, -constant));
}

// Products.

// The constant of a sum comes out of the product.
static uint16_t scale(struct gcl_expressions *e, uint16_t node, int64_t factor) {
    struct sum sum = {0}, product = {0};
    int64_t own = 1;
    gather(e, node, false, &sum);
    product.constant = sum.constant * factor;
    sum.constant = 0;
    if (factor == 0 || sum.count == 0)
        return add_up(e, &product);
    bool is_single = sum.count == 1;
    uint16_t rest = is_single ? sum.addends[0].node : add_up(e, &sum);
    if (rest == GCL_NONE)
        return GCL_NONE;
    struct gcl_pragma_node n = node_at(e, rest);
    if (n.kind == GCL_PRAGMA_NODE_MULTIPLY && gcl_expression_is_constant(e, n.a, &own))
        rest = n.b;
    factor *= own;
    if (ABS(factor) != 1)
        rest = make(e, GCL_PRAGMA_NODE_MULTIPLY, gcl_expression_constant(e, ABS(factor)), rest);
    if (rest == GCL_NONE)
        return GCL_NONE;
    gather(e, rest, (is_single && sum.addends[0].minus) != (factor < 0), &product);
    return add_up(e, &product);
}

static uint16_t multiply(struct gcl_expressions *e, uint16_t a, uint16_t b) {
    int64_t value;
    if (gcl_expression_is_constant(e, b, &value))
        return scale(e, a, value);
    if (gcl_expression_is_constant(e, a, &value))
        return scale(e, b, value);
    return make(e, GCL_PRAGMA_NODE_MULTIPLY, a, b);
}

uint16_t gcl_expression_binary(struct gcl_expressions *e, enum gcl_pragma_node_kind kind,
                               uint16_t a, uint16_t b) {
    struct sum sum = {0};
    int64_t x, y;
    assert(operand_count((uint8_t)kind) == 2);
    if (a == GCL_NONE || b == GCL_NONE)
        return GCL_NONE;
    bool are_constant =
        gcl_expression_is_constant(e, a, &x) && gcl_expression_is_constant(e, b, &y);
    switch (kind) {
    case GCL_PRAGMA_NODE_ADD:
    case GCL_PRAGMA_NODE_SUBTRACT:
        gather(e, a, false, &sum);
        gather(e, b, kind == GCL_PRAGMA_NODE_SUBTRACT, &sum);
        return add_up(e, &sum);
    case GCL_PRAGMA_NODE_MULTIPLY:
        return multiply(e, a, b);
    case GCL_PRAGMA_NODE_MIN:
    case GCL_PRAGMA_NODE_MAX:
        if (a == b)
            return a;
        if (are_constant)
            return (x < y) == (kind == GCL_PRAGMA_NODE_MIN) ? a : b;
        return make(e, kind, a, b);
    case GCL_PRAGMA_NODE_DIVIDE:
        return gcl_expression_is_constant(e, b, &y) && y == 1 ? a : make(e, kind, a, b);
    default:
        return make(e, kind, a, b);
    }
}

uint16_t gcl_expression_select(struct gcl_expressions *e, uint16_t condition, uint16_t a,
                               uint16_t b) {
    return add(e, (struct gcl_pragma_node){
                      .kind = GCL_PRAGMA_NODE_SELECT, .a = condition, .b = a, .c = b});
}

bool gcl_expression_names(const struct gcl_expressions *e, uint16_t node,
                          enum gcl_pragma_node_kind kind) {
    struct gcl_pragma_node n = node_at(e, node);
    const uint16_t operands[] = {n.a, n.b, n.c};
    bool found = n.kind == kind;
    for (unsigned i = 0; i < operand_count(n.kind) && !found; i++)
        found = gcl_expression_names(e, operands[i], kind);
    return found;
}

bool gcl_expression_has_constant(const struct gcl_expressions *e, uint16_t node) {
    struct gcl_pragma_node n = node_at(e, node);
    return (n.kind == GCL_PRAGMA_NODE_ADD || n.kind == GCL_PRAGMA_NODE_SUBTRACT) &&
           node_at(e, n.b).kind == GCL_PRAGMA_NODE_CONSTANT;
}

bool gcl_expression_moves(const struct gcl_expressions *e, uint16_t node) {
    return gcl_expression_names(e, node, GCL_PRAGMA_NODE_THREAD_INDEX) ||
           gcl_expression_names(e, node, GCL_PRAGMA_NODE_BLOCK_INDEX);
}

uint16_t gcl_expression_stride(const struct gcl_expressions *e, uint16_t node) {
    struct gcl_pragma_node n = node_at(e, node);
    if (n.kind == GCL_PRAGMA_NODE_ADD) {
        uint16_t stride = gcl_expression_stride(e, n.a);
        return stride == gcl_expression_stride(e, n.b) ? stride : GCL_NONE;
    }
    if (n.kind != GCL_PRAGMA_NODE_MULTIPLY ||
        gcl_expression_moves(e, n.a) == gcl_expression_moves(e, n.b))
        return GCL_NONE;
    return gcl_expression_moves(e, n.a) ? n.b : n.a;
}

char *gcl_expression_region(const struct gcl_expressions *e, const char *object, uint16_t first,
                            uint16_t count) {
    const struct gcl_pragma_clause clause = {.kind = GCL_PRAGMA_READS,
                                             .object.name = (char *)object,
                                             .nodes = e->nodes,
                                             .first = first,
                                             .count = count};
    g_autoptr(GString) text = g_string_new(NULL);
    gcl_pragma_clause_write(text, &clause);
    const char *open = strchr(text->str, '(');
    return g_strndup(open + 1, strlen(open) - 2);
}
