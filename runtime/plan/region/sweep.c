// Set operations on lists of boxes: both are walked in ascending order. What lies before the other
// list's next box goes whole. Where two boxes meet, in this order:
//
//  - two runs: cut where the other begins and ends;
//  - copies of one that end before the other begins go whole;
//  - both repeat with the same stride over two or more frames of that length, in which no other box
//    of theirs begins: the operation is done in the first frame, and its result repeated;
//  - else the box with the larger stride gives its first copy to be looked at on its own.
//
// So each step cuts or passes something, and what is left of a box in a list is at most one box a
// level: the rest of the copy that was cut, and the copies that follow it.
//
// Results are appended in ascending order, and each box is joined with the one before where the two
// are one: that makes rows of runs, planes of rows and so on without looking for them.
#include "plan/region/sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_RUNS = 64 }; ///< a result that is worth a second look

struct stream {
    const struct gcl_strided *next, *end;
    struct gcl_strided pending[2 * GCL_STRIDED_PARTS]; ///< before `next`; the first one last
    uint32_t pending_count;
};

struct sweep {
    struct stream a, b;
    unsigned keep;
    struct gcl_region *out;
    struct gcl_sweep_budget *budget;
};

/// Where a stream is as its first box, continued in both directions with a period.
struct window {
    int64_t begin, end;
};

static struct gcl_strided *boxes_of(struct gcl_region *region) {
    return region->capacity > 0 ? region->many : region->few;
}

static bool grow(struct gcl_region *region) {
    size_t capacity = region->capacity > 0 ? 2 * region->capacity : 4 * GCL_REGION_FEW;
    struct gcl_strided *many;

    if (region->count == GCL_REGION_MOST_BOXES)
        return false;
    if (region->count < (region->capacity > 0 ? region->capacity : GCL_REGION_FEW))
        return true;
    many = realloc(region->capacity > 0 ? region->many : NULL, capacity * sizeof *many);
    if (!many)
        return false;
    if (region->capacity == 0)
        memcpy(many, region->few, sizeof region->few);
    region->many = many;
    region->capacity = capacity;
    return true;
}

/// Appends a box that touches the last one: their runs that meet become one.
static bool push_touching(struct gcl_region *out, const struct gcl_strided *box,
                          struct gcl_sweep_budget *budget) {
    struct gcl_strided last = boxes_of(out)[--out->count];
    struct gcl_strided_halves left, right;
    gcl_strided_divide(&last, gcl_strided_end(&last) - last.length, &left);
    gcl_strided_divide(box, box->begin + box->length, &right);
    bool ok = true;
    for (uint32_t i = 0; i < left.before_count && ok; i++)
        ok = gcl_sweep_push(out, left.before[i], budget);
    ok = ok &&
         gcl_sweep_push(
             out, gcl_strided_run(left.after[0].begin, gcl_strided_end(&right.before[0])), budget);
    for (uint32_t i = 0; i < right.after_count && ok; i++)
        ok = gcl_sweep_push(out, right.after[i], budget);
    return ok;
}

/// Whether `box` goes on at the stride of `last`, as its next copies.
static bool goes_on(const struct gcl_strided *last, const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(last);
    struct gcl_strided joined = *last;
    return depth > 0 && gcl_strided_append(&joined, box) && gcl_strided_depth(&joined) == depth;
}

/// Appends a box that doesn't fit to the last one, but of which one copy fits to it, or to its last
/// copy: as where two cuts happened to leave equal parts, which were taken for a box. False if that
/// isn't so; `ok` is the outcome if it is.
static bool push_rearranged(struct gcl_region *out, const struct gcl_strided *box,
                            struct gcl_sweep_budget *budget, bool *ok) {
    struct gcl_strided *last = &boxes_of(out)[out->count - 1];
    uint32_t last_depth = gcl_strided_depth(last), depth = gcl_strided_depth(box);

    if (depth > 1 || box->levels[0].count == 2) {
        struct gcl_strided first = gcl_strided_copies(box, 0, 1);
        if (goes_on(last, &first)) {
            struct gcl_strided rest = gcl_strided_copies(box, 1, box->levels[depth - 1].count - 1);
            *ok = gcl_sweep_push(out, first, budget) && gcl_sweep_push(out, rest, budget);
            return true;
        }
    }
    if (last_depth > 1) {
        int64_t count = last->levels[last_depth - 1].count;
        struct gcl_strided copy = gcl_strided_copies(last, count - 1, 1);
        if (goes_on(&copy, box)) {
            gcl_strided_append(&copy, box);
            *last = gcl_strided_copies(last, 0, count - 1);
            *ok = gcl_sweep_push(out, copy, budget);
            return true;
        }
    }
    return false;
}

