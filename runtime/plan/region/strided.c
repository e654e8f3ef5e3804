// All of it follows from the normal form (see the header): the copies of a level are in order and
// apart, so that a division says which copy an offset is in.
#include "plan/region/strided.h"

#include <assert.h>

#include "plan/region/motif.h"

struct gcl_strided gcl_strided_run(int64_t begin, int64_t end) {
    assert(begin < end);
    return (struct gcl_strided){
        .begin = begin, .length = end - begin, .levels = {{0, 1}, {0, 1}, {0, 1}}};
}

/// Bytes that the first `depth` levels extend over.
static int64_t extent(const struct gcl_strided *box, uint32_t depth) {
    int64_t size = box->length;
    for (uint32_t i = 0; i < depth; i++)
        size += (box->levels[i].count - 1) * (box->levels[i].stride + box->growth);
    return size;
}

int64_t gcl_strided_end(const struct gcl_strided *box) {
    return box->begin + extent(box, gcl_strided_depth(box));
}

/// How often a box repeats its run or motif.
static int64_t copy_count(const struct gcl_strided *box) {
    return box->levels[0].count * box->levels[1].count * box->levels[2].count;
}

int64_t gcl_strided_run_count(const struct gcl_strided *box) {
    return copy_count(box) * (box->motif ? box->motif->run_count : 1);
}

int64_t gcl_strided_size(const struct gcl_strided *box) {
    int64_t count = copy_count(box);
    // One of two numbers that follow each other is even.
    int64_t grown = count % 2 ? (count - 1) / 2 * count : count / 2 * (count - 1);
    return count * (box->motif ? box->motif->size : box->length) + grown * box->growth;
}

