// Stream-ordered allocation. Memory comes from the space at once, as soon as it is asked for;
// freeing waits its turn in the stream. A pool only counts: the space reuses memory well enough by
// itself.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/pool.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"
#include "graph/memory.h"
#include "process/pool.h"

static struct gcl_pool *pool_of(gclMemPool_t handle) {
    return (struct gcl_pool *)handle;
}

/// Allocates, after waiting for what is being freed if need be.
static gclError_t take(struct gcl_runtime *runtime, const struct gcl_allocation *request,
                       void **pointer) {
    gclError_t error = gcl_api_error(gcl_space_allocate(runtime->space, request, pointer));
    if (error == gclErrorMemoryAllocation) {
        error = gcl_api_error(gcl_engine_wait_all(runtime->engine));
        if (!error)
            error = gcl_api_error(gcl_space_allocate(runtime->space, request, pointer));
    }
    return error;
}

// Memory of graphs.

static void free_memory(struct gcl_runtime *runtime, const struct gcl_graph_memory *memory) {
    struct gcl_allocation found;
    if (gcl_engine_wait_all(runtime->engine) != GCL_OK) // launches may still use it
        return;
    bool is_found = gcl_space_find(runtime->space, memory->address, &found);
    if (is_found && gcl_space_free(runtime->space, memory->address, GCL_SPACE_DEVICE) == GCL_OK)
        gcl_pool_forget(&found);
}

static void change_memory(struct gcl_graph_memory *memory, enum gcl_graph_memory_change change) {
    struct gcl_runtime *runtime = gcl_runtime_peek();
    if (!runtime)
        return;
    struct gcl_pool *live = runtime->devices[memory->device].live_pool;
    const struct gcl_allocation counted = {.size = memory->asked.bytesize, .owner = live};
    switch (change) {
    case GCL_GRAPH_MEMORY_LIVE:
        gcl_pool_count(live, memory->asked.bytesize);
        break;
    case GCL_GRAPH_MEMORY_DEAD:
        gcl_pool_forget(&counted);
        break;
    case GCL_GRAPH_MEMORY_GONE:
        free_memory(runtime, memory);
        break;
    case GCL_GRAPH_MEMORY_LEFT:
        break;
    }
}

gclError_t gcl_pool_allocate_for_graph(struct gcl_runtime *runtime,
                                       const struct gclMemAllocNodeParams *asked,
                                       struct gcl_graph_memory **memory) {
    if (asked->poolProps.allocType != gclMemAllocationTypePinned ||
        asked->poolProps.location.type != gclMemLocationTypeDevice || asked->bytesize == 0)
        return gclErrorInvalidValue;
    if (!gcl_devices_has(asked->poolProps.location.id))
        return gclErrorInvalidDevice;
    unsigned device = (unsigned)asked->poolProps.location.id;
    struct gcl_pool *pool = runtime->devices[device].graph_pool;
    struct gcl_allocation request = {
        .size = asked->bytesize, .kind = GCL_SPACE_DEVICE, .device = device, .owner = pool};
    struct gcl_graph_memory *created = calloc(1, sizeof *created);
    if (!created)
        return gclErrorMemoryAllocation;
    gcl_api_take_place(&request);
    gclError_t error = take(runtime, &request, &created->address);
    if (error) {
        free(created);
        return error;
    }
    gcl_pool_count(pool, asked->bytesize);
    created->device = device;
    created->asked = *asked;
    created->asked.accessDescs = NULL;
    created->asked.accessDescCount = 0;
    created->asked.dptr = created->address;
    created->change = change_memory;
    gcl_graph_memory_add(created);
    *memory = created;
    return gclSuccess;
}

/// A capturing stream allocates: a node does.
static gclError_t capture_allocate(struct gcl_runtime *runtime, struct gcl_stream *stream,
                                   size_t size, void **pointer) {
    unsigned device = gcl_stream_device(stream);
    const struct gclMemAllocNodeParams asked = {
        .poolProps = {.allocType = gclMemAllocationTypePinned,
                      .location = {.type = gclMemLocationTypeDevice, .id = (int)device}},
        .bytesize = size};
    struct gcl_work_of_node work = {.type = gclGraphNodeTypeMemAlloc, .device = device};
    gclError_t error = gcl_pool_allocate_for_graph(runtime, &asked, &work.memory);
    if (error)
        return error;
    void *address = work.memory->address;
    error = gcl_capture_add(stream, &work);
    if (!error)
        *pointer = address;
    return error;
}

static gclError_t capture_free(struct gcl_stream *stream, const void *pointer) {
    struct gcl_work_of_node work = {.type = gclGraphNodeTypeMemFree,
                                    .device = gcl_stream_device(stream),
                                    .memory = gcl_graph_memory_take(pointer)};
    return work.memory ? gcl_capture_add(stream, &work) : gclErrorInvalidValue;
}

// Stream-ordered allocation.

