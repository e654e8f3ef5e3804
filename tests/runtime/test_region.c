// The laws of regions on random sets, each held against one flag a byte; and the shapes that
// programs have, which must stay boxes however large they are.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/region/region.h"

enum { FIRST = -1024, LAST = 3072, BYTES = LAST - FIRST, ROUNDS = 1000 };

/// A region and what it has to be.
struct sample {
    struct gcl_region region;
    bool has[BYTES];
};

static uint64_t random_state = 1;

/// In [0, bound).
static int64_t below(int64_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)bound);
}

static int64_t between(int64_t first, int64_t last) {
    return first + below(last - first + 1);
}

static struct gcl_region box(int64_t begin, int64_t length, struct gcl_level inner,
                             struct gcl_level outer) {
    const struct gcl_level levels[] = {outer, inner};
    struct gcl_region region = {.count = 0};
    assert_true(gcl_region_from_box(begin, length, levels, 2, &region));
    return region;
}

static struct gcl_region rows(int64_t begin, int64_t length, int64_t stride, int64_t count) {
    return box(begin, length, (struct gcl_level){stride, count}, (struct gcl_level){0, 1});
}

static void mark_box(bool *has, int64_t begin, int64_t length, const struct gcl_level *levels,
                     size_t count) {
    if (count == 0) {
        memset(&has[begin - FIRST], true, (size_t)length);
        return;
    }
    for (int64_t i = 0; i < levels[0].count; i++)
        mark_box(has, begin + i * levels[0].stride, length, levels + 1, count - 1);
}

/// Adds a box of random levels, mostly of strides as programs have them.
static bool random_box(struct sample *sample) {
    static const int64_t usual[] = {1, 2, 4, 8, 12, 16, 24, 32, 64, 128, 256, 1024};
    struct gcl_level levels[5];
    size_t count = (size_t)below(5);
    int64_t length = below(3) ? 4 * between(1, 8) : between(1, 40), low = 0, high = length;
    struct gcl_region added = {.count = 0};

    for (size_t i = 0; i < count; i++) {
        int64_t stride = below(3) ? usual[below(12)] : between(1, 300);
        levels[i] = (struct gcl_level){below(4) ? stride : -stride, between(1, below(3) ? 5 : 20)};
        *(levels[i].stride < 0 ? &low : &high) += (levels[i].count - 1) * levels[i].stride;
    }
    if (high - low > BYTES)
        return false;
    int64_t begin = between(FIRST - low, LAST - high);
    mark_box(sample->has, begin, length, levels, count);
    assert_true(gcl_region_from_box(begin, length, levels, count, &added));
    assert_true(gcl_region_unite(&sample->region, &added, &sample->region));
    gcl_region_finish(&added);
    return true;
}

static void random_runs(struct sample *sample) {
    struct gcl_span runs[30];
    size_t count = (size_t)below(30);
    for (size_t i = 0; i < count; i++) {
        runs[i].begin = between(FIRST, LAST);
        runs[i].end = between(FIRST, LAST);
        if (below(3) && runs[i].end > runs[i].begin + 40)
            runs[i].end = runs[i].begin + between(0, 40);
        for (int64_t at = runs[i].begin; at < runs[i].end; at++)
            sample->has[at - FIRST] = true;
    }
    assert_true(gcl_region_from_runs(runs, count, &sample->region));
}

/// Adds some fields of an array of structures, of a part of it.
static void random_fields(struct sample *sample) {
    static const int64_t sizes[] = {16, 24, 32, 48, 96};
    const int64_t size = sizes[below(5)], begin = between(FIRST, LAST - size);
    const struct gcl_level level = {size, between(1, (LAST - begin) / size)};
    struct gcl_region fields = {.count = 0};
    for (int64_t field = 0; field < size; field += 4) {
        struct gcl_region one = gcl_region_run(begin + field, begin + field + 4);
        if (below(3))
            continue;
        mark_box(sample->has, begin + field, 4, &level, 1);
        assert_true(gcl_region_unite(&fields, &one, &fields));
    }
    assert_true(gcl_region_repeat(&fields, level, &fields));
    assert_true(gcl_region_unite(&sample->region, &fields, &sample->region));
    gcl_region_finish(&fields);
}

/// Adds runs that grow or shrink evenly.
static void random_taper(struct sample *sample) {
    const int64_t stride = between(2, below(2) ? 40 : 200), count = between(1, 19);
    int64_t first = between(1, stride), last = between(1, stride);
    int64_t growth = count > 1 ? (last - first) / (count - 1) : 0;
    int64_t begin = between(FIRST, LAST - (count + 1) * stride);
    for (int64_t i = 0; i < count; i++, begin += stride, first += growth) {
        struct gcl_region run = gcl_region_run(begin, begin + first);
        memset(&sample->has[begin - FIRST], true, (size_t)first);
        assert_true(gcl_region_unite(&sample->region, &run, &sample->region));
    }
}

static void random_sample(struct sample *sample) {
    memset(sample, 0, sizeof *sample);
    if (!below(4))
        random_runs(sample);
    for (int64_t arrays = below(2) ? between(1, 3) : 0; arrays > 0; arrays--)
        random_fields(sample);
    for (int64_t tapers = below(2) ? between(1, 3) : 0; tapers > 0; tapers--)
        random_taper(sample);
    for (int64_t boxes = between(0, 3); boxes > 0;)
        boxes -= random_box(sample);
}

