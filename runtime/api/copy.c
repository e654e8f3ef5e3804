// Copies and sets between plain memory.
//
// What is asynchronous follows CUDA: the Async functions return at once, but the source in pageable
// host memory may be changed as soon as they return, so it is staged; into pageable host memory
// they wait. The others wait unless both ends are on the device.
#include "copy.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/log.h"
#include "base/staged.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"

#define STAGED_AT_ONCE ((size_t)64 << 10) // staging costs less than looking what the stream does

struct ends {
    unsigned target, source; // kinds; 0: pageable host memory
};

struct gcl_box_copy gcl_copy_row(void *target, const void *source, size_t size) {
    return (struct gcl_box_copy){.target = target,
                                 .source = source,
                                 .target_pitch = size,
                                 .source_pitch = size,
                                 .target_slice = size,
                                 .source_slice = size,
                                 .width = size,
                                 .height = 1,
                                 .depth = 1};
}

// Bytes from a box's first to its last; false if that is more than addresses can say.
static bool find_span(const struct gcl_box_copy *box, size_t pitch, size_t slice, size_t *span) {
    size_t slices, rows;
    assert(box->height > 0 && box->depth > 0);
    return !__builtin_mul_overflow(slice, box->depth - 1, &slices) &&
           !__builtin_mul_overflow(pitch, box->height - 1, &rows) &&
           !__builtin_add_overflow(slices, rows, span) &&
           !__builtin_add_overflow(*span, box->width, span);
}

static bool is_empty(const struct gcl_box_copy *box) {
    return box->width == 0 || box->height == 0 || box->depth == 0;
}

static bool check_end(struct gcl_runtime *runtime, const void *pointer, size_t span,
                      unsigned *kind) {
    if (pointer && gcl_space_check(runtime->space, pointer, span, kind))
        return true;
    gcl_log(GCL_LOG_INFO, "copy: %zu bytes at %p are not all allocated", span, pointer);
    return false;
}

static gclError_t check_ends(struct gcl_runtime *runtime, const struct gcl_copy_request *request,
                             struct ends *ends) {
    const struct gcl_box_copy *box = &request->box;
    bool needs_target = request->kind == gclMemcpyHostToDevice ||
                        request->kind == gclMemcpyDeviceToDevice || !box->source;
    bool needs_source =
        request->kind == gclMemcpyDeviceToHost || request->kind == gclMemcpyDeviceToDevice;
    size_t span;

    *ends = (struct ends){GCL_SPACE_ARRAY, GCL_SPACE_ARRAY};
    if (!request->is_array_target &&
        (!find_span(box, box->target_pitch, box->target_slice, &span) ||
         !check_end(runtime, box->target, span, &ends->target)))
        return gclErrorInvalidValue;
    if (box->source && !request->is_array_source &&
        (!find_span(box, box->source_pitch, box->source_slice, &span) ||
         !check_end(runtime, box->source, span, &ends->source)))
        return gclErrorInvalidValue;
    if ((needs_target && !ends->target) || (needs_source && box->source && !ends->source)) {
        gcl_log(GCL_LOG_INFO, "copy: %p is no memory of the device",
                (const void *)(needs_target && !ends->target ? box->target : box->source));
        return gclErrorInvalidValue;
    }
    return gclSuccess;
}

static gclError_t check(struct gcl_runtime *runtime, const struct gcl_copy_request *request,
                        struct ends *ends) {
    const struct gcl_box_copy *box = &request->box;

    if ((unsigned)request->kind > gclMemcpyDefault)
        return gclErrorInvalidMemcpyDirection;
    if (is_empty(box))
        return gclSuccess;
    if ((box->height > 1 || box->depth > 1) &&
        (box->width > box->target_pitch || (box->source && box->width > box->source_pitch)))
        return gclErrorInvalidPitchValue;
    return check_ends(runtime, request, ends);
}

// Packs the source into memory of the command's own. False: no memory for that.
static bool stage(struct gcl_box_copy *box) {
    assert(box->source && !is_empty(box));
    size_t size = box->width * box->height * box->depth;
    unsigned char *staging = malloc(size), *to = staging;

    if (!staging)
        return false;
    for (size_t z = 0; z < box->depth; z++) {
        for (size_t y = 0; y < box->height; y++, to += box->width)
            memcpy(to, box->source + z * box->source_slice + y * box->source_pitch, box->width);
    }
    gcl_staged_add(size);
    box->source = box->staging = staging;
    box->source_pitch = box->width;
    box->source_slice = box->width * box->height;
    return true;
}

