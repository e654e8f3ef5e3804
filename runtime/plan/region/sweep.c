// Set operations on lists of boxes: both are walked in ascending order. What lies before the other
// list's next box goes whole. Where two boxes meet, in this order:
//
//  - two runs: cut where the other begins and ends;
//  - both are rows (rows.h): those pairs that lie in the same way are taken together;
//  - copies of one that end before the other begins go whole;
//  - both repeat with the same stride over two or more frames of that length, in which no other box
//    of theirs begins: the operation is done in the first frame, and its result repeated, as a
//    motif where it isn't one box;
//  - else the box with the larger stride gives its first copy to be looked at on its own.
//
// So each step cuts or passes something, and what is left of a box in a list is the rest of the
// copy that was cut, and the copies that follow it.
//
// Boxes of one list beyond the ends of the other aren't walked at all: a long list of which little
// changes is copied.
#include "plan/region/sweep.h"

#include <assert.h>
#include <stdlib.h>

#include "plan/region/motif.h"
#include "plan/region/parts.h"

enum {
    FEW_RUNS = 64, ///< a result that is worth a second look
    FEW_PAIRS = 4, ///< of rows that are taken together
};

struct stream {
    const struct gcl_strided *next, *end;
    struct gcl_parts pending; ///< before `next`, in descending order
};

struct sweep {
    struct stream a, b;
    unsigned keep;
    struct gcl_region *out;
    struct gcl_region_work *work;
};

/// Where a stream is as its first box, continued in both directions with a period.
struct window {
    int64_t begin, end;
};

static void start_stream(struct stream *stream, const struct gcl_strided *boxes, size_t count) {
    stream->next = boxes;
    stream->end = boxes + count;
    gcl_parts_init(&stream->pending);
}

static const struct gcl_strided *head(const struct stream *stream) {
    if (stream->pending.count > 0)
        return &stream->pending.boxes[stream->pending.count - 1];
    return stream->next < stream->end ? stream->next : NULL;
}

/// Where the box after the first one begins.
static int64_t second_begin(const struct stream *stream) {
    const struct gcl_strided *second = stream->next;
    if (stream->pending.count > 1)
        return stream->pending.boxes[stream->pending.count - 2].begin;
    if (stream->pending.count == 0)
        second++;
    return second < stream->end ? second->begin : INT64_MAX;
}

static void advance(struct stream *stream) {
    if (stream->pending.count > 0)
        stream->pending.count--;
    else
        stream->next++;
}

/// Puts boxes in the place of the first one. False: no memory.
static bool replace(struct stream *stream, const struct gcl_parts *parts) {
    bool ok = true;
    advance(stream);
    for (size_t i = parts->count; i-- > 0 && ok;)
        ok = gcl_parts_add(&stream->pending, &parts->boxes[i]);
    return ok;
}

static bool emit(struct sweep *sweep, const struct gcl_strided *box, unsigned kind) {
    return !(sweep->keep & kind) || gcl_append(sweep->out, *box, sweep->work);
}

static bool emit_all(struct sweep *sweep, const struct gcl_parts *parts, unsigned kind) {
    bool ok = true;
    for (size_t i = 0; i < parts->count && ok; i++)
        ok = emit(sweep, &parts->boxes[i], kind);
    return ok;
}

static bool emit_run(struct sweep *sweep, int64_t begin, int64_t end, unsigned kind) {
    if (begin >= end)
        return true;
    struct gcl_strided run = gcl_strided_run(begin, end);
    return emit(sweep, &run, kind);
}

/// Leaves of the first box, a run up to `end`, what is from `begin` on. False: no memory.
static bool trim_run(struct stream *stream, int64_t end, int64_t begin) {
    advance(stream);
    if (begin >= end)
        return true;
    struct gcl_strided rest = gcl_strided_run(begin, end);
    return gcl_parts_add(&stream->pending, &rest);
}

