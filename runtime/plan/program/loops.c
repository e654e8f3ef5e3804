// Iteration k > 0 runs if the loop's condition held at iteration k - 1 and all before it. Of
// comparisons that is seen by where, as k grows, they fail first.
#include "plan/program/loops.h"

#include <assert.h>

/// The iteration of a loop while its condition is looked at.
struct loop {
    uint16_t guard;
    struct gcl_form iteration; ///< k
    unsigned variable;         ///< the coarsest of those that it is made of
};

static gcl_wide slope(const struct loop *loop, const struct gcl_form *form) {
    assert(loop->variable < GCL_VARIABLES && loop->iteration.factor[loop->variable] != 0);
    return form->factor[loop->variable] / loop->iteration.factor[loop->variable];
}

static struct gcl_form minus(const struct gcl_form *a, const struct gcl_form *b, gcl_wide factor) {
    return gcl_form_add(a, b, (int64_t)(0 - (uint64_t)factor), 64); // modulo 2^64, like all of it
}

// k = 0 runs in any case: where it is all that can be kept, it has to be alone.
static enum gcl_verdict but_for_first(const struct gcl_loops *l, const struct loop *loop,
                                      const struct gcl_form *form, enum gcl_verdict verdict) {
    const struct gcl_piece *piece = l->values->piece;
    gcl_wide low, high;
    gcl_form_range(&loop->iteration, &piece->box, &low, &high);
    if (verdict == GCL_ALWAYS || low > 0)
        return verdict;
    struct gcl_form first = minus(form, &loop->iteration, slope(loop, form));
    struct gcl_subdivision ignored;
    if (gcl_piece_below(piece, &first, &ignored) == GCL_ALWAYS)
        return verdict;
    if (loop->iteration.factor[loop->variable] != 1)
        return GCL_OPEN;
    l->values->request =
        (struct gcl_subdivision){.way = GCL_SUBDIVIDE_SPLIT, .variable = loop->variable, .at = 1};
    return GCL_PARTLY;
}

// The form is a number that all iterations share, and a multiple of k.
static bool is_linear(const struct loop *loop, const struct gcl_form *form) {
    gcl_wide step = slope(loop, form);
    for (unsigned v = 0; v < GCL_VARIABLES && !form->is_top; v++) {
        if (loop->iteration.factor[v] != 0 && form->factor[v] != step * loop->iteration.factor[v])
            return false;
    }
    return !form->is_top;
}

// The form as it goes on from where it is normal at k = 1.
static bool follow(const struct gcl_loops *l, const struct loop *loop, struct gcl_form *form,
                   unsigned width, bool is_signed) {
    gcl_wide step = slope(loop, form);
    struct gcl_form first = minus(form, &loop->iteration, step), normal;
    first.constant = (int64_t)((uint64_t)first.constant + (uint64_t)step);
    if (!gcl_value_normalise(l->values, &first, width, is_signed, &normal))
        return false;
    if (normal.is_top)
        *form = normal;
    else
        form->constant = (int64_t)((uint64_t)form->constant + (uint64_t)normal.constant -
                                   (uint64_t)first.constant);
    return true;
}

// Keeps that part of a piece where `form` <= 0, from the first iteration on.
static enum gcl_verdict keep_below(const struct gcl_loops *l, const struct loop *loop,
                                   const struct gcl_form *form) {
    if (form->is_top || slope(loop, form) < 0)
        return GCL_OPEN;
    enum gcl_verdict verdict = gcl_piece_below(l->values->piece, form, &l->values->request);
    return but_for_first(l, loop, form, verdict);
}

// Ends with the first hit of `difference` = 0.
static enum gcl_verdict keep_before(const struct gcl_loops *l, const struct loop *loop,
                                    struct gcl_form *difference, unsigned width) {
    struct gcl_form zero = gcl_form_constant(0);
    if (!follow(l, loop, difference, width, true))
        return GCL_PARTLY;
    gcl_wide step = slope(loop, difference);
    if (difference->is_top || step == 0)
        return GCL_OPEN;
    if (step < 0)
        *difference = gcl_form_add(&zero, difference, -1, 64);
    step = step < 0 ? -step : step;
    bool hits = difference->constant % step == 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        hits = hits && difference->factor[v] % step == 0;
    struct gcl_form first = minus(difference, &loop->iteration, step);
    first.constant = (int64_t)((uint64_t)first.constant + (uint64_t)step);
    enum gcl_verdict begins = gcl_piece_below(l->values->piece, &first, &l->values->request);
    if (begins == GCL_PARTLY)
        return begins;
    if (!hits || begins != GCL_ALWAYS)
        return GCL_OPEN;
    difference->constant += 1;
    return keep_below(l, loop, difference);
}

