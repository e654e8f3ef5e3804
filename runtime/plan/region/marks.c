// A bit for each unit of the largest power of two that divides the accesses' size: for elements of
// 4 bytes a gigabyte takes 32 MiB of bits. Runs of bits become boxes as long as these are few. Else
// near runs are told as one; how near is counted before, so that two walks over the bits will do,
// which needn't find each run: most of a word's are nearer than it ever pays to tell apart.
#include "plan/region/marks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/region/append.h"
#include "plan/region/gaps.h"

enum { WORD = 64 };

bool gcl_marks_init(struct gcl_marks *marks, int64_t extent, uint32_t size) {
    unsigned shift = size > 0 ? (unsigned)__builtin_ctz(size) : 0;
    shift = shift > 12 ? 12 : shift;
    *marks = (struct gcl_marks){.size = extent, .shift = shift, .first = UINT64_MAX};
    marks->bits = calloc(((uint64_t)extent >> shift) / WORD + 1, sizeof *marks->bits);
    return marks->bits != NULL;
}

void gcl_marks_set(struct gcl_marks *marks, int64_t offset, int64_t length) {
    int64_t begin = offset < 0 ? 0 : offset;
    int64_t end = length > marks->size - offset ? marks->size : offset + length;
    uint64_t unit = (UINT64_C(1) << marks->shift) - 1;
    marks->is_rounded |= begin != offset || end - offset != length ||
                         (((uint64_t)begin | (uint64_t)end) & unit) != 0;
    if (begin >= end)
        return;
    uint64_t from = (uint64_t)begin >> marks->shift, to = ((uint64_t)end - 1) >> marks->shift;
    for (uint64_t word = from / WORD; word <= to / WORD; word++) {
        uint64_t low = word == from / WORD ? from % WORD : 0;
        uint64_t high = word == to / WORD ? to % WORD : WORD - 1;
        marks->bits[word] |= (UINT64_MAX >> (WORD - 1 - high)) & (UINT64_MAX << low);
    }
    marks->first = from / WORD < marks->first ? from / WORD : marks->first;
    marks->last = to / WORD > marks->last ? to / WORD : marks->last;
}

void gcl_marks_unite(struct gcl_marks *marks, const struct gcl_marks *other) {
    assert(marks->size == other->size && marks->shift == other->shift);
    for (uint64_t word = other->first; word <= other->last && other->first != UINT64_MAX; word++)
        marks->bits[word] |= other->bits[word];
    marks->first = other->first < marks->first ? other->first : marks->first;
    marks->last = other->last > marks->last ? other->last : marks->last;
    marks->is_rounded |= other->is_rounded;
}

bool gcl_marks_take_copy(const struct gcl_marks *marks, struct gcl_marks_copy *copy) {
    bool is_any = marks->first != UINT64_MAX;
    *copy = (struct gcl_marks_copy){.first = marks->first, .is_rounded = marks->is_rounded};
    copy->count = is_any ? marks->last - marks->first + 1 : 0;
    copy->bits = malloc(copy->count * sizeof *copy->bits + 1);
    if (copy->bits && is_any)
        memcpy(copy->bits, marks->bits + marks->first, copy->count * sizeof *copy->bits);
    return copy->bits != NULL;
}

void gcl_marks_add_copy(struct gcl_marks *marks, const struct gcl_marks_copy *copy) {
    marks->is_rounded |= copy->is_rounded;
    if (copy->count == 0)
        return;
    for (uint64_t i = 0; i < copy->count; i++)
        marks->bits[copy->first + i] |= copy->bits[i];
    uint64_t last = copy->first + copy->count - 1;
    marks->first = copy->first < marks->first ? copy->first : marks->first;
    marks->last = last > marks->last ? last : marks->last;
}

void gcl_marks_copy_finish(struct gcl_marks_copy *copy) {
    free(copy->bits);
    *copy = (struct gcl_marks_copy){.bits = NULL};
}

/// The first unit from `at` on whose bit isn't the one that `flip` has all over.
static uint64_t find_unit(const struct gcl_marks *marks, uint64_t at, uint64_t flip) {
    uint64_t word = at / WORD;
    if (word > marks->last)
        return at;
    uint64_t bits = (marks->bits[word] ^ flip) & (UINT64_MAX << at % WORD);
    while (bits == 0) {
        if (++word > marks->last)
            return word * WORD;
        bits = marks->bits[word] ^ flip;
    }
    return word * WORD + (uint64_t)__builtin_ctzll(bits);
}

