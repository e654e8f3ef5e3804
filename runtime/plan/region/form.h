// Affine forms: what a node of an access program is over a box of threads, blocks and iterations.
//
//     constant + factor[0] * v0 + factor[1] * v1 + …        with 0 <= vi < count[i]
//
// A form of width w stands for the node's value modulo 2^w, so that sums and products need no care
// for wrap-around. Where the value itself counts (divisions, comparisons, extensions) it is
// normalised: shifted by a multiple of 2^w so that it lies in the type's range over the whole box.
#ifndef GCL_PLAN_FORM_H
#define GCL_PLAN_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "gcluster/access.h"

enum { GCL_VARIABLES = 12 };

/// Differences of 64-bit numbers.
typedef __int128 gcl_wide;

struct gcl_form {
    int64_t constant;
    int64_t factor[GCL_VARIABLES];
    bool is_top;  ///< may be anything
    uint16_t why; ///< index of the node whose data it depends on, GCL_NONE: exact
};

/// The box: variable i runs from 0 to count[i] - 1. A variable with a count of 1 is free: no form
/// has a factor for it.
struct gcl_box {
    int64_t count[GCL_VARIABLES];
};

struct gcl_form gcl_form_constant(int64_t value);
/// Anything, because of node `why`.
struct gcl_form gcl_form_top(uint16_t why);
/// a + factor * b, in `width` bits.
struct gcl_form gcl_form_add(const struct gcl_form *a, const struct gcl_form *b, int64_t factor,
                             unsigned width);
/// A form whose constant and factors are cut to `width` bits, with their sign.
struct gcl_form gcl_form_wrap(const struct gcl_form *a, unsigned width);
/// Replaces variable v by offset + scale * v + fine * w.
void gcl_form_substitute(struct gcl_form *a, unsigned v, int64_t offset, int64_t scale, unsigned w,
                         int64_t fine);
/// The largest integer not above a / b.
gcl_wide gcl_floor_div(gcl_wide a, gcl_wide b);
/// No variable counts, and not top.
bool gcl_form_is_constant(const struct gcl_form *a, const struct gcl_box *box);
/// Smallest and largest value over the box, not wrapped.
void gcl_form_range(const struct gcl_form *a, const struct gcl_box *box, gcl_wide *low,
                    gcl_wide *high);
/// The variable that spans most in a step, of those that count; GCL_VARIABLES: none does.
unsigned gcl_form_coarsest(const struct gcl_form *a, const struct gcl_box *box);
/// The limits of an integer type.
void gcl_form_limits(unsigned width, bool is_signed, gcl_wide *low, gcl_wide *high);

#endif
