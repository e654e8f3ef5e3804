// The functions of the runtime under CUDA's names, for C and C++; gcluster/functions.h says what
// each one does. libgcluster exports every function under both names.
#ifndef GCLUSTER_CUDA_RUNTIME_API_H
#define GCLUSTER_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ // programs ask for it

#include "driver_types.h"

#include "gcluster.h"

/// Version of the CUDA API that is mirrored.
#define CUDART_VERSION GCLRT_VERSION
#define __CUDART_API_VERSION GCLRT_VERSION

#define make_cudaExtent make_gclExtent
#define make_cudaPos make_gclPos
#define make_cudaPitchedPtr make_gclPitchedPtr

#ifdef __cplusplus
#define GCL_DEFAULT(__value) = __value
extern "C" {
#else
#define GCL_DEFAULT(__value)
#endif

#define GCL_FUNCTION_OF(__type, __name, __parameters) __type cuda##__name __parameters;
#define GCL_FUNCTION(__name, __parameters) GCL_FUNCTION_OF(gclError_t, __name, __parameters)
#include "gcluster/functions.h"
#undef GCL_FUNCTION
#undef GCL_FUNCTION_OF

#ifdef __cplusplus
}
#endif
#undef GCL_DEFAULT

#endif
