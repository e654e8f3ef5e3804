// Making regions and asking about them; unions and the like are sweeps over two lists (sweep.c).
//
// A box as it comes (levels in any order, of any sign, overlapping) is brought into normal form
// while it has one: levels sorted, runs that meet made longer, levels told as one where they are.
// What is left beyond that is repeated level by level, each doubling the copies that there are.
#include "plan/region/region.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/region/gaps.h"
#include "plan/region/motif.h"
#include "plan/region/runs.h"
#include "plan/region/sweep.h"

enum { SHOWN = 4 }; ///< boxes in a message

/// A box not yet in normal form.
struct draft {
    int64_t begin, length;
    struct gcl_level levels[GCL_REGION_MOST_LEVELS];
    size_t count;
};

static int64_t within_limits(int64_t offset) {
    if (offset < -GCL_OFFSET_LIMIT)
        return -GCL_OFFSET_LIMIT;
    return offset < GCL_OFFSET_LIMIT ? offset : GCL_OFFSET_LIMIT;
}

struct gcl_region gcl_region_run(int64_t begin, int64_t end) {
    struct gcl_region region = {.count = 0};
    begin = within_limits(begin);
    end = within_limits(end);
    if (begin < end) {
        region.count = 1;
        region.few[0] = gcl_strided_run(begin, end);
    }
    return region;
}

void gcl_region_finish(struct gcl_region *region) {
    if (region->count == 0 && region->capacity == 0)
        return;
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    for (size_t i = 0; i < region->count; i++)
        gcl_motif_release(boxes[i].motif);
    gcl_draft_drop(region);
}

const struct gcl_strided *gcl_region_boxes(const struct gcl_region *region) {
    return region->capacity > 0 ? region->many : region->few;
}

size_t gcl_region_box_count(const struct gcl_region *region) {
    return region->count;
}

bool gcl_region_is_valid(const struct gcl_region *region) {
    bool fits =
        region->capacity > 0 ? region->count <= region->capacity : region->count <= GCL_REGION_FEW;
    return fits && gcl_strided_are_ordered(gcl_region_boxes(region), region->count);
}

/// Gives `out` a result, or the run `cover` around it.
static bool store(struct gcl_region *result, bool exact, struct gcl_span cover,
                  struct gcl_region *out) {
    gcl_region_finish(out);
    if (!exact) {
        gcl_region_finish(result);
        *out = gcl_region_run(cover.begin, cover.end);
        return false;
    }
    *out = *result;
    if (result->capacity > 0 && result->count <= GCL_REGION_FEW) {
        out->capacity = 0;
        memcpy(out->few, result->many, result->count * sizeof out->few[0]);
        free(result->many);
    }
    assert(gcl_region_is_valid(out));
    return true;
}

static struct gcl_span cover_of(struct gcl_span a, struct gcl_span b) {
    if (a.begin == a.end || b.begin == b.end)
        return a.begin == a.end ? b : a;
    return (struct gcl_span){
        a.begin < b.begin ? a.begin : b.begin,
        a.end > b.end ? a.end : b.end,
    };
}