static bool is_host(unsigned kind) {
    return kind == 0 || kind == GCL_SPACE_PINNED || kind == GCL_SPACE_REGISTERED;
}

static bool must_wait(const struct gcl_copy_request *request, const struct ends *ends) {
    if (request->is_again)
        return false;
    if (request->is_async)
        return ends->target == 0;
    if (!request->box.source)
        return ends->target != GCL_SPACE_DEVICE && ends->target != GCL_SPACE_VARIABLE;
    return is_host(ends->target) || is_host(ends->source) || ends->target == GCL_SPACE_MANAGED ||
           ends->source == GCL_SPACE_MANAGED;
}

// Managed memory is the host's as well. In two kinds of such memory, bytes may overlap: they are
// moved, and the host's addresses are in reach of kernels either way.
static bool brings_addresses(const struct ends *ends) {
    return !is_host(ends->target) && ends->target != GCL_SPACE_MANAGED &&
           (is_host(ends->source) || ends->source == GCL_SPACE_MANAGED);
}

static struct gclPitchedPtr end_of(const void *pointer, size_t pitch, size_t slice,
                                   const struct gcl_box_copy *box) {
    size_t rows = pitch > 0 && box->depth > 1 ? slice / pitch : box->height;
    return make_gclPitchedPtr((void *)(uintptr_t)pointer, pitch, box->width, rows);
}

/// What a capturing stream is given becomes a node.
static gclError_t capture(struct gcl_stream *stream, const struct gcl_copy_request *request) {
    const struct gcl_box_copy *box = &request->box;
    struct gcl_work_of_node work = {.device = gcl_stream_device(stream)};
    if (box->source) {
        work.type = gclGraphNodeTypeMemcpy;
        work.copy = (struct gcl_copy_work){
            .box = *box,
            .kind = request->kind,
            .is_array_target = request->is_array_target,
            .is_array_source = request->is_array_source,
            .asked = {.srcPtr = end_of(box->source, box->source_pitch, box->source_slice, box),
                      .dstPtr = end_of(box->target, box->target_pitch, box->target_slice, box),
                      .extent = make_gclExtent(box->width, box->height, box->depth),
                      .kind = request->kind}};
    } else if (box->depth == 1) {
        work.type = gclGraphNodeTypeMemset;
        work.set = (struct gclMemsetParams){.dst = box->target,
                                            .pitch = box->target_pitch,
                                            .value = (unsigned char)box->value,
                                            .elementSize = 1,
                                            .width = box->width,
                                            .height = box->height};
    } else {
        return gcl_capture_forbid(stream); // as CUDA's nodes are of two dimensions
    }
    return gcl_capture_add(stream, &work);
}

/// Whether the stream captures, and so has what it is given as a node. A copy that is waited for
/// can't be one.
static gclError_t claim(struct gcl_stream *stream, const struct gcl_copy_request *request,
                        bool *is_captured) {
    gclError_t error = gcl_capture_claims(stream, is_captured);
    if (!error && !request->is_async)
        error = *is_captured ? gcl_capture_forbid(stream) : gcl_capture_forbid_unsafe();
    return error;
}

