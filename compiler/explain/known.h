// What is known of a launch before there is one.
#ifndef GCL_EXPLAIN_KNOWN_H
#define GCL_EXPLAIN_KNOWN_H

#include <stddef.h>
#include <stdint.h>

/// An integer among the packed arguments: `size` bytes, 8 at most, at `offset`.
struct gcl_known_number {
    uint32_t offset, size;
    uint64_t value;
};

/// The part of a launch that is known before it happens; zeroed: nothing. Its pointers are
/// borrowed.
struct gcl_known_launch {
    const uint32_t *block_size; ///< threads along three axes, or NULL: unknown
    const uint32_t *grid_size;  ///< blocks along three axes, or NULL: unknown
    const struct gcl_known_number *numbers;
    size_t number_count;
};

#endif
