// Everything that nvcc gives a .cu file without being asked; gcluster-cc includes it first.
//
// The order matters. Device declarations of the C library's functions precede the standard library,
// whose templates then find them (gcluster_math_declare.h); what builds on types of the runtime
// comes last. In a plain C or C++ file this is the runtime's API with the vector types.
#ifndef GCLUSTER_CUDA_RUNTIME_H
#define GCLUSTER_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ // programs ask for it

#include "gcluster_base.h"
#include "gcluster_math_declare.h"

// Without the special functions of C++17, which our <cmath> adds where the program asks for it.
#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <math.h>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#include <bits/stl_algobase.h> // with nvcc programs get std::min and std::swap unasked
#endif

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <limits>
#include <utility>
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDA__) && defined(__cplusplus)

// Where a launch stands in the source, for traces. Device code has it so that a launch there is
// refused for what it is.
struct __gcl_origin {
    const char *__file;
    unsigned __line;
    __host__ __device__ explicit __gcl_origin(const char *__file, unsigned __line)
        : __file(__file), __line(__line) {
    }
    template <typename __T>
    __host__ __device__ __gcl_origin(__T)
        __attribute__((unavailable("<<<...>>> takes four arguments at most: grid, block, bytes of "
                                   "shared memory, stream")));
};

// What the compiler makes of kernel<<<grid, block, shared, stream>>>: it calls this, and if the
// answer is 0, the kernel's host stub, which calls cudaLaunchKernel.
extern "C" unsigned int __cudaPushCallConfiguration(
    dim3 __grid, dim3 __block, size_t __shared_size = 0, gclStream_t __stream = 0,
    __gcl_origin __origin = __gcl_origin(__builtin_FILE(), __builtin_LINE()));

#include "device_launch_parameters.h"

#include "gcluster_device.h"

#include "gcluster_minmax.h"

#include "gcluster_math.h"

#include "gcluster_intrinsics.h"

#include "gcluster_atomic.h"
#include "gcluster_cache.h"
#include "gcluster_child.h"
#ifdef __CUDA_ARCH__
#include "gcluster_complex.h"
#endif
#include "gcluster_surface.h"
#include "gcluster_texture.h"
#include "gcluster_warp.h"

#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#include "gcluster_reference.h"
#endif

#ifdef __cplusplus
// --sanitize=init: the runtime is told where memory is allocated.
#ifdef __GCL_ALLOCATION_PLACES
extern "C" void gcl_allocation_place(const char *__file, unsigned int __line);
#define __GCL_PLACE , const char *__file = __builtin_FILE(), unsigned int __line = __builtin_LINE()
#define __GCL_TELL_PLACE gcl_allocation_place(__file, __line)
#else
#define __GCL_PLACE
#define __GCL_TELL_PLACE
#endif
// What CUDA 13 says of edges between nodes of graphs.
inline bool __gcl_edges_are_plain(const gclGraphEdgeData *__edges, size_t __count) {
    for (size_t __i = 0; __edges && __i < __count; __i++) {
        if (__edges[__i].from_port || __edges[__i].to_port || __edges[__i].type)
            return false;
    }
    return true;
}
inline void __gcl_edges_clear(gclGraphEdgeData *__edges, const size_t *__count) {
    const gclGraphEdgeData __plain = {0, 0, 0, {0}};
    for (size_t __i = 0; __edges && __count && __i < *__count; __i++)
        __edges[__i] = __plain;
}
#define GCL_OVERLOAD(__name) gcl##__name
#include "gcluster_overloads.h"
#undef GCL_OVERLOAD
#define GCL_OVERLOAD(__name) cuda##__name
#include "gcluster_overloads.h"
#undef GCL_OVERLOAD
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
// Launches from device code are not supported. CUB and Thrust mention them in functions that nobody
// calls; a call is an undefined reference.
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t __alignment, size_t __size);
__device__ cudaError_t cudaLaunchDevice(void *__kernel, void *__parameters, dim3 __grid,
                                        dim3 __block, unsigned __shared_size,
                                        cudaStream_t __stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif

// NVRTC, where it is told that functions without an attribute are the device's: all that follow.
#if defined(__GCL_DEVICE_BY_DEFAULT) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

#endif
