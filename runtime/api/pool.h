// What freeing memory has to tell memory pools.
#ifndef GCL_API_POOL_H
#define GCL_API_POOL_H

struct gcl_allocation;

/// Counts an allocation as freed, if it came from a pool.
void gcl_pool_forget(const struct gcl_allocation *allocation);
/// All allocations are gone.
void gcl_pool_reset(void);

#endif
