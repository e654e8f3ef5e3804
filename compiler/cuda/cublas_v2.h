// cuBLAS by its current names. They are those of the library without _v2, which the library itself
// gives to the functions of cublas.h.
#ifndef GCLUSTER_CUBLAS_V2_H
#define GCLUSTER_CUBLAS_V2_H
#define CUBLAS_V2_H_ // programs ask for it

#ifdef GCLUSTER_CUBLAS_LEGACY_H
#error "cublas.h and cublas_v2.h name the same functions: include one of them"
#endif

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define __GCL_ROW(__name, __parameters)                                                            \
    cublasStatus_t cublas##__name __parameters __asm__("cublas" #__name "_v2");
__GCL_CUBLAS_HANDLE_V2(__GCL_ROW)
__GCL_CUBLAS_V2(__GCL_ROW, int)
__GCL_CUBLAS_INT_V2(__GCL_ROW)
#undef __GCL_ROW
#define __GCL_ROW(__name, __parameters)                                                            \
    cublasStatus_t cublas##__name##_64 __parameters __asm__("cublas" #__name "_v2_64");
__GCL_CUBLAS_V2(__GCL_ROW, int64_t)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
