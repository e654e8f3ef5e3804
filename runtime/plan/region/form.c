// Coefficients are kept modulo 2^64 and sign-extended from the width of the node. Ranges are
// computed in 128 bits, as a factor times a count needn't fit in 64.
#include "plan/region/form.h"

#include <string.h>

// The number that `width` bits hold, sign-extended.
static int64_t wrap(uint64_t value, unsigned width) {
    unsigned rest = 64 - width;
    return (int64_t)(value << rest) >> rest;
}

struct gcl_form gcl_form_constant(int64_t value) {
    return (struct gcl_form){.constant = value, .why = GCL_NONE};
}

struct gcl_form gcl_form_top(uint16_t why) {
    return (struct gcl_form){.is_top = true, .why = why};
}

struct gcl_form gcl_form_add(const struct gcl_form *a, const struct gcl_form *b, int64_t factor,
                             unsigned width) {
    uint16_t why = a->why != GCL_NONE ? a->why : b->why;
    if (a->is_top || b->is_top)
        return gcl_form_top(why);
    struct gcl_form sum = {.why = why};
    uint64_t f = (uint64_t)factor;
    sum.constant = wrap((uint64_t)a->constant + f * (uint64_t)b->constant, width);
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        sum.factor[v] = wrap((uint64_t)a->factor[v] + f * (uint64_t)b->factor[v], width);
    return sum;
}

struct gcl_form gcl_form_wrap(const struct gcl_form *a, unsigned width) {
    if (a->is_top)
        return gcl_form_top(a->why);
    struct gcl_form wrapped = *a;
    wrapped.constant = wrap((uint64_t)a->constant, width);
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (a->factor[v] != 0) // few of them aren't
            wrapped.factor[v] = wrap((uint64_t)a->factor[v], width);
    }
    return wrapped;
}

void gcl_form_substitute(struct gcl_form *a, unsigned v, int64_t offset, int64_t scale, unsigned w,
                         int64_t fine) {
    uint64_t f = (uint64_t)a->factor[v];
    if (f == 0)
        return;
    a->constant = (int64_t)((uint64_t)a->constant + f * (uint64_t)offset);
    a->factor[v] = (int64_t)(f * (uint64_t)scale);
    if (fine != 0)
        a->factor[w] = (int64_t)(f * (uint64_t)fine);
}

gcl_wide gcl_floor_div(gcl_wide a, gcl_wide b) {
    gcl_wide q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

bool gcl_form_is_constant(const struct gcl_form *a, const struct gcl_box *box) {
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (a->factor[v] != 0 && box->count[v] > 1)
            return false;
    }
    return !a->is_top;
}

void gcl_form_range(const struct gcl_form *a, const struct gcl_box *box, gcl_wide *low,
                    gcl_wide *high) {
    *low = *high = a->constant;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (a->factor[v] == 0)
            continue;
        gcl_wide span = (gcl_wide)a->factor[v] * (box->count[v] - 1);
        if (span > 0)
            *high += span;
        else
            *low += span;
    }
}

unsigned gcl_form_coarsest(const struct gcl_form *a, const struct gcl_box *box) {
    unsigned coarsest = GCL_VARIABLES;
    gcl_wide most = 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        gcl_wide step = a->factor[v] < 0 ? -(gcl_wide)a->factor[v] : a->factor[v];
        if (box->count[v] > 1 && step > most) {
            most = step;
            coarsest = v;
        }
    }
    return coarsest;
}

void gcl_form_limits(unsigned width, bool is_signed, gcl_wide *low, gcl_wide *high) {
    gcl_wide half = (gcl_wide)1 << (width - 1);
    *low = is_signed ? -half : 0;
    *high = is_signed ? half - 1 : 2 * half - 1;
}
