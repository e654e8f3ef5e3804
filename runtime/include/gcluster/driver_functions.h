// clang-format off
//
// Every function of the driver API, once, by its name without cu; all return CUresult. One with
// CU_FUNCTION_V2 exists under a second name, cuName_v2, as programs ask for it that look functions
// up (dlsym). No include guard: whoever includes this file defines the two.

CU_FUNCTION(Init, (unsigned int flags))
CU_FUNCTION(DriverGetVersion, (int *version))
CU_FUNCTION(GetErrorName, (CUresult error, const char **text))
CU_FUNCTION(GetErrorString, (CUresult error, const char **text))
/// A function by the name that it has without _v2. CUDA_ERROR_NOT_FOUND: there is none.
CU_FUNCTION(GetProcAddress_v2, (const char *name, void **function, int version, cuuint64_t flags,
                                CUdriverProcAddressQueryResult *status))

// Devices.

CU_FUNCTION(DeviceGet, (CUdevice *device, int number))
CU_FUNCTION(DeviceGetCount, (int *count))
CU_FUNCTION(DeviceGetName, (char *name, int size, CUdevice device))
CU_FUNCTION_V2(DeviceGetUuid, (CUuuid *uuid, CUdevice device))
CU_FUNCTION_V2(DeviceTotalMem, (size_t *size, CUdevice device))
CU_FUNCTION(DeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device))
CU_FUNCTION(DeviceGetProperties, (CUdevprop *properties, CUdevice device))
CU_FUNCTION(DeviceComputeCapability, (int *major, int *minor, CUdevice device))
CU_FUNCTION(DeviceGetByPCIBusId, (CUdevice *device, const char *id))
CU_FUNCTION(DeviceGetPCIBusId, (char *id, int size, CUdevice device))
CU_FUNCTION(DeviceCanAccessPeer, (int *can_access, CUdevice device, CUdevice peer))
CU_FUNCTION(DeviceGetP2PAttribute,
            (int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice target))
CU_FUNCTION(DeviceGetDefaultMemPool, (CUmemoryPool *pool, CUdevice device))
CU_FUNCTION(DeviceGetMemPool, (CUmemoryPool *pool, CUdevice device))
CU_FUNCTION(DeviceSetMemPool, (CUdevice device, CUmemoryPool pool))
CU_FUNCTION(DevicePrimaryCtxRetain, (CUcontext *context, CUdevice device))
CU_FUNCTION_V2(DevicePrimaryCtxRelease, (CUdevice device))
CU_FUNCTION_V2(DevicePrimaryCtxSetFlags, (CUdevice device, unsigned int flags))
CU_FUNCTION(DevicePrimaryCtxGetState, (CUdevice device, unsigned int *flags, int *is_active))
CU_FUNCTION_V2(DevicePrimaryCtxReset, (CUdevice device))

// Contexts.

CU_FUNCTION_V2(CtxCreate, (CUcontext *context, unsigned int flags, CUdevice device))
CU_FUNCTION_V2(CtxDestroy, (CUcontext context))
CU_FUNCTION_V2(CtxPushCurrent, (CUcontext context))
CU_FUNCTION_V2(CtxPopCurrent, (CUcontext *context))
CU_FUNCTION(CtxSetCurrent, (CUcontext context))
CU_FUNCTION(CtxGetCurrent, (CUcontext *context))
CU_FUNCTION(CtxGetDevice, (CUdevice *device))
CU_FUNCTION(CtxGetFlags, (unsigned int *flags))
CU_FUNCTION(CtxSetFlags, (unsigned int flags))
CU_FUNCTION(CtxGetId, (CUcontext context, unsigned long long *id))
CU_FUNCTION(CtxSynchronize, (void))
CU_FUNCTION(CtxSetLimit, (CUlimit limit, size_t value))
CU_FUNCTION(CtxGetLimit, (size_t *value, CUlimit limit))
CU_FUNCTION(CtxGetCacheConfig, (CUfunc_cache *configuration))
CU_FUNCTION(CtxSetCacheConfig, (CUfunc_cache configuration))
CU_FUNCTION(CtxGetSharedMemConfig, (CUsharedconfig *configuration))
CU_FUNCTION(CtxSetSharedMemConfig, (CUsharedconfig configuration))
CU_FUNCTION(CtxGetApiVersion, (CUcontext context, unsigned int *version))
CU_FUNCTION(CtxGetStreamPriorityRange, (int *least, int *greatest))
CU_FUNCTION(CtxResetPersistingL2Cache, (void))
CU_FUNCTION(CtxAttach, (CUcontext *context, unsigned int flags))
CU_FUNCTION(CtxDetach, (CUcontext context))
CU_FUNCTION(CtxEnablePeerAccess, (CUcontext peer, unsigned int flags))
CU_FUNCTION(CtxDisablePeerAccess, (CUcontext peer))

