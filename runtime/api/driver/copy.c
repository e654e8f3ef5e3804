// Copies, and sets of elements of several bytes, which the runtime API has of single bytes: a row's
// first element is copied from the host, and then what is there is doubled until the row is full;
// rows are doubled likewise.
#include <stdint.h>
#include <string.h>

#include "api/driver/driver.h"

GCL_CU(Memcpy, (CUdeviceptr target, CUdeviceptr source, size_t size)) {
    return gcl_driver_result(
        gclMemcpy(gcl_driver_pointer(target), gcl_driver_pointer(source), size, gclMemcpyDefault));
}

GCL_CU(MemcpyAsync, (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream)) {
    return gcl_driver_result(gclMemcpyAsync(gcl_driver_pointer(target), gcl_driver_pointer(source),
                                            size, gclMemcpyDefault, stream));
}

GCL_CU(MemcpyPeer, (CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                    CUcontext source_context, size_t size)) {
    int to = gcl_driver_context_device(target_context);
    int from = gcl_driver_context_device(source_context);
    if (to < 0 || from < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    return gcl_driver_result(
        gclMemcpyPeer(gcl_driver_pointer(target), to, gcl_driver_pointer(source), from, size));
}

GCL_CU(MemcpyPeerAsync, (CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                         CUcontext source_context, size_t size, CUstream stream)) {
    int to = gcl_driver_context_device(target_context);
    int from = gcl_driver_context_device(source_context);
    if (to < 0 || from < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    return gcl_driver_result(gclMemcpyPeerAsync(gcl_driver_pointer(target), to,
                                                gcl_driver_pointer(source), from, size, stream));
}

GCL_CU_V2(MemcpyHtoD, (CUdeviceptr target, const void *source, size_t size)) {
    return gcl_driver_result(
        gclMemcpy(gcl_driver_pointer(target), source, size, gclMemcpyHostToDevice));
}

GCL_CU_V2(MemcpyHtoDAsync, (CUdeviceptr target, const void *source, size_t size, CUstream stream)) {
    return gcl_driver_result(
        gclMemcpyAsync(gcl_driver_pointer(target), source, size, gclMemcpyHostToDevice, stream));
}

GCL_CU_V2(MemcpyDtoH, (void *target, CUdeviceptr source, size_t size)) {
    return gcl_driver_result(
        gclMemcpy(target, gcl_driver_pointer(source), size, gclMemcpyDeviceToHost));
}

GCL_CU_V2(MemcpyDtoHAsync, (void *target, CUdeviceptr source, size_t size, CUstream stream)) {
    return gcl_driver_result(
        gclMemcpyAsync(target, gcl_driver_pointer(source), size, gclMemcpyDeviceToHost, stream));
}

GCL_CU_V2(MemcpyDtoD, (CUdeviceptr target, CUdeviceptr source, size_t size)) {
    return gcl_driver_result(gclMemcpy(gcl_driver_pointer(target), gcl_driver_pointer(source), size,
                                       gclMemcpyDeviceToDevice));
}

GCL_CU_V2(MemcpyDtoDAsync, (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream)) {
    return gcl_driver_result(gclMemcpyAsync(gcl_driver_pointer(target), gcl_driver_pointer(source),
                                            size, gclMemcpyDeviceToDevice, stream));
}

// Sets.

struct set {
    unsigned char *begin;
    size_t pitch;
    unsigned value;
    unsigned element_size; ///< bytes
    size_t width;          ///< elements
    size_t height;
    CUstream stream;
    bool is_async;
};

static bool is_one_byte(const struct set *set) {
    unsigned byte = set->value & 0xff;
    return set->value == (set->element_size == 1   ? byte
                          : set->element_size == 2 ? byte * 0x101u
                                                   : byte * 0x1010101u);
}

static gclError_t set_bytes(const struct set *set, size_t width) {
    int value = set->value & 0xff;
    if (set->is_async)
        return gclMemset2DAsync(set->begin, set->pitch, value, width, set->height, set->stream);
    return gclMemset2D(set->begin, set->pitch, value, width, set->height);
}

static gclError_t copy_row(const struct set *set, size_t target, size_t size) {
    return gclMemcpyAsync(set->begin + target, set->begin, size, gclMemcpyDeviceToDevice,
                          set->stream);
}

/// What a capturing stream is given becomes one node. `*is_done`: it is.
static gclError_t capture(const struct set *set, bool *is_done) {
    const struct gclMemsetParams params = {.dst = set->begin,
                                           .pitch = set->pitch,
                                           .value = set->value,
                                           .elementSize = set->element_size,
                                           .width = set->width,
                                           .height = set->height};
    enum gclStreamCaptureStatus status;
    const gclGraphNode_t *dependencies;
    gclGraphNode_t node;
    gclGraph_t graph;
    size_t count;
    gclError_t error =
        gclStreamGetCaptureInfo(set->stream, &status, NULL, &graph, &dependencies, &count);
    *is_done = !error && status == gclStreamCaptureStatusActive;
    if (error || !*is_done)
        return error;
    error = gclGraphAddMemsetNode(&node, graph, dependencies, count, &params);
    return error ? error
                 : gclStreamUpdateCaptureDependencies(set->stream, &node, 1,
                                                      gclStreamSetCaptureDependencies);
}

/// Whether the host doesn't read it by itself, and so has to wait before it does.
static bool is_device_memory(const void *address) {
    struct gclPointerAttributes attributes;
    return gclPointerGetAttributes(&attributes, address) == gclSuccess &&
           attributes.type == gclMemoryTypeDevice;
}

/// Fills the first row, and from it the others.
static gclError_t set_elements(const struct set *set, size_t width) {
    gclError_t error = gclMemcpyAsync(set->begin, &set->value, set->element_size,
                                      gclMemcpyHostToDevice, set->stream);
    for (size_t done = set->element_size; done < width && !error; done *= 2)
        error = copy_row(set, done, done < width - done ? done : width - done);
    for (size_t done = 1; done < set->height && !error; done *= 2) {
        size_t count = done < set->height - done ? done : set->height - done;
        error = gclMemcpy2DAsync(set->begin + done * set->pitch, set->pitch, set->begin, set->pitch,
                                 width, count, gclMemcpyDeviceToDevice, set->stream);
    }
    if (!error && !set->is_async && !is_device_memory(set->begin))
        error = gclStreamSynchronize(set->stream);
    return error;
}

static CUresult set(const struct set *set) {
    size_t width;
    if (__builtin_mul_overflow(set->width, set->element_size, &width) ||
        (uintptr_t)set->begin % set->element_size || set->pitch % set->element_size)
        return CUDA_ERROR_INVALID_VALUE;
    if (width == 0 || set->height == 0)
        return CUDA_SUCCESS;
    // Single bytes the runtime captures, and waits for, by itself.
    bool is_captured = false;
    gclError_t error =
        set->is_async && set->element_size > 1 ? capture(set, &is_captured) : gclSuccess;
    if (!error && !is_captured)
        error = is_one_byte(set) ? set_bytes(set, width) : set_elements(set, width);
    return gcl_driver_result(error);
}

static CUresult set_row(CUdeviceptr address, unsigned value, unsigned element_size, size_t count) {
    return set(&(struct set){.begin = gcl_driver_pointer(address),
                             .pitch = count * element_size,
                             .value = value,
                             .element_size = element_size,
                             .width = count,
                             .height = 1});
}

static CUresult set_row_async(CUdeviceptr address, unsigned value, unsigned element_size,
                              size_t count, CUstream stream) {
    return set(&(struct set){.begin = gcl_driver_pointer(address),
                             .pitch = count * element_size,
                             .value = value,
                             .element_size = element_size,
                             .width = count,
                             .height = 1,
                             .stream = stream,
                             .is_async = true});
}

#define GCL_CU_SET(bits, type)                                                                     \
    GCL_CU_V2(MemsetD##bits, (CUdeviceptr address, type value, size_t count)) {                    \
        return set_row(address, value, bits / 8, count);                                           \
    }                                                                                              \
    GCL_CU(MemsetD##bits##Async,                                                                   \
           (CUdeviceptr address, type value, size_t count, CUstream stream)) {                     \
        return set_row_async(address, value, bits / 8, count, stream);                             \
    }                                                                                              \
    GCL_CU_V2(MemsetD2D##bits,                                                                     \
              (CUdeviceptr address, size_t pitch, type value, size_t width, size_t height)) {      \
        return set(&(struct set){.begin = gcl_driver_pointer(address),                             \
                                 .pitch = pitch,                                                   \
                                 .value = value,                                                   \
                                 .element_size = bits / 8,                                         \
                                 .width = width,                                                   \
                                 .height = height});                                               \
    }                                                                                              \
    GCL_CU(MemsetD2D##bits##Async, (CUdeviceptr address, size_t pitch, type value, size_t width,   \
                                    size_t height, CUstream stream)) {                             \
        return set(&(struct set){.begin = gcl_driver_pointer(address),                             \
                                 .pitch = pitch,                                                   \
                                 .value = value,                                                   \
                                 .element_size = bits / 8,                                         \
                                 .width = width,                                                   \
                                 .height = height,                                                 \
                                 .stream = stream,                                                 \
                                 .is_async = true});                                               \
    }

GCL_CU_SET(8, unsigned char)
GCL_CU_SET(16, unsigned short)
GCL_CU_SET(32, unsigned int)
