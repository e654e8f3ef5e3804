// The CUDA runtime API under gcluster's names: gclMalloc is cudaMalloc, and so on, with the same
// arguments and the same meaning. libgcluster defines each function under both names.
//
// What each function does is said in gcluster/functions.h, the types are in gcluster/types.h.
#ifndef GCLUSTER_H
#define GCLUSTER_H

#include "gcluster/types.h"

/// Version of the CUDA API that the functions mirror: 1000 x major + 10 x minor.
#define GCLRT_VERSION 12080

#ifdef __cplusplus
#define GCL_DEFAULT(value) = value
extern "C" {
#else
#define GCL_DEFAULT(value)
#endif

#define GCL_FUNCTION_OF(type, name, parameters) type gcl##name parameters;
#define GCL_FUNCTION(name, parameters) GCL_FUNCTION_OF(gclError_t, name, parameters)
#include "gcluster/functions.h"
#undef GCL_FUNCTION
#undef GCL_FUNCTION_OF

/// From here on stream 0 is each thread's own instead of the legacy stream, in the whole program.
void __gcl_use_thread_streams(void);

#ifdef __cplusplus
}
#endif
#undef GCL_DEFAULT

static inline struct gclExtent make_gclExtent(size_t width, size_t height, size_t depth) {
    struct gclExtent extent = {width, height, depth};
    return extent;
}

static inline struct gclPos make_gclPos(size_t x, size_t y, size_t z) {
    struct gclPos pos = {x, y, z};
    return pos;
}

static inline struct gclPitchedPtr make_gclPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                      size_t height) {
    struct gclPitchedPtr result = {pointer, pitch, width, height};
    return result;
}

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_ARCH__)
__attribute__((constructor)) static void __gcl_start_thread_streams(void) {
    __gcl_use_thread_streams();
}
#endif

/// Launches a kernel: gclLaunch(kernel, grid, block, shared bytes, stream, arguments...). A kernel
/// whose name has commas, f<a, b>, stands in parentheses.
#if defined(__CUDA__) || defined(__CUDACC__)
#define gclLaunch(kernel, grid, block, shared, stream, ...)                                        \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#endif

#endif
