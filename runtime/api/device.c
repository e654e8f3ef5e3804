// Devices, and settings that a CPU has no use for but programs make.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/copy.h"
#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"
#include "graph/memory.h"

enum { BUS_ID_SIZE = sizeof "0000:00:00.0" };

static gclError_t check_device(int device) {
    return gcl_devices_has(device) ? gclSuccess : gclErrorInvalidDevice;
}

/// Gives a variable of a device the bytes that it had at first.
static bool reset_variable(void *context, void *address, const void *bytes, size_t size) {
    struct gcl_copy_request request = {
        .box = gcl_copy_row(address, bytes, size), .kind = gclMemcpyHostToDevice, .is_async = true};
    (void)context;
    return gcl_copy(&request) == gclSuccess;
}

/// Frees a device's memory (all kinds); what variables held is lost.
static gclError_t reset(struct gcl_runtime *r, unsigned device) {
    assert(device < r->device_count);
    enum gcl_status status = gcl_engine_wait_all(r->engine);
    if (status == GCL_NOT_PERMITTED)
        return gclErrorNotPermitted;
    status = gcl_engine_recover(r->engine);
    if (status != GCL_OK) {
        gcl_log(
            GCL_LOG_ERROR,
            "cudaDeviceReset: the GPU's context is lost, with what is mapped in it: the program "
            "has to be started again");
        return gcl_api_error(status);
    }
    if (gcl_nodes_have_failed())
        gcl_engine_fail(r->engine, GCL_NODE_LOST);
    gcl_graph_memory_forsake(device);
    gcl_device_reset(r, device);
    if (r->device_count == 1) {
        gcl_registry_displace();
        gcl_space_clear(r->space);
        return gclSuccess;
    }
    gcl_space_clear_device(r->space, device);
    return gcl_registry_reset(r->space, device, reset_variable, NULL) ? gclSuccess
                                                                      : gclErrorMemoryAllocation;
}

GCL_API(DeviceSynchronize, (void)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid_device(gcl_devices_own());
    if (error)
        return gcl_api_leave(error);
    if (runtime->device_count == 1)
        return gcl_api_leave_status(gcl_engine_wait_all(runtime->engine));
    unsigned device = gcl_devices_own();
    if (runtime->spread)
        gcl_spread_await(runtime->spread, gcl_stream_legacy_of(runtime->engine, device));
    return gcl_api_leave_status(gcl_engine_wait_device(runtime->engine, device));
}

GCL_API(DeviceReset, (void)) {
    struct gcl_runtime *runtime = gcl_runtime_peek();
    gclError_t error = gclSuccess;
    if (gcl_capture_is_any())
        error = gcl_capture_forbid_device(gcl_devices_own());
    if (!error && runtime)
        error = reset(runtime, gcl_devices_own());
    if (!error)
        gclGetLastError();
    return gcl_api_leave(error);
}

GCL_API(GetDeviceCount, (int *count)) {
    if (!count)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!gcl_runtime_get() && !gcl_runtime_has_ended())
        return gcl_api_leave(gclErrorInitializationError);
    *count = (int)gcl_devices_count();
    return gclSuccess;
}

GCL_API(GetDevice, (int *device)) {
    if (!device)
        return gcl_api_leave(gclErrorInvalidValue);
    *device = (int)gcl_devices_own();
    return gclSuccess;
}

GCL_API(SetDevice, (int device)) {
    gclError_t error = check_device(device);
    if (!error)
        gcl_devices_use((unsigned)device);
    return gcl_api_leave(error);
}

static gclError_t set_flags(struct gcl_runtime *runtime, unsigned device, unsigned flags) {
    if (flags & ~(unsigned)gclDeviceMask)
        return gclErrorInvalidValue;
    atomic_store(&runtime->devices[device].flags, flags);
    return gclSuccess;
}

GCL_API(InitDevice, (int device, unsigned int device_flags, unsigned int flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error)
        error = check_device(device);
    if (!error && (flags & gclInitDeviceFlagsAreValid))
        error = set_flags(runtime, (unsigned)device, device_flags);
    return gcl_api_leave(error);
}

