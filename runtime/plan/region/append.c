// Each box is joined with the one before where the two are one: that makes rows of runs, planes of
// rows and so on without looking for them. What repeats and isn't one box becomes a motif. Several
// runs that repeat can be begun anywhere in their period, so what follows such a box is compared
// with the next copy of it, wherever its own boxes begin.
#include "plan/region/append.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/region/motif.h"
#include "plan/region/parts.h"

enum {
    LOOK_BACK = 8, ///< boxes that are compared with the next copy of one before them
    FEW = 6,       ///< copies of all boxes of a motif that aren't worth one
};

struct gcl_region_work gcl_region_work(void) {
    return (struct gcl_region_work){.steps = 4 * (int64_t)GCL_REGION_MOST_BOXES};
}

void gcl_region_work_keep(struct gcl_region_work *work, struct gcl_motif *motif) {
    motif->made_before = work->motifs;
    work->motifs = motif;
}

void gcl_region_work_finish(struct gcl_region_work *work) {
    while (work->motifs) {
        struct gcl_motif *motif = work->motifs;
        work->motifs = motif->made_before;
        gcl_motif_release(motif);
    }
}

void gcl_draft_keep(struct gcl_region *draft) {
    for (size_t i = 0; i < draft->count; i++)
        gcl_motif_hold(gcl_draft_boxes(draft)[i].motif);
}

void gcl_draft_drop(struct gcl_region *draft) {
    if (draft->capacity > 0)
        free(draft->many);
    draft->count = draft->capacity = 0;
}

size_t gcl_draft_weight(const struct gcl_region *draft) {
    const struct gcl_strided *boxes = gcl_region_boxes(draft);
    size_t weight = 0;
    for (size_t i = 0; i < draft->count; i++)
        weight += gcl_motif_weight(&boxes[i]);
    return weight;
}

/// Makes room for so many boxes more; if there is none, for `capacity` in all.
static bool reserve(struct gcl_region *region, size_t more, size_t capacity) {
    size_t sum = region->count + more;
    if (sum > GCL_REGION_MOST_BOXES)
        return false;
    if (sum <= (region->capacity > 0 ? region->capacity : GCL_REGION_FEW))
        return true;
    assert(capacity >= sum);
    struct gcl_strided *many =
        realloc(region->capacity > 0 ? region->many : NULL, capacity * sizeof *many);
    if (!many)
        return false;
    if (region->capacity == 0)
        memcpy(many, region->few, sizeof region->few);
    region->many = many;
    region->capacity = capacity;
    return true;
}

static bool grow(struct gcl_region *region) {
    return reserve(region, 1, region->capacity > 0 ? 2 * region->capacity : 4 * GCL_REGION_FEW);
}

static bool append_all(struct gcl_region *draft, const struct gcl_parts *parts,
                       struct gcl_region_work *work) {
    bool ok = true;
    for (size_t i = 0; i < parts->count && ok; i++)
        ok = gcl_append(draft, parts->boxes[i], work);
    return ok;
}

// Boxes that touch.

static int64_t first_run_end(const struct gcl_strided *box) {
    int64_t begin = box->begin;
    for (; box->motif; box = &box->motif->boxes[0])
        assert(box->motif->boxes[0].begin == 0);
    return begin + box->length;
}

static int64_t last_run_begin(const struct gcl_strided *box) {
    int64_t end = gcl_strided_end(box);
    while (box->motif)
        box = &box->motif->boxes[box->motif->count - 1];
    return end - box->length - (box->levels[0].count - 1) * box->growth;
}

/// Appends a box that touches the last one: their runs that meet become one.
static bool append_touching(struct gcl_region *draft, const struct gcl_strided *box,
                            struct gcl_region_work *work) {
    struct gcl_strided last = gcl_draft_boxes(draft)[--draft->count];
    int64_t begin = last_run_begin(&last), end = first_run_end(box);
    struct gcl_parts left, right;
    gcl_parts_init(&left);
    gcl_parts_init(&right);
    bool ok = gcl_parts_add_within(&left, &last, last.begin, begin) &&
              gcl_parts_add_within(&right, box, end, gcl_strided_end(box)) &&
              append_all(draft, &left, work) &&
              gcl_append(draft, gcl_strided_run(begin, end), work) &&
              append_all(draft, &right, work);
    gcl_parts_finish(&left);
    gcl_parts_finish(&right);
    return ok;
}

// Boxes of equal copies.

/// Appends a box and joins it with the last ones as far as they are equal copies. False: as
/// gcl_append.
static bool place(struct gcl_region *draft, struct gcl_strided box, struct gcl_region_work *work);

