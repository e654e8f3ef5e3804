// What the test driver exports: CUDA's driver API, as far as a runtime needs it, in declarations of
// our own. Names, parameters and values are those of NVIDIA's interface; contexts, streams, events,
// modules and functions are opaque pointers, and so are memory handles in numbers.
#ifndef CARD_API_H
#define CARD_API_H

#include <stddef.h>
#include <stdint.h>

#include "results.h"

enum {
#define CARD_RESULT(name, value, text) name = value,
    CARD_RESULTS(CARD_RESULT)
#undef CARD_RESULT
};

enum { CARD_LEGACY_STREAM = 1, CARD_PER_THREAD_STREAM = 2, CARD_STREAM_NON_BLOCKING = 1 };
enum { CARD_EVENT_BLOCKING = 1, CARD_EVENT_NO_TIMING = 2, CARD_EVENT_INTERPROCESS = 4 };
enum { CARD_HOST_PORTABLE = 1, CARD_HOST_MAPPED = 2, CARD_HOST_READ_ONLY = 8 };
enum { CARD_MEMORY_HOST = 1, CARD_MEMORY_DEVICE = 2, CARD_MEMORY_ARRAY = 3, CARD_MEMORY_UNIFIED };
enum { CARD_LOCATION_DEVICE = 1, CARD_LOCATION_HOST_NUMA = 3, CARD_ALLOCATION_PINNED = 1 };
enum { CARD_ACCESS_NONE = 0, CARD_ACCESS_READ = 1, CARD_ACCESS_BOTH = 3 };
enum { CARD_HANDLE_NONE = 0, CARD_HANDLE_POSIX = 1, CARD_HANDLE_FABRIC = 8 };
enum { CARD_GRANULARITY = 2 << 20 };

enum {
    CARD_FUNCTION_MAX_THREADS = 0,
    CARD_FUNCTION_SHARED = 1,
    CARD_FUNCTION_CONST = 2,
    CARD_FUNCTION_LOCAL = 3,
    CARD_FUNCTION_REGISTERS = 4,
    CARD_FUNCTION_PTX_VERSION = 5,
    CARD_FUNCTION_BINARY_VERSION = 6,
    CARD_FUNCTION_CACHE_MODE = 7,
    CARD_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    CARD_FUNCTION_CARVEOUT = 9,
};

enum {
    CARD_JIT_INFO_LOG = 3,
    CARD_JIT_INFO_LOG_SIZE = 4,
    CARD_JIT_ERROR_LOG = 5,
    CARD_JIT_ERROR_LOG_SIZE = 6,
};

enum { CARD_LAUNCH_BUFFER = 1, CARD_LAUNCH_BUFFER_SIZE = 2 };
enum { CARD_LAUNCH_COOPERATIVE = 2 };

struct card_location {
    int type, id;
};

struct card_allocation_form {
    int type, handle_types;
    struct card_location location;
    void *unused;
    unsigned char compression, direct_access;
    unsigned short usage;
    unsigned char reserved[4];
};

struct card_access {
    struct card_location location;
    int flags;
};

/// One end of a copy of rows: memory of the type, from byte `x` of row `y` on.
struct card_copy_end_2d {
    size_t x, y;
    int type;
    void *host;
    uint64_t device;
    void *array;
    size_t pitch;
};

struct card_copy_2d {
    struct card_copy_end_2d source, target;
    size_t width, height;
};

struct card_copy_end_3d {
    size_t x, y, z, level;
    int type;
    void *host;
    uint64_t device;
    void *array, *reserved;
    size_t pitch, height;
};

struct card_copy_3d {
    struct card_copy_end_3d source, target;
    size_t width, height, depth;
};

struct card_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int cooperative;
    } value;
};

struct card_launch_config {
    unsigned grid[3], block[3], dynamic_shared;
    void *stream;
    struct card_launch_attribute *attributes;
    unsigned attribute_count;
};