// Whether `form` stays a number of its type as long as the loop runs.
static enum gcl_verdict keep_inside(const struct gcl_loops *l, const struct loop *loop,
                                    const struct gcl_form *form, unsigned width, bool is_signed) {
    gcl_wide least, most, low, high;
    struct gcl_form over = *form, zero = gcl_form_constant(0);
    struct gcl_form under = gcl_form_add(&zero, form, -1, 64);
    gcl_form_limits(width, is_signed, &least, &most);
    gcl_form_range(form, &l->values->piece->box, &low, &high);
    if (low >= least && high <= most)
        return GCL_ALWAYS;
    over.constant = (int64_t)((gcl_wide)over.constant - most);
    under.constant = (int64_t)((gcl_wide)under.constant + least);
    enum gcl_verdict verdict = but_for_first(l, loop, high > most ? &over : &under, GCL_NEVER);
    return verdict == GCL_PARTLY ? verdict : GCL_OPEN;
}

/// A loop that goes on while `lower` + `slack` <= `upper`.
struct sides {
    const struct gcl_form *lower, *upper;
    int slack;
    gcl_wide least, most; ///< of their type
};

// Whether that first fails where both sides are still numbers of their type. Beyond, they wrap
// around, and the loop may go on.
static bool ends_inside(const struct gcl_loops *l, const struct loop *loop, const struct sides *s) {
    gcl_wide up = slope(loop, s->lower), down = slope(loop, s->upper), low, high, ignored;
    struct gcl_form first_lower = minus(s->lower, &loop->iteration, up);
    struct gcl_form first_upper = minus(s->upper, &loop->iteration, down);
    gcl_form_range(&first_lower, &l->values->piece->box, &low, &ignored);
    gcl_form_range(&first_upper, &l->values->piece->box, &ignored, &high);
    bool is_lower = up <= 0 || (down <= 0 && high + down - s->slack + up <= s->most);
    bool is_upper = down >= 0 || (up >= 0 && low + up + s->slack + down >= s->least);
    return is_lower && is_upper;
}

static enum gcl_verdict compare(const struct gcl_loops *l, const struct loop *loop, uint16_t index,
                                bool holds) {
    const struct gcl_node *node = &l->values->program->nodes[index];
    unsigned width = l->values->program->nodes[node->a].width;
    bool is_signed = node->kind == GCL_NODE_SLT;
    struct gcl_form a, b, difference;
    if (!gcl_value_of(l->values, node->a, &a) || !gcl_value_of(l->values, node->b, &b))
        return GCL_PARTLY;
    if (a.why != GCL_NONE || b.why != GCL_NONE)
        l->values->why = a.why != GCL_NONE ? a.why : b.why;
    if (!is_linear(loop, &a) || !is_linear(loop, &b))
        return GCL_OPEN;
    if (slope(loop, &a) == 0 && slope(loop, &b) == 0) {
        enum gcl_verdict verdict = gcl_value_holds(l->values, index);
        if (verdict == GCL_PARTLY || verdict == GCL_OPEN || (verdict == GCL_ALWAYS) == holds)
            return verdict == GCL_NEVER ? GCL_ALWAYS : verdict;
        struct gcl_form never = gcl_form_constant(1);
        return but_for_first(l, loop, &never, GCL_NEVER);
    }
    if (node->kind == GCL_NODE_EQ) {
        difference = gcl_form_add(&a, &b, -1, width);
        return holds ? GCL_OPEN : keep_before(l, loop, &difference, width);
    }
    if (!follow(l, loop, &a, width, is_signed) || !follow(l, loop, &b, width, is_signed))
        return GCL_PARTLY;
    difference = holds ? gcl_form_add(&a, &b, -1, 64) : gcl_form_add(&b, &a, -1, 64);
    if (!difference.is_top)
        difference.constant += holds;
    struct sides sides = {holds ? &a : &b, holds ? &b : &a, holds, 0, 0};
    gcl_form_limits(width, is_signed, &sides.least, &sides.most);
    enum gcl_verdict verdict = keep_below(l, loop, &difference);
    if (verdict == GCL_NEVER && !ends_inside(l, loop, &sides))
        return GCL_OPEN;
    if (verdict == GCL_ALWAYS)
        verdict = keep_inside(l, loop, &a, width, is_signed);
    if (verdict == GCL_ALWAYS)
        verdict = keep_inside(l, loop, &b, width, is_signed);
    return verdict;
}