static int compare_runs(const void *first, const void *second) {
    const struct gcl_span *a = first, *b = second;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

bool gcl_region_from_runs(struct gcl_span *runs, size_t count, struct gcl_region *out) {
    struct gcl_region_work work = gcl_region_work();
    struct gcl_region result = {.count = 0};
    struct gcl_span joined = {0, 0}, cover = {0, 0};
    bool exact = true;

    qsort(runs, count, sizeof *runs, compare_runs);
    for (size_t i = 0; i < count; i++) {
        struct gcl_span run = {within_limits(runs[i].begin), within_limits(runs[i].end)};
        if (runs[i].begin >= runs[i].end)
            continue;
        exact = exact && run.begin == runs[i].begin && run.end == runs[i].end;
        if (run.begin >= run.end)
            continue;
        cover = cover_of(cover, run);
        if (joined.begin < joined.end && run.begin > joined.end) {
            exact = exact && gcl_append(&result, gcl_strided_run(joined.begin, joined.end), &work);
            joined = run;
        }
        joined = cover_of(joined, run);
    }
    if (joined.begin < joined.end)
        exact = exact && gcl_append(&result, gcl_strided_run(joined.begin, joined.end), &work);
    return store(&result, exact, cover, out);
}

/// Adds (count - 1) * stride to `offset`. False if that overflows.
static bool add_last_copy(int64_t *offset, struct gcl_level level) {
    int64_t distance;
    return !__builtin_mul_overflow(level.count - 1, level.stride, &distance) &&
           !__builtin_add_overflow(*offset, distance, offset);
}

static int64_t end_of(const struct draft *draft) {
    int64_t end = draft->begin + draft->length;
    for (size_t i = 0; i < draft->count; i++)
        end += (draft->levels[i].count - 1) * draft->levels[i].stride;
    return end;
}

static void add_level(struct draft *draft, struct gcl_level level) {
    size_t i = draft->count++;
    for (; i > 0 && draft->levels[i - 1].stride > level.stride; i--)
        draft->levels[i] = draft->levels[i - 1];
    draft->levels[i] = level;
}

static void remove_level(struct draft *draft, size_t index) {
    draft->count--;
    memmove(&draft->levels[index], &draft->levels[index + 1],
            (draft->count - index) * sizeof draft->levels[0]);
}

/// Takes over levels so that strides are positive and ascend. False if an offset is beyond the
/// limits.
static bool start_draft(struct draft *draft, const struct gcl_level *levels, size_t level_count) {
    int64_t end;
    bool ok = !__builtin_add_overflow(draft->begin, draft->length, &end);
    for (size_t i = 0; i < level_count && ok; i++) {
        struct gcl_level level = levels[i];
        if (level.stride == 0 || level.count == 1)
            continue;
        ok = add_last_copy(level.stride < 0 ? &draft->begin : &end, level) &&
             level.stride != INT64_MIN;
        if (ok && level.stride < 0)
            level.stride = -level.stride;
        if (ok)
            add_level(draft, level);
    }
    return ok && draft->begin >= -GCL_OFFSET_LIMIT && end <= GCL_OFFSET_LIMIT;
}

/// If a level's stride is a multiple of another's, by no more than the other's count, then the
/// copies of both follow each other at the smaller stride.
static bool join_levels(struct draft *draft) {
    for (size_t i = 0; i < draft->count; i++) {
        struct gcl_level *lower = &draft->levels[i];
        for (size_t j = i + 1; j < draft->count; j++) {
            struct gcl_level upper = draft->levels[j];
            if (upper.stride % lower->stride != 0 || upper.stride / lower->stride > lower->count)
                continue;
            lower->count += upper.stride / lower->stride * (upper.count - 1);
            remove_level(draft, j);
            return true;
        }
    }
    return false;
}

static void simplify(struct draft *draft) {
    while (join_levels(draft))
        continue;
    while (draft->count > 0 && draft->levels[0].stride <= draft->length) {
        draft->length += (draft->levels[0].count - 1) * draft->levels[0].stride;
        remove_level(draft, 0);
    }
}

static bool repeat(const struct gcl_region *region, struct gcl_level level, struct gcl_region *out,
                   struct gcl_region_work *work);

bool gcl_region_from_box(int64_t begin, int64_t length, const struct gcl_level *levels,
                         size_t level_count, struct gcl_region *out) {
    struct gcl_region_work work = gcl_region_work();
    struct draft draft = {.begin = begin, .length = length};
    bool empty = length <= 0;

    assert(level_count <= GCL_REGION_MOST_LEVELS);
    for (size_t i = 0; i < level_count; i++)
        empty = empty || levels[i].count <= 0;
    gcl_region_finish(out);
    if (empty)
        return true;
    if (!start_draft(&draft, levels, level_count)) {
        *out = gcl_region_run(INT64_MIN, INT64_MAX);
        return false;
    }
    int64_t end = end_of(&draft);
    simplify(&draft);
    *out = gcl_region_run(draft.begin, draft.begin + draft.length);
    bool ok = true;
    for (size_t i = 0; i < draft.count && ok; i++)
        ok = repeat(out, draft.levels[i], out, &work);
    gcl_region_work_finish(&work);
    if (ok)
        return true;
    gcl_region_finish(out);
    *out = gcl_region_run(draft.begin, end);
    return false;
}

bool gcl_region_copy(const struct gcl_region *region, struct gcl_region *out) {
    struct gcl_region copy = *region;
    if (copy.count == 0) {
        gcl_region_finish(out);
        return true;
    }
    bool ok = true;
    if (copy.capacity > 0) {
        copy.capacity = copy.count;
        copy.many = malloc(copy.count * sizeof *copy.many);
        ok = copy.many;
    }
    if (!ok)
        copy.count = copy.capacity = 0;
    else if (copy.capacity > 0)
        memcpy(copy.many, region->many, copy.count * sizeof *copy.many);
    gcl_draft_keep(&copy);
    return store(&copy, ok, ok ? (struct gcl_span){0, 0} : gcl_region_bounds(region), out);
}

/// Whether no byte of the range is in `region`, nor between copies of one of its boxes.
static bool is_beside(const struct gcl_region *region, struct gcl_span range) {
    const struct gcl_strided *boxes = gcl_region_boxes(region), *end = boxes + region->count;
    const struct gcl_strided *before = gcl_region_box_at(region, range.begin);
    const struct gcl_strided *next = before ? before + 1 : boxes;
    return (!before || gcl_strided_end(before) <= range.begin) &&
           (next == end || next->begin >= range.end);
}

static bool are_same(const struct gcl_strided *box, const struct gcl_strided *other) {
    return box->begin == other->begin &&
           (memcmp(box, other, sizeof *box) == 0 || gcl_strided_same_shape(box, other));
}

/// How many boxes of two lists are the same, from the first on.
static size_t count_same(const struct gcl_strided *boxes, const struct gcl_strided *others,
                         size_t count) {
    size_t same = 0;
    while (same < count && are_same(&boxes[same], &others[same]))
        same++;
    return same;
}

static bool are_one_box(const struct gcl_region *a, const struct gcl_region *b) {
    return a->count == 1 && b->count == 1 && are_same(gcl_region_boxes(a), gcl_region_boxes(b));
}

/// Finds the result of an operation where it is one of the two sets, or empty: most operations are
/// such. NULL: it isn't, or that is hard to tell.
static const struct gcl_region *choose(const struct gcl_region *a, const struct gcl_region *b,
                                       unsigned keep) {
    static const struct gcl_region nothing;
    if (a->count == 0)
        return keep & GCL_KEEP_B ? b : &nothing;
    if (b->count == 0)
        return keep & GCL_KEEP_A ? a : &nothing;
    struct gcl_span in_a = gcl_region_bounds(a), in_b = gcl_region_bounds(b);
    if (gcl_region_contains_range(b, in_a) || are_one_box(a, b)) // all of a is in b
        return keep & GCL_KEEP_B ? b : keep & GCL_KEEP_BOTH ? a : &nothing;
    if (gcl_region_contains_range(a, in_b) && keep & GCL_KEEP_BOTH)
        return keep & GCL_KEEP_A ? a : b;
    if (keep & GCL_KEEP_B || !(is_beside(a, in_b) || is_beside(b, in_a)))
        return NULL;
    return keep & GCL_KEEP_A ? a : &nothing;
}

/// Whether no two of a few runs can be told as one box.
static bool are_unlike(const struct gcl_runs *runs) {
    bool are = runs->count < GCL_TAPER_LEAST;
    for (size_t i = 1; i < runs->count && are; i++)
        are = runs->list[i].end - runs->list[i].begin !=
              runs->list[i - 1].end - runs->list[i - 1].begin;
    return are;
}

/// Makes a draft of runs. False: as gcl_append.
static bool draft_runs(const struct gcl_runs *runs, struct gcl_region *draft,
                       struct gcl_region_work *work) {
    struct gcl_strided boxes[2 * GCL_RUNS_MOST]; // mostly room
    bool ok = true;
    for (size_t i = 0; i < runs->count; i++)
        boxes[i] = gcl_strided_run(runs->list[i].begin, runs->list[i].end);
    if (are_unlike(runs))
        return gcl_append_list(draft, boxes, runs->count, work);
    for (size_t i = 0; i < runs->count && ok; i++)
        ok = gcl_append(draft, boxes[i], work);
    return ok;
}

/// Where all of a result is.
static struct gcl_span cover_of_result(const struct gcl_region *a, const struct gcl_region *b,
                                       unsigned keep) {
    struct gcl_span in_a = gcl_region_bounds(a), in_b = gcl_region_bounds(b);
    if (keep & GCL_KEEP_B)
        return cover_of(in_a, in_b);
    if (keep & GCL_KEEP_A)
        return in_a;
    return (struct gcl_span){
        in_a.begin > in_b.begin ? in_a.begin : in_b.begin,
        in_a.end < in_b.end ? in_a.end : in_b.end,
    };
}

static bool combine(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
                    struct gcl_region *out) {
    const struct gcl_region *chosen = choose(a, b, keep);
    if (chosen)
        return chosen == out || gcl_region_copy(chosen, out);
    struct gcl_region_work work = gcl_region_work();
    struct gcl_region result = {.count = 0};
    struct gcl_runs in_a, in_b, kept; // mostly room
    bool exact;
    if (gcl_runs_of(a, &in_a) && gcl_runs_of(b, &in_b)) {
        gcl_runs_keep(&in_a, &in_b, keep, &kept);
        exact = draft_runs(&kept, &result, &work);
    } else {
        exact = gcl_sweep(a, b, keep, &result, &work);
    }
    gcl_region_work_finish(&work);
    struct gcl_span cover = {0, 0};
    if (!exact)
        cover = cover_of_result(a, b, keep);
    return store(&result, exact, cover, out);
}

bool gcl_region_unite(const struct gcl_region *a, const struct gcl_region *b,
                      struct gcl_region *out) {
    return combine(a, b, GCL_KEEP_A | GCL_KEEP_B | GCL_KEEP_BOTH, out);
}

bool gcl_region_intersect(const struct gcl_region *a, const struct gcl_region *b,
                          struct gcl_region *out) {
    return combine(a, b, GCL_KEEP_BOTH, out);
}

bool gcl_region_subtract(const struct gcl_region *a, const struct gcl_region *b,
                         struct gcl_region *out) {
    return combine(a, b, GCL_KEEP_A, out);
}

bool gcl_region_clip(const struct gcl_region *region, struct gcl_span range,
                     struct gcl_region *out) {
    struct gcl_region run = gcl_region_run(range.begin, range.end);
    return gcl_region_intersect(region, &run, out);
}

bool gcl_region_translate(const struct gcl_region *region, int64_t shift, struct gcl_region *out) {
    struct gcl_span bounds = gcl_region_bounds(region);
    struct gcl_region moved = {.count = 0};

    if (region->count == 0)
        return store(&moved, true, bounds, out);
    // Beyond twice the limit all of it is outside anyway.
    if (shift < -2 * GCL_OFFSET_LIMIT || shift > 2 * GCL_OFFSET_LIMIT)
        return store(&moved, false, (struct gcl_span){0, 0}, out);
    bounds.begin += shift;
    bounds.end += shift;
    bool exact = bounds.begin >= -GCL_OFFSET_LIMIT && bounds.end <= GCL_OFFSET_LIMIT &&
                 gcl_region_copy(region, &moved);
    for (size_t i = 0; i < moved.count; i++)
        gcl_draft_boxes(&moved)[i].begin += shift;
    return store(&moved, exact, bounds, out);
}

/// Unites `out` with the region translated by `shift`, inside of the limits.
static bool unite_moved(struct gcl_region *out, const struct gcl_region *region, int64_t shift,
                        struct gcl_region_work *work) {
    struct gcl_region moved = {.count = 0}, result = {.count = 0};
    bool exact = gcl_region_translate(region, shift, &moved) &&
                 gcl_sweep(out, &moved, GCL_KEEP_A | GCL_KEEP_B | GCL_KEEP_BOTH, &result, work);
    gcl_region_finish(&moved);
    return store(&result, exact, gcl_region_bounds(out), out);
}

/// With a stride and a count that are positive, and all copies inside of the limits.
static bool repeat(const struct gcl_region *region, struct gcl_level level, struct gcl_region *out,
                   struct gcl_region_work *work) {
    struct gcl_region copies = {.count = 0}, one = {.count = 0};
    int64_t count = 1;

    bool ok = gcl_region_copy(region, &copies);
    if (ok && copies.count == 1 &&
        gcl_strided_repeat(&gcl_draft_boxes(&copies)[0], level.stride, level.count))
        return store(&copies, true, (struct gcl_span){0, 0}, out);
    ok = ok && gcl_region_copy(region, &one);
    // From the uppermost bit of the count down: twice as many, and one more.
    for (int bit = 62 - __builtin_clzll((unsigned long long)level.count); bit >= 0 && ok; bit--) {
        ok = unite_moved(&copies, &copies, count * level.stride, work);
        count *= 2;
        if (ok && level.count >> bit & 1)
            ok = unite_moved(&copies, &one, count++ * level.stride, work);
    }
    gcl_region_finish(&one);
    return store(&copies, ok, gcl_region_bounds(&copies), out);
}

bool gcl_region_repeat(const struct gcl_region *region, struct gcl_level level,
                       struct gcl_region *out) {
    struct gcl_region_work work = gcl_region_work();
    struct gcl_span bounds = gcl_region_bounds(region);
    struct gcl_region copies = {.count = 0};

    if (region->count == 0 || level.count <= 0)
        return store(&copies, true, bounds, out);
    if (level.stride == 0 || level.count == 1)
        return gcl_region_copy(region, out);
    struct draft all = {.begin = bounds.begin, .length = bounds.end - bounds.begin};
    if (!start_draft(&all, &level, 1))
        return store(&copies, false, (struct gcl_span){INT64_MIN, INT64_MAX}, out);
    struct gcl_span cover = {all.begin, end_of(&all)};
    bool exact = gcl_region_translate(region, all.begin - bounds.begin, &copies) &&
                 repeat(&copies, all.levels[0], &copies, &work);
    gcl_region_work_finish(&work);
    return store(&copies, exact, cover, out);
}

/// Makes a region of the runs of another one between which more than `near` bytes are.
static bool join_near(const struct gcl_region *region, int64_t near, struct gcl_region *joined) {
    struct gcl_region_work work = {.steps = INT64_MAX};
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run, last;
    bool ok = true;
    for (bool is_any = gcl_region_next(&cursor, &last); is_any && ok;) {
        is_any = gcl_region_next(&cursor, &run);
        bool is_near = is_any && run.begin - last.end <= near;
        if (!is_near)
            ok = gcl_append(joined, gcl_strided_run(last.begin, last.end), &work);
        last = is_near ? (struct gcl_span){last.begin, run.end} : run;
    }
    return ok;
}

bool gcl_region_simplify(struct gcl_region *region, size_t most_boxes) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_region joined = {.count = 0};
    struct gcl_span bounds = gcl_region_bounds(region), run, last;
    struct gcl_gaps gaps = {0};
    if (gcl_region_weight(region) <= most_boxes)
        return true;
    for (bool is_any = gcl_region_next(&cursor, &last); is_any && gcl_region_next(&cursor, &run);
         last = run)
        gcl_gaps_add(&gaps, run.begin - last.end);
    bool ok = join_near(region, gcl_gaps_near(&gaps, most_boxes), &joined);
    store(&joined, ok, bounds, region);
    return false;
}

