// A piece of an evaluation is a box of variables, with affine forms over them for the block number,
// or for the number of a thread in the whole grid, along each axis. A block has a range of those
// numbers, and the points of the box in that range are its share. Such a form is one variable, or
// one that evaluation has taken apart by a radix: its coarsest variable counts whole ranges of the
// finer ones. So the points are found from the coarsest on: a part of its values for which all of
// the finer ones are in the range, and one on either side for which some are.
#include "shares.h"

#include <stdlib.h>
#include <string.h>

// What numbers blocks or threads along an axis: `first` + each factor * its variable.
struct axis {
    bool counts_threads;
    int64_t first;
    unsigned count;
    struct term {
        unsigned variable;
        int64_t factor; ///< more than 0
        int64_t values;
        int64_t finer;      ///< the most that all terms behind come to
        bool is_reversed;   ///< it counts down
    } terms[GCL_VARIABLES]; ///< the coarsest first
};

struct gcl_share {
    uint16_t access;
    struct gcl_bytes bytes;
    bool is_common; ///< all blocks have it
    struct gcl_form offset;
    struct gcl_box box;
    struct axis axes[3];
};

// Finding.

static void add_term(struct axis *axis, unsigned v, int64_t factor, int64_t values) {
    struct term term = {.variable = v, .factor = llabs(factor), .values = values};
    unsigned at = axis->count++;
    term.is_reversed = factor < 0;
    if (term.is_reversed)
        axis->first += factor * (values - 1);
    for (; at > 0 && axis->terms[at - 1].factor < term.factor; at--)
        axis->terms[at] = axis->terms[at - 1];
    axis->terms[at] = term;
}

static struct axis make_axis(const struct gcl_piece *piece, unsigned a) {
    const struct gcl_form *form = piece->fused[a] ? &piece->global[a] : &piece->block[a];
    struct axis axis = {.counts_threads = piece->fused[a], .first = form->constant};
    int64_t finer = 0;
    for (unsigned v = 0; v < GCL_VARIABLES; v++) {
        if (form->factor[v] != 0 && piece->box.count[v] > 1)
            add_term(&axis, v, form->factor[v], piece->box.count[v]);
    }
    for (unsigned t = axis.count; t-- > 0;) {
        axis.terms[t].finer = finer;
        finer += axis.terms[t].factor * (axis.terms[t].values - 1);
    }
    return axis;
}

struct finding {
    struct gcl_shares *shares;
    uint16_t access;
    bool failed;
};

static void add_share(void *context, const struct gcl_bytes *bytes) {
    struct finding *finding = context;
    struct gcl_shares *s = finding->shares;
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 16;
        struct gcl_share *list = realloc(s->list, capacity * sizeof *list);
        finding->failed = finding->failed || !list;
        if (!list)
            return;
        s->list = list;
        s->capacity = capacity;
    }
    struct gcl_share *share = &s->list[s->count++];
    *share =
        (struct gcl_share){.access = finding->access, .bytes = *bytes, .is_common = !bytes->piece};
    share->bytes.piece = NULL;
    share->bytes.form = NULL;
    if (share->is_common)
        return;
    share->offset = *bytes->form;
    share->box = bytes->piece->box;
    for (unsigned a = 0; a < 3; a++)
        share->axes[a] = make_axis(bytes->piece, a);
}

bool gcl_shares_find(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                     struct gcl_shares *shares) {
    struct finding finding = {.shares = shares};
    uint64_t base;
    shares->program = gcl_evaluator_program(evaluator);
    shares->launch = *launch;
    shares->count = 0;
    for (uint16_t a = 0; a < shares->program->access_count && !finding.failed; a++) {
        finding.access = a;
        if (gcl_footprint_base(shares->program, launch, shares->program->accesses[a].base, &base))
            gcl_evaluate(evaluator, a, launch, add_share, &finding);
    }
    if (finding.failed)
        gcl_shares_finish(shares);
    return !finding.failed;
}

void gcl_shares_finish(struct gcl_shares *shares) {
    free(shares->list);
    *shares = (struct gcl_shares){0};
}

// Taking apart.

struct taking {
    const struct gcl_share *share;
    const uint32_t *block;
    const uint32_t *block_size;
    gcl_bytes_visit *visit;
    void *context;
    int64_t begin[GCL_VARIABLES]; ///< the part of the box that is left
    struct gcl_box box;
};