// Modules: `image` is what gcluster-cc or NVRTC made. CUDA_ERROR_INVALID_IMAGE, _INVALID_PTX
// and _NO_BINARY_FOR_GPU: it is of another make.

CU_FUNCTION(ModuleLoad, (CUmodule *module, const char *path))
CU_FUNCTION(ModuleLoadData, (CUmodule *module, const void *image))
CU_FUNCTION(ModuleLoadDataEx, (CUmodule *module, const void *image, unsigned int option_count,
                               CUjit_option *options, void **values))
CU_FUNCTION(ModuleLoadFatBinary, (CUmodule *module, const void *image))
/// Waits for the device.
CU_FUNCTION(ModuleUnload, (CUmodule module))
CU_FUNCTION(ModuleGetLoadingMode, (CUmoduleLoadingMode *mode))
/// By the name that the compiler gives it: of C++ functions, mangled.
CU_FUNCTION(ModuleGetFunction, (CUfunction *function, CUmodule module, const char *name))
CU_FUNCTION(ModuleGetFunctionCount, (unsigned int *count, CUmodule module))
CU_FUNCTION(ModuleEnumerateFunctions,
            (CUfunction *functions, unsigned int most, CUmodule module))
CU_FUNCTION_V2(ModuleGetGlobal,
               (CUdeviceptr *address, size_t *size, CUmodule module, const char *name))

CU_FUNCTION(LibraryLoadData,
            (CUlibrary *library, const void *image, CUjit_option *jit_options, void **jit_values,
             unsigned int jit_option_count, CUlibraryOption *options, void **values,
             unsigned int option_count))
CU_FUNCTION(LibraryLoadFromFile,
            (CUlibrary *library, const char *path, CUjit_option *jit_options, void **jit_values,
             unsigned int jit_option_count, CUlibraryOption *options, void **values,
             unsigned int option_count))
CU_FUNCTION(LibraryUnload, (CUlibrary library))
CU_FUNCTION(LibraryGetKernel, (CUkernel *kernel, CUlibrary library, const char *name))
CU_FUNCTION(LibraryGetKernelCount, (unsigned int *count, CUlibrary library))
CU_FUNCTION(LibraryEnumerateKernels,
            (CUkernel *kernels, unsigned int most, CUlibrary library))
CU_FUNCTION(LibraryGetModule, (CUmodule *module, CUlibrary library))
CU_FUNCTION(LibraryGetGlobal,
            (CUdeviceptr *address, size_t *size, CUlibrary library, const char *name))
CU_FUNCTION(LibraryGetManaged,
            (CUdeviceptr *address, size_t *size, CUlibrary library, const char *name))
CU_FUNCTION(KernelGetFunction, (CUfunction *function, CUkernel kernel))
CU_FUNCTION(KernelGetName, (const char **name, CUkernel kernel))
CU_FUNCTION(KernelGetAttribute,
            (int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device))
CU_FUNCTION(KernelSetAttribute,
            (CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device))
CU_FUNCTION(KernelSetCacheConfig,
            (CUkernel kernel, CUfunc_cache configuration, CUdevice device))

/// Links one module, which stays as it is: CUDA_ERROR_NOT_SUPPORTED for more.
CU_FUNCTION_V2(LinkCreate, (unsigned int option_count, CUjit_option *options, void **values,
                            CUlinkState *state))
CU_FUNCTION_V2(LinkAddData,
               (CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                unsigned int option_count, CUjit_option *options, void **values))
CU_FUNCTION_V2(LinkAddFile,
               (CUlinkState state, CUjitInputType type, const char *path,
                unsigned int option_count, CUjit_option *options, void **values))
/// The image lives until the state is destroyed.
CU_FUNCTION(LinkComplete, (CUlinkState state, void **image, size_t *size))
CU_FUNCTION(LinkDestroy, (CUlinkState state))

// Memory.

CU_FUNCTION_V2(MemGetInfo, (size_t *free_size, size_t *total_size))
CU_FUNCTION_V2(MemAlloc, (CUdeviceptr *address, size_t size))
CU_FUNCTION_V2(MemAllocPitch, (CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                               unsigned int element_size))
CU_FUNCTION_V2(MemFree, (CUdeviceptr address))
CU_FUNCTION_V2(MemGetAddressRange, (CUdeviceptr *begin, size_t *size, CUdeviceptr address))
CU_FUNCTION_V2(MemAllocHost, (void **pointer, size_t size))
CU_FUNCTION(MemFreeHost, (void *pointer))
CU_FUNCTION(MemHostAlloc, (void **pointer, size_t size, unsigned int flags))
CU_FUNCTION_V2(MemHostGetDevicePointer,
               (CUdeviceptr *address, void *pointer, unsigned int flags))
