// Arrays are plain pitched memory; only textures and copies know about them.
#include "array.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/copy.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"

enum { ROW_ALIGNMENT = 64, MAX_LEVELS = 32 };

GCL_API_OF(struct gclChannelFormatDesc, CreateChannelDesc,
           (int x, int y, int z, int w, enum gclChannelFormatKind kind)) {
    return (struct gclChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}

size_t gcl_array_texel_size(const struct gclChannelFormatDesc *format) {
    const int channels[] = {format->x, format->y, format->z, format->w};
    size_t count = 0;

    if ((unsigned)format->f > gclChannelFormatKindFloat)
        return 0;
    while (count < 4 && channels[count] > 0)
        count++;
    for (size_t i = 0; i < 4; i++) {
        if (channels[i] != (i < count ? format->x : 0))
            return 0;
    }
    bool has_width = format->x == 8 || format->x == 16 || format->x == 32;
    if (count == 0 || count == 3 || !has_width ||
        (format->f == gclChannelFormatKindFloat && format->x == 8))
        return 0;
    return count * (size_t)format->x / 8;
}

static size_t at_least_1(size_t size) {
    return size ? size : 1;
}

// Lays out an array and allocates its texels.
static gclError_t allocate_texels(struct gcl_runtime *runtime, struct gclArray *array) {
    struct gclExtent e = array->extent;
    size_t height = at_least_1(e.height), depth = at_least_1(e.depth), row, slice, size;
    struct gcl_allocation request = {.kind = GCL_SPACE_ARRAY, .device = gcl_devices_own()};
    void *memory;

    assert(e.width > 0 && array->texel_size > 0);
    if (__builtin_mul_overflow(e.width, array->texel_size, &row) ||
        __builtin_add_overflow(row, ROW_ALIGNMENT - 1, &row))
        return gclErrorInvalidValue;
    row = row / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (__builtin_mul_overflow(row, height, &slice) || __builtin_mul_overflow(slice, depth, &size))
        return gclErrorInvalidValue;
    request.size = size;
    gclError_t error = gcl_api_error(gcl_space_allocate(runtime->space, &request, &memory));
    if (error)
        return error;
    array->texels = (struct gcl_texels){.data = memory,
                                        .row_pitch = row,
                                        .slice_pitch = slice,
                                        .width = (unsigned)e.width,
                                        .height = (unsigned)height,
                                        .depth = (unsigned)depth};
    return gclSuccess;
}

static bool has_valid_extent(struct gclExtent e, unsigned flags) {
    const size_t most = UINT32_MAX;
    if (e.width == 0 || e.width > most || e.height > most || e.depth > most)
        return false;
    if (flags & gclArrayCubemap)
        return e.width == e.height && e.depth % 6 == 0 && e.depth > 0 &&
               ((flags & gclArrayLayered) || e.depth == 6);
    if (flags & gclArrayLayered)
        return e.depth > 0;
    return e.depth == 0 || e.height > 0;
}

static gclError_t create(const struct gclArray *wanted, struct gclArray **array) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return error;
    if (!has_valid_extent(wanted->extent, wanted->flags))
        return gclErrorInvalidValue;
    struct gclArray *a = malloc(sizeof *a);
    if (!a)
        return gclErrorMemoryAllocation;
    *a = *wanted;
    a->texel_size = gcl_array_texel_size(&a->format);
    error = a->texel_size ? allocate_texels(runtime, a) : gclErrorInvalidChannelDescriptor;
    if (error) {
        free(a);
        return error;
    }
    *array = a;
    return gclSuccess;
}

GCL_API(Malloc3DArray, (gclArray_t * array, const struct gclChannelFormatDesc *format,
                        struct gclExtent extent, unsigned int flags)) {
    if (!array || !format)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gclArray wanted = {.format = *format, .extent = extent, .flags = flags};
    return gcl_api_leave(create(&wanted, array));
}

GCL_API(MallocArray, (gclArray_t * array, const struct gclChannelFormatDesc *format, size_t width,
                      size_t height, unsigned int flags)) {
    return gclMalloc3DArray(array, format, make_gclExtent(width, height, 0), flags);
}

