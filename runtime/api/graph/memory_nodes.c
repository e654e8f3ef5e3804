// Memory of graphs, as the program asks about it.
#include <stdatomic.h>

#include "api/graph/graph_api.h"
#include "graph/memory.h"
#include "process/pool.h"

GCL_API(GraphMemAllocNodeGetParams,
        (gclGraphNode_t handle, struct gclMemAllocNodeParams *parameters)) {
    const struct gcl_graph_node *node = gcl_graph_node_of(handle);
    if (!node || !parameters || node->work.type != gclGraphNodeTypeMemAlloc)
        return gcl_api_leave(gclErrorInvalidValue);
    *parameters = node->work.memory->asked;
    return gclSuccess;
}

GCL_API(GraphMemFreeNodeGetParams, (gclGraphNode_t handle, void *address)) {
    const struct gcl_graph_node *node = gcl_graph_node_of(handle);
    if (!node || !address || node->work.type != gclGraphNodeTypeMemFree)
        return gcl_api_leave(gclErrorInvalidValue);
    *(void **)address = node->work.memory->address;
    return gclSuccess;
}

// What isn't in use is a graph's own, and goes with it.
GCL_API(DeviceGraphMemTrim, (int device)) {
    return gcl_api_leave(gcl_devices_has(device) ? gclSuccess : gclErrorInvalidDevice);
}

static gclError_t find_pool(int device, enum gclGraphMemAttributeType attribute,
                            struct gcl_pool **pool) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return error;
    if (!gcl_devices_has(device))
        return gclErrorInvalidDevice;
    const struct gcl_visible_device *visible = &runtime->devices[device];
    bool is_live =
        attribute == gclGraphMemAttrUsedMemCurrent || attribute == gclGraphMemAttrUsedMemHigh;
    *pool = is_live ? visible->live_pool : visible->graph_pool;
    return (unsigned)attribute <= gclGraphMemAttrReservedMemHigh ? gclSuccess
                                                                 : gclErrorInvalidValue;
}

static bool is_high(enum gclGraphMemAttributeType attribute) {
    return attribute == gclGraphMemAttrUsedMemHigh || attribute == gclGraphMemAttrReservedMemHigh;
}

GCL_API(DeviceGetGraphMemAttribute,
        (int device, enum gclGraphMemAttributeType attribute, void *value)) {
    struct gcl_pool *pool;
    gclError_t error = find_pool(device, attribute, &pool);
    if (!error && !value)
        error = gclErrorInvalidValue;
    if (!error)
        *(uint64_t *)value = atomic_load(is_high(attribute) ? &pool->used_high : &pool->used);
    return gcl_api_leave(error);
}

GCL_API(DeviceSetGraphMemAttribute,
        (int device, enum gclGraphMemAttributeType attribute, void *value)) {
    struct gcl_pool *pool;
    gclError_t error = find_pool(device, attribute, &pool);
    if (!error && (!value || !is_high(attribute) || *(const uint64_t *)value != 0))
        error = gclErrorInvalidValue;
    if (!error)
        atomic_store(&pool->used_high, atomic_load(&pool->used));
    return gcl_api_leave(error);
}
