// Loops: what a phi in a loop's header is, in terms of the iteration's number.
//
// The value for the next iteration is computed with an OPEN node in the phi's place; its form then
// says what the phi is: a step that is the same each time makes start + iteration * step, shifts
// and powers of two make one shift, and so on. Everything is exact, wrap-around included. Pointers
// are counted in bytes from where they start.
//
// Behind a loop, a value is what it was in the last iteration.
//
// ScalarEvolution isn't used. It would add recurrences of higher order, and closed forms of values
// behind loops for affine exits. Of 473 different kernels of public programs, 12 have a loop whose
// phi has no form here although it doesn't depend on data; none is of higher order, they wrap
// around by a select or compute a remainder, which ScalarEvolution doesn't know either. The number
// of the last iteration is for the runtime to find, which knows all arguments.
#include "device/access/loop.h"

#include <assert.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/target.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"

enum { DEEPEST = 60, LAST_LOOP = 63 };

// Widths in bits for which there are nodes of an iteration's number, for whoever replaces all.
static const unsigned widths[] = {8, 16, 32, 64};

int gcl_access_loop_at(const struct gcl_extraction *x, int block) {
    assert(block >= 0 && block < x->cfg->count);
    int loop = x->cfg->blocks[block].loop;
    return loop != GCL_NOWHERE && x->cfg->loops[loop].header == block ? loop : GCL_NOWHERE;
}

static uint64_t bit_of_loop(int loop) {
    assert(loop != GCL_NOWHERE);
    return UINT64_C(1) << MIN(loop, LAST_LOOP);
}

uint64_t gcl_access_loops(const struct gcl_extraction *x, int block, int other) {
    uint64_t loops = 0;
    for (int l = x->cfg->blocks[block].loop; l != GCL_NOWHERE; l = x->cfg->loops[l].parent) {
        if (!gcl_cfg_in_loop(x->cfg, other, l))
            loops |= bit_of_loop(l);
    }
    return loops;
}

static uint32_t iteration_node(struct gcl_extraction *x, int loop, unsigned width) {
    bool is_usual = width == 8 || width == 16 || width == 32 || width == 64;
    assert(loop >= 0 && loop < x->cfg->loop_count);
    if (!is_usual)
        return gcl_graph_cast(&x->graph, GCL_NODE_TRUNC, width, iteration_node(x, loop, 64));
    return gcl_graph_leaf(&x->graph, GCL_NODE_ITERATION, width, (uint32_t)loop, bit_of_loop(loop));
}

// Behind the loop, in the same iteration of those around it.
static uint32_t last_iteration(struct gcl_extraction *x, int loop, unsigned width) {
    uint64_t around = gcl_access_loops(x, x->up[x->cfg->loops[loop].header], 0);
    return gcl_graph_leaf(&x->graph, GCL_NODE_LAST, width, (uint32_t)loop, around);
}

static bool leaves_one_loop(const struct gcl_extraction *x, int from, int to) {
    int loop = x->cfg->blocks[from].loop;
    return loop != GCL_NOWHERE && !gcl_cfg_in_loop(x->cfg, to, loop) &&
           gcl_cfg_in_loop(x->cfg, to, x->cfg->loops[loop].parent);
}

uint32_t gcl_access_leave(struct gcl_extraction *x, uint32_t node, int from, int to,
                          LLVMValueRef where) {
    struct gcl_graph_node n = *gcl_graph_at(&x->graph, node);
    int loop = x->cfg->blocks[from].loop;
    if (!(n.loops & gcl_access_loops(x, from, to)))
        return node;
    if (n.open)
        return gcl_access_pending(x, n.width, n.open);
    if (n.doubtful || !leaves_one_loop(x, from, to) || loop >= LAST_LOOP)
        return gcl_access_unknown(x, GCL_REASON_LOOP, n.width, where);
    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++)
        node = gcl_graph_replace(&x->graph, node, iteration_node(x, loop, widths[i]),
                                 last_iteration(x, loop, widths[i]));
    return node;
}