bool gcl_region_is_empty(const struct gcl_region *region) {
    return region->count == 0;
}

const struct gcl_strided *gcl_region_box_at(const struct gcl_region *region, int64_t offset) {
    return gcl_strided_search(gcl_region_boxes(region), region->count, offset);
}

bool gcl_region_run_at(const struct gcl_region *region, int64_t offset, struct gcl_span *run) {
    const struct gcl_strided *box = gcl_region_box_at(region, offset);
    int64_t length;
    if (!box)
        return false;
    bool is_in = gcl_strided_run_at(box, offset, &run->begin, &length);
    run->end = run->begin + length;
    return is_in;
}

bool gcl_region_contains_byte(const struct gcl_region *region, int64_t offset) {
    struct gcl_span run;
    return gcl_region_run_at(region, offset, &run);
}

bool gcl_region_contains_range(const struct gcl_region *region, struct gcl_span range) {
    struct gcl_span run;
    return range.begin >= range.end ||
           (gcl_region_run_at(region, range.begin, &run) && range.end <= run.end);
}

/// Whether nothing of two sets is kept. When that takes too many steps: false.
static bool keeps_nothing(const struct gcl_region *a, const struct gcl_region *b, unsigned keep) {
    const struct gcl_region *chosen = choose(a, b, keep);
    struct gcl_region_work work = gcl_region_work();
    struct gcl_region none = {.count = 0};
    struct gcl_runs in_a, in_b, kept;
    work.asks = true;
    if (chosen)
        return chosen->count == 0;
    if (!gcl_runs_of(a, &in_a) || !gcl_runs_of(b, &in_b))
        return gcl_sweep(a, b, keep, &none, &work);
    gcl_runs_keep(&in_a, &in_b, keep, &kept);
    return kept.count == 0;
}

