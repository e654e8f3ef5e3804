// Calls of the runtime that device code may make: overloads for the device beside the host's
// functions.
//
// Included once per family of names, with GCL_OVERLOAD(Malloc) being gclMalloc or cudaMalloc. So it
// has no include guard.

extern "C++" {
__GCL_DEVICE gclError_t GCL_OVERLOAD(GetLastError)() {
    return (gclError_t)__gcl_child_error(__gcl_child_block(), __gcl_child_thread(), 1);
}
__GCL_DEVICE gclError_t GCL_OVERLOAD(PeekAtLastError)() {
    return (gclError_t)__gcl_child_error(__gcl_child_block(), __gcl_child_thread(), 0);
}
/// All streams are one: grids run in the order in which a block launches them.
__GCL_DEVICE gclError_t GCL_OVERLOAD(StreamCreateWithFlags)(gclStream_t *__stream,
                                                            unsigned __flags) {
    if (!__stream || __flags != gclStreamNonBlocking)
        return gclErrorInvalidValue;
    *__stream = (gclStream_t)GCL_CHILD_OWN;
    return gclSuccess;
}
__GCL_DEVICE gclError_t GCL_OVERLOAD(StreamDestroy)(gclStream_t __stream) {
    return __stream == (gclStream_t)GCL_CHILD_OWN ? gclSuccess : gclErrorInvalidResourceHandle;
}
/// As malloc: of the heap of device code, not of the host's cudaMalloc.
__GCL_DEVICE gclError_t GCL_OVERLOAD(Malloc)(void **__pointer, size_t __size) {
    *__pointer = malloc(__size);
    return *__pointer ? gclSuccess : gclErrorMemoryAllocation;
}
template <typename __type>
__GCL_DEVICE_TEMPLATE gclError_t GCL_OVERLOAD(Malloc)(__type **__pointer, size_t __size) {
    return GCL_OVERLOAD(Malloc)((void **)(void *)__pointer, __size);
}
__GCL_DEVICE gclError_t GCL_OVERLOAD(Free)(void *__pointer) {
    free(__pointer);
    return gclSuccess;
}
/// Copies and fills are grids as others are, in the order of the block's launches.
template <typename __count>
__GCL_DEVICE_TEMPLATE gclError_t GCL_OVERLOAD(MemcpyAsync)(void *__target, const void *__source,
                                                           __count __size, gclMemcpyKind __kind,
                                                           gclStream_t __stream = 0) {
    if (__kind != gclMemcpyDeviceToDevice && __kind != gclMemcpyDefault)
        return gclErrorInvalidMemcpyDirection;
    return __gcl_child_move((char *)__target, (const char *)__source, 0, __size, __stream);
}
template <typename __count>
__GCL_DEVICE_TEMPLATE gclError_t GCL_OVERLOAD(MemsetAsync)(void *__target, int __value,
                                                           __count __size,
                                                           gclStream_t __stream = 0) {
    return __gcl_child_move((char *)__target, (const char *)0, __value, __size, __stream);
}
}