// The number of the last iteration of a loop inside of `loop` of which `node` is made.
static uint32_t find_end_inside(struct gcl_extraction *x, uint32_t node, int loop) {
    for (int l = 0; l < x->cfg->loop_count; l++) {
        if (l == loop || !gcl_cfg_in_loop(x->cfg, x->cfg->loops[l].header, loop))
            continue;
        for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
            uint32_t last = last_iteration(x, l, widths[i]);
            uint32_t zero = gcl_graph_constant(&x->graph, widths[i], 0);
            if (gcl_graph_replace(&x->graph, node, last, zero) != node)
                return last;
        }
    }
    return GCL_NOTHING;
}

uint32_t gcl_access_repeated(struct gcl_extraction *x, uint32_t node, int loop,
                             LLVMValueRef where) {
    for (uint32_t end; (end = find_end_inside(x, node, loop)) != GCL_NOTHING;) {
        unsigned width = gcl_graph_at(&x->graph, end)->width;
        assert(gcl_graph_at(&x->graph, end)->kind == GCL_NODE_LAST);
        node = gcl_graph_replace(&x->graph, node, end,
                                 gcl_access_unknown(x, GCL_REASON_LOOP, width, where));
    }
    return node;
}

// A phi while its form is looked for.
struct recurrence {
    struct gcl_extraction *x;
    LLVMValueRef phi;
    int loop;
    unsigned width;
    uint32_t start, open, next;
};

static struct gcl_graph *graph(const struct recurrence *r) {
    return &r->x->graph;
}

static struct gcl_graph_node at(const struct recurrence *r, uint32_t node) {
    return *gcl_graph_at(graph(r), node);
}

// Whether a node is made of the phi.
static bool follows(const struct recurrence *r, uint32_t node) {
    return (at(r, node).open & at(r, r->open).open) != 0;
}

static bool is_invariant(const struct recurrence *r, uint32_t node) {
    return !follows(r, node) && !(at(r, node).loops & bit_of_loop(r->loop));
}

static uint32_t binary(const struct recurrence *r, enum gcl_node_kind kind, uint32_t a,
                       uint32_t b) {
    return gcl_graph_binary(graph(r), kind, a, b);
}

static uint32_t constant(const struct recurrence *r, int64_t value) {
    return gcl_graph_constant(graph(r), r->width, value);
}

static uint32_t iteration(const struct recurrence *r) {
    return iteration_node(r->x, r->loop, r->width);
}

// What the phi has in its first iteration, and in the others. The number that tells must not wrap
// around, as one of the phi's width might.
static uint32_t first(const struct recurrence *r, uint32_t others) {
    uint32_t number = iteration_node(r->x, r->loop, 64);
    uint32_t is_first = binary(r, GCL_NODE_EQ, number, gcl_graph_constant(graph(r), 64, 0));
    return gcl_graph_select(graph(r), is_first, r->start, others);
}

// The step, if the next value is `phi`, the phi or a part of it, and a sum; GCL_NOTHING otherwise.
static uint32_t find_step(const struct recurrence *r, uint32_t next, uint32_t phi) {
    struct gcl_graph_node n = at(r, next);
    if (next == phi)
        return gcl_graph_constant(graph(r), n.width, 0);
    if (n.kind != GCL_NODE_ADD && n.kind != GCL_NODE_SUBTRACT)
        return GCL_NOTHING;
    bool swapped = n.kind == GCL_NODE_ADD && follows(r, n.b);
    uint32_t rest = swapped ? n.b : n.a, term = swapped ? n.a : n.b;
    if (!is_invariant(r, term))
        return GCL_NOTHING;
    uint32_t step = find_step(r, rest, phi);
    return step == GCL_NOTHING ? step : binary(r, n.kind, step, term);
}

// Powers of two.

static bool find_power(const struct recurrence *r, uint32_t node, int64_t *exponent) {
    int64_t value;
    if (!gcl_graph_is_constant(graph(r), node, &value) || value <= 0 || (value & (value - 1)) != 0)
        return false;
    *exponent = __builtin_ctzll((unsigned long long)value);
    assert(*exponent < at(r, node).width);
    return true;
}

