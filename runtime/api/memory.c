// Allocation. Device, managed and pinned memory all lie in the reserved range and are ordinary
// memory of this machine; they differ in what the API allows with them.
#include <assert.h>
#include <stdint.h>

#include "api/api.h"
#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"
#include "exec/spread/spread.h"
#include "gcluster/sanitize.h"
#include "graph/capture.h"
#include "graph/memory.h"
#include "process/pool.h"

enum { PITCH_ALIGNMENT = 512 };

// Where the program makes its next allocation, as overloads in C++ say with --sanitize=init.
static _Thread_local struct {
    const char *file;
    uint32_t line;
} place;

void gcl_allocation_place(const char *file, uint32_t line) {
    place.file = file;
    place.line = line;
}

void gcl_api_take_place(struct gcl_allocation *request) {
    assert(request);
    request->file = place.file;
    request->line = place.line;
    place.file = NULL;
}

static gclError_t allocate(size_t size, enum gcl_space_kind kind, unsigned flags, void **pointer) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    struct gcl_allocation request = {
        .size = size, .kind = kind, .device = gcl_devices_own(), .flags = flags};
    gcl_api_take_place(&request);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid_unsafe();
    if (error)
        return error;
    if (!pointer)
        return gclErrorInvalidValue;
    if (size == 0) {
        *pointer = NULL;
        return gclSuccess;
    }
    error = gcl_api_error(gcl_space_allocate(runtime->space, &request, pointer));
    if (!error)
        gcl_log(GCL_LOG_DEBUG, "allocate %zu bytes at %p", size, *pointer);
    return error;
}

// Like CUDA, waits until nothing uses the memory any more.
static gclError_t release(void *pointer, unsigned kinds) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid_unsafe();
    if (error || !pointer)
        return error;
    enum gcl_status status = gcl_engine_wait_all(runtime->engine);
    if (status != GCL_OK)
        return gcl_api_error(status);
    if (gcl_graph_memory_free(pointer, &error))
        return error;
    gcl_log(GCL_LOG_DEBUG, "free %p", pointer);
    bool is_found = gcl_space_find(runtime->space, pointer, &found);
    status = gcl_space_free(runtime->space, pointer, kinds);
    if (status == GCL_OK && is_found)
        gcl_pool_forget(&found);
    return gcl_api_error(status);
}

GCL_API(Malloc, (void **pointer, size_t size)) {
    return gcl_api_leave(allocate(size, GCL_SPACE_DEVICE, 0, pointer));
}

GCL_API(Free, (void *pointer)) {
    return gcl_api_leave(release(pointer, GCL_SPACE_DEVICE | GCL_SPACE_MANAGED));
}

GCL_API(MallocManaged, (void **pointer, size_t size, unsigned int flags)) {
    if (size == 0 || (flags != gclMemAttachGlobal && flags != gclMemAttachHost))
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(allocate(size, GCL_SPACE_MANAGED, flags, pointer));
}

GCL_API(HostAlloc, (void **pointer, size_t size, unsigned int flags)) {
    const unsigned known = gclHostAllocPortable | gclHostAllocMapped | gclHostAllocWriteCombined;
    if (flags & ~known)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(allocate(size, GCL_SPACE_PINNED, flags, pointer));
}

GCL_API(MallocHost, (void **pointer, size_t size)) {
    return gclHostAlloc(pointer, size, gclHostAllocDefault);
}

GCL_API(FreeHost, (void *pointer)) {
    return gcl_api_leave(release(pointer, GCL_SPACE_PINNED));
}

GCL_API(MallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height)) {
    if (!pointer || !pitch)
        return gcl_api_leave(gclErrorInvalidValue);
    if (width > SIZE_MAX - PITCH_ALIGNMENT)
        return gcl_api_leave(gclErrorMemoryAllocation);
    size_t rounded = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    size_t size;
    if (__builtin_mul_overflow(rounded, height, &size))
        return gcl_api_leave(gclErrorMemoryAllocation);
    gclError_t error = gclMalloc(pointer, size);
    if (!error)
        *pitch = rounded;
    return error;
}

GCL_API(Malloc3D, (struct gclPitchedPtr * pointer, struct gclExtent extent)) {
    void *memory = NULL;
    size_t pitch = 0, rows;

    if (!pointer)
        return gcl_api_leave(gclErrorInvalidValue);
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return gcl_api_leave(gclErrorMemoryAllocation);
    gclError_t error = gclMallocPitch(&memory, &pitch, extent.width, rows);
    if (!error)
        *pointer = make_gclPitchedPtr(memory, pitch, extent.width, extent.height);
    return error;
}

// Host memory.

GCL_API(HostRegister, (void *pointer, size_t size, unsigned int flags)) {
    const unsigned known = gclHostRegisterPortable | gclHostRegisterMapped |
                           gclHostRegisterIoMemory | gclHostRegisterReadOnly;
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (flags & ~known))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    const struct gcl_allocation request = {.begin = (uintptr_t)pointer,
                                           .size = size,
                                           .kind = GCL_SPACE_REGISTERED,
                                           .device = gcl_devices_own(),
                                           .flags = flags};
    enum gcl_status status = gcl_space_register(runtime->space, &request);
    if (status == GCL_NOT_PERMITTED)
        return gcl_api_leave(gclErrorHostMemoryAlreadyRegistered);
    return gcl_api_leave_status(status);
}

