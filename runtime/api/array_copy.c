// Copies to and from arrays, and 3D copies between anything. Offsets and widths of 2D copies are
// bytes, of 3D copies texels where an array takes part.
#include <assert.h>
#include <stdint.h>

#include "api/api.h"
#include "api/array.h"
#include "api/copy.h"

// One end of a copy in an array.
struct place {
    struct gclArray *array;
    size_t x, y, z; // x in bytes
};

static unsigned char *address(const struct place *p) {
    assert(p->array);
    const struct gcl_texels *t = &p->array->texels;
    return t->data + p->z * t->slice_pitch + p->y * t->row_pitch + p->x;
}

static bool fits(const struct place *p, const struct gcl_box_copy *box) {
    const struct gcl_texels *t = &p->array->texels;
    size_t row = t->width * p->array->texel_size;
    return p->x <= row && box->width <= row - p->x && p->y <= t->height &&
           box->height <= t->height - p->y && p->z <= t->depth && box->depth <= t->depth - p->z;
}

static gclError_t set_target(struct gcl_copy_request *request, const struct place *place) {
    if (!place->array || !fits(place, &request->box))
        return gclErrorInvalidValue;
    request->is_array_target = true;
    request->box.target = address(place);
    request->box.target_pitch = place->array->texels.row_pitch;
    request->box.target_slice = place->array->texels.slice_pitch;
    return gclSuccess;
}

static gclError_t set_source(struct gcl_copy_request *request, const struct place *place) {
    if (!place->array || !fits(place, &request->box))
        return gclErrorInvalidValue;
    request->is_array_source = true;
    request->box.source = address(place);
    request->box.source_pitch = place->array->texels.row_pitch;
    request->box.source_slice = place->array->texels.slice_pitch;
    return gclSuccess;
}

static struct place place_2d(gclArray_const_t array, size_t x, size_t y) {
    return (struct place){.array = (struct gclArray *)(uintptr_t)array, .x = x, .y = y};
}

static gclError_t copy_2d_to(struct gcl_copy_request *request, const struct place *place) {
    gclError_t error = set_target(request, place);
    if (error)
        return error;
    if (!request->box.source && request->box.width > 0 && request->box.height > 0)
        return gclErrorInvalidValue;
    if (request->box.width > request->box.source_pitch)
        return gclErrorInvalidPitchValue;
    return gcl_copy(request);
}

static gclError_t copy_2d_from(struct gcl_copy_request *request, const struct place *place) {
    gclError_t error = set_source(request, place);
    if (error)
        return error;
    if (!request->box.target && request->box.width > 0 && request->box.height > 0)
        return gclErrorInvalidValue;
    if (request->box.width > request->box.target_pitch)
        return gclErrorInvalidPitchValue;
    return gcl_copy(request);
}

GCL_API(Memcpy2DToArray,
        (gclArray_t target, size_t x, size_t y, const void *source, size_t source_pitch,
         size_t width, size_t height, enum gclMemcpyKind kind)) {
    struct place place = place_2d(target, x, y);
    struct gcl_copy_request request = {.box = {.source = source,
                                               .source_pitch = source_pitch,
                                               .width = width,
                                               .height = height,
                                               .depth = 1},
                                       .kind = kind};
    return gcl_api_leave(copy_2d_to(&request, &place));
}

GCL_API(Memcpy2DToArrayAsync,
        (gclArray_t target, size_t x, size_t y, const void *source, size_t source_pitch,
         size_t width, size_t height, enum gclMemcpyKind kind, gclStream_t stream)) {
    struct place place = place_2d(target, x, y);
    struct gcl_copy_request request = {.box = {.source = source,
                                               .source_pitch = source_pitch,
                                               .width = width,
                                               .height = height,
                                               .depth = 1},
                                       .kind = kind,
                                       .stream = stream,
                                       .is_async = true};
    return gcl_api_leave(copy_2d_to(&request, &place));
}