static uint32_t shift_by(const struct recurrence *r, enum gcl_node_kind kind, uint32_t value,
                         int64_t each) {
    assert(kind == GCL_NODE_SHL || kind == GCL_NODE_LSHR || kind == GCL_NODE_ASHR);
    assert(is_invariant(r, value) || value == r->start);
    uint32_t by = binary(r, GCL_NODE_MULTIPLY, iteration(r), constant(r, each));
    return binary(r, kind, value, by);
}

// Division of signed numbers is towards zero.
static uint32_t divide_signed(const struct recurrence *r, int64_t exponent) {
    uint32_t negative = binary(r, GCL_NODE_SLT, r->start, constant(r, 0));
    uint32_t size =
        gcl_graph_select(graph(r), negative, gcl_graph_negate(graph(r), r->start), r->start);
    uint32_t result = shift_by(r, GCL_NODE_LSHR, size, exponent);
    return gcl_graph_select(graph(r), negative, gcl_graph_negate(graph(r), result), result);
}

static uint32_t find_shift(const struct recurrence *r) {
    struct gcl_graph_node n = at(r, r->next);
    int64_t exponent;
    if (gcl_graph_operands(n.kind) != 2 || n.a != r->open)
        return GCL_NOTHING;
    if ((n.kind == GCL_NODE_LSHR || n.kind == GCL_NODE_ASHR) &&
        gcl_graph_is_constant(graph(r), n.b, &exponent) && exponent > 0)
        return shift_by(r, n.kind, r->start, exponent);
    if (!find_power(r, n.b, &exponent))
        return GCL_NOTHING;
    if (n.kind == GCL_NODE_MULTIPLY)
        return shift_by(r, GCL_NODE_SHL, r->start, exponent);
    if (n.kind == GCL_NODE_UDIV)
        return shift_by(r, GCL_NODE_LSHR, r->start, exponent);
    return n.kind == GCL_NODE_SDIV ? divide_signed(r, exponent) : GCL_NOTHING;
}

// Back and forth between two values: x ^ c, c - x.
static uint32_t find_alternation(const struct recurrence *r) {
    struct gcl_graph_node n = at(r, r->next);
    bool is_xor = n.kind == GCL_NODE_XOR && (n.a == r->open || n.b == r->open);
    bool is_difference = n.kind == GCL_NODE_SUBTRACT && n.b == r->open;
    if (!is_xor && !is_difference)
        return GCL_NOTHING;
    uint32_t other = n.a == r->open ? n.b : n.a;
    if (!is_invariant(r, other))
        return GCL_NOTHING;
    uint32_t even =
        binary(r, GCL_NODE_EQ,
               binary(r, GCL_NODE_AND, iteration_node(r->x, r->loop, r->width), constant(r, 1)),
               constant(r, 0));
    return gcl_graph_select(graph(r), even, r->start, binary(r, n.kind, other, r->start));
}

// (x + step) & mask, with a mask of low bits.
static uint32_t find_ring(const struct recurrence *r) {
    struct gcl_graph_node n = at(r, r->next);
    int64_t mask;
    if (n.kind != GCL_NODE_AND || !gcl_graph_is_constant(graph(r), n.b, &mask) || mask < 0 ||
        (mask & (mask + 1)) != 0)
        return GCL_NOTHING;
    uint32_t step = find_step(r, n.a, r->open);
    if (step == GCL_NOTHING)
        return GCL_NOTHING;
    uint32_t far = binary(r, GCL_NODE_MULTIPLY, iteration(r), step);
    return first(r, binary(r, GCL_NODE_AND, binary(r, GCL_NODE_ADD, r->start, far), n.b));
}