/// Each box is in normal form and ends before the next begins.
static void check_boxes(const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    for (size_t i = 0; i < gcl_region_box_count(region); i++) {
        int64_t extent = boxes[i].length;
        assert_true(extent > 0);
        for (uint32_t k = 0; k < gcl_strided_depth(&boxes[i]); k++) {
            const struct gcl_level *level = &boxes[i].levels[k];
            assert_true(level->stride > extent && level->count > 1);
            assert_true(k == 0 || level->stride != level[-1].count * level[-1].stride);
            extent += (level->count - 1) * (level->stride + boxes[i].growth);
        }
        assert_int_equal(gcl_strided_end(&boxes[i]), boxes[i].begin + extent);
        assert_true(i == 0 || gcl_strided_end(&boxes[i - 1]) < boxes[i].begin);
    }
}

static void check_bytes(const struct gcl_region *region, const bool *has) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run, bounds = {0, 0};
    int64_t at = FIRST, size = 0, count = 0;
    bool same = true;

    check_boxes(region);
    for (; gcl_region_next(&cursor, &run); count++) {
        assert_true(run.begin < run.end && (count == 0 || run.begin > bounds.end));
        for (; at < run.begin; at++)
            same = same && !has[at - FIRST];
        for (; at < run.end; at++)
            same = same && has[at - FIRST];
        bounds = (struct gcl_span){count == 0 ? run.begin : bounds.begin, run.end};
        size += run.end - run.begin;
    }
    for (; at < LAST; at++)
        same = same && !has[at - FIRST];
    assert_true(same);
    for (at = FIRST; at < LAST && same; at++)
        same = gcl_region_contains_byte(region, at) == has[at - FIRST];
    assert_true(same);
    assert_int_equal(gcl_region_run_count(region), count);
    assert_int_equal(gcl_region_size(region), size);
    assert_int_equal(gcl_region_bounds(region).begin, bounds.begin);
    assert_int_equal(gcl_region_bounds(region).end, bounds.end);
    assert_int_equal(gcl_region_is_empty(region), count == 0);
}

/// Equal sets are equal and have the same hash; others aren't and haven't.
static void check_same(const struct gcl_region *a, const struct gcl_region *b, bool same) {
    assert_int_equal(gcl_region_equal(a, b), same);
    assert_int_equal(gcl_region_hash(a) == gcl_region_hash(b), same);
    assert_int_equal(gcl_region_hash_like(a, b, gcl_region_hash(b)), gcl_region_hash(a));
    assert_int_equal(gcl_region_hash_like(b, a, gcl_region_hash(a)), gcl_region_hash(b));
}

/// Holds what operations make of two sets against one flag a byte.
static void check_operations(const struct sample *a, const struct sample *b) {
    static bool both[BYTES], either[BYTES], only[BYTES];
    struct gcl_region in_both = {.count = 0}, in_either = {.count = 0}, in_a = {.count = 0};
    bool meet = false, has_all = true;
    for (int i = 0; i < BYTES; i++) {
        both[i] = a->has[i] && b->has[i];
        either[i] = a->has[i] || b->has[i];
        only[i] = a->has[i] && !b->has[i];
        meet = meet || both[i];
        has_all = has_all && (a->has[i] || !b->has[i]);
    }
    assert_true(gcl_region_intersect(&a->region, &b->region, &in_both));
    assert_true(gcl_region_unite(&a->region, &b->region, &in_either));
    assert_true(gcl_region_subtract(&a->region, &b->region, &in_a));
    check_bytes(&in_both, both);
    check_bytes(&in_either, either);
    check_bytes(&in_a, only);
    assert_int_equal(gcl_region_overlaps(&a->region, &b->region), meet);
    assert_int_equal(gcl_region_contains(&a->region, &b->region), has_all);
    assert_true(gcl_region_contains(&in_either, &b->region));
    check_same(&a->region, &b->region, !memcmp(a->has, b->has, sizeof a->has));
    gcl_region_finish(&in_both);
    gcl_region_finish(&in_either);
    gcl_region_finish(&in_a);
}

static void operations(void **state) {
    static struct sample a, b;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        random_sample(&a);
        random_sample(&b);
        check_bytes(&a.region, a.has);
        check_operations(&a, &b);
        gcl_region_finish(&a.region);
        gcl_region_finish(&b.region);
    }
}

/// Many runs, some of them equal and evenly apart, of which few boxes are made.
static void random_list(struct sample *sample) {
    static struct gcl_span runs[BYTES];
    size_t count = 0;
    memset(sample, 0, sizeof *sample);
    for (int64_t at = FIRST; at < LAST - 40; count++) {
        bool is_even = below(4) > 0;
        int64_t length = is_even ? 4 : between(1, 20);
        runs[count] = (struct gcl_span){at, at + length};
        memset(&sample->has[at - FIRST], true, (size_t)length);
        at += is_even ? 8 : between(length + 1, 40);
    }
    assert_true(gcl_region_from_runs(runs, count, &sample->region));
}

// What lies beyond the ends of the smaller set is as it was, and joins what is made between.
static void small_parts_of_long_lists(void **state) {
    static struct sample list, part;
    (void)state;
    for (int round = 0; round < ROUNDS / 2; round++) {
        const struct gcl_level level = {between(1, 16), between(1, 12)};
        int64_t length = between(1, 60), begin = between(FIRST, LAST - 60 - 16 * 12);
        random_list(&list);
        memset(&part, 0, sizeof part);
        mark_box(part.has, begin, length, &level, 1);
        assert_true(gcl_region_from_box(begin, length, &level, 1, &part.region));
        assert_true(gcl_region_box_count(&list.region) > 30);
        check_operations(&list, &part);
        check_operations(&part, &list);
        gcl_region_finish(&list.region);
        gcl_region_finish(&part.region);
    }
}