GCL_API(Memcpy2DFromArray, (void *target, size_t target_pitch, gclArray_const_t source, size_t x,
                            size_t y, size_t width, size_t height, enum gclMemcpyKind kind)) {
    struct place place = place_2d(source, x, y);
    struct gcl_copy_request request = {.box = {.target = target,
                                               .target_pitch = target_pitch,
                                               .width = width,
                                               .height = height,
                                               .depth = 1},
                                       .kind = kind};
    return gcl_api_leave(copy_2d_from(&request, &place));
}

GCL_API(Memcpy2DFromArrayAsync,
        (void *target, size_t target_pitch, gclArray_const_t source, size_t x, size_t y,
         size_t width, size_t height, enum gclMemcpyKind kind, gclStream_t stream)) {
    struct place place = place_2d(source, x, y);
    struct gcl_copy_request request = {.box = {.target = target,
                                               .target_pitch = target_pitch,
                                               .width = width,
                                               .height = height,
                                               .depth = 1},
                                       .kind = kind,
                                       .stream = stream,
                                       .is_async = true};
    return gcl_api_leave(copy_2d_from(&request, &place));
}

GCL_API(Memcpy2DArrayToArray,
        (gclArray_t target, size_t target_x, size_t target_y, gclArray_const_t source,
         size_t source_x, size_t source_y, size_t width, size_t height, enum gclMemcpyKind kind)) {
    struct place to = place_2d(target, target_x, target_y);
    struct place from = place_2d(source, source_x, source_y);
    struct gcl_copy_request request = {.box = {.width = width, .height = height, .depth = 1},
                                       .kind = kind};
    gclError_t error = set_target(&request, &to);
    if (!error)
        error = set_source(&request, &from);
    if (!error)
        error = gcl_copy(&request);
    return gcl_api_leave(error);
}

/// Bytes from a place to the end of its array, row after row; 0 if there is no such place.
static size_t rest(const struct place *p) {
    if (!p->array)
        return 0;
    size_t row = p->array->texels.width * p->array->texel_size, rows = p->array->texels.height;
    return p->x < row && p->y < rows ? row * (rows - p->y) - p->x : 0;
}

/// Goes on by bytes within a row, to the next one from its end.
static void advance(struct place *p, size_t size) {
    size_t row = p->array->texels.width * p->array->texel_size;
    assert(p->x + size <= row);
    p->x = p->x + size == row ? 0 : p->x + size;
    p->y += p->x == 0;
}

/// Pieces end where a row of either array does.
static gclError_t copy_pieces(struct place to, struct place from, size_t size,
                              enum gclMemcpyKind kind) {
    gclError_t error = gclSuccess;
    if (size > rest(&to) || size > rest(&from))
        return gclErrorInvalidValue;
    while (!error && size > 0) {
        size_t left = to.array->texels.width * to.array->texel_size - to.x;
        size_t other = from.array->texels.width * from.array->texel_size - from.x;
        size_t piece = left < other ? left : other;
        piece = piece < size ? piece : size;
        struct gcl_copy_request request = {.box = {.width = piece, .height = 1, .depth = 1},
                                           .kind = kind};
        error = set_target(&request, &to);
        if (!error)
            error = set_source(&request, &from);
        if (!error)
            error = gcl_copy(&request);
        advance(&to, piece);
        advance(&from, piece);
        size -= piece;
    }
    return error;
}

GCL_API(MemcpyArrayToArray,
        (gclArray_t target, size_t target_x, size_t target_y, gclArray_const_t source,
         size_t source_x, size_t source_y, size_t size, enum gclMemcpyKind kind)) {
    return gcl_api_leave(copy_pieces(place_2d(target, target_x, target_y),
                                     place_2d(source, source_x, source_y), size, kind));
}

// Linear copies: `size` bytes from (x, y) on, row after row. Up to three boxes: the rest of the
// first row, whole rows, the begin of the last.