CU_FUNCTION(MemHostGetFlags, (unsigned int *flags, void *pointer))
CU_FUNCTION_V2(MemHostRegister, (void *pointer, size_t size, unsigned int flags))
CU_FUNCTION(MemHostUnregister, (void *pointer))
CU_FUNCTION(MemAllocManaged, (CUdeviceptr *address, size_t size, unsigned int flags))
CU_FUNCTION(MemPrefetchAsync,
            (CUdeviceptr address, size_t size, CUdevice device, CUstream stream))
CU_FUNCTION(MemAdvise,
            (CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device))
CU_FUNCTION(MemRangeGetAttribute,
            (void *value, size_t value_size, CUmem_range_attribute attribute,
             CUdeviceptr address, size_t size))
CU_FUNCTION(PointerGetAttribute,
            (void *value, CUpointer_attribute attribute, CUdeviceptr address))
CU_FUNCTION(PointerGetAttributes,
            (unsigned int count, CUpointer_attribute *attributes, void **values,
             CUdeviceptr address))
CU_FUNCTION(PointerSetAttribute,
            (const void *value, CUpointer_attribute attribute, CUdeviceptr address))
CU_FUNCTION(MemAllocAsync, (CUdeviceptr *address, size_t size, CUstream stream))
CU_FUNCTION(MemFreeAsync, (CUdeviceptr address, CUstream stream))
CU_FUNCTION(MemAllocFromPoolAsync,
            (CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream))
CU_FUNCTION(MemPoolCreate, (CUmemoryPool *pool, const CUmemPoolProps *properties))
CU_FUNCTION(MemPoolDestroy, (CUmemoryPool pool))
CU_FUNCTION(MemPoolTrimTo, (CUmemoryPool pool, size_t kept_size))
CU_FUNCTION(MemPoolSetAttribute,
            (CUmemoryPool pool, CUmemPool_attribute attribute, void *value))
CU_FUNCTION(MemPoolGetAttribute,
            (CUmemoryPool pool, CUmemPool_attribute attribute, void *value))
CU_FUNCTION(MemPoolSetAccess,
            (CUmemoryPool pool, const CUmemAccessDesc *descriptions, size_t count))
CU_FUNCTION(MemPoolGetAccess,
            (CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location))

// Memory that is mapped by hand. Reserving addresses allocates the memory that can be mapped there.
// A handle is mapped as a whole, once, at addresses that its device reserved:
// CUDA_ERROR_NOT_SUPPORTED otherwise, and for handles that other processes could use.

CU_FUNCTION(MemGetAllocationGranularity,
            (size_t *granularity, const CUmemAllocationProp *properties,
             CUmemAllocationGranularity_flags option))
CU_FUNCTION(MemAddressReserve, (CUdeviceptr *address, size_t size, size_t alignment,
                                CUdeviceptr wanted, unsigned long long flags))
CU_FUNCTION(MemAddressFree, (CUdeviceptr address, size_t size))
CU_FUNCTION(MemCreate, (CUmemGenericAllocationHandle *handle, size_t size,
                        const CUmemAllocationProp *properties, unsigned long long flags))
CU_FUNCTION(MemRelease, (CUmemGenericAllocationHandle handle))
CU_FUNCTION(MemRetainAllocationHandle, (CUmemGenericAllocationHandle *handle, void *address))
CU_FUNCTION(MemGetAllocationPropertiesFromHandle,
            (CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle))
CU_FUNCTION(MemMap, (CUdeviceptr address, size_t size, size_t offset,
                     CUmemGenericAllocationHandle handle, unsigned long long flags))
/// Waits for the device.
CU_FUNCTION(MemUnmap, (CUdeviceptr address, size_t size))
/// All of a device's memory may be read and written.
CU_FUNCTION(MemSetAccess, (CUdeviceptr address, size_t size, const CUmemAccessDesc *descriptions,
                           size_t count))
CU_FUNCTION(MemGetAccess,
            (unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address))

// Copies.

CU_FUNCTION(Memcpy, (CUdeviceptr target, CUdeviceptr source, size_t size))
CU_FUNCTION(MemcpyAsync,
            (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream))
CU_FUNCTION(MemcpyPeer, (CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
                         CUcontext source_context, size_t size))
