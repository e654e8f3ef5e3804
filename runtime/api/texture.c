// Texture and surface objects: records in memory that kernels read (gcluster/texture.h). An object
// is the address of its record; behind that lies what the program may ask back.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/array.h"
#include "api/copy.h"
#include "api/texture.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"

struct object {
    struct gcl_texture texture; // first: kernels see this
    struct gclResourceDesc resource;
    struct gclTextureDesc description;
    struct gclResourceViewDesc view; ///< if there is one
    bool has_view;
    struct gcl_texels levels[];
};

// Marks allocations that hold objects.
static const char texture_owner, surface_owner;

static void set_format(struct gcl_texture *t, const struct gclChannelFormatDesc *format) {
    t->texel_size = (unsigned)gcl_array_texel_size(format);
    t->channel_bits = (unsigned)format->x;
    t->channel_kind = (unsigned)format->f;
    t->channel_count = t->channel_bits ? 8 * t->texel_size / t->channel_bits : 0;
}

static void set_array(struct gcl_texture *t, const struct gclArray *array) {
    set_format(t, &array->format);
    t->texels = array->texels;
    t->layered = (array->flags & gclArrayLayered) != 0;
    t->cubemap = (array->flags & gclArrayCubemap) != 0;
    t->dimensions = array->extent.height == 0 ? 1 : 2;
    if (array->extent.depth > 0 && !t->layered && !t->cubemap)
        t->dimensions = 3;
}

static gclError_t set_linear(struct gcl_texture *t, const struct gclResourceDesc *resource) {
    set_format(t, &resource->res.linear.desc);
    if (!t->texel_size)
        return gclErrorInvalidChannelDescriptor;
    size_t width = resource->res.linear.sizeInBytes / t->texel_size;
    if (width > UINT32_MAX)
        return gclErrorInvalidValue;
    t->texels = (struct gcl_texels){.data = resource->res.linear.devPtr,
                                    .row_pitch = resource->res.linear.sizeInBytes,
                                    .slice_pitch = resource->res.linear.sizeInBytes,
                                    .width = (unsigned)width,
                                    .height = 1,
                                    .depth = 1};
    t->dimensions = 1;
    return gclSuccess;
}

static gclError_t set_pitched(struct gcl_texture *t, const struct gclResourceDesc *resource) {
    size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    size_t pitch = resource->res.pitch2D.pitchInBytes;

    set_format(t, &resource->res.pitch2D.desc);
    if (!t->texel_size)
        return gclErrorInvalidChannelDescriptor;
    if (width > UINT32_MAX || height > UINT32_MAX || width * t->texel_size > pitch)
        return gclErrorInvalidValue;
    t->texels = (struct gcl_texels){.data = resource->res.pitch2D.devPtr,
                                    .row_pitch = pitch,
                                    .slice_pitch = pitch * height,
                                    .width = (unsigned)width,
                                    .height = (unsigned)height,
                                    .depth = 1};
    t->dimensions = 2;
    return gclSuccess;
}

static bool is_allocated(struct gcl_runtime *runtime, const struct gcl_texels *texels) {
    unsigned kind;
    size_t size = texels->row_pitch * (texels->height - 1); // the last row may be short
    return texels->data && texels->width > 0 && texels->height > 0 &&
           gcl_space_check(runtime->space, texels->data, size + 1, &kind) && kind;
}

static gclError_t set_resource(struct gcl_runtime *runtime, struct gcl_texture *t,
                               const struct gclResourceDesc *resource) {
    gclError_t error;
    switch (resource->resType) {
    case gclResourceTypeArray:
        if (!resource->res.array.array)
            return gclErrorInvalidResourceHandle;
        set_array(t, resource->res.array.array);
        return gclSuccess;
    case gclResourceTypeMipmappedArray:
        if (!resource->res.mipmap.mipmap)
            return gclErrorInvalidResourceHandle;
        set_array(t, &resource->res.mipmap.mipmap->levels[0]);
        t->level_count = resource->res.mipmap.mipmap->level_count;
        return gclSuccess;
    case gclResourceTypeLinear:
        error = set_linear(t, resource);
        break;
    case gclResourceTypePitch2D:
        error = set_pitched(t, resource);
        break;
    default:
        return gclErrorInvalidValue;
    }
    if (!error && !is_allocated(runtime, &t->texels))
        error = gclErrorInvalidValue;
    return error;
}

// Whether fetches return, or mix, what memory holds at coordinates that always lead there.
static unsigned plain_channels(const struct gcl_texture *t) {
    bool is_float = t->channel_kind == gclChannelFormatKindFloat;
    for (int i = 0; i < 3; i++) {
        if (t->address_mode[i] != gclAddressModeWrap && t->address_mode[i] != gclAddressModeClamp)
            return 0;
    }
    if (t->level_count || t->layered || t->cubemap || t->dimensions > 2 || t->srgb ||
        (t->read_mode == gclReadModeNormalizedFloat && !is_float))
        return 0;
    return t->channel_bits + is_float;
}