static bool meet_runs(struct sweep *sweep, const struct gcl_strided *a,
                      const struct gcl_strided *b) {
    int64_t a_begin = a->begin, a_end = a->begin + a->length;
    int64_t b_begin = b->begin, b_end = b->begin + b->length;
    int64_t begin = a_begin > b_begin ? a_begin : b_begin;
    int64_t end = a_end < b_end ? a_end : b_end;

    return trim_run(&sweep->a, a_end, end) && trim_run(&sweep->b, b_end, end) &&
           emit_run(sweep, a_begin, begin, GCL_KEEP_A) &&
           emit_run(sweep, b_begin, begin, GCL_KEEP_B) &&
           emit_run(sweep, begin, end, GCL_KEEP_BOTH);
}

static int64_t top_stride(const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(box);
    return depth > 0 ? box->levels[depth - 1].stride : 0;
}

/// Passes the first `count` copies, which nothing of the other stream is in.
static bool pass_copies(struct sweep *sweep, struct stream *stream, int64_t count, unsigned kind) {
    const struct gcl_strided box = *head(stream);
    int64_t all = box.levels[gcl_strided_depth(&box) - 1].count;
    struct gcl_parts passed, rest;
    gcl_parts_init(&passed);
    gcl_parts_init(&rest);
    bool ok = gcl_parts_add_copies(&passed, &box, 0, count) &&
              gcl_parts_add_copies(&rest, &box, count, all - count) && replace(stream, &rest) &&
              emit_all(sweep, &passed, kind);
    gcl_parts_finish(&passed);
    gcl_parts_finish(&rest);
    return ok;
}

static struct window window_of(const struct stream *stream, int64_t stride) {
    const struct gcl_strided *box = head(stream);
    int64_t top = top_stride(box), next = second_begin(stream);
    if (top == 0)
        return (struct window){box->begin, box->begin + box->length};
    if (stride % top != 0 || box->growth)
        return (struct window){INT64_MAX, 0};
    int64_t end = box->begin + box->levels[gcl_strided_depth(box) - 1].count * top;
    return (struct window){
        box->begin + gcl_strided_copy_extent(box) - top,
        end < next ? end : next,
    };
}

/// How many frames of `stride` bytes follow each other from `begin` on in which both streams
/// repeat.
static int64_t count_frames(const struct sweep *sweep, int64_t stride, int64_t begin) {
    struct window in_a = window_of(&sweep->a, stride), in_b = window_of(&sweep->b, stride);
    int64_t end = in_a.end < in_b.end ? in_a.end : in_b.end;
    return begin >= in_a.begin && begin >= in_b.begin && begin < end ? (end - begin) / stride : 0;
}

static bool walk(struct sweep *sweep);

/// Where frames lie: `count` of them, each `stride` bytes, from `begin` on.
struct frames {
    int64_t begin, stride, count;
};

/// Passes what a stream's first box has before frames, takes it out of the stream up to their end,
/// and gives what it has in the first of them.
static bool enter_frames(struct sweep *sweep, struct stream *stream, const struct frames *frames,
                         struct gcl_parts *inside) {
    const struct gcl_strided box = *head(stream);
    int64_t begin = frames->begin, end = begin + frames->count * frames->stride;
    struct gcl_parts before, after;
    gcl_parts_init(&before);
    gcl_parts_init(&after);
    bool ok = gcl_parts_add_within(&before, &box, INT64_MIN, begin) &&
              emit_all(sweep, &before, stream == &sweep->a ? GCL_KEEP_A : GCL_KEEP_B) &&
              gcl_parts_add_within(inside, &box, begin, begin + frames->stride) &&
              gcl_parts_add_within(&after, &box, end, INT64_MAX) && replace(stream, &after);
    gcl_parts_finish(&before);
    gcl_parts_finish(&after);
    return ok;
}