GCL_API(SetValidDevices, (int *devices, int count)) {
    if (count < 0 || (count > 0 && !devices))
        return gcl_api_leave(gclErrorInvalidValue);
    for (int i = 0; i < count; i++) {
        if (check_device(devices[i]))
            return gcl_api_leave(gclErrorInvalidDevice);
    }
    return gclSuccess;
}

GCL_API(ChooseDevice, (int *device, const struct gclDeviceProp *properties)) {
    if (!device || !properties)
        return gcl_api_leave(gclErrorInvalidValue);
    *device = 0;
    return gclSuccess;
}

// Peers. Bytes move to where they are used, so each device reaches all others; but kernels that run
// at the same time don't see each other's atomic operations.

static bool are_peers(int device, int peer) {
    return device != peer && gcl_devices_has(device) && gcl_devices_has(peer);
}

GCL_API(DeviceGetP2PAttribute,
        (int *value, enum gclDeviceP2PAttr attribute, int source, int target)) {
    if (!value || attribute < gclDevP2PAttrPerformanceRank ||
        attribute > gclDevP2PAttrCudaArrayAccessSupported)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!are_peers(source, target))
        return gcl_api_leave(gclErrorInvalidDevice);
    *value = attribute == gclDevP2PAttrAccessSupported;
    return gclSuccess;
}

GCL_API(DeviceCanAccessPeer, (int *can_access, int device, int peer)) {
    if (!can_access)
        return gcl_api_leave(gclErrorInvalidValue);
    if (check_device(device) || check_device(peer))
        return gcl_api_leave(gclErrorInvalidDevice);
    *can_access = device != peer;
    return gclSuccess;
}

static gclError_t change_access(int peer, bool is_allowed) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    unsigned device = gcl_devices_own();

    if (!error && !are_peers((int)device, peer))
        error = gclErrorInvalidDevice;
    if (error)
        return error;
    bool was_allowed = atomic_exchange(&runtime->devices[device].peers[peer], is_allowed);
    if (was_allowed == is_allowed)
        return is_allowed ? gclErrorPeerAccessAlreadyEnabled : gclErrorPeerAccessNotEnabled;
    gcl_devices_allow(runtime, device, (unsigned)peer, is_allowed);
    return gclSuccess;
}

GCL_API(DeviceEnablePeerAccess, (int peer, unsigned int flags)) {
    return gcl_api_leave(flags ? gclErrorInvalidValue : change_access(peer, true));
}

GCL_API(DeviceDisablePeerAccess, (int peer)) {
    return gcl_api_leave(change_access(peer, false));
}

GCL_API(DeviceGetPCIBusId, (char *id, int size, int device)) {
    if (check_device(device))
        return gcl_api_leave(gclErrorInvalidDevice);
    if (!id || size < BUS_ID_SIZE)
        return gcl_api_leave(gclErrorInvalidValue);
    snprintf(id, (size_t)size, "%04x:%02x:00.0", gcl_devices_pci_domain((unsigned)device),
             gcl_devices_pci_bus((unsigned)device));
    return gclSuccess;
}

GCL_API(DeviceGetByPCIBusId, (int *device, const char *id)) {
    unsigned domain = 0, bus, number, function;

    if (!device || !id)
        return gcl_api_leave(gclErrorInvalidValue);
    if (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &number, &function) != 4) {
        domain = function = 0;
        if (sscanf(id, "%x:%x.%x", &bus, &number, &function) < 2)
            return gcl_api_leave(gclErrorInvalidValue);
    }
    for (unsigned i = 0; number == 0 && function == 0 && i < gcl_devices_count(); i++) {
        if (domain != gcl_devices_pci_domain(i) || bus != gcl_devices_pci_bus(i))
            continue;
        *device = (int)i;
        return gclSuccess;
    }
    return gcl_api_leave(gclErrorInvalidDevice);
}

// Settings.

GCL_API(DeviceGetLimit, (size_t *value, enum gclLimit limit)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !value)
        error = gclErrorInvalidValue;
    if (!error && (unsigned)limit >= GCL_DEVICE_LIMITS)
        error = gclErrorUnsupportedLimit;
    if (!error)
        *value = atomic_load(&gcl_devices_current(runtime)->limits[limit]);
    return gcl_api_leave(error);
}