/// Whether `box` goes on at the stride of `last`, as its next copies.
static bool goes_on(const struct gcl_strided *last, const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(last);
    struct gcl_strided joined = *last;
    return depth > 0 && gcl_strided_append(&joined, box) && gcl_strided_depth(&joined) == depth;
}

/// Appends a box that doesn't fit to the last one, but of which one copy fits to it, or to its last
/// copy: as where two cuts happened to leave equal parts, which were taken for a box. False if that
/// isn't so; `ok` is the outcome if it is.
static bool append_rearranged(struct gcl_region *draft, const struct gcl_strided *box,
                              struct gcl_region_work *work, bool *ok) {
    struct gcl_strided *last = &gcl_draft_boxes(draft)[draft->count - 1];
    uint32_t last_depth = gcl_strided_depth(last), depth = gcl_strided_depth(box);

    if (depth > 1 || (box->levels[0].count == 2 && !box->motif)) {
        struct gcl_strided first = gcl_strided_copies(box, 0, 1);
        if (goes_on(last, &first)) {
            struct gcl_strided rest = gcl_strided_copies(box, 1, box->levels[depth - 1].count - 1);
            *ok = place(draft, first, work) && place(draft, rest, work);
            return true;
        }
    }
    if (last_depth > 1) {
        int64_t count = last->levels[last_depth - 1].count;
        struct gcl_strided copy = gcl_strided_copies(last, count - 1, 1);
        if (goes_on(&copy, box)) {
            gcl_strided_append(&copy, box);
            *last = gcl_strided_copies(last, 0, count - 1);
            *ok = place(draft, copy, work);
            return true;
        }
    }
    return false;
}

/// Whether the last boxes and this one are a taper, which the last one is then.
static bool make_taper(struct gcl_region *draft, const struct gcl_strided *box) {
    const size_t others = GCL_TAPER_LEAST - 1;
    if (draft->count < others ||
        !gcl_strided_taper(&gcl_draft_boxes(draft)[draft->count - others], box))
        return false;
    draft->count -= others - 1;
    return true;
}

static bool place(struct gcl_region *draft, struct gcl_strided box, struct gcl_region_work *work) {
    bool ok;
    if (work->asks || work->steps-- <= 0)
        return false;
    while (draft->count > 0) { // what two boxes become may fit to the one before
        struct gcl_strided *last = &gcl_draft_boxes(draft)[draft->count - 1];
        int64_t end = gcl_strided_end(last);
        assert(box.begin >= end);
        if (box.begin == end && gcl_strided_depth(last) + gcl_strided_depth(&box) > 0)
            return append_touching(draft, &box, work);
        if (box.begin == end)
            last->length += box.length;
        else if (make_taper(draft, &box))
            last = &gcl_draft_boxes(draft)[draft->count - 1];
        else if (!gcl_strided_append(last, &box))
            break;
        box = *last;
        draft->count--;
    }
    if (draft->count > 0 && append_rearranged(draft, &box, work, &ok))
        return ok;
    if (!grow(draft))
        return false;
    gcl_draft_boxes(draft)[draft->count++] = box;
    return true;
}

// Copies of several runs.

/// Whether a box repeats more than a run.
static bool repeats_runs(const struct gcl_strided *box) {
    return box->motif || box->levels[1].count > 1;
}

static struct gcl_level top_level(const struct gcl_strided *box) {
    return box->levels[gcl_strided_depth(box) - 1];
}

/// Whether boxes are others moved by `shift`.
static bool are_moved(const struct gcl_strided *boxes, const struct gcl_strided *others,
                      size_t count, int64_t shift) {
    bool are = true;
    for (size_t i = 0; i < count && are; i++)
        are = boxes[i].begin == others[i].begin + shift &&
              gcl_strided_same_shape(&boxes[i], &others[i]);
    return are;
}

/// Puts together what `boxes` have in [begin, end). False: as gcl_append.
static bool draft_within(const struct gcl_strided *boxes, size_t count, struct gcl_span range,
                         struct gcl_region *draft, struct gcl_region_work *work) {
    struct gcl_parts parts;
    gcl_parts_init(&parts);
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = gcl_parts_add_within(&parts, &boxes[i], range.begin, range.end);
    ok = ok && append_all(draft, &parts, work);
    gcl_parts_finish(&parts);
    return ok;
}

/// Whether what `boxes` have in a period from `begin` on is a copy of what `box` repeats.
static bool have_copy(const struct gcl_strided *boxes, size_t count, const struct gcl_strided *box,
                      int64_t begin, struct gcl_region_work *work) {
    const int64_t stride = top_level(box).stride;
    struct gcl_region copy = {.count = 0}, other = {.count = 0};
    bool have =
        draft_within(box, 1, (struct gcl_span){box->begin, box->begin + stride}, &copy, work) &&
        draft_within(boxes, count, (struct gcl_span){begin, begin + stride}, &other, work) &&
        copy.count == other.count &&
        are_moved(gcl_draft_boxes(&other), gcl_draft_boxes(&copy), copy.count, begin - box->begin);
    gcl_draft_drop(&copy);
    gcl_draft_drop(&other);
    return have;
}

