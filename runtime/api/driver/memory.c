// Memory: the runtime API's, by addresses that are numbers.
#include <stdint.h>

#include "api/api.h"
#include "api/driver/driver.h"
#include "exec/memory/space.h"

/// Hands on an address that a call has found.
static CUresult give(CUdeviceptr *address, void *pointer, gclError_t error) {
    if (!error && address)
        *address = (uintptr_t)pointer;
    return gcl_driver_result(error);
}

GCL_CU_V2(MemGetInfo, (size_t *free_size, size_t *total_size)) {
    return gcl_driver_result(gclMemGetInfo(free_size, total_size));
}

GCL_CU_V2(MemAlloc, (CUdeviceptr * address, size_t size)) {
    void *pointer = NULL;
    if (!address || size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclMalloc(&pointer, size);
    return give(address, pointer, error);
}

GCL_CU_V2(MemAllocPitch, (CUdeviceptr * address, size_t *pitch, size_t width, size_t height,
                          unsigned int element_size)) {
    void *pointer = NULL;
    if (!address || (element_size != 4 && element_size != 8 && element_size != 16))
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclMallocPitch(&pointer, pitch, width, height);
    return give(address, pointer, error);
}

GCL_CU_V2(MemFree, (CUdeviceptr address)) {
    return gcl_driver_result(gclFree(gcl_driver_pointer(address)));
}

/// The allocation that an address lies in. False: in none.
static bool find(CUdeviceptr address, struct gcl_allocation *found) {
    struct gcl_runtime *runtime;
    return gcl_api_enter(&runtime) == gclSuccess &&
           gcl_space_find(runtime->space, gcl_driver_pointer(address), found) &&
           found->kind != GCL_SPACE_RETIRED;
}

GCL_CU_V2(MemGetAddressRange, (CUdeviceptr * begin, size_t *size, CUdeviceptr address)) {
    struct gcl_allocation found;
    if (!find(address, &found))
        return CUDA_ERROR_NOT_FOUND;
    if (begin)
        *begin = found.begin;
    if (size)
        *size = found.size;
    return CUDA_SUCCESS;
}

GCL_CU_V2(MemAllocHost, (void **pointer, size_t size)) {
    return gcl_driver_result(gclMallocHost(pointer, size));
}

GCL_CU(MemFreeHost, (void *pointer)) {
    return gcl_driver_result(gclFreeHost(pointer));
}

GCL_CU(MemHostAlloc, (void **pointer, size_t size, unsigned int flags)) {
    return gcl_driver_result(gclHostAlloc(pointer, size, flags));
}

GCL_CU_V2(MemHostGetDevicePointer, (CUdeviceptr * address, void *pointer, unsigned int flags)) {
    void *device = NULL;
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclHostGetDevicePointer(&device, pointer, flags);
    return give(address, device, error);
}

GCL_CU(MemHostGetFlags, (unsigned int *flags, void *pointer)) {
    return gcl_driver_result(gclHostGetFlags(flags, pointer));
}

GCL_CU_V2(MemHostRegister, (void *pointer, size_t size, unsigned int flags)) {
    return gcl_driver_result(gclHostRegister(pointer, size, flags));
}

GCL_CU(MemHostUnregister, (void *pointer)) {
    return gcl_driver_result(gclHostUnregister(pointer));
}

GCL_CU(MemAllocManaged, (CUdeviceptr * address, size_t size, unsigned int flags)) {
    void *pointer = NULL;
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclMallocManaged(&pointer, size, flags);
    return give(address, pointer, error);
}

GCL_CU(MemPrefetchAsync, (CUdeviceptr address, size_t size, CUdevice device, CUstream stream)) {
    return gcl_driver_result(
        gclMemPrefetchAsync(gcl_driver_pointer(address), size, device, stream));
}

GCL_CU(MemAdvise, (CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device)) {
    return gcl_driver_result(
        gclMemAdvise(gcl_driver_pointer(address), size, (enum gclMemoryAdvise)advice, device));
}

GCL_CU(MemRangeGetAttribute, (void *value, size_t value_size, CUmem_range_attribute attribute,
                              CUdeviceptr address, size_t size)) {
    return gcl_driver_result(gclMemRangeGetAttribute(value, value_size,
                                                     (enum gclMemRangeAttribute)attribute,
                                                     gcl_driver_pointer(address), size));
}

// What is known of an address.

static CUresult write_attribute(void *value, CUpointer_attribute attribute,
                                const struct gcl_allocation *found, CUdeviceptr address) {
    bool is_host = found->kind == GCL_SPACE_PINNED || found->kind == GCL_SPACE_REGISTERED;
    bool is_managed = found->kind == GCL_SPACE_MANAGED;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = gcl_driver_primary((int)found->device);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!is_host && !is_managed)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)value = gcl_driver_pointer(address);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = is_managed;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = (int)found->device;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)value = found->begin;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)value = found->size;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(unsigned *)value = 1;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