int64_t gcl_marks_stretches(const struct gcl_marks *marks, unsigned bits) {
    int64_t count = 0;
    assert(bits >= marks->shift);
    for (uint64_t at = marks->first * WORD; at / WORD <= marks->last;) {
        at = find_unit(marks, at, 0);
        count += at / WORD <= marks->last;
        at = (((at << marks->shift) >> bits) + 1) << bits >> marks->shift;
    }
    return count;
}

/// Whether more than `near` units that aren't marked lie between two of a word that are.
static bool is_split(uint64_t bits, uint64_t near) {
    unsigned low = (unsigned)__builtin_ctzll(bits), high = (unsigned)__builtin_clzll(bits);
    uint64_t gaps = ~bits & (UINT64_MAX << low) & (UINT64_MAX >> high);
    for (uint64_t length = 1; length <= near && gaps != 0;) { // first ones of so many in a row
        uint64_t more = near + 1 - length < length ? near + 1 - length : length;
        gaps &= gaps >> more;
        length += more;
    }
    return gaps != 0;
}

/// The end of the last run in a word from unit `from` on, or of the first one behind which more
/// than `near` units aren't marked; true: that one.
static bool find_split(const struct gcl_marks *marks, uint64_t near, uint64_t from, uint64_t *end) {
    uint64_t next = from;
    do {
        *end = find_unit(marks, next, UINT64_MAX);
        next = find_unit(marks, *end, 0);
    } while (next / WORD == from / WORD && next - *end <= near);
    return next / WORD == from / WORD;
}

/// Finds the first run that begins at unit `*at` or behind, of those between which more than `near`
/// bytes are, and goes on to its end: from word to word as long as no gap in one is as large.
static bool next_run(const struct gcl_marks *marks, int64_t near, uint64_t *at,
                     struct gcl_span *run) {
    uint64_t from = find_unit(marks, *at, 0), near_units = (uint64_t)near >> marks->shift;
    uint64_t end = from; // of what is marked so far
    if (from / WORD > marks->last)
        return false;
    for (uint64_t word = from / WORD; word <= marks->last;) {
        uint64_t bits = marks->bits[word];
        bits &= word == end / WORD ? UINT64_MAX << end % WORD : UINT64_MAX;
        uint64_t first = bits != 0 ? word * WORD + (uint64_t)__builtin_ctzll(bits) : end;
        if (first - end > near_units)
            break;
        if (bits != 0 && !is_split(bits, near_units))
            end = (word + 1) * WORD - (uint64_t)__builtin_clzll(bits);
        else if (bits != 0 && find_split(marks, near_units, first, &end))
            break;
        word = end / WORD > word ? end / WORD : word + 1;
    }
    *at = end;
    run->begin = (int64_t)(from << marks->shift);
    run->end = (int64_t)(end << marks->shift);
    run->end = run->end > marks->size ? marks->size : run->end;
    return true;
}

/// Makes a region of runs between which more than `near` bytes are. False: it would have more than
/// `most` boxes, or there is no memory.
static bool collect(const struct gcl_marks *marks, int64_t near, size_t most,
                    struct gcl_region *region) {
    struct gcl_region_work work = {.steps = INT64_MAX};
    uint64_t at = marks->first * WORD;
    struct gcl_span run;
    gcl_region_finish(region);
    *region = (struct gcl_region){.count = 0};
    while (region->count <= most && next_run(marks, near, &at, &run)) {
        if (!gcl_append(region, gcl_strided_run(run.begin, run.end), &work))
            return false;
    }
    return region->count <= most;
}

/// How near runs have to be told as one, so that there are at most `most`.
static int64_t find_near(const struct gcl_marks *marks, size_t most) {
    uint64_t at = marks->first * WORD;
    struct gcl_gaps gaps = {0};
    struct gcl_span run, last = {0, 0};
    for (bool is_first = true; next_run(marks, GCL_GAPS_NEAREST, &at, &run);
         is_first = false, last = run) {
        if (!is_first)
            gcl_gaps_add(&gaps, run.begin - last.end);
    }
    return gcl_gaps_near(&gaps, most);
}

bool gcl_marks_region(const struct gcl_marks *marks, size_t few, size_t most,
                      struct gcl_region *region) {
    assert(most > 1);
    if (collect(marks, 0, few, region))
        return !marks->is_rounded;
    if (!collect(marks, find_near(marks, most), most, region)) {
        gcl_region_finish(region);
        *region = gcl_region_run(0, marks->size);
    }
    return false;
}

void gcl_marks_finish(struct gcl_marks *marks) {
    free(marks->bits);
    *marks = (struct gcl_marks){.bits = NULL};
}