bool gcl_region_contains(const struct gcl_region *region, const struct gcl_region *part) {
    return keeps_nothing(part, region, GCL_KEEP_A);
}

bool gcl_region_overlaps(const struct gcl_region *a, const struct gcl_region *b) {
    return !keeps_nothing(a, b, GCL_KEEP_BOTH);
}

bool gcl_region_equal(const struct gcl_region *a, const struct gcl_region *b) {
    struct gcl_region_work work = {.steps = INT64_MAX, .asks = true};
    struct gcl_span in_a = gcl_region_bounds(a), in_b = gcl_region_bounds(b);
    struct gcl_region none = {.count = 0};

    if (in_a.begin != in_b.begin || in_a.end != in_b.end)
        return false;
    if (a->count == 1 && b->count == 1) // A set has one box in normal form at most.
        return gcl_strided_same_shape(gcl_region_boxes(a), gcl_region_boxes(b));
    if (a->count == b->count &&
        count_same(gcl_region_boxes(a), gcl_region_boxes(b), a->count) == a->count)
        return true;
    return gcl_region_size(a) == gcl_region_size(b) && gcl_sweep(a, b, GCL_KEEP_A, &none, &work);
}

uint64_t gcl_region_hash(const struct gcl_region *region) {
    return gcl_strided_fingerprint(gcl_region_boxes(region), region->count, -GCL_OFFSET_LIMIT);
}

