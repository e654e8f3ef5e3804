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

/// What programs may have a CPU compute.
typedef enum {
    CUBLASXT_FLOAT = 0,
    CUBLASXT_DOUBLE = 1,
    CUBLASXT_COMPLEX = 2,
    CUBLASXT_DOUBLECOMPLEX = 3,
} cublasXtOpType_t;

typedef enum {
    CUBLASXT_GEMM = 0,
    CUBLASXT_SYRK = 1,
    CUBLASXT_HERK = 2,
    CUBLASXT_SYMM = 3,
    CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5,
    CUBLASXT_SYR2K = 6,
    CUBLASXT_HER2K = 7,
    CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9,
    CUBLASXT_HERKX = 10,
    CUBLASXT_TRMM = 11,
    CUBLASXT_ROUTINE_MAX = 12,
} cublasXtBlasOp_t;

/// F(name, (parameters)) for each routine of type __p: numbers are __T.
#define __GCL_CUBLASXT(__F, __p, __T)                                                              \
    __F(__p##gemm,                                                                                 \
        (cublasXtHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,        \
         size_t __m, size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda,     \
         const __T *__B, size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))                 \
    __F(__p##syrk, (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans, \
                    size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda,      \
                    const __T *__beta, __T *__C, size_t __ldc))                                    \
    __F(__p##syr2k,                                                                                \
        (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,            \
         size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda, const __T *__B, \
         size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))                                 \
    __F(__p##syrkx,                                                                                \
        (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,            \
         size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda, const __T *__B, \
         size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))                                 \
    __F(__p##symm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    size_t __m, size_t __n, const __T *__alpha, const __T *__A, size_t __lda,      \
                    const __T *__B, size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))      \
    __F(__p##spmm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    size_t __m, size_t __n, const __T *__alpha, const __T *__AP, const __T *__B,   \
                    size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))                      \
    __F(__p##trsm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    cublasOperation_t __trans, cublasDiagType_t __diag, size_t __m, size_t __n,    \
                    const __T *__alpha, const __T *__A, size_t __lda, __T *__B, size_t __ldb))     \
    __F(__p##trmm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    cublasOperation_t __trans, cublasDiagType_t __diag, size_t __m, size_t __n,    \
                    const __T *__alpha, const __T *__A, size_t __lda, const __T *__B,              \
                    size_t __ldb, __T *__C, size_t __ldc))
/// Routines of complex numbers alone; their real parts are of type __R.
#define __GCL_CUBLASXT_COMPLEX(__F, __p, __T, __R)                                                 \
    __F(__p##herk, (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans, \
                    size_t __n, size_t __k, const __R *__alpha, const __T *__A, size_t __lda,      \
                    const __R *__beta, __T *__C, size_t __ldc))                                    \
    __F(__p##her2k,                                                                                \
        (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,            \
         size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda, const __T *__B, \
         size_t __ldb, const __R *__beta, __T *__C, size_t __ldc))                                 \
    __F(__p##herkx,                                                                                \
        (cublasXtHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,            \
         size_t __n, size_t __k, const __T *__alpha, const __T *__A, size_t __lda, const __T *__B, \
         size_t __ldb, const __R *__beta, __T *__C, size_t __ldc))                                 \
    __F(__p##hemm, (cublasXtHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,   \
                    size_t __m, size_t __n, const __T *__alpha, const __T *__A, size_t __lda,      \
                    const __T *__B, size_t __ldb, const __T *__beta, __T *__C, size_t __ldc))

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
/// How many boards there are, of which each has one device; or how many these devices are on.
cublasStatus_t cublasXtMaxBoards(int *__count);
cublasStatus_t cublasXtGetNumBoards(int __count, int *__devices, int *__boards);
/// A function of the program's for a routine, and the share of it that the function is to have. No
/// routine needs one: both are checked, and of no effect.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t __handle, cublasXtBlasOp_t __routine,
                                     cublasXtOpType_t __type, void *__function);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t __handle, cublasXtBlasOp_t __routine,
                                   cublasXtOpType_t __type, float __ratio);

#define __GCL_ROW(__name, __parameters) cublasStatus_t cublasXt##__name __parameters;
__GCL_CUBLASXT(__GCL_ROW, S, float)
__GCL_CUBLASXT(__GCL_ROW, D, double)
__GCL_CUBLASXT(__GCL_ROW, C, cuComplex)
__GCL_CUBLASXT(__GCL_ROW, Z, cuDoubleComplex)
__GCL_CUBLASXT_COMPLEX(__GCL_ROW, C, cuComplex, float)
__GCL_CUBLASXT_COMPLEX(__GCL_ROW, Z, cuDoubleComplex, double)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
