// Many places at once. Where they are near each other, as those of neighbouring threads are, each
// sets a byte of its own first, since to change a bit takes what was changed last: a word's, from
// one place to the next. Bits are made of the bytes then, eight at a time.
#include <stdbool.h>
#include <string.h>

#include "base/vectors.h"
#include "plan/region/marks.h"

enum {
    WORD = 64,
    NEAR = 1 << 13, ///< units between which all are near
    THIN = 16       ///< units for each place, from which on it isn't worth it to go through them
};

/// What all places have in common; `least` and `greatest` are moved up by GCL_OFFSET_LIMIT, so that
/// what is too far away on either side isn't between them.
struct common {
    uint64_t least, greatest;
    uint64_t low;    ///< bits that some have
    uint64_t uneven; ///< 0: each is as many bytes behind the one before as are marked
};

GCL_IN_VECTORS_INLINE struct common find_common_plain(const struct gcl_marks_each *each) {
    const uint64_t *places = each->places, shift = each->shift, length = (uint64_t)each->length;
    uint64_t least = UINT64_MAX, greatest = 0, low = 0, uneven = 0;
    for (size_t i = 0; i < each->count; i++) {
        uint64_t offset = places[i] + shift, at = offset + (uint64_t)GCL_OFFSET_LIMIT;
        least = at < least ? at : least;
        greatest = at > greatest ? at : greatest;
        low |= offset;
        uneven |= places[i] - places[0] - i * length;
    }
    return (struct common){least, greatest, low, uneven};
}

GCL_IN_VECTORS(struct common, find_common, (const struct gcl_marks_each *each), (each))

/// Adds to words of bits what bytes, 64 for each, are 1.
GCL_IN_VECTORS_INLINE void add_bytes_plain(const unsigned char *bytes, size_t words,
                                           uint64_t *bits) {
    for (size_t word = 0; word < words; word++) {
        uint64_t all = 0;
        for (unsigned i = 0; i < WORD / 8; i++) {
            uint64_t eight;
            memcpy(&eight, bytes + word * WORD + 8 * i, sizeof eight);
            all |= (eight * 0x0102040810204080) >> 56 << 8 * i; // bit 8 k becomes bit 56 + k
        }
        bits[word] |= all;
    }
}

GCL_IN_VECTORS(void, add_bytes, (const unsigned char *bytes, size_t words, uint64_t *bits),
               (bytes, words, bits))

/// Sets the byte of each place, which are units from `each->shift` on.
GCL_IN_VECTORS_INLINE void set_bytes_plain(const struct gcl_marks_each *each, unsigned down,
                                           unsigned char *restrict bytes) {
    const uint64_t *places = each->places, shift = each->shift;
    const size_t count = each->count;
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++)
        bytes[(places[i] + shift) >> down] = 1;
}

GCL_IN_VECTORS(void, set_bytes,
               (const struct gcl_marks_each *each, unsigned down, unsigned char *restrict bytes),
               (each, down, bytes))

GCL_IN_VECTORS_INLINE void set_bits_plain(const struct gcl_marks_each *each, unsigned down,
                                          uint64_t *restrict bits) {
    const uint64_t *places = each->places, shift = each->shift;
    const size_t count = each->count;
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++) {
        uint64_t at = (places[i] + shift) >> down;
        bits[at / WORD] |= UINT64_C(1) << at % WORD;
    }
}

GCL_IN_VECTORS(void, set_bits,
               (const struct gcl_marks_each *each, unsigned down, uint64_t *restrict bits),
               (each, down, bits))

/// Marks units from word `first` on, in NEAR units.
static void set_near(struct gcl_marks *marks, const struct gcl_marks_each *each, uint64_t first,
                     size_t words) {
    unsigned char bytes[NEAR];
    struct gcl_marks_each moved = *each;
    moved.shift -= (first * WORD) << marks->shift;
    memset(bytes, 0, words * WORD);
    set_bytes(&moved, marks->shift, bytes);
    add_bytes(bytes, words, marks->bits + first);
}

/// Marks a unit at each place, all of which are in the allocation, between two of them.
static void set_units(struct gcl_marks *marks, const struct gcl_marks_each *each, int64_t least,
                      int64_t greatest) {
    uint64_t first = ((uint64_t)least >> marks->shift) / WORD;
    uint64_t last = ((uint64_t)greatest >> marks->shift) / WORD;
    if (last - first < NEAR / WORD && (last - first) * WORD <= each->count * THIN)
        set_near(marks, each, first, last - first + 1);
    else
        set_bits(each, marks->shift, marks->bits);
    marks->first = first < marks->first ? first : marks->first;
    marks->last = last > marks->last ? last : marks->last;
}

bool gcl_marks_set_each(struct gcl_marks *marks, const struct gcl_marks_each *each) {
    const struct common common = find_common(each);
    const int64_t unit = INT64_C(1) << marks->shift;
    if (each->count == 0)
        return true;
    if (common.greatest > 2 * (uint64_t)GCL_OFFSET_LIMIT)
        return false;
    int64_t least = (int64_t)common.least - GCL_OFFSET_LIMIT;
    int64_t greatest = (int64_t)common.greatest - GCL_OFFSET_LIMIT;
    if (common.uneven == 0) {
        gcl_marks_set(marks, least, each->length * (int64_t)each->count);
    } else if (each->length == unit && least >= 0 && greatest <= marks->size - unit &&
               (common.low & (uint64_t)(unit - 1)) == 0) {
        set_units(marks, each, least, greatest);
    } else {
        for (size_t i = 0; i < each->count; i++)
            gcl_marks_set(marks, (int64_t)(each->places[i] + each->shift), each->length);
    }
    return true;
}