// X(name, parameters, oldest version of CUDA that has it): all that is exported. A call returns one
// of the results above.
#define CARD_FUNCTIONS(X)                                                                          \
    X(cuInit, (unsigned flags), 2000)                                                              \
    X(cuDriverGetVersion, (int *version), 2020)                                                    \
    X(cuGetErrorName, (int error, const char **text), 6000)                                        \
    X(cuGetErrorString, (int error, const char **text), 6000)                                      \
    X(cuGetProcAddress_v2,                                                                         \
      (const char *symbol, void **function, int version, uint64_t flags, int *status), 12000)      \
    X(cuDeviceGetCount, (int *count), 2000)                                                        \
    X(cuDeviceGet, (int *device, int number), 2000)                                                \
    X(cuDeviceGetName, (char *name, int size, int device), 2000)                                   \
    X(cuDeviceGetUuid_v2, (void *bytes, int device), 11040)                                        \
    X(cuDeviceTotalMem_v2, (size_t *size, int device), 3020)                                       \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device), 2000)                         \
    X(cuDeviceGetPCIBusId, (char *text, int size, int device), 4010)                               \
    X(cuDeviceCanAccessPeer, (int *can, int device, int peer), 4000)                               \
    X(cuDevicePrimaryCtxRetain, (void **context, int device), 7000)                                \
    X(cuDevicePrimaryCtxRelease_v2, (int device), 11000)                                           \
    X(cuDevicePrimaryCtxSetFlags_v2, (int device, unsigned flags), 11000)                          \
    X(cuDevicePrimaryCtxGetState, (int device, unsigned *flags, int *is_active), 7000)             \
    X(cuCtxSetCurrent, (void *context), 4000)                                                      \
    X(cuCtxGetCurrent, (void **context), 4000)                                                     \
    X(cuCtxPushCurrent_v2, (void *context), 4000)                                                  \
    X(cuCtxPopCurrent_v2, (void **context), 4000)                                                  \
    X(cuCtxGetDevice, (int *device), 2000)                                                         \
    X(cuCtxSynchronize, (void), 2000)                                                              \
    X(cuCtxGetLimit, (size_t *value, int limit), 3010)                                             \
    X(cuCtxSetLimit, (int limit, size_t value), 3010)                                              \
    X(cuCtxGetStreamPriorityRange, (int *least, int *greatest), 5050)                              \
    X(cuModuleLoadData, (void **module, const void *image), 2000)                                  \
    X(cuModuleLoadDataEx,                                                                          \
      (void **module, const void *image, unsigned count, int *options, void **values), 2010)       \
    X(cuModuleUnload, (void *module), 2000)                                                        \
    X(cuModuleGetFunction, (void **function, void *module, const char *name), 2000)                \
    X(cuModuleGetGlobal_v2, (uint64_t *address, size_t *size, void *module, const char *name),     \
      3020)                                                                                        \
    X(cuFuncGetAttribute, (int *value, int attribute, void *function), 2020)                       \
    X(cuFuncSetAttribute, (void *function, int attribute, int value), 9000)                        \
    X(cuFuncSetCacheConfig, (void *function, int config), 3000)                                    \
    X(cuLaunchKernel,                                                                              \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned dynamic_shared, void *stream,                  \
       void **parameters, void **extra),                                                           \
      4000)                                                                                        \
    X(cuLaunchKernelEx,                                                                            \
      (const struct card_launch_config *config, void *function, void **parameters, void **extra),  \
      11060)                                                                                       \
    X(cuLaunchCooperativeKernel,                                                                   \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned dynamic_shared, void *stream,                  \
       void **parameters),                                                                         \
      9000)                                                                                        \
    X(cuLaunchHostFunc, (void *stream, void (*function)(void *), void *context), 10000)            \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                 \
      (int *count, void *function, int block_size, size_t dynamic_shared), 6050)                   \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,                                        \
      (int *count, void *function, int block_size, size_t dynamic_shared, unsigned flags), 7000)   \
    X(cuOccupancyMaxPotentialBlockSize,                                                            \
      (int *grid, int *block, void *function, size_t (*shared)(int), size_t dynamic_shared,        \
       int limit),                                                                                 \
      6050)                                                                                        \
    X(cuStreamCreate, (void **stream, unsigned flags), 2000)                                       \
    X(cuStreamCreateWithPriority, (void **stream, unsigned flags, int priority), 5050)             \
    X(cuStreamDestroy_v2, (void *stream), 4000)                                                    \
    X(cuStreamSynchronize, (void *stream), 2000)                                                   \
    X(cuStreamQuery, (void *stream), 2000)                                                         \
    X(cuStreamGetPriority, (void *stream, int *priority), 5050)                                    \
    X(cuStreamGetFlags, (void *stream, unsigned *flags), 5050)                                     \
    X(cuStreamWaitEvent, (void *stream, void *event, unsigned flags), 3020)                        \
    X(cuStreamAddCallback,                                                                         \
      (void *stream, void (*function)(void *, int, void *), void *context, unsigned flags), 5000)  \
    X(cuEventCreate, (void **event, unsigned flags), 2000)                                         \
    X(cuEventRecord, (void *event, void *stream), 2000)                                            \
    X(cuEventRecordWithFlags, (void *event, void *stream, unsigned flags), 11010)                  \
    X(cuEventQuery, (void *event), 2000)                                                           \
    X(cuEventSynchronize, (void *event), 2000)                                                     \
    X(cuEventElapsedTime, (float *milliseconds, void *begin, void *end), 2000)                     \
    X(cuEventElapsedTime_v2, (float *milliseconds, void *begin, void *end), 12080)                 \
    X(cuEventDestroy_v2, (void *event), 4000)                                                      \
    X(cuMemAddressReserve,                                                                         \
      (uint64_t *address, size_t size, size_t alignment, uint64_t wanted, uint64_t flags), 10020)  \
    X(cuMemAddressFree, (uint64_t address, size_t size), 10020)                                    \
    X(cuMemCreate,                                                                                 \
      (uint64_t *memory, size_t size, const struct card_allocation_form *form, uint64_t flags),    \
      10020)                                                                                       \
    X(cuMemRelease, (uint64_t memory), 10020)                                                      \
    X(cuMemMap, (uint64_t address, size_t size, size_t offset, uint64_t memory, uint64_t flags),   \
      10020)                                                                                       \
    X(cuMemUnmap, (uint64_t address, size_t size), 10020)                                          \
    X(cuMemSetAccess,                                                                              \
      (uint64_t address, size_t size, const struct card_access *access, size_t count), 10020)      \
    X(cuMemGetAccess, (uint64_t *flags, const struct card_location *location, uint64_t address),   \
      10020)                                                                                       \
    X(cuMemGetAllocationGranularity,                                                               \
      (size_t *size, const struct card_allocation_form *form, int option), 10020)                  \
    X(cuMemExportToShareableHandle, (void *shared, uint64_t memory, int type, uint64_t flags),     \
      10020)                                                                                       \
    X(cuMemImportFromShareableHandle, (uint64_t *memory, void *shared, int type), 10020)           \
    X(cuMemRetainAllocationHandle, (uint64_t *memory, void *address), 11000)                       \
    X(cuMemGetAllocationPropertiesFromHandle,                                                      \
      (struct card_allocation_form * form, uint64_t memory), 10020)                                \
    X(cuMemAlloc_v2, (uint64_t *address, size_t size), 3020)                                       \
    X(cuMemFree_v2, (uint64_t address), 3020)                                                      \
    X(cuMemHostAlloc, (void **memory, size_t size, unsigned flags), 2020)                          \
    X(cuMemAllocHost_v2, (void **memory, size_t size), 3020)                                       \
    X(cuMemFreeHost, (void *memory), 2000)                                                         \
    X(cuMemHostRegister_v2, (void *memory, size_t size, unsigned flags), 6050)                     \
    X(cuMemHostUnregister, (void *memory), 4000)                                                   \
    X(cuMemHostGetDevicePointer_v2, (uint64_t *address, void *memory, unsigned flags), 3020)       \
    X(cuMemHostGetFlags, (unsigned *flags, void *memory), 2030)                                    \
    X(cuMemGetInfo_v2, (size_t *free_size, size_t *size), 3020)                                    \
    X(cuMemGetAddressRange_v2, (uint64_t *begin, size_t *size, uint64_t address), 3020)            \
    X(cuPointerGetAttribute, (void *value, int attribute, uint64_t address), 4000)                 \
    X(cuMemcpy, (uint64_t target, uint64_t source, size_t size), 4000)                             \
    X(cuMemcpyAsync, (uint64_t target, uint64_t source, size_t size, void *stream), 4000)          \
    X(cuMemcpyHtoD_v2, (uint64_t target, const void *source, size_t size), 3020)                   \
    X(cuMemcpyDtoH_v2, (void *target, uint64_t source, size_t size), 3020)                         \
    X(cuMemcpyDtoD_v2, (uint64_t target, uint64_t source, size_t size), 3020)                      \
    X(cuMemcpyHtoDAsync_v2, (uint64_t target, const void *source, size_t size, void *stream),      \
      3020)                                                                                        \
    X(cuMemcpyDtoHAsync_v2, (void *target, uint64_t source, size_t size, void *stream), 3020)      \
    X(cuMemcpyDtoDAsync_v2, (uint64_t target, uint64_t source, size_t size, void *stream), 3020)   \
    X(cuMemcpyPeer,                                                                                \
      (uint64_t target, void *target_context, uint64_t source, void *source_context, size_t size), \
      4000)                                                                                        \
    X(cuMemcpyPeerAsync,                                                                           \
      (uint64_t target, void *target_context, uint64_t source, void *source_context, size_t size,  \
       void *stream),                                                                              \
      4000)                                                                                        \
    X(cuMemcpy2D_v2, (const struct card_copy_2d *copy), 3020)                                      \
    X(cuMemcpy2DUnaligned_v2, (const struct card_copy_2d *copy), 3020)                             \
    X(cuMemcpy2DAsync_v2, (const struct card_copy_2d *copy, void *stream), 3020)                   \
    X(cuMemcpy3D_v2, (const struct card_copy_3d *copy), 3020)                                      \
    X(cuMemcpy3DAsync_v2, (const struct card_copy_3d *copy, void *stream), 3020)                   \
    X(cuMemsetD8_v2, (uint64_t target, unsigned char value, size_t count), 3020)                   \
    X(cuMemsetD16_v2, (uint64_t target, unsigned short value, size_t count), 3020)                 \
    X(cuMemsetD32_v2, (uint64_t target, unsigned value, size_t count), 3020)                       \
    X(cuMemsetD8Async, (uint64_t target, unsigned char value, size_t count, void *stream), 3020)   \
    X(cuMemsetD16Async, (uint64_t target, unsigned short value, size_t count, void *stream), 3020) \
    X(cuMemsetD32Async, (uint64_t target, unsigned value, size_t count, void *stream), 3020)       \
    X(cuMemsetD2D8_v2,                                                                             \
      (uint64_t target, size_t pitch, unsigned char value, size_t width, size_t height), 3020)     \
    X(cuMemsetD2D32_v2,                                                                            \
      (uint64_t target, size_t pitch, unsigned value, size_t width, size_t height), 3020)          \
    X(cuMemsetD2D8Async,                                                                           \
      (uint64_t target, size_t pitch, unsigned char value, size_t width, size_t height,            \
       void *stream),                                                                              \
      3020)                                                                                        \
    X(cuMemsetD2D32Async,                                                                          \
      (uint64_t target, size_t pitch, unsigned value, size_t width, size_t height, void *stream),  \
      3020)

#define CARD_FUNCTION(name, parameters, version)                                                   \
    __attribute__((visibility("default"))) int name parameters;
CARD_FUNCTIONS(CARD_FUNCTION)
#undef CARD_FUNCTION

#endif
