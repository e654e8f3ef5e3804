// Attributes of kernels and occupancy. Occupancy follows the figures that device properties give,
// so that programs that size their grids by it behave as on a GPU.
#include <assert.h>
#include <stdatomic.h>

#include "api/api.h"
#include "api/launch.h"
#include "exec/code/registry.h"

static gclError_t enter(const void *stub, struct gcl_runtime **runtime,
                        struct gcl_function **function) {
    gclError_t error = gcl_api_enter(runtime);
    if (error)
        return error;
    return gcl_api_error(gcl_registry_function(stub, (*runtime)->space, function));
}

GCL_API(FuncGetAttributes, (struct gclFuncAttributes * attributes, const void *stub)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && !attributes)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    const struct gcl_kernel *kernel = function->kernel;
    size_t dynamic = atomic_load(&function->max_dynamic_shared_size);
    if (!dynamic && kernel->shared_size < GCL_SHARED_SIZE)
        dynamic = GCL_SHARED_SIZE - kernel->shared_size;
    *attributes = (struct gclFuncAttributes){
        .sharedSizeBytes = kernel->shared_size,
        .maxThreadsPerBlock = (int)kernel->max_threads,
        .numRegs = 32,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)dynamic,
        .preferredShmemCarveout = atomic_load(&function->shared_carveout),
    };
    return gclSuccess;
}

static gclError_t set_shared(struct gcl_function *function, int value) {
    if (value < 0 || (size_t)value + function->kernel->shared_size > GCL_SHARED_SIZE_OPTIN)
        return gclErrorInvalidValue;
    atomic_store(&function->max_dynamic_shared_size, (uint32_t)value);
    return gclSuccess;
}

GCL_API(FuncSetAttribute, (const void *stub, enum gclFuncAttribute attribute, int value)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (error)
        return gcl_api_leave(error);
    switch (attribute) {
    case gclFuncAttributeMaxDynamicSharedMemorySize:
        return gcl_api_leave(set_shared(function, value));
    case gclFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return gcl_api_leave(gclErrorInvalidValue);
        atomic_store(&function->shared_carveout, value);
        return gclSuccess;
    case gclFuncAttributeNonPortableClusterSizeAllowed:
    case gclFuncAttributeClusterSchedulingPolicyPreference:
        return gclSuccess;
    default:
        return gcl_api_leave(gclErrorInvalidValue);
    }
}

GCL_API(FuncSetCacheConfig, (const void *stub, enum gclFuncCache configuration)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && (unsigned)configuration > gclFuncCachePreferEqual)
        error = gclErrorInvalidValue;
    if (!error)
        atomic_store(&function->cache_preference, (int)configuration);
    return gcl_api_leave(error);
}

GCL_API(FuncSetSharedMemConfig, (const void *stub, enum gclSharedMemConfig configuration)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && (unsigned)configuration > gclSharedMemBankSizeEightByte)
        error = gclErrorInvalidValue;
    return gcl_api_leave(error);
}

GCL_API(FuncGetName, (const char **name, const void *stub)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && !name)
        error = gclErrorInvalidValue;
    if (!error)
        *name = function->name;
    return gcl_api_leave(error);
}

unsigned gcl_launch_blocks_per_core(const struct gcl_function *function, size_t threads,
                                    size_t dynamic_shared_size) {
    size_t shared = function->kernel->shared_size + dynamic_shared_size;
    size_t warps = (threads + 31) / 32;
    unsigned count = GCL_BLOCKS_PER_CORE;

    if (threads == 0 || threads > function->kernel->max_threads || shared > GCL_SHARED_SIZE_OPTIN)
        return 0;
    assert(warps > 0);
    if (count > GCL_THREADS_PER_CORE / (32 * warps))
        count = (unsigned)(GCL_THREADS_PER_CORE / (32 * warps));
    if (count > GCL_SHARED_SIZE_PER_CORE / (shared + GCL_SHARED_SIZE_RESERVED))
        count = (unsigned)(GCL_SHARED_SIZE_PER_CORE / (shared + GCL_SHARED_SIZE_RESERVED));
    assert(count <= GCL_BLOCKS_PER_CORE);
    return count;
}

GCL_API(OccupancyMaxActiveBlocksPerMultiprocessor,
        (int *block_count, const void *stub, int block_size, size_t shared_size)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && (!block_count || block_size <= 0))
        error = gclErrorInvalidValue;
    if (!error)
        *block_count = (int)gcl_launch_blocks_per_core(function, (size_t)block_size, shared_size);
    return gcl_api_leave(error);
}

GCL_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        (int *block_count, const void *stub, int block_size, size_t shared_size,
         unsigned int flags)) {
    if (flags > gclOccupancyDisableCachingOverride)
        return gcl_api_leave(gclErrorInvalidValue);
    return gclOccupancyMaxActiveBlocksPerMultiprocessor(block_count, stub, block_size, shared_size);
}

GCL_API(OccupancyAvailableDynamicSMemPerBlock,
        (size_t *shared_size, const void *stub, int block_count, int block_size)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && (!shared_size || block_count <= 0 || block_size <= 0))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    size_t each = GCL_SHARED_SIZE_PER_CORE / (size_t)block_count;
    size_t taken = function->kernel->shared_size + GCL_SHARED_SIZE_RESERVED;
    *shared_size = each > taken ? each - taken : 0;
    return gclSuccess;
}
