// All of it follows from the normal form (see the header): the copies of a level are in order and
// apart, so that a division says which copy an offset is in.
#include "plan/region/strided.h"

#include <assert.h>

struct gcl_strided gcl_strided_run(int64_t begin, int64_t end) {
    assert(begin < end);
    return (struct gcl_strided){
        .begin = begin, .length = end - begin, .levels = {{0, 1}, {0, 1}, {0, 1}}};
}

uint32_t gcl_strided_depth(const struct gcl_strided *box) {
    uint32_t depth = 0;
    while (depth < GCL_STRIDED_LEVELS && box->levels[depth].count > 1)
        depth++;
    return depth;
}

/// Bytes that the first `depth` levels extend over.
static int64_t extent(const struct gcl_strided *box, uint32_t depth) {
    int64_t size = box->length;
    for (uint32_t i = 0; i < depth; i++)
        size += (box->levels[i].count - 1) * box->levels[i].stride;
    return size;
}

int64_t gcl_strided_end(const struct gcl_strided *box) {
    return box->begin + extent(box, gcl_strided_depth(box));
}

int64_t gcl_strided_run_count(const struct gcl_strided *box) {
    return box->levels[0].count * box->levels[1].count * box->levels[2].count;
}

int64_t gcl_strided_size(const struct gcl_strided *box) {
    return box->length * gcl_strided_run_count(box);
}

bool gcl_strided_contains(const struct gcl_strided *box, int64_t offset) {
    int64_t rest = offset - box->begin;
    if (rest < 0)
        return false;
    for (uint32_t i = gcl_strided_depth(box); i-- > 0;) {
        const struct gcl_level *level = &box->levels[i];
        int64_t copy = rest / level->stride;
        rest -= (copy < level->count ? copy : level->count - 1) * level->stride;
    }
    return rest < box->length;
}

static bool same_levels(const struct gcl_strided *box, const struct gcl_strided *other,
                        uint32_t depth) {
    bool same = box->length == other->length;
    for (uint32_t i = 0; i < depth && same; i++)
        same = box->levels[i].stride == other->levels[i].stride &&
               box->levels[i].count == other->levels[i].count;
    return same;
}

bool gcl_strided_same_shape(const struct gcl_strided *box, const struct gcl_strided *other) {
    return same_levels(box, other, GCL_STRIDED_LEVELS);
}

/// `count` copies of level `level`, from copy `first` on, of the box that the levels up to it make.
static struct gcl_strided copies_of(const struct gcl_strided *box, uint32_t level, int64_t first,
                                    int64_t count) {
    struct gcl_strided copies = *box;
    copies.begin += first * box->levels[level].stride;
    copies.levels[level].count = count;
    for (uint32_t i = count > 1 ? level + 1 : level; i < GCL_STRIDED_LEVELS; i++)
        copies.levels[i] = (struct gcl_level){0, 1};
    return copies;
}

struct gcl_strided gcl_strided_copies(const struct gcl_strided *box, int64_t first, int64_t count) {
    uint32_t depth = gcl_strided_depth(box);
    assert(depth > 0 && first >= 0 && count > 0 && first + count <= box->levels[depth - 1].count);
    return copies_of(box, depth - 1, first, count);
}

int64_t gcl_strided_copy_extent(const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(box);
    return extent(box, depth > 0 ? depth - 1 : 0);
}

/// Cuts level `level` of `rest` at an offset inside of it: whole copies to either side, and the one
/// that the offset is in remains. False if it is in none.
static bool cut_level(struct gcl_strided *rest, uint32_t level, int64_t offset,
                      struct gcl_strided_halves *cut) {
    int64_t stride = rest->levels[level].stride, count = rest->levels[level].count;
    int64_t distance = offset - rest->begin, size = extent(rest, level);
    int64_t before = distance >= size ? (distance - size) / stride + 1 : 0;
    int64_t after = (distance + stride - 1) / stride;

    if (before > 0)
        cut->before[cut->before_count++] = copies_of(rest, level, 0, before);
    if (after < count)
        cut->after[cut->after_count++] = copies_of(rest, level, after, count - after);
    if (before == after)
        return false;
    *rest = copies_of(rest, level, before, 1);
    return true;
}