// A hole in the middle of many boxes, filled again, leaves as many as there were.
static void filled_holes(void **state) {
    static struct sample list;
    (void)state;
    for (int round = 0; round < ROUNDS / 2; round++) {
        struct gcl_region hole = {.count = 0}, rest = {.count = 0};
        int64_t begin = between(FIRST, LAST - 100);
        random_list(&list);
        assert_true(gcl_region_clip(&list.region, (struct gcl_span){begin, begin + between(1, 100)},
                                    &hole));
        assert_true(gcl_region_subtract(&list.region, &hole, &rest));
        assert_true(gcl_region_unite(&rest, &hole, &rest));
        check_same(&rest, &list.region, true);
        assert_in_range(gcl_region_box_count(&rest), 0, gcl_region_box_count(&list.region) + 1);
        gcl_region_finish(&hole);
        gcl_region_finish(&rest);
        gcl_region_finish(&list.region);
    }
}

static void mark_rows(bool *has, int64_t begin, int64_t length, struct gcl_level level) {
    memset(has, false, BYTES);
    mark_box(has, begin, length, &level, 1);
}

/// Every way in which boxes of one stride, or of one and its double, can lie across each other.
static void phases(void **state) {
    enum { STRIDE = 5, COUNT = 4 };
    static bool in_a[BYTES], in_b[BYTES], expected[BYTES];
    (void)state;
    for (int code = 0; code < 2 * STRIDE * STRIDE * 4 * STRIDE * COUNT; code++) {
        int64_t length = code % STRIDE + 1, other = code / STRIDE % STRIDE + 1;
        int64_t shift = code / (STRIDE * STRIDE) % (4 * STRIDE) - STRIDE;
        int64_t factor = code / (STRIDE * STRIDE * 4 * STRIDE) % 2 + 1;
        int64_t count = code / (2 * STRIDE * STRIDE * 4 * STRIDE) + 1;
        struct gcl_region a = rows(0, length, STRIDE, COUNT), result = {.count = 0};
        struct gcl_region b = rows(shift, other, factor * STRIDE, count);

        mark_rows(in_a, 0, length, (struct gcl_level){STRIDE, COUNT});
        mark_rows(in_b, shift, other, (struct gcl_level){factor * STRIDE, count});
        for (int i = 0; i < BYTES; i++)
            expected[i] = in_a[i] && in_b[i];
        assert_true(gcl_region_intersect(&a, &b, &result));
        check_bytes(&result, expected);
        for (int i = 0; i < BYTES; i++)
            expected[i] = in_a[i] && !in_b[i];
        assert_true(gcl_region_subtract(&a, &b, &result));
        check_bytes(&result, expected);
        for (int i = 0; i < BYTES; i++)
            expected[i] = in_a[i] || in_b[i];
        assert_true(gcl_region_unite(&b, &a, &result));
        check_bytes(&result, expected);
        gcl_region_finish(&result);
    }
}

/// Whether all bytes of a run that was found are there, and those before and after it aren't.
static bool is_maximal(const struct sample *sample, struct gcl_span run) {
    bool is_maximal = (run.begin == FIRST || !sample->has[run.begin - 1 - FIRST]) &&
                      (run.end == LAST || !sample->has[run.end - FIRST]);
    for (int64_t at = run.begin; at < run.end; at++)
        is_maximal = is_maximal && sample->has[at - FIRST];
    return is_maximal;
}

static void finds_the_run_of_a_byte(void **state) {
    static struct sample a;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_span run;
        random_sample(&a);
        for (int64_t at = FIRST; at < LAST; at++) {
            bool is_found = gcl_region_run_at(&a.region, at, &run);
            assert_int_equal(is_found, a.has[at - FIRST]);
            assert_true(!is_found || (run.begin <= at && at < run.end && is_maximal(&a, run)));
        }
        gcl_region_finish(&a.region);
    }
}

// A region of many boxes becomes one of fewer, which has all of it, and what is far apart stays so.
static void simplifies(void **state) {
    enum { RUNS = 4000 };
    static struct gcl_span runs[RUNS];
    (void)state;
    for (int round = 0; round < 50; round++) {
        struct gcl_region region = {.count = 0}, before = {.count = 0};
        size_t most = (size_t)between(2, 6000);
        int64_t at = 0;
        for (int i = 0; i < RUNS; i++) {
            runs[i] = (struct gcl_span){at, at + between(1, 40)};
            at = runs[i].end + between(1, 3 * (1 << between(0, 12)));
        }
        assert_true(gcl_region_from_runs(runs, RUNS, &before));
        assert_true(gcl_region_copy(&before, &region));
        bool is_same = gcl_region_simplify(&region, most);
        assert_true(gcl_region_is_valid(&region) && gcl_region_box_count(&region) <= most);
        assert_true(gcl_region_contains(&region, &before));
        assert_int_equal(is_same, gcl_region_equal(&region, &before));
        assert_true(is_same || most < 64 || gcl_region_box_count(&region) > most / 16);
        gcl_region_finish(&region);
        gcl_region_finish(&before);
    }
}

