// Free ranges of an address range: who hands out addresses, without touching memory.
#ifndef GCL_EXEC_EXTENT_H
#define GCL_EXEC_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gcl_extent {
    uintptr_t begin, end;
};

/// Sorted by address; no two touch. Starts zeroed.
struct gcl_extents {
    struct gcl_extent *items;
    size_t count, capacity;
};

/// Adds a range that is in none yet; it grows together with its neighbours. False: no memory.
bool gcl_extents_add(struct gcl_extents *extents, uintptr_t begin, uintptr_t end);
/// Takes `size` bytes at a multiple of `alignment`, a power of two: the lowest that fit. 0 if none.
uintptr_t gcl_extents_take(struct gcl_extents *extents, size_t size, size_t alignment);
void gcl_extents_finish(struct gcl_extents *extents);

#endif
