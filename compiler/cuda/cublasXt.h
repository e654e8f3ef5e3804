// cuBLASXt: products and systems of matrices in host or device memory. Each function returns when
// it is done. The library is runtime/lib/blas.
#ifndef GCLUSTER_CUBLASXT_H
#define GCLUSTER_CUBLASXT_H
#define CUBLAS_XT_H_ // programs ask for it

#include "cublas_v2.h"

typedef enum {
    CUBLASXT_PINNING_DISABLED = 0,
    CUBLASXT_PINNING_ENABLED = 1,
} cublasXtPinnedMemMode_t;

struct cublasXtContext;
typedef struct cublasXtContext *cublasXtHandle_t;

/// F(name, (parameters)) for each routine of type __p: numbers are __T.
#define __GCL_CUBLASXT(__F, __p, __T)                                                              \
    __F(__p##gemm,                                                                                 \
        (cublasXtHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,        \
         size_t __m, size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda,     \
         const __T *__B, size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))                 \
    __F(__p##syrk, (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans, \
                    size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda,      \
                    const __T *__beta, __T *__C, size_t __ldc))                                    \
    __F(__p##symm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    size_t __m, size_t __n, const __T *__alpha, const __T *__A, size_t __lda,      \
                    const __T *__B, size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))      \
    __F(__p##trsm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    cublasOperation_t __trans, cublasDiagType_t __diag, size_t __m, size_t __n,    \
                    const __T *__alpha, const __T *__A, size_t __lda, __T *__B, size_t __ldb))

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasXtCreate(cublasXtHandle_t *__handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t __handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t __handle, int __count, int *__devices);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t __handle, int __size);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t __handle, int *__size);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t __handle, cublasXtPinnedMemMode_t __mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t __handle,
                                         cublasXtPinnedMemMode_t *__mode);

#define __GCL_ROW(__name, __parameters) cublasStatus_t cublasXt##__name __parameters;
__GCL_CUBLASXT(__GCL_ROW, S, float)
__GCL_CUBLASXT(__GCL_ROW, D, double)
__GCL_CUBLASXT(__GCL_ROW, C, cuComplex)
__GCL_CUBLASXT(__GCL_ROW, Z, cuDoubleComplex)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
