// Devices and contexts. Which device a thread uses is the runtime API's to know; a context that was
// made current counts until the runtime API chooses another device.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/driver/driver.h"
#include "base/log.h"

enum { STACK_DEPTH = 32 };

struct CUctx_st {
    int device;
    unsigned flags;
    unsigned long long id;
    bool is_primary;
    bool is_destroyed;
    struct CUctx_st *next;
};

static struct {
    pthread_mutex_t lock;
    struct CUctx_st *contexts; ///< all that there have been: handles stay what they are
    unsigned long long count;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
    CUcontext contexts[STACK_DEPTH];
    unsigned depth;
} stack;

// Errors.

CUresult gcl_driver_result(gclError_t error) {
    if (error == gclSuccess)
        return CUDA_SUCCESS;
    gcl_api_take_back();
    switch (error) {
    case gclErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    case gclErrorInvalidSymbol:
        return CUDA_ERROR_NOT_FOUND;
    case gclErrorNodeLost:
        return CUDA_ERROR_LAUNCH_FAILED;
    default: // what the runtime API alone tells apart is about arguments
        return error > gclErrorCudartUnloading && error < gclErrorNoDevice
                   ? CUDA_ERROR_INVALID_VALUE
                   : (CUresult)error;
    }
}

// Start.

static atomic_bool is_started;

GCL_CU(Init, (unsigned int flags)) {
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_store(&is_started, true);
    return CUDA_SUCCESS;
}

GCL_CU(DriverGetVersion, (int *version)) {
    return gcl_driver_result(gclDriverGetVersion(version));
}

GCL_CU(ProfilerStart, (void)) {
    return gcl_driver_result(gclProfilerStart());
}

GCL_CU(ProfilerStop, (void)) {
    return gcl_driver_result(gclProfilerStop());
}

// Devices.

static bool is_device(int device) {
    int count = 0;
    return gclGetDeviceCount(&count) == gclSuccess && device >= 0 && device < count;
}

GCL_CU(DeviceGetCount, (int *count)) {
    return gcl_driver_result(gclGetDeviceCount(count));
}

GCL_CU(DeviceGet, (CUdevice * device, int number)) {
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(number))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}