/// How many further copies of what `box` repeats the `count` boxes behind it begin with.
static int64_t further_copies(const struct gcl_strided *box, size_t count,
                              struct gcl_region_work *work) {
    const struct gcl_strided *newest = &box[count];
    const struct gcl_level level = top_level(box);
    int64_t begin = box->begin + level.count * level.stride;
    if (box[1].begin != begin || newest->begin >= begin + level.stride ||
        gcl_strided_end(newest) < begin + gcl_strided_copy_extent(box) ||
        !have_copy(box + 1, count, box, begin, work))
        return 0;
    if (gcl_strided_depth(newest) == 0 || top_level(newest).stride != level.stride)
        return 1;
    int64_t end = newest->begin + top_level(newest).count * level.stride;
    bool goes_on =
        end >= begin + 2 * level.stride && have_copy(newest, 1, box, begin + level.stride, work);
    return goes_on ? (end - begin) / level.stride : 1;
}

/// Makes copies that follow box `at` part of it. False: as gcl_append.
static bool join_further(struct gcl_region *draft, size_t at, struct gcl_region_work *work) {
    struct gcl_strided *box = &gcl_draft_boxes(draft)[at];
    const struct gcl_strided newest = gcl_draft_boxes(draft)[draft->count - 1];
    int64_t count = further_copies(box, draft->count - 1 - at, work);
    struct gcl_level *level = &box->levels[gcl_strided_depth(box) - 1];
    struct gcl_parts rest;
    if (count == 0)
        return true;
    level->count += count;
    draft->count = at + 1;
    gcl_parts_init(&rest);
    bool ok = gcl_parts_add_within(&rest, &newest, box->begin + level->count * level->stride,
                                   gcl_strided_end(&newest));
    for (size_t i = 0; i < rest.count && ok; i++)
        ok = place(draft, rest.boxes[i], work);
    gcl_parts_finish(&rest);
    return ok;
}

/// Joins the newest box with boxes before it that are a copy of its motif, or the copies that go on
/// what one of those repeats. False: as gcl_append.
static bool join_copies(struct gcl_region *draft, struct gcl_region_work *work) {
    struct gcl_strided *boxes = gcl_draft_boxes(draft);
    size_t last = draft->count - 1, parts = boxes[last].motif ? boxes[last].motif->count : last + 1;
    struct gcl_strided newest = boxes[last];
    if (parts <= last && gcl_strided_depth(&newest) == 1) {
        int64_t begin = newest.begin - newest.levels[0].stride;
        if (are_moved(&boxes[last - parts], newest.motif->boxes, parts, begin)) {
            newest.begin = begin;
            newest.levels[0].count++;
            draft->count = last - parts;
            return gcl_append(draft, newest, work);
        }
    }
    for (size_t i = last; i-- > 0 && last - i <= LOOK_BACK;) {
        if (repeats_runs(&boxes[i]))
            return join_further(draft, i, work);
    }
    return true;
}

bool gcl_append(struct gcl_region *draft, struct gcl_strided box, struct gcl_region_work *work) {
    return place(draft, box, work) && join_copies(draft, work);
}

// Lists.

/// Appends boxes as they are. False: as gcl_append.
static bool copy_boxes(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count) {
    if (!reserve(draft, count, draft->count + count + LOOK_BACK))
        return false;
    memcpy(gcl_draft_boxes(draft) + draft->count, boxes, count * sizeof *boxes);
    draft->count += count;
    return true;
}

/// Whether the last box of a draft that had `count` boxes is this one, and the only new one.
static bool is_just_added(struct gcl_region *draft, size_t count, const struct gcl_strided *box) {
    return draft->count == count + 1 && are_moved(&gcl_draft_boxes(draft)[count], box, 1, 0);
}

// A list's boxes have been joined with each other. Once those that are as far as boxes look back
// have gone by without being joined, the others won't be either.
bool gcl_append_list(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count,
                     struct gcl_region_work *work) {
    size_t done = 0, added = draft->count > 0 ? 0 : LOOK_BACK + 1;
    bool ok = true;
    if (count == 0)
        return true;
    if (work->asks)
        return false;
    for (; done < count && added <= LOOK_BACK && ok; done++) {
        size_t before = draft->count;
        ok = gcl_append(draft, boxes[done], work);
        added = is_just_added(draft, before, &boxes[done]) ? added + 1 : 0;
    }
    return ok && copy_boxes(draft, boxes + done, count - done);
}

