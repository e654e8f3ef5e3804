// What programs of the runtime include the driver's header for: its types, error codes, version,
// and questions about devices. The driver's own way of loading and launching code is not declared,
// so that a program that needs it is told so by the compiler.
#ifndef GCLUSTER_CUDA_H
#define GCLUSTER_CUDA_H
#define __cuda_cuda_h__

#include "cuda_runtime_api.h"

#include <stdint.h>
#include <string.h>

/// Version of the driver API: 1000 x major + 10 x minor.
#define CUDA_VERSION GCLRT_VERSION
#define CUDA_CB
#define CUDAAPI
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

typedef int CUdevice;
typedef CUdevice CUdevice_v1;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef gclUUID_t CUuuid;

/// Numbers are those of cudaError.
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_MAP_FAILED = 205,
    CUDA_ERROR_UNMAP_FAILED = 206,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_NOT_MAPPED = 211,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999,
} CUresult;

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
} CUdevice_attribute;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3,
} CUcomputemode;

// The runtime answers.

static inline CUresult cuInit(unsigned int __flags) {
    return __flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
static inline CUresult cuDriverGetVersion(int *__version) {
    return (CUresult)gclDriverGetVersion(__version);
}
static inline CUresult cuDeviceGetCount(int *__count) {
    return (CUresult)gclGetDeviceCount(__count);
}
static inline CUresult cuDeviceGet(CUdevice *__device, int __number) {
    int __count = 0;
    gclError_t __error = gclGetDeviceCount(&__count);
    if (__error != gclSuccess)
        return (CUresult)__error;
    if (__number < 0 || __number >= __count)
        return CUDA_ERROR_INVALID_DEVICE;
    *__device = __number;
    return CUDA_SUCCESS;
}
static inline CUresult cuDeviceGetAttribute(int *__value, CUdevice_attribute __which,
                                            CUdevice __device) {
    return (CUresult)gclDeviceGetAttribute(__value, (enum gclDeviceAttr)__which, __device);
}
static inline CUresult cuDeviceGetName(char *__name, int __size, CUdevice __device) {
    struct gclDeviceProp __properties;
    gclError_t __error = gclGetDeviceProperties(&__properties, __device);
    if (__error != gclSuccess || __size <= 0)
        return __error == gclSuccess ? CUDA_ERROR_INVALID_VALUE : (CUresult)__error;
    strncpy(__name, __properties.name, (size_t)__size - 1);
    __name[__size - 1] = 0;
    return CUDA_SUCCESS;
}
static inline CUresult cuDeviceTotalMem(size_t *__size, CUdevice __device) {
    struct gclDeviceProp __properties;
    gclError_t __error = gclGetDeviceProperties(&__properties, __device);
    if (__error == gclSuccess)
        *__size = __properties.totalGlobalMem;
    return (CUresult)__error;
}
static inline CUresult cuDeviceComputeCapability(int *__major, int *__minor, CUdevice __device) {
    CUresult __error =
        cuDeviceGetAttribute(__major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, __device);
    if (__error != CUDA_SUCCESS)
        return __error;
    return cuDeviceGetAttribute(__minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, __device);
}
static inline CUresult cuMemGetInfo(size_t *__free_size, size_t *__total_size) {
    return (CUresult)gclMemGetInfo(__free_size, __total_size);
}
static inline CUresult cuCtxSynchronize(void) {
    return (CUresult)gclDeviceSynchronize();
}
/// A device has one context.
static inline CUresult cuStreamGetCtx(CUstream __stream, CUcontext *__context) {
    int __device = 0;
    gclError_t __error = gclStreamGetDevice((gclStream_t)__stream, &__device);
    if (__error == gclSuccess)
        *__context = (CUcontext)((uintptr_t)__device + 1);
    return (CUresult)__error;
}
static inline CUresult cuGetErrorString(CUresult __error, const char **__text) {
    *__text = gclGetErrorString((gclError_t)__error);
    return CUDA_SUCCESS;
}
static inline CUresult cuGetErrorName(CUresult __error, const char **__text) {
    *__text = gclGetErrorName((gclError_t)__error);
    return CUDA_SUCCESS;
}

#endif
