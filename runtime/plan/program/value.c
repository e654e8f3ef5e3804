// The abstract interpretation of access programs: the value of each node over a piece is an affine
// form, found from the forms of its operands. Sums and products by constants are affine. Where a
// quotient, a mask or a comparison isn't, the piece is to be cut where the result changes: the
// function answers false, or GCL_PARTLY, with the request in the struct gcl_values, and is asked
// again for the parts. What no cut makes affine becomes a variable of its own over the range of its
// values (a binding), or top.
//
// Invariant: a form that isn't top has, at each point of the piece's box, the value that the node
// has there modulo 2^width, unless `why` names a node by which it has more values.
#include "plan/program/value.h"

#include <assert.h>
#include <string.h>

#include "plan/inspect/inspect.h"
#include "plan/region/scalar.h"

// More values than any allocation has bytes.
static const int64_t MANY = (int64_t)1 << 48;
static const int64_t FAR = (int64_t)1 << 62;

static bool cut(struct gcl_values *v, enum gcl_subdivision_way way, unsigned variable,
                gcl_wide at) {
    assert(variable < GCL_VARIABLES);
    v->request = (struct gcl_subdivision){.way = way, .variable = variable, .at = (int64_t)at};
    return false;
}

void gcl_value_forget(struct gcl_values *v) {
    memset(v->known, 0, v->program->node_count * sizeof *v->known);
}

static bool is_constant(const struct gcl_values *v, const struct gcl_form *form) {
    return gcl_form_is_constant(form, &v->piece->box);
}

static void range_of(const struct gcl_values *v, const struct gcl_form *form, gcl_wide *low,
                     gcl_wide *high) {
    gcl_form_range(form, &v->piece->box, low, high);
}

// Any of the numbers from `low` on, as data or something too involved decides.
static struct gcl_form any_number(struct gcl_values *v, uint16_t node, bool is_part, gcl_wide low,
                                  gcl_wide high) {
    assert(low <= high);
    struct gcl_piece *piece = v->piece;
    for (unsigned i = 0; i < piece->unknown_count; i++) {
        if (piece->unknowns[i].node == node && piece->unknowns[i].is_part == is_part)
            return piece->unknowns[i].form;
    }
    struct gcl_form form;
    if (high - low >= MANY || piece->unknown_count == GCL_PIECE_UNKNOWNS ||
        !gcl_piece_variable(piece, (int64_t)(high - low + 1), &form))
        return gcl_form_top(node);
    form.constant = (int64_t)low;
    form.why = node;
    piece->unknowns[piece->unknown_count++] = (struct gcl_binding){node, is_part, form};
    return form;
}

static struct gcl_form any_of(struct gcl_values *v, uint16_t node, gcl_wide low, gcl_wide high) {
    return any_number(v, node, false, low, high);
}

// Any of the bits that both operands may have, of which OR and XOR are made and AND is.
static struct gcl_form any_common(struct gcl_values *v, uint16_t node, uint64_t most) {
    return any_number(v, node, v->program->nodes[node].kind != GCL_NODE_AND, 0, most);
}

// Any number: of int's size it is more often one with a sign.
static struct gcl_form any(struct gcl_values *v, uint16_t node) {
    unsigned width = v->program->nodes[node].width;
    gcl_wide low, high;
    if (width >= 48)
        return gcl_form_top(node);
    gcl_form_limits(width, width == 32, &low, &high);
    return any_of(v, node, low, high);
}

bool gcl_value_normalise(struct gcl_values *v, const struct gcl_form *form, unsigned width,
                         bool is_signed, struct gcl_form *normal) {
    gcl_wide least, most, low, high;
    *normal = *form;
    if (form->is_top)
        return true;
    gcl_form_limits(width, is_signed, &least, &most);
    range_of(v, form, &low, &high);
    gcl_wide count = most - least + 1, shift = 0;
    if (low < least || low > most) // most values need no division of 128 bits
        shift = gcl_floor_div(low - least, count) * count;
    normal->constant = (int64_t)(form->constant - shift);
    // Forms have room for differences of what is within these limits.
    if (low - shift < -FAR || high - shift > FAR) {
        *normal = gcl_form_top(form->why);
        return true;
    }
    if (high - shift <= most)
        return true;
    if (form->why != GCL_NONE && high - low > most - least) {
        *normal = gcl_form_top(form->why);
        return true;
    }
    // wraps around within the piece
    struct gcl_form over = *normal;
    over.constant = (int64_t)((gcl_wide)over.constant - most);
    if (gcl_piece_below(v->piece, &over, &v->request) == GCL_PARTLY)
        return false;
    *normal = gcl_form_top(form->why);
    return true;
}

