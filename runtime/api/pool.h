// What freeing memory has to tell memory pools.
#ifndef GCL_API_POOL_H
#define GCL_API_POOL_H

struct gcl_allocation;
struct gcl_visible_device;
struct gcl_pool;

/// Counts an allocation as freed, if it came from a pool.
void gcl_pool_forget(const struct gcl_allocation *allocation);
/// A pool of a device's memory; NULL: no memory.
struct gcl_pool *gcl_pool_create(unsigned device, unsigned device_count);
/// All allocations of a device are gone.
void gcl_pool_reset(struct gcl_visible_device *device);

#endif