static void clips_and_shifts(void **state) {
    static struct sample a;
    static bool expected[BYTES];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_span range = {between(FIRST, LAST), between(FIRST, LAST)};
        int64_t shift = between(-5000, 5000);
        struct gcl_region clipped = {.count = 0}, moved = {.count = 0};
        bool full = true;
        random_sample(&a);
        for (int64_t at = FIRST; at < LAST; at++) {
            bool inside = at >= range.begin && at < range.end;
            expected[at - FIRST] = inside && a.has[at - FIRST];
            full = full && (!inside || a.has[at - FIRST]);
        }
        assert_true(gcl_region_clip(&a.region, range, &clipped));
        check_bytes(&clipped, expected);
        assert_int_equal(gcl_region_contains_range(&a.region, range), full);
        assert_true(gcl_region_translate(&a.region, shift, &moved));
        if (!gcl_region_is_empty(&a.region)) {
            assert_int_equal(gcl_region_bounds(&moved).begin,
                             gcl_region_bounds(&a.region).begin + shift);
            check_same(&a.region, &moved, shift == 0);
        }
        assert_true(gcl_region_translate(&moved, -shift, &moved));
        check_bytes(&moved, a.has);
        check_same(&moved, &a.region, true);
        gcl_region_finish(&clipped);
        gcl_region_finish(&moved);
        gcl_region_finish(&a.region);
    }
}

static void repeats(void **state) {
    static struct sample a;
    static bool expected[BYTES];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_level level = {between(-400, 400), between(1, 12)};
        struct gcl_region copies = {.count = 0};
        random_sample(&a);
        struct gcl_span all = gcl_region_bounds(&a.region);
        int64_t shift = (level.count - 1) * level.stride;
        if (all.begin + shift < FIRST || all.end + shift > LAST)
            level.count = 1;
        memset(expected, 0, sizeof expected);
        for (int64_t at = all.begin; at < all.end; at++)
            for (int64_t i = 0; i < level.count && a.has[at - FIRST]; i++)
                expected[at + i * level.stride - FIRST] = true;
        assert_true(gcl_region_repeat(&a.region, level, &copies));
        check_bytes(&copies, expected);
        gcl_region_finish(&copies);
        gcl_region_finish(&a.region);
    }
}

/// (a op b) op c is a op (b op c), and a op b is b op a.
static void
check_order(bool (*op)(const struct gcl_region *, const struct gcl_region *, struct gcl_region *),
            const struct gcl_region *a, const struct gcl_region *b, const struct gcl_region *c) {
    struct gcl_region left = {.count = 0}, right = {.count = 0};
    assert_true(op(a, b, &left) && op(b, a, &right));
    check_same(&left, &right, true);
    assert_true(op(&left, c, &left) && op(b, c, &right) && op(a, &right, &right));
    check_same(&left, &right, true);
    gcl_region_finish(&left);
    gcl_region_finish(&right);
}

static void laws(void **state) {
    static struct sample samples[3];
    const struct gcl_region all = gcl_region_run(FIRST, LAST);
    const struct gcl_region *a = &samples[0].region, *b = &samples[1].region,
                            *c = &samples[2].region;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct gcl_region left = {.count = 0}, right = {.count = 0}, t = {.count = 0};
        for (int i = 0; i < 3; i++)
            random_sample(&samples[i]);
        check_order(gcl_region_unite, a, b, c);
        check_order(gcl_region_intersect, a, b, c);

        // a ∩ (b ∪ c) = (a ∩ b) ∪ (a ∩ c)
        assert_true(gcl_region_unite(b, c, &left) && gcl_region_intersect(a, &left, &left));
        assert_true(gcl_region_intersect(a, b, &right) && gcl_region_intersect(a, c, &t) &&
                    gcl_region_unite(&right, &t, &right));
        check_same(&left, &right, true);

        // all \ (a ∪ b) = (all \ a) ∩ (all \ b)
        assert_true(gcl_region_unite(a, b, &left) && gcl_region_subtract(&all, &left, &left));
        assert_true(gcl_region_subtract(&all, a, &right) && gcl_region_subtract(&all, b, &t) &&
                    gcl_region_intersect(&right, &t, &right));
        check_same(&left, &right, true);

        // a = (a ∩ b) ∪ (a \ b), whose parts are disjoint; |a ∪ b| = |a| + |b| - |a ∩ b|
        assert_true(gcl_region_intersect(a, b, &left) && gcl_region_subtract(a, b, &right));
        assert_false(gcl_region_overlaps(&left, &right));
        assert_true(gcl_region_unite(&left, &right, &right));
        check_same(&right, a, true);
        assert_true(gcl_region_unite(a, b, &t));
        assert_int_equal(gcl_region_size(&t),
                         gcl_region_size(a) + gcl_region_size(b) - gcl_region_size(&left));
        gcl_region_finish(&left);
        gcl_region_finish(&right);
        gcl_region_finish(&t);
        for (int i = 0; i < 3; i++)
            gcl_region_finish(&samples[i].region);
    }
}

/// What ranges of a box come to, united in whatever order, is that box again.
static void parts_of_a_box(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t most = below(2) ? 9 : 100, length = between(1, 20),
                stride = length + between(1, 30), count = between(2, most);
        int64_t pitch = stride * count + between(0, 100), height = between(1, most), cuts[8];
        struct gcl_region whole = box(between(-100, 100), length, (struct gcl_level){stride, count},
                                      (struct gcl_level){pitch, height});
        struct gcl_span bounds = gcl_region_bounds(&whole);
        struct gcl_region sum = {.count = 0}, part = {.count = 0};

        assert_int_equal(gcl_region_box_count(&whole), 1);
        for (int i = 0; i < 8; i++)
            cuts[i] = between(bounds.begin, bounds.end);
        for (int i = 0; i < 8; i++) { // not in order; the last of them meets all
            struct gcl_span range = {cuts[i], i < 7 ? cuts[i + 1] : bounds.end};
            assert_true(gcl_region_clip(&whole, range, &part));
            assert_true(gcl_region_unite(&sum, &part, &sum));
        }
        assert_true(gcl_region_clip(&whole, (struct gcl_span){bounds.begin, cuts[7]}, &part));
        assert_true(gcl_region_unite(&part, &sum, &sum));
        check_same(&sum, &whole, true);
        assert_int_equal(gcl_region_box_count(&sum), 1);
        gcl_region_finish(&sum);
        gcl_region_finish(&part);
    }
}