CU_FUNCTION(MemcpyPeerAsync,
            (CUdeviceptr target, CUcontext target_context, CUdeviceptr source,
             CUcontext source_context, size_t size, CUstream stream))
CU_FUNCTION_V2(MemcpyHtoD, (CUdeviceptr target, const void *source, size_t size))
CU_FUNCTION_V2(MemcpyHtoDAsync,
               (CUdeviceptr target, const void *source, size_t size, CUstream stream))
CU_FUNCTION_V2(MemcpyDtoH, (void *target, CUdeviceptr source, size_t size))
CU_FUNCTION_V2(MemcpyDtoHAsync,
               (void *target, CUdeviceptr source, size_t size, CUstream stream))
CU_FUNCTION_V2(MemcpyDtoD, (CUdeviceptr target, CUdeviceptr source, size_t size))
CU_FUNCTION_V2(MemcpyDtoDAsync,
               (CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream))
CU_FUNCTION_V2(MemcpyHtoA, (CUarray target, size_t offset, const void *source, size_t size))
CU_FUNCTION_V2(MemcpyHtoAAsync, (CUarray target, size_t offset, const void *source, size_t size,
                                 CUstream stream))
CU_FUNCTION_V2(MemcpyAtoH, (void *target, CUarray source, size_t offset, size_t size))
CU_FUNCTION_V2(MemcpyAtoHAsync, (void *target, CUarray source, size_t offset, size_t size,
                                 CUstream stream))
CU_FUNCTION_V2(MemcpyDtoA, (CUarray target, size_t offset, CUdeviceptr source, size_t size))
CU_FUNCTION_V2(MemcpyAtoD, (CUdeviceptr target, CUarray source, size_t offset, size_t size))
CU_FUNCTION_V2(Memcpy2D, (const CUDA_MEMCPY2D *copy))
CU_FUNCTION_V2(Memcpy2DUnaligned, (const CUDA_MEMCPY2D *copy))
CU_FUNCTION_V2(Memcpy2DAsync, (const CUDA_MEMCPY2D *copy, CUstream stream))
CU_FUNCTION_V2(Memcpy3D, (const CUDA_MEMCPY3D *copy))
CU_FUNCTION_V2(Memcpy3DAsync, (const CUDA_MEMCPY3D *copy, CUstream stream))
CU_FUNCTION_V2(MemsetD8, (CUdeviceptr address, unsigned char value, size_t count))
CU_FUNCTION_V2(MemsetD16, (CUdeviceptr address, unsigned short value, size_t count))
CU_FUNCTION_V2(MemsetD32, (CUdeviceptr address, unsigned int value, size_t count))
CU_FUNCTION_V2(MemsetD2D8, (CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                            size_t height))
CU_FUNCTION_V2(MemsetD2D16, (CUdeviceptr address, size_t pitch, unsigned short value,
                             size_t width, size_t height))
CU_FUNCTION_V2(MemsetD2D32, (CUdeviceptr address, size_t pitch, unsigned int value, size_t width,
                             size_t height))
CU_FUNCTION(MemsetD8Async,
            (CUdeviceptr address, unsigned char value, size_t count, CUstream stream))
CU_FUNCTION(MemsetD16Async,
            (CUdeviceptr address, unsigned short value, size_t count, CUstream stream))
CU_FUNCTION(MemsetD32Async,
            (CUdeviceptr address, unsigned int value, size_t count, CUstream stream))
CU_FUNCTION(MemsetD2D8Async, (CUdeviceptr address, size_t pitch, unsigned char value,
                              size_t width, size_t height, CUstream stream))
CU_FUNCTION(MemsetD2D16Async, (CUdeviceptr address, size_t pitch, unsigned short value,
                               size_t width, size_t height, CUstream stream))
CU_FUNCTION(MemsetD2D32Async, (CUdeviceptr address, size_t pitch, unsigned int value,
                               size_t width, size_t height, CUstream stream))

// Arrays, textures, surfaces.

CU_FUNCTION_V2(ArrayCreate, (CUarray *array, const CUDA_ARRAY_DESCRIPTOR *description))
CU_FUNCTION_V2(ArrayGetDescriptor, (CUDA_ARRAY_DESCRIPTOR *description, CUarray array))
CU_FUNCTION_V2(Array3DCreate, (CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *description))
CU_FUNCTION_V2(Array3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR *description, CUarray array))
CU_FUNCTION(ArrayDestroy, (CUarray array))
CU_FUNCTION(TexObjectCreate,
            (CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
             const CUDA_TEXTURE_DESC *description, const CUDA_RESOURCE_VIEW_DESC *view))
