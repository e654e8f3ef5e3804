// Resources: what is registered, and its copy on the device while it is mapped, which lives as long
// as the registration. The list and what is in it change with the lock alone; OpenGL is called with
// it, too, which it may be, as nothing of it calls back.
#include <pthread.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/gl/gl.h"
#include "base/log.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gclGraphicsResource *resources;

static gclError_t find_context(struct gcl_gl *gl, const char *what) {
    if (gcl_gl_find(gl))
        return gclSuccess;
    gcl_log(GCL_LOG_ERROR, "%s: no OpenGL context is current in the calling thread", what);
    return gclErrorOperatingSystem;
}

// With the lock.

static struct gclGraphicsResource **place_of(const struct gclGraphicsResource *resource) {
    struct gclGraphicsResource **at = &resources;
    while (*at && *at != resource)
        at = &(*at)->next;
    return at;
}

static bool is_registered(const struct gclGraphicsResource *resource) {
    return resource && *place_of(resource);
}

static struct gclGraphicsResource *buffer_of(unsigned name) {
    struct gclGraphicsResource *r = resources;
    while (r && (r->target || r->name != name))
        r = r->next;
    return r;
}

gclGraphicsResource_t gcl_gl_resource_of(unsigned buffer) {
    pthread_mutex_lock(&lock);
    struct gclGraphicsResource *found = buffer_of(buffer);
    pthread_mutex_unlock(&lock);
    return found;
}

// Registering.

static gclError_t make_copy(struct gclGraphicsResource *r) {
    if (!r->target)
        return gclMalloc(&r->memory, r->size);
    const struct gcl_gl_format *f = r->format;
    struct gclChannelFormatDesc channels =
        gclCreateChannelDesc(f->bits, f->channels > 1 ? f->bits : 0, f->channels > 2 ? f->bits : 0,
                             f->channels > 3 ? f->bits : 0, f->kind);
    bool has_surface = (r->register_flags & gclGraphicsRegisterFlagsSurfaceLoadStore) != 0;
    return gclMallocArray(&r->array, &channels, r->width, r->height,
                          has_surface ? gclArraySurfaceLoadStore : gclArrayDefault);
}

static gclError_t add_resource(gclGraphicsResource_t *out, const struct gclGraphicsResource *what,
                               const char *function) {
    struct gcl_gl gl;
    gclError_t error = find_context(&gl, function);
    struct gclGraphicsResource *r = error ? NULL : malloc(sizeof *r);
    if (!r)
        return error ? error : gclErrorMemoryAllocation;
    *r = *what;
    error = gcl_gl_measure(&gl, r);
    if (!error)
        error = make_copy(r);
    if (error) {
        free(r);
        return error;
    }
    pthread_mutex_lock(&lock);
    r->next = resources;
    resources = r;
    pthread_mutex_unlock(&lock);
    *out = r;
    return gclSuccess;
}

GCL_API(GraphicsGLRegisterBuffer,
        (gclGraphicsResource_t * resource, unsigned buffer, unsigned flags)) {
    struct gclGraphicsResource what = {.name = buffer, .register_flags = flags, .map_flags = flags};
    if (!resource || buffer == 0 || flags > gclGraphicsRegisterFlagsWriteDiscard)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(add_resource(resource, &what, "cudaGraphicsGLRegisterBuffer"));
}

GCL_API(GraphicsGLRegisterImage,
        (gclGraphicsResource_t * resource, unsigned image, unsigned target, unsigned flags)) {
    const unsigned mapping =
        gclGraphicsRegisterFlagsReadOnly | gclGraphicsRegisterFlagsWriteDiscard;
    const unsigned all =
        mapping | gclGraphicsRegisterFlagsSurfaceLoadStore | gclGraphicsRegisterFlagsTextureGather;
    struct gclGraphicsResource what = {
        .name = image, .target = target, .register_flags = flags, .map_flags = flags & mapping};
    if (!resource || image == 0 || target == 0 || (flags & ~all) || (flags & mapping) == mapping)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(add_resource(resource, &what, "cudaGraphicsGLRegisterImage"));
}

GCL_API(GraphicsUnregisterResource, (gclGraphicsResource_t resource)) {
    pthread_mutex_lock(&lock);
    struct gclGraphicsResource **at = place_of(resource);
    bool is_known = resource && *at;
    if (is_known)
        *at = resource->next;
    pthread_mutex_unlock(&lock);
    if (!is_known)
        return gcl_api_leave(gclErrorInvalidResourceHandle);
    gclError_t error = resource->target ? gclFreeArray(resource->array) : gclFree(resource->memory);
    free(resource);
    return error;
}

GCL_API(GraphicsResourceSetMapFlags, (gclGraphicsResource_t resource, unsigned flags)) {
    gclError_t error = gclSuccess;
    if (flags > gclGraphicsMapFlagsWriteDiscard)
        return gcl_api_leave(gclErrorInvalidValue);
    pthread_mutex_lock(&lock);
    if (!is_registered(resource))
        error = gclErrorInvalidResourceHandle;
    else if (resource->is_mapped)
        error = gclErrorAlreadyMapped;
    else
        resource->map_flags = flags;
    pthread_mutex_unlock(&lock);
    return gcl_api_leave(error);
}

// Mapping. With the lock.