/// Shares that begin in the middle of a row are boxes that hide the rows.
static void half_rows(void **state) {
    const struct gcl_level inner = {16, 1000}, outer = {1 << 14, 20};
    struct gcl_region whole = box(0, 4, inner, outer), part = {.count = 0};
    (void)state;
    for (int order = 0; order < 3; order++) { // ascending, descending, every other one
        struct gcl_region sum = {.count = 0};
        for (int64_t i = 0; i <= outer.count; i++) {
            int64_t share = order == 0   ? i
                            : order == 1 ? outer.count - i
                                         : i * 2 % (outer.count + 1);
            int64_t begin = (share - 1) * outer.stride + inner.stride * inner.count / 2;
            struct gcl_span range = {begin, begin + outer.stride};
            assert_true(gcl_region_clip(&whole, range, &part));
            assert_true(gcl_region_unite(&sum, &part, &sum));
        }
        check_same(&sum, &whole, true);
        assert_int_equal(gcl_region_box_count(&sum), 1);
        gcl_region_finish(&sum);
    }
    gcl_region_finish(&part);
}

static void check_text_of(const struct gcl_region *region, const char *text) {
    char out[200];
    assert_string_equal(gcl_region_format(region, out, sizeof out), text);
}

static void check_text(struct gcl_region *region, const char *text) {
    check_text_of(region, text);
    gcl_region_finish(region);
}

static void normal_forms(void **state) {
    struct gcl_region region = box(0, 4, (struct gcl_level){4, 100}, (struct gcl_level){4, 3});
    (void)state;
    check_text(&region, "[0, 408)");
    region = rows(0, 8, 8, 10);
    check_text(&region, "[0, 80)");
    region = box(0, 4, (struct gcl_level){8, 4}, (struct gcl_level){24, 3});
    check_text(&region, "10 runs of 4 B every 8 B from 0");
    region = box(0, 4, (struct gcl_level){8, 4}, (struct gcl_level){32, 3});
    check_text(&region, "12 runs of 4 B every 8 B from 0");
    region = box(0, 4, (struct gcl_level){-8, 4}, (struct gcl_level){100, 3});
    check_text(&region, "4 runs of 4 B every 8 B, 3 times every 100 B, from -24");
    region = rows(4, 1022, 1024, 8192);
    check_text(&region, "8192 runs of 1022 B every 1024 B from 4");
    region = box(0, 4, (struct gcl_level){6, 3}, (struct gcl_level){9, 2});
    check_text(&region, "[0, 4) + [6, 19) + [21, 25)");
    region = rows(0, 0, 8, 8);
    check_text(&region, "empty");
    region = rows(0, 8, 8, 0);
    check_text(&region, "empty");
    region = gcl_region_run(7, 7);
    check_text(&region, "empty");
}

static void text(void **state) {
    struct gcl_span runs[] = {{0, 1}, {10, 12}, {20, 23}, {30, 34}, {-9, -4}, {40, 60}};
    struct gcl_region region = {.count = 0};
    char out[12];
    (void)state;
    assert_true(gcl_region_from_runs(runs, 6, &region));
    assert_string_equal(gcl_region_format(&region, out, sizeof out), "[-9, -4) + ");
    check_text(&region, "[-9, -4) + 4 runs of 1 to 4 B every 10 B from 0 + [40, 60)");
}

enum { PITCH = 4096, HEIGHT = 1 << 24 };

/// Unites the accesses at the `count` shifts, the first one last.
static struct gcl_region shifted(const struct gcl_region *region, const int64_t *shifts,
                                 size_t count) {
    struct gcl_region sum = {.count = 0}, moved = {.count = 0};
    while (count-- > 0) {
        assert_true(gcl_region_translate(region, shifts[count], &moved));
        assert_true(gcl_region_unite(&sum, &moved, &sum));
    }
    return sum;
}

/// Far too many rows to be looked at one by one.
static void stencils(void **state) {
    const struct gcl_region inside = rows(PITCH + 4, PITCH - 8, PITCH, HEIGHT);
    struct gcl_region region = shifted(&inside, (int64_t[]){-4, 0, 4}, 3);
    (void)state;
    assert_int_equal(gcl_region_box_count(&region), 1);
    check_text(&region, "[4096, 68719480832)"); // from border to border
    region = shifted(&inside, (int64_t[]){4, 0}, 2);
    check_text(&region, "16777216 runs of 4092 B every 4096 B from 4100");
    region = shifted(&inside, (int64_t[]){100, 0}, 2); // from row to row
    check_text(&region, "[4100, 68719480928)");
    region = shifted(&inside, (int64_t[]){PITCH, -PITCH, 0}, 3);
    check_text(&region, "16777218 runs of 4088 B every 4096 B from 4");
    region = shifted(&inside, (int64_t[]){0, 4, PITCH, -4, -PITCH}, 5);
    check_text(&region, "[4, 4092) + [4096, 68719480832) + [68719480836, 68719484924)");

    const struct gcl_region tile = rows(PITCH + 64, 64, PITCH, HEIGHT);
    region = shifted(&tile, (int64_t[]){0, 4, PITCH, -4, -PITCH}, 5);
    check_text(&region, "[64, 128) + 16777216 runs of 72 B every 4096 B from 4156 + "
                        "[68719480896, 68719480960)");
    region = shifted(&tile, (int64_t[]){-64, 64, 0}, 3);
    check_text(&region, "16777216 runs of 192 B every 4096 B from 4096");
}

