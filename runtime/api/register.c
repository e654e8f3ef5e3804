// The entry points of compiled host code. They run in constructors, before the runtime starts, so
// they only note things down.
#include "register.h"

#include <assert.h>

#include "api/api.h"
#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/engine/engine.h"

// Launches nest when an argument of a launch is the result of a function that launches.
enum { MAX_DEPTH = 16 };

struct wrapper {
    int magic;
    int version;
    const char *content;
    void *unused;
};

struct configuration {
    dim3 grid, block;
    size_t shared_size;
    void *stream;
    struct gcl_origin origin;
};

static _Thread_local struct configuration configurations[MAX_DEPTH];
static _Thread_local int depth;
static _Thread_local struct gcl_origin taken;

void **__cudaRegisterFatBinary(void *wrapper) {
    const struct wrapper *w = wrapper;
    return (void **)gcl_registry_add_unit(w->content ? w->content : "");
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle) {
    struct gcl_runtime *runtime = gcl_runtime_peek();
    // Commands may still run the unit's code.
    if (runtime && gcl_engine_wait_all(runtime->engine) == GCL_NOT_PERMITTED)
        return;
    gcl_references_forget(handle);
    gcl_registry_remove_unit((struct gcl_registry_unit *)handle, runtime ? runtime->space : NULL);
}

void __cudaRegisterLinkedBinary(void (*register_globals)(void **handle), void *wrapper,
                                const char *module, void *callback) {
    (void)module, (void)callback;
    void **handle = __cudaRegisterFatBinary(wrapper);
    if (handle)
        register_globals(handle);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name,
                            int thread_limit, struct uint3 *tid, struct uint3 *bid, dim3 *block,
                            dim3 *grid, int *warp_size) {
    (void)device_stub, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid;
    (void)warp_size;
    if (!handle || !gcl_registry_add_function((struct gcl_registry_unit *)handle, stub, name))
        gcl_log(GCL_LOG_ERROR, "no memory to register kernel %s", name);
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name,
                       int is_external, size_t size, int is_constant, int is_global) {
    struct gcl_symbol symbol = {.host = host,
                                .name = name,
                                .unit = (struct gcl_registry_unit *)handle,
                                .size = size,
                                .is_constant = is_constant != 0,
                                .is_external = is_external != 0};
    (void)device_address, (void)is_global;
    if (!handle || !gcl_registry_add_symbol(&symbol))
        gcl_log(GCL_LOG_ERROR, "no memory to register variable %s", name);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name,
                              int is_external, size_t size, int is_constant, int is_global) {
    __cudaRegisterVar(handle, (char *)host, device_address, name, is_external, size, is_constant,
                      is_global);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_size, void *stream,
                                     struct gcl_origin origin) {
    assert(depth >= 0 && depth <= MAX_DEPTH);
    if (depth == MAX_DEPTH)
        return 1;
    configurations[depth++] = (struct configuration){grid, block, shared_size, stream, origin};
    return 0;
}

gclError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_size, void *stream) {
    assert(depth >= 0 && depth <= MAX_DEPTH);
    if (depth == 0)
        return gcl_api_leave(gclErrorMissingConfiguration);
    const struct configuration *top = &configurations[--depth];
    *grid = top->grid;
    *block = top->block;
    *shared_size = top->shared_size;
    *(void **)stream = top->stream;
    taken = top->origin;
    return gclSuccess;
}

struct gcl_origin gcl_register_take_origin(void) {
    struct gcl_origin origin = taken;
    taken = (struct gcl_origin){.file = NULL};
    return origin;
}