// Loops by their conditions at iteration k - 1.

static enum gcl_verdict continues(const struct gcl_loops *l, const struct loop *loop,
                                  uint16_t index, bool holds) {
    const struct gcl_node *nodes = l->values->program->nodes, *node = &nodes[index];
    const int64_t *constants = l->values->program->constants;
    bool is_and = node->kind == GCL_NODE_AND && holds, is_or = node->kind == GCL_NODE_OR && !holds;
    if (node->width == 1 && (is_and || is_or)) {
        enum gcl_verdict first = continues(l, loop, node->a, holds);
        if (first == GCL_PARTLY || first == GCL_NEVER)
            return first;
        enum gcl_verdict second = continues(l, loop, node->b, holds);
        return second == GCL_ALWAYS ? first : second;
    }
    if (node->kind == GCL_NODE_XOR && nodes[node->b].kind == GCL_NODE_CONSTANT)
        return continues(l, loop, node->a, holds == !(constants[nodes[node->b].a] & 1));
    // What the piece says of it is of iteration k.
    if (gcl_varying_has(l->varying, loop->guard, index)) {
        l->values->why = index;
        return GCL_OPEN;
    }
    if (node->kind == GCL_NODE_EQ || node->kind == GCL_NODE_ULT || node->kind == GCL_NODE_SLT)
        return compare(l, loop, index, holds);
    enum gcl_verdict verdict = gcl_value_holds(l->values, index);
    if (verdict == GCL_PARTLY || verdict == GCL_OPEN)
        return verdict;
    return GCL_OPEN; // what decides may be another one in each iteration
}

/// Whether a loop goes on at the iteration that its binding has, which isn't the piece's.
static enum gcl_verdict goes_on(const struct gcl_loops *l, const struct gcl_binding *binding,
                                uint16_t index) {
    const struct gcl_node *node = &l->values->program->nodes[index];
    if (!gcl_varying_has(l->varying, binding->node, index))
        return gcl_value_holds(l->values, index);
    if (node->kind == GCL_NODE_AND && node->width == 1) {
        enum gcl_verdict first = goes_on(l, binding, node->a);
        if (first == GCL_PARTLY || first == GCL_NEVER)
            return first;
        enum gcl_verdict second = goes_on(l, binding, node->b);
        return second == GCL_ALWAYS ? first : second;
    }
    l->values->why = index;
    return GCL_OPEN;
}

/// Whether a loop goes on, with its binding at iteration `at` meanwhile.
static enum gcl_verdict holds_at(const struct gcl_loops *l, struct gcl_binding *binding,
                                 const struct gcl_form *at, uint16_t node) {
    struct gcl_form kept = binding->form;
    binding->form = *at;
    gcl_value_forget(l->values);
    enum gcl_verdict verdict = goes_on(l, binding, node);
    binding->form = kept;
    gcl_value_forget(l->values);
    return verdict;
}

enum gcl_verdict gcl_loops_held_before(const struct gcl_loops *l, struct gcl_binding *binding,
                                       int64_t count, uint16_t node) {
    enum { FEW = 64 };
    struct gcl_box *box = &l->values->piece->box;
    struct gcl_form before;
    assert(count > 0);
    if (gcl_piece_variable(l->values->piece, count, &before)) {
        unsigned v = 0;
        enum gcl_verdict all = holds_at(l, binding, &before, node);
        while (v < GCL_VARIABLES && before.factor[v] == 0)
            v++;
        if (v < GCL_VARIABLES)
            box->count[v] = 1;
        if (all == GCL_ALWAYS)
            return all;
    }
    for (int64_t k = count - 1; k >= 0 && k >= count - FEW; k--) {
        before = gcl_form_constant(k);
        enum gcl_verdict one = holds_at(l, binding, &before, node);
        if (one != GCL_ALWAYS)
            return one;
    }
    return count <= FEW ? GCL_ALWAYS : GCL_OPEN;
}

enum gcl_verdict gcl_loops_continue(const struct gcl_loops *l, struct gcl_binding *binding,
                                    uint16_t node) {
    struct loop loop = {
        .guard = binding->node,
        .iteration = binding->form,
        .variable = gcl_form_coarsest(&binding->form, &l->values->piece->box),
    };
    binding->form.constant -= 1;
    gcl_value_forget(l->values);
    enum gcl_verdict verdict = continues(l, &loop, node, true);
    binding->form.constant += 1;
    gcl_value_forget(l->values);
    return verdict;
}
