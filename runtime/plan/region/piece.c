// Cutting a piece is substituting a variable v in all its forms. A part of it has from + v there,
// a radix period * v + w, and a piece that runs backwards count - 1 - v.
//
// To find out where a form is <= 0, its coarsest variable is cut twice: that leaves a part where
// the form is, whatever the other variables are, one where it isn't, and the values between, of
// which this variable has the fewest.
#include "plan/region/piece.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

// A variable with so many values is never cut into single ones.
enum { EACH_LIMIT = 2048 };

enum { FORMS = 9 + GCL_PIECE_LOOPS + GCL_PIECE_UNKNOWNS };

// Every form that a piece holds.
static unsigned forms_of(struct gcl_piece *piece, struct gcl_form *forms[]) {
    unsigned count = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        forms[count++] = &piece->thread[axis];
        forms[count++] = &piece->block[axis];
        forms[count++] = &piece->global[axis];
    }
    for (unsigned i = 0; i < piece->loop_count; i++)
        forms[count++] = &piece->loops[i].form;
    for (unsigned i = 0; i < piece->unknown_count; i++)
        forms[count++] = &piece->unknowns[i].form;
    return count;
}

static bool is_free_of(const struct gcl_form *form, const struct gcl_box *box) {
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (box->count[v] < 1 || (box->count[v] == 1 && form->factor[v] != 0))
            return false;
    }
    return true;
}

bool gcl_piece_is_valid(const struct gcl_piece *piece) {
    struct gcl_piece copy;
    gcl_piece_copy(piece, &copy);
    struct gcl_form *forms[FORMS];
    unsigned count = forms_of(&copy, forms);
    bool is_valid = true;
    for (unsigned i = 0; i < count && is_valid; i++)
        is_valid = is_free_of(forms[i], &copy.box);
    return is_valid;
}

static void substitute(struct gcl_piece *piece, unsigned v, int64_t offset, int64_t scale,
                       unsigned w, int64_t fine) {
    struct gcl_form *forms[FORMS];
    unsigned count = forms_of(piece, forms);
    for (unsigned i = 0; i < count; i++)
        gcl_form_substitute(forms[i], v, offset, scale, w, fine);
}

bool gcl_piece_variable(struct gcl_piece *piece, int64_t count, struct gcl_form *form) {
    *form = gcl_form_constant(0);
    for (unsigned v = 0; v < GCL_VARIABLES && count > 1; v++) {
        if (piece->box.count[v] != 1)
            continue;
        piece->box.count[v] = count;
        form->factor[v] = 1;
        return true;
    }
    return count == 1;
}

void gcl_piece_init(struct gcl_piece *piece, const struct gcl_launch_part *launch,
                    const bool fused[3]) {
    memset(piece, 0, offsetof(struct gcl_piece, loops));
    piece->loop_count = piece->unknown_count = piece->assumption_count = 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        piece->box.count[v] = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        int64_t begin = launch->begin[axis], blocks = launch->end[axis] - begin;
        int64_t size = launch->geometry.block[axis];
        struct gcl_form first = gcl_form_constant(begin * size);
        piece->fused[axis] = fused[axis];
        if (fused[axis]) {
            gcl_piece_variable(piece, blocks * size, &piece->global[axis]);
            piece->global[axis].constant = begin * size;
        } else {
            gcl_piece_variable(piece, size, &piece->thread[axis]);
            gcl_piece_variable(piece, blocks, &piece->block[axis]);
            first = gcl_form_add(&first, &piece->block[axis], size, 64);
            piece->global[axis] = gcl_form_add(&first, &piece->thread[axis], 1, 64);
            piece->block[axis].constant = begin;
        }
    }
    assert(gcl_piece_is_valid(piece));
}

void gcl_piece_copy(const struct gcl_piece *piece, struct gcl_piece *copy) {
    memcpy(copy, piece, offsetof(struct gcl_piece, loops));
    memcpy(copy->fused, piece->fused, sizeof copy->fused);
    copy->loop_count = piece->loop_count;
    copy->unknown_count = piece->unknown_count;
    copy->assumption_count = piece->assumption_count;
    memcpy(copy->loops, piece->loops, piece->loop_count * sizeof copy->loops[0]);
    memcpy(copy->unknowns, piece->unknowns, piece->unknown_count * sizeof copy->unknowns[0]);
    memcpy(copy->assumptions, piece->assumptions,
           piece->assumption_count * sizeof copy->assumptions[0]);
}