bool gcl_sweep_push(struct gcl_region *out, struct gcl_strided box,
                    struct gcl_sweep_budget *budget) {
    bool ok;
    if (budget->asks || budget->steps-- <= 0)
        return false;
    while (out->count > 0) { // what two boxes become may fit to the one before
        struct gcl_strided *last = &boxes_of(out)[out->count - 1];
        int64_t end = gcl_strided_end(last);
        assert(box.begin >= end);
        if (box.begin == end && gcl_strided_depth(last) + gcl_strided_depth(&box) > 0)
            return push_touching(out, &box, budget);
        if (box.begin == end)
            last->length += box.length;
        else if (!gcl_strided_append(last, &box))
            break;
        box = *last;
        out->count--;
    }
    if (out->count > 0 && push_rearranged(out, &box, budget, &ok))
        return ok;
    if (!grow(out))
        return false;
    boxes_of(out)[out->count++] = box;
    return true;
}

static const struct gcl_strided *head(const struct stream *stream) {
    if (stream->pending_count > 0)
        return &stream->pending[stream->pending_count - 1];
    return stream->next < stream->end ? stream->next : NULL;
}

/// Where the box after the first one begins.
static int64_t second_begin(const struct stream *stream) {
    const struct gcl_strided *second = stream->next;
    if (stream->pending_count > 1)
        return stream->pending[stream->pending_count - 2].begin;
    if (stream->pending_count == 0)
        second++;
    return second < stream->end ? second->begin : INT64_MAX;
}

static void advance(struct stream *stream) {
    if (stream->pending_count > 0)
        stream->pending_count--;
    else
        stream->next++;
}

/// Puts `count` boxes in the place of the first one.
static void replace(struct stream *stream, const struct gcl_strided *boxes, uint32_t count) {
    advance(stream);
    assert(stream->pending_count + count <= 2 * GCL_STRIDED_PARTS);
    while (count-- > 0)
        stream->pending[stream->pending_count++] = boxes[count];
}

static bool emit(struct sweep *sweep, const struct gcl_strided *box, unsigned kind) {
    return !(sweep->keep & kind) || gcl_sweep_push(sweep->out, *box, sweep->budget);
}

static bool emit_run(struct sweep *sweep, int64_t begin, int64_t end, unsigned kind) {
    if (begin >= end)
        return true;
    struct gcl_strided run = gcl_strided_run(begin, end);
    return emit(sweep, &run, kind);
}

static void trim_run(struct stream *stream, int64_t end, int64_t begin) {
    struct gcl_strided rest;
    if (begin < end)
        rest = gcl_strided_run(begin, end);
    replace(stream, &rest, begin < end);
}

static bool meet_runs(struct sweep *sweep, const struct gcl_strided *a,
                      const struct gcl_strided *b) {
    int64_t a_begin = a->begin, a_end = a->begin + a->length;
    int64_t b_begin = b->begin, b_end = b->begin + b->length;
    int64_t begin = a_begin > b_begin ? a_begin : b_begin;
    int64_t end = a_end < b_end ? a_end : b_end;

    trim_run(&sweep->a, a_end, end);
    trim_run(&sweep->b, b_end, end);
    return emit_run(sweep, a_begin, begin, GCL_KEEP_A) &&
           emit_run(sweep, b_begin, begin, GCL_KEEP_B) &&
           emit_run(sweep, begin, end, GCL_KEEP_BOTH);
}

static int64_t top_stride(const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(box);
    return depth > 0 ? box->levels[depth - 1].stride : 0;
}

/// Copies of the uppermost level that end at or before `offset`, which is before the box's end.
static int64_t copies_before(const struct gcl_strided *box, int64_t offset) {
    int64_t stride = top_stride(box), distance = offset - box->begin;
    int64_t size = gcl_strided_copy_extent(box);
    return stride > 0 && distance >= size ? (distance - size) / stride + 1 : 0;
}

