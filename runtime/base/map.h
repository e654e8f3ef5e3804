// A hash map from addresses to pointers.
#ifndef GCL_BASE_MAP_H
#define GCL_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gcl_map_entry {
    const void *key; ///< NULL: free
    void *value;     ///< NULL: removed
};

/// Starts zeroed.
struct gcl_map {
    struct gcl_map_entry *entries;
    size_t capacity; ///< a power of two
    size_t count;    ///< entries with a key, removed ones included
};

/// The key of an address, not 0, which this process may have nothing at.
static inline const void *gcl_map_key(uint64_t address) {
    return (const void *)(uintptr_t)address;
}

/// The value of `key`, NULL if there is none.
void *gcl_map_get(const struct gcl_map *map, const void *key);
/// Sets the value of `key` (neither NULL), or removes it with a NULL value. False: no memory.
bool gcl_map_set(struct gcl_map *map, const void *key, void *value);
void gcl_map_finish(struct gcl_map *map);

#endif