const struct gcl_strided *gcl_strided_search(const struct gcl_strided *boxes, size_t count,
                                             int64_t offset) {
    size_t low = 0, high = count; // of the boxes that begin at or before it
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (boxes[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &boxes[low - 1] : NULL;
}

/// How far `offset` lies behind the begin of the last run or motif that begins at or before it, and
/// how long a run that is.
static int64_t distance_in_copy(const struct gcl_strided *box, int64_t offset, int64_t *length) {
    int64_t rest = offset - box->begin;
    *length = box->length;
    for (uint32_t i = gcl_strided_depth(box); i-- > 0;) {
        const struct gcl_level *level = &box->levels[i];
        int64_t copy = rest / level->stride;
        copy = copy < level->count ? copy : level->count - 1;
        rest -= copy * level->stride;
        *length += copy * box->growth;
    }
    return rest;
}

bool gcl_strided_run_at(const struct gcl_strided *box, int64_t offset, int64_t *begin,
                        int64_t *length) {
    assert(offset >= box->begin);
    int64_t rest = distance_in_copy(box, offset, length);
    while (box->motif) {
        box = gcl_strided_search(box->motif->boxes, box->motif->count, rest);
        rest = distance_in_copy(box, rest, length);
    }
    *begin = offset - rest;
    return rest < *length;
}

static bool same_levels(const struct gcl_strided *box, const struct gcl_strided *other,
                        uint32_t depth) {
    bool same = box->length == other->length && box->growth == other->growth &&
                gcl_motif_equal(box->motif, other->motif);
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
    copies.length += first * box->growth;
    copies.growth = count > 1 ? box->growth : 0;
    copies.levels[level].count = count;
    for (uint32_t i = count > 1 ? level + 1 : level; i < GCL_STRIDED_LEVELS; i++)
        copies.levels[i] = (struct gcl_level){0, 1};
    return copies;
}

bool gcl_strided_has_copies(const struct gcl_strided *box, int64_t count) {
    return count > 1 || !box->motif || gcl_strided_depth(box) > 1;
}

struct gcl_strided gcl_strided_copies(const struct gcl_strided *box, int64_t first, int64_t count) {
    uint32_t depth = gcl_strided_depth(box);
    assert(depth > 0 && first >= 0 && count > 0 && first + count <= box->levels[depth - 1].count);
    assert(gcl_strided_has_copies(box, count));
    return copies_of(box, depth - 1, first, count);
}

int64_t gcl_strided_copy_extent(const struct gcl_strided *box) {
    uint32_t depth = gcl_strided_depth(box);
    return extent(box, depth > 0 ? depth - 1 : 0);
}

int64_t gcl_strided_copies_before(const struct gcl_strided *box, int64_t offset) {
    uint32_t depth = gcl_strided_depth(box);
    int64_t size = gcl_strided_copy_extent(box), distance = offset - box->begin;
    if (depth == 0 || distance < size)
        return 0;
    const struct gcl_level *level = &box->levels[depth - 1];
    int64_t count = (distance - size) / (level->stride + box->growth) + 1;
    return count < level->count ? count : level->count;
}

bool gcl_strided_repeat(struct gcl_strided *box, int64_t stride, int64_t count) {
    uint32_t depth = gcl_strided_depth(box);
    if (count == 1)
        return true;
    if (box->growth != 0)
        return false;
    assert(depth > 0 || !box->motif);
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

bool gcl_strided_taper(struct gcl_strided boxes[GCL_TAPER_LEAST - 1],
                       const struct gcl_strided *next) {
    const struct gcl_strided *last = &boxes[GCL_TAPER_LEAST - 2];
    int64_t stride = next->begin - last->begin, growth = next->length - last->length;
    bool is_taper = growth != 0 && gcl_strided_depth(next) == 0;
    for (int i = GCL_TAPER_LEAST - 2; i > 0 && is_taper; i--)
        is_taper = boxes[i].begin - boxes[i - 1].begin == stride &&
                   boxes[i].length - boxes[i - 1].length == growth;
    for (int i = 0; i < GCL_TAPER_LEAST - 1 && is_taper; i++)
        is_taper = gcl_strided_depth(&boxes[i]) == 0;
    if (!is_taper)
        return false;
    boxes[0].levels[0] = (struct gcl_level){stride, GCL_TAPER_LEAST};
    boxes[0].growth = growth;
    return true;
}

/// As gcl_strided_append, where one of both is a taper.
static bool append_taper(struct gcl_strided *box, const struct gcl_strided *next) {
    const struct gcl_strided *taper = box->growth ? box : next;
    int64_t stride = taper->levels[0].stride, growth = taper->growth;
    int64_t count = box->levels[0].count, next_count = next->levels[0].count;
    if (gcl_strided_depth(box) > 1 || gcl_strided_depth(next) > 1 || box->motif || next->motif ||
        (count > 1 && (box->growth != growth || box->levels[0].stride != stride)) ||
        (next_count > 1 && (next->growth != growth || next->levels[0].stride != stride)) ||
        next->begin - box->begin != count * stride || next->length - box->length != count * growth)
        return false;
    box->levels[0] = (struct gcl_level){stride, count + next_count};
    box->growth = growth;
    return true;
}

bool gcl_strided_append(struct gcl_strided *box, const struct gcl_strided *next) {
    uint32_t depth = gcl_strided_depth(box), next_depth = gcl_strided_depth(next);
    int64_t distance = next->begin - box->begin;

    if (box->growth || next->growth)
        return append_taper(box, next);
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

static uint64_t times(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = ((uint64_t)product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a + b >= PRIME ? a + b - PRIME : a + b;
}

/// x^exponent, for the x of fingerprints, from the powers of x whose exponents are powers of two.
static uint64_t power(int64_t exponent) {
    static const uint64_t squares[] = {
        0x0b1ac5e2d9f3a467, 0x098a3ee6714f3217, 0x0a5c40ace0f047df, 0x0418255587a83083,
        0x0caf02356ce599c2, 0x080e38c45b97c066, 0x127f9ba14b3d2315, 0x0f05fb85c4a07255,
        0x1a4f2adf00705950, 0x160b74348c60e810, 0x0736ace2298012bf, 0x0240505e01d8ff7f,
        0x16b6f6812567e256, 0x098e3d4dc0abf21c, 0x1bbdd63b9a40ccbf, 0x01327a7b9dda0b9d,
        0x074d701caae6398e, 0x0be606fdad9c7de1, 0x1dacd6d8a99fbbfc, 0x0a5fbe11b41ab19c,
        0x0f09a883f1896918, 0x0b362116cae8ea3d, 0x00e9f45d23879866, 0x19a8340fd0b01c29,
        0x1694e1330c4ed1c6, 0x199c87228a814d2c, 0x0ecc210011778ac1, 0x19668d44ded21719,
        0x0d146123e5f5bfb0, 0x03dffae115010256, 0x1c5b5c51a4997ac3, 0x0af3bf18caaf7308,
        0x13f473595504278b, 0x040fb75457842039, 0x01e3ab0d0c16e7e1, 0x0fced91af0e43dbf,
        0x0aea3caa68c582c5, 0x1e5c30c8c6b8fa4b, 0x0fdbc31605f74ec9, 0x0a6d44a8827b1492,
        0x16b38bb6aec89882, 0x001220d7fc10f938, 0x06e2121b6e4f3945, 0x139afa33c87894b8,
        0x08e23a2897a76d9a, 0x023255560cbdad9a, 0x1da9d61e8d2f1229, 0x16e309bf71a91a2c,
        0x1b0956aff42233f5, 0x168ea19579681b19, 0x0a7b2af86e9db980, 0x06b02984e212db84,
        0x1c4dce736b27a8ef, 0x072b7e8f6d35498b, 0x14d0ab7ebc775fb8, 0x02abbc77d315cfef,
        0x1b3e600b511ec52c, 0x06bc29e90b2eee40, 0x13a623b80a13de9a, 0x039c514c1daa53a0,
        0x14e53a1d260c5b98, 0x098a3ee6714f3217,
    };
    uint64_t result = 1;
    assert(exponent >= 0);
    for (uint64_t bits = (uint64_t)exponent; bits; bits &= bits - 1)
        result = times(result, squares[__builtin_ctzll(bits)]);
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

// Sums over a box that begins at 0, times x - 1: that of a run is x to its end less x to its begin.

static uint64_t copies_sum(const struct gcl_strided *box) {
    uint64_t sum = box->motif ? box->motif->fingerprint : plus(power(box->length), PRIME - 1);
    for (uint32_t l = 0; l < gcl_strided_depth(box); l++)
        sum = times(sum, geometric(power(box->levels[l].stride), box->levels[l].count));
    return sum;
}

/// Begins and ends move on by steps of their own.
static uint64_t taper_sum(const struct gcl_strided *box) {
    const struct gcl_level *level = &box->levels[0];
    uint64_t begins = geometric(power(level->stride), level->count);
    uint64_t ends = geometric(power(level->stride + box->growth), level->count);
    return plus(times(power(box->length), ends), PRIME - begins);
}

uint64_t gcl_strided_fingerprint(const struct gcl_strided *boxes, size_t count, int64_t origin) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct gcl_strided *box = &boxes[i];
        uint64_t one = box->growth ? taper_sum(box) : copies_sum(box);
        sum = plus(sum, times(one, power(box->begin - origin)));
    }
    return sum;
}

uint64_t gcl_strided_fingerprint_replace(uint64_t fingerprint, uint64_t taken, uint64_t added) {
    return plus(plus(fingerprint, taken ? PRIME - taken : 0), added);
}

static bool is_normal_taper(const struct gcl_strided *box) {
    const struct gcl_level *level = &box->levels[0];
    int64_t last = box->length + (level->count - 1) * box->growth;
    // The last run has no next one that it could reach.
    return gcl_strided_depth(box) == 1 && !box->motif && box->length > 0 && last > 0 &&
           box->length < level->stride && last - box->growth < level->stride;
}

static bool is_normal(const struct gcl_strided *box) {
    int64_t extent = box->length;
    uint32_t depth = gcl_strided_depth(box);
    for (uint32_t i = 0; i < GCL_STRIDED_LEVELS; i++) {
        const struct gcl_level *level = &box->levels[i];
        if (i < depth ? level->count < 2 || level->stride <= extent
                      : level->count != 1 || level->stride != 0)
            return false;
        extent += (level->count - 1) * level->stride;
    }
    if (box->growth && !is_normal_taper(box))
        return false;
    return box->length > 0 && (!box->motif || depth > 0) && box->begin >= -GCL_OFFSET_LIMIT &&
           gcl_strided_end(box) <= GCL_OFFSET_LIMIT;
}

bool gcl_strided_are_ordered(const struct gcl_strided *boxes, size_t count) {
    bool are = true;
    for (size_t i = 0; i < count && are; i++)
        are = is_normal(&boxes[i]) && (i == 0 || gcl_strided_end(&boxes[i - 1]) < boxes[i].begin);
    return are;
}