/// Passes the first `count` copies, which nothing of the other stream is in.
static bool pass_copies(struct sweep *sweep, struct stream *stream, int64_t count, unsigned kind) {
    struct gcl_strided box = *head(stream);
    int64_t all = box.levels[gcl_strided_depth(&box) - 1].count;
    struct gcl_strided passed = gcl_strided_copies(&box, 0, count);
    struct gcl_strided rest = gcl_strided_copies(&box, count, all - count);
    replace(stream, &rest, 1);
    return emit(sweep, &passed, kind);
}

static struct window window_of(const struct stream *stream, int64_t stride) {
    const struct gcl_strided *box = head(stream);
    int64_t top = top_stride(box), next = second_begin(stream);
    if (top == 0)
        return (struct window){box->begin, box->begin + box->length};
    if (stride % top != 0)
        return (struct window){INT64_MAX, 0};
    int64_t end = box->begin + box->levels[gcl_strided_depth(box) - 1].count * top;
    return (struct window){
        box->begin + gcl_strided_copy_extent(box) - top,
        end < next ? end : next,
    };
}

/// How many frames of `stride` bytes follow each other from `begin` on in which both streams
/// repeat.
static int64_t frames(const struct sweep *sweep, int64_t stride, int64_t begin) {
    struct window in_a = window_of(&sweep->a, stride), in_b = window_of(&sweep->b, stride);
    int64_t end = in_a.end < in_b.end ? in_a.end : in_b.end;
    return begin >= in_a.begin && begin >= in_b.begin && begin < end ? (end - begin) / stride : 0;
}

/// What of `box` is in [begin, end), as up to twice GCL_STRIDED_PARTS boxes.
static uint32_t content(const struct gcl_strided *box, int64_t begin, int64_t end,
                        struct gcl_strided *parts) {
    struct gcl_strided_halves from, to;
    uint32_t count = 0;

    gcl_strided_divide(box, begin, &from);
    for (uint32_t i = 0; i < from.after_count && from.after[i].begin < end; i++) {
        gcl_strided_divide(&from.after[i], end, &to);
        memcpy(&parts[count], to.before, to.before_count * sizeof *parts);
        count += to.before_count;
    }
    return count;
}

/// Appends `count` copies of what is in one frame of `stride` bytes.
static bool push_frames(struct sweep *sweep, struct gcl_region *frame, int64_t stride,
                        int64_t count) {
    struct gcl_strided *boxes = boxes_of(frame);
    bool ok = true;

    if (frame->count == 1) {
        struct gcl_strided repeated = boxes[0];
        if (gcl_strided_repeat(&repeated, stride, count))
            return gcl_sweep_push(sweep->out, repeated, sweep->budget);
    }
    for (int64_t i = 0; i < count && ok && frame->count > 0; i++) {
        for (size_t k = 0; k < frame->count && ok; k++) {
            ok = gcl_sweep_push(sweep->out, boxes[k], sweep->budget);
            boxes[k].begin += stride;
        }
    }
    return ok;
}

static bool walk(struct sweep *sweep);

/// The operation on `count` frames from `begin` on, which is where the later of the boxes begins,
/// or before.
static bool meet_frames(struct sweep *sweep, int64_t begin, int64_t stride, int64_t count) {
    struct stream *streams[] = {&sweep->a, &sweep->b};
    struct gcl_strided parts[2][2 * GCL_STRIDED_PARTS];
    struct gcl_strided_halves cut;
    struct gcl_region frame = {.count = 0};
    struct sweep inner;
    bool ok = true;

    inner.keep = sweep->keep;
    inner.out = &frame;
    inner.budget = sweep->budget;
    for (int i = 0; i < 2; i++) {
        struct gcl_strided box = *head(streams[i]);
        struct stream *in_frame = i == 0 ? &inner.a : &inner.b;
        in_frame->next = parts[i];
        in_frame->end = parts[i] + content(&box, begin, begin + stride, parts[i]);
        in_frame->pending_count = 0;
        gcl_strided_divide(&box, begin, &cut);
        for (uint32_t k = 0; k < cut.before_count && ok; k++)
            ok = emit(sweep, &cut.before[k], i == 0 ? GCL_KEEP_A : GCL_KEEP_B);
        gcl_strided_divide(&box, begin + count * stride, &cut);
        replace(streams[i], cut.after, cut.after_count);
    }
    ok = ok && walk(&inner) && push_frames(sweep, &frame, stride, count);
    gcl_region_finish(&frame);
    return ok;
}