struct linear {
    struct place place;
    unsigned char *memory; // the other end
    size_t size;
    bool is_to_array;
    struct gcl_copy_request request; // kind, stream, is_async
};

static gclError_t copy_part(struct linear *l, size_t width, size_t height) {
    struct gcl_copy_request request = l->request;
    size_t row = l->place.array->texels.width * l->place.array->texel_size;
    gclError_t error;

    if (width == 0 || height == 0)
        return gclSuccess;
    request.box.width = width;
    request.box.height = height;
    request.box.depth = 1;
    if (l->is_to_array) {
        request.box.source = l->memory;
        request.box.source_pitch = width;
        error = copy_2d_to(&request, &l->place);
    } else {
        request.box.target = l->memory;
        request.box.target_pitch = width;
        error = copy_2d_from(&request, &l->place);
    }
    assert(width * height <= l->size);
    l->memory += width * height;
    l->size -= width * height;
    l->place.x += width;
    l->place.y += height - (l->place.x < row);
    l->place.x = l->place.x < row ? l->place.x : 0;
    return error;
}

static gclError_t copy_linear(struct linear *l) {
    struct gclArray *array = l->place.array;

    if (!array || !l->memory || l->place.z)
        return gclErrorInvalidValue;
    size_t row = array->texels.width * array->texel_size, rows = array->texels.height;
    if (l->place.x >= row || l->place.y >= rows || l->size > row * (rows - l->place.y) - l->place.x)
        return gclErrorInvalidValue;
    size_t first = row - l->place.x < l->size ? row - l->place.x : l->size;
    gclError_t error = copy_part(l, first, 1);
    if (!error)
        error = copy_part(l, row, l->size / row);
    if (!error)
        error = copy_part(l, l->size, 1);
    return error;
}

GCL_API(MemcpyToArray, (gclArray_t target, size_t x, size_t y, const void *source, size_t size,
                        enum gclMemcpyKind kind)) {
    struct linear linear = {.place = place_2d(target, x, y),
                            .memory = (unsigned char *)(uintptr_t)source,
                            .size = size,
                            .is_to_array = true,
                            .request = {.kind = kind}};
    return gcl_api_leave(copy_linear(&linear));
}

GCL_API(MemcpyFromArray, (void *target, gclArray_const_t source, size_t x, size_t y, size_t size,
                          enum gclMemcpyKind kind)) {
    struct linear linear = {
        .place = place_2d(source, x, y), .memory = target, .size = size, .request = {.kind = kind}};
    return gcl_api_leave(copy_linear(&linear));
}

GCL_API(MemcpyToArrayAsync, (gclArray_t target, size_t x, size_t y, const void *source, size_t size,
                             enum gclMemcpyKind kind, gclStream_t stream)) {
    struct linear linear = {.place = place_2d(target, x, y),
                            .memory = (unsigned char *)(uintptr_t)source,
                            .size = size,
                            .is_to_array = true,
                            .request = {.kind = kind, .stream = stream, .is_async = true}};
    return gcl_api_leave(copy_linear(&linear));
}

GCL_API(MemcpyFromArrayAsync, (void *target, gclArray_const_t source, size_t x, size_t y,
                               size_t size, enum gclMemcpyKind kind, gclStream_t stream)) {
    struct linear linear = {.place = place_2d(source, x, y),
                            .memory = target,
                            .size = size,
                            .request = {.kind = kind, .stream = stream, .is_async = true}};
    return gcl_api_leave(copy_linear(&linear));
}

// 3D copies.

static struct place place_3d(struct gclArray *array, struct gclPos pos) {
    return (struct place){.array = array, .x = pos.x * array->texel_size, .y = pos.y, .z = pos.z};
}

static unsigned char *pointer_3d(struct gclPitchedPtr p, struct gclPos pos) {
    return (unsigned char *)p.ptr + pos.z * p.pitch * p.ysize + pos.y * p.pitch + pos.x;
}