/// Copies between the resource's copy on the device and host memory, and waits.
static gclError_t copy(const struct gclGraphicsResource *r, void *host, bool is_in,
                       gclStream_t stream) {
    size_t row = r->target ? r->size / r->height : 0;
    gclError_t error;
    if (!r->target)
        error = is_in ? gclMemcpyAsync(r->memory, host, r->size, gclMemcpyHostToDevice, stream)
                      : gclMemcpyAsync(host, r->memory, r->size, gclMemcpyDeviceToHost, stream);
    else if (is_in)
        error = gclMemcpy2DToArrayAsync(r->array, 0, 0, host, row, row, r->height,
                                        gclMemcpyHostToDevice, stream);
    else
        error = gclMemcpy2DFromArrayAsync(host, row, r->array, 0, 0, row, r->height,
                                          gclMemcpyDeviceToHost, stream);
    return error ? error : gclStreamSynchronize(stream);
}

static gclError_t bring_in(const struct gcl_gl *gl, const struct gclGraphicsResource *r,
                           gclStream_t stream) {
    if (r->map_flags == gclGraphicsMapFlagsWriteDiscard)
        return gclSuccess;
    void *host = malloc(r->size);
    gclError_t error = host ? gcl_gl_read(gl, r, host) : gclErrorMemoryAllocation;
    if (!error)
        error = copy(r, host, true, stream);
    free(host);
    return error;
}

static gclError_t bring_out(const struct gcl_gl *gl, const struct gclGraphicsResource *r,
                            gclStream_t stream) {
    if (r->map_flags == gclGraphicsMapFlagsReadOnly)
        return gclStreamSynchronize(stream);
    void *host = malloc(r->size);
    gclError_t error = host ? copy(r, host, false, stream) : gclErrorMemoryAllocation;
    if (!error)
        error = gcl_gl_write(gl, r, host);
    free(host);
    return error;
}

/// Whether all of them can be mapped (`is_mapped` false), or unmapped.
static gclError_t check(int count, gclGraphicsResource_t *all, bool is_mapped) {
    for (int i = 0; i < count; i++) {
        if (!is_registered(all[i]))
            return gclErrorInvalidResourceHandle;
        if (all[i]->is_mapped != is_mapped)
            return is_mapped ? gclErrorNotMapped : gclErrorAlreadyMapped;
        for (int j = 0; j < i; j++) {
            if (all[j] == all[i])
                return gclErrorInvalidResourceHandle;
        }
    }
    return gclSuccess;
}

static gclError_t change(int count, gclGraphicsResource_t *all, gclStream_t stream, bool maps) {
    struct gcl_gl gl;
    if (count < 0 || (count > 0 && !all))
        return gclErrorInvalidValue;
    pthread_mutex_lock(&lock);
    gclError_t error = check(count, all, !maps);
    if (!error)
        error = find_context(&gl, maps ? "cudaGraphicsMapResources" : "cudaGraphicsUnmapResources");
    for (int i = 0; i < count && !error; i++) {
        error = maps ? bring_in(&gl, all[i], stream) : bring_out(&gl, all[i], stream);
        if (!error)
            all[i]->is_mapped = maps;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

GCL_API(GraphicsMapResources, (int count, gclGraphicsResource_t *all, gclStream_t stream)) {
    return gcl_api_leave(change(count, all, stream, true));
}

GCL_API(GraphicsUnmapResources, (int count, gclGraphicsResource_t *all, gclStream_t stream)) {
    return gcl_api_leave(change(count, all, stream, false));
}

static gclError_t check_mapped(const struct gclGraphicsResource *r) {
    if (!is_registered(r))
        return gclErrorInvalidResourceHandle;
    return r->is_mapped ? gclSuccess : gclErrorNotMapped;
}

GCL_API(GraphicsResourceGetMappedPointer,
        (void **pointer, size_t *size, gclGraphicsResource_t resource)) {
    pthread_mutex_lock(&lock);
    gclError_t error = check_mapped(resource);
    if (!error && resource->target)
        error = gclErrorNotMappedAsPointer;
    if (!error && pointer)
        *pointer = resource->memory;
    if (!error && size)
        *size = resource->size;
    pthread_mutex_unlock(&lock);
    return gcl_api_leave(error);
}

GCL_API(GraphicsSubResourceGetMappedArray,
        (gclArray_t * array, gclGraphicsResource_t resource, unsigned index, unsigned level)) {
    if (!array || index > 0 || level > 0)
        return gcl_api_leave(gclErrorInvalidValue);
    pthread_mutex_lock(&lock);
    gclError_t error = check_mapped(resource);
    if (!error && !resource->target)
        error = gclErrorNotMappedAsArray;
    if (!error)
        *array = resource->array;
    pthread_mutex_unlock(&lock);
    return gcl_api_leave(error);
}

GCL_API(GraphicsResourceGetMappedMipmappedArray,
        (gclMipmappedArray_t * array, gclGraphicsResource_t resource)) {
    (void)array, (void)resource;
    gcl_log(GCL_LOG_ERROR, "cudaGraphicsResourceGetMappedMipmappedArray: gcluster maps the first "
                           "level of an image alone (cudaGraphicsSubResourceGetMappedArray)");
    return gcl_api_leave(gclErrorNotSupported);
}

// The device.

GCL_API(GLGetDevices, (unsigned *count, int *devices, unsigned room, enum gclGLDeviceList which)) {
    struct gcl_gl gl;
    if (!count || (room > 0 && !devices) || which < gclGLDeviceListAll ||
        which > gclGLDeviceListNextFrame)
        return gcl_api_leave(gclErrorInvalidValue);
    if (find_context(&gl, "cudaGLGetDevices"))
        return gcl_api_leave(gclErrorInvalidGraphicsContext);
    *count = 1;
    if (room > 0)
        devices[0] = 0;
    return gclSuccess;
}