GCL_CU(PointerGetAttribute, (void *value, CUpointer_attribute attribute, CUdeviceptr address)) {
    struct gcl_allocation found;
    if (!value || !find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    return write_attribute(value, attribute, &found, address);
}

/// Of an address that is nobody's, all values are 0.
GCL_CU(PointerGetAttributes,
       (unsigned int count, CUpointer_attribute *attributes, void **values, CUdeviceptr address)) {
    struct gcl_allocation found;
    bool is_found = find(address, &found);
    if (!attributes || !values)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        bool is_wide = attributes[i] == CU_POINTER_ATTRIBUTE_CONTEXT ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE;
        if (is_found && write_attribute(values[i], attributes[i], &found, address) == CUDA_SUCCESS)
            continue;
        if (is_wide)
            *(uint64_t *)values[i] = 0;
        else
            *(unsigned *)values[i] = 0;
    }
    return CUDA_SUCCESS;
}

GCL_CU(PointerSetAttribute,
       (const void *value, CUpointer_attribute attribute, CUdeviceptr address)) {
    struct gcl_allocation found;
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS; // copies that are waited for are in any case
}

// Stream-ordered allocation.

GCL_CU(MemAllocAsync, (CUdeviceptr * address, size_t size, CUstream stream)) {
    void *pointer = NULL;
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclMallocAsync(&pointer, size, stream);
    return give(address, pointer, error);
}

GCL_CU(MemFreeAsync, (CUdeviceptr address, CUstream stream)) {
    return gcl_driver_result(gclFreeAsync(gcl_driver_pointer(address), stream));
}

GCL_CU(MemAllocFromPoolAsync,
       (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream)) {
    void *pointer = NULL;
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclMallocFromPoolAsync(&pointer, size, pool, stream);
    return give(address, pointer, error);
}

static struct gclMemLocation location_of(CUmemLocation location) {
    return (struct gclMemLocation){(enum gclMemLocationType)location.type, location.id};
}

GCL_CU(MemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *properties)) {
    if (!properties)
        return CUDA_ERROR_INVALID_VALUE;
    const struct gclMemPoolProps made = {
        .allocType = (enum gclMemAllocationType)properties->allocType,
        .handleTypes = (enum gclMemAllocationHandleType)properties->handleTypes,
        .location = location_of(properties->location),
        .maxSize = properties->maxSize,
        .usage = properties->usage};
    return gcl_driver_result(gclMemPoolCreate(pool, &made));
}

GCL_CU(MemPoolDestroy, (CUmemoryPool pool)) {
    return gcl_driver_result(gclMemPoolDestroy(pool));
}

GCL_CU(MemPoolTrimTo, (CUmemoryPool pool, size_t kept_size)) {
    return gcl_driver_result(gclMemPoolTrimTo(pool, kept_size));
}

GCL_CU(MemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) {
    return gcl_driver_result(gclMemPoolSetAttribute(pool, (enum gclMemPoolAttr)attribute, value));
}

GCL_CU(MemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) {
    return gcl_driver_result(gclMemPoolGetAttribute(pool, (enum gclMemPoolAttr)attribute, value));
}

GCL_CU(MemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *descriptions, size_t count)) {
    gclError_t error = gclSuccess;
    for (size_t i = 0; i < count && !error; i++) {
        const struct gclMemAccessDesc one = {location_of(descriptions[i].location),
                                             (enum gclMemAccessFlags)descriptions[i].flags};
        error = gclMemPoolSetAccess(pool, &one, 1);
    }
    return gcl_driver_result(error);
}

GCL_CU(MemPoolGetAccess, (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location)) {
    if (!flags || !location)
        return CUDA_ERROR_INVALID_VALUE;
    enum gclMemAccessFlags found = gclMemAccessFlagsProtNone;
    struct gclMemLocation made = location_of(*location);
    gclError_t error = gclMemPoolGetAccess(&found, pool, &made);
    *flags = (CUmemAccess_flags)found;
    return gcl_driver_result(error);
}

GCL_CU(DeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device)) {
    return gcl_driver_result(gclDeviceGetDefaultMemPool(pool, device));
}

GCL_CU(DeviceGetMemPool, (CUmemoryPool * pool, CUdevice device)) {
    return gcl_driver_result(gclDeviceGetMemPool(pool, device));
}

GCL_CU(DeviceSetMemPool, (CUdevice device, CUmemoryPool pool)) {
    return gcl_driver_result(gclDeviceSetMemPool(device, pool));
}