// `pool` NULL: that of the stream's device.
static gclError_t allocate(void **pointer, size_t size, struct gcl_pool *pool, gclStream_t handle) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return error;
    if (!pointer)
        return gclErrorInvalidValue;
    struct gcl_stream *stream = gcl_api_stream(runtime, handle);
    bool is_captured = false;
    if (!stream)
        return gclErrorInvalidResourceHandle;
    if (gcl_capture_is_any())
        error = gcl_capture_claims(stream, &is_captured);
    if (error || (is_captured && size > 0))
        return error ? error : capture_allocate(runtime, stream, size, pointer);
    if (!pool)
        pool = atomic_load(&runtime->devices[gcl_stream_device(stream)].pool);
    assert(pool);
    struct gcl_allocation request = {
        .size = size, .kind = GCL_SPACE_DEVICE, .device = pool->device, .owner = pool};
    gcl_api_take_place(&request);
    if (size == 0) {
        *pointer = NULL;
        return gclSuccess;
    }
    error = take(runtime, &request, pointer);
    if (!error)
        gcl_pool_count(pool, size);
    return error;
}

GCL_API(MallocAsync, (void **pointer, size_t size, gclStream_t stream)) {
    return gcl_api_leave(allocate(pointer, size, NULL, stream));
}

GCL_API(MallocFromPoolAsync, (void **pointer, size_t size, gclMemPool_t pool, gclStream_t stream)) {
    return gcl_api_leave(pool ? allocate(pointer, size, pool_of(pool), stream)
                              : gclErrorInvalidValue);
}

static gclError_t release(void *pointer, gclStream_t handle) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    bool is_captured = false;
    gclError_t error = gcl_api_enter(&runtime);

    if (error || !pointer)
        return error;
    struct gcl_stream *stream = gcl_api_stream(runtime, handle);
    if (!stream)
        return gclErrorInvalidResourceHandle;
    if (gcl_capture_is_any())
        error = gcl_capture_claims(stream, &is_captured);
    if (error || is_captured)
        return error ? error : capture_free(stream, pointer);
    if (gcl_graph_memory_free(pointer, &error))
        return error;
    if (!gcl_space_find(runtime->space, pointer, &found))
        return gclErrorInvalidValue;
    struct gcl_command *command = gcl_engine_command(runtime->engine, GCL_COMMAND_FREE);
    if (!command)
        return gclErrorMemoryAllocation;
    enum gcl_status status =
        gcl_space_retire(runtime->space, pointer, GCL_SPACE_DEVICE | GCL_SPACE_MANAGED);
    if (status != GCL_OK) {
        gcl_engine_discard(runtime->engine, command);
        return gcl_api_error(status);
    }
    gcl_pool_forget(&found);
    command->release = (struct gcl_release){.space = runtime->space, .memory = pointer};
    if (runtime->spread)
        gcl_spread_submit(runtime->spread, stream, command);
    else
        gcl_engine_submit(runtime->engine, stream, command);
    return gclSuccess;
}

GCL_API(FreeAsync, (void *pointer, gclStream_t stream)) {
    return gcl_api_leave(release(pointer, stream));
}

// Pools.

GCL_API(MemPoolCreate, (gclMemPool_t * pool, const struct gclMemPoolProps *properties)) {
    if (!pool || !properties || properties->allocType != gclMemAllocationTypePinned ||
        properties->location.type != gclMemLocationTypeDevice ||
        !gcl_devices_has(properties->location.id))
        return gcl_api_leave(gclErrorInvalidValue);
    if (properties->handleTypes != gclMemHandleTypeNone)
        return gcl_api_leave(gclErrorNotSupported);
    struct gcl_pool *created =
        gcl_pool_create((unsigned)properties->location.id, gcl_devices_count());
    if (!created)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *pool = (gclMemPool_t)created;
    return gclSuccess;
}

GCL_API(MemPoolDestroy, (gclMemPool_t handle)) {
    struct gcl_pool *pool = pool_of(handle);
    struct gcl_runtime *runtime = gcl_runtime_get();
    struct gcl_visible_device *device = pool && runtime ? &runtime->devices[pool->device] : NULL;
    if (!device || pool == device->default_pool)
        return gcl_api_leave(gclErrorInvalidValue);
    if (atomic_load(&device->pool) == pool)
        atomic_store(&device->pool, device->default_pool);
    for (unsigned i = 0; i < runtime->device_count; i++) {
        if (atomic_exchange(&pool->users[i], false))
            gcl_devices_allow(runtime, i, pool->device, false);
    }
    // Allocations may still name it as their owner: it goes only when there are none.
    if (atomic_load(&pool->used) == 0) {
        free(pool->users);
        free(pool);
    }
    return gclSuccess;
}

GCL_API(MemPoolTrimTo, (gclMemPool_t pool, size_t kept_size)) {
    (void)kept_size;
    return gcl_api_leave(pool ? gclSuccess : gclErrorInvalidValue);
}

