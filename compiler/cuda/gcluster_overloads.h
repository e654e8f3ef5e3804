// The runtime's functions as C++ programs call them: typed pointers instead of void *, variables
// and kernels by name, arguments left out.
//
// Included once per family of names, with GCL_OVERLOAD(Malloc) being gclMalloc or cudaMalloc. So it
// has no include guard.

// Memory.

template <class __type>
inline gclError_t GCL_OVERLOAD(Malloc)(__type **__pointer, size_t __size __GCL_PLACE) {
    __GCL_TELL_PLACE;
    return GCL_OVERLOAD(Malloc)((void **)(void *)__pointer, __size);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocManaged)(__type **__pointer, size_t __size,
                                              unsigned int __flags = gclMemAttachGlobal) {
    return GCL_OVERLOAD(MallocManaged)((void **)(void *)__pointer, __size, __flags);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocHost)(__type **__pointer, size_t __size,
                                           unsigned int __flags = gclHostAllocDefault) {
    return GCL_OVERLOAD(HostAlloc)((void **)(void *)__pointer, __size, __flags);
}
inline gclError_t GCL_OVERLOAD(MallocHost)(void **__pointer, size_t __size, unsigned int __flags) {
    return GCL_OVERLOAD(HostAlloc)(__pointer, __size, __flags);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(HostAlloc)(__type **__pointer, size_t __size, unsigned int __flags) {
    return GCL_OVERLOAD(HostAlloc)((void **)(void *)__pointer, __size, __flags);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(HostGetDevicePointer)(__type **__device_pointer,
                                                     void *__host_pointer, unsigned int __flags) {
    return GCL_OVERLOAD(HostGetDevicePointer)((void **)(void *)__device_pointer, __host_pointer,
                                              __flags);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocPitch)(__type **__pointer, size_t *__pitch, size_t __width,
                                            size_t __height __GCL_PLACE) {
    __GCL_TELL_PLACE;
    return GCL_OVERLOAD(MallocPitch)((void **)(void *)__pointer, __pitch, __width, __height);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocAsync)(__type **__pointer, size_t __size,
                                            gclStream_t __stream __GCL_PLACE) {
    __GCL_TELL_PLACE;
    return GCL_OVERLOAD(MallocAsync)((void **)(void *)__pointer, __size, __stream);
}
inline gclError_t GCL_OVERLOAD(MallocAsync)(void **__pointer, size_t __size, gclMemPool_t __pool,
                                            gclStream_t __stream) {
    return GCL_OVERLOAD(MallocFromPoolAsync)(__pointer, __size, __pool, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocAsync)(__type **__pointer, size_t __size, gclMemPool_t __pool,
                                            gclStream_t __stream) {
    return GCL_OVERLOAD(MallocFromPoolAsync)((void **)(void *)__pointer, __size, __pool, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MallocFromPoolAsync)(__type **__pointer, size_t __size,
                                                    gclMemPool_t __pool, gclStream_t __stream) {
    return GCL_OVERLOAD(MallocFromPoolAsync)((void **)(void *)__pointer, __size, __pool, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(StreamAttachMemAsync)(gclStream_t __stream, __type *__pointer,
                                                     size_t __size = 0,
                                                     unsigned int __flags = gclMemAttachSingle) {
    return GCL_OVERLOAD(StreamAttachMemAsync)(__stream, (void *)__pointer, __size, __flags);
}
// From CUDA 13 on, a location says where to.
inline gclError_t GCL_OVERLOAD(MemPrefetchAsync)(const void *__pointer, size_t __size,
                                                 gclMemLocation __location, unsigned int __flags,
                                                 gclStream_t __stream = 0) {
    int __device = __location.type == gclMemLocationTypeDevice ? __location.id : gclCpuDeviceId;
    if (__flags)
        return gclErrorInvalidValue;
    return GCL_OVERLOAD(MemPrefetchAsync)(__pointer, __size, __device, __stream);
}
inline gclError_t GCL_OVERLOAD(MemAdvise)(const void *__pointer, size_t __size,
                                          gclMemoryAdvise __advice, gclMemLocation __location) {
    int __device = __location.type == gclMemLocationTypeDevice ? __location.id : gclCpuDeviceId;
    return GCL_OVERLOAD(MemAdvise)(__pointer, __size, __advice, __device);
}
inline gclError_t GCL_OVERLOAD(MemcpyBatchAsync)(const void *const *__targets,
                                                 const void *const *__sources,
                                                 const size_t *__sizes, size_t __count,
                                                 gclMemcpyAttributes *__attributes, size_t *__first,
                                                 size_t __attribute_count, gclStream_t __stream) {
    return GCL_OVERLOAD(MemcpyBatchAsync)((void **)__targets, (void **)__sources, (size_t *)__sizes,
                                          __count, __attributes, __first, __attribute_count, NULL,
                                          __stream);
}
inline gclError_t GCL_OVERLOAD(EventCreate)(gclEvent_t *__event, unsigned int __flags) {
    return GCL_OVERLOAD(EventCreateWithFlags)(__event, __flags);
}

// Variables in device code, by reference: the address is that of the host's shadow.

template <class __type>
inline gclError_t GCL_OVERLOAD(MemcpyToSymbol)(const __type &__symbol, const void *__source,
                                               size_t __size, size_t __offset = 0,
                                               gclMemcpyKind __kind = gclMemcpyHostToDevice) {
    return GCL_OVERLOAD(MemcpyToSymbol)((const void *)__builtin_addressof(__symbol), __source,
                                        __size, __offset, __kind);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MemcpyFromSymbol)(void *__target, const __type &__symbol,
                                                 size_t __size, size_t __offset = 0,
                                                 gclMemcpyKind __kind = gclMemcpyDeviceToHost) {
    return GCL_OVERLOAD(MemcpyFromSymbol)(__target, (const void *)__builtin_addressof(__symbol),
                                          __size, __offset, __kind);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MemcpyToSymbolAsync)(const __type &__symbol, const void *__source,
                                                    size_t __size, size_t __offset = 0,
                                                    gclMemcpyKind __kind = gclMemcpyHostToDevice,
                                                    gclStream_t __stream = 0) {
    return GCL_OVERLOAD(MemcpyToSymbolAsync)((const void *)__builtin_addressof(__symbol), __source,
                                             __size, __offset, __kind, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(MemcpyFromSymbolAsync)(void *__target, const __type &__symbol,
                                                      size_t __size, size_t __offset = 0,
                                                      gclMemcpyKind __kind = gclMemcpyDeviceToHost,
                                                      gclStream_t __stream = 0) {
    return GCL_OVERLOAD(MemcpyFromSymbolAsync)(
        __target, (const void *)__builtin_addressof(__symbol), __size, __offset, __kind, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(GetSymbolAddress)(void **__pointer, const __type &__symbol) {
    return GCL_OVERLOAD(GetSymbolAddress)(__pointer, (const void *)__builtin_addressof(__symbol));
}
template <class __type>
inline gclError_t GCL_OVERLOAD(GetSymbolSize)(size_t *__size, const __type &__symbol) {
    return GCL_OVERLOAD(GetSymbolSize)(__size, (const void *)__builtin_addressof(__symbol));
}

// Kernels by name.

template <class __type>
inline gclError_t GCL_OVERLOAD(LaunchKernel)(__type *__kernel, dim3 __grid, dim3 __block,
                                             void **__arguments, size_t __shared_size = 0,
                                             gclStream_t __stream = 0) {
    return GCL_OVERLOAD(LaunchKernel)((const void *)__kernel, __grid, __block, __arguments,
                                      __shared_size, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(LaunchCooperativeKernel)(__type *__kernel, dim3 __grid, dim3 __block,
                                                        void **__arguments,
                                                        size_t __shared_size = 0,
                                                        gclStream_t __stream = 0) {
    return GCL_OVERLOAD(LaunchCooperativeKernel)((const void *)__kernel, __grid, __block,
                                                 __arguments, __shared_size, __stream);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(FuncGetAttributes)(gclFuncAttributes *__facts, __type *__kernel) {
    return GCL_OVERLOAD(FuncGetAttributes)(__facts, (const void *)__kernel);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(FuncSetAttribute)(__type *__kernel, gclFuncAttribute __which,
                                                 int __value) {
    return GCL_OVERLOAD(FuncSetAttribute)((const void *)__kernel, __which, __value);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(FuncSetCacheConfig)(__type *__kernel, gclFuncCache __configuration) {
    return GCL_OVERLOAD(FuncSetCacheConfig)((const void *)__kernel, __configuration);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(FuncSetSharedMemConfig)(__type *__kernel,
                                                       gclSharedMemConfig __configuration) {
    return GCL_OVERLOAD(FuncSetSharedMemConfig)((const void *)__kernel, __configuration);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(FuncGetName)(const char **__name, __type *__kernel) {
    return GCL_OVERLOAD(FuncGetName)(__name, (const void *)__kernel);
}

#if __cplusplus >= 201103L
/// Launches with arguments as they are, converted to the kernel's parameter types.
template <class... __parameter, class... __argument>
inline gclError_t GCL_OVERLOAD(LaunchKernelEx)(const gclLaunchConfig_t *__configuration,
                                               void (*__kernel)(__parameter...),
                                               __argument &&...__arguments) {
    return [&](__parameter... __converted) {
        void *__pointers[] = {(void *)__builtin_addressof(__converted)..., nullptr};
        return GCL_OVERLOAD(LaunchKernelExC)(__configuration, (const void *)__kernel, __pointers);
    }(static_cast<__argument &&>(__arguments)...);
}
#endif

// Graphs. Before CUDA 12 a buffer took a message; the error says as much.

inline gclError_t GCL_OVERLOAD(GraphInstantiate)(gclGraphExec_t *__execution, gclGraph_t __graph,
                                                 gclGraphNode_t *__culprit, char *__message,
                                                 size_t __size) {
    gclGraphInstantiateParams __parameters = {0, 0, 0, gclGraphInstantiateSuccess};
    gclError_t __error =
        GCL_OVERLOAD(GraphInstantiateWithParams)(__execution, __graph, &__parameters);
    if (__culprit)
        *__culprit = __parameters.errNode_out;
    if (__message && __size > 0)
        *__message = 0;
    return __error;
}
inline gclError_t GCL_OVERLOAD(GraphExecUpdate)(gclGraphExec_t __execution, gclGraph_t __graph,
                                                gclGraphNode_t *__culprit,
                                                gclGraphExecUpdateResult *__result) {
    gclGraphExecUpdateResultInfo __info = {gclGraphExecUpdateSuccess, 0, 0};
    gclError_t __error = GCL_OVERLOAD(GraphExecUpdate)(__execution, __graph, &__info);
    if (__culprit)
        *__culprit = __info.errorNode;
    if (__result)
        *__result = __info.result;
    return __error;
}

// From CUDA 13 on, each edge may say more; none do.

inline gclError_t GCL_OVERLOAD(GraphAddNode)(gclGraphNode_t *__node, gclGraph_t __graph,
                                             const gclGraphNode_t *__dependencies,
                                             const gclGraphEdgeData *__edges, size_t __count,
                                             gclGraphNodeParams *__parameters) {
    return GCL_OVERLOAD(GraphAddNode_v2)(__node, __graph, __dependencies, __edges, __count,
                                         __parameters);
}
inline gclError_t GCL_OVERLOAD(GraphAddDependencies)(gclGraph_t __graph,
                                                     const gclGraphNode_t *__from,
                                                     const gclGraphNode_t *__to,
                                                     const gclGraphEdgeData *__edges,
                                                     size_t __count) {
    return __gcl_edges_are_plain(__edges, __count)
               ? GCL_OVERLOAD(GraphAddDependencies)(__graph, __from, __to, __count)
               : gclErrorNotSupported;
}
inline gclError_t GCL_OVERLOAD(GraphRemoveDependencies)(gclGraph_t __graph,
                                                        const gclGraphNode_t *__from,
                                                        const gclGraphNode_t *__to,
                                                        const gclGraphEdgeData *, size_t __count) {
    return GCL_OVERLOAD(GraphRemoveDependencies)(__graph, __from, __to, __count);
}
inline gclError_t GCL_OVERLOAD(GraphGetEdges)(gclGraph_t __graph, gclGraphNode_t *__from,
                                              gclGraphNode_t *__to, gclGraphEdgeData *__edges,
                                              size_t *__count) {
    __gcl_edges_clear(__edges, __count);
    return GCL_OVERLOAD(GraphGetEdges)(__graph, __from, __to, __count);
}
inline gclError_t GCL_OVERLOAD(GraphNodeGetDependencies)(gclGraphNode_t __node,
                                                         gclGraphNode_t *__nodes,
                                                         gclGraphEdgeData *__edges,
                                                         size_t *__count) {
    __gcl_edges_clear(__edges, __count);
    return GCL_OVERLOAD(GraphNodeGetDependencies)(__node, __nodes, __count);
}
inline gclError_t GCL_OVERLOAD(GraphNodeGetDependentNodes)(gclGraphNode_t __node,
                                                           gclGraphNode_t *__nodes,
                                                           gclGraphEdgeData *__edges,
                                                           size_t *__count) {
    __gcl_edges_clear(__edges, __count);
    return GCL_OVERLOAD(GraphNodeGetDependentNodes)(__node, __nodes, __count);
}
inline gclError_t GCL_OVERLOAD(StreamGetCaptureInfo)(gclStream_t __stream,
                                                     gclStreamCaptureStatus *__status,
                                                     unsigned long long *__id, gclGraph_t *__graph,
                                                     const gclGraphNode_t **__dependencies,
                                                     const gclGraphEdgeData **__edges,
                                                     size_t *__count) {
    return GCL_OVERLOAD(StreamGetCaptureInfo_v3)(__stream, __status, __id, __graph, __dependencies,
                                                 __edges, __count);
}
inline gclError_t GCL_OVERLOAD(StreamUpdateCaptureDependencies)(gclStream_t __stream,
                                                                gclGraphNode_t *__dependencies,
                                                                const gclGraphEdgeData *__edges,
                                                                size_t __count,
                                                                unsigned int __flags) {
    return __gcl_edges_are_plain(__edges, __count) ? GCL_OVERLOAD(StreamUpdateCaptureDependencies)(
                                                         __stream, __dependencies, __count, __flags)
                                                   : gclErrorNotSupported;
}

template <class __type>
inline gclError_t
GCL_OVERLOAD(GraphAddMemcpyNodeToSymbol)(gclGraphNode_t *__node, gclGraph_t __graph,
                                         const gclGraphNode_t *__dependencies, size_t __count,
                                         const __type &__symbol, const void *__source,
                                         size_t __size, size_t __offset, gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphAddMemcpyNodeToSymbol)(__node, __graph, __dependencies, __count,
                                                    (const void *)__builtin_addressof(__symbol),
                                                    __source, __size, __offset, __kind);
}
template <class __type>
inline gclError_t
GCL_OVERLOAD(GraphAddMemcpyNodeFromSymbol)(gclGraphNode_t *__node, gclGraph_t __graph,
                                           const gclGraphNode_t *__dependencies, size_t __count,
                                           void *__target, const __type &__symbol, size_t __size,
                                           size_t __offset, gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphAddMemcpyNodeFromSymbol)(
        __node, __graph, __dependencies, __count, __target,
        (const void *)__builtin_addressof(__symbol), __size, __offset, __kind);
}
template <class __type>
inline gclError_t
GCL_OVERLOAD(GraphMemcpyNodeSetParamsToSymbol)(gclGraphNode_t __node, const __type &__symbol,
                                               const void *__source, size_t __size, size_t __offset,
                                               gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphMemcpyNodeSetParamsToSymbol)(
        __node, (const void *)__builtin_addressof(__symbol), __source, __size, __offset, __kind);
}
template <class __type>
inline gclError_t
GCL_OVERLOAD(GraphMemcpyNodeSetParamsFromSymbol)(gclGraphNode_t __node, void *__target,
                                                 const __type &__symbol, size_t __size,
                                                 size_t __offset, gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphMemcpyNodeSetParamsFromSymbol)(
        __node, __target, (const void *)__builtin_addressof(__symbol), __size, __offset, __kind);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(GraphExecMemcpyNodeSetParamsToSymbol)(
    gclGraphExec_t __execution, gclGraphNode_t __node, const __type &__symbol, const void *__source,
    size_t __size, size_t __offset, gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphExecMemcpyNodeSetParamsToSymbol)(
        __execution, __node, (const void *)__builtin_addressof(__symbol), __source, __size,
        __offset, __kind);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(GraphExecMemcpyNodeSetParamsFromSymbol)(
    gclGraphExec_t __execution, gclGraphNode_t __node, void *__target, const __type &__symbol,
    size_t __size, size_t __offset, gclMemcpyKind __kind) {
    return GCL_OVERLOAD(GraphExecMemcpyNodeSetParamsFromSymbol)(
        __execution, __node, __target, (const void *)__builtin_addressof(__symbol), __size,
        __offset, __kind);
}

// Occupancy.

template <class __type>
inline gclError_t
GCL_OVERLOAD(OccupancyMaxActiveBlocksPerMultiprocessor)(int *__block_count, __type *__kernel,
                                                        int __block_size, size_t __shared_size) {
    return GCL_OVERLOAD(OccupancyMaxActiveBlocksPerMultiprocessor)(
        __block_count, (const void *)__kernel, __block_size, __shared_size);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(
    int *__block_count, __type *__kernel, int __block_size, size_t __shared_size,
    unsigned int __flags) {
    return GCL_OVERLOAD(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(
        __block_count, (const void *)__kernel, __block_size, __shared_size, __flags);
}
template <class __type>
inline gclError_t
GCL_OVERLOAD(OccupancyAvailableDynamicSMemPerBlock)(size_t *__shared_size, __type *__kernel,
                                                    int __block_count, int __block_size) {
    return GCL_OVERLOAD(OccupancyAvailableDynamicSMemPerBlock)(
        __shared_size, (const void *)__kernel, __block_count, __block_size);
}

/// Among block sizes that are multiples of a warp, the one with the most threads on a
/// multiprocessor; of equals, the largest. `__shared_size(block size)` is what a block needs.
template <class __function, class __type>
inline gclError_t GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeVariableSMemWithFlags)(
    int *__grid_size, int *__block_size, __type *__kernel, __function __shared_size,
    int __limit = 0, unsigned int __flags = gclOccupancyDefault) {
    gclFuncAttributes __facts;
    int __device = 0, __processors = 0, __best = 0, __best_blocks = 0;
    gclError_t __error = GCL_OVERLOAD(FuncGetAttributes)(&__facts, (const void *)__kernel);
    if (__error == gclSuccess)
        __error = GCL_OVERLOAD(GetDevice)(&__device);
    if (__error == gclSuccess)
        __error = GCL_OVERLOAD(DeviceGetAttribute)(&__processors, gclDevAttrMultiProcessorCount,
                                                   __device);
    int __size = __facts.maxThreadsPerBlock;
    if (__limit > 0 && __limit < __size)
        __size = __limit;
    for (int __step = __size % 32 ? __size % 32 : 32; __error == gclSuccess && __size > 0;
         __size -= __step, __step = 32) {
        int __blocks = 0;
        __error = GCL_OVERLOAD(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(
            &__blocks, (const void *)__kernel, __size, __shared_size(__size), __flags);
        if (__blocks * __size > __best_blocks * __best) {
            __best = __size;
            __best_blocks = __blocks;
        }
    }
    if (__error == gclSuccess) {
        *__block_size = __best;
        *__grid_size = __best_blocks * __processors;
    }
    return __error;
}
template <class __function, class __type>
inline gclError_t
GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeVariableSMem)(int *__grid_size, int *__block_size,
                                                         __type *__kernel, __function __shared_size,
                                                         int __limit = 0) {
    return GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeVariableSMemWithFlags)(
        __grid_size, __block_size, __kernel, __shared_size, __limit);
}
template <class __type>
inline gclError_t GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeWithFlags)(
    int *__grid_size, int *__block_size, __type *__kernel, size_t __shared_size = 0,
    int __limit = 0, unsigned int __flags = gclOccupancyDefault) {
    struct __constant {
        size_t __value;
        size_t operator()(int) const {
            return __value;
        }
    } __same = {__shared_size};
    return GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeVariableSMemWithFlags)(
        __grid_size, __block_size, __kernel, __same, __limit, __flags);
}
template <class __type>
inline gclError_t
GCL_OVERLOAD(OccupancyMaxPotentialBlockSize)(int *__grid_size, int *__block_size, __type *__kernel,
                                             size_t __shared_size = 0, int __limit = 0) {
    return GCL_OVERLOAD(OccupancyMaxPotentialBlockSizeWithFlags)(__grid_size, __block_size,
                                                                 __kernel, __shared_size, __limit);
}

#if __cplusplus >= 201103L
// References, by name; of textures, the channel format is that of their type unless it is said.

template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t GCL_OVERLOAD(BindTexture)(
    size_t *__offset, const texture<__type, __dimensions, __mode> &__reference,
    const void *__pointer, const gclChannelFormatDesc &__description, size_t __size = 0xffffffffu) {
    return GCL_OVERLOAD(BindTexture)(__offset, (const textureReference *)&__reference, __pointer,
                                     &__description, __size);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTexture)(size_t *__offset,
                          const texture<__type, __dimensions, __mode> &__reference,
                          const void *__pointer, size_t __size = 0xffffffffu) {
    return GCL_OVERLOAD(BindTexture)(__offset, (const textureReference *)&__reference, __pointer,
                                     &__reference.channelDesc, __size);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTexture2D)(size_t *__offset,
                            const texture<__type, __dimensions, __mode> &__reference,
                            const void *__pointer, const gclChannelFormatDesc &__description,
                            size_t __width, size_t __height, size_t __pitch) {
    return GCL_OVERLOAD(BindTexture2D)(__offset, (const textureReference *)&__reference, __pointer,
                                       &__description, __width, __height, __pitch);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t GCL_OVERLOAD(BindTexture2D)(
    size_t *__offset, const texture<__type, __dimensions, __mode> &__reference,
    const void *__pointer, size_t __width, size_t __height, size_t __pitch) {
    return GCL_OVERLOAD(BindTexture2D)(__offset, (const textureReference *)&__reference, __pointer,
                                       &__reference.channelDesc, __width, __height, __pitch);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTextureToArray)(const texture<__type, __dimensions, __mode> &__reference,
                                 gclArray_const_t __array,
                                 const gclChannelFormatDesc &__description) {
    return GCL_OVERLOAD(BindTextureToArray)((const textureReference *)&__reference, __array,
                                            &__description);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTextureToArray)(const texture<__type, __dimensions, __mode> &__reference,
                                 gclArray_const_t __array) {
    return GCL_OVERLOAD(BindTextureToArray)((const textureReference *)&__reference, __array,
                                            &__reference.channelDesc);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTextureToMipmappedArray)(const texture<__type, __dimensions, __mode> &__reference,
                                          gclMipmappedArray_const_t __array,
                                          const gclChannelFormatDesc &__description) {
    return GCL_OVERLOAD(BindTextureToMipmappedArray)((const textureReference *)&__reference,
                                                     __array, &__description);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(BindTextureToMipmappedArray)(const texture<__type, __dimensions, __mode> &__reference,
                                          gclMipmappedArray_const_t __array) {
    return GCL_OVERLOAD(BindTextureToMipmappedArray)((const textureReference *)&__reference,
                                                     __array, &__reference.channelDesc);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(UnbindTexture)(const texture<__type, __dimensions, __mode> &__reference) {
    return GCL_OVERLOAD(UnbindTexture)((const textureReference *)&__reference);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(GetTextureAlignmentOffset)(size_t *__offset,
                                        const texture<__type, __dimensions, __mode> &__reference) {
    return GCL_OVERLOAD(GetTextureAlignmentOffset)(__offset,
                                                   (const textureReference *)&__reference);
}
template <class __type, int __dimensions, gclTextureReadMode __mode>
inline gclError_t
GCL_OVERLOAD(GetTextureReference)(const textureReference **__result,
                                  const texture<__type, __dimensions, __mode> &__reference) {
    return GCL_OVERLOAD(GetTextureReference)(__result, (const void *)&__reference);
}
template <class __type, int __dimensions>
inline gclError_t GCL_OVERLOAD(BindSurfaceToArray)(const surface<__type, __dimensions> &__reference,
                                                   gclArray_const_t __array,
                                                   const gclChannelFormatDesc &__description) {
    return GCL_OVERLOAD(BindSurfaceToArray)((const surfaceReference *)&__reference, __array,
                                            &__description);
}
template <class __type, int __dimensions>
inline gclError_t GCL_OVERLOAD(BindSurfaceToArray)(const surface<__type, __dimensions> &__reference,
                                                   gclArray_const_t __array) {
    return GCL_OVERLOAD(BindSurfaceToArray)((const surfaceReference *)&__reference, __array,
                                            &__reference.channelDesc);
}
template <class __type, int __dimensions>
inline gclError_t
GCL_OVERLOAD(GetSurfaceReference)(const surfaceReference **__result,
                                  const surface<__type, __dimensions> &__reference) {
    return GCL_OVERLOAD(GetSurfaceReference)(__result, (const void *)&__reference);
}
#endif

// Channel formats by type.

template <class __type> inline gclChannelFormatDesc GCL_OVERLOAD(CreateChannelDesc)() {
    typedef __gcl_channel<__type> __format;
    return GCL_OVERLOAD(CreateChannelDesc)(
        __format::__bits, __format::__count > 1 ? __format::__bits : 0,
        __format::__count > 2 ? __format::__bits : 0, __format::__count > 3 ? __format::__bits : 0,
        __format::__kind());
}

inline gclChannelFormatDesc GCL_OVERLOAD(CreateChannelDescHalf)() {
    return GCL_OVERLOAD(CreateChannelDesc)(16, 0, 0, 0, gclChannelFormatKindFloat);
}
inline gclChannelFormatDesc GCL_OVERLOAD(CreateChannelDescHalf1)() {
    return GCL_OVERLOAD(CreateChannelDescHalf)();
}
inline gclChannelFormatDesc GCL_OVERLOAD(CreateChannelDescHalf2)() {
    return GCL_OVERLOAD(CreateChannelDesc)(16, 16, 0, 0, gclChannelFormatKindFloat);
}
inline gclChannelFormatDesc GCL_OVERLOAD(CreateChannelDescHalf4)() {
    return GCL_OVERLOAD(CreateChannelDesc)(16, 16, 16, 16, gclChannelFormatKindFloat);
}

#ifdef __CUDACC__
// What device code may call as well.

static __inline__ __attribute__((device)) const char *
GCL_OVERLOAD(GetErrorString)(gclError_t __error) {
    switch (__error) {
#define GCL_ERROR(__name, __value, __text)                                                         \
    case gcl##__name:                                                                              \
        return __text;
#include "gcluster/errors.h"
#undef GCL_ERROR
    }
    return "unrecognized error code";
}
static __inline__ __attribute__((device)) const char *
GCL_OVERLOAD(GetErrorName)(gclError_t __error) {
    switch (__error) {
#define GCL_ERROR(__name, __value, __text)                                                         \
    case gcl##__name:                                                                              \
        return "cuda" #__name;
#include "gcluster/errors.h"
#undef GCL_ERROR
    }
    return "unrecognized error code";
}
#endif