static gclError_t set_ends(struct gcl_copy_request *request, const struct gclMemcpy3DParms *p) {
    struct gcl_box_copy *box = &request->box;
    gclError_t error = gclSuccess;

    if (p->dstArray) {
        struct place place = place_3d(p->dstArray, p->dstPos);
        error = set_target(request, &place);
    } else {
        box->target = pointer_3d(p->dstPtr, p->dstPos);
        box->target_pitch = p->dstPtr.pitch;
        box->target_slice = p->dstPtr.pitch * p->dstPtr.ysize;
    }
    if (error)
        return error;
    if (p->srcArray) {
        struct place place = place_3d(p->srcArray, p->srcPos);
        return set_source(request, &place);
    }
    box->source = pointer_3d(p->srcPtr, p->srcPos);
    box->source_pitch = p->srcPtr.pitch;
    box->source_slice = p->srcPtr.pitch * p->srcPtr.ysize;
    return gclSuccess;
}

gclError_t gcl_copy_describe(const struct gclMemcpy3DParms *p, struct gcl_copy_request *request) {
    if (!p || !p->dstArray == !p->dstPtr.ptr || !p->srcArray == !p->srcPtr.ptr)
        return gclErrorInvalidValue; // neither or both
    const struct gclArray *array = p->dstArray ? p->dstArray : p->srcArray;
    size_t unit = array ? array->texel_size : 1;

    if (p->srcArray && p->dstArray && p->srcArray->texel_size != p->dstArray->texel_size)
        return gclErrorInvalidValue;
    request->kind = p->kind;
    request->box.width = p->extent.width * unit;
    request->box.height = p->extent.height;
    request->box.depth = p->extent.depth;
    return set_ends(request, p);
}

static gclError_t copy_3d(struct gcl_copy_request *request, const struct gclMemcpy3DParms *p) {
    gclError_t error = gcl_copy_describe(p, request);
    return error ? error : gcl_copy(request);
}

GCL_API(Memcpy3D, (const struct gclMemcpy3DParms *parameters)) {
    struct gcl_copy_request request = {.is_async = false};
    return gcl_api_leave(copy_3d(&request, parameters));
}

GCL_API(Memcpy3DAsync, (const struct gclMemcpy3DParms *parameters, gclStream_t stream)) {
    struct gcl_copy_request request = {.stream = stream, .is_async = true};
    return gcl_api_leave(copy_3d(&request, parameters));
}

/// The copy between two devices, as one within global memory; an error if there is no such device.
static gclError_t join_peers(const struct gclMemcpy3DPeerParms *p,
                             struct gclMemcpy3DParms *joined) {
    if (!p)
        return gclErrorInvalidValue;
    if (!gcl_devices_has(p->dstDevice) || !gcl_devices_has(p->srcDevice))
        return gclErrorInvalidDevice;
    *joined = (struct gclMemcpy3DParms){.srcArray = p->srcArray,
                                        .srcPos = p->srcPos,
                                        .srcPtr = p->srcPtr,
                                        .dstArray = p->dstArray,
                                        .dstPos = p->dstPos,
                                        .dstPtr = p->dstPtr,
                                        .extent = p->extent,
                                        .kind = gclMemcpyDeviceToDevice};
    return gclSuccess;
}

GCL_API(Memcpy3DPeer, (const struct gclMemcpy3DPeerParms *parameters)) {
    struct gclMemcpy3DParms joined;
    gclError_t error = join_peers(parameters, &joined);
    return error ? gcl_api_leave(error) : gclMemcpy3D(&joined);
}

GCL_API(Memcpy3DPeerAsync, (const struct gclMemcpy3DPeerParms *parameters, gclStream_t stream)) {
    struct gclMemcpy3DParms joined;
    gclError_t error = join_peers(parameters, &joined);
    return error ? gcl_api_leave(error) : gclMemcpy3DAsync(&joined, stream);
}