static gclError_t set_sampling(struct gcl_texture *t, const struct gclTextureDesc *d) {
    bool is_float = t->channel_kind == gclChannelFormatKindFloat;

    if (d->filterMode == gclFilterModeLinear && d->readMode == gclReadModeElementType && !is_float)
        return gclErrorInvalidFilterSetting;
    if (d->readMode == gclReadModeNormalizedFloat && !is_float && t->channel_bits == 32)
        return gclErrorInvalidNormSetting;
    for (int i = 0; i < 3; i++)
        t->address_mode[i] = (unsigned)d->addressMode[i];
    t->filter_mode = (unsigned)d->filterMode;
    t->read_mode = (unsigned)d->readMode;
    t->normalized_coords = d->normalizedCoords != 0;
    t->srgb = d->sRGB != 0;
    t->mipmap_filter_mode = (unsigned)d->mipmapFilterMode;
    t->mipmap_level_bias = d->mipmapLevelBias;
    t->min_mipmap_level = d->minMipmapLevelClamp;
    t->max_mipmap_level = d->maxMipmapLevelClamp;
    memcpy(t->border_color, d->borderColor, sizeof t->border_color);
    t->plain = plain_channels(t);
    return gclSuccess;
}

/// Copies within a stream of its own: an object has nothing to wait for.
static gclError_t copy(struct gcl_runtime *runtime, void *target, const void *source, size_t size,
                       enum gclMemcpyKind kind) {
    struct gcl_stream *stream =
        gcl_stream_create(runtime->engine, GCL_STREAM_NON_BLOCKING, 0, gcl_devices_own());
    if (!stream)
        return gclErrorMemoryAllocation;
    struct gcl_copy_request request = {.box = gcl_copy_row(target, source, size),
                                       .kind = kind,
                                       .stream = (gclStream_t)stream,
                                       .is_array_target = kind == gclMemcpyHostToDevice,
                                       .is_array_source = kind == gclMemcpyDeviceToHost};
    gclError_t error = gcl_copy(&request);
    gcl_stream_destroy(runtime->engine, stream);
    return error;
}

/// Puts an object where kernels find it, of `size` bytes.
static gclError_t place(struct gcl_runtime *runtime, struct object *filled, size_t size,
                        const void *owner, void **memory) {
    struct gcl_allocation request = {
        .size = size, .kind = GCL_SPACE_ARRAY, .device = gcl_devices_own(), .owner = owner};
    gclError_t error = gcl_api_error(gcl_space_allocate(runtime->space, &request, memory));
    if (error)
        return error;
    if (filled->texture.level_count > 0)
        filled->texture.levels = ((struct object *)*memory)->levels;
    error = copy(runtime, *memory, filled, size, gclMemcpyHostToDevice);
    if (error) { // the one to be told, whatever becomes of the memory
        enum gcl_status freed = gcl_space_free(runtime->space, *memory, GCL_SPACE_ARRAY);
        (void)freed;
    }
    return error;
}

static gclError_t create(struct gcl_runtime *runtime, const struct object *wanted,
                         const void *owner, unsigned long long *handle) {
    unsigned level_count = wanted->texture.level_count;
    size_t size = sizeof *wanted + level_count * sizeof wanted->levels[0];
    struct object *filled = malloc(size);
    void *memory = NULL;
    if (!filled)
        return gclErrorMemoryAllocation;
    *filled = *wanted;
    if (level_count > 0)
        memcpy(filled->levels, wanted->resource.res.mipmap.mipmap->texels,
               level_count * sizeof filled->levels[0]);
    gclError_t error = place(runtime, filled, size, owner, &memory);
    free(filled);
    if (error)
        return error;
    gcl_space_escape(runtime->space, memory); // kernels find the texels there
    gcl_space_escape(runtime->space, wanted->texture.texels.data);
    *handle = (uintptr_t)memory;
    return gclSuccess;
}

gclError_t gcl_texture_describe(struct gcl_runtime *runtime, const struct gclResourceDesc *resource,
                                const struct gclTextureDesc *description,
                                struct gcl_texture *texture) {
    memset(texture, 0, sizeof *texture);
    gclError_t error = set_resource(runtime, texture, resource);
    return error || !description ? error : set_sampling(texture, description);
}

