// The occupancy calculator that asks no runtime: what of a kernel fits on a multiprocessor with
// given properties. What limits blocks is what kernels of gcluster's know of: threads, shared
// memory, registers.
#ifndef GCLUSTER_CUDA_OCCUPANCY_H
#define GCLUSTER_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

#define __OCC_INLINE static inline

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2,
} cudaOccError;

typedef enum cudaOccFuncShmemConfig_enum {
    FUNC_SHMEM_LIMIT_DEFAULT = 0,
    FUNC_SHMEM_LIMIT_OPTIN = 1,
} cudaOccFuncShmemConfig;

typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF = 0,
    PARTITIONED_GC_ON = 1,
    PARTITIONED_GC_ON_STRICT = 2,
} cudaOccPartitionedGCConfig;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE = 0,
    CACHE_PREFER_SHARED = 1,
    CACHE_PREFER_L1 = 2,
    CACHE_PREFER_EQUAL = 3,
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
    SHAREDMEM_CARVEOUT_DEFAULT = -1,
    SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
    SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    SHAREDMEM_CARVEOUT_HALF = 50,
} cudaOccCarveoutConfig;

typedef enum cudaOccLimitingFactor_enum {
    OCC_LIMIT_WARPS = 1,
    OCC_LIMIT_REGISTERS = 2,
    OCC_LIMIT_SHARED_MEMORY = 4,
    OCC_LIMIT_BLOCKS = 8,
    OCC_LIMIT_BARRIERS = 16,
} cudaOccLimitingFactors;

/// Of a device; in C++ taken from a cudaDeviceProp.
typedef struct cudaOccDeviceProp {
    int computeMajor, computeMinor;
    int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
#ifdef __cplusplus
    cudaOccDeviceProp()
        : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0), maxThreadsPerMultiprocessor(0),
          regsPerBlock(0), regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0),
          sharedMemPerMultiprocessor(0), numSms(0), sharedMemPerBlockOptin(0),
          reservedSharedMemPerBlock(0) {
    }
    template <class __properties>
    cudaOccDeviceProp(const __properties &__p)
        : computeMajor(__p.major), computeMinor(__p.minor),
          maxThreadsPerBlock(__p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(__p.maxThreadsPerMultiProcessor),
          regsPerBlock(__p.regsPerBlock), regsPerMultiprocessor(__p.regsPerMultiprocessor),
          warpSize(__p.warpSize), sharedMemPerBlock(__p.sharedMemPerBlock),
          sharedMemPerMultiprocessor(__p.sharedMemPerMultiprocessor),
          numSms(__p.multiProcessorCount), sharedMemPerBlockOptin(__p.sharedMemPerBlockOptin),
          reservedSharedMemPerBlock(__p.reservedSharedMemPerBlock) {
    }
#endif
} cudaOccDeviceProp;

