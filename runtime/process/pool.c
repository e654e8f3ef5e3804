// The counters of a pool are atomic: threads of the program allocate, the engine's threads free.
#include "process/pool.h"

#include <assert.h>
#include <stdlib.h>

#include "exec/memory/space.h"
#include "process/devices.h"

void gcl_pool_count(struct gcl_pool *pool, size_t size) {
    assert(size > 0);
    uint64_t used = atomic_fetch_add(&pool->used, size) + size;
    uint64_t high = atomic_load(&pool->used_high);
    while (high < used && !atomic_compare_exchange_weak(&pool->used_high, &high, used))
        ;
}

void gcl_pool_forget(const struct gcl_allocation *allocation) {
    struct gcl_pool *pool = (struct gcl_pool *)(uintptr_t)allocation->owner;
    if (pool)
        atomic_fetch_sub(&pool->used, allocation->size);
}

struct gcl_pool *gcl_pool_create(unsigned device, unsigned device_count) {
    assert(device_count > 0);
    struct gcl_pool *created = calloc(1, sizeof *created);
    if (!created)
        return NULL;
    created->device = device;
    created->users = calloc(device_count, sizeof *created->users);
    if (!created->users) {
        free(created);
        return NULL;
    }
    for (int i = 1; i < 4; i++)
        atomic_store(&created->reuse[i], 1);
    return created;
}

void gcl_pool_reset(struct gcl_visible_device *device) {
    struct gcl_pool *pools[] = {device->default_pool, device->graph_pool, device->live_pool};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        atomic_store(&pools[i]->used, 0);
        atomic_store(&pools[i]->used_high, 0);
    }
    atomic_store(&device->pool, device->default_pool);
}
