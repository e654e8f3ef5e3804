// NVIDIA's driver as it is found at run time: nothing of it is needed to build, and that it isn't
// there is normal. Types and values are those of its interface, in words of our own.
#ifndef GCL_EXEC_CUDA_DRIVER_H
#define GCL_EXEC_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gcl_cu_address; ///< of device memory
typedef uint64_t gcl_cu_memory;  ///< physical memory that can be mapped

/// Results, of which a call gives one.
enum {
    GCL_CU_OK = 0,
    GCL_CU_INVALID = 1,
    GCL_CU_NO_MEMORY = 2,
    GCL_CU_DEINITIALIZED = 4, ///< the process ends
    GCL_CU_NO_DEVICE = 100,
    GCL_CU_MEMORY_ERROR = 214, ///< of ECC
    GCL_CU_LINK_ERROR = 220,   ///< of NVLink
    GCL_CU_NOT_FOUND = 500,
    GCL_CU_NOT_READY = 600,
    GCL_CU_ILLEGAL_ADDRESS = 700,
    GCL_CU_OUT_OF_RESOURCES = 701,
    GCL_CU_LAUNCH_TIMEOUT = 702,
    GCL_CU_ASSERT = 710,
    GCL_CU_HARDWARE_STACK = 714,
    GCL_CU_ILLEGAL_INSTRUCTION = 715,
    GCL_CU_MISALIGNED_ADDRESS = 716,
    GCL_CU_INVALID_ADDRESS_SPACE = 717,
    GCL_CU_INVALID_PC = 718,
    GCL_CU_LAUNCH_FAILED = 719,
    GCL_CU_COOPERATIVE_TOO_LARGE = 720,
};

/// What cuDeviceGetAttribute tells.
enum {
    GCL_CU_MAX_SHARED_SIZE = 8,
    GCL_CU_CLOCK_RATE = 13,
    GCL_CU_MULTIPROCESSOR_COUNT = 16,
    GCL_CU_COMPUTE_MODE = 20,
    GCL_CU_MEMORY_CLOCK_RATE = 36,
    GCL_CU_MEMORY_BUS_WIDTH = 37,
    GCL_CU_L2_SIZE = 38,
    GCL_CU_THREADS_PER_MULTIPROCESSOR = 39,
    GCL_CU_UNIFIED_ADDRESSING = 41,
    GCL_CU_MAJOR = 75,
    GCL_CU_MINOR = 76,
    GCL_CU_SHARED_SIZE_PER_MULTIPROCESSOR = 81,
    GCL_CU_REGISTERS_PER_MULTIPROCESSOR = 82,
    GCL_CU_DOUBLE_RATIO = 87,
    GCL_CU_HOST_POINTER_FOR_REGISTERED = 91,
    GCL_CU_MAX_SHARED_SIZE_OPTIN = 97,
    GCL_CU_VIRTUAL_MEMORY = 102,
    GCL_CU_EXPORTS_DESCRIPTORS = 103,
    GCL_CU_BLOCKS_PER_MULTIPROCESSOR = 106,
    GCL_CU_HOST_NUMA_NODE = 134,
    GCL_CU_MAPS_HOST_MEMORY = 141,
};

enum { GCL_CU_COMPUTE_MODE_PROHIBITED = 2 };

/// What cuFuncGetAttribute tells.
enum {
    GCL_CU_FUNCTION_MAX_THREADS = 0,
    GCL_CU_FUNCTION_SHARED_SIZE = 1,
    GCL_CU_FUNCTION_LOCAL_SIZE = 3,
    GCL_CU_FUNCTION_REGISTERS = 4,
    GCL_CU_FUNCTION_PTX = 5,
    GCL_CU_FUNCTION_BINARY = 6,
    GCL_CU_FUNCTION_DYNAMIC_SHARED_SIZE = 8,
};

/// Options of cuModuleLoadDataEx.
enum { GCL_CU_JIT_ERRORS = 5, GCL_CU_JIT_ERRORS_SIZE = 6 };

enum { GCL_CU_EVENT_NO_TIMES = 2 };
enum { GCL_CU_STREAM_NON_BLOCKING = 1, GCL_CU_REGISTER_PORTABLE = 1, GCL_CU_REGISTER_MAPPED = 2 };