uint64_t gcl_region_hash_like(const struct gcl_region *region, const struct gcl_region *other,
                              uint64_t hash) {
    const struct gcl_strided *boxes = gcl_region_boxes(region), *others = gcl_region_boxes(other);
    size_t count = region->count, other_count = other->count;
    size_t same = count_same(boxes, others, count < other_count ? count : other_count);
    boxes += same;
    others += same;
    count -= same;
    other_count -= same;
    while (count > 0 && other_count > 0 && are_same(&boxes[count - 1], &others[other_count - 1])) {
        count--;
        other_count--;
    }
    if (count + other_count >= region->count) // nothing is saved
        return gcl_region_hash(region);
    return gcl_strided_fingerprint_replace(
        hash, gcl_strided_fingerprint(others, other_count, -GCL_OFFSET_LIMIT),
        gcl_strided_fingerprint(boxes, count, -GCL_OFFSET_LIMIT));
}

size_t gcl_region_weight(const struct gcl_region *region) {
    return gcl_draft_weight(region);
}

size_t gcl_region_memory(const struct gcl_region *region) {
    size_t in_motifs = gcl_region_weight(region) - region->count;
    return (region->capacity + in_motifs) * sizeof *region->many;
}

struct gcl_span gcl_region_bounds(const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    if (region->count == 0)
        return (struct gcl_span){0, 0};
    return (struct gcl_span){boxes[0].begin, gcl_strided_end(&boxes[region->count - 1])};
}

