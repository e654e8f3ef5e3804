// Texture and surface references (gcluster/references.h). Binding one makes an object and puts it
// into the device's half of the variable. Kernels that run may still use the object that was there,
// so that they are waited for, unless the new one would be the same: programs bind anew in each
// turn of a loop.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/register.h"
#include "api/texture.h"
#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"

/// What a reference is bound to on a device.
struct binding {
    unsigned long long object; ///< 0: to nothing
    struct gcl_texture texture;
    unsigned device;
    struct binding *next;
};

struct reference {
    const void *host; ///< the variable
    void **unit;
    bool is_surface, is_normalized;
    struct binding *bindings;
    struct reference *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reference *references;

static void add(void **handle, const void *host, const char *name, bool is_surface,
                bool is_normalized, int is_external) {
    struct reference *reference = malloc(sizeof *reference);
    __cudaRegisterVar(handle, (char *)(uintptr_t)host, NULL, name, is_external, sizeof(uint64_t), 0,
                      0);
    if (!reference) {
        gcl_log(GCL_LOG_ERROR, "no memory to register texture %s", name);
        return;
    }
    pthread_mutex_lock(&lock);
    *reference = (struct reference){.host = host,
                                    .unit = handle,
                                    .is_surface = is_surface,
                                    .is_normalized = is_normalized,
                                    .next = references};
    references = reference;
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host,
                           const void **device_address, const char *name, int type,
                           int is_normalized, int is_external) {
    (void)device_address, (void)type;
    add(handle, host, name, false, is_normalized != 0, is_external);
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host,
                           const void **device_address, const char *name, int type,
                           int is_external) {
    (void)device_address, (void)type;
    add(handle, host, name, true, false, is_external);
}

void gcl_references_forget(void **handle) {
    pthread_mutex_lock(&lock);
    for (struct reference **link = &references; *link;) {
        struct reference *reference = *link;
        if (reference->unit != handle) {
            link = &reference->next;
            continue;
        }
        *link = reference->next;
        while (reference->bindings) {
            struct binding *binding = reference->bindings;
            reference->bindings = binding->next;
            free(binding);
        }
        free(reference);
    }
    pthread_mutex_unlock(&lock);
}

static struct reference *find(const void *host, bool is_surface) {
    struct reference *reference = references;
    while (reference && (reference->host != host || reference->is_surface != is_surface))
        reference = reference->next;
    return reference;
}

/// What a reference is bound to on the calling thread's device. NULL: no memory.
static struct binding *binding_of(struct reference *reference) {
    unsigned device = gcl_devices_own();
    for (struct binding *b = reference->bindings; b; b = b->next) {
        if (b->device == device)
            return b;
    }
    struct binding *binding = calloc(1, sizeof *binding);
    if (!binding)
        return NULL;
    binding->device = device;
    binding->next = reference->bindings;
    reference->bindings = binding;
    return binding;
}

/// Whether an object that is there would do. Of levels it doesn't say where they are.
static bool is_same(struct gcl_runtime *runtime, const struct binding *binding,
                    const struct gcl_texture *texture) {
    struct gcl_allocation found;
    return binding->object && texture->level_count == 0 &&
           memcmp(&binding->texture, texture, sizeof *texture) == 0 &&
           gcl_space_find(runtime->space, (const void *)(uintptr_t)binding->object, &found) &&
           found.begin == binding->object && found.kind == GCL_SPACE_ARRAY;
}

static gclError_t destroy(const struct reference *reference, unsigned long long object) {
    return reference->is_surface ? gclDestroySurfaceObject(object)
                                 : gclDestroyTextureObject(object);
}

/// Puts an object into the device's variable in the place of the one that is there.
static gclError_t replace(struct gcl_runtime *runtime, const struct reference *reference,
                          struct binding *binding, unsigned long long object) {
    gclError_t error = gcl_api_error(gcl_engine_wait_all(runtime->engine));
    if (!error)
        error =
            gclMemcpyToSymbol(reference->host, &object, sizeof object, 0, gclMemcpyHostToDevice);
    unsigned long long old = error ? object : binding->object;
    if (!error)
        binding->object = object;
    if (old)
        destroy(reference, old); // what it was bound to may be gone with a reset
    return error;
}

/// Binds a reference to what is described.
static gclError_t bind_to(struct gcl_runtime *runtime, struct reference *reference,
                          const struct gclResourceDesc *resource,
                          const struct gclTextureDesc *description) {
    struct gcl_texture texture;
    unsigned long long object = 0;
    gclError_t error = gcl_texture_describe(runtime, resource, description, &texture);
    struct binding *binding = binding_of(reference);
    if (!error && !binding)
        error = gclErrorMemoryAllocation;
    if (error)
        return error;
    if (is_same(runtime, binding, &texture)) {
        gcl_space_escape(runtime->space, texture.texels.data); // it may have been freed meanwhile
        return gclSuccess;
    }
    error = description ? gclCreateTextureObject(&object, resource, description, NULL)
                        : gclCreateSurfaceObject(&object, resource);
    if (!error)
        error = replace(runtime, reference, binding, object);
    if (!error)
        binding->texture = texture;
    return error;
}

static gclError_t bind(const void *host, bool is_surface, const struct gclResourceDesc *resource) {
    const struct textureReference *r = is_surface ? NULL : host;
    struct gclTextureDesc description = {.normalizedCoords = 0};
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return error;
    pthread_mutex_lock(&lock);
    struct reference *reference = find(host, is_surface);
    if (r && reference)
        description = (struct gclTextureDesc){
            .addressMode = {r->addressMode[0], r->addressMode[1], r->addressMode[2]},
            .filterMode = r->filterMode,
            .readMode =
                reference->is_normalized ? gclReadModeNormalizedFloat : gclReadModeElementType,
            .sRGB = r->sRGB,
            .normalizedCoords = r->normalized,
            .maxAnisotropy = r->maxAnisotropy,
            .mipmapFilterMode = r->mipmapFilterMode,
            .mipmapLevelBias = r->mipmapLevelBias,
            .minMipmapLevelClamp = r->minMipmapLevelClamp,
            .maxMipmapLevelClamp = r->maxMipmapLevelClamp};
    error = is_surface ? gclErrorInvalidSurface : gclErrorInvalidTexture;
    if (reference)
        error = bind_to(runtime, reference, resource, is_surface ? NULL : &description);
    pthread_mutex_unlock(&lock);
    return error;
}

/// Bytes from a pointer to the end of its memory, `size` at most.
static size_t size_behind(const void *pointer, size_t size) {
    const struct gcl_runtime *runtime = gcl_runtime_get();
    struct gcl_allocation found;
    if (!runtime || !gcl_space_find(runtime->space, pointer, &found))
        return size;
    size_t left = found.begin + found.size - (uintptr_t)pointer;
    return size < left ? size : left;
}

GCL_API(BindTexture, (size_t *offset, const struct textureReference *reference, const void *pointer,
                      const struct gclChannelFormatDesc *description, size_t size)) {
    if (!reference || !pointer || !description)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gclResourceDesc resource = {.resType = gclResourceTypeLinear};
    resource.res.linear.devPtr = (void *)(uintptr_t)pointer;
    resource.res.linear.desc = *description;
    resource.res.linear.sizeInBytes = size_behind(pointer, size);
    if (offset)
        *offset = 0;
    return gcl_api_leave(bind(reference, false, &resource));
}

GCL_API(BindTexture2D, (size_t *offset, const struct textureReference *reference,
                        const void *pointer, const struct gclChannelFormatDesc *description,
                        size_t width, size_t height, size_t pitch)) {
    if (!reference || !pointer || !description)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gclResourceDesc resource = {.resType = gclResourceTypePitch2D};
    resource.res.pitch2D.devPtr = (void *)(uintptr_t)pointer;
    resource.res.pitch2D.desc = *description;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return gcl_api_leave(bind(reference, false, &resource));
}

GCL_API(BindTextureToArray, (const struct textureReference *reference, gclArray_const_t array,
                             const struct gclChannelFormatDesc *description)) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeArray};
    resource.res.array.array = (gclArray_t)(uintptr_t)array;
    if (!reference || !description)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(bind(reference, false, &resource));
}