/// Of a kernel; in C++ taken from a cudaFuncAttributes.
typedef struct cudaOccFuncAttributes {
    int maxThreadsPerBlock;
    int numRegs;
    size_t sharedSizeBytes;
    cudaOccPartitionedGCConfig partitionedGCConfig;
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;
    int numBlockBarriers;
#ifdef __cplusplus
    cudaOccFuncAttributes()
        : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0),
          partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
          maxDynamicSharedSizeBytes(0), numBlockBarriers(0) {
    }
    template <class __attributes>
    cudaOccFuncAttributes(const __attributes &__a)
        : maxThreadsPerBlock(__a.maxThreadsPerBlock), numRegs(__a.numRegs),
          sharedSizeBytes(__a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
          shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes(__a.maxDynamicSharedSizeBytes), numBlockBarriers(1) {
    }
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig;
    int carveoutConfig;
#ifdef __cplusplus
    cudaOccDeviceState()
        : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {
    }
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
    int activeBlocksPerMultiprocessor;
    unsigned int limitingFactors; ///< cudaOccLimitingFactors
    int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
    int allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

// Programs call these three, too.
__OCC_INLINE int __occMin(int __a, int __b) {
    return __a < __b ? __a : __b;
}

__OCC_INLINE int __occDivideRoundUp(int __a, int __b) {
    return (__a + __b - 1) / __b;
}

__OCC_INLINE int __occRoundUp(int __a, int __multiple) {
    return __occDivideRoundUp(__a, __multiple) * __multiple;
}

/// Bytes in whose multiples a device of that compute capability gives shared memory to blocks.
__OCC_INLINE cudaOccError cudaOccSMemAllocationGranularity(int *__bytes,
                                                           const cudaOccDeviceProp *__properties) {
    if (!__bytes || !__properties)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    if (__properties->computeMajor < 3)
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    *__bytes = __properties->computeMajor < 8 ? 256 : 128;
    return CUDA_OCC_SUCCESS;
}

/// Blocks of `block_size` threads that run on a multiprocessor at a time.
__OCC_INLINE cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *__result, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state, int __block_size,
    size_t __dynamic_size) {
    (void)__state;
    if (!__result || !__properties || !__attributes || __block_size <= 0 ||
        __properties->warpSize <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    int __warp = __properties->warpSize;
    int __threads = __occRoundUp(__block_size, __warp);
    size_t __shared = __attributes->sharedSizeBytes + __dynamic_size;
    int __fits = __block_size <= __properties->maxThreadsPerBlock &&
                 __block_size <= __attributes->maxThreadsPerBlock;
    __result->allocatedRegistersPerBlock = __attributes->numRegs * __threads;
    __result->allocatedSharedMemPerBlock = __shared;
    __result->partitionedGCConfig = PARTITIONED_GC_OFF;
    __result->blockLimitWarps = __fits ? __properties->maxThreadsPerMultiprocessor / __threads : 0;
    __result->blockLimitBlocks = __result->blockLimitBarriers = INT_MAX;
    __result->blockLimitRegs = __attributes->numRegs > 0 ? __properties->regsPerMultiprocessor /
                                                               __result->allocatedRegistersPerBlock
                                                         : INT_MAX;
    __result->blockLimitSharedMem =
        __shared > 0 ? (int)(__properties->sharedMemPerMultiprocessor / __shared) : INT_MAX;
    int __blocks = __occMin(__result->blockLimitWarps,
                            __occMin(__result->blockLimitRegs, __result->blockLimitSharedMem));
    __result->activeBlocksPerMultiprocessor = __blocks;
    __result->limitingFactors =
        (__blocks == __result->blockLimitWarps ? (unsigned)OCC_LIMIT_WARPS : 0u) |
        (__blocks == __result->blockLimitRegs ? (unsigned)OCC_LIMIT_REGISTERS : 0u) |
        (__blocks == __result->blockLimitSharedMem ? (unsigned)OCC_LIMIT_SHARED_MEMORY : 0u);
    return CUDA_OCC_SUCCESS;
}

/// Dynamic shared memory that a block may have if so many are to run on a multiprocessor.
__OCC_INLINE cudaOccError cudaOccAvailableDynamicSMemPerBlock(
    size_t *__available, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state, int __block_count,
    int __block_size) {
    (void)__state;
    if (!__available || !__properties || !__attributes || __block_count <= 0 || __block_size <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    size_t __share = __properties->sharedMemPerMultiprocessor / (size_t)__block_count;
    if (__share > __properties->sharedMemPerBlock)
        __share = __properties->sharedMemPerBlock;
    *__available =
        __share > __attributes->sharedSizeBytes ? __share - __attributes->sharedSizeBytes : 0;
    return CUDA_OCC_SUCCESS;
}

/// The size of block with most threads at a time on a multiprocessor, and blocks that fill the
/// device. `size_of`, if it isn't NULL, gives the dynamic shared memory of a block of a size, else
/// that is `dynamic_size`.
__OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *__grid_size, int *__block_size, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state,
    size_t (*__size_of)(int), size_t __dynamic_size) {
    int __best = 0;
    if (!__grid_size || !__block_size || !__properties || !__attributes ||
        __properties->warpSize <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    int __most = __occMin(__properties->maxThreadsPerBlock, __attributes->maxThreadsPerBlock);
    for (int __size = __most; __size > 0;
         __size = (__size - 1) / __properties->warpSize * __properties->warpSize) {
        cudaOccResult __result;
        cudaOccError __error = cudaOccMaxActiveBlocksPerMultiprocessor(
            &__result, __properties, __attributes, __state, __size,
            __size_of ? __size_of(__size) : __dynamic_size);
        if (__error != CUDA_OCC_SUCCESS)
            return __error;
        if (__result.activeBlocksPerMultiprocessor * __size <= __best)
            continue;
        __best = __result.activeBlocksPerMultiprocessor * __size;
        *__block_size = __size;
        *__grid_size = __result.activeBlocksPerMultiprocessor * __properties->numSms;
    }
    return CUDA_OCC_SUCCESS;
}

#ifdef __cplusplus
__OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *__grid_size, int *__block_size, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state,
    size_t __dynamic_size = 0) {
    return cudaOccMaxPotentialOccupancyBlockSize(__grid_size, __block_size, __properties,
                                                 __attributes, __state, NULL, __dynamic_size);
}
#endif

#endif