int64_t gcl_region_size(const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    int64_t size = 0;
    for (size_t i = 0; i < region->count; i++)
        size += gcl_strided_size(&boxes[i]);
    return size;
}

int64_t gcl_region_run_count(const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    int64_t count = 0;
    for (size_t i = 0; i < region->count; i++)
        count += gcl_strided_run_count(&boxes[i]);
    return count;
}

/// Goes to the next copy of a box. False: it was the last one, and `index` is at the first again.
static bool next_copy(const struct gcl_strided *box, int64_t *index) {
    for (uint32_t level = 0; level < GCL_STRIDED_LEVELS; level++) {
        if (++index[level] < box->levels[level].count)
            return true;
        index[level] = 0;
    }
    return false;
}

bool gcl_region_next(struct gcl_region_cursor *cursor, struct gcl_span *run) {
    const struct gcl_strided *list = gcl_region_boxes(cursor->region);
    const struct gcl_strided *boxes[GCL_MOTIF_NESTING + 1];
    size_t count = cursor->region->count, last[GCL_MOTIF_NESTING + 1];
    struct gcl_region_position *at = cursor->at;
    uint32_t depth = 0;
    if (at[0].box == count)
        return false;
    run->begin = 0;
    for (;; depth++) { // down to the run
        const struct gcl_strided *box = boxes[depth] = &list[at[depth].box];
        last[depth] = count - 1;
        run->begin += box->begin;
        for (uint32_t i = 0; i < GCL_STRIDED_LEVELS; i++)
            run->begin += at[depth].index[i] * box->levels[i].stride;
        if (!box->motif)
            break;
        assert(depth < GCL_MOTIF_NESTING);
        list = box->motif->boxes;
        count = box->motif->count;
    }
    run->end = run->begin + boxes[depth]->length + at[depth].index[0] * boxes[depth]->growth;

    while (!next_copy(boxes[depth], at[depth].index)) { // and on, from the finest
        if (at[depth].box < last[depth] || depth == 0) {
            at[depth].box++;
            break;
        }
        at[depth--].box = 0;
    }
    return true;
}