enum { GCL_CU_LOCATION_DEVICE = 1, GCL_CU_LOCATION_HOST_NUMA = 3 };
enum { GCL_CU_MEMORY_PINNED = 1, GCL_CU_ACCESS_BOTH = 3 };

enum { GCL_CU_HANDLE_NONE = 0, GCL_CU_HANDLE_DESCRIPTOR = 1 }; ///< as what memory is exported

struct gcl_cu_location {
    int type;
    int id;
};

/// What physical memory is to be like.
struct gcl_cu_memory_form {
    int type;
    int handle_types; ///< as what it may be exported
    struct gcl_cu_location location;
    void *unused;
    unsigned char compression, direct_access;
    unsigned short usage;
    unsigned char reserved[4];
};

struct gcl_cu_access {
    struct gcl_cu_location location;
    int access;
};

enum { GCL_CU_TYPE_HOST = 1, GCL_CU_TYPE_DEVICE = 2 }; ///< of memory

/// A copy of rows.
struct gcl_cu_copy_2d {
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    gcl_cu_address source;
    void *source_array;
    size_t source_pitch;
    size_t target_x, target_y;
    int target_type;
    void *target_host;
    gcl_cu_address target;
    void *target_array;
    size_t target_pitch;
    size_t width, height;
};

// The functions, each with the name that the library exports it by. Contexts, streams, modules and
// functions are pointers.
#define GCL_DRIVER_FUNCTIONS(X)                                                                    \
    X(init, cuInit, (unsigned flags))                                                              \
    X(driver_version, cuDriverGetVersion, (int *version))                                          \
    X(error_name, cuGetErrorName, (int error, const char **text))                                  \
    X(error_string, cuGetErrorString, (int error, const char **text))                              \
    X(device_count, cuDeviceGetCount, (int *count))                                                \
    X(device_get, cuDeviceGet, (int *device, int number))                                          \
    X(device_name, cuDeviceGetName, (char *name, int size, int device))                            \
    X(device_uuid, cuDeviceGetUuid_v2, (void *bytes, int device))                                  \
    X(device_pci, cuDeviceGetPCIBusId, (char *text, int size, int device))                         \
    X(device_memory, cuDeviceTotalMem_v2, (size_t *size, int device))                              \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))             \
    X(device_reaches, cuDeviceCanAccessPeer, (int *can, int device, int other))                    \
    X(context_retain, cuDevicePrimaryCtxRetain, (void **context, int device))                      \
    X(context_use, cuCtxSetCurrent, (void *context))                                               \
    X(context_limit, cuCtxSetLimit, (int limit, size_t value))                                     \
    X(memory_info, cuMemGetInfo_v2, (size_t *free_size, size_t *size))                             \
    X(address_reserve, cuMemAddressReserve,                                                        \
      (gcl_cu_address * address, size_t size, size_t alignment, gcl_cu_address wanted,             \
       unsigned long long flags))                                                                  \
    X(address_free, cuMemAddressFree, (gcl_cu_address address, size_t size))                       \
    X(memory_granularity, cuMemGetAllocationGranularity,                                           \
      (size_t *size, const struct gcl_cu_memory_form *form, int option))                           \
    X(memory_create, cuMemCreate,                                                                  \
      (gcl_cu_memory * memory, size_t size, const struct gcl_cu_memory_form *form,                 \
       unsigned long long flags))                                                                  \
    X(memory_allocate, cuMemAlloc_v2, (gcl_cu_address * address, size_t size))                     \
    X(memory_free, cuMemFree_v2, (gcl_cu_address address))                                         \
    X(memory_release, cuMemRelease, (gcl_cu_memory memory))                                        \
    X(memory_export, cuMemExportToShareableHandle,                                                 \
      (void *handle, gcl_cu_memory memory, int type, unsigned long long flags))                    \
    X(memory_import, cuMemImportFromShareableHandle,                                               \
      (gcl_cu_memory * memory, void *handle, int type))                                            \
    X(memory_map, cuMemMap,                                                                        \
      (gcl_cu_address address, size_t size, size_t offset, gcl_cu_memory memory,                   \
       unsigned long long flags))                                                                  \
    X(memory_unmap, cuMemUnmap, (gcl_cu_address address, size_t size))                             \
    X(memory_allow, cuMemSetAccess,                                                                \
      (gcl_cu_address address, size_t size, const struct gcl_cu_access *access, size_t count))     \
    X(host_register, cuMemHostRegister_v2, (void *memory, size_t size, unsigned flags))            \
    X(host_unregister, cuMemHostUnregister, (void *memory))                                        \
    X(host_pointer, cuMemHostGetDevicePointer_v2,                                                  \
      (gcl_cu_address * address, void *memory, unsigned flags))                                    \
    X(copy, cuMemcpyAsync,                                                                         \
      (gcl_cu_address target, gcl_cu_address source, size_t size, void *stream))                   \
    X(copy_2d, cuMemcpy2DAsync_v2, (const struct gcl_cu_copy_2d *copy, void *stream))              \
    X(set, cuMemsetD8Async,                                                                        \
      (gcl_cu_address target, unsigned char value, size_t size, void *stream))                     \
    X(set_2d, cuMemsetD2D8Async,                                                                   \
      (gcl_cu_address target, size_t pitch, unsigned char value, size_t width, size_t height,      \
       void *stream))                                                                              \
    X(stream_create, cuStreamCreateWithPriority, (void **stream, unsigned flags, int priority))    \
    X(stream_destroy, cuStreamDestroy_v2, (void *stream))                                          \
    X(stream_wait, cuStreamSynchronize, (void *stream))                                            \
    X(stream_follow, cuStreamWaitEvent, (void *stream, void *event, unsigned flags))               \
    X(event_create, cuEventCreate, (void **event, unsigned flags))                                 \
    X(event_destroy, cuEventDestroy_v2, (void *event))                                             \
    X(event_record, cuEventRecord, (void *event, void *stream))                                    \
    X(event_query, cuEventQuery, (void *event))                                                    \
    X(event_wait, cuEventSynchronize, (void *event))                                               \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, void *begin, void *end))            \
    X(module_load, cuModuleLoadDataEx,                                                             \
      (void **module, const void *bytes, unsigned count, int *options, void **values))             \
    X(module_unload, cuModuleUnload, (void *module))                                               \
    X(module_function, cuModuleGetFunction, (void **function, void *module, const char *name))     \
    X(module_variable, cuModuleGetGlobal_v2,                                                       \
      (gcl_cu_address * address, size_t *size, void *module, const char *name))                    \
    X(function_attribute, cuFuncGetAttribute, (int *value, int attribute, void *function))         \
    X(function_set, cuFuncSetAttribute, (void *function, int attribute, int value))                \
    X(launch, cuLaunchKernel,                                                                      \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned shared_size, void *stream, void **parameters,  \
       void **extra))                                                                              \
    X(launch_cooperative, cuLaunchCooperativeKernel,                                               \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,        \
       unsigned block_y, unsigned block_z, unsigned shared_size, void *stream, void **parameters)) \
    X(blocks_per_multiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,                      \
      (int *count, void *function, int block_size, size_t shared_size))

struct gcl_driver {
#define GCL_DRIVER_MEMBER(name, symbol, parameters) int(*name) parameters;
    GCL_DRIVER_FUNCTIONS(GCL_DRIVER_MEMBER)
#undef GCL_DRIVER_MEMBER
};

/// The oldest driver whose code generator knows what the compiler emits, as cuDriverGetVersion
/// tells versions.
enum { GCL_DRIVER_LEAST_VERSION = 12050 };

enum gcl_driver_state {
    GCL_DRIVER_READY,
    GCL_DRIVER_ABSENT,   ///< there is none, or no GPU, as on most machines
    GCL_DRIVER_UNUSABLE, ///< there is one that can't be used
};

/// Loads the driver into `driver` and starts it, once a process; later calls give the same. What
/// was found and what is needed becomes `why`, unless it is ready.
enum gcl_driver_state gcl_driver_load(const struct gcl_driver **driver, char *why, size_t size);

/// A result's name and what it means. Stays valid.
struct gcl_driver_error {
    const char *name, *text;
};
struct gcl_driver_error gcl_driver_error(const struct gcl_driver *driver, int error);

#endif