void gcl_strided_divide(const struct gcl_strided *box, int64_t offset,
                        struct gcl_strided_halves *cut) {
    struct gcl_strided rest = *box;
    int64_t end = gcl_strided_end(box);

    cut->before_count = cut->after_count = 0;
    if (offset <= box->begin || offset >= end) {
        struct gcl_strided *side = offset >= end ? cut->before : cut->after;
        *side = *box;
        *(offset >= end ? &cut->before_count : &cut->after_count) = 1;
        return;
    }
    bool inside = true; // of a run, in the end
    for (uint32_t i = gcl_strided_depth(box); i-- > 0 && inside;)
        inside = cut_level(&rest, i, offset, cut);
    if (inside) {
        end = rest.begin + rest.length;
        cut->before[cut->before_count++] = gcl_strided_run(rest.begin, offset);
        cut->after[cut->after_count++] = gcl_strided_run(offset, end);
    }
    for (uint32_t i = 0; i < cut->after_count / 2; i++) { // they were found from above
        struct gcl_strided upper = cut->after[i];
        cut->after[i] = cut->after[cut->after_count - 1 - i];
        cut->after[cut->after_count - 1 - i] = upper;
    }
}

bool gcl_strided_repeat(struct gcl_strided *box, int64_t stride, int64_t count) {
    uint32_t depth = gcl_strided_depth(box);
    if (count == 1)
        return true;
    if (depth == 0 && stride == box->length) {
        box->length *= count;
        return true;
    }
    if (stride <= extent(box, depth))
        return false;
    if (depth > 0 && stride == box->levels[depth - 1].count * box->levels[depth - 1].stride) {
        box->levels[depth - 1].count *= count;
        return true;
    }
    if (depth == GCL_STRIDED_LEVELS)
        return false;
    box->levels[depth] = (struct gcl_level){stride, count};
    return true;
}

bool gcl_strided_append(struct gcl_strided *box, const struct gcl_strided *next) {
    uint32_t depth = gcl_strided_depth(box), next_depth = gcl_strided_depth(next);
    int64_t distance = next->begin - box->begin;

    if (box->length != next->length)
        return false;
    if (depth == next_depth && gcl_strided_same_shape(box, next))
        return gcl_strided_repeat(box, distance, 2);
    if (depth + 1 == next_depth) { // one copy before others
        struct gcl_level level = next->levels[depth];
        if (distance != level.stride || !same_levels(box, next, depth))
            return false;
        box->levels[depth] = (struct gcl_level){level.stride, level.count + 1};
        return true;
    }
    if (depth == 0)
        return false;
    struct gcl_level *level = &box->levels[depth - 1];
    if (distance != level->count * level->stride || !same_levels(box, next, depth - 1))
        return false;
    if (next_depth + 1 == depth) {
        level->count++;
        return true;
    }
    if (next_depth != depth || next->levels[depth - 1].stride != level->stride)
        return false;
    level->count += next->levels[depth - 1].count;
    return true;
}

#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE UINT64_C(0x0b1ac5e2d9f3a467)

static uint64_t times(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = ((uint64_t)product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a + b >= PRIME ? a + b - PRIME : a + b;
}

static uint64_t power(uint64_t base, int64_t exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = times(result, base);
        base = times(base, base);
    }
    return result;
}

/// 1 + q + ... + q^(count - 1), from the uppermost bit of `count` down: a sum of n terms gives that
/// of 2 n, and that of n + 1.
static uint64_t geometric(uint64_t q, int64_t count) {
    uint64_t sum = 1, q_n = q; // of n = 1 terms; q^n
    for (int bit = 62 - __builtin_clzll((unsigned long long)count); bit >= 0; bit--) {
        sum = times(sum, plus(1, q_n));
        q_n = times(q_n, q_n);
        if (count >> bit & 1) {
            sum = plus(times(sum, q), 1);
            q_n = times(q_n, q);
        }
    }
    return sum;
}

uint64_t gcl_strided_fingerprint(const struct gcl_strided *box) {
    uint64_t sum = power(BASE, box->begin + GCL_OFFSET_LIMIT);
    sum = times(sum, plus(power(BASE, box->length), PRIME - 1)); // a run's sum times BASE - 1
    for (uint32_t i = 0; i < gcl_strided_depth(box); i++)
        sum = times(sum, geometric(power(BASE, box->levels[i].stride), box->levels[i].count));
    return sum;
}

bool gcl_strided_is_normal(const struct gcl_strided *box) {
    int64_t extent = box->length;
    uint32_t depth = gcl_strided_depth(box);
    for (uint32_t i = 0; i < GCL_STRIDED_LEVELS; i++) {
        const struct gcl_level *level = &box->levels[i];
        if (i < depth ? level->count < 2 || level->stride <= extent
                      : level->count != 1 || level->stride != 0)
            return false;
        extent += (level->count - 1) * level->stride;
    }
    return box->length > 0 && box->begin >= -GCL_OFFSET_LIMIT &&
           gcl_strided_end(box) <= GCL_OFFSET_LIMIT;
}
