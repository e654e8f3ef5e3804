// Marks: what regions are made of them, and that many places at once are marked as one by one.
#include <string.h>

#include "check.h"
#include "plan/region/marks.h"
#include "random_program.h"

static int64_t random_between(int64_t first, int64_t last) {
    return first + random_below((uint32_t)(last - first + 1));
}

/// Of the gaps between marks, the largest one that a region has and the smallest one that it
/// hasn't.
static void find_gaps(const struct gcl_region *region, const bool *is_marked, int64_t units,
                      int64_t unit, struct gcl_span *gaps) {
    int64_t last = -1; // mark
    *gaps = (struct gcl_span){0, INT64_MAX};
    for (int64_t at = 0; at < units; at++) {
        if (!is_marked[at])
            continue;
        bool is_there = last >= 0 && gcl_region_contains_byte(region, (at - 1) * unit);
        int64_t gap = last >= 0 ? at - last - 1 : 0;
        if (gap > 0 && is_there)
            gaps->begin = gap > gaps->begin ? gap : gaps->begin;
        if (gap > 0 && !is_there)
            gaps->end = gap < gaps->end ? gap : gaps->end;
        last = at;
    }
}

// Marks in random order; of few boxes the region is what is marked, else it has more, in bounds.
static void marks_become_regions(void **state) {
    enum { UNITS = 1 << 20, UNIT = 4, MOST = 1 << 14 };
    static bool is_marked[UNITS];
    unsigned exact = 0;
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct gcl_marks marks;
        struct gcl_region region = {.count = 0};
        size_t few = round % 2 ? MOST : (size_t)random_between(1, 200);
        int64_t count = random_between(0, round % 4 ? 1 << (round / 2) : 100),
                apart = random_between(1, 60);
        assert_true(gcl_marks_init(&marks, UNITS * UNIT, UNIT));
        memset(is_marked, 0, sizeof is_marked);
        for (int64_t i = 0; i < count; i++) {
            int64_t at = random_between(0, (UNITS - 1) / apart) * apart,
                    length = random_between(1, 3);
            length = length < UNITS - at ? length : UNITS - at;
            gcl_marks_set(&marks, at * UNIT, length * UNIT);
            memset(&is_marked[at], true, (size_t)length);
        }
        bool is_exact = gcl_marks_region(&marks, few, MOST, &region);
        assert_true(gcl_region_is_valid(&region));
        assert_true(gcl_region_box_count(&region) <= (is_exact ? few : MOST));
        for (int64_t at = 0; at < UNITS; at++) {
            bool is_there = gcl_region_contains_byte(&region, at * UNIT);
            assert_true(is_there == is_marked[at] || (is_there && !is_exact));
        }
        struct gcl_span gaps; // those that are closed are nearer than the others
        find_gaps(&region, is_marked, UNITS, UNIT, &gaps);
        assert_true(gaps.begin < gaps.end && (gaps.begin == 0 || !is_exact));
        exact += is_exact;
        gcl_region_finish(&region);
        gcl_marks_finish(&marks);
    }
    assert_in_range(exact, 10, 35);
}

// Where runs have to be told as one, those that are far apart aren't.
static void marks_that_are_far_apart_stay_so(void **state) {
    enum { SIZE = 1 << 24, MOST = 1 << 15, RUNS = 6 * MOST };
    struct gcl_region region = {.count = 0};
    struct gcl_marks marks;
    (void)state;
    assert_true(gcl_marks_init(&marks, SIZE, 4));
    for (int64_t i = 0, at = 0; i < RUNS;
         i++, at += 8 + 4 * random_between(0, 1)) // gaps of 4 and 8 bytes
        gcl_marks_set(&marks, at + (i >= RUNS / 2 ? SIZE / 2 : 0), 4);
    assert_false(gcl_marks_region(&marks, MOST, MOST, &region));
    assert_int_equal(gcl_region_run_count(&region), 2);
    gcl_region_finish(&region);
    gcl_marks_finish(&marks);
}

// Many places at once.

enum { PLACES = 1024, EXTENT = 1 << 20 };

/// Places as threads have them: near each other or anywhere, in order or not, in the allocation or
/// not.
static void make_places(uint64_t *places, const struct gcl_marks_each *each) {
    const int64_t step = chance(80) ? each->length : random_between(1, 2 * each->length);
    const int64_t spread = random_between(0, chance(50) ? 2000 : EXTENT / step);
    const int64_t begin = random_between(0, EXTENT - (chance(90) ? spread * step : 0));
    const bool is_even = chance(20), is_outside = chance(10);
    for (size_t i = 0; i < each->count; i++) {
        int64_t at = begin + (is_even ? (int64_t)i : random_between(0, spread)) * step;
        at -= is_outside ? (int64_t)random_below(EXTENT) : 0;
        places[i] = (uint64_t)at - each->shift;
    }
}

static void check_same(const struct gcl_marks *a, const struct gcl_marks *b) {
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->is_rounded, b->is_rounded);
    assert_true(a->first == UINT64_MAX || a->last == b->last);
    assert_memory_equal(a->bits, b->bits,
                        (((uint64_t)EXTENT >> a->shift) / 64 + 1) * sizeof *a->bits);
}

static void places_are_marked_as_one_by_one(void **state) {
    static const int64_t lengths[] = {1, 2, 3, 4, 4, 4, 8, 8, 12, 16, 64, 100};
    static uint64_t places[PLACES];
    (void)state;
    random_start(11);
    for (int round = 0; round < 400; round++) {
        struct gcl_marks all, single;
        int64_t length = lengths[random_below(sizeof lengths / sizeof *lengths)];
        const struct gcl_marks_each each = {
            places, (size_t)random_between(0, PLACES),
            random_below(2) ? 0 - (uint64_t)random_below(EXTENT) : random_below(EXTENT), length};
        assert_true(gcl_marks_init(&all, EXTENT, (uint32_t)length));
        assert_true(gcl_marks_init(&single, EXTENT, (uint32_t)length));
        for (int calls = 0; calls < 3; calls++) {
            make_places(places, &each);
            assert_true(gcl_marks_set_each(&all, &each));
            for (size_t i = 0; i < each.count; i++)
                gcl_marks_set(&single, (int64_t)(places[i] + each.shift), length);
        }
        check_same(&all, &single);
        gcl_marks_finish(&all);
        gcl_marks_finish(&single);
    }
}

static void places_too_far_away_are_refused(void **state) {
    static const int64_t beyond[] = {GCL_OFFSET_LIMIT + 1, -GCL_OFFSET_LIMIT - 1, INT64_MAX,
                                     INT64_MIN};
    (void)state;
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        const uint64_t places[] = {0, (uint64_t)beyond[i] - 40, 8};
        const struct gcl_marks_each each = {places, 3, 40, 4};
        struct gcl_marks marks;
        assert_true(gcl_marks_init(&marks, EXTENT, 4));
        assert_false(gcl_marks_set_each(&marks, &each));
        assert_true(marks.first == UINT64_MAX && !marks.is_rounded);
        gcl_marks_finish(&marks);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_become_regions),
        cmocka_unit_test(marks_that_are_far_apart_stay_so),
        cmocka_unit_test(places_are_marked_as_one_by_one),
        cmocka_unit_test(places_too_far_away_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
