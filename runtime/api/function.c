// Attributes of kernels and occupancy. Occupancy follows the figures that device properties give,
// so that programs that size their grids by it behave as on a GPU; a GPU says it by itself.
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

/// What the device makes of a kernel; one that makes no difference is as a GPU.
static struct gcl_device_kernel describe(const struct gcl_runtime *runtime,
                                         const struct gcl_kernel *kernel) {
    int capability = (int)runtime->limits.capability, architecture = (int)kernel->architecture;
    struct gcl_device_kernel description = {.register_count = 32,
                                            .max_threads = (int)kernel->max_threads,
                                            .ptx_version = architecture ? architecture : capability,
                                            .binary_version = capability};
    if (runtime->device->describe && runtime->device->describe(kernel, &description) &&
        description.max_threads > (int)kernel->max_threads)
        description.max_threads = (int)kernel->max_threads;
    return description;
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
    const struct gcl_limits *limits = &runtime->limits;
    size_t dynamic = atomic_load(&function->max_dynamic_shared_size);
    if (!dynamic && kernel->shared_size < limits->shared_size)
        dynamic = limits->shared_size - kernel->shared_size;
    const struct gcl_device_kernel made = describe(runtime, kernel);
    *attributes = (struct gclFuncAttributes){
        .sharedSizeBytes = kernel->shared_size,
        .localSizeBytes = (size_t)made.local_size,
        .maxThreadsPerBlock = made.max_threads,
        .numRegs = made.register_count,
        .ptxVersion = made.ptx_version,
        .binaryVersion = made.binary_version,
        .maxDynamicSharedSizeBytes = (int)dynamic,
        .preferredShmemCarveout = atomic_load(&function->shared_carveout),
    };
    return gclSuccess;
}

static gclError_t set_shared(const struct gcl_runtime *runtime, struct gcl_function *function,
                             int value) {
    if (value < 0 ||
        (size_t)value + function->kernel->shared_size > runtime->limits.shared_size_optin)
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
        return gcl_api_leave(set_shared(runtime, function, value));
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

GCL_API(FuncGetParamInfo, (const void *stub, size_t index, size_t *offset, size_t *size)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && (!offset || index >= function->kernel->parameter_count))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    *offset = function->kernel->parameters[index].offset;
    if (size)
        *size = function->kernel->parameters[index].size;
    return gclSuccess;
}

GCL_API(GetFuncBySymbol, (gclFunction_t * handle, const void *stub)) {
    struct gcl_runtime *runtime;
    struct gcl_function *function;
    gclError_t error = enter(stub, &runtime, &function);

    if (!error && !handle)
        error = gclErrorInvalidValue;
    if (!error)
        *handle = (gclFunction_t)(uintptr_t)stub;
    return gcl_api_leave(error);
}

unsigned gcl_launch_blocks_per_core(const struct gcl_runtime *runtime,
                                    const struct gcl_function *function, size_t threads,
                                    size_t dynamic_shared_size) {
    const struct gcl_limits *limits = &runtime->limits;
    const struct gcl_kernel *kernel = function->kernel;
    size_t shared = kernel->shared_size + dynamic_shared_size;
    size_t warps = (threads + 31) / 32;
    unsigned count = limits->blocks_per_core;

    if (threads == 0 || threads > kernel->max_threads || shared > limits->shared_size_optin)
        return 0;
    assert(warps > 0);
    if (count > limits->threads_per_core / (32 * warps))
        count = (unsigned)(limits->threads_per_core / (32 * warps));
    if (count > limits->shared_size_per_core / (shared + GCL_LIMIT_SHARED_RESERVED))
        count = (unsigned)(limits->shared_size_per_core / (shared + GCL_LIMIT_SHARED_RESERVED));
    if (runtime->device->blocks_per_core) {
        unsigned most =
            runtime->device->blocks_per_core(kernel, (unsigned)threads, dynamic_shared_size);
        count = count < most ? count : most;
    }
    assert(count <= limits->blocks_per_core);
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
        *block_count =
            (int)gcl_launch_blocks_per_core(runtime, function, (size_t)block_size, shared_size);
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
    size_t each = runtime->limits.shared_size_per_core / (size_t)block_count;
    size_t taken = function->kernel->shared_size + GCL_LIMIT_SHARED_RESERVED;
    *shared_size = each > taken ? each - taken : 0;
    return gclSuccess;
}