// A sum of fewer bits, which is extended each time, before the rest of the step is added to it:
// what `int i; i += size` is, with a size of 64 bits.
static uint32_t find_narrow(const struct recurrence *r) {
    struct gcl_graph_node n = at(r, r->next);
    uint32_t rest = constant(r, 0);
    if (n.kind == GCL_NODE_ADD) {
        rest = follows(r, n.a) ? n.b : n.a;
        n = at(r, follows(r, n.a) ? n.a : n.b);
    }
    if ((n.kind != GCL_NODE_SEXT && n.kind != GCL_NODE_ZEXT) || !is_invariant(r, rest))
        return GCL_NOTHING;
    unsigned width = at(r, n.a).width;
    uint32_t low = gcl_graph_cast(graph(r), GCL_NODE_TRUNC, width, r->open);
    uint32_t step = find_step(r, n.a, low);
    if (step == GCL_NOTHING)
        return GCL_NOTHING;
    uint32_t start = gcl_graph_cast(graph(r), GCL_NODE_TRUNC, width, r->start);
    uint32_t low_rest = gcl_graph_cast(graph(r), GCL_NODE_TRUNC, width, rest);
    uint32_t far = binary(r, GCL_NODE_MULTIPLY, iteration_node(r->x, r->loop, width),
                          binary(r, GCL_NODE_ADD, step, low_rest));
    uint32_t sum = binary(r, GCL_NODE_SUBTRACT, binary(r, GCL_NODE_ADD, start, far), low_rest);
    uint32_t others = gcl_graph_cast(graph(r), n.kind, r->width, sum);
    return first(r, binary(r, GCL_NODE_ADD, others, rest));
}

// `node` as it was an iteration before.
static uint32_t before(const struct recurrence *r, uint32_t node) {
    if (!(at(r, node).loops & bit_of_loop(r->loop)))
        return node;
    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
        uint32_t now = iteration_node(r->x, r->loop, widths[i]);
        uint32_t earlier = gcl_graph_binary(graph(r), GCL_NODE_ADD, now,
                                            gcl_graph_constant(graph(r), widths[i], -1));
        node = gcl_graph_replace(graph(r), node, now, earlier);
    }
    return node;
}

// A value that is computed in each iteration for the next one.
static uint32_t find_previous(const struct recurrence *r) {
    struct gcl_graph_node n = at(r, r->next);
    bool varies = n.loops & bit_of_loop(r->loop);
    if (follows(r, r->next) || (varies && n.doubtful) ||
        find_end_inside(r->x, r->next, r->loop) != GCL_NOTHING)
        return GCL_NOTHING;
    return first(r, before(r, r->next));
}

static uint32_t find_form(const struct recurrence *r) {
    uint32_t (*const forms[])(const struct recurrence *) = {find_previous, find_narrow, find_shift,
                                                            find_alternation, find_ring};
    uint32_t step = find_step(r, r->next, r->open);
    if (step != GCL_NOTHING)
        return binary(r, GCL_NODE_ADD, r->start, binary(r, GCL_NODE_MULTIPLY, iteration(r), step));
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        uint32_t form = forms[i](r);
        if (form != GCL_NOTHING)
            return form;
    }
    return GCL_NOTHING;
}

static void incoming(const struct gcl_extraction *x, LLVMValueRef phi, int loop,
                     LLVMValueRef *start, LLVMValueRef *next) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        int from = gcl_cfg_index(x->cfg, LLVMGetIncomingBlock(phi, i));
        *(from == x->cfg->loops[loop].latch ? next : start) = LLVMGetIncomingValue(phi, i);
    }
}

static uint32_t open_phi(struct gcl_extraction *x, unsigned width, int loop) {
    assert(x->depth < DEEPEST);
    return gcl_graph_open(&x->graph, width, x->depth++, bit_of_loop(loop));
}

static void close_phi(struct gcl_extraction *x, LLVMValueRef phi) {
    assert(x->depth > 0); // phis close in the reverse order of their opening
    x->depth--;
    g_hash_table_remove(x->open_phis, phi);
    g_hash_table_remove(x->open_phi_targets, phi);
    g_hash_table_remove_all(x->open_values);
    g_hash_table_remove_all(x->open_targets);
}