/// The operation on frames that begin where the later of the boxes does, or before.
static bool meet_frames(struct sweep *sweep, const struct frames *frames) {
    struct gcl_parts in_a, in_b;
    struct gcl_region frame = {.count = 0};
    struct sweep inner;
    inner.keep = sweep->keep;
    inner.out = &frame;
    inner.work = sweep->work;
    gcl_parts_init(&in_a);
    gcl_parts_init(&in_b);
    bool ok = enter_frames(sweep, &sweep->a, frames, &in_a) &&
              enter_frames(sweep, &sweep->b, frames, &in_b);
    start_stream(&inner.a, in_a.boxes, in_a.count);
    start_stream(&inner.b, in_b.boxes, in_b.count);
    ok = ok && walk(&inner) &&
         gcl_append_copies(sweep->out, gcl_region_boxes(&frame), frame.count,
                           (struct gcl_level){frames->stride, frames->count}, sweep->work);
    gcl_parts_finish(&inner.a.pending);
    gcl_parts_finish(&inner.b.pending);
    gcl_parts_finish(&in_a);
    gcl_parts_finish(&in_b);
    gcl_draft_drop(&frame);
    return ok;
}

// Rows.

/// Whether a box is rows, or a run.
static bool is_plain(const struct gcl_strided *box) {
    return !box->motif && gcl_strided_depth(box) <= 1;
}

/// Where a stream goes on without the first `count` rows, at `stride`, of its first box.
static int64_t rest_begin(const struct stream *stream, int64_t count, int64_t stride) {
    const struct gcl_strided *box = head(stream);
    int64_t begin = box->begin + count * stride;
    return begin < gcl_strided_end(box) ? begin : second_begin(stream);
}

/// Takes the first rows out of a stream: of a run, what is before `end`.
static bool take_rows(struct stream *stream, int64_t count, int64_t end) {
    const struct gcl_strided box = *head(stream);
    if (gcl_strided_depth(&box) == 0)
        return trim_run(stream, box.begin + box.length, end);
    struct gcl_parts rest;
    gcl_parts_init(&rest);
    bool ok = (count == box.levels[0].count ||
               gcl_parts_add_copies(&rest, &box, count, box.levels[0].count - count)) &&
              replace(stream, &rest);
    gcl_parts_finish(&rest);
    return ok;
}

/// The first boxes of both streams as rows, of which `count` pairs lie in the same way.
struct pairs {
    struct gcl_rows a, b;
    int64_t count;
};

/// Finds pairs of rows that are worth being taken together. False: there are none.
static bool find_pairs(const struct sweep *sweep, const struct gcl_strided *a,
                       const struct gcl_strided *b, struct pairs *pairs) {
    bool is_a_run = gcl_strided_depth(a) == 0, is_b_run = gcl_strided_depth(b) == 0;
    if (!is_plain(a) || !is_plain(b) || ((is_a_run || is_b_run) && a->begin != b->begin))
        return false;
    pairs->a = is_a_run ? gcl_rows_cut(a, b) : gcl_rows_of(a);
    pairs->b = is_b_run ? gcl_rows_cut(b, a) : gcl_rows_of(b);
    pairs->count = gcl_rows_pairs(&pairs->a, &pairs->b);
    // Nothing else of the streams may lie among the last rows.
    int64_t last = pairs->count - 1;
    int64_t a_rest = rest_begin(&sweep->a, pairs->count, pairs->a.begin_step);
    int64_t b_rest = rest_begin(&sweep->b, pairs->count, pairs->b.begin_step);
    if (pairs->a.end + last * pairs->a.end_step > b_rest ||
        pairs->b.end + last * pairs->b.end_step > a_rest)
        pairs->count--;
    return pairs->count >= FEW_PAIRS;
}

/// What is kept of pairs of rows: one row, or two that repeat evenly. False: as gcl_append.
static bool emit_rows(struct sweep *sweep, const struct gcl_strided *boxes, size_t count,
                      const struct pairs *pairs) {
    if (count == 0)
        return true;
    if (count == 1)
        return gcl_append(sweep->out, boxes[0], sweep->work);
    struct gcl_strided firsts[GCL_ROWS_KEPT];
    for (size_t i = 0; i < count; i++)
        firsts[i] = gcl_strided_copies(&boxes[i], 0, 1);
    return gcl_append_copies(sweep->out, firsts, count,
                             (struct gcl_level){pairs->a.begin_step, pairs->count}, sweep->work);
}

