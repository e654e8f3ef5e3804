// Memory that is mapped by hand: addresses are reserved, memory is made, and put there. Device
// memory here has one address for good, so reserving allocates it, and mapping says which part of
// it a handle means. What would need another place for the same bytes is refused.
#include <pthread.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/driver/driver.h"
#include "base/log.h"

enum { GRANULARITY = 2 << 20 };

struct reservation {
    void *allocation;
    CUdeviceptr begin;
    size_t size;
    int device;
    struct reservation *next;
};

struct handle {
    CUmemAllocationProp properties;
    size_t size;
    CUdeviceptr place; ///< where it is mapped, or was; 0: nowhere yet
    bool is_mapped;
    unsigned references; ///< that the program hasn't released
    struct handle *next;
};

static struct {
    pthread_mutex_t lock;
    struct reservation *reservations;
    struct handle *handles;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_whole(size_t size) {
    return size > 0 && size % GRANULARITY == 0;
}

// Looking up; the lock is held.

static struct handle *find_handle(CUmemGenericAllocationHandle number) {
    struct handle *h = known.handles;
    while (h && (uintptr_t)h != number)
        h = h->next;
    return h;
}

/// What is mapped at an address; NULL: nothing.
static struct handle *find_mapped(CUdeviceptr address) {
    struct handle *h = known.handles;
    while (h && !(h->is_mapped && address - h->place < h->size))
        h = h->next;
    return h;
}

static bool is_free(CUdeviceptr begin, size_t size) {
    const struct handle *h = known.handles;
    while (h && !(h->is_mapped && h->place < begin + size && begin < h->place + h->size))
        h = h->next;
    return !h;
}

/// The reservation that all of a range lies in.
static struct reservation *find_reservation(CUdeviceptr begin, size_t size) {
    struct reservation *r = known.reservations;
    while (r && !(begin >= r->begin && size <= r->size && begin - r->begin <= r->size - size))
        r = r->next;
    return r;
}

/// Gives up a handle that nobody can name or reach any more.
static void drop_unused(struct handle *handle) {
    struct handle **link = &known.handles;
    if (handle->references > 0 || handle->is_mapped)
        return;
    while (*link != handle)
        link = &(*link)->next;
    *link = handle->next;
    free(handle);
}

// Addresses.

GCL_CU(MemGetAllocationGranularity, (size_t *granularity, const CUmemAllocationProp *properties,
                                     CUmemAllocationGranularity_flags option)) {
    (void)option;
    if (!granularity || !properties)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

GCL_CU(MemAddressReserve, (CUdeviceptr * address, size_t size, size_t alignment, CUdeviceptr wanted,
                           unsigned long long flags)) {
    size_t all;
    (void)wanted; // a hint
    if (!address || !is_whole(size) || flags || (alignment & (alignment - 1)))
        return CUDA_ERROR_INVALID_VALUE;
    alignment = alignment > GRANULARITY ? alignment : GRANULARITY;
    struct reservation *made = calloc(1, sizeof *made);
    if (!made || __builtin_add_overflow(size, alignment - 1, &all)) {
        free(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    gclError_t error = gclMalloc(&made->allocation, all);
    if (error) {
        free(made);
        return gcl_driver_result(error);
    }
    made->begin = ((uintptr_t)made->allocation + alignment - 1) & ~(CUdeviceptr)(alignment - 1);
    made->size = size;
    made->device = (int)gcl_devices_own();
    *address = made->begin;
    pthread_mutex_lock(&known.lock);
    made->next = known.reservations;
    known.reservations = made;
    pthread_mutex_unlock(&known.lock);
    return CUDA_SUCCESS;
}

GCL_CU(MemAddressFree, (CUdeviceptr address, size_t size)) {
    pthread_mutex_lock(&known.lock);
    struct reservation **link = &known.reservations, *found;
    while (*link && !((*link)->begin == address && (*link)->size == size))
        link = &(*link)->next;
    found = *link && is_free(address, size) ? *link : NULL;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&known.lock);
    if (!found)
        return CUDA_ERROR_INVALID_VALUE;
    gclError_t error = gclFree(found->allocation);
    free(found);
    return gcl_driver_result(error);
}

// Memory.

GCL_CU(MemCreate, (CUmemGenericAllocationHandle * handle, size_t size,
                   const CUmemAllocationProp *properties, unsigned long long flags)) {
    int count = 0;
    if (!handle || !is_whole(size) || !properties || flags ||
        gclGetDeviceCount(&count) != gclSuccess ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE || properties->location.id < 0 ||
        properties->location.id >= count)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return CUDA_ERROR_NOT_SUPPORTED;
    struct handle *made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&known.lock);
    *made = (struct handle){
        .properties = *properties, .size = size, .references = 1, .next = known.handles};
    known.handles = made;
    pthread_mutex_unlock(&known.lock);
    *handle = (uintptr_t)made;
    return CUDA_SUCCESS;
}

GCL_CU(MemRelease, (CUmemGenericAllocationHandle number)) {
    pthread_mutex_lock(&known.lock);
    struct handle *handle = find_handle(number);
    bool is_held = handle && handle->references > 0;
    if (is_held) {
        handle->references--;
        drop_unused(handle);
    }
    pthread_mutex_unlock(&known.lock);
    return is_held ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU(MemRetainAllocationHandle, (CUmemGenericAllocationHandle * handle, void *address)) {
    pthread_mutex_lock(&known.lock);
    struct handle *found = handle ? find_mapped((uintptr_t)address) : NULL;
    if (found) {
        found->references++;
        *handle = (uintptr_t)found;
    }
    pthread_mutex_unlock(&known.lock);
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU(MemGetAllocationPropertiesFromHandle,
       (CUmemAllocationProp * properties, CUmemGenericAllocationHandle number)) {
    pthread_mutex_lock(&known.lock);
    const struct handle *handle = properties ? find_handle(number) : NULL;
    if (handle)
        *properties = handle->properties;
    pthread_mutex_unlock(&known.lock);
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// Mapping.

static CUresult map(CUdeviceptr address, size_t size, struct handle *handle) {
    const struct reservation *reservation = find_reservation(address, size);
    if (!handle || handle->size != size || !reservation || !is_free(address, size))
        return CUDA_ERROR_INVALID_VALUE;
    bool moves = handle->place && handle->place != address;
    if (handle->is_mapped || moves || handle->properties.location.id != reservation->device) {
        gcl_log(GCL_LOG_ERROR, "cuMemMap: memory can't be mapped %s",
                handle->is_mapped ? "at two addresses"
                : moves           ? "at another address than before"
                                  : "at addresses that were reserved on another device");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    handle->place = address;
    handle->is_mapped = true;
    return CUDA_SUCCESS;
}

GCL_CU(MemMap, (CUdeviceptr address, size_t size, size_t offset,
                CUmemGenericAllocationHandle number, unsigned long long flags)) {
    if (offset || flags)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&known.lock);
    CUresult result = map(address, size, find_handle(number));
    pthread_mutex_unlock(&known.lock);
    return result;
}

/// Whether all of a range is mapped.
static bool is_mapped(CUdeviceptr begin, size_t size) {
    const struct handle *h = find_mapped(begin);
    while (h && h->place + h->size < begin + size)
        h = find_mapped(h->place + h->size);
    return h && size > 0;
}

/// Waits for who uses it, as the memory may be mapped again for something else.
GCL_CU(MemUnmap, (CUdeviceptr address, size_t size)) {
    CUresult result = gcl_driver_result(gclDeviceSynchronize());
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&known.lock);
    bool is = is_mapped(address, size);
    for (struct handle *next, *h = known.handles; h && is; h = next) {
        next = h->next;
        if (!h->is_mapped || h->place < address || h->place + h->size > address + size)
            continue;
        h->is_mapped = false;
        drop_unused(h);
    }
    pthread_mutex_unlock(&known.lock);
    return is ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU(MemSetAccess,
       (CUdeviceptr address, size_t size, const CUmemAccessDesc *descriptions, size_t count)) {
    pthread_mutex_lock(&known.lock);
    bool is = is_mapped(address, size);
    pthread_mutex_unlock(&known.lock);
    return is && (descriptions || count == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU(MemGetAccess,
       (unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)) {
    pthread_mutex_lock(&known.lock);
    bool is = is_mapped(address, 1);
    pthread_mutex_unlock(&known.lock);
    if (!flags || !location || !is)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}