enum { SIDE = 1 << 26 }; // of a square of elements of 4 bytes: nobody goes through its rows

/// What of each row of the square lies before its element on the diagonal, which is one further for
/// each row.
static struct gcl_region triangle(void) {
    const struct gcl_region half = gcl_region_run(0, (int64_t)4 * SIDE * SIDE);
    struct gcl_region rows = {.count = 0}, few = {.count = 0};
    // A few rows tell how it goes on.
    for (int64_t row = 1; row <= GCL_TAPER_LEAST; row++) {
        struct gcl_region run = gcl_region_run(4 * row * SIDE, 4 * row * (SIDE + 1));
        assert_true(gcl_region_unite(&few, &run, &few));
    }
    struct gcl_strided box = gcl_region_boxes(&few)[0];
    gcl_region_finish(&few);
    box.levels[0].count = SIDE - 1;
    rows.count = 1;
    rows.few[0] = box;
    assert_true(gcl_region_is_valid(&rows));
    assert_true(gcl_region_contains(&half, &rows));
    return rows;
}

static void triangles(void **state) {
    const int64_t row = (int64_t)4 * SIDE, all = row * SIDE;
    const struct gcl_region square = gcl_region_run(0, all), lower = triangle();
    struct gcl_region upper = {.count = 0}, other = {.count = 0}, part = {.count = 0};
    (void)state;
    assert_int_equal(gcl_region_size(&lower), (int64_t)4 * SIDE / 2 * (SIDE - 1));
    assert_true(gcl_region_subtract(&square, &lower, &upper));
    check_text_of(&upper, "67108864 runs of 268435456 to 4 B every 268435460 B from 0");
    assert_true(gcl_region_unite(&upper, &lower, &other));
    assert_true(gcl_region_equal(&other, &square));
    assert_true(gcl_region_subtract(&square, &upper, &other));
    check_same(&other, &lower, true);
    assert_false(gcl_region_overlaps(&upper, &lower));

    // Rows, columns, and both.
    const struct gcl_span few_rows = {100 * row, 300 * row};
    assert_true(gcl_region_clip(&lower, few_rows, &part));
    check_text_of(&part, "200 runs of 400 to 1196 B every 268435456 B from 26843545600");
    const struct gcl_region columns = rows(0, 800, row, SIDE);
    assert_true(gcl_region_intersect(&lower, &columns, &part));
    check_text_of(&part, "200 runs of 4 to 800 B every 268435456 B from 268435456 + "
                         "67108663 runs of 800 B every 268435456 B from 53955526656");
    assert_true(gcl_region_unite(&lower, &columns, &part));
    check_text_of(&part, "201 runs of 800 B every 268435456 B from 0 + "
                         "67108663 runs of 804 to 268435452 B every 268435456 B from 53955526656");
    assert_true(gcl_region_subtract(&part, &columns, &part));
    assert_true(gcl_region_subtract(&lower, &columns, &other));
    check_same(&part, &other, true);

    // Two triangles that lie across each other.
    assert_true(gcl_region_translate(&lower, row + 8, &part));
    assert_true(gcl_region_clip(&part, (struct gcl_span){0, all}, &part));
    assert_true(gcl_region_intersect(&part, &lower, &other));
    assert_true(gcl_region_weight(&other) <= 3);
    assert_true(gcl_region_subtract(&lower, &part, &upper));
    assert_true(gcl_region_unite(&upper, &other, &upper));
    check_same(&upper, &lower, true);
    gcl_region_finish(&upper);
    gcl_region_finish(&other);
    gcl_region_finish(&part);
}

/// Elimination: from step to step a row less and a column less change, of which each of two nodes
/// writes a half. What the nodes have stays stairs.
static void stairs(void **state) {
    enum { ROWS = 1000, PITCH_OF_ROWS = 4 * ROWS, HALF = ROWS / 2 };
    const struct gcl_region square = gcl_region_run(0, (int64_t)ROWS * PITCH_OF_ROWS);
    struct gcl_region held[2] = {{.count = 0}};
    (void)state;
    assert_true(gcl_region_copy(&square, &held[0]));
    for (int64_t k = 0; k < HALF - 1; k++) {
        for (int node = 0; node < 2; node++) {
            int64_t first = k + 1 + node * HALF, count = node ? HALF - 1 - k : HALF;
            const struct gcl_region written =
                rows(first * PITCH_OF_ROWS + 4 * k, PITCH_OF_ROWS - 4 * k, PITCH_OF_ROWS, count);
            assert_true(gcl_region_unite(&held[node], &written, &held[node]));
            assert_true(gcl_region_subtract(&held[!node], &written, &held[!node]));
        }
        assert_true(gcl_region_weight(&held[0]) <= 6 && gcl_region_weight(&held[1]) <= 6);
        assert_false(gcl_region_overlaps(&held[0], &held[1]));
    }
    assert_true(gcl_region_unite(&held[0], &held[1], &held[0]));
    check_same(&held[0], &square, true);
    gcl_region_finish(&held[0]);
    gcl_region_finish(&held[1]);
}

