// Lanes of their own, each of which takes every eighth number, keep the multiplier busy: eight
// bytes a cycle. Each step is a bijection of the lane for a given number, and of the number for a
// given lane; so are those that put the lanes together. The shift brings high bits, which a
// multiplication leaves where they are, to the lower half.
#include "exec/residency/checksum.h"

#include <stddef.h>

#include "exec/residency/chunk.h"

enum { LANES = 8, WORDS = GCL_CHUNK_SIZE / sizeof(uint64_t) };

static inline uint64_t mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

uint64_t gcl_checksum(const void *chunk) {
    const uint64_t *words = chunk;
    uint64_t lanes[LANES];
    for (size_t l = 0; l < LANES; l++)
        lanes[l] = ~l;
    for (size_t i = 0; i < WORDS; i += LANES) {
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = mix(lanes[l], words[i + l]);
    }
    uint64_t sum = 0;
    for (size_t l = 0; l < LANES; l++)
        sum = mix(sum, lanes[l]);
    return sum;
}
