// A bit of a level is set exactly when its 64 bits of the level below aren't all clear, so that
// zeroed memory is an empty set. All levels lie in one piece, the first one at its beginning.
#include "exec/residency/bits.h"

#include <assert.h>
#include <stdlib.h>

bool gcl_bits_init(struct gcl_bits *bits, uint64_t count) {
    uint64_t sizes[GCL_BITS_LEVELS], total = 0;
    unsigned level_count = 0;
    for (uint64_t n = count; level_count == 0 || n > 1; level_count++) {
        assert(level_count < GCL_BITS_LEVELS && n > 0);
        n = (n + 63) / 64;
        sizes[level_count] = n;
        total += n;
    }
    uint64_t *words = calloc(total, sizeof *words);
    if (!words)
        return false;
    bits->level_count = level_count;
    for (unsigned l = 0; l < level_count; words += sizes[l], l++)
        bits->levels[l] = words;
    return true;
}

void gcl_bits_finish(struct gcl_bits *bits) {
    free(bits->levels[0]);
    *bits = (struct gcl_bits){.level_count = 0};
}

void gcl_bits_add(struct gcl_bits *bits, uint64_t number) {
    for (unsigned l = 0; l < bits->level_count; l++) {
        uint64_t *word = &bits->levels[l][number / 64];
        bool was_empty = *word == 0;
        *word |= UINT64_C(1) << (number % 64);
        if (!was_empty)
            return;
        number /= 64;
    }
}

void gcl_bits_remove(struct gcl_bits *bits, uint64_t number) {
    for (unsigned l = 0; l < bits->level_count; l++) {
        uint64_t *word = &bits->levels[l][number / 64];
        *word &= ~(UINT64_C(1) << (number % 64));
        if (*word)
            return;
        number /= 64;
    }
}

bool gcl_bits_has(const struct gcl_bits *bits, uint64_t number) {
    return bits->levels[0][number / 64] >> (number % 64) & 1;
}

/// The largest number of the set below the bit `number` of level `l`, which is set.
static uint64_t descend(const struct gcl_bits *bits, unsigned l, uint64_t number) {
    while (l-- > 0)
        number = number * 64 + 63 - (unsigned)__builtin_clzll(bits->levels[l][number]);
    return number;
}

uint64_t gcl_bits_largest(const struct gcl_bits *bits, uint64_t end) {
    for (unsigned l = 0; l < bits->level_count && end > 0; l++) {
        uint64_t last = end - 1, up_to = (UINT64_C(2) << (last % 64)) - 1;
        uint64_t word = bits->levels[l][last / 64] & up_to;
        end = last / 64;
        if (word)
            return descend(bits, l, end * 64 + 63 - (unsigned)__builtin_clzll(word));
    }
    return GCL_BITS_NONE;
}

uint64_t gcl_bits_smallest(const struct gcl_bits *bits) {
    uint64_t number = 0;
    if (!bits->levels[bits->level_count - 1][0])
        return GCL_BITS_NONE;
    for (unsigned l = bits->level_count; l-- > 0;)
        number = number * 64 + (unsigned)__builtin_ctzll(bits->levels[l][number]);
    return number;
}