static void peel(struct stream *stream) {
    struct gcl_strided box = *head(stream);
    int64_t count = box.levels[gcl_strided_depth(&box) - 1].count;
    struct gcl_strided parts[] = {gcl_strided_copies(&box, 0, 1),
                                  gcl_strided_copies(&box, 1, count - 1)};
    replace(stream, parts, 2);
}

/// A step of a sweep where the first boxes of both streams, which aren't both runs, lie across each
/// other.
static bool meet_boxes(struct sweep *sweep, const struct gcl_strided *a,
                       const struct gcl_strided *b) {
    int64_t a_stride = top_stride(a), b_stride = top_stride(b), count;
    int64_t stride = a_stride > b_stride ? a_stride : b_stride;
    int64_t first = a->begin < b->begin ? a->begin : b->begin;
    int64_t second = a->begin < b->begin ? b->begin : a->begin;

    // Frames that begin with a copy cut none. A run can be cut anywhere.
    int64_t begin = a_stride == 0 ? b->begin : b_stride == 0 ? a->begin : first;
    if ((count = frames(sweep, stride, begin)) > 1)
        return meet_frames(sweep, begin, stride, count);
    if ((count = copies_before(a, b->begin)) > 0)
        return pass_copies(sweep, &sweep->a, count, GCL_KEEP_A);
    if ((count = copies_before(b, a->begin)) > 0)
        return pass_copies(sweep, &sweep->b, count, GCL_KEEP_B);
    if (a_stride > 0 && b_stride > 0 && (count = frames(sweep, stride, second)) > 1)
        return meet_frames(sweep, second, stride, count);
    peel(a_stride > b_stride ? &sweep->a : &sweep->b);
    return true;
}

static bool walk(struct sweep *sweep) {
    for (;;) {
        const struct gcl_strided *a = head(&sweep->a), *b = head(&sweep->b);
        if (!(a && b) && !(a && sweep->keep & GCL_KEEP_A) && !(b && sweep->keep & GCL_KEEP_B))
            return true;
        if (sweep->budget->steps-- <= 0)
            return false;
        bool ok;
        if (!b || (a && gcl_strided_end(a) <= b->begin)) {
            ok = emit(sweep, a, GCL_KEEP_A);
            advance(&sweep->a);
        } else if (!a || gcl_strided_end(b) <= a->begin) {
            ok = emit(sweep, b, GCL_KEEP_B);
            advance(&sweep->b);
        } else if (gcl_strided_depth(a) + gcl_strided_depth(b) == 0) {
            ok = meet_runs(sweep, a, b);
        } else {
            ok = meet_boxes(sweep, a, b);
        }
        if (!ok)
            return false;
    }
}

/// Puts few runs together anew, one by one: that finds every box, where boxes that come from
/// several may hide it.
static void rebuild(struct gcl_region *region, struct gcl_sweep_budget *budget) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_region rebuilt = {.count = 0};
    struct gcl_span run;
    bool ok = true;

    while (ok && gcl_region_next(&cursor, &run))
        ok = gcl_sweep_push(&rebuilt, gcl_strided_run(run.begin, run.end), budget);
    if (!ok || rebuilt.count >= region->count) {
        gcl_region_finish(&rebuilt);
        return;
    }
    gcl_region_finish(region);
    *region = rebuilt;
}

bool gcl_sweep(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
               struct gcl_region *out, struct gcl_sweep_budget *budget) {
    struct sweep sweep;
    sweep.a.next = gcl_region_boxes(a);
    sweep.a.end = sweep.a.next + a->count;
    sweep.a.pending_count = 0;
    sweep.b.next = gcl_region_boxes(b);
    sweep.b.end = sweep.b.next + b->count;
    sweep.b.pending_count = 0;
    sweep.keep = keep;
    sweep.out = out;
    sweep.budget = budget;
    if (!walk(&sweep))
        return false;
    if (out->count > 1 && out->count <= FEW_RUNS && gcl_region_run_count(out) <= FEW_RUNS)
        rebuild(out, budget);
    return true;
}