static gclError_t submit(struct gcl_runtime *runtime, const struct gcl_copy_request *request,
                         const struct ends *ends) {
    assert(!is_empty(&request->box));
    struct gcl_stream *stream = gcl_api_stream(runtime, request->stream);
    bool is_captured = false;
    if (!stream)
        return gclErrorInvalidResourceHandle;
    gclError_t error = gcl_capture_is_any() ? claim(stream, request, &is_captured) : gclSuccess;
    if (error || is_captured)
        return error ? error : capture(stream, request);
    struct gcl_command *command = gcl_engine_command(runtime->engine, GCL_COMMAND_COPY);
    if (!command)
        return gclErrorMemoryAllocation;
    bool waits = must_wait(request, ends);
    struct gcl_box_copy *box = &command->copy;

    *box = request->box;
    if (box->source && brings_addresses(ends))
        box->space = runtime->space;
    if (!waits && !request->is_again && box->source && ends->source == 0) {
        // An idle stream copies at once, which is cheaper than staging.
        bool is_idle =
            gcl_engine_is_reached(runtime->engine, gcl_stream_fence(runtime->engine, stream));
        bool stages = !is_idle || box->width * box->height * box->depth <= STAGED_AT_ONCE;
        waits = !stages || !stage(box);
    }
    if (gcl_space_notes_writes(runtime->space))
        box->noted = runtime->space;
    gcl_log(GCL_LOG_TRACE, "%s %zu x %zu x %zu bytes %p -> %p", box->source ? "copy" : "set",
            box->width, box->height, box->depth, (const void *)request->box.source,
            (void *)box->target);
    if (runtime->spread) {
        enum gcl_status status = GCL_NOT_READY;
        if (is_host(ends->target))
            status = gcl_spread_read(runtime->spread, stream, command, waits);
        if (status != GCL_NOT_READY)
            return gcl_api_error(status);
        if (waits && is_host(ends->target))
            gcl_spread_reach(runtime->spread, stream);
        struct gcl_fence fence = gcl_spread_submit(runtime->spread, stream, command);
        if (waits && !is_host(ends->target)) // what comes from the host is safe here
            gcl_engine_reach(runtime->engine, fence);
        else if (waits)
            return gcl_api_error(gcl_engine_wait(runtime->engine, fence));
        return gclSuccess;
    }
    if (waits)
        return gcl_api_error(gcl_engine_run(runtime->engine, stream, command));
    gcl_engine_submit(runtime->engine, stream, command);
    return gclSuccess;
}

gclError_t gcl_copy_check(struct gcl_runtime *runtime, const struct gcl_copy_request *request) {
    struct ends ends;
    return check(runtime, request, &ends);
}

gclError_t gcl_copy(const struct gcl_copy_request *request) {
    struct gcl_runtime *runtime;
    struct ends ends;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error)
        error = check(runtime, request, &ends);
    if (error || is_empty(&request->box))
        return error;
    return submit(runtime, request, &ends);
}

// Copies.

static gclError_t copy_bytes(void *target, const void *source, size_t size,
                             struct gcl_copy_request *request) {
    if (size > 0 && (!target || !source))
        return gclErrorInvalidValue;
    request->box = gcl_copy_row(target, source, size);
    return gcl_copy(request);
}

GCL_API(Memcpy, (void *target, const void *source, size_t size, enum gclMemcpyKind kind)) {
    struct gcl_copy_request request = {.kind = kind};
    return gcl_api_leave(copy_bytes(target, source, size, &request));
}

GCL_API(MemcpyAsync, (void *target, const void *source, size_t size, enum gclMemcpyKind kind,
                      gclStream_t stream)) {
    struct gcl_copy_request request = {.kind = kind, .stream = stream, .is_async = true};
    return gcl_api_leave(copy_bytes(target, source, size, &request));
}

GCL_API(MemcpyPeer,
        (void *target, int target_device, const void *source, int source_device, size_t size)) {
    if (!gcl_devices_has(target_device) || !gcl_devices_has(source_device))
        return gcl_api_leave(gclErrorInvalidDevice);
    return gclMemcpy(target, source, size, gclMemcpyDeviceToDevice);
}

GCL_API(MemcpyPeerAsync, (void *target, int target_device, const void *source, int source_device,
                          size_t size, gclStream_t stream)) {
    if (!gcl_devices_has(target_device) || !gcl_devices_has(source_device))
        return gcl_api_leave(gclErrorInvalidDevice);
    return gclMemcpyAsync(target, source, size, gclMemcpyDeviceToDevice, stream);
}

// Batches.

/// Copies whose attributes are the same follow each other. `*waits`: the program may change a
/// source when the call returns.
static bool are_batch(const gclMemcpyAttributes *attributes, const size_t *first, size_t count,
                      size_t copies, bool *waits) {
    *waits = false;
    if (!attributes || !first || count == 0 || count > copies || first[0] != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        enum gclMemcpySrcAccessOrder order = attributes[i].srcAccessOrder;
        if (order < gclMemcpySrcAccessOrderStream || order > gclMemcpySrcAccessOrderAny ||
            attributes[i].flags > gclMemcpyFlagPreferOverlapWithCompute || first[i] >= copies ||
            (i > 0 && first[i] <= first[i - 1]))
            return false;
        *waits |= order == gclMemcpySrcAccessOrderDuringApiCall;
    }
    return true;
}