GCL_API(MemPoolSetAttribute, (gclMemPool_t handle, enum gclMemPoolAttr attribute, void *value)) {
    struct gcl_pool *pool = pool_of(handle);

    if (!pool || !value)
        return gcl_api_leave(gclErrorInvalidValue);
    switch (attribute) {
    case gclMemPoolReuseFollowEventDependencies:
    case gclMemPoolReuseAllowOpportunistic:
    case gclMemPoolReuseAllowInternalDependencies:
        atomic_store(&pool->reuse[attribute], *(const int *)value);
        return gclSuccess;
    case gclMemPoolAttrReleaseThreshold:
        atomic_store(&pool->release_threshold, *(const uint64_t *)value);
        return gclSuccess;
    case gclMemPoolAttrReservedMemHigh:
    case gclMemPoolAttrUsedMemHigh:
        if (*(const uint64_t *)value != 0)
            return gcl_api_leave(gclErrorInvalidValue);
        atomic_store(&pool->used_high, atomic_load(&pool->used));
        return gclSuccess;
    default:
        return gcl_api_leave(gclErrorInvalidValue);
    }
}

GCL_API(MemPoolGetAttribute, (gclMemPool_t handle, enum gclMemPoolAttr attribute, void *value)) {
    struct gcl_pool *pool = pool_of(handle);

    if (!pool || !value)
        return gcl_api_leave(gclErrorInvalidValue);
    switch (attribute) {
    case gclMemPoolReuseFollowEventDependencies:
    case gclMemPoolReuseAllowOpportunistic:
    case gclMemPoolReuseAllowInternalDependencies:
        *(int *)value = atomic_load(&pool->reuse[attribute]);
        return gclSuccess;
    case gclMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = atomic_load(&pool->release_threshold);
        return gclSuccess;
    case gclMemPoolAttrReservedMemCurrent:
    case gclMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = atomic_load(&pool->used);
        return gclSuccess;
    case gclMemPoolAttrReservedMemHigh:
    case gclMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = atomic_load(&pool->used_high);
        return gclSuccess;
    default:
        return gcl_api_leave(gclErrorInvalidValue);
    }
}

// A device that may use a pool's memory may use all memory of the pool's device.
static gclError_t set_access(struct gcl_runtime *runtime, struct gcl_pool *pool,
                             const struct gclMemAccessDesc *description) {
    const struct gclMemLocation *location = &description->location;
    bool is_wanted = description->flags != gclMemAccessFlagsProtNone;
    bool is_own = location->id == (int)pool->device;
    if (location->type != gclMemLocationTypeDevice || (is_own && !is_wanted))
        return gclErrorInvalidValue;
    if (!gcl_devices_has(location->id))
        return gclErrorInvalidDevice;
    unsigned device = (unsigned)location->id;
    if (!is_own && atomic_exchange(&pool->users[device], is_wanted) != is_wanted)
        gcl_devices_allow(runtime, device, pool->device, is_wanted);
    return gclSuccess;
}

GCL_API(MemPoolSetAccess, (gclMemPool_t pool, const struct gclMemAccessDesc *descriptions,
                           size_t description_count)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (!pool || (!descriptions && description_count > 0)))
        error = gclErrorInvalidValue;
    for (size_t i = 0; !error && i < description_count; i++)
        error = set_access(runtime, pool_of(pool), &descriptions[i]);
    return gcl_api_leave(error);
}

GCL_API(MemPoolGetAccess,
        (enum gclMemAccessFlags * flags, gclMemPool_t handle, struct gclMemLocation *location)) {
    struct gcl_pool *pool = pool_of(handle);
    if (!flags || !pool || !location)
        return gcl_api_leave(gclErrorInvalidValue);
    bool is_user = location->type == gclMemLocationTypeDevice && gcl_devices_has(location->id) &&
                   (location->id == (int)pool->device || atomic_load(&pool->users[location->id]));
    *flags = is_user ? gclMemAccessFlagsProtReadWrite : gclMemAccessFlagsProtNone;
    return gclSuccess;
}

/// The device of a number; NULL: there is none.
static struct gcl_visible_device *device_of(int device) {
    struct gcl_runtime *runtime = gcl_runtime_get();
    return runtime && gcl_devices_has(device) ? &runtime->devices[device] : NULL;
}

GCL_API(DeviceGetDefaultMemPool, (gclMemPool_t * pool, int device)) {
    const struct gcl_visible_device *found = device_of(device);
    if (!pool)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!found)
        return gcl_api_leave(gclErrorInvalidDevice);
    *pool = (gclMemPool_t)found->default_pool;
    return gclSuccess;
}

GCL_API(DeviceGetMemPool, (gclMemPool_t * pool, int device)) {
    struct gcl_visible_device *found = device_of(device);
    if (!pool)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!found)
        return gcl_api_leave(gclErrorInvalidDevice);
    *pool = (gclMemPool_t)atomic_load(&found->pool);
    return gclSuccess;
}

GCL_API(DeviceSetMemPool, (int device, gclMemPool_t pool)) {
    struct gcl_visible_device *found = device_of(device);
    if (!found)
        return gcl_api_leave(gclErrorInvalidDevice);
    if (!pool || pool_of(pool)->device != (unsigned)device)
        return gcl_api_leave(gclErrorInvalidValue);
    atomic_store(&found->pool, pool_of(pool));
    return gclSuccess;
}
