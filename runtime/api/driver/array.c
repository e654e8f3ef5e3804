// Arrays and textures, whose descriptions the driver API words differently, and the copies that may
// have an array at either end.
#include <string.h>

#include "api/array.h"
#include "api/driver/driver.h"

static struct gclArray *array_of(CUarray array) {
    return (struct gclArray *)array;
}

// Formats.

static const struct {
    CUarray_format format;
    int bits;
    enum gclChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, gclChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, gclChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, gclChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, gclChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, gclChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, gclChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, gclChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, gclChannelFormatKindFloat},
};

/// False: there is no such format.
static bool read_format(CUarray_format format, unsigned channels,
                        struct gclChannelFormatDesc *description) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        int bits = formats[i].bits;
        if (formats[i].format != format)
            continue;
        *description = gclCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                            channels > 3 ? bits : 0, formats[i].kind);
        return channels == 1 || channels == 2 || channels == 4;
    }
    return false;
}

static void write_format(const struct gclChannelFormatDesc *description, CUarray_format *format,
                         unsigned *channels) {
    *channels = (unsigned)((description->x > 0) + (description->y > 0) + (description->z > 0) +
                           (description->w > 0));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].bits == description->x && formats[i].kind == description->f)
            *format = formats[i].format;
    }
}

// Arrays.

GCL_CU_V2(Array3DCreate, (CUarray * array, const CUDA_ARRAY3D_DESCRIPTOR *description)) {
    struct gclChannelFormatDesc format;
    gclArray_t made = NULL;
    if (!array || !description ||
        !read_format(description->Format, description->NumChannels, &format))
        return CUDA_ERROR_INVALID_VALUE;
    const struct gclExtent extent = {description->Width, description->Height, description->Depth};
    gclError_t error = gclMalloc3DArray(&made, &format, extent, description->Flags);
    if (!error)
        *array = (CUarray)made;
    return gcl_driver_result(error);
}

GCL_CU_V2(ArrayCreate, (CUarray * array, const CUDA_ARRAY_DESCRIPTOR *description)) {
    if (!description)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR flat = {.Width = description->Width,
                                          .Height = description->Height,
                                          .Format = description->Format,
                                          .NumChannels = description->NumChannels};
    return cuArray3DCreate(array, &flat);
}

GCL_CU_V2(Array3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR * description, CUarray array)) {
    if (!description || !array)
        return array ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    const struct gclArray *a = array_of(array);
    *description = (CUDA_ARRAY3D_DESCRIPTOR){.Width = a->extent.width,
                                             .Height = a->extent.height,
                                             .Depth = a->extent.depth,
                                             .Flags = a->flags};
    write_format(&a->format, &description->Format, &description->NumChannels);
    return CUDA_SUCCESS;
}

GCL_CU_V2(ArrayGetDescriptor, (CUDA_ARRAY_DESCRIPTOR * description, CUarray array)) {
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (!description)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuArray3DGetDescriptor(&all, array);
    if (result == CUDA_SUCCESS)
        *description = (CUDA_ARRAY_DESCRIPTOR){all.Width, all.Height, all.Format, all.NumChannels};
    return result;
}

