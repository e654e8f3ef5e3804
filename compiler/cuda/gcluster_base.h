// What every header here starts from: the keywords, what nvcc predefines, and three shorthands.
//
// All names of our own begin with two underscores, parameters and template parameters too, because
// programs are compiled with -DN=4 and the like.
#ifndef GCLUSTER_BASE_H
#define GCLUSTER_BASE_H

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 93
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDA_ARCH_LIST__ __GCL_ARCHITECTURE // as gcluster-cc is told
#endif

// What nvcc's own libraries ask about a lambda: here one for the device is one like all others.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

/// Lets a program ask which of its two CUDA compilers this is.
#define __GCLUSTER__ 1

/// What `#define UNROLL #pragma unroll` has in place of its `#pragma`, by gcl_prepare.
#define __gclp(...) _Pragma(#__VA_ARGS__)

#include "crt/host_defines.h"

/// A function defined in a header that kernels may call; it never shows in a debugger.
#define __GCL_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
/// A function of a header for host and device.
#define __GCL_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
/// Both kinds of function as a template, which needs no `static`.
#define __GCL_DEVICE_TEMPLATE __inline__ __attribute__((device, always_inline, nodebug))
#define __GCL_BOTH_TEMPLATE __inline__ __attribute__((host, device, always_inline, nodebug))
/// A function that the code generator, the runtime or the C library supplies.
#define __GCL_EXTERN extern "C" __attribute__((device, nothrow))
/// A supplied function whose result depends on its arguments only.
#define __GCL_PURE extern "C" __attribute__((device, nothrow, const))

// nvcc takes `__shared__ alignas(16) float s[4]`, where clang wants alignas first, but takes
// attributes anywhere. The argument of alignas is a type or a number, or a pack of either: behind
// the name of a class and in parentheses, types make a type of a function, and numbers a number.
// There `>` is an operator, too.
#if defined(__CUDA__) && defined(__cplusplus) && __cplusplus >= 201103L
struct __gcl_aligned {
    __SIZE_TYPE__ __n;
    template <class... __more>
    constexpr __gcl_aligned(__SIZE_TYPE__ __first, __more... __rest)
        : __n(__first > __gcl_aligned(__rest...).__n ? __first : __gcl_aligned(__rest...).__n) {
    }
    constexpr __gcl_aligned() : __n(1) {
    }
    constexpr operator __SIZE_TYPE__() const {
        return __n;
    }
};
template <class... __types> struct __gcl_alignment_of;
template <> struct __gcl_alignment_of<__gcl_aligned()> {
    static constexpr __SIZE_TYPE__ __n = 1;
};
template <class __type, class... __rest>
struct __gcl_alignment_of<__gcl_aligned(__type, __rest...)> {
    static constexpr __SIZE_TYPE__ __others = __gcl_alignment_of<__gcl_aligned(__rest...)>::__n;
    static constexpr __SIZE_TYPE__ __n = alignof(__type) > __others ? alignof(__type) : __others;
};
template <class __types> constexpr __SIZE_TYPE__ __gcl_alignment() {
    return __gcl_alignment_of<__types>::__n;
}
template <__SIZE_TYPE__ __n> constexpr __SIZE_TYPE__ __gcl_alignment() {
    return __n;
}
#define alignas(...) __attribute__((aligned(::__gcl_alignment<::__gcl_aligned(__VA_ARGS__)>())))
#endif

#endif