GCL_CU(DeviceGetName, (char *name, int size, CUdevice device)) {
    struct gclDeviceProp properties;
    gclError_t error = gclGetDeviceProperties(&properties, device);
    if (error)
        return gcl_driver_result(error);
    if (!name || size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    size_t length = strnlen(properties.name, (size_t)size - 1);
    memcpy(name, properties.name, length);
    name[length] = 0;
    return CUDA_SUCCESS;
}

GCL_CU_V2(DeviceGetUuid, (CUuuid * uuid, CUdevice device)) {
    struct gclDeviceProp properties;
    gclError_t error = gclGetDeviceProperties(&properties, device);
    if (!error && uuid)
        *uuid = properties.uuid;
    return uuid ? gcl_driver_result(error) : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU_V2(DeviceTotalMem, (size_t *size, CUdevice device)) {
    struct gclDeviceProp properties;
    gclError_t error = gclGetDeviceProperties(&properties, device);
    if (!error && size)
        *size = properties.totalGlobalMem;
    return size ? gcl_driver_result(error) : CUDA_ERROR_INVALID_VALUE;
}

/// Of what the driver API alone asks about, memory that is mapped by hand is there.
GCL_CU(DeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device)) {
    CUresult result =
        gcl_driver_result(gclDeviceGetAttribute(value, (enum gclDeviceAttr)attribute, device));
    bool is_known = (int)attribute > 0 && attribute <= CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED;
    if (result != CUDA_ERROR_INVALID_VALUE || !value || !is_known)
        return result;
    *value = attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    return CUDA_SUCCESS;
}

GCL_CU(DeviceGetProperties, (CUdevprop * properties, CUdevice device)) {
    struct gclDeviceProp all;
    gclError_t error = gclGetDeviceProperties(&all, device);
    if (error || !properties)
        return error ? gcl_driver_result(error) : CUDA_ERROR_INVALID_VALUE;
    *properties = (CUdevprop){.maxThreadsPerBlock = all.maxThreadsPerBlock,
                              .sharedMemPerBlock = (int)all.sharedMemPerBlock,
                              .totalConstantMemory = (int)all.totalConstMem,
                              .SIMDWidth = all.warpSize,
                              .memPitch = (int)all.memPitch,
                              .regsPerBlock = all.regsPerBlock,
                              .clockRate = all.clockRate,
                              .textureAlign = (int)all.textureAlignment};
    memcpy(properties->maxThreadsDim, all.maxThreadsDim, sizeof all.maxThreadsDim);
    memcpy(properties->maxGridSize, all.maxGridSize, sizeof all.maxGridSize);
    return CUDA_SUCCESS;
}

GCL_CU(DeviceComputeCapability, (int *major, int *minor, CUdevice device)) {
    CUresult result =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    if (result != CUDA_SUCCESS)
        return result;
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

GCL_CU(DeviceGetByPCIBusId, (CUdevice * device, const char *id)) {
    return gcl_driver_result(gclDeviceGetByPCIBusId(device, id));
}

GCL_CU(DeviceGetPCIBusId, (char *id, int size, CUdevice device)) {
    return gcl_driver_result(gclDeviceGetPCIBusId(id, size, device));
}

GCL_CU(DeviceCanAccessPeer, (int *can_access, CUdevice device, CUdevice peer)) {
    return gcl_driver_result(gclDeviceCanAccessPeer(can_access, device, peer));
}

GCL_CU(DeviceGetP2PAttribute,
       (int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice target)) {
    return gcl_driver_result(
        gclDeviceGetP2PAttribute(value, (enum gclDeviceP2PAttr)attribute, source, target));
}

// Contexts.

/// NULL: no memory.
static CUcontext create(int device, unsigned flags, bool is_primary) {
    CUcontext context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    *context = (struct CUctx_st){.device = device,
                                 .flags = flags,
                                 .id = ++known.count,
                                 .is_primary = is_primary,
                                 .next = known.contexts};
    known.contexts = context;
    return context;
}

static bool is_known(CUcontext context) {
    pthread_mutex_lock(&known.lock);
    const struct CUctx_st *c = known.contexts;
    while (c && c != context)
        c = c->next;
    bool is = c && !c->is_destroyed;
    pthread_mutex_unlock(&known.lock);
    return is;
}

int gcl_driver_context_device(CUcontext context) {
    return is_known(context) ? context->device : -1;
}

CUcontext gcl_driver_primary(int device) {
    if (!is_device(device))
        return NULL;
    pthread_mutex_lock(&known.lock);
    CUcontext context = known.contexts;
    while (context && !(context->is_primary && context->device == device))
        context = context->next;
    if (!context)
        context = create(device, 0, true);
    pthread_mutex_unlock(&known.lock);
    return context;
}

/// NULL: no context is current.
static CUcontext current(void) {
    int device = (int)gcl_devices_own();
    CUcontext top = stack.depth > 0 ? stack.contexts[stack.depth - 1] : NULL;
    if (top && top->device == device && !top->is_destroyed)
        return top;
    return gcl_runtime_peek() ? gcl_driver_primary(device) : NULL;
}

static void use_top(void) {
    if (stack.depth > 0 && stack.contexts[stack.depth - 1])
        gcl_devices_use((unsigned)stack.contexts[stack.depth - 1]->device);
}

static CUresult push(CUcontext context) {
    if (stack.depth == STACK_DEPTH) {
        gcl_log(GCL_LOG_ERROR, "more than %d contexts are current on one thread", STACK_DEPTH);
        return CUDA_ERROR_INVALID_VALUE;
    }
    stack.contexts[stack.depth++] = context;
    use_top();
    return CUDA_SUCCESS;
}

GCL_CU_V2(CtxCreate, (CUcontext * context, unsigned int flags, CUdevice device)) {
    if (!context || (flags & ~(unsigned)CU_CTX_FLAGS_MASK))
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&known.lock);
    CUcontext made = create(device, flags, false);
    pthread_mutex_unlock(&known.lock);
    CUresult result = made ? push(made) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        *context = made;
    return result;
}

GCL_CU_V2(CtxDestroy, (CUcontext context)) {
    if (!is_known(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.depth > 0 && stack.contexts[stack.depth - 1] == context) {
        stack.depth--;
        use_top();
    }
    pthread_mutex_lock(&known.lock);
    context->is_destroyed = !context->is_primary;
    pthread_mutex_unlock(&known.lock);
    return CUDA_SUCCESS;
}

GCL_CU_V2(CtxPushCurrent, (CUcontext context)) {
    return is_known(context) ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

GCL_CU_V2(CtxPopCurrent, (CUcontext * context)) {
    CUcontext top = current();
    if (!top)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        *context = top;
    stack.depth -= stack.depth > 0;
    use_top();
    return CUDA_SUCCESS;
}

GCL_CU(CtxSetCurrent, (CUcontext context)) {
    if (context && !is_known(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.depth -= stack.depth > 0;
    return context ? push(context) : CUDA_SUCCESS;
}

GCL_CU(CtxGetCurrent, (CUcontext * context)) {
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (!atomic_load(&is_started) && !gcl_runtime_peek())
        return CUDA_ERROR_NOT_INITIALIZED;
    *context = current();
    return CUDA_SUCCESS;
}

GCL_CU(CtxGetDevice, (CUdevice * device)) {
    CUcontext context = current();
    if (!device || !context)
        return device ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *device = context->device;
    return CUDA_SUCCESS;
}

GCL_CU(CtxGetFlags, (unsigned int *flags)) {
    CUcontext context = current();
    if (!flags || !context)
        return flags ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *flags = context->flags;
    return CUDA_SUCCESS;
}

GCL_CU(CtxSetFlags, (unsigned int flags)) {
    CUcontext context = current();
    if (!context || (flags & ~(unsigned)CU_CTX_FLAGS_MASK))
        return context ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_CONTEXT;
    context->flags = flags;
    return CUDA_SUCCESS;
}

GCL_CU(CtxGetId, (CUcontext context, unsigned long long *id)) {
    context = context ? context : current();
    if (!id || !is_known(context))
        return id ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *id = context->id;
    return CUDA_SUCCESS;
}

GCL_CU(CtxGetApiVersion, (CUcontext context, unsigned int *version)) {
    if (!version || (context && !is_known(context)))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

GCL_CU(CtxAttach, (CUcontext * context, unsigned int flags)) {
    return flags ? CUDA_ERROR_INVALID_VALUE : cuCtxGetCurrent(context);
}

GCL_CU(CtxDetach, (CUcontext context)) {
    return is_known(context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

GCL_CU(CtxSynchronize, (void)) {
    return gcl_driver_result(gclDeviceSynchronize());
}

GCL_CU(CtxSetLimit, (CUlimit limit, size_t value)) {
    return gcl_driver_result(gclDeviceSetLimit((enum gclLimit)limit, value));
}

GCL_CU(CtxGetLimit, (size_t *value, CUlimit limit)) {
    return gcl_driver_result(gclDeviceGetLimit(value, (enum gclLimit)limit));
}

GCL_CU(CtxGetCacheConfig, (CUfunc_cache * configuration)) {
    return gcl_driver_result(gclDeviceGetCacheConfig((enum gclFuncCache *)configuration));
}

GCL_CU(CtxSetCacheConfig, (CUfunc_cache configuration)) {
    return gcl_driver_result(gclDeviceSetCacheConfig((enum gclFuncCache)configuration));
}

GCL_CU(CtxGetSharedMemConfig, (CUsharedconfig * configuration)) {
    return gcl_driver_result(gclDeviceGetSharedMemConfig((enum gclSharedMemConfig *)configuration));
}

GCL_CU(CtxSetSharedMemConfig, (CUsharedconfig configuration)) {
    return gcl_driver_result(gclDeviceSetSharedMemConfig((enum gclSharedMemConfig)configuration));
}

GCL_CU(CtxGetStreamPriorityRange, (int *least, int *greatest)) {
    return gcl_driver_result(gclDeviceGetStreamPriorityRange(least, greatest));
}

GCL_CU(CtxResetPersistingL2Cache, (void)) {
    return gcl_driver_result(gclCtxResetPersistingL2Cache());
}

GCL_CU(CtxEnablePeerAccess, (CUcontext peer, unsigned int flags)) {
    if (!is_known(peer))
        return CUDA_ERROR_INVALID_CONTEXT;
    return gcl_driver_result(gclDeviceEnablePeerAccess(peer->device, flags));
}

GCL_CU(CtxDisablePeerAccess, (CUcontext peer)) {
    if (!is_known(peer))
        return CUDA_ERROR_INVALID_CONTEXT;
    return gcl_driver_result(gclDeviceDisablePeerAccess(peer->device));
}

// Primary contexts.

GCL_CU(DevicePrimaryCtxRetain, (CUcontext * context, CUdevice device)) {
    CUcontext primary = gcl_driver_primary(device);
    if (!context || !primary)
        return context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *context = primary;
    return CUDA_SUCCESS;
}

GCL_CU_V2(DevicePrimaryCtxRelease, (CUdevice device)) {
    return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

GCL_CU_V2(DevicePrimaryCtxSetFlags, (CUdevice device, unsigned int flags)) {
    CUcontext primary = gcl_driver_primary(device);
    if (!primary || (flags & ~(unsigned)CU_CTX_FLAGS_MASK))
        return primary ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
    primary->flags = flags;
    return CUDA_SUCCESS;
}

GCL_CU(DevicePrimaryCtxGetState, (CUdevice device, unsigned int *flags, int *is_active)) {
    CUcontext primary = gcl_driver_primary(device);
    if (!primary || !flags || !is_active)
        return primary ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
    *flags = primary->flags;
    *is_active = gcl_runtime_peek() != NULL;
    return CUDA_SUCCESS;
}

/// Of the device that the thread uses, as cudaDeviceReset.
GCL_CU_V2(DevicePrimaryCtxReset, (CUdevice device)) {
    unsigned own = gcl_devices_own();
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    gcl_devices_use((unsigned)device);
    gclError_t error = gclDeviceReset();
    gcl_devices_use(own);
    return gcl_driver_result(error);
}