void gcl_region_pack(const struct gcl_region *region, const unsigned char *place,
                     unsigned char *packed) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        memcpy(packed, place + run.begin, (size_t)(run.end - run.begin));
        packed += run.end - run.begin;
    }
}

void gcl_region_unpack(const struct gcl_region *region, const unsigned char *packed,
                       struct gcl_span limits, unsigned char *out) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run) && run.begin < limits.end) {
        int64_t begin = run.begin > limits.begin ? run.begin : limits.begin;
        int64_t end = run.end < limits.end ? run.end : limits.end;
        if (begin < end)
            memcpy(out + (begin - limits.begin), packed + (begin - run.begin),
                   (size_t)(end - begin));
        packed += run.end - run.begin;
    }
}

static size_t format_box(const struct gcl_strided *box, char *out, size_t size) {
    uint32_t depth = gcl_strided_depth(box);
    int64_t end = gcl_strided_end(box);
    size_t used;

    if (depth == 0)
        return (size_t)snprintf(out, size, "[%" PRId64 ", %" PRId64 ")", box->begin, end);
    if (box->motif)
        used = (size_t)snprintf(
            out, size, "%" PRId64 " times %" PRId64 " B in %" PRId64 " runs every %" PRId64 " B",
            box->levels[0].count, box->motif->size, box->motif->run_count, box->levels[0].stride);
    else if (box->growth)
        used = (size_t)snprintf(
            out, size, "%" PRId64 " runs of %" PRId64 " to %" PRId64 " B every %" PRId64 " B",
            box->levels[0].count, box->length,
            box->length + (box->levels[0].count - 1) * box->growth, box->levels[0].stride);
    else
        used = (size_t)snprintf(out, size, "%" PRId64 " runs of %" PRId64 " B every %" PRId64 " B",
                                box->levels[0].count, box->length, box->levels[0].stride);
    for (uint32_t i = 1; i < depth; i++)
        used += (size_t)snprintf(used < size ? out + used : NULL, used < size ? size - used : 0,
                                 ", %" PRId64 " times every %" PRId64 " B", box->levels[i].count,
                                 box->levels[i].stride);
    used += (size_t)snprintf(used < size ? out + used : NULL, used < size ? size - used : 0,
                             "%s from %" PRId64, depth > 1 ? "," : "", box->begin);
    return used;
}

const char *gcl_region_format(const struct gcl_region *region, char *out, size_t size) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    size_t used = 0, shown = region->count > SHOWN ? SHOWN - 1 : region->count;

    if (region->count == 0)
        snprintf(out, size, "empty");
    for (size_t i = 0; i < shown && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s", i > 0 ? " + " : "");
        if (used < size)
            used += format_box(&boxes[i], out + used, size - used);
    }
    if (shown < region->count && used < size)
        snprintf(out + used, size - used, " + %zu more", region->count - shown);
    return out;
}