GCL_CU(ArrayDestroy, (CUarray array)) {
    return array ? gcl_driver_result(gclFreeArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE;
}

// Copies: one end at a time.

struct end {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x; ///< bytes
    size_t y, z;
    size_t pitch, height;
};

/// What the runtime API wants of an end. False: there is no such memory. Positions in arrays are
/// texels there, but for pointers they are bytes.
static bool read_end(const struct end *end, size_t width, gclArray_t *array, struct gclPos *place,
                     struct gclPitchedPtr *pointer) {
    *place = make_gclPos(end->x, end->y, end->z);
    switch (end->type) {
    case CU_MEMORYTYPE_ARRAY:
        *array = array_of(end->array);
        if (!*array || end->x % (*array)->texel_size)
            return false;
        place->x /= (*array)->texel_size;
        return true;
    case CU_MEMORYTYPE_HOST:
        pointer->ptr = (void *)(uintptr_t)end->host;
        break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
        pointer->ptr = gcl_driver_pointer(end->device);
        break;
    default:
        return false;
    }
    pointer->pitch = end->pitch ? end->pitch : end->x + width;
    pointer->xsize = pointer->pitch;
    pointer->ysize = end->height;
    return true;
}

static enum gclMemcpyKind kind_of(CUmemorytype source, CUmemorytype target) {
    bool from_host = source == CU_MEMORYTYPE_HOST, to_host = target == CU_MEMORYTYPE_HOST;
    if (source == CU_MEMORYTYPE_UNIFIED || target == CU_MEMORYTYPE_UNIFIED)
        return gclMemcpyDefault;
    return from_host ? (to_host ? gclMemcpyHostToHost : gclMemcpyHostToDevice)
                     : (to_host ? gclMemcpyDeviceToHost : gclMemcpyDeviceToDevice);
}

/// The runtime API counts the width of a copy with an array in texels, else in bytes.
static bool read_copy(const CUDA_MEMCPY3D *copy, struct gclMemcpy3DParms *made) {
    const struct end source = {copy->srcMemoryType, copy->srcHost,     copy->srcDevice,
                               copy->srcArray,      copy->srcXInBytes, copy->srcY,
                               copy->srcZ,          copy->srcPitch,    copy->srcHeight};
    const struct end target = {copy->dstMemoryType, copy->dstHost,     copy->dstDevice,
                               copy->dstArray,      copy->dstXInBytes, copy->dstY,
                               copy->dstZ,          copy->dstPitch,    copy->dstHeight};
    size_t width = copy->WidthInBytes;
    *made = (struct gclMemcpy3DParms){.kind = kind_of(source.type, target.type)};
    if (copy->srcLOD || copy->dstLOD ||
        !read_end(&source, width, &made->srcArray, &made->srcPos, &made->srcPtr) ||
        !read_end(&target, width, &made->dstArray, &made->dstPos, &made->dstPtr))
        return false;
    const struct gclArray *array = made->srcArray ? made->srcArray : made->dstArray;
    if (array && width % array->texel_size)
        return false;
    made->extent =
        make_gclExtent(array ? width / array->texel_size : width, copy->Height, copy->Depth);
    return true;
}

GCL_CU_V2(Memcpy3D, (const CUDA_MEMCPY3D *copy)) {
    struct gclMemcpy3DParms made;
    if (!copy || !read_copy(copy, &made))
        return CUDA_ERROR_INVALID_VALUE;
    return gcl_driver_result(gclMemcpy3D(&made));
}

GCL_CU_V2(Memcpy3DAsync, (const CUDA_MEMCPY3D *copy, CUstream stream)) {
    struct gclMemcpy3DParms made;
    if (!copy || !read_copy(copy, &made))
        return CUDA_ERROR_INVALID_VALUE;
    return gcl_driver_result(gclMemcpy3DAsync(&made, stream));
}

static CUDA_MEMCPY3D deepen(const CUDA_MEMCPY2D *copy) {
    return (CUDA_MEMCPY3D){.srcXInBytes = copy->srcXInBytes,
                           .srcY = copy->srcY,
                           .srcMemoryType = copy->srcMemoryType,
                           .srcHost = copy->srcHost,
                           .srcDevice = copy->srcDevice,
                           .srcArray = copy->srcArray,
                           .srcPitch = copy->srcPitch,
                           .srcHeight = copy->srcY + copy->Height,
                           .dstXInBytes = copy->dstXInBytes,
                           .dstY = copy->dstY,
                           .dstMemoryType = copy->dstMemoryType,
                           .dstHost = copy->dstHost,
                           .dstDevice = copy->dstDevice,
                           .dstArray = copy->dstArray,
                           .dstPitch = copy->dstPitch,
                           .dstHeight = copy->dstY + copy->Height,
                           .WidthInBytes = copy->WidthInBytes,
                           .Height = copy->Height,
                           .Depth = 1};
}

GCL_CU_V2(Memcpy2D, (const CUDA_MEMCPY2D *copy)) {
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D deep = deepen(copy);
    return cuMemcpy3D(&deep);
}

GCL_CU_V2(Memcpy2DUnaligned, (const CUDA_MEMCPY2D *copy)) {
    return cuMemcpy2D(copy);
}

GCL_CU_V2(Memcpy2DAsync, (const CUDA_MEMCPY2D *copy, CUstream stream)) {
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D deep = deepen(copy);
    return cuMemcpy3DAsync(&deep, stream);
}

// Rows of arrays: an offset in bytes.

GCL_CU_V2(MemcpyHtoA, (CUarray target, size_t offset, const void *source, size_t size)) {
    return gcl_driver_result(
        gclMemcpyToArray(array_of(target), offset, 0, source, size, gclMemcpyHostToDevice));
}

GCL_CU_V2(MemcpyHtoAAsync,
          (CUarray target, size_t offset, const void *source, size_t size, CUstream stream)) {
    return gcl_driver_result(gclMemcpyToArrayAsync(array_of(target), offset, 0, source, size,
                                                   gclMemcpyHostToDevice, stream));
}

GCL_CU_V2(MemcpyAtoH, (void *target, CUarray source, size_t offset, size_t size)) {
    return gcl_driver_result(
        gclMemcpyFromArray(target, array_of(source), offset, 0, size, gclMemcpyDeviceToHost));
}

GCL_CU_V2(MemcpyAtoHAsync,
          (void *target, CUarray source, size_t offset, size_t size, CUstream stream)) {
    return gcl_driver_result(gclMemcpyFromArrayAsync(target, array_of(source), offset, 0, size,
                                                     gclMemcpyDeviceToHost, stream));
}

GCL_CU_V2(MemcpyDtoA, (CUarray target, size_t offset, CUdeviceptr source, size_t size)) {
    return gcl_driver_result(gclMemcpyToArray(
        array_of(target), offset, 0, gcl_driver_pointer(source), size, gclMemcpyDeviceToDevice));
}

GCL_CU_V2(MemcpyAtoD, (CUdeviceptr target, CUarray source, size_t offset, size_t size)) {
    return gcl_driver_result(gclMemcpyFromArray(gcl_driver_pointer(target), array_of(source),
                                                offset, 0, size, gclMemcpyDeviceToDevice));
}

// Textures and surfaces.

static bool read_resource(const CUDA_RESOURCE_DESC *resource, struct gclResourceDesc *made) {
    *made = (struct gclResourceDesc){.resType = (enum gclResourceType)resource->resType};
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        made->res.array.array = array_of(resource->res.array.hArray);
        return true;
    case CU_RESOURCE_TYPE_LINEAR:
        made->res.linear.devPtr = gcl_driver_pointer(resource->res.linear.devPtr);
        made->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        return read_format(resource->res.linear.format, resource->res.linear.numChannels,
                           &made->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
        made->res.pitch2D.devPtr = gcl_driver_pointer(resource->res.pitch2D.devPtr);
        made->res.pitch2D.width = resource->res.pitch2D.width;
        made->res.pitch2D.height = resource->res.pitch2D.height;
        made->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        return read_format(resource->res.pitch2D.format, resource->res.pitch2D.numChannels,
                           &made->res.pitch2D.desc);
    default:
        return false;
    }
}

/// Whether texels are whole numbers of at most 16 bits, which are read as floats unless told.
static bool is_narrow(const struct gclResourceDesc *resource) {
    const struct gclChannelFormatDesc *format =
        resource->resType == gclResourceTypeArray    ? &resource->res.array.array->format
        : resource->resType == gclResourceTypeLinear ? &resource->res.linear.desc
                                                     : &resource->res.pitch2D.desc;
    return format->f != gclChannelFormatKindFloat && format->x <= 16;
}

GCL_CU(TexObjectCreate,
       (CUtexObject * texture, const CUDA_RESOURCE_DESC *resource,
        const CUDA_TEXTURE_DESC *description, const CUDA_RESOURCE_VIEW_DESC *view)) {
    struct gclResourceDesc of;
    if (!texture || !resource || !description || !read_resource(resource, &of) ||
        (of.resType == gclResourceTypeArray && !of.res.array.array))
        return CUDA_ERROR_INVALID_VALUE;
    if (view && view->format != CU_RES_VIEW_FORMAT_NONE)
        return CUDA_ERROR_NOT_SUPPORTED;
    bool reads_numbers = (description->flags & CU_TRSF_READ_AS_INTEGER) || !is_narrow(&of);
    struct gclTextureDesc made = {
        .filterMode = (enum gclTextureFilterMode)description->filterMode,
        .readMode = reads_numbers ? gclReadModeElementType : gclReadModeNormalizedFloat,
        .sRGB = (description->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (description->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = description->maxAnisotropy,
        .mipmapFilterMode = (enum gclTextureFilterMode)description->mipmapFilterMode,
        .mipmapLevelBias = description->mipmapLevelBias,
        .minMipmapLevelClamp = description->minMipmapLevelClamp,
        .maxMipmapLevelClamp = description->maxMipmapLevelClamp};
    for (int axis = 0; axis < 3; axis++)
        made.addressMode[axis] = (enum gclTextureAddressMode)description->addressMode[axis];
    memcpy(made.borderColor, description->borderColor, sizeof made.borderColor);
    return gcl_driver_result(gclCreateTextureObject(texture, &of, &made, NULL));
}

GCL_CU(TexObjectDestroy, (CUtexObject texture)) {
    return gcl_driver_result(gclDestroyTextureObject(texture));
}

GCL_CU(SurfObjectCreate, (CUsurfObject * surface, const CUDA_RESOURCE_DESC *resource)) {
    struct gclResourceDesc of;
    if (!surface || !resource || !read_resource(resource, &of))
        return CUDA_ERROR_INVALID_VALUE;
    return gcl_driver_result(gclCreateSurfaceObject(surface, &of));
}

GCL_CU(SurfObjectDestroy, (CUsurfObject surface)) {
    return gcl_driver_result(gclDestroySurfaceObject(surface));
}