/// A step of a sweep for boxes that are rows. False: they aren't, or what is kept of them isn't;
/// `ok` is the outcome otherwise.
static bool meet_rows(struct sweep *sweep, const struct gcl_strided *a, const struct gcl_strided *b,
                      bool *ok) {
    struct gcl_rows kept[GCL_ROWS_KEPT];
    struct gcl_strided boxes[GCL_ROWS_KEPT];
    struct pairs pairs;
    if (!find_pairs(sweep, a, b, &pairs))
        return false;
    size_t count = gcl_rows_keep(&pairs.a, &pairs.b, pairs.count, sweep->keep, kept), found = 0;
    bool is_even = true;
    for (size_t i = 0; i < count; i++) {
        is_even = is_even && kept[i].begin_step == kept[0].begin_step &&
                  kept[i].end_step == kept[0].begin_step;
        found += gcl_rows_box(kept[i], &boxes[found]);
    }
    if (found > 1 && !is_even)
        return false;
    int64_t a_end = pairs.a.begin + pairs.count * pairs.a.begin_step;
    int64_t b_end = pairs.b.begin + pairs.count * pairs.b.begin_step;
    *ok = take_rows(&sweep->a, pairs.count, a_end) && take_rows(&sweep->b, pairs.count, b_end) &&
          emit_rows(sweep, boxes, found, &pairs);
    return true;
}

/// Passes what a run has before a box that begins in it.
static bool pass_run(struct sweep *sweep, struct stream *stream, int64_t end, unsigned kind) {
    const struct gcl_strided run = *head(stream);
    return trim_run(stream, run.begin + run.length, end) && emit_run(sweep, run.begin, end, kind);
}

/// Takes the first copy of a stream's first box for a box of its own. False: no memory.
static bool peel(struct stream *stream) {
    const struct gcl_strided box = *head(stream);
    int64_t count = box.levels[gcl_strided_depth(&box) - 1].count;
    struct gcl_parts parts;
    gcl_parts_init(&parts);
    bool ok = gcl_parts_add_copies(&parts, &box, 0, 1) &&
              gcl_parts_add_copies(&parts, &box, 1, count - 1) && replace(stream, &parts);
    gcl_parts_finish(&parts);
    return ok;
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
    if ((count = count_frames(sweep, stride, begin)) > 1)
        return meet_frames(sweep, &(struct frames){begin, stride, count});
    int64_t a_before = gcl_strided_copies_before(a, b->begin);
    int64_t b_before = gcl_strided_copies_before(b, a->begin);
    bool ok;
    if (a_before <= 1 && b_before <= 1 && meet_rows(sweep, a, b, &ok))
        return ok;
    if (a_before > 0)
        return pass_copies(sweep, &sweep->a, a_before, GCL_KEEP_A);
    if (b_before > 0)
        return pass_copies(sweep, &sweep->b, b_before, GCL_KEEP_B);
    if (a_stride > 0 && b_stride > 0 && (count = count_frames(sweep, stride, second)) > 1)
        return meet_frames(sweep, &(struct frames){second, stride, count});
    if (a_stride == 0 && a->begin < b->begin)
        return pass_run(sweep, &sweep->a, b->begin, GCL_KEEP_A);
    if (b_stride == 0 && b->begin < a->begin)
        return pass_run(sweep, &sweep->b, a->begin, GCL_KEEP_B);
    return peel(a_stride > b_stride ? &sweep->a : &sweep->b);
}