// Conditions.

static enum gcl_verdict opposite(enum gcl_verdict verdict) {
    return verdict == GCL_NEVER ? GCL_ALWAYS : verdict == GCL_ALWAYS ? GCL_NEVER : verdict;
}

static enum gcl_verdict compare(struct gcl_values *v, uint16_t index) {
    const struct gcl_node *node = &v->program->nodes[index];
    unsigned width = v->program->nodes[node->a].width;
    bool is_signed = node->kind != GCL_NODE_ULT;
    struct gcl_form a, b, difference;
    if (!gcl_value_of(v, node->a, &a) || !gcl_value_of(v, node->b, &b))
        return GCL_PARTLY;
    enum gcl_verdict verdict;
    if (node->kind == GCL_NODE_EQ) {
        difference = gcl_form_add(&a, &b, -1, width);
        if (!gcl_value_normalise(v, &difference, width, true, &difference))
            return GCL_PARTLY;
        verdict = gcl_piece_zero(v->piece, &difference, &v->request);
    } else {
        if (!gcl_value_normalise(v, &a, width, is_signed, &a) ||
            !gcl_value_normalise(v, &b, width, is_signed, &b))
            return GCL_PARTLY;
        difference = gcl_form_add(&a, &b, -1, 64);
        difference.constant += 1;
        verdict = gcl_piece_below(v->piece, &difference, &v->request);
    }
    v->why = difference.why;
    if (verdict == GCL_OPEN && v->why == GCL_NONE)
        v->why = index;
    return verdict;
}

// Of two conditions, `decides` in one of them is the result.
static enum gcl_verdict both(struct gcl_values *v, const struct gcl_node *node,
                             enum gcl_verdict decides) {
    enum gcl_verdict first = gcl_value_holds(v, node->a);
    uint16_t why = v->why;
    if (first == GCL_PARTLY || first == decides)
        return first;
    enum gcl_verdict second = gcl_value_holds(v, node->b);
    if (second == GCL_PARTLY || second == decides)
        return second;
    if (why != GCL_NONE)
        v->why = why;
    return first == GCL_OPEN ? first : second;
}

static enum gcl_verdict either(struct gcl_values *v, const struct gcl_node *node) {
    enum gcl_verdict first = gcl_value_holds(v, node->a);
    uint16_t why = v->why;
    if (first == GCL_PARTLY || first == GCL_OPEN)
        return first;
    enum gcl_verdict second = gcl_value_holds(v, node->b);
    if (why != GCL_NONE)
        v->why = why;
    return first == GCL_ALWAYS ? opposite(second) : second;
}

static enum gcl_verdict as_number(struct gcl_values *v, uint16_t node) {
    struct gcl_form form;
    if (!gcl_value_of(v, node, &form) || !gcl_value_normalise(v, &form, 1, false, &form))
        return GCL_PARTLY;
    v->why = form.why;
    if (!form.is_top)
        return opposite(gcl_piece_zero(v->piece, &form, &v->request));
    v->why = form.why != GCL_NONE ? form.why : node;
    return GCL_OPEN;
}

enum gcl_verdict gcl_value_holds(struct gcl_values *v, uint16_t index) {
    assert(index < v->program->node_count);
    const struct gcl_node *node = &v->program->nodes[index];
    for (unsigned i = 0; i < v->piece->assumption_count; i++) {
        if (v->piece->assumptions[i].node != index)
            continue;
        v->why = index;
        return v->piece->assumptions[i].holds ? GCL_ALWAYS : GCL_NEVER;
    }
    v->why = GCL_NONE;
    switch (node->kind) {
    case GCL_NODE_EQ:
    case GCL_NODE_ULT:
    case GCL_NODE_SLT:
        return compare(v, index);
    case GCL_NODE_AND:
        return both(v, node, GCL_NEVER);
    case GCL_NODE_OR:
        return both(v, node, GCL_ALWAYS);
    case GCL_NODE_XOR:
        return either(v, node);
    default:
        return as_number(v, index);
    }
}

// Arithmetic.

