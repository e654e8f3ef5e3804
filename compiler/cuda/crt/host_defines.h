// The keywords of CUDA as attributes of clang, for C and C++.
//
// Outside a CUDA compilation (a .c or .cpp that includes <cuda_runtime.h>) the execution and memory
// spaces mean nothing and are empty, as with nvcc.
#ifndef GCLUSTER_CRT_HOST_DEFINES_H
#define GCLUSTER_CRT_HOST_DEFINES_H
// Libraries ask by this name whether the keywords are defined already.
#define __HOST_DEFINES_H__

#if defined(__CUDA__) || defined(__CUDACC__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#ifdef __GCL_MODULE // whose host code nobody sees: it may set a static variable
#define __constant__ __attribute__((constant, used))
#else
#define __constant__ __attribute__((constant))
#endif
// clang knows managed memory for HIP only: the variable lives on the device, and the annotation
// tells the code generator that the host reaches it too.
#define __managed__ __attribute__((device, annotate("gcl.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

// Advice about registers and parameters, and cluster shapes: without meaning for the result.
#define __maxnreg__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __no_sanitize__(...)
#define __nv_pure__ __attribute__((pure))

#define __align__(__bytes) __attribute__((aligned(__bytes)))
#define __builtin_align__(__bytes) __align__(__bytes)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __device_builtin__
#define __cudart_builtin__
#define __annotate__(...) __attribute__((__VA_ARGS__))
#define __location__(__space) __annotate__(__space)
#define __thread__ __thread
#define __specialization_static static
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDARTAPI_CDECL
#define CUDA_CB

#endif