GCL_API(BindTextureToMipmappedArray,
        (const struct textureReference *reference, gclMipmappedArray_const_t array,
         const struct gclChannelFormatDesc *description)) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeMipmappedArray};
    resource.res.mipmap.mipmap = (gclMipmappedArray_t)(uintptr_t)array;
    if (!reference || !description)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(bind(reference, false, &resource));
}

GCL_API(BindSurfaceToArray, (const struct surfaceReference *reference, gclArray_const_t array,
                             const struct gclChannelFormatDesc *description)) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeArray};
    resource.res.array.array = (gclArray_t)(uintptr_t)array;
    if (!reference || !description)
        return gcl_api_leave(gclErrorInvalidValue);
    return gcl_api_leave(bind(reference, true, &resource));
}

static gclError_t check(const void *host, bool is_surface) {
    pthread_mutex_lock(&lock);
    bool is_found = find(host, is_surface) != NULL;
    pthread_mutex_unlock(&lock);
    if (is_found)
        return gclSuccess;
    return is_surface ? gclErrorInvalidSurface : gclErrorInvalidTexture;
}

// What it was bound to stays until it is bound again: nobody may fetch meanwhile.
GCL_API(UnbindTexture, (const struct textureReference *reference)) {
    return gcl_api_leave(check(reference, false));
}

GCL_API(GetTextureAlignmentOffset, (size_t *offset, const struct textureReference *reference)) {
    gclError_t error = offset ? check(reference, false) : gclErrorInvalidValue;
    if (!error)
        *offset = 0;
    return gcl_api_leave(error);
}

GCL_API(GetTextureReference, (const struct textureReference **reference, const void *symbol)) {
    gclError_t error = reference ? check(symbol, false) : gclErrorInvalidValue;
    if (!error)
        *reference = symbol;
    return gcl_api_leave(error);
}

GCL_API(GetSurfaceReference, (const struct surfaceReference **reference, const void *symbol)) {
    gclError_t error = reference ? check(symbol, true) : gclErrorInvalidValue;
    if (!error)
        *reference = symbol;
    return gcl_api_leave(error);
}