bool gcl_value_fix(struct gcl_values *v, const struct gcl_form *form) {
    enum { FIX_LIMIT = 1024 };
    if (is_constant(v, form) || form->is_top || form->why != GCL_NONE)
        return true;
    for (unsigned i = 0; i < GCL_VARIABLES; i++) {
        int64_t count = v->piece->box.count[i];
        if (form->factor[i] != 0 && count > 1 && count <= FIX_LIMIT)
            return cut(v, GCL_SUBDIVIDE_EACH, i, 0);
    }
    return true;
}

static bool multiply(struct gcl_values *v, uint16_t node, const struct gcl_form *a,
                     const struct gcl_form *b, struct gcl_form *result) {
    unsigned width = v->program->nodes[node].width;
    struct gcl_form zero = gcl_form_constant(0);
    if (!is_constant(v, a) && !gcl_value_fix(v, b))
        return false;
    if (is_constant(v, a))
        *result = gcl_form_add(&zero, b, a->constant, width);
    else if (is_constant(v, b))
        *result = gcl_form_add(&zero, a, b->constant, width);
    else
        *result = gcl_form_top(node);
    return true;
}

// Splits `a` into what certainly are multiples of d, divided by d, and the rest.
static void split_multiples(const struct gcl_form *a, int64_t d, struct gcl_form *multiples,
                            struct gcl_form *rest) {
    *multiples = *rest = *a;
    multiples->constant = (int64_t)gcl_floor_div(a->constant, d);
    rest->constant = a->constant - d * multiples->constant;
    for (unsigned i = 0; i < GCL_VARIABLES; i++) {
        bool divides = a->factor[i] % d == 0;
        multiples->factor[i] = divides ? a->factor[i] / d : 0;
        rest->factor[i] = divides ? 0 : a->factor[i];
    }
}

static int64_t gcd(int64_t a, int64_t b) {
    return b == 0 ? a : gcd(b, a % b);
}

// Cuts variable i so that whole periods of it stand alone: a radix. False in any case.
static bool cut_periods(struct gcl_values *v, unsigned i, int64_t period) {
    int64_t count = v->piece->box.count[i], ragged = count % period;
    if (ragged != 0)
        return cut(v, GCL_SUBDIVIDE_SPLIT, i, count - ragged);
    return cut(v, GCL_SUBDIVIDE_RADIX, i, period);
}

// Asks for a cut that brings `rest` / d nearer to one value all over each piece; true: there is
// none.
static bool cut_quotient(struct gcl_values *v, const struct gcl_form *rest, int64_t d) {
    unsigned i = gcl_form_coarsest(rest, &v->piece->box);
    int64_t factor = rest->factor[i], count = v->piece->box.count[i];
    if (factor < 0)
        return cut(v, GCL_SUBDIVIDE_FLIP, i, 0);
    struct gcl_form others = *rest;
    others.factor[i] = 0;
    int64_t period = d / gcd(d, factor);
    if (d % factor != 0) {
        if (period < count)
            return cut_periods(v, i, period);
        return gcl_value_fix(v, rest);
    }
    gcl_wide low, high;
    range_of(v, &others, &low, &high);
    gcl_wide slot = gcl_floor_div(low, factor);
    if (slot != gcl_floor_div(high, factor)) {
        others.constant = (int64_t)((gcl_wide)others.constant - (slot + 1) * factor + 1);
        return gcl_piece_below(v->piece, &others, &v->request) != GCL_PARTLY;
    }
    gcl_wide first = -slot - gcl_floor_div(-slot, period) * period; // begins a period
    if (first > 0)
        return cut(v, GCL_SUBDIVIDE_SPLIT, i, first);
    return cut_periods(v, i, period);
}

// The largest integer not above a / d, for the values of `a` themselves; d > 0. False: cut. Without
// `*exact` nothing better is known than the range.
static bool divide(struct gcl_values *v, const struct gcl_form *a, int64_t d,
                   struct gcl_form *quotient, bool *exact) {
    struct gcl_form rest;
    gcl_wide low, high;
    *exact = false;
    if (a->is_top)
        return true;
    split_multiples(a, d, quotient, &rest);
    range_of(v, &rest, &low, &high);
    *exact = gcl_floor_div(low, d) == gcl_floor_div(high, d);
    quotient->constant += (int64_t)gcl_floor_div(low, d);
    return *exact || cut_quotient(v, &rest, d);
}

