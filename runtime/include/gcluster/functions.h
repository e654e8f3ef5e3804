// clang-format off
//
// Every function of the API, once: GCL_FUNCTION(name, (parameters)) returns gclError_t,
// GCL_FUNCTION_OF(type, name, (parameters)) something else; GCL_DEFAULT(value) is a default
// argument for C++. No include guard: whoever includes this file defines the three and gets the
// declarations gclX and cudaX, or whatever else there is one of for each function.
//
// Sizes are bytes. All functions may be called from any thread. Besides what is listed, any
// function may return the error of earlier asynchronous work.

// Memory.

/// Allocates device memory, aligned to 256 bytes. More than there is: ErrorMemoryAllocation.
GCL_FUNCTION(Malloc, (void **pointer, size_t size))
/// Waits for the device, then gives memory of Malloc, MallocManaged, MallocPitch or Malloc3D back.
/// NULL is allowed; ErrorInvalidValue if `pointer` isn't the start of an allocation.
GCL_FUNCTION(Free, (void *pointer))
/// Memory that host and device both use at the same address.
GCL_FUNCTION(MallocManaged,
             (void **pointer, size_t size, unsigned int flags GCL_DEFAULT(gclMemAttachGlobal)))
/// Pinned host memory.
GCL_FUNCTION(MallocHost, (void **pointer, size_t size))
GCL_FUNCTION(HostAlloc, (void **pointer, size_t size, unsigned int flags))
GCL_FUNCTION(FreeHost, (void *pointer))
/// Makes host memory of the program's own pinned, until HostUnregister.
GCL_FUNCTION(HostRegister, (void *pointer, size_t size, unsigned int flags))
GCL_FUNCTION(HostUnregister, (void *pointer))
/// The address at which kernels reach pinned host memory: the same one.
GCL_FUNCTION(HostGetDevicePointer, (void **device, void *host, unsigned int flags))
GCL_FUNCTION(HostGetFlags, (unsigned int *flags, void *host))
/// Rows of `width` bytes, `*pitch` apart.
GCL_FUNCTION(MallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height))
GCL_FUNCTION(Malloc3D, (struct gclPitchedPtr *pointer, struct gclExtent extent))
GCL_FUNCTION(MemGetInfo, (size_t *free_size, size_t *total_size))
GCL_FUNCTION(PointerGetAttributes, (struct gclPointerAttributes *attributes, const void *pointer))
GCL_FUNCTION(MemPrefetchAsync,
             (const void *pointer, size_t size, int device, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(MemAdvise,
             (const void *pointer, size_t size, enum gclMemoryAdvise advice, int device))
GCL_FUNCTION(MemRangeGetAttribute,
             (void *value, size_t value_size, enum gclMemRangeAttribute attribute,
              const void *pointer, size_t size))
/// Several attributes of one range, each into memory of its own.
GCL_FUNCTION(MemRangeGetAttributes,
             (void **values, size_t *value_sizes, enum gclMemRangeAttribute *attributes,
              size_t count, const void *pointer, size_t size))

// Copies. Each end is checked: memory of ours must be allocated over its whole length, else
// ErrorInvalidValue and nothing is written; host memory that we don't know passes. Those named
// Async return at once (not those into pageable host memory, as in CUDA); of the others, copies
// within the device do too, in stream order.

GCL_FUNCTION(Memcpy, (void *target, const void *source, size_t size, enum gclMemcpyKind kind))
GCL_FUNCTION(MemcpyAsync, (void *target, const void *source, size_t size, enum gclMemcpyKind kind,
                           gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(MemcpyPeer, (void *target, int target_device, const void *source, int source_device,
                          size_t size))
GCL_FUNCTION(MemcpyPeerAsync, (void *target, int target_device, const void *source,
                               int source_device, size_t size, gclStream_t stream GCL_DEFAULT(0)))
/// `count` copies, in a stream that isn't the default one. `attributes[i]` are those of the copies
/// from `first[i]` on; `first[0]` is 0. `*failed`: the copy that couldn't be, SIZE_MAX if it isn't
/// one alone; copies before it are done.
GCL_FUNCTION(MemcpyBatchAsync,
             (void **targets, void **sources, size_t *sizes, size_t count,
              gclMemcpyAttributes *attributes, size_t *first, size_t attribute_count,
              size_t *failed, gclStream_t stream))
/// `height` rows of `width` bytes.
GCL_FUNCTION(Memcpy2D, (void *target, size_t target_pitch, const void *source, size_t source_pitch,
                        size_t width, size_t height, enum gclMemcpyKind kind))
GCL_FUNCTION(Memcpy2DAsync,
             (void *target, size_t target_pitch, const void *source, size_t source_pitch,
              size_t width, size_t height, enum gclMemcpyKind kind,
              gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memcpy3D, (const struct gclMemcpy3DParms *parameters))
GCL_FUNCTION(Memcpy3DAsync,
             (const struct gclMemcpy3DParms *parameters, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memcpy3DPeer, (const struct gclMemcpy3DPeerParms *parameters))
GCL_FUNCTION(Memcpy3DPeerAsync,
             (const struct gclMemcpy3DPeerParms *parameters, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memset, (void *pointer, int value, size_t size))
GCL_FUNCTION(MemsetAsync,
             (void *pointer, int value, size_t size, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memset2D, (void *pointer, size_t pitch, int value, size_t width, size_t height))
GCL_FUNCTION(Memset2DAsync, (void *pointer, size_t pitch, int value, size_t width, size_t height,
                             gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memset3D, (struct gclPitchedPtr pointer, int value, struct gclExtent extent))
GCL_FUNCTION(Memset3DAsync, (struct gclPitchedPtr pointer, int value, struct gclExtent extent,
                             gclStream_t stream GCL_DEFAULT(0)))

// Variables in device code. `symbol` is the address of the host's shadow variable.

GCL_FUNCTION(MemcpyToSymbol,
             (const void *symbol, const void *source, size_t size, size_t offset GCL_DEFAULT(0),
              enum gclMemcpyKind kind GCL_DEFAULT(gclMemcpyHostToDevice)))
GCL_FUNCTION(MemcpyFromSymbol,
             (void *target, const void *symbol, size_t size, size_t offset GCL_DEFAULT(0),
              enum gclMemcpyKind kind GCL_DEFAULT(gclMemcpyDeviceToHost)))
GCL_FUNCTION(MemcpyToSymbolAsync,
             (const void *symbol, const void *source, size_t size, size_t offset,
              enum gclMemcpyKind kind, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(MemcpyFromSymbolAsync,
             (void *target, const void *symbol, size_t size, size_t offset,
              enum gclMemcpyKind kind, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(GetSymbolAddress, (void **pointer, const void *symbol))
GCL_FUNCTION(GetSymbolSize, (size_t *size, const void *symbol))

// Stream-ordered allocation.

/// Usable by work of `stream` from here on, and by others after they waited for it.
GCL_FUNCTION(MallocAsync, (void **pointer, size_t size, gclStream_t stream))
/// Gives memory back when the work of `stream` so far is done.
GCL_FUNCTION(FreeAsync, (void *pointer, gclStream_t stream))
GCL_FUNCTION(MallocFromPoolAsync,
             (void **pointer, size_t size, gclMemPool_t pool, gclStream_t stream))
GCL_FUNCTION(MemPoolCreate, (gclMemPool_t *pool, const struct gclMemPoolProps *properties))
GCL_FUNCTION(MemPoolDestroy, (gclMemPool_t pool))
GCL_FUNCTION(MemPoolTrimTo, (gclMemPool_t pool, size_t kept_size))
GCL_FUNCTION(MemPoolSetAttribute,
             (gclMemPool_t pool, enum gclMemPoolAttr attribute, void *value))
GCL_FUNCTION(MemPoolGetAttribute,
             (gclMemPool_t pool, enum gclMemPoolAttr attribute, void *value))
GCL_FUNCTION(MemPoolSetAccess,
             (gclMemPool_t pool, const struct gclMemAccessDesc *descriptions, size_t count))
GCL_FUNCTION(MemPoolGetAccess, (enum gclMemAccessFlags *flags, gclMemPool_t pool,
                                struct gclMemLocation *location))
GCL_FUNCTION(DeviceGetDefaultMemPool, (gclMemPool_t *pool, int device))
GCL_FUNCTION(DeviceGetMemPool, (gclMemPool_t *pool, int device))
GCL_FUNCTION(DeviceSetMemPool, (int device, gclMemPool_t pool))

// Arrays, textures, surfaces. Offsets and widths of array copies are bytes.

GCL_FUNCTION_OF(struct gclChannelFormatDesc, CreateChannelDesc,
                (int x, int y, int z, int w, enum gclChannelFormatKind kind))
GCL_FUNCTION(GetChannelDesc, (struct gclChannelFormatDesc *description, gclArray_const_t array))
GCL_FUNCTION(MallocArray,
             (gclArray_t *array, const struct gclChannelFormatDesc *description, size_t width,
              size_t height GCL_DEFAULT(0), unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(Malloc3DArray,
             (gclArray_t *array, const struct gclChannelFormatDesc *description,
              struct gclExtent extent, unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(FreeArray, (gclArray_t array))
GCL_FUNCTION(ArrayGetInfo, (struct gclChannelFormatDesc *description, struct gclExtent *extent,
                            unsigned int *flags, gclArray_t array))
GCL_FUNCTION(MallocMipmappedArray,
             (gclMipmappedArray_t *array, const struct gclChannelFormatDesc *description,
              struct gclExtent extent, unsigned int level_count,
              unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(GetMipmappedArrayLevel,
             (gclArray_t *level, gclMipmappedArray_const_t array, unsigned int index))
GCL_FUNCTION(FreeMipmappedArray, (gclMipmappedArray_t array))
GCL_FUNCTION(MemcpyToArray, (gclArray_t target, size_t x, size_t y, const void *source, size_t size,
                             enum gclMemcpyKind kind))
GCL_FUNCTION(MemcpyFromArray, (void *target, gclArray_const_t source, size_t x, size_t y,
                               size_t size, enum gclMemcpyKind kind))
GCL_FUNCTION(MemcpyToArrayAsync,
             (gclArray_t target, size_t x, size_t y, const void *source, size_t size,
              enum gclMemcpyKind kind, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(MemcpyFromArrayAsync,
             (void *target, gclArray_const_t source, size_t x, size_t y, size_t size,
              enum gclMemcpyKind kind, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memcpy2DToArray,
             (gclArray_t target, size_t x, size_t y, const void *source, size_t source_pitch,
              size_t width, size_t height, enum gclMemcpyKind kind))
GCL_FUNCTION(Memcpy2DFromArray,
             (void *target, size_t target_pitch, gclArray_const_t source, size_t x, size_t y,
              size_t width, size_t height, enum gclMemcpyKind kind))
GCL_FUNCTION(Memcpy2DToArrayAsync,
             (gclArray_t target, size_t x, size_t y, const void *source, size_t source_pitch,
              size_t width, size_t height, enum gclMemcpyKind kind,
              gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(Memcpy2DFromArrayAsync,
             (void *target, size_t target_pitch, gclArray_const_t source, size_t x, size_t y,
              size_t width, size_t height, enum gclMemcpyKind kind,
              gclStream_t stream GCL_DEFAULT(0)))
/// `size` bytes, row after row at either end; rows of the two arrays may differ in width.
GCL_FUNCTION(MemcpyArrayToArray,
             (gclArray_t target, size_t target_x, size_t target_y, gclArray_const_t source,
              size_t source_x, size_t source_y, size_t size,
              enum gclMemcpyKind kind GCL_DEFAULT(gclMemcpyDeviceToDevice)))
GCL_FUNCTION(Memcpy2DArrayToArray,
             (gclArray_t target, size_t target_x, size_t target_y, gclArray_const_t source,
              size_t source_x, size_t source_y, size_t width, size_t height,
              enum gclMemcpyKind kind GCL_DEFAULT(gclMemcpyDeviceToDevice)))
GCL_FUNCTION(CreateTextureObject,
             (gclTextureObject_t *texture, const struct gclResourceDesc *resource,
              const struct gclTextureDesc *description, const struct gclResourceViewDesc *view))
GCL_FUNCTION(DestroyTextureObject, (gclTextureObject_t texture))
GCL_FUNCTION(GetTextureObjectResourceDesc,
             (struct gclResourceDesc *resource, gclTextureObject_t texture))
GCL_FUNCTION(GetTextureObjectTextureDesc,
             (struct gclTextureDesc *description, gclTextureObject_t texture))
/// ErrorInvalidValue for a texture that was made without a view.
GCL_FUNCTION(GetTextureObjectResourceViewDesc,
             (struct gclResourceViewDesc *view, gclTextureObject_t texture))
/// Most elements of a texture in linear memory.
GCL_FUNCTION(DeviceGetTexture1DLinearMaxWidth,
             (size_t *width, const struct gclChannelFormatDesc *format, int device))
GCL_FUNCTION(CreateSurfaceObject,
             (gclSurfaceObject_t *surface, const struct gclResourceDesc *resource))
GCL_FUNCTION(DestroySurfaceObject, (gclSurfaceObject_t surface))
GCL_FUNCTION(GetSurfaceObjectResourceDesc,
             (struct gclResourceDesc *resource, gclSurfaceObject_t surface))

// References, by the address of the host's variable. What its fields say counts when it is bound;
// the bytes before its memory, `*offset`, are none. Binding waits for what runs.

GCL_FUNCTION(BindTexture,
             (size_t *offset, const struct textureReference *reference, const void *pointer,
              const struct gclChannelFormatDesc *description,
              size_t size GCL_DEFAULT(0xffffffffu)))
GCL_FUNCTION(BindTexture2D,
             (size_t *offset, const struct textureReference *reference, const void *pointer,
              const struct gclChannelFormatDesc *description, size_t width, size_t height,
              size_t pitch))
GCL_FUNCTION(BindTextureToArray,
             (const struct textureReference *reference, gclArray_const_t array,
              const struct gclChannelFormatDesc *description))
GCL_FUNCTION(BindTextureToMipmappedArray,
             (const struct textureReference *reference, gclMipmappedArray_const_t array,
              const struct gclChannelFormatDesc *description))
GCL_FUNCTION(UnbindTexture, (const struct textureReference *reference))
GCL_FUNCTION(GetTextureAlignmentOffset,
             (size_t *offset, const struct textureReference *reference))
GCL_FUNCTION(GetTextureReference,
             (const struct textureReference **reference, const void *symbol))
GCL_FUNCTION(BindSurfaceToArray,
             (const struct surfaceReference *reference, gclArray_const_t array,
              const struct gclChannelFormatDesc *description))
GCL_FUNCTION(GetSurfaceReference,
             (const struct surfaceReference **reference, const void *symbol))

// Launches. `function` is the address of a kernel's host stub, `arguments` the address of each
// argument; they are copied before the call returns.

GCL_FUNCTION(LaunchKernel, (const void *function, dim3 grid, dim3 block, void **arguments,
                            size_t shared_size, gclStream_t stream))
/// LaunchKernel where the default stream is the calling thread's own.
GCL_FUNCTION(LaunchKernel_ptsz, (const void *function, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_size, gclStream_t stream))
/// A launch whose blocks may wait for each other at grid barriers.
GCL_FUNCTION(LaunchCooperativeKernel, (const void *function, dim3 grid, dim3 block,
                                       void **arguments, size_t shared_size, gclStream_t stream))
GCL_FUNCTION(LaunchKernelExC,
             (const gclLaunchConfig_t *configuration, const void *function, void **arguments))
/// Runs a function of the host in stream order.
GCL_FUNCTION(LaunchHostFunc, (gclStream_t stream, gclHostFn_t function, void *data))
GCL_FUNCTION(FuncGetAttributes, (struct gclFuncAttributes *attributes, const void *function))
GCL_FUNCTION(FuncSetAttribute,
             (const void *function, enum gclFuncAttribute attribute, int value))
GCL_FUNCTION(FuncSetCacheConfig, (const void *function, enum gclFuncCache configuration))
GCL_FUNCTION(FuncSetSharedMemConfig,
             (const void *function, enum gclSharedMemConfig configuration))
GCL_FUNCTION(FuncGetName, (const char **name, const void *function))
/// Where a parameter lies in the buffer of a kernel's arguments, and its bytes; `size` may be NULL.
GCL_FUNCTION(FuncGetParamInfo,
             (const void *function, size_t index, size_t *offset, size_t *size))
/// The kernel as cuLaunchKernel takes it.
GCL_FUNCTION(GetFuncBySymbol, (gclFunction_t *handle, const void *function))
GCL_FUNCTION(OccupancyMaxActiveBlocksPerMultiprocessor,
             (int *block_count, const void *function, int block_size, size_t shared_size))
GCL_FUNCTION(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
             (int *block_count, const void *function, int block_size, size_t shared_size,
              unsigned int flags))
GCL_FUNCTION(OccupancyAvailableDynamicSMemPerBlock,
             (size_t *shared_size, const void *function, int block_count, int block_size))

// Streams.

GCL_FUNCTION(StreamCreate, (gclStream_t *stream))
GCL_FUNCTION(StreamCreateWithFlags, (gclStream_t *stream, unsigned int flags))
GCL_FUNCTION(StreamCreateWithPriority, (gclStream_t *stream, unsigned int flags, int priority))
/// Returns at once; the stream goes when its work is done.
GCL_FUNCTION(StreamDestroy, (gclStream_t stream))
GCL_FUNCTION(StreamSynchronize, (gclStream_t stream))
/// Success if all work is done, else ErrorNotReady.
GCL_FUNCTION(StreamQuery, (gclStream_t stream))
GCL_FUNCTION(StreamWaitEvent,
             (gclStream_t stream, gclEvent_t event, unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(StreamAddCallback,
             (gclStream_t stream, gclStreamCallback_t callback, void *data, unsigned int flags))
GCL_FUNCTION(StreamAttachMemAsync,
             (gclStream_t stream, void *pointer, size_t size GCL_DEFAULT(0),
              unsigned int flags GCL_DEFAULT(gclMemAttachSingle)))
GCL_FUNCTION(StreamGetFlags, (gclStream_t stream, unsigned int *flags))
GCL_FUNCTION(StreamGetPriority, (gclStream_t stream, int *priority))
GCL_FUNCTION(StreamGetId, (gclStream_t stream, unsigned long long *id))
GCL_FUNCTION(StreamGetDevice, (gclStream_t stream, int *device))
GCL_FUNCTION(StreamSetAttribute, (gclStream_t stream, enum gclLaunchAttributeID attribute,
                                  const union gclLaunchAttributeValue *value))
GCL_FUNCTION(StreamGetAttribute, (gclStream_t stream, enum gclLaunchAttributeID attribute,
                                  union gclLaunchAttributeValue *value))
GCL_FUNCTION(StreamCopyAttributes, (gclStream_t target, gclStream_t source))
GCL_FUNCTION(CtxResetPersistingL2Cache, (void))

// Events.

GCL_FUNCTION(EventCreate, (gclEvent_t *event))
GCL_FUNCTION(EventCreateWithFlags, (gclEvent_t *event, unsigned int flags))
GCL_FUNCTION(EventDestroy, (gclEvent_t event))
GCL_FUNCTION(EventRecord, (gclEvent_t event, gclStream_t stream GCL_DEFAULT(0)))
GCL_FUNCTION(EventRecordWithFlags,
             (gclEvent_t event, gclStream_t stream GCL_DEFAULT(0),
              unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(EventSynchronize, (gclEvent_t event))
/// Success if the recorded work is done, else ErrorNotReady.
GCL_FUNCTION(EventQuery, (gclEvent_t event))
GCL_FUNCTION(EventElapsedTime, (float *milliseconds, gclEvent_t begin, gclEvent_t end))

// Between processes of the same user on a host. ErrorNotSupported, with a message, in a job of
// several nodes and on GPUs.

/// Waits for the device. `pointer` is of Malloc.
GCL_FUNCTION(IpcGetMemHandle, (gclIpcMemHandle_t *handle, void *pointer))
GCL_FUNCTION(IpcOpenMemHandle, (void **pointer, gclIpcMemHandle_t handle, unsigned int flags))
GCL_FUNCTION(IpcCloseMemHandle, (void *pointer))
/// The event was created with EventInterprocess.
GCL_FUNCTION(IpcGetEventHandle, (gclIpcEventHandle_t *handle, gclEvent_t event))
GCL_FUNCTION(IpcOpenEventHandle, (gclEvent_t *event, gclIpcEventHandle_t handle))

// Device.

GCL_FUNCTION(DeviceSynchronize, (void))
/// Waits, frees device memory and forgets sticky errors. Streams, events and pinned memory stay valid.
GCL_FUNCTION(DeviceReset, (void))
GCL_FUNCTION(GetDeviceCount, (int *count))
GCL_FUNCTION(GetDevice, (int *device))
GCL_FUNCTION(SetDevice, (int device))
GCL_FUNCTION(InitDevice, (int device, unsigned int device_flags, unsigned int flags))
GCL_FUNCTION(SetValidDevices, (int *devices, int count))
GCL_FUNCTION(ChooseDevice, (int *device, const struct gclDeviceProp *properties))
GCL_FUNCTION(GetDeviceProperties, (struct gclDeviceProp *properties, int device))
GCL_FUNCTION(DeviceGetAttribute, (int *value, enum gclDeviceAttr attribute, int device))
GCL_FUNCTION(DeviceGetP2PAttribute,
             (int *value, enum gclDeviceP2PAttr attribute, int source, int target))
GCL_FUNCTION(DeviceGetPCIBusId, (char *id, int size, int device))
GCL_FUNCTION(DeviceGetByPCIBusId, (int *device, const char *id))
GCL_FUNCTION(DeviceGetLimit, (size_t *value, enum gclLimit limit))
GCL_FUNCTION(DeviceSetLimit, (enum gclLimit limit, size_t value))
GCL_FUNCTION(DeviceGetCacheConfig, (enum gclFuncCache *configuration))
GCL_FUNCTION(DeviceSetCacheConfig, (enum gclFuncCache configuration))
GCL_FUNCTION(DeviceGetSharedMemConfig, (enum gclSharedMemConfig *configuration))
GCL_FUNCTION(DeviceSetSharedMemConfig, (enum gclSharedMemConfig configuration))
GCL_FUNCTION(DeviceGetStreamPriorityRange, (int *least, int *greatest))
GCL_FUNCTION(DeviceCanAccessPeer, (int *can_access, int device, int peer))
GCL_FUNCTION(DeviceEnablePeerAccess, (int peer, unsigned int flags))
GCL_FUNCTION(DeviceDisablePeerAccess, (int peer))
GCL_FUNCTION(GetDeviceFlags, (unsigned int *flags))
GCL_FUNCTION(SetDeviceFlags, (unsigned int flags))
GCL_FUNCTION(DriverGetVersion, (int *version))
GCL_FUNCTION(RuntimeGetVersion, (int *version))
/// A function of the driver API (gcluster/driver.h). ErrorSymbolNotFound, unless `status` says so:
/// there is none of that name.
GCL_FUNCTION(GetDriverEntryPoint,
             (const char *name, void **function, unsigned long long flags,
              enum gclDriverEntryPointQueryResult *status GCL_DEFAULT(NULL)))
GCL_FUNCTION(GetDriverEntryPointByVersion,
             (const char *name, void **function, unsigned int version, unsigned long long flags,
              enum gclDriverEntryPointQueryResult *status GCL_DEFAULT(NULL)))
GCL_FUNCTION(ProfilerStart, (void))
GCL_FUNCTION(ProfilerStop, (void))

// Old names of device functions.

GCL_FUNCTION(ThreadSynchronize, (void))
GCL_FUNCTION(ThreadExit, (void))
GCL_FUNCTION(ThreadGetLimit, (size_t *value, enum gclLimit limit))
GCL_FUNCTION(ThreadSetLimit, (enum gclLimit limit, size_t value))
GCL_FUNCTION(ThreadGetCacheConfig, (enum gclFuncCache *configuration))
GCL_FUNCTION(ThreadSetCacheConfig, (enum gclFuncCache configuration))

// Errors.

/// The calling thread's last error; forgets it, unless the device can't recover from it.
GCL_FUNCTION(GetLastError, (void))
GCL_FUNCTION(PeekAtLastError, (void))
/// "cudaErrorInvalidValue"; a string that lives forever.
GCL_FUNCTION_OF(const char *, GetErrorName, (gclError_t error))
/// "invalid argument"; a string that lives forever.
GCL_FUNCTION_OF(const char *, GetErrorString, (gclError_t error))

// Graphs.

#include "gcluster/graph_functions.h"