static bool walk(struct sweep *sweep) {
    for (;;) {
        const struct gcl_strided *a = head(&sweep->a), *b = head(&sweep->b);
        if (!(a && b) && !(a && sweep->keep & GCL_KEEP_A) && !(b && sweep->keep & GCL_KEEP_B))
            return true;
        if (sweep->work->steps-- <= 0)
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
static void rebuild(struct gcl_region *draft, struct gcl_region_work *work) {
    struct gcl_region_cursor cursor = {.region = draft};
    struct gcl_region rebuilt = {.count = 0};
    struct gcl_span run;
    bool ok = true;

    while (ok && gcl_region_next(&cursor, &run))
        ok = gcl_append(&rebuilt, gcl_strided_run(run.begin, run.end), work);
    if (!ok || gcl_draft_weight(&rebuilt) >= gcl_draft_weight(draft)) {
        gcl_draft_drop(&rebuilt);
        return;
    }
    gcl_draft_drop(draft);
    *draft = rebuilt;
}

/// A region's boxes before another set, in or near it, and behind it.
struct outlook {
    const struct gcl_strided *before, *near, *behind, *end;
};

/// The other set is in `range`. Boxes that touch it are near it.
static struct outlook look_at(const struct gcl_region *region, struct gcl_span range) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    struct outlook outlook = {boxes, boxes, boxes, boxes + region->count};
    const struct gcl_strided *first = gcl_region_box_at(region, range.begin);
    const struct gcl_strided *last = gcl_region_box_at(region, range.end);
    if (first)
        outlook.near = gcl_strided_end(first) < range.begin ? first + 1 : first;
    if (last)
        outlook.behind = last + 1;
    assert(outlook.near <= outlook.behind);
    return outlook;
}

/// Keeps boxes of one list that nothing of the other one is near to.
static bool pass_boxes(struct sweep *sweep, const struct gcl_strided *boxes,
                       const struct gcl_strided *end, unsigned kind) {
    return !(sweep->keep & kind) ||
           gcl_append_list(sweep->out, boxes, (size_t)(end - boxes), sweep->work);
}

/// Does the operation on two sets of which one begins where the other has ended.
static bool pass_all(struct sweep *sweep, const struct gcl_region *first, unsigned first_kind,
                     const struct gcl_region *second, unsigned second_kind) {
    const struct gcl_strided *boxes = gcl_region_boxes(first), *others = gcl_region_boxes(second);
    return pass_boxes(sweep, boxes, boxes + first->count, first_kind) &&
           pass_boxes(sweep, others, others + second->count, second_kind);
}

/// Does the whole operation. Of the two lists only one has boxes before the other, and one has some
/// behind it.
static bool sweep_all(struct sweep *sweep, const struct gcl_region *a, const struct gcl_region *b) {
    struct gcl_span a_bounds = gcl_region_bounds(a), b_bounds = gcl_region_bounds(b);
    if (a_bounds.end <= b_bounds.begin)
        return pass_all(sweep, a, GCL_KEEP_A, b, GCL_KEEP_B);
    if (b_bounds.end <= a_bounds.begin)
        return pass_all(sweep, b, GCL_KEEP_B, a, GCL_KEEP_A);
    const struct outlook in_a = look_at(a, b_bounds), in_b = look_at(b, a_bounds);
    start_stream(&sweep->a, in_a.near, (size_t)(in_a.behind - in_a.near));
    start_stream(&sweep->b, in_b.near, (size_t)(in_b.behind - in_b.near));
    bool ok = pass_boxes(sweep, in_a.before, in_a.near, GCL_KEEP_A) &&
              pass_boxes(sweep, in_b.before, in_b.near, GCL_KEEP_B) && walk(sweep) &&
              pass_boxes(sweep, in_a.behind, in_a.end, GCL_KEEP_A) &&
              pass_boxes(sweep, in_b.behind, in_b.end, GCL_KEEP_B);
    gcl_parts_finish(&sweep->a.pending);
    gcl_parts_finish(&sweep->b.pending);
    return ok;
}

/// Whether a draft has few runs, some of them told as boxes.
static bool is_worth_rebuilding(const struct gcl_region *draft) {
    if (draft->count < 2 || draft->count > FEW_RUNS)
        return false;
    int64_t runs = gcl_region_run_count(draft);
    return runs <= FEW_RUNS && runs > (int64_t)draft->count;
}

bool gcl_sweep(const struct gcl_region *a, const struct gcl_region *b, unsigned keep,
               struct gcl_region *out, struct gcl_region_work *work) {
    struct sweep sweep; // its streams are mostly room
    sweep.keep = keep;
    sweep.out = out;
    sweep.work = work;
    if (!sweep_all(&sweep, a, b)) {
        gcl_draft_drop(out);
        return false;
    }
    if (is_worth_rebuilding(out))
        rebuild(out, work);
    gcl_draft_keep(out);
    return true;
}