// a modulo d, d > 0, if that is exact.
static bool find_rest(struct gcl_values *v, const struct gcl_form *a, int64_t d,
                      struct gcl_form *rest, bool *exact) {
    struct gcl_form quotient;
    if (!divide(v, a, d, &quotient, exact))
        return false;
    if (*exact)
        *rest = gcl_form_add(a, &quotient, -d, 64);
    return true;
}

static uint64_t mask_of(unsigned width) {
    assert(width >= 1 && width <= 64);
    return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

// Quotient or remainder of an unsigned or a signed division.
static bool quotient_or_rest(struct gcl_values *v, uint16_t index, const struct gcl_form *dividend,
                             const struct gcl_form *divisor, struct gcl_form *result) {
    const struct gcl_node *node = &v->program->nodes[index];
    bool is_signed = node->kind == GCL_NODE_SDIV || node->kind == GCL_NODE_SREM;
    bool is_rest = node->kind == GCL_NODE_UREM || node->kind == GCL_NODE_SREM;
    struct gcl_form a, b, zero = gcl_form_constant(0);
    if (!gcl_value_normalise(v, divisor, node->width, is_signed, &b) || !gcl_value_fix(v, &b))
        return false;
    *result = gcl_form_top(index);
    if (!is_constant(v, &b) || b.constant == 0 || b.constant == INT64_MIN)
        return true;
    if (!gcl_value_normalise(v, dividend, node->width, is_signed, &a))
        return false;
    int64_t d = b.constant < 0 ? -b.constant : b.constant;
    if (a.is_top && is_rest)
        *result = any_of(v, index, is_signed ? 1 - d : 0, d - 1);
    else if (a.is_top && !is_signed)
        *result = any_of(v, index, 0, mask_of(node->width) / (uint64_t)d);
    if (a.is_top)
        return true;
    // rounds towards 0: what is negative is divided as its opposite
    enum gcl_verdict is_positive = GCL_ALWAYS;
    struct gcl_form negative = gcl_form_add(&zero, &a, -1, 64);
    if (is_signed)
        is_positive = gcl_piece_below(v->piece, &negative, &v->request);
    if (is_positive == GCL_PARTLY)
        return false;
    if (is_positive == GCL_OPEN)
        return true;
    struct gcl_form quotient;
    bool exact;
    gcl_wide low, high;
    if (!divide(v, is_positive == GCL_ALWAYS ? &a : &negative, d, &quotient, &exact))
        return false;
    if (!exact && is_rest) {
        *result = any_of(v, index, is_positive == GCL_ALWAYS ? 0 : 1 - d,
                         is_positive == GCL_ALWAYS ? d - 1 : 0);
        return true;
    }
    if (!exact) {
        range_of(v, is_positive == GCL_ALWAYS ? &a : &negative, &low, &high);
        quotient = any_of(v, index, gcl_floor_div(low, d), gcl_floor_div(high, d));
    }
    if (is_positive == GCL_NEVER)
        quotient = gcl_form_add(&zero, &quotient, -1, 64);
    if (is_rest)
        *result = gcl_form_add(&a, &quotient, -d, 64);
    else
        *result = gcl_form_add(&zero, &quotient, b.constant < 0 ? -1 : 1, 64);
    return true;
}

// Shifts by the width or more leave nothing, or the sign.
static bool shift(struct gcl_values *v, uint16_t index, const struct gcl_form *value,
                  const struct gcl_form *by, struct gcl_form *result) {
    const struct gcl_node *node = &v->program->nodes[index];
    struct gcl_form a, amount, over, zero = gcl_form_constant(0);
    bool is_signed = node->kind == GCL_NODE_ASHR, exact;
    *result = gcl_form_top(index);
    if (!gcl_value_normalise(v, by, node->width, false, &amount))
        return false;
    over = amount;
    over.constant -= node->width - 1;
    enum gcl_verdict fits = gcl_piece_below(v->piece, &over, &v->request);
    if (fits == GCL_PARTLY || (fits == GCL_ALWAYS && !gcl_value_fix(v, &amount)))
        return false;
    if (fits == GCL_NEVER && !is_signed)
        *result = zero;
    if (fits == GCL_NEVER && is_signed)
        amount.constant = node->width - 1;
    else if (fits != GCL_ALWAYS || !is_constant(v, &amount))
        return true;
    if (node->kind == GCL_NODE_SHL) {
        *result =
            gcl_form_add(&zero, value, (int64_t)((uint64_t)1 << amount.constant), node->width);
        return true;
    }
    if (!gcl_value_normalise(v, value, node->width, is_signed, &a))
        return false;
    if (amount.constant == 0) {
        *result = a;
        return true;
    }
    if (a.is_top && !is_signed) {
        *result = any_of(v, index, 0, mask_of(node->width) >> amount.constant);
        return true;
    }
    if (a.is_top || amount.constant > 62)
        return true;
    int64_t d = (int64_t)1 << amount.constant;
    if (!divide(v, &a, d, result, &exact))
        return false;
    if (!exact) {
        gcl_wide low, high;
        range_of(v, &a, &low, &high);
        *result = any_of(v, index, gcl_floor_div(low, d), gcl_floor_div(high, d));
    }
    return true;
}

static bool is_not_negative(const struct gcl_values *v, const struct gcl_form *a) {
    gcl_wide low, high;
    range_of(v, a, &low, &high);
    return low >= 0;
}

// a & mask, for one stretch of set bits.
static bool mask_stretch(struct gcl_values *v, uint16_t index, const struct gcl_form *a,
                         uint64_t mask, struct gcl_form *result) {
    unsigned width = v->program->nodes[index].width;
    assert(mask != 0);
    unsigned first = (unsigned)__builtin_ctzll(mask);
    unsigned last = 64 - (unsigned)__builtin_clzll(mask);
    struct gcl_form high = *a, low = gcl_form_constant(0);
    bool exact = true;
    if (last == 63) // 2^63 is no divisor: what isn't negative is its own rest
        exact = is_not_negative(v, a);
    else if (last < width && !find_rest(v, a, (int64_t)((uint64_t)1 << last), &high, &exact))
        return false;
    if (exact && first > 0 && !find_rest(v, &high, (int64_t)((uint64_t)1 << first), &low, &exact))
        return false;
    *result = exact ? gcl_form_add(&high, &low, -1, width) : any_common(v, index, mask);
    return true;
}

static bool mask_with(struct gcl_values *v, uint16_t index, const struct gcl_form *a, int64_t mask,
                      struct gcl_form *result) {
    unsigned width = v->program->nodes[index].width;
    uint64_t bits = (uint64_t)mask & mask_of(width);
    *result = gcl_form_constant(0);
    if (bits == 0)
        return true;
    uint64_t run = bits >> __builtin_ctzll(bits);
    if ((run & (run + 1)) == 0 && __builtin_ctzll(bits) < 62 && !a->is_top)
        return mask_stretch(v, index, a, bits, result);
    *result = any_common(v, index, bits);
    return true;
}

// a | b where a has zeros wherever b may have ones.
static bool is_disjoint(const struct gcl_values *v, const struct gcl_form *a,
                        const struct gcl_form *b) {
    gcl_wide low, high;
    uint64_t bits = (uint64_t)a->constant;
    if (a->is_top || b->is_top)
        return false;
    range_of(v, b, &low, &high);
    for (unsigned i = 0; i < GCL_VARIABLES; i++)
        bits |= v->piece->box.count[i] > 1 ? (uint64_t)a->factor[i] : 0;
    return low >= 0 && (bits == 0 || high < (gcl_wide)(bits & -bits));
}

static bool combine_bits(struct gcl_values *v, uint16_t index, const struct gcl_form *a,
                         const struct gcl_form *b, struct gcl_form *result) {
    const struct gcl_node *node = &v->program->nodes[index];
    const struct gcl_form *constant = is_constant(v, b) ? b : is_constant(v, a) ? a : NULL;
    const struct gcl_form *other = constant == b ? a : b;
    struct gcl_form common = gcl_form_constant(0);
    if (constant) {
        if (!mask_with(v, index, other, constant->constant, &common))
            return false;
    } else if (node->kind == GCL_NODE_AND || (!is_disjoint(v, a, b) && !is_disjoint(v, b, a))) {
        *result = node->width < 48 ? any(v, index) : gcl_form_top(index);
        return true;
    }
    *result = common;
    if (node->kind != GCL_NODE_AND) {
        *result = gcl_form_add(a, b, 1, node->width);
        *result = gcl_form_add(result, &common, node->kind == GCL_NODE_OR ? -1 : -2, node->width);
    }
    return true;
}

static bool extreme(struct gcl_values *v, uint16_t index, const struct gcl_form *left,
                    const struct gcl_form *right, struct gcl_form *result) {
    const struct gcl_node *node = &v->program->nodes[index];
    bool is_signed = node->kind == GCL_NODE_SMIN || node->kind == GCL_NODE_SMAX;
    bool is_least = node->kind == GCL_NODE_SMIN || node->kind == GCL_NODE_UMIN;
    struct gcl_form a, b;
    gcl_wide low, high;
    if (!gcl_value_normalise(v, left, node->width, is_signed, &a) ||
        !gcl_value_normalise(v, right, node->width, is_signed, &b))
        return false;
    struct gcl_form difference = gcl_form_add(&a, &b, -1, 64);
    enum gcl_verdict below = gcl_piece_below(v->piece, &difference, &v->request);
    if (below == GCL_PARTLY)
        return false;
    if (below != GCL_OPEN) {
        *result = (below == GCL_ALWAYS) == is_least ? a : b;
        return true;
    }
    *result = gcl_form_top(index);
    const struct gcl_form *bound = a.is_top ? &b : &a;
    if (node->kind == GCL_NODE_UMIN && !bound->is_top) {
        range_of(v, bound, &low, &high);
        *result = any_of(v, index, 0, high);
    }
    return true;
}

static bool choose(struct gcl_values *v, uint16_t index, struct gcl_form *result) {
    const struct gcl_node *node = &v->program->nodes[index];
    enum gcl_verdict verdict = gcl_value_holds(v, node->a);
    uint16_t why = v->why;
    if (verdict == GCL_PARTLY)
        return false;
    if (verdict == GCL_OPEN && v->piece->assumption_count < GCL_PIECE_ASSUMPTIONS)
        return cut(v, GCL_SUBDIVIDE_FORK, 0, node->a);
    if (verdict == GCL_OPEN) {
        *result = gcl_form_top(why);
        return true;
    }
    if (!gcl_value_of(v, verdict == GCL_ALWAYS ? node->b : node->c, result))
        return false;
    if (result->why == GCL_NONE)
        result->why = why;
    return true;
}

// Leaves.

static int64_t argument(const struct gcl_values *v, const struct gcl_node *node) {
    uint64_t bits = 0;
    memcpy(&bits, v->launch->arguments + node->a, (node->width + 7u) / 8); // little-endian
    return (int64_t)bits;
}

static struct gcl_form iteration(const struct gcl_values *v, uint16_t guard) {
    const struct gcl_binding *loop = gcl_piece_loop(v->piece, guard);
    return loop ? loop->form : gcl_form_top(GCL_NONE); // NULL: it isn't around this access
}

static struct gcl_form loaded(struct gcl_values *v, uint16_t index) {
    uint64_t value;
    if (!v->contents || !gcl_inspect_constant(v->program, v->launch, v->contents, index, &value))
        return any(v, index);
    return gcl_form_constant(gcl_scalar_extend(value, v->program->nodes[index].width));
}

static bool leaf(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    const struct gcl_node *node = &v->program->nodes[index];
    const struct gcl_piece *piece = v->piece;
    switch (node->kind) {
    case GCL_NODE_CONSTANT:
        *form = gcl_form_constant(v->program->constants[node->a]);
        return true;
    case GCL_NODE_ARGUMENT:
        *form = gcl_form_constant(argument(v, node));
        return true;
    case GCL_NODE_THREAD_INDEX:
        *form = piece->thread[node->a];
        return true;
    case GCL_NODE_BLOCK_INDEX:
        *form = piece->block[node->a];
        return true;
    case GCL_NODE_GLOBAL_INDEX:
        *form = piece->global[node->a];
        return true;
    case GCL_NODE_BLOCK_SIZE:
        *form = gcl_form_constant(v->launch->geometry.block[node->a]);
        return true;
    case GCL_NODE_GRID_SIZE:
        *form = gcl_form_constant(v->launch->geometry.grid[node->a]);
        return true;
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
        *form = iteration(v, node->a);
        if (form->is_top)
            form->why = index;
        return true;
    case GCL_NODE_LOAD:
        *form = loaded(v, index);
        return true;
    case GCL_NODE_UNKNOWN:
        *form = any(v, index);
        return true;
    default:
        return false;
    }
}

static bool condition(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    enum gcl_verdict verdict = gcl_value_holds(v, index);
    uint16_t why = v->why;
    if (verdict == GCL_PARTLY)
        return false;
    *form = verdict == GCL_OPEN ? any_of(v, index, 0, 1) : gcl_form_constant(verdict == GCL_ALWAYS);
    if (form->why == GCL_NONE)
        form->why = why;
    return true;
}

static bool unary(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    const struct gcl_node *node = &v->program->nodes[index];
    unsigned width = v->program->nodes[node->a].width;
    struct gcl_form a;
    if (!gcl_value_of(v, node->a, &a))
        return false;
    *form = a;
    if (node->kind == GCL_NODE_TRUNC)
        return true;
    if (!gcl_value_normalise(v, &a, width, node->kind == GCL_NODE_SEXT, form))
        return false;
    if (form->is_top && form->why == GCL_NONE)
        form->why = index;
    return true;
}

static bool operate(struct gcl_values *v, uint16_t index, const struct gcl_form *a,
                    const struct gcl_form *b, struct gcl_form *form) {
    const struct gcl_node *node = &v->program->nodes[index];
    switch (node->kind) {
    case GCL_NODE_ADD:
        *form = gcl_form_add(a, b, 1, node->width);
        return true;
    case GCL_NODE_SUBTRACT:
        *form = gcl_form_add(a, b, -1, node->width);
        return true;
    case GCL_NODE_MULTIPLY:
        return multiply(v, index, a, b, form);
    case GCL_NODE_UDIV:
    case GCL_NODE_SDIV:
    case GCL_NODE_UREM:
    case GCL_NODE_SREM:
        return quotient_or_rest(v, index, a, b, form);
    case GCL_NODE_SHL:
    case GCL_NODE_LSHR:
    case GCL_NODE_ASHR:
        return shift(v, index, a, b, form);
    case GCL_NODE_AND:
    case GCL_NODE_OR:
    case GCL_NODE_XOR:
        return combine_bits(v, index, a, b, form);
    default:
        return extreme(v, index, a, b, form);
    }
}

// What comes of data depends on it, whatever it is.
static bool binary(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    const struct gcl_node *node = &v->program->nodes[index];
    struct gcl_form a, b;
    if (!gcl_value_of(v, node->a, &a) || !gcl_value_of(v, node->b, &b) ||
        !operate(v, index, &a, &b, form))
        return false;
    if (form->why == GCL_NONE || form->why == index)
        form->why = a.why != GCL_NONE ? a.why : b.why != GCL_NONE ? b.why : form->why;
    return true;
}

static bool evaluate(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    const struct gcl_node *node = &v->program->nodes[index];
    if (node->kind < GCL_NODE_ADD)
        return leaf(v, index, form);
    if (node->kind == GCL_NODE_SELECT)
        return choose(v, index, form);
    if (node->kind == GCL_NODE_EQ || node->kind == GCL_NODE_ULT || node->kind == GCL_NODE_SLT)
        return condition(v, index, form);
    if (node->kind >= GCL_NODE_ZEXT)
        return unary(v, index, form);
    return binary(v, index, form);
}

/// Keeps a node for other pieces of the launch, if it is a number.
static void keep_uniform(const struct gcl_values *v, uint16_t index, const struct gcl_form *form) {
    bool is_number = !form->is_top && form->why == GCL_NONE;
    for (unsigned i = 0; i < GCL_VARIABLES && is_number; i++)
        is_number = form->factor[i] == 0;
    if (!is_number)
        return;
    v->uniform->forms[index] = *form;
    v->uniform->known[index] = true;
}

bool gcl_value_of(struct gcl_values *v, uint16_t index, struct gcl_form *form) {
    assert(index < v->program->node_count);
    bool is_uniform = v->uniform && v->uniform->is[index];
    if (is_uniform && v->uniform->known[index]) {
        *form = v->uniform->forms[index];
        return true;
    }
    if (!v->known[index]) {
        if (!evaluate(v, index, &v->forms[index]))
            return false;
        v->forms[index] = gcl_form_wrap(&v->forms[index], v->program->nodes[index].width);
        v->known[index] = true;
        if (is_uniform)
            keep_uniform(v, index, &v->forms[index]);
    }
    *form = v->forms[index];
    return true;
}