static void shares(void **state) {
    const struct gcl_region inside = rows(4, PITCH - 8, PITCH, HEIGHT);
    const int64_t begin = 1000 * PITCH, middle = 5000 * PITCH, end = 9000 * PITCH;
    struct gcl_region region = {.count = 0}, other = {.count = 0};
    (void)state;
    assert_true(gcl_region_clip(&inside, (struct gcl_span){begin, middle}, &region));
    assert_true(gcl_region_clip(&inside, (struct gcl_span){middle, end}, &other));
    assert_int_equal(gcl_region_box_count(&region), 1);
    assert_true(gcl_region_unite(&region, &other, &region));
    check_text(&region, "8000 runs of 4088 B every 4096 B from 4096004");

    assert_true(gcl_region_clip(&inside, (struct gcl_span){begin + 100, end + 100}, &region));
    check_text(&region, "[4096100, 4100092) + 7999 runs of 4088 B every 4096 B from 4100100 + "
                        "[36864004, 36864100)");
    struct gcl_region share = gcl_region_run(begin, end);
    assert_true(gcl_region_subtract(&inside, &share, &region));
    check_text(&region, "1000 runs of 4088 B every 4096 B from 4 + "
                        "16768216 runs of 4088 B every 4096 B from 36864004");
    assert_true(gcl_region_subtract(&share, &inside, &region));
    check_text(&region, "[4096000, 4096004) + 7999 runs of 8 B every 4096 B from 4100092 + "
                        "[36863996, 36864000)");
}

static void fields_and_colours(void **state) {
    struct gcl_region even = rows(0, 4, 8, HEIGHT), odd = rows(4, 4, 8, HEIGHT);
    struct gcl_region region = {.count = 0};
    (void)state;
    assert_false(gcl_region_overlaps(&even, &odd));
    assert_true(gcl_region_unite(&odd, &even, &region));
    assert_true(gcl_region_contains(&region, &odd));
    assert_false(gcl_region_contains(&odd, &region));
    assert_true(gcl_region_subtract(&region, &even, &even));
    check_same(&even, &odd, true);
    check_text(&region, "[0, 134217728)");

    even = rows(0, 64, 2 * PITCH, HEIGHT);
    odd = rows(PITCH, 64, 2 * PITCH, HEIGHT);
    assert_true(gcl_region_unite(&even, &odd, &region));
    assert_true(gcl_region_subtract(&region, &odd, &odd));
    check_same(&even, &odd, true);
    check_text(&region, "33554432 runs of 64 B every 4096 B from 0");
    even = box(0, 4, (struct gcl_level){16, 8}, (struct gcl_level){PITCH, HEIGHT});
    odd = box(8, 4, (struct gcl_level){16, 8}, (struct gcl_level){PITCH, HEIGHT});
    assert_true(gcl_region_unite(&even, &odd, &region));
    assert_true(gcl_region_intersect(&region, &odd, &odd));
    check_text(&odd, "8 runs of 4 B every 16 B, 16777216 times every 4096 B, from 8");
    check_text(&region, "16 runs of 4 B every 8 B, 16777216 times every 4096 B, from 0");
}

/// Field `field` of `count` structures of 48 bytes, from number `first` on.
static struct gcl_region field_of(int64_t field, int64_t first, int64_t count) {
    return rows(48 * first + 4 * field, 4, 48, count);
}

/// What nodes have of an array of structures of which they write fields takes as many boxes for
/// many structures as for few.
static void fields_of_structures(void **state) {
    enum { NODES = 4, SHARE = 1 << 22 };
    struct gcl_region all = gcl_region_run(0, (int64_t)48 * NODES * SHARE), held[NODES] = {0};
    struct gcl_region sum = {.count = 0};
    (void)state;
    for (int64_t field = 0; field < 12; field += field % 3 + 1) {
        for (int64_t n = 0; n < NODES; n++) {
            struct gcl_region own = field_of(field, n * SHARE, SHARE);
            assert_true(gcl_region_subtract(&all, &own, &all));
            assert_true(gcl_region_unite(&held[n], &own, &held[n]));
        }
    }
    for (int n = 0; n < NODES; n++) {
        assert_in_range(gcl_region_weight(&held[n]), 1, 8);
        assert_false(gcl_region_overlaps(&held[n], &all));
        assert_true(gcl_region_unite(&sum, &held[n], &sum));
        gcl_region_finish(&held[n]);
    }
    assert_in_range(gcl_region_weight(&sum), 1, 8);
    assert_in_range(gcl_region_weight(&all), 1, 16);
    assert_true(gcl_region_unite(&all, &sum, &sum));
    check_text(&sum, "[0, 805306368)");
    gcl_region_finish(&all);
}

/// What two fields are told by, whichever is found first and wherever their parts begin.
static void fields_in_any_order(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t count = 1000, cut = between(1, 999), other = between(1, 999);
        struct gcl_region sum = {.count = 0},
                          parts[] = {field_of(2, 0, cut), field_of(2, cut, count - cut),
                                     field_of(5, 0, other), field_of(5, other, count - other)};
        for (int left = 4; left > 0; left--) {
            int64_t i = below(left);
            assert_true(gcl_region_unite(&sum, &parts[i], &sum));
            parts[i] = parts[left - 1];
        }
        assert_in_range(gcl_region_weight(&sum), 1, 8);
        struct gcl_region both =
            box(8, 4, (struct gcl_level){12, 2}, (struct gcl_level){48, count});
        check_same(&sum, &both, true);
        gcl_region_finish(&sum);
    }
}

