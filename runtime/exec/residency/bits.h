// A set of numbers below a bound, of which the smallest and the largest are found in a few steps: a
// bit for each, and above each 64 bits one that says whether any of them is set, and so on.
#ifndef GCL_EXEC_BITS_H
#define GCL_EXEC_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define GCL_BITS_NONE UINT64_MAX

enum { GCL_BITS_LEVELS = 6 }; ///< 64^6 numbers at most

struct gcl_bits {
    unsigned level_count;
    uint64_t *levels[GCL_BITS_LEVELS]; ///< the first has the numbers
};

/// An empty set of numbers below `count`, which is at least 1. What of it is never used takes no
/// memory. False: no memory.
bool gcl_bits_init(struct gcl_bits *bits, uint64_t count);
void gcl_bits_finish(struct gcl_bits *bits);
void gcl_bits_add(struct gcl_bits *bits, uint64_t number);
void gcl_bits_remove(struct gcl_bits *bits, uint64_t number);
bool gcl_bits_has(const struct gcl_bits *bits, uint64_t number);
/// The smallest number; GCL_BITS_NONE: the set is empty.
uint64_t gcl_bits_smallest(const struct gcl_bits *bits);
/// The largest number below `end`; GCL_BITS_NONE: there is none.
uint64_t gcl_bits_largest(const struct gcl_bits *bits, uint64_t end);

#endif