static void visit_rest(const struct taking *t) {
    struct gcl_bytes bytes = t->share->bytes;
    struct gcl_form offset = t->share->offset;
    for (unsigned v = 0; v < GCL_VARIABLES; v++)
        offset.constant += offset.factor[v] * t->begin[v];
    if (!bytes.everywhere)
        gcl_bytes_place(&offset, &t->box, &bytes);
    t->visit(t->context, &bytes);
}

static int64_t floor_divide(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

static void take_axis(struct taking *t, unsigned a);

// The terms of axis `a` from `index` on that come to [low, high).
static void take_term(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high);

// The same where the term before has values [begin, end).
static void take_values(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high,
                        int64_t begin, int64_t end) {
    const struct term *term = &t->share->axes[a].terms[index];
    if (begin >= end)
        return;
    t->begin[term->variable] = term->is_reversed ? term->values - end : begin;
    t->box.count[term->variable] = end - begin;
    take_term(t, a, index + 1, low - begin * term->factor, high - begin * term->factor);
    t->begin[term->variable] = 0;
    t->box.count[term->variable] = term->values;
}

static void take_term(struct taking *t, unsigned a, unsigned index, int64_t low, int64_t high) {
    const struct axis *axis = &t->share->axes[a];
    const struct term *term = &axis->terms[index];
    int64_t most = index < axis->count ? term->factor * (term->values - 1) + term->finer : 0;
    if (high <= 0 || low > most)
        return;
    if (low <= 0 && high > most) {
        take_axis(t, a + 1);
        return;
    }
    // Some of the finer ones are in the range for [some, behind), all of them for [all, last).
    int64_t factor = term->factor, finer = term->finer, values = term->values;
    int64_t some = clamp(floor_divide(low - finer + factor - 1, factor), 0, values);
    int64_t behind = clamp(floor_divide(high - 1, factor) + 1, some, values);
    int64_t all = clamp(floor_divide(low + factor - 1, factor), some, behind);
    int64_t last = clamp(floor_divide(high - 1 - finer, factor) + 1, all, behind);
    for (int64_t value = some; value < all; value++)
        take_values(t, a, index, low, high, value, value + 1);
    // Of these the range needn't be asked for any more: it is as wide as it can be.
    if (all < last) {
        t->begin[term->variable] = term->is_reversed ? values - last : all;
        t->box.count[term->variable] = last - all;
        take_axis(t, a + 1);
        t->begin[term->variable] = 0;
        t->box.count[term->variable] = values;
    }
    for (int64_t value = last; value < behind; value++)
        take_values(t, a, index, low, high, value, value + 1);
}

static void take_axis(struct taking *t, unsigned a) {
    if (a == 3) {
        visit_rest(t);
        return;
    }
    const struct axis *axis = &t->share->axes[a];
    int64_t size = axis->counts_threads ? t->block_size[a] : 1;
    int64_t low = t->block[a] * size - axis->first;
    take_term(t, a, 0, low, low + size);
}

void gcl_shares_visit(const struct gcl_shares *shares, uint16_t access, const uint32_t *block,
                      gcl_bytes_visit *visit, void *context) {
    for (size_t i = 0; i < shares->count; i++) {
        const struct gcl_share *share = &shares->list[i];
        struct taking taking = {.share = share,
                                .block = block,
                                .block_size = shares->launch.block_size,
                                .visit = visit,
                                .context = context,
                                .box = share->box};
        if (share->access != access)
            continue;
        if (block && !share->is_common)
            take_axis(&taking, 0);
        else
            visit(context, &share->bytes);
    }
}

// Footprints.

struct source {
    const struct gcl_shares *shares;
    const uint32_t *block;
};

static void visit_share(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor) {
    const struct source *source = context;
    gcl_shares_visit(source->shares, access, source->block, visit, visitor);
}

bool gcl_shares_footprint(const struct gcl_shares *shares, const uint32_t *block,
                          const struct gcl_memory *memory, struct gcl_footprint *footprint) {
    struct source context = {shares, block};
    const struct gcl_bytes_source source = {shares->program, visit_share, &context};
    return gcl_footprint_gather(&source, &shares->launch, memory, footprint);
}