// Making motifs.

/// The shortest period of `count` boxes in `stride` bytes, as a number of boxes.
static size_t period_of(const struct gcl_strided *boxes, size_t count, int64_t stride) {
    for (size_t period = 1; 2 * period <= count; period++) {
        int64_t times = (int64_t)(count / period);
        if (count % period != 0 || stride % times != 0)
            continue;
        bool is_period = true;
        for (size_t i = period; i < count && is_period; i++)
            is_period = boxes[i].begin - boxes[i - period].begin == stride / times &&
                        gcl_strided_same_shape(&boxes[i], &boxes[i - period]);
        if (is_period)
            return period;
    }
    return count;
}

static bool append_moved(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count,
                         int64_t shift, struct gcl_region_work *work) {
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        struct gcl_strided box = boxes[i];
        box.begin += shift;
        ok = gcl_append(draft, box, work);
    }
    return ok;
}

static bool can_nest(const struct gcl_strided *boxes, size_t count) {
    bool can = true;
    for (size_t i = 0; i < count && can; i++)
        can = !boxes[i].motif || boxes[i].motif->nesting < GCL_MOTIF_NESTING;
    return can;
}

/// Appends copies that don't touch.
static bool append_apart(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count,
                         struct gcl_level level, struct gcl_region_work *work) {
    size_t period = period_of(boxes, count, level.stride);
    int64_t times = (int64_t)(count / period);
    level = (struct gcl_level){level.stride / times, level.count * times};
    struct gcl_strided box = boxes[0];
    if (period == 1 && gcl_strided_repeat(&box, level.stride, level.count))
        return gcl_append(draft, box, work);
    bool ok = true;
    if (level.count == 1 || level.count * (int64_t)period <= FEW || !can_nest(boxes, period)) {
        for (int64_t i = 0; i < level.count && ok; i++)
            ok = append_moved(draft, boxes, period, i * level.stride, work);
        return ok;
    }
    struct gcl_motif *motif = work->asks ? NULL : gcl_motif_create(boxes, period);
    if (!motif)
        return false;
    gcl_region_work_keep(work, motif);
    return gcl_append(draft,
                      (struct gcl_strided){
                          .begin = boxes[0].begin,
                          .length = gcl_strided_end(&boxes[period - 1]) - boxes[0].begin,
                          .levels = {level, {0, 1}, {0, 1}},
                          .motif = motif,
                      },
                      work);
}

/// Appends copies of boxes of which the last one touches the first one of the next copy: the period
/// is taken to begin behind the first one.
static bool append_joined(struct gcl_region *draft, const struct gcl_strided *boxes, size_t count,
                          struct gcl_level level, struct gcl_region_work *work) {
    struct gcl_region turned = {.count = 0};
    struct gcl_parts whole;
    gcl_parts_init(&whole);
    int64_t end = first_run_end(&boxes[0]);
    bool ok = gcl_parts_add_within(&whole, &boxes[0], end, gcl_strided_end(&boxes[0]));
    for (size_t i = 1; i < count && ok; i++)
        ok = gcl_parts_add(&whole, &boxes[i]);
    struct gcl_strided run = gcl_strided_run(boxes[0].begin, end);
    ok = ok && append_moved(&turned, whole.boxes, whole.count, 0, work) &&
         append_moved(&turned, &run, 1, level.stride, work) && gcl_append(draft, run, work) &&
         append_apart(draft, gcl_draft_boxes(&turned), turned.count,
                      (struct gcl_level){level.stride, level.count - 1}, work) &&
         append_moved(draft, whole.boxes, whole.count, (level.count - 1) * level.stride, work);
    gcl_draft_drop(&turned);
    gcl_parts_finish(&whole);
    return ok;
}

bool gcl_append_copies(struct gcl_region *draft, const struct gcl_strided *boxes, size_t box_count,
                       struct gcl_level level, struct gcl_region_work *work) {
    assert(level.count > 0 && level.stride > 0);
    if (box_count == 0)
        return true;
    int64_t end = gcl_strided_end(&boxes[box_count - 1]);
    struct gcl_strided box = boxes[0];
    assert(end <= box.begin + level.stride);
    if (level.count == 1)
        return append_moved(draft, boxes, box_count, 0, work);
    if (box_count == 1 && gcl_strided_repeat(&box, level.stride, level.count))
        return gcl_append(draft, box, work);
    if (end == box.begin + level.stride)
        return append_joined(draft, boxes, box_count, level, work);
    return append_apart(draft, boxes, box_count, level, work);
}