static void check_run(struct gcl_region *region, int64_t begin, int64_t end) {
    assert_int_equal(gcl_region_run_count(region), begin < end);
    assert_int_equal(gcl_region_bounds(region).begin, begin);
    assert_int_equal(gcl_region_bounds(region).end, end);
    gcl_region_finish(region);
}

static void offset_limits(void **state) {
    const int64_t limit = GCL_OFFSET_LIMIT;
    struct gcl_region region = gcl_region_run(INT64_MIN, INT64_MAX), run = gcl_region_run(0, 8);
    struct gcl_level hostile[] = {
        {INT64_MIN, 2}, {INT64_MAX, INT64_MAX}, {-1, INT64_MAX}, {limit, 3}, {3, limit}};
    (void)state;
    assert_int_equal(gcl_region_size(&region), 2 * limit);
    assert_true(gcl_region_contains_range(&region, (struct gcl_span){-limit, limit}));
    assert_false(gcl_region_contains_range(&region, (struct gcl_span){-limit, limit + 1}));
    check_run(&region, -limit, limit);
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        assert_false(gcl_region_from_box(0, 8, &hostile[i], 1, &region));
        check_run(&region, -limit, limit);
        assert_false(gcl_region_repeat(&run, hostile[i], &region));
        check_run(&region, -limit, limit);
    }
    assert_false(gcl_region_from_box(INT64_MAX, 8, NULL, 0, &region));
    assert_false(gcl_region_from_box(limit - 7, 8, NULL, 0, &region));
    assert_true(gcl_region_from_box(limit - 8, 8, NULL, 0, &region));
    check_run(&region, limit - 8, limit);
    assert_true(gcl_region_translate(&run, limit - 8, &region));
    check_run(&region, limit - 8, limit);
    assert_false(gcl_region_translate(&run, limit - 4, &region));
    check_run(&region, limit - 4, limit);
    assert_false(gcl_region_translate(&run, INT64_MIN, &region));
    check_run(&region, 0, 0);
    struct gcl_span runs[] = {{limit - 4, limit + 4}, {limit + 8, limit + 12}, {0, 4}};
    assert_false(gcl_region_from_runs(runs, 3, &region));
    check_run(&region, 0, limit);
}

/// Runs of one and two bytes in turn: none of them fit to each other.
static bool many_runs(size_t count, struct gcl_region *out) {
    struct gcl_span *runs = calloc(count, sizeof *runs);
    assert_non_null(runs);
    for (size_t i = 0; i < count; i++) {
        int64_t begin = 8 * (int64_t)(count - 1 - i);
        runs[i] = (struct gcl_span){begin, begin + 1 + (int64_t)(i & 1)};
    }
    bool exact = gcl_region_from_runs(runs, count, out);
    free(runs);
    return exact;
}

static void box_limits(void **state) {
    const size_t most = GCL_REGION_MOST_BOXES;
    struct gcl_region region = {.count = 0}, other = gcl_region_run(-8, -7);
    (void)state;
    assert_true(many_runs(most, &region));
    assert_int_equal(gcl_region_run_count(&region), most);
    assert_false(gcl_region_unite(&region, &other, &other));
    check_run(&other, -8, 8 * (int64_t)most - 7);
    assert_true(gcl_region_copy(&region, &other));
    check_same(&region, &other, true);
    assert_true(gcl_region_clip(&region, (struct gcl_span){8, 11}, &region)); // gives memory back
    check_run(&region, 8, 9);
    assert_true(gcl_region_contains_byte(&other, 0));
    gcl_region_finish(&other);
    assert_false(many_runs(most + 1, &region));
    gcl_region_finish(&region);
}

/// Strides that don't fit together, of far too many rows: answers on the safe side, soon.
static void step_limits(void **state) {
    struct gcl_region a = rows(0, 1, 1001, HEIGHT), b = rows(500, 1, 700, HEIGHT);
    struct gcl_region region = {.count = 0};
    (void)state;
    assert_false(gcl_region_subtract(&a, &b, &region));
    check_run(&region, 0, gcl_region_bounds(&a).end);
    assert_false(gcl_region_unite(&a, &b, &region));
    check_run(&region, 0, gcl_region_bounds(&a).end);
    a = rows(0, 1, 1002, HEIGHT);
    b = rows(501, 1, 700, HEIGHT); // odd offsets only
    assert_true(gcl_region_overlaps(&a, &b));
    assert_false(gcl_region_contains(&a, &b));
    assert_false(gcl_region_equal(&a, &b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(phases),
        cmocka_unit_test(finds_the_run_of_a_byte),
        cmocka_unit_test(clips_and_shifts),
        cmocka_unit_test(repeats),
        cmocka_unit_test(laws),
        cmocka_unit_test(parts_of_a_box),
        cmocka_unit_test(half_rows),
        cmocka_unit_test(normal_forms),
        cmocka_unit_test(text),
        cmocka_unit_test(stencils),
        cmocka_unit_test(shares),
        cmocka_unit_test(triangles),
        cmocka_unit_test(stairs),
        cmocka_unit_test(fields_and_colours),
        cmocka_unit_test(fields_of_structures),
        cmocka_unit_test(fields_in_any_order),
        cmocka_unit_test(offset_limits),
        cmocka_unit_test(box_limits),
        cmocka_unit_test(step_limits),
        cmocka_unit_test(simplifies),
        cmocka_unit_test(small_parts_of_long_lists),
        cmocka_unit_test(filled_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
