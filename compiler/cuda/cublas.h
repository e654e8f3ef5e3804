// cuBLAS by its first interface: without handles, operations named by Fortran's letters, scalars by
// value, and errors asked for afterwards. The library is runtime/lib/blas; legacy.c there has these
// functions by those of cublas_api.h. Like the library's own header, not beside cublas_v2.h, which
// has the same names for others.
#ifndef GCLUSTER_CUBLAS_LEGACY_H
#define GCLUSTER_CUBLAS_LEGACY_H
#define CUBLAS_H_ // programs ask for it

#ifdef GCLUSTER_CUBLAS_V2_H
#error "cublas.h and cublas_v2.h name the same functions: include one of them"
#endif

#include "cublas_api.h"
#include "cuda_runtime.h"
#include "gcluster_cublas_legacy.h"

typedef cublasStatus_t cublasStatus;

#ifdef __cplusplus
extern "C" {
#endif

/// Makes what all calls share; a call that comes first does that, too.
cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
/// The last error of a function that returns none, which is forgotten then.
cublasStatus_t cublasGetError(void);
cublasStatus_t cublasGetVersion(int *__version);
/// Device memory for `__n` elements of `__size` bytes.
cublasStatus_t cublasAlloc(int __n, int __size, void **__pointer);
cublasStatus_t cublasFree(void *__pointer);
/// The stream of all calls that follow.
cublasStatus_t cublasSetKernelStream(cudaStream_t __stream);

#define __GCL_PROCEDURE(__name, __parameters, __arguments) void cublas##__name __parameters;
#define __GCL_FUNCTION(__result, __name, __parameters, __arguments)                                \
    __result cublas##__name __parameters;
__GCL_CUBLAS_LEGACY(__GCL_PROCEDURE, __GCL_FUNCTION)
#undef __GCL_PROCEDURE
#undef __GCL_FUNCTION

#ifdef __cplusplus
}
#endif
#endif
