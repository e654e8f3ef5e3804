// Functions and launches. A function's handle is what the runtime API takes for the address of a
// kernel's stub.
#include <stdlib.h>

#include "api/api.h"
#include "api/driver/driver.h"
#include "exec/code/registry.h"
#include "gcluster/kernel.h"

/// The kernel of a handle, checked.
static CUresult find(CUfunction function, const struct gcl_kernel **kernel) {
    struct gcl_runtime *runtime;
    struct gcl_function *found;
    gclError_t error = gcl_api_enter(&runtime);
    if (!error)
        error = gcl_api_error(gcl_registry_function(function, runtime->space, &found));
    if (!error)
        *kernel = found->kernel;
    return gcl_driver_result(error);
}

/// Takes arguments apart that lie in one buffer. `*parameters` is to be freed.
static CUresult unpack(const struct gcl_kernel *kernel, void **extra, void ***parameters) {
    unsigned char *buffer = NULL;
    size_t size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            size = *(const size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    void **made = calloc(kernel->parameter_count + (size_t)1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct gcl_parameter *p = &kernel->parameters[i];
        if (!buffer || (size_t)p->offset + p->size > size) {
            free(made);
            return CUDA_ERROR_INVALID_VALUE;
        }
        made[i] = buffer + p->offset;
    }
    *parameters = made;
    return CUDA_SUCCESS;
}

static CUresult launch(const gclLaunchConfig_t *configuration, CUfunction function,
                       void **parameters, void **extra) {
    const struct gcl_kernel *kernel = NULL;
    void **unpacked = NULL;
    CUresult result = find(function, &kernel);
    if (result != CUDA_SUCCESS)
        return result;
    if (extra && parameters)
        return CUDA_ERROR_INVALID_VALUE;
    if (extra)
        result = unpack(kernel, extra, &unpacked);
    if (result == CUDA_SUCCESS && !parameters && !extra && kernel->parameter_count > 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = gcl_driver_result(
            gclLaunchKernelExC(configuration, function, extra ? unpacked : parameters));
    free(unpacked);
    return result;
}

GCL_CU(LaunchKernel,
       (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_size,
        CUstream stream, void **parameters, void **extra)) {
    const gclLaunchConfig_t configuration = {.gridDim = {grid_x, grid_y, grid_z},
                                             .blockDim = {block_x, block_y, block_z},
                                             .dynamicSmemBytes = shared_size,
                                             .stream = stream};
    return launch(&configuration, function, parameters, extra);
}

GCL_CU(LaunchCooperativeKernel,
       (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_size,
        CUstream stream, void **parameters)) {
    gclLaunchAttribute together = {.id = gclLaunchAttributeCooperative, .val = {.cooperative = 1}};
    const gclLaunchConfig_t configuration = {.gridDim = {grid_x, grid_y, grid_z},
                                             .blockDim = {block_x, block_y, block_z},
                                             .dynamicSmemBytes = shared_size,
                                             .stream = stream,
                                             .attrs = &together,
                                             .numAttrs = 1};
    return launch(&configuration, function, parameters, NULL);
}

/// The attributes that launches heed; others mean nothing here.
static gclLaunchAttribute attribute_of(const CUlaunchAttribute *attribute) {
    gclLaunchAttribute made = {.id = (enum gclLaunchAttributeID)attribute->id};
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        made.val.cooperative = attribute->value.cooperative;
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        made.val.clusterDim.x = attribute->value.clusterDim.x;
        made.val.clusterDim.y = attribute->value.clusterDim.y;
        made.val.clusterDim.z = attribute->value.clusterDim.z;
    }
    return made;
}

GCL_CU(LaunchKernelEx, (const CUlaunchConfig *configuration, CUfunction function, void **parameters,
                        void **extra)) {
    if (!configuration)
        return CUDA_ERROR_INVALID_VALUE;
    gclLaunchAttribute *attributes =
        calloc(configuration->numAttrs + (size_t)1, sizeof *attributes);
    if (!attributes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < configuration->numAttrs; i++)
        attributes[i] = attribute_of(&configuration->attrs[i]);
    const gclLaunchConfig_t made = {
        .gridDim = {configuration->gridDimX, configuration->gridDimY, configuration->gridDimZ},
        .blockDim = {configuration->blockDimX, configuration->blockDimY, configuration->blockDimZ},
        .dynamicSmemBytes = configuration->sharedMemBytes,
        .stream = configuration->hStream,
        .attrs = attributes,
        .numAttrs = configuration->numAttrs};
    CUresult result = launch(&made, function, parameters, extra);
    free(attributes);
    return result;
}

GCL_CU(LaunchHostFunc, (CUstream stream, CUhostFn function, void *data)) {
    return gcl_driver_result(gclLaunchHostFunc(stream, function, data));
}

// Attributes.

GCL_CU(FuncGetAttribute, (int *value, CUfunction_attribute attribute, CUfunction function)) {
    struct gclFuncAttributes all;
    gclError_t error = gclFuncGetAttributes(&all, function);
    if (error || !value)
        return error ? gcl_driver_result(error) : CUDA_ERROR_INVALID_VALUE;
    const int values[] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = all.maxThreadsPerBlock,
        [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)all.sharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)all.constSizeBytes,
        [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)all.localSizeBytes,
        [CU_FUNC_ATTRIBUTE_NUM_REGS] = all.numRegs,
        [CU_FUNC_ATTRIBUTE_PTX_VERSION] = all.ptxVersion,
        [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = all.binaryVersion,
        [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = all.cacheModeCA,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = all.maxDynamicSharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = all.preferredShmemCarveout,
        [CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET] = all.clusterDimMustBeSet,
        [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = all.requiredClusterWidth,
        [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT] = all.requiredClusterHeight,
        [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH] = all.requiredClusterDepth,
        [CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = all.nonPortableClusterSizeAllowed,
        [CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE] =
            all.clusterSchedulingPolicyPreference,
    };
    if ((size_t)attribute >= sizeof values / sizeof values[0])
        return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}

GCL_CU(FuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value)) {
    return gcl_driver_result(
        gclFuncSetAttribute(function, (enum gclFuncAttribute)attribute, value));
}

GCL_CU(FuncSetCacheConfig, (CUfunction function, CUfunc_cache configuration)) {
    return gcl_driver_result(gclFuncSetCacheConfig(function, (enum gclFuncCache)configuration));
}

GCL_CU(FuncSetSharedMemConfig, (CUfunction function, CUsharedconfig configuration)) {
    return gcl_driver_result(
        gclFuncSetSharedMemConfig(function, (enum gclSharedMemConfig)configuration));
}

GCL_CU(FuncGetName, (const char **name, CUfunction function)) {
    return gcl_driver_result(gclFuncGetName(name, function));
}

GCL_CU(FuncGetParamInfo, (CUfunction function, size_t index, size_t *offset, size_t *size)) {
    return gcl_driver_result(gclFuncGetParamInfo(function, index, offset, size));
}

GCL_CU(KernelGetName, (const char **name, CUkernel kernel)) {
    return cuFuncGetName(name, (CUfunction)kernel);
}

GCL_CU(KernelGetAttribute,
       (int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)) {
    (void)device;
    return cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

GCL_CU(KernelSetAttribute,
       (CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)) {
    (void)device;
    return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

GCL_CU(KernelSetCacheConfig, (CUkernel kernel, CUfunc_cache configuration, CUdevice device)) {
    (void)device;
    return cuFuncSetCacheConfig((CUfunction)kernel, configuration);
}

// Occupancy.

GCL_CU(OccupancyMaxActiveBlocksPerMultiprocessor,
       (int *block_count, CUfunction function, int block_size, size_t shared_size)) {
    return gcl_driver_result(gclOccupancyMaxActiveBlocksPerMultiprocessor(block_count, function,
                                                                          block_size, shared_size));
}

GCL_CU(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
       (int *block_count, CUfunction function, int block_size, size_t shared_size,
        unsigned int flags)) {
    return gcl_driver_result(gclOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        block_count, function, block_size, shared_size, flags));
}

GCL_CU(OccupancyAvailableDynamicSMemPerBlock,
       (size_t *shared_size, CUfunction function, int block_count, int block_size)) {
    return gcl_driver_result(
        gclOccupancyAvailableDynamicSMemPerBlock(shared_size, function, block_count, block_size));
}

/// The block size, in warps, with which most threads run on one core at once; of equal ones the
/// largest.
GCL_CU(OccupancyMaxPotentialBlockSizeWithFlags,
       (int *grid_size, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of,
        size_t shared_size, int limit, unsigned int flags)) {
    int most = 0, cores = 0, best = 0;
    if (!grid_size || !block_size)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result == CUDA_SUCCESS)
        result = cuDeviceGetAttribute(&cores, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                      (int)gcl_devices_own());
    most = limit > 0 && limit < most ? limit : most;
    for (int size = most; size > 0 && result == CUDA_SUCCESS;
         size = size % 32 ? size - size % 32 : size - 32) {
        int count = 0;
        result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &count, function, size, shared_of ? shared_of(size) : shared_size, flags);
        if (count * size <= best)
            continue;
        best = count * size;
        *block_size = size;
        *grid_size = count * cores;
    }
    return result;
}

GCL_CU(OccupancyMaxPotentialBlockSize,
       (int *grid_size, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of,
        size_t shared_size, int limit)) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, function, shared_of,
                                                     shared_size, limit, 0);
}