GCL_API(CreateTextureObject,
        (gclTextureObject_t * texture, const struct gclResourceDesc *resource,
         const struct gclTextureDesc *description, const struct gclResourceViewDesc *view)) {
    struct gcl_runtime *runtime;
    struct object object = {.texture = {.level_count = 0}};
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (!texture || !resource || !description))
        error = gclErrorInvalidValue;
    if (!error && view && view->format != gclResViewFormatNone)
        error = gclErrorNotSupported;
    if (!error)
        error = set_resource(runtime, &object.texture, resource);
    if (!error)
        error = set_sampling(&object.texture, description);
    if (error)
        return gcl_api_leave(error);
    object.resource = *resource;
    object.description = *description;
    object.has_view = view != NULL;
    if (view)
        object.view = *view;
    return gcl_api_leave(create(runtime, &object, &texture_owner, texture));
}

GCL_API(CreateSurfaceObject,
        (gclSurfaceObject_t * surface, const struct gclResourceDesc *resource)) {
    struct gcl_runtime *runtime;
    struct object object = {.texture = {.level_count = 0}};
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && (!surface || !resource || resource->resType != gclResourceTypeArray))
        error = gclErrorInvalidValue;
    if (!error)
        error = set_resource(runtime, &object.texture, resource);
    if (error)
        return gcl_api_leave(error);
    object.resource = *resource;
    return gcl_api_leave(create(runtime, &object, &surface_owner, surface));
}

static gclError_t find(unsigned long long handle, const void *owner, void **address) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return error;
    *address = (void *)(uintptr_t)handle;
    if (!gcl_space_find(runtime->space, *address, &found) || found.owner != owner ||
        found.begin != handle)
        return gclErrorInvalidValue;
    return gclSuccess;
}

static gclError_t destroy(unsigned long long handle, const void *owner) {
    void *address;
    if (handle == 0)
        return gclSuccess;
    gclError_t error = find(handle, owner, &address);
    if (error)
        return error;
    struct gcl_runtime *runtime = gcl_runtime_peek();
    enum gcl_status status = gcl_engine_wait_all(runtime->engine);
    if (status == GCL_OK)
        status = gcl_space_free(runtime->space, address, GCL_SPACE_ARRAY);
    return gcl_api_error(status);
}

GCL_API(DestroyTextureObject, (gclTextureObject_t texture)) {
    return gcl_api_leave(destroy(texture, &texture_owner));
}

GCL_API(DestroySurfaceObject, (gclSurfaceObject_t surface)) {
    return gcl_api_leave(destroy(surface, &surface_owner));
}

static gclError_t read_back(unsigned long long handle, const void *owner, struct object *object) {
    void *address;
    gclError_t error = find(handle, owner, &address);
    if (error)
        return error;
    return copy(gcl_runtime_peek(), object, address, sizeof *object, gclMemcpyDeviceToHost);
}

GCL_API(GetTextureObjectResourceDesc,
        (struct gclResourceDesc * resource, gclTextureObject_t texture)) {
    struct object object;
    gclError_t error =
        resource ? read_back(texture, &texture_owner, &object) : gclErrorInvalidValue;
    if (!error)
        *resource = object.resource;
    return gcl_api_leave(error);
}

GCL_API(GetTextureObjectTextureDesc,
        (struct gclTextureDesc * description, gclTextureObject_t texture)) {
    struct object object;
    gclError_t error =
        description ? read_back(texture, &texture_owner, &object) : gclErrorInvalidValue;
    if (!error)
        *description = object.description;
    return gcl_api_leave(error);
}

GCL_API(GetTextureObjectResourceViewDesc,
        (struct gclResourceViewDesc * view, gclTextureObject_t texture)) {
    struct object object;
    gclError_t error = view ? read_back(texture, &texture_owner, &object) : gclErrorInvalidValue;
    if (!error && !object.has_view)
        error = gclErrorInvalidValue;
    if (!error)
        *view = object.view;
    return gcl_api_leave(error);
}

GCL_API(DeviceGetTexture1DLinearMaxWidth,
        (size_t *width, const struct gclChannelFormatDesc *format, int device)) {
    int most = 0;
    if (!width || !format)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!gcl_array_texel_size(format))
        return gcl_api_leave(gclErrorInvalidChannelDescriptor);
    gclError_t error = gclDeviceGetAttribute(&most, gclDevAttrMaxTexture1DLinearWidth, device);
    if (!error)
        *width = (size_t)most;
    return error;
}

GCL_API(GetSurfaceObjectResourceDesc,
        (struct gclResourceDesc * resource, gclSurfaceObject_t surface)) {
    struct object object;
    gclError_t error =
        resource ? read_back(surface, &surface_owner, &object) : gclErrorInvalidValue;
    if (!error)
        *resource = object.resource;
    return gcl_api_leave(error);
}