GCL_API(HostUnregister, (void *pointer)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !pointer)
        error = gclErrorInvalidValue;
    if (!error)
        error = gcl_api_error(gcl_engine_wait_all(runtime->engine));
    if (!error && gcl_space_unregister(runtime->space, pointer) != GCL_OK)
        error = gclErrorHostMemoryNotRegistered;
    return gcl_api_leave(error);
}

static bool is_host(const struct gcl_allocation *found) {
    return found->kind == GCL_SPACE_PINNED || found->kind == GCL_SPACE_REGISTERED;
}

GCL_API(HostGetDevicePointer, (void **device, void *host, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error &&
        (!device || flags || !gcl_space_find(runtime->space, host, &found) || !is_host(&found)))
        error = gclErrorInvalidValue;
    if (!error)
        *device = host;
    return gcl_api_leave(error);
}

GCL_API(HostGetFlags, (unsigned int *flags, void *host)) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (!flags || !gcl_space_find(runtime->space, host, &found) || !is_host(&found)))
        error = gclErrorInvalidValue;
    if (!error) // all pinned memory is mapped, as CUDA says it where addresses are unified
        *flags = found.flags | gclHostAllocMapped;
    return gcl_api_leave(error);
}

// Questions.

GCL_API(MemGetInfo, (size_t *free_size, size_t *total_size)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (!free_size || !total_size))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    *total_size = gcl_space_capacity(runtime->space, gcl_devices_own());
    *free_size = gcl_space_left(runtime->space, gcl_devices_own());
    return gclSuccess;
}

static void describe(const void *pointer, const struct gcl_allocation *found,
                     struct gclPointerAttributes *attributes) {
    void *address = (void *)(uintptr_t)pointer;

    *attributes =
        (struct gclPointerAttributes){.device = (int)found->device, .devicePointer = address};
    switch (found->kind) {
    case GCL_SPACE_PINNED:
    case GCL_SPACE_REGISTERED:
        attributes->type = gclMemoryTypeHost;
        attributes->hostPointer = address;
        break;
    case GCL_SPACE_MANAGED:
        attributes->type = gclMemoryTypeManaged;
        attributes->hostPointer = address;
        break;
    default:
        attributes->type = gclMemoryTypeDevice;
    }
}

GCL_API(PointerGetAttributes, (struct gclPointerAttributes * attributes, const void *pointer)) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && !attributes)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    if (gcl_space_find(runtime->space, pointer, &found) && found.kind != GCL_SPACE_RETIRED)
        describe(pointer, &found, attributes);
    else
        *attributes = (struct gclPointerAttributes){.type = gclMemoryTypeUnregistered,
                                                    .device = gclInvalidDeviceId,
                                                    .hostPointer = (void *)(uintptr_t)pointer};
    return gclSuccess;
}

// Hints. They are checked, since programs check what they return. All of them but one change
// nothing: kernels have what they need brought to them.

static gclError_t check_hint(const void *pointer, size_t size, int device) {
    struct gcl_runtime *runtime;
    unsigned kind;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return error;
    if (!pointer || size == 0 || !gcl_space_check(runtime->space, pointer, size, &kind) ||
        kind != GCL_SPACE_MANAGED)
        return gclErrorInvalidValue;
    return device == gclCpuDeviceId || gcl_devices_has(device) ? gclSuccess : gclErrorInvalidDevice;
}

GCL_API(MemPrefetchAsync, (const void *pointer, size_t size, int device, gclStream_t stream)) {
    gclError_t error = check_hint(pointer, size, device);
    struct gcl_runtime *runtime = gcl_runtime_peek();
    struct gcl_stream *on = error ? NULL : gcl_api_stream(runtime, stream);
    if (!error && !on)
        error = gclErrorInvalidResourceHandle;
    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid(on);
    if (!error && device == gclCpuDeviceId && runtime->spread)
        gcl_spread_prefetch(runtime->spread, on, pointer, size);
    return gcl_api_leave(error);
}

GCL_API(MemAdvise, (const void *pointer, size_t size, enum gclMemoryAdvise advice, int device)) {
    bool has_device = advice == gclMemAdviseSetPreferredLocation ||
                      advice == gclMemAdviseSetAccessedBy || advice == gclMemAdviseUnsetAccessedBy;
    if (advice < gclMemAdviseSetReadMostly || advice > gclMemAdviseUnsetAccessedBy)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(check_hint(pointer, size, has_device ? device : 0));
}

GCL_API(MemRangeGetAttribute, (void *value, size_t value_size, enum gclMemRangeAttribute attribute,
                               const void *pointer, size_t size)) {
    gclError_t error = check_hint(pointer, size, 0);
    if (!error && (!value || value_size < sizeof(int) || attribute < 1 ||
                   attribute > gclMemRangeAttributeLastPrefetchLocation))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    int *values = value;
    for (size_t i = 0; i < value_size / sizeof(int); i++)
        values[i] = attribute == gclMemRangeAttributeReadMostly ? 0 : gclInvalidDeviceId;
    return gclSuccess;
}

GCL_API(MemRangeGetAttributes,
        (void **values, size_t *value_sizes, enum gclMemRangeAttribute *attributes, size_t count,
         const void *pointer, size_t size)) {
    gclError_t error = gclSuccess;
    if (count == 0 || !values || !value_sizes || !attributes)
        return gcl_api_leave(gclErrorInvalidValue);
    for (size_t i = 0; i < count && !error; i++)
        error = gclMemRangeGetAttribute(values[i], value_sizes[i], attributes[i], pointer, size);
    return error;
}
