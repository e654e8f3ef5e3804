// Both lists are gone through by the places where a run of either begins or ends: between two such
// places all bytes are of the same sets.
#include "plan/region/runs.h"

#include <assert.h>

#include "plan/region/rows.h"

enum { MOST_COPIES = 4 }; ///< of a box that is as good as runs

bool gcl_runs_of(const struct gcl_region *region, struct gcl_runs *runs) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    runs->count = 0;
    if (region->count > GCL_RUNS_MOST)
        return false;
    for (size_t i = 0; i < region->count; i++) {
        const struct gcl_strided *box = &boxes[i];
        const struct gcl_level *level = &box->levels[0];
        if (box->motif || box->levels[1].count > 1 || level->count > MOST_COPIES ||
            runs->count + (size_t)level->count > GCL_RUNS_MOST)
            return false;
        for (int64_t k = 0; k < level->count; k++) {
            int64_t begin = box->begin + k * level->stride;
            runs->list[runs->count++] =
                (struct gcl_span){begin, begin + box->length + k * box->growth};
        }
    }
    return true;
}

/// One of two lists, and how far it has been gone through.
struct side {
    const struct gcl_span *next, *end;
};

/// The next place from `at` on where one enters a set or leaves it.
static int64_t turn_of(const struct side *side, int64_t at) {
    if (side->next == side->end)
        return INT64_MAX;
    return side->next->begin > at ? side->next->begin : side->next->end;
}

static bool is_in(const struct side *side, int64_t at) {
    return side->next < side->end && side->next->begin <= at;
}

static void pass(struct side *side, int64_t at) {
    if (side->next < side->end && side->next->end <= at)
        side->next++;
}

static void add(struct gcl_runs *runs, int64_t begin, int64_t end) {
    struct gcl_span *last = runs->count > 0 ? &runs->list[runs->count - 1] : NULL;
    if (last && last->end == begin) {
        last->end = end;
        return;
    }
    assert(runs->count < 2 * GCL_RUNS_MOST);
    runs->list[runs->count++] = (struct gcl_span){begin, end};
}

void gcl_runs_keep(const struct gcl_runs *a, const struct gcl_runs *b, unsigned keep,
                   struct gcl_runs *kept) {
    static const unsigned kinds[] = {0, GCL_KEEP_A, GCL_KEEP_B,
                                     GCL_KEEP_BOTH}; // by the sets that one is in
    struct side in_a = {a->list, a->list + a->count}, in_b = {b->list, b->list + b->count};
    kept->count = 0;
    for (int64_t at = INT64_MIN; in_a.next < in_a.end || in_b.next < in_b.end;) {
        int64_t a_turn = turn_of(&in_a, at), b_turn = turn_of(&in_b, at);
        int64_t next = a_turn < b_turn ? a_turn : b_turn;
        if (kinds[(unsigned)is_in(&in_a, at) + 2 * (unsigned)is_in(&in_b, at)] & keep)
            add(kept, at, next);
        at = next;
        pass(&in_a, at);
        pass(&in_b, at);
    }
}
