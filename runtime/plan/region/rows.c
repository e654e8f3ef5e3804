// A pair of rows has four ends, each of which moves on by a step of its own. Between two ends that
// are next to each other all bytes are of the same kind, for as many pairs as the order of the ends
// stays what it was.
#include "plan/region/rows.h"

#include <assert.h>

enum { ENDS = 4 };

/// Where a row begins or ends.
struct end {
    int64_t at, step;
    unsigned turns; ///< GCL_KEEP_A or GCL_KEEP_B: the set that one enters or leaves there
};

struct gcl_rows gcl_rows_of(const struct gcl_strided *box) {
    assert(gcl_strided_depth(box) == 1 && !box->motif);
    int64_t stride = box->levels[0].stride;
    return (struct gcl_rows){box->begin, box->begin + box->length, stride, stride + box->growth,
                             box->levels[0].count};
}

struct gcl_rows gcl_rows_cut(const struct gcl_strided *run, const struct gcl_strided *box) {
    assert(run->begin == box->begin && gcl_strided_depth(run) == 0);
    int64_t stride = box->levels[0].stride, cuts = run->length / stride;
    // The last row of the box has no next one.
    int64_t most = box->levels[0].count - 1;
    return (struct gcl_rows){run->begin, run->begin + stride, stride, stride,
                             cuts < most ? cuts : most};
}

static bool is_before(const struct end *a, const struct end *b) {
    return a->at < b->at || (a->at == b->at && a->step < b->step);
}

/// The ends of the first pair, in their order.
static void sort_ends(const struct gcl_rows *a, const struct gcl_rows *b, struct end ends[ENDS]) {
    const struct end all[ENDS] = {{a->begin, a->begin_step, GCL_KEEP_A},
                                  {a->end, a->end_step, GCL_KEEP_A},
                                  {b->begin, b->begin_step, GCL_KEEP_B},
                                  {b->end, b->end_step, GCL_KEEP_B}};
    for (int i = 0; i < ENDS; i++) {
        int at = i;
        for (; at > 0 && is_before(&all[i], &ends[at - 1]); at--)
            ends[at] = ends[at - 1];
        ends[at] = all[i];
    }
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int64_t gcl_rows_pairs(const struct gcl_rows *a, const struct gcl_rows *b) {
    struct end ends[ENDS];
    sort_ends(a, b, ends);
    int64_t pairs = least(a->count, b->count);
    for (int i = 1; i < ENDS; i++) {
        int64_t apart = ends[i].at - ends[i - 1].at, closer = ends[i - 1].step - ends[i].step;
        if (closer > 0)
            pairs = least(pairs, apart / closer + 1);
    }
    const struct end *first = &ends[0], *last = &ends[ENDS - 1];
    int64_t closer = last->step - first->step;
    // Pairs may touch if all of them do: where only some do, what is kept wouldn't be rows.
    int64_t apart = first->at + first->step - last->at - (closer != 0);
    if (apart < 0)
        return least(pairs, 1);
    return closer > 0 ? least(pairs, apart / closer + 2) : pairs;
}

size_t gcl_rows_keep(const struct gcl_rows *a, const struct gcl_rows *b, int64_t pairs,
                     unsigned keep, struct gcl_rows *kept) {
    static const unsigned kinds[] = {0, GCL_KEEP_A, GCL_KEEP_B,
                                     GCL_KEEP_BOTH}; // by the sets that one is in
    struct end ends[ENDS];
    unsigned in = 0;
    size_t count = 0;
    sort_ends(a, b, ends);
    for (int i = 0; i + 1 < ENDS; i++) {
        const struct end *begin = &ends[i], *end = &ends[i + 1];
        in ^= begin->turns;
        bool is_empty = begin->at == end->at && begin->step == end->step;
        if (is_empty || !(kinds[in] & keep))
            continue;
        struct gcl_rows *last = count > 0 ? &kept[count - 1] : NULL;
        bool goes_on = last && last->end == begin->at && last->end_step == begin->step;
        if (!goes_on)
            last = &kept[count++];
        assert(count <= GCL_ROWS_KEPT);
        if (!goes_on)
            *last = (struct gcl_rows){.begin = begin->at, .begin_step = begin->step};
        last->end = end->at;
        last->end_step = end->step;
        last->count = pairs;
    }
    return count;
}

bool gcl_rows_box(struct gcl_rows rows, struct gcl_strided *box) {
    int64_t length = rows.end - rows.begin, growth = rows.end_step - rows.begin_step;
    if (length == 0 && rows.count > 1) { // they grow from nothing
        rows.begin += rows.begin_step;
        length += growth;
        rows.count--;
    }
    if (length > 0 && length + (rows.count - 1) * growth == 0) // or shrink to nothing
        rows.count--;
    if (length == 0)
        return false;
    assert(length > 0 && rows.count > 0 && length + (rows.count - 1) * growth > 0);
    *box = gcl_strided_run(rows.begin, rows.begin + length);
    if (growth == 0)
        return gcl_strided_repeat(box, rows.begin_step, rows.count);
    if (rows.count == 1)
        return true;
    box->levels[0] = (struct gcl_level){rows.begin_step, rows.count};
    box->growth = growth;
    return true;
}
