// Pools of memory that is allocated in stream order. A pool only counts: the space reuses memory
// well enough by itself.
#ifndef GCL_PROCESS_POOL_H
#define GCL_PROCESS_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct gcl_allocation;
struct gcl_visible_device;

struct gcl_pool {
    unsigned device;
    atomic_bool *users; ///< by device: others that may use its memory
    _Atomic uint64_t used, used_high, release_threshold; ///< bytes
    _Atomic int reuse[4];                                ///< by attribute, 1 to 3
};

/// Counts `size` more bytes as used.
void gcl_pool_count(struct gcl_pool *pool, size_t size);
/// Counts an allocation as freed, if it came from a pool.
void gcl_pool_forget(const struct gcl_allocation *allocation);
/// A pool of a device's memory; NULL: no memory.
struct gcl_pool *gcl_pool_create(unsigned device, unsigned device_count);
/// Counts all allocations of a device as gone.
void gcl_pool_reset(struct gcl_visible_device *device);

#endif
