// Devices are made once, at start; a reset gives their settings the first values.
#include "process/devices.h"

#include <assert.h>
#include <stdlib.h>

#include "exec/spread/spread.h"
#include "process/pool.h"
#include "process/runtime.h"

static _Thread_local unsigned own;

static const size_t first_limits[GCL_DEVICE_LIMITS] = {
    [gclLimitStackSize] = 1024,
    [gclLimitPrintfFifoSize] = 1 << 20,
    [gclLimitMallocHeapSize] = 8 << 20,
    [gclLimitDevRuntimeSyncDepth] = 2,
    [gclLimitDevRuntimePendingLaunchCount] = 2048,
    [gclLimitMaxL2FetchGranularity] = 64,
    [gclLimitPersistingL2CacheSize] = 0,
};

static void set_limits(struct gcl_visible_device *device) {
    for (int i = 0; i < GCL_DEVICE_LIMITS; i++)
        atomic_store(&device->limits[i], first_limits[i]);
}

bool gcl_devices_init(struct gcl_runtime *runtime, unsigned count) {
    assert(count > 0 && !runtime->devices);
    runtime->devices = calloc(count, sizeof *runtime->devices);
    runtime->device_count = count;
    for (unsigned i = 0; runtime->devices && i < count; i++) {
        struct gcl_visible_device *device = &runtime->devices[i];
        set_limits(device);
        device->peers = calloc(count, sizeof *device->peers);
        device->rights = calloc(count, sizeof *device->rights);
        device->default_pool = gcl_pool_create(i, count);
        device->graph_pool = gcl_pool_create(i, count);
        device->live_pool = gcl_pool_create(i, count);
        if (!device->peers || !device->rights || !device->default_pool || !device->graph_pool ||
            !device->live_pool)
            return false;
        atomic_init(&device->pool, device->default_pool);
    }
    return runtime->devices != NULL;
}

void gcl_devices_allow(struct gcl_runtime *runtime, unsigned device, unsigned peer,
                       bool is_allowed) {
    assert(device < runtime->device_count && peer < runtime->device_count && device != peer);
    atomic_uint *rights = &runtime->devices[device].rights[peer];
    unsigned before = is_allowed ? atomic_fetch_add(rights, 1) : atomic_fetch_sub(rights, 1);
    if (before == !is_allowed && runtime->spread)
        gcl_spread_allow(runtime->spread, device, peer, is_allowed);
}

void gcl_device_reset(struct gcl_runtime *runtime, unsigned index) {
    assert(index < runtime->device_count);
    struct gcl_visible_device *device = &runtime->devices[index];
    set_limits(device);
    gcl_pool_reset(device);
    for (unsigned peer = 0; peer < runtime->device_count; peer++) {
        if (atomic_exchange(&device->peers[peer], false))
            gcl_devices_allow(runtime, index, peer, false);
    }
}

unsigned gcl_devices_count(void) {
    const struct gcl_runtime *runtime = gcl_runtime_get();
    return runtime ? runtime->device_count : 1;
}

bool gcl_devices_has(int device) {
    return device >= 0 && (unsigned)device < gcl_devices_count();
}

unsigned gcl_devices_pci_domain(unsigned device) {
    return device >> 8;
}

unsigned gcl_devices_pci_bus(unsigned device) {
    return device & 0xff;
}

struct gcl_visible_device *gcl_devices_current(struct gcl_runtime *runtime) {
    assert(own < runtime->device_count);
    return &runtime->devices[own];
}

unsigned gcl_devices_own(void) {
    return own;
}

void gcl_devices_use(unsigned device) {
    own = device;
}
