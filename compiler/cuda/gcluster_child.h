// What device code may ask of the runtime: launches, and the calls that go with them.
//
// The compiler makes __gcl_child<decltype(k), k>(g, b, s, t)(a) of k<<<g, b, s, t>>>(a) in device
// code, where clang knows no launches but takes a kernel for a template's argument. Arguments are
// converted to the kernel's parameters, as with any call.
//
// A thread can't wait for what it has launched (gcluster/child.h): so there is no
// cudaDeviceSynchronize, as in CUDA 12.
#ifndef GCLUSTER_CHILD_H_DEVICE
#define GCLUSTER_CHILD_H_DEVICE

#include "gcluster_device.h"

#include "gcluster/child.h"

/// Notes a launch; `__arguments` point to the kernel's. What goes wrong is the thread's last error.
__GCL_EXTERN void __gcl_child_launch(const void *__kernel, const gcl_child *__launch,
                                     const void *const *__arguments);
/// The last error of a thread's launches (enum cudaError), which is no longer that if `__clears`.
__GCL_EXTERN unsigned __gcl_child_error(unsigned long long __block, unsigned __number,
                                        unsigned __clears);

__GCL_DEVICE unsigned long long __gcl_child_block() {
    return blockIdx.x + (unsigned long long)gridDim.x *
                            (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}
__GCL_DEVICE unsigned __gcl_child_thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

#if __cplusplus >= 201103L
template <typename __type, __type *__kernel> struct __gcl_child;
template <typename... __types, void (*__kernel)(__types...)>
struct __gcl_child<void(__types...), __kernel> {
    gcl_child __launch;
    static constexpr void (*__address)(__types...) = __kernel; // clang refuses to name it elsewhere
    __GCL_DEVICE_TEMPLATE __gcl_child(dim3 __grid, dim3 __block, size_t __shared_size = 0,
                                      gclStream_t __stream = 0)
        : __launch{{__grid.x, __grid.y, __grid.z},
                   {__block.x, __block.y, __block.z},
                   __shared_size,
                   (unsigned long long)__stream,
                   __gcl_child_block(),
                   __gcl_child_thread(),
                   0} {
    }
    // Were it inlined, launches of several kernels could become one of whichever kernel it is.
    __device__ __attribute__((noinline, nodebug)) void operator()(__types... __arguments) const {
        const void *const __pointers[sizeof...(__types) + 1] = {
            (const void *)__builtin_addressof(__arguments)..., 0};
        __gcl_child_launch((const void *)__address, &__launch, __pointers);
    }
};

enum { __GCL_CHILD_PIECE = 1 << 16 }; // bytes for a block

// A template, so that only programs that use it have it.
template <typename __count>
__global__ void __gcl_child_move_piece(char *__target, const char *__source, int __value,
                                       __count __size) {
    __count __begin = (__count)blockIdx.x * __GCL_CHILD_PIECE, __left = __size - __begin;
    __count __here = __left < __GCL_CHILD_PIECE ? __left : __GCL_CHILD_PIECE;
    if (__source)
        __builtin_memcpy(__target + __begin, __source + __begin, __here);
    else
        __builtin_memset(__target + __begin, __value, __here);
}
template <typename __count>
__GCL_DEVICE_TEMPLATE gclError_t __gcl_child_move(char *__target, const char *__source, int __value,
                                                  __count __given, gclStream_t __stream) {
    size_t __size = __given, __blocks = (__size + __GCL_CHILD_PIECE - 1) / __GCL_CHILD_PIECE;
    if (__size)
        __gcl_child<decltype(__gcl_child_move_piece<size_t>), __gcl_child_move_piece<size_t>>(
            dim3((unsigned)__blocks), dim3(1), 0, __stream)(__target, __source, __value, __size);
    return gclSuccess;
}
#endif

#define GCL_OVERLOAD(__name) gcl##__name
#include "gcluster_child_calls.h"
#undef GCL_OVERLOAD
#define GCL_OVERLOAD(__name) cuda##__name
#include "gcluster_child_calls.h"
#undef GCL_OVERLOAD

#define cudaStreamTailLaunch ((cudaStream_t)GCL_CHILD_TAIL)
#define cudaStreamFireAndForget ((cudaStream_t)GCL_CHILD_FORGET)

#endif