CU_FUNCTION(TexObjectDestroy, (CUtexObject texture))
CU_FUNCTION(SurfObjectCreate, (CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource))
CU_FUNCTION(SurfObjectDestroy, (CUsurfObject surface))

// Functions and launches. `parameters` are the addresses of arguments; `extra` is NULL, or
// CU_LAUNCH_PARAM_* and values, up to CU_LAUNCH_PARAM_END.

CU_FUNCTION(LaunchKernel,
            (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
             unsigned int block_x, unsigned int block_y, unsigned int block_z,
             unsigned int shared_size, CUstream stream, void **parameters, void **extra))
CU_FUNCTION(LaunchKernelEx,
            (const CUlaunchConfig *configuration, CUfunction function, void **parameters,
             void **extra))
CU_FUNCTION(LaunchCooperativeKernel,
            (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
             unsigned int block_x, unsigned int block_y, unsigned int block_z,
             unsigned int shared_size, CUstream stream, void **parameters))
CU_FUNCTION(LaunchHostFunc, (CUstream stream, CUhostFn function, void *data))
CU_FUNCTION(FuncGetAttribute, (int *value, CUfunction_attribute attribute, CUfunction function))
CU_FUNCTION(FuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value))
CU_FUNCTION(FuncSetCacheConfig, (CUfunction function, CUfunc_cache configuration))
CU_FUNCTION(FuncSetSharedMemConfig, (CUfunction function, CUsharedconfig configuration))
CU_FUNCTION(FuncGetName, (const char **name, CUfunction function))
CU_FUNCTION(FuncGetParamInfo,
            (CUfunction function, size_t index, size_t *offset, size_t *size))
CU_FUNCTION(OccupancyMaxActiveBlocksPerMultiprocessor,
            (int *block_count, CUfunction function, int block_size, size_t shared_size))
CU_FUNCTION(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
            (int *block_count, CUfunction function, int block_size, size_t shared_size,
             unsigned int flags))
CU_FUNCTION(OccupancyMaxPotentialBlockSize,
            (int *grid_size, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of,
             size_t shared_size, int limit))
CU_FUNCTION(OccupancyMaxPotentialBlockSizeWithFlags,
            (int *grid_size, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of,
             size_t shared_size, int limit, unsigned int flags))
CU_FUNCTION(OccupancyAvailableDynamicSMemPerBlock,
            (size_t *shared_size, CUfunction function, int block_count, int block_size))

// Streams and events.

CU_FUNCTION(StreamCreate, (CUstream *stream, unsigned int flags))
CU_FUNCTION(StreamCreateWithPriority, (CUstream *stream, unsigned int flags, int priority))
CU_FUNCTION_V2(StreamDestroy, (CUstream stream))
CU_FUNCTION(StreamSynchronize, (CUstream stream))
CU_FUNCTION(StreamQuery, (CUstream stream))
CU_FUNCTION(StreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags))
CU_FUNCTION(StreamAddCallback,
            (CUstream stream, CUstreamCallback callback, void *data, unsigned int flags))
/// Writes 4 bytes, at an address that 4 divides; `flags` of CUstreamWriteValue_flags.
CU_FUNCTION_V2(StreamWriteValue32, (CUstream stream, CUdeviceptr address, cuuint32_t value,
                                    unsigned int flags))
CU_FUNCTION(StreamAttachMemAsync,
            (CUstream stream, CUdeviceptr address, size_t size, unsigned int flags))
CU_FUNCTION(StreamGetFlags, (CUstream stream, unsigned int *flags))
CU_FUNCTION(StreamGetPriority, (CUstream stream, int *priority))
CU_FUNCTION(StreamGetId, (CUstream stream, unsigned long long *id))
CU_FUNCTION(StreamGetDevice, (CUstream stream, CUdevice *device))
/// The primary context of the stream's device.
CU_FUNCTION(StreamGetCtx, (CUstream stream, CUcontext *context))
CU_FUNCTION(StreamCopyAttributes, (CUstream target, CUstream source))
CU_FUNCTION(EventCreate, (CUevent *event, unsigned int flags))
CU_FUNCTION(EventRecord, (CUevent event, CUstream stream))
CU_FUNCTION(EventRecordWithFlags, (CUevent event, CUstream stream, unsigned int flags))
CU_FUNCTION(EventQuery, (CUevent event))
CU_FUNCTION(EventSynchronize, (CUevent event))
CU_FUNCTION_V2(EventDestroy, (CUevent event))
CU_FUNCTION_V2(EventElapsedTime, (float *milliseconds, CUevent begin, CUevent end))

CU_FUNCTION(ProfilerStart, (void))
CU_FUNCTION(ProfilerStop, (void))
