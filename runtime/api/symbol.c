// Copies to and from variables in device code.
#include <assert.h>

#include "api/api.h"
#include "api/copy.h"
#include "exec/code/registry.h"
#include "exec/memory/space.h"

// Each device has its own instance of a variable; managed ones are in the host's memory, for all.
static void *own_instance(struct gcl_runtime *runtime, void *address) {
    struct gcl_allocation found;
    bool is_own =
        gcl_space_find(runtime->space, address, &found) && found.kind == GCL_SPACE_VARIABLE;
    return (char *)address + (is_own ? gcl_devices_own() * gcl_space_stride(runtime->space) : 0);
}

static gclError_t find(const void *host, struct gcl_symbol *symbol) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return error;
    error = gcl_api_error(gcl_registry_symbol(host, runtime->space, symbol));
    if (!error)
        symbol->address = own_instance(runtime, symbol->address);
    return error;
}

gclError_t gcl_copy_find_symbol(const void *host, size_t offset, size_t size,
                                unsigned char **bytes) {
    struct gcl_symbol symbol;
    gclError_t error = find(host, &symbol);
    if (error)
        return error;
    if (offset > symbol.size || size > symbol.size - offset)
        return gclErrorInvalidValue;
    *bytes = (unsigned char *)symbol.address + offset;
    return gclSuccess;
}

static gclError_t copy_to(const void *symbol, size_t offset, struct gcl_copy_request *request) {
    unsigned char *bytes;
    struct gcl_box_copy *box = &request->box;
    assert(box->height == 1 && box->depth == 1);
    gclError_t error = gcl_copy_find_symbol(symbol, offset, box->width, &bytes);

    if (error)
        return error;
    if (request->kind == gclMemcpyDeviceToHost || request->kind == gclMemcpyHostToHost)
        return gclErrorInvalidMemcpyDirection;
    if (!box->source && box->width > 0)
        return gclErrorInvalidValue;
    box->target = bytes;
    return gcl_copy(request);
}

static gclError_t copy_from(const void *symbol, size_t offset, struct gcl_copy_request *request) {
    unsigned char *bytes;
    struct gcl_box_copy *box = &request->box;
    assert(box->height == 1 && box->depth == 1);
    gclError_t error = gcl_copy_find_symbol(symbol, offset, box->width, &bytes);

    if (error)
        return error;
    if (request->kind == gclMemcpyHostToDevice || request->kind == gclMemcpyHostToHost)
        return gclErrorInvalidMemcpyDirection;
    if (!box->target && box->width > 0)
        return gclErrorInvalidValue;
    box->source = bytes;
    return gcl_copy(request);
}

GCL_API(MemcpyToSymbol, (const void *symbol, const void *source, size_t size, size_t offset,
                         enum gclMemcpyKind kind)) {
    struct gcl_copy_request request = {.box = gcl_copy_row(NULL, source, size), .kind = kind};
    return gcl_api_leave(copy_to(symbol, offset, &request));
}

GCL_API(MemcpyToSymbolAsync, (const void *symbol, const void *source, size_t size, size_t offset,
                              enum gclMemcpyKind kind, gclStream_t stream)) {
    struct gcl_copy_request request = {
        .box = gcl_copy_row(NULL, source, size), .kind = kind, .stream = stream, .is_async = true};
    return gcl_api_leave(copy_to(symbol, offset, &request));
}

GCL_API(MemcpyFromSymbol,
        (void *target, const void *symbol, size_t size, size_t offset, enum gclMemcpyKind kind)) {
    struct gcl_copy_request request = {.box = gcl_copy_row(target, NULL, size), .kind = kind};
    return gcl_api_leave(copy_from(symbol, offset, &request));
}

GCL_API(MemcpyFromSymbolAsync, (void *target, const void *symbol, size_t size, size_t offset,
                                enum gclMemcpyKind kind, gclStream_t stream)) {
    struct gcl_copy_request request = {
        .box = gcl_copy_row(target, NULL, size), .kind = kind, .stream = stream, .is_async = true};
    return gcl_api_leave(copy_from(symbol, offset, &request));
}

GCL_API(GetSymbolAddress, (void **pointer, const void *host)) {
    struct gcl_symbol symbol;
    gclError_t error = find(host, &symbol);

    if (!error && !pointer)
        error = gclErrorInvalidValue;
    if (!error)
        *pointer = symbol.address;
    return gcl_api_leave(error);
}

GCL_API(GetSymbolSize, (size_t *size, const void *host)) {
    struct gcl_symbol symbol;
    gclError_t error = find(host, &symbol);

    if (!error && !size)
        error = gclErrorInvalidValue;
    if (!error)
        *size = symbol.size;
    return gcl_api_leave(error);
}
