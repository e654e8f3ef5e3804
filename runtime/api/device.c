// The one device, and settings that a CPU has no use for but programs make.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "exec/engine.h"

#define BUS_ID "0000:00:00.0"

static gclError_t check_device(int device) {
    return device == 0 ? gclSuccess : gclErrorInvalidDevice;
}

GCL_API(DeviceSynchronize, (void)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return gcl_api_leave(error);
    return gcl_api_leave_status(gcl_engine_wait_all(runtime->engine));
}

GCL_API(DeviceReset, (void)) {
    struct gcl_runtime *runtime = gcl_runtime_peek();
    gclError_t error = runtime ? gcl_runtime_reset(runtime) : gclSuccess;
    if (!error)
        gclGetLastError();
    return gcl_api_leave(error);
}

GCL_API(GetDeviceCount, (int *count)) {
    if (!count)
        return gcl_api_leave(gclErrorInvalidValue);
    *count = 1;
    return gclSuccess;
}

GCL_API(GetDevice, (int *device)) {
    if (!device)
        return gcl_api_leave(gclErrorInvalidValue);
    *device = 0;
    return gclSuccess;
}

GCL_API(SetDevice, (int device)) {
    return gcl_api_leave(check_device(device));
}

GCL_API(InitDevice, (int device, unsigned int device_flags, unsigned int flags)) {
    gclError_t error = gclSetDevice(device);
    if (!error && (flags & gclInitDeviceFlagsAreValid))
        error = gclSetDeviceFlags(device_flags);
    return error;
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

GCL_API(DeviceGetP2PAttribute,
        (int *value, enum gclDeviceP2PAttr attribute, int source, int target)) {
    if (!value || attribute < gclDevP2PAttrPerformanceRank ||
        attribute > gclDevP2PAttrCudaArrayAccessSupported)
        return gcl_api_leave(gclErrorInvalidValue);
    // Peers are other devices; there are none.
    (void)source, (void)target;
    return gcl_api_leave(gclErrorInvalidDevice);
}

GCL_API(DeviceCanAccessPeer, (int *can_access, int device, int peer)) {
    if (!can_access)
        return gcl_api_leave(gclErrorInvalidValue);
    if (check_device(device) || check_device(peer))
        return gcl_api_leave(gclErrorInvalidDevice);
    *can_access = 0;
    return gclSuccess;
}

GCL_API(DeviceEnablePeerAccess, (int peer, unsigned int flags)) {
    (void)peer, (void)flags;
    return gcl_api_leave(gclErrorInvalidDevice);
}

GCL_API(DeviceDisablePeerAccess, (int peer)) {
    (void)peer;
    return gcl_api_leave(gclErrorInvalidDevice);
}

GCL_API(DeviceGetPCIBusId, (char *id, int size, int device)) {
    if (check_device(device))
        return gcl_api_leave(gclErrorInvalidDevice);
    if (!id || size < (int)sizeof BUS_ID)
        return gcl_api_leave(gclErrorInvalidValue);
    memcpy(id, BUS_ID, sizeof BUS_ID);
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
    if (domain | bus | number | function)
        return gcl_api_leave(gclErrorInvalidDevice);
    *device = 0;
    return gclSuccess;
}

// Settings.

GCL_API(DeviceGetLimit, (size_t * value, enum gclLimit limit)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !value)
        error = gclErrorInvalidValue;
    if (!error && (unsigned)limit >= GCL_LIMIT_COUNT)
        error = gclErrorUnsupportedLimit;
    if (!error)
        *value = atomic_load(&runtime->limits[limit]);
    return gcl_api_leave(error);
}

GCL_API(DeviceSetLimit, (enum gclLimit limit, size_t value)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (unsigned)limit >= GCL_LIMIT_COUNT)
        error = gclErrorUnsupportedLimit;
    if (!error)
        atomic_store(&runtime->limits[limit], value);
    return gcl_api_leave(error);
}

GCL_API(DeviceGetCacheConfig, (enum gclFuncCache * configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !configuration)
        error = gclErrorInvalidValue;
    if (!error)
        *configuration = (enum gclFuncCache)atomic_load(&runtime->cache_preference);
    return gcl_api_leave(error);
}

GCL_API(DeviceSetCacheConfig, (enum gclFuncCache configuration)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (unsigned)configuration > gclFuncCachePreferEqual)
        error = gclErrorInvalidValue;
    if (!error)
        atomic_store(&runtime->cache_preference, (int)configuration);
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
        *flags = atomic_load(&runtime->device_flags) | gclDeviceMapHost;
    return gcl_api_leave(error);
}

GCL_API(SetDeviceFlags, (unsigned int flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (flags & ~(unsigned)gclDeviceMask))
        error = gclErrorInvalidValue;
    if (!error)
        atomic_store(&runtime->device_flags, flags);
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

GCL_API(ThreadGetLimit, (size_t * value, enum gclLimit limit)) {
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