static gclError_t free_texels(struct gcl_runtime *runtime, const struct gclArray *array) {
    enum gcl_status status = gcl_engine_wait_all(runtime->engine);
    if (status == GCL_OK)
        status = gcl_space_free(runtime->space, array->texels.data, GCL_SPACE_ARRAY);
    return gcl_api_error(status);
}

GCL_API(FreeArray, (gclArray_t array)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error || !array)
        return gcl_api_leave(error);
    if (array->is_level)
        return gcl_api_leave(gclErrorInvalidValue);
    error = free_texels(runtime, array);
    if (error != gclErrorNotPermitted)
        free(array);
    return gcl_api_leave(error);
}

GCL_API(GetChannelDesc, (struct gclChannelFormatDesc * format, gclArray_const_t array)) {
    if (!format || !array)
        return gcl_api_leave(gclErrorInvalidValue);
    *format = array->format;
    return gclSuccess;
}

GCL_API(ArrayGetInfo, (struct gclChannelFormatDesc * format, struct gclExtent *extent,
                       unsigned int *flags, gclArray_t array)) {
    if (!array)
        return gcl_api_leave(gclErrorInvalidValue);
    if (format)
        *format = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return gclSuccess;
}

// Mipmapped arrays: an array for each level.

static struct gclExtent halve(struct gclExtent e, unsigned flags) {
    e.width = e.width > 1 ? e.width / 2 : 1;
    e.height = e.height > 1 ? e.height / 2 : e.height;
    if (!(flags & (gclArrayLayered | gclArrayCubemap)))
        e.depth = e.depth > 1 ? e.depth / 2 : e.depth;
    return e;
}

static gclError_t allocate_levels(struct gcl_runtime *runtime, struct gclMipmappedArray *array,
                                  struct gclArray level) {
    assert(array->level_count > 0 && array->level_count <= MAX_LEVELS);
    for (unsigned i = 0; i < array->level_count; i++) {
        gclError_t error = allocate_texels(runtime, &level);
        if (error) {
            array->level_count = i;
            return error;
        }
        array->levels[i] = level;
        array->texels[i] = level.texels;
        level.extent = halve(level.extent, level.flags);
    }
    return gclSuccess;
}

static void destroy_levels(struct gcl_runtime *runtime, struct gclMipmappedArray *array) {
    for (unsigned i = 0; i < array->level_count; i++) {
        if (free_texels(runtime, &array->levels[i]))
            break;
    }
    free(array->levels);
    free(array->texels);
    free(array);
}

GCL_API(MallocMipmappedArray,
        (gclMipmappedArray_t * array, const struct gclChannelFormatDesc *format,
         struct gclExtent extent, unsigned int level_count, unsigned int flags)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return gcl_api_leave(error);
    if (!array || !format || level_count == 0 || level_count > MAX_LEVELS ||
        !has_valid_extent(extent, flags))
        return gcl_api_leave(gclErrorInvalidValue);
    struct gclArray level = {.format = *format,
                             .extent = extent,
                             .flags = flags,
                             .texel_size = gcl_array_texel_size(format),
                             .is_level = true};
    if (!level.texel_size)
        return gcl_api_leave(gclErrorInvalidChannelDescriptor);
    struct gclMipmappedArray *a = calloc(1, sizeof *a);
    if (!a)
        return gcl_api_leave(gclErrorMemoryAllocation);
    a->format = *format;
    a->level_count = level_count;
    a->levels = calloc(level_count, sizeof a->levels[0]);
    a->texels = calloc(level_count, sizeof a->texels[0]);
    error = a->levels && a->texels ? allocate_levels(runtime, a, level) : gclErrorMemoryAllocation;
    if (error) {
        if (!a->levels || !a->texels)
            a->level_count = 0;
        destroy_levels(runtime, a);
        return gcl_api_leave(error);
    }
    *array = a;
    return gclSuccess;
}

GCL_API(GetMipmappedArrayLevel,
        (gclArray_t * level, gclMipmappedArray_const_t array, unsigned int index)) {
    if (!level || !array || index >= array->level_count)
        return gcl_api_leave(gclErrorInvalidValue);
    *level = &array->levels[index];
    return gclSuccess;
}

GCL_API(FreeMipmappedArray, (gclMipmappedArray_t array)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (!error && array)
        destroy_levels(runtime, array);
    return gcl_api_leave(error);
}
