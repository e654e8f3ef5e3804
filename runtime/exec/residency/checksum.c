// Lanes of their own, each of which takes every eighth number, keep the multiplier busy: eight
// bytes a cycle. Each step is a bijection of the lane for a given number, and of the number for a
// given lane; so are those that put the lanes together. The shift brings high bits, which a
// multiplication leaves where they are, to the lower half.
#include "exec/residency/checksum.h"

#include <string.h>

enum { LANES = 8 };

static inline uint64_t mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

uint64_t gcl_checksum(const void *bytes, size_t size) {
    const uint64_t *words = bytes;
    uint64_t lanes[LANES], last[LANES] = {0}, sum = size;
    size_t whole = size / sizeof last * LANES;
    for (size_t l = 0; l < LANES; l++)
        lanes[l] = ~l;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = mix(lanes[l], words[i + l]);
    }
    memcpy(last, words + whole, size % sizeof last);
    for (size_t l = 0; l < LANES; l++)
        sum = mix(sum, mix(lanes[l], last[l]));
    return sum;
}