/// Sets a limit of the current device, or of all nodes' devices where they are one. What another
/// node's says to it is told there.
static gclError_t set_limit(struct gcl_runtime *runtime, enum gclLimit limit, size_t value) {
    const struct gcl_device *own = runtime->device;
    bool is_one = runtime->device_count == 1, is_own = is_one || gcl_devices_own() == 0;
    if (is_own && own->set_limit && !own->set_limit((unsigned)limit, value))
        return gclErrorInvalidValue;
    if (runtime->spread && (is_one || !is_own))
        gcl_spread_limit(runtime->spread, is_one ? UINT32_MAX : gcl_devices_own(), (unsigned)limit,
                         value);
    atomic_store(&gcl_devices_current(runtime)->limits[limit], value);
    return gclSuccess;
}

GCL_API(DeviceSetLimit, (enum gclLimit limit, size_t value)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (unsigned)limit >= GCL_DEVICE_LIMITS)
        error = gclErrorUnsupportedLimit;
    if (!error)
        error = set_limit(runtime, limit, value);
    return gcl_api_leave(error);
}

GCL_API(DeviceGetCacheConfig, (enum gclFuncCache * configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !configuration)
        error = gclErrorInvalidValue;
    if (!error)
        *configuration =
            (enum gclFuncCache)atomic_load(&gcl_devices_current(runtime)->cache_preference);
    return gcl_api_leave(error);
}

GCL_API(DeviceSetCacheConfig, (enum gclFuncCache configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (unsigned)configuration > gclFuncCachePreferEqual)
        error = gclErrorInvalidValue;
    if (!error)
        atomic_store(&gcl_devices_current(runtime)->cache_preference, (int)configuration);
    return gcl_api_leave(error);
}

GCL_API(DeviceGetSharedMemConfig, (enum gclSharedMemConfig * configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !configuration)
        error = gclErrorInvalidValue;
    if (!error)
        *configuration = gclSharedMemBankSizeFourByte;
    return gcl_api_leave(error);
}

GCL_API(DeviceSetSharedMemConfig, (enum gclSharedMemConfig configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (unsigned)configuration > gclSharedMemBankSizeEightByte)
        error = gclErrorInvalidValue;
    return gcl_api_leave(error);
}

GCL_API(GetDeviceFlags, (unsigned int *flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !flags)
        error = gclErrorInvalidValue;
    if (!error)
        *flags = atomic_load(&gcl_devices_current(runtime)->flags) | gclDeviceMapHost;
    return gcl_api_leave(error);
}

GCL_API(SetDeviceFlags, (unsigned int flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error)
        error = set_flags(runtime, gcl_devices_own(), flags);
    return gcl_api_leave(error);
}

// Versions and profiling.

GCL_API(DriverGetVersion, (int *version)) {
    if (!version)
        return gcl_api_leave(gclErrorInvalidValue);
    *version = GCLRT_VERSION;
    return gclSuccess;
}

GCL_API(RuntimeGetVersion, (int *version)) {
    return gclDriverGetVersion(version);
}

GCL_API(ProfilerStart, (void)) {
    return gclSuccess;
}

GCL_API(ProfilerStop, (void)) {
    return gclSuccess;
}

// Old names.

GCL_API(ThreadSynchronize, (void)) {
    return gclDeviceSynchronize();
}

GCL_API(ThreadExit, (void)) {
    return gclDeviceReset();
}

GCL_API(ThreadGetLimit, (size_t *value, enum gclLimit limit)) {
    return gclDeviceGetLimit(value, limit);
}

GCL_API(ThreadSetLimit, (enum gclLimit limit, size_t value)) {
    return gclDeviceSetLimit(limit, value);
}

GCL_API(ThreadGetCacheConfig, (enum gclFuncCache * configuration)) {
    return gclDeviceGetCacheConfig(configuration);
}

GCL_API(ThreadSetCacheConfig, (enum gclFuncCache configuration)) {
    return gclDeviceSetCacheConfig(configuration);
}