// Why there is no form: data that comes in, or the way in which it does.
static uint32_t give_up(const struct recurrence *r, LLVMValueRef where) {
    struct gcl_graph_node n = at(r, r->next);
    if (n.kind == GCL_NODE_UNKNOWN)
        return gcl_graph_unknown(graph(r), r->width, n.a,
                                 gcl_access_loops(r->x, gcl_access_block(r->x, r->phi), 0));
    return gcl_access_unknown(r->x, n.doubtful ? GCL_REASON_DATA_INDEX : GCL_REASON_OPERATION,
                              r->width, LLVMIsAInstruction(where) ? where : r->phi);
}

uint32_t gcl_access_recurrence(struct gcl_extraction *x, LLVMValueRef phi, int loop) {
    LLVMValueRef start = NULL, next = NULL;
    assert(LLVMIsAPHINode(phi) && gcl_access_block(x, phi) == x->cfg->loops[loop].header);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(phi));
    incoming(x, phi, loop, &start, &next);
    if (!start || !next || x->depth >= DEEPEST)
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, phi);
    struct recurrence r = {.x = x, .phi = phi, .loop = loop, .width = width};
    r.start = gcl_access_value(x, start);
    r.open = open_phi(x, width, loop);
    g_hash_table_insert(x->open_phis, phi, GUINT_TO_POINTER(r.open + 1));
    r.next = gcl_access_value(x, next);
    close_phi(x, phi);
    uint32_t form = find_form(&r);
    assert(form == GCL_NOTHING || (at(&r, form).width == width && !follows(&r, form)));
    return form == GCL_NOTHING ? give_up(&r, next) : form;
}

// Pointers.

static void unknown_offsets(struct gcl_extraction *x, const struct gcl_access_targets *from,
                            LLVMValueRef where, struct gcl_access_targets *to) {
    for (unsigned i = 0; i < from->count; i++) {
        struct gcl_access_target place = from->list[i];
        if (place.kind == GCL_TARGET_OPEN)
            continue;
        place.offset = gcl_access_unknown(x, GCL_REASON_DATA_INDEX, 64, where);
        place.condition = GCL_NOTHING;
        gcl_access_add_target(x, to, place);
    }
}

static bool moves(const struct gcl_access_targets *next, unsigned depth) {
    return next->count == 1 && next->list[0].kind == GCL_TARGET_OPEN &&
           next->list[0].index == depth && next->list[0].condition == GCL_NOTHING;
}

struct gcl_access_targets gcl_access_pointer_recurrence(struct gcl_extraction *x, LLVMValueRef phi,
                                                        int loop) {
    LLVMValueRef start = NULL, next = NULL;
    incoming(x, phi, loop, &start, &next);
    if (!start || !next || x->depth >= DEEPEST)
        return gcl_access_targets_anywhere(x, GCL_REASON_BASE, phi);
    const struct gcl_access_targets *from = gcl_access_find_targets(x, start);
    struct recurrence r = {.x = x, .phi = phi, .loop = loop, .width = 64};
    unsigned depth = x->depth;
    r.start = gcl_graph_constant(&x->graph, 64, 0);
    r.open = open_phi(x, 64, loop);
    struct gcl_access_targets open = {
        .count = 1,
        .open = at(&r, r.open).open,
        .list = {{.kind = GCL_TARGET_OPEN,
                  .index = depth,
                  .offset = r.open,
                  .condition = GCL_NOTHING,
                  .loops = bit_of_loop(loop)}},
    };
    g_hash_table_insert(x->open_phi_targets, phi, &open);
    struct gcl_access_targets to = *gcl_access_find_targets(x, next);
    close_phi(x, phi);
    assert(x->depth == depth);
    if (moves(&to, depth)) {
        r.next = to.list[0].offset;
        uint32_t form = find_form(&r);
        return gcl_access_shift_targets(x, from, form == GCL_NOTHING ? give_up(&r, next) : form);
    }
    struct gcl_access_targets result = {.open = (from->open | to.open) & ~open.open};
    unknown_offsets(x, from, phi, &result);
    unknown_offsets(x, &to, phi, &result);
    return result;
}