struct gcl_binding *gcl_piece_loop(struct gcl_piece *piece, uint16_t guard) {
    for (unsigned i = 0; i < piece->loop_count; i++) {
        if (piece->loops[i].node == guard)
            return &piece->loops[i];
    }
    return NULL;
}

void gcl_piece_restrict(struct gcl_piece *piece, unsigned v, int64_t from, int64_t count) {
    assert(from >= 0 && count > 0 && from + count <= piece->box.count[v]);
    substitute(piece, v, from, count > 1, 0, 0);
    piece->box.count[v] = count;
    assert(gcl_piece_is_valid(piece));
}

bool gcl_piece_radix(struct gcl_piece *piece, unsigned v, int64_t period) {
    struct gcl_form fine;
    assert(period > 0 && piece->box.count[v] % period == 0);
    if (!gcl_piece_variable(piece, period, &fine))
        return false;
    unsigned w = 0;
    while (fine.factor[w] == 0)
        w++;
    piece->box.count[v] /= period;
    substitute(piece, v, 0, piece->box.count[v] > 1 ? period : 0, w, 1);
    assert(gcl_piece_is_valid(piece));
    return true;
}

void gcl_piece_flip(struct gcl_piece *piece, unsigned v) {
    substitute(piece, v, piece->box.count[v] - 1, -1, 0, 0);
}

// The variable with the fewest values, of those that count.
static unsigned fewest(const struct gcl_piece *piece, const struct gcl_form *form) {
    unsigned found = GCL_VARIABLES;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        int64_t count = piece->box.count[v];
        bool counts = form->factor[v] != 0 && count > 1;
        if (counts && (found == GCL_VARIABLES || count < piece->box.count[found]))
            found = v;
    }
    return found;
}

static enum gcl_verdict ask(struct gcl_subdivision *request, enum gcl_subdivision_way way,
                            unsigned v, gcl_wide at) {
    *request = (struct gcl_subdivision){.way = way, .variable = v, .at = (int64_t)at};
    return GCL_PARTLY;
}

// Many parts are worth it only where the result is exact.
static enum gcl_verdict ask_each(const struct gcl_piece *piece, const struct gcl_form *form,
                                 struct gcl_subdivision *request, unsigned v) {
    if (piece->box.count[v] > EACH_LIMIT || form->why != GCL_NONE)
        return GCL_OPEN;
    return ask(request, GCL_SUBDIVIDE_EACH, v, 0);
}

enum gcl_verdict gcl_piece_below(const struct gcl_piece *piece, const struct gcl_form *form,
                                 struct gcl_subdivision *request) {
    gcl_wide low, high;
    if (form->is_top)
        return GCL_OPEN;
    gcl_form_range(form, &piece->box, &low, &high);
    if (high <= 0)
        return GCL_ALWAYS;
    if (low > 0)
        return GCL_NEVER;
    unsigned v = gcl_form_coarsest(form, &piece->box);
    gcl_wide factor = form->factor[v], span = factor * (piece->box.count[v] - 1);
    gcl_wide rest_low = low - (span < 0 ? span : 0), rest_high = high - (span > 0 ? span : 0);
    gcl_wide cuts[2];
    if (factor > 0) {
        cuts[0] = gcl_floor_div(-rest_high, factor) + 1;
        cuts[1] = gcl_floor_div(-rest_low, factor) + 1;
    } else {
        cuts[0] = -gcl_floor_div(rest_low, factor);
        cuts[1] = -gcl_floor_div(rest_high, factor);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (cuts[i] > 0 && cuts[i] < piece->box.count[v])
            return ask(request, GCL_SUBDIVIDE_SPLIT, v, cuts[i]);
    }
    return ask_each(piece, form, request, fewest(piece, form));
}

enum gcl_verdict gcl_piece_zero(const struct gcl_piece *piece, const struct gcl_form *form,
                                struct gcl_subdivision *request) {
    struct gcl_form zero = gcl_form_constant(0);
    gcl_wide low, high;
    gcl_form_range(form, &piece->box, &low, &high);
    if (!form->is_top && (low > 0 || high < 0))
        return GCL_NEVER;
    struct gcl_form negative = gcl_form_add(&zero, form, -1, 64);
    enum gcl_verdict below = gcl_piece_below(piece, form, request);
    return below == GCL_ALWAYS ? gcl_piece_below(piece, &negative, request) : below;
}