GCL_API(MemcpyBatchAsync, (void **targets, void **sources, size_t *sizes, size_t count,
                           gclMemcpyAttributes *attributes, size_t *first, size_t attribute_count,
                           size_t *failed, gclStream_t stream)) {
    bool waits;
    if (failed)
        *failed = SIZE_MAX;
    if (!targets || !sources || !sizes || !stream || stream == gclStreamLegacy ||
        !are_batch(attributes, first, attribute_count, count, &waits))
        return gcl_api_leave(gclErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        gclError_t error = sizes[i] == 0 ? gcl_api_leave(gclErrorInvalidValue)
                                         : gclMemcpyAsync(targets[i], sources[i], sizes[i],
                                                          gclMemcpyDefault, stream);
        if (error && failed)
            *failed = i;
        if (error)
            return error;
    }
    return waits ? gclStreamSynchronize(stream) : gclSuccess;
}

static struct gcl_box_copy rows(void *target, size_t target_pitch, const void *source,
                                size_t source_pitch) {
    return (struct gcl_box_copy){.target = target,
                                 .source = source,
                                 .target_pitch = target_pitch,
                                 .source_pitch = source_pitch,
                                 .depth = 1};
}

static gclError_t copy_rows(struct gcl_copy_request *request, size_t width, size_t height) {
    struct gcl_box_copy *box = &request->box;

    box->width = width;
    box->height = height;
    if (!is_empty(box) && (!box->target || !box->source))
        return gclErrorInvalidValue;
    if (width > box->target_pitch || width > box->source_pitch)
        return gclErrorInvalidPitchValue;
    return gcl_copy(request);
}

GCL_API(Memcpy2D, (void *target, size_t target_pitch, const void *source, size_t source_pitch,
                   size_t width, size_t height, enum gclMemcpyKind kind)) {
    struct gcl_copy_request request = {.box = rows(target, target_pitch, source, source_pitch),
                                       .kind = kind};
    return gcl_api_leave(copy_rows(&request, width, height));
}

GCL_API(Memcpy2DAsync, (void *target, size_t target_pitch, const void *source, size_t source_pitch,
                        size_t width, size_t height, enum gclMemcpyKind kind, gclStream_t stream)) {
    struct gcl_copy_request request = {.box = rows(target, target_pitch, source, source_pitch),
                                       .kind = kind,
                                       .stream = stream,
                                       .is_async = true};
    return gcl_api_leave(copy_rows(&request, width, height));
}

// Sets.

static gclError_t set(struct gcl_copy_request *request, int value) {
    request->kind = gclMemcpyDefault;
    request->box.value = value;
    if (!is_empty(&request->box) && !request->box.target)
        return gclErrorInvalidValue;
    return gcl_copy(request);
}

GCL_API(Memset, (void *pointer, int value, size_t size)) {
    struct gcl_copy_request request = {.box = gcl_copy_row(pointer, NULL, size)};
    return gcl_api_leave(set(&request, value));
}

GCL_API(MemsetAsync, (void *pointer, int value, size_t size, gclStream_t stream)) {
    struct gcl_copy_request request = {
        .box = gcl_copy_row(pointer, NULL, size), .stream = stream, .is_async = true};
    return gcl_api_leave(set(&request, value));
}

static struct gcl_box_copy pitched(struct gclPitchedPtr pointer, struct gclExtent extent) {
    return (struct gcl_box_copy){.target = pointer.ptr,
                                 .target_pitch = pointer.pitch,
                                 .target_slice = pointer.pitch * pointer.ysize,
                                 .width = extent.width,
                                 .height = extent.height,
                                 .depth = extent.depth};
}

GCL_API(Memset3D, (struct gclPitchedPtr pointer, int value, struct gclExtent extent)) {
    struct gcl_copy_request request = {.box = pitched(pointer, extent)};
    return gcl_api_leave(set(&request, value));
}

GCL_API(Memset3DAsync,
        (struct gclPitchedPtr pointer, int value, struct gclExtent extent, gclStream_t stream)) {
    struct gcl_copy_request request = {
        .box = pitched(pointer, extent), .stream = stream, .is_async = true};
    return gcl_api_leave(set(&request, value));
}

GCL_API(Memset2D, (void *pointer, size_t pitch, int value, size_t width, size_t height)) {
    return gclMemset3D(make_gclPitchedPtr(pointer, pitch, width, height), value,
                       make_gclExtent(width, height, 1));
}

GCL_API(Memset2DAsync,
        (void *pointer, size_t pitch, int value, size_t width, size_t height, gclStream_t stream)) {
    return gclMemset3DAsync(make_gclPitchedPtr(pointer, pitch, width, height), value,
                            make_gclExtent(width, height, 1), stream);
}
