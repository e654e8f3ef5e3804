// Every routine of cuBLAS that computes, once for all types of numbers and of sizes: lists of
// __F(name, (parameters)), which whoever includes this file turns into declarations, or into
// something else. __p is the letter of a type, __T the type, __R that of its real parts, __I that
// of sizes: int, or int64_t in the routines whose names end in _64.
//
// Matrices lie column by column; the leading dimension is the distance of columns, in elements.
#ifndef GCLUSTER_CUBLAS_H
#define GCLUSTER_CUBLAS_H

/// Routines of all four types, names ending in _v2.
#define __GCL_CUBLAS_ALL_V2(__F, __p, __T, __I)                                                    \
    __F(__p##scal, (cublasHandle_t __handle, __I __n, const __T *__alpha, __T *__x, __I __incx))   \
    __F(__p##axpy, (cublasHandle_t __handle, __I __n, const __T *__alpha, const __T *__x,          \
                    __I __incx, __T *__y, __I __incy))                                             \
    __F(__p##copy,                                                                                 \
        (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, __T *__y, __I __incy))      \
    __F(__p##swap,                                                                                 \
        (cublasHandle_t __handle, __I __n, __T * __x, __I __incx, __T * __y, __I __incy))          \
    __F(__p##gemv, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,          \
                    const __T *__alpha, const __T *__A, __I __lda, const __T *__x, __I __incx,     \
                    const __T *__beta, __T *__y, __I __incy))                                      \
    __F(__p##gbmv, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,          \
                    __I __kl, __I __ku, const __T *__alpha, const __T *__A, __I __lda,             \
                    const __T *__x, __I __incx, const __T *__beta, __T *__y, __I __incy))          \
    __F(__p##trmv,                                                                                 \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,              \
         cublasDiagType_t __diag, __I __n, const __T *__A, __I __lda, __T *__x, __I __incx))       \
    __F(__p##tbmv, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    cublasDiagType_t __diag, __I __n, __I __k, const __T *__A, __I __lda,          \
                    __T *__x, __I __incx))                                                         \
    __F(__p##tpmv, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    cublasDiagType_t __diag, __I __n, const __T *__AP, __T *__x, __I __incx))      \
    __F(__p##trsv,                                                                                 \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,              \
         cublasDiagType_t __diag, __I __n, const __T *__A, __I __lda, __T *__x, __I __incx))       \
    __F(__p##tpsv, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    cublasDiagType_t __diag, __I __n, const __T *__AP, __T *__x, __I __incx))      \
    __F(__p##tbsv, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    cublasDiagType_t __diag, __I __n, __I __k, const __T *__A, __I __lda,          \
                    __T *__x, __I __incx))                                                         \
    __F(__p##symv, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__A, __I __lda, const __T *__x, __I __incx, const __T *__beta,      \
                    __T *__y, __I __incy))                                                         \
    __F(__p##syr, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha,  \
                   const __T *__x, __I __incx, __T *__A, __I __lda))                               \
    __F(__p##syr2, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__x, __I __incx, const __T *__y, __I __incy, __T *__A, __I __lda))  \
    __F(__p##gemm,                                                                                 \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda, const __T *__B,          \
         __I __ldb, const __T *__beta, __T *__C, __I __ldc))                                       \
    __F(__p##syrk, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda,               \
                    const __T *__beta, __T *__C, __I __ldc))                                       \
    __F(__p##syr2k, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,  \
                     __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda,              \
                     const __T *__B, __I __ldb, const __T *__beta, __T *__C, __I __ldc))           \
    __F(__p##symm, (cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,     \
                    __I __m, __I __n, const __T *__alpha, const __T *__A, __I __lda,               \
                    const __T *__B, __I __ldb, const __T *__beta, __T *__C, __I __ldc))            \
    __F(__p##trsm, (cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,     \
                    cublasOperation_t __trans, cublasDiagType_t __diag, __I __m, __I __n,          \
                    const __T *__alpha, const __T *__A, __I __lda, __T *__B, __I __ldb))           \
    __F(__p##trmm,                                                                                 \
        (cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,                \
         cublasOperation_t __trans, cublasDiagType_t __diag, __I __m, __I __n, const __T *__alpha, \
         const __T *__A, __I __lda, const __T *__B, __I __ldb, __T *__C, __I __ldc))
/// Routines of real numbers, names ending in _v2.
#define __GCL_CUBLAS_REAL_V2(__F, __p, __T, __I)                                                   \
    __F(__p##nrm2, (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, __T *__result))  \
    __F(__p##dot, (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, const __T *__y,   \
                   __I __incy, __T *__result))                                                     \
    __F(__p##asum, (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, __T *__result))  \
    __F(__p##rot, (cublasHandle_t __handle, __I __n, __T * __x, __I __incx, __T * __y, __I __incy, \
                   const __T *__c, const __T *__s))                                                \
    __F(__p##rotm, (cublasHandle_t __handle, __I __n, __T * __x, __I __incx, __T * __y,            \
                    __I __incy, const __T *__param))                                               \
    __F(__p##sbmv, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, __I __k,            \
                    const __T *__alpha, const __T *__A, __I __lda, const __T *__x, __I __incx,     \
                    const __T *__beta, __T *__y, __I __incy))                                      \
    __F(__p##spmv,                                                                                 \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha,            \
         const __T *__AP, const __T *__x, __I __incx, const __T *__beta, __T *__y, __I __incy))    \
    __F(__p##ger, (cublasHandle_t __handle, __I __m, __I __n, const __T *__alpha, const __T *__x,  \
                   __I __incx, const __T *__y, __I __incy, __T *__A, __I __lda))                   \
    __F(__p##spr, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha,  \
                   const __T *__x, __I __incx, __T *__AP))                                         \
    __F(__p##spr2, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__x, __I __incx, const __T *__y, __I __incy, __T *__AP))
/// Those of real numbers with int sizes alone; names end in _v2.
#define __GCL_CUBLAS_INT_REAL_V2(__F, __p, __T)                                                    \
    __F(__p##rotg, (cublasHandle_t __handle, __T * __a, __T * __b, __T * __c, __T * __s))          \
    __F(__p##rotmg, (cublasHandle_t __handle, __T * __d1, __T * __d2, __T * __x1, const __T *__y1, \
                     __T *__param))
/// Routines of complex numbers, names ending in _v2.
#define __GCL_CUBLAS_COMPLEX_V2(__F, __p, __T, __R, __I)                                           \
    __F(__p##dotu, (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, const __T *__y,  \
                    __I __incy, __T *__result))                                                    \
    __F(__p##dotc, (cublasHandle_t __handle, __I __n, const __T *__x, __I __incx, const __T *__y,  \
                    __I __incy, __T *__result))                                                    \
    __F(__p##rot, (cublasHandle_t __handle, __I __n, __T * __x, __I __incx, __T * __y, __I __incy, \
                   const __R *__c, const __T *__s))                                                \
    __F(__p##hemv, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__A, __I __lda, const __T *__x, __I __incx, const __T *__beta,      \
                    __T *__y, __I __incy))                                                         \
    __F(__p##hbmv, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, __I __k,            \
                    const __T *__alpha, const __T *__A, __I __lda, const __T *__x, __I __incx,     \
                    const __T *__beta, __T *__y, __I __incy))                                      \
    __F(__p##hpmv,                                                                                 \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha,            \
         const __T *__AP, const __T *__x, __I __incx, const __T *__beta, __T *__y, __I __incy))    \
    __F(__p##geru, (cublasHandle_t __handle, __I __m, __I __n, const __T *__alpha, const __T *__x, \
                    __I __incx, const __T *__y, __I __incy, __T *__A, __I __lda))                  \
    __F(__p##gerc, (cublasHandle_t __handle, __I __m, __I __n, const __T *__alpha, const __T *__x, \
                    __I __incx, const __T *__y, __I __incy, __T *__A, __I __lda))                  \
    __F(__p##her, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __R *__alpha,  \
                   const __T *__x, __I __incx, __T *__A, __I __lda))                               \
    __F(__p##hpr, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __R *__alpha,  \
                   const __T *__x, __I __incx, __T *__AP))                                         \
    __F(__p##her2, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__x, __I __incx, const __T *__y, __I __incy, __T *__A, __I __lda))  \
    __F(__p##hpr2, (cublasHandle_t __handle, cublasFillMode_t __uplo, __I __n, const __T *__alpha, \
                    const __T *__x, __I __incx, const __T *__y, __I __incy, __T *__AP))            \
    __F(__p##herk, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    __I __n, __I __k, const __R *__alpha, const __T *__A, __I __lda,               \
                    const __R *__beta, __T *__C, __I __ldc))                                       \
    __F(__p##her2k, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,  \
                     __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda,              \
                     const __T *__B, __I __ldb, const __R *__beta, __T *__C, __I __ldc))           \
    __F(__p##hemm, (cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,     \
                    __I __m, __I __n, const __T *__alpha, const __T *__A, __I __lda,               \
                    const __T *__B, __I __ldb, const __T *__beta, __T *__C, __I __ldc))
/// Those of complex numbers with int sizes alone; names end in _v2.
#define __GCL_CUBLAS_INT_COMPLEX_V2(__F, __p, __T, __R)                                            \
    __F(__p##rotg, (cublasHandle_t __handle, __T * __a, __T * __b, __R * __c, __T * __s))
/// Routines of other types, names ending in _v2.
#define __GCL_CUBLAS_MIXED_V2(__F, __I)                                                            \
    __F(Scnrm2,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuComplex *__x, __I __incx, float *__result))     \
    __F(Dznrm2, (cublasHandle_t __handle, __I __n, const cuDoubleComplex *__x, __I __incx,         \
                 double *__result))                                                                \
    __F(Csscal,                                                                                    \
        (cublasHandle_t __handle, __I __n, const float *__alpha, cuComplex *__x, __I __incx))      \
    __F(Zdscal, (cublasHandle_t __handle, __I __n, const double *__alpha, cuDoubleComplex *__x,    \
                 __I __incx))                                                                      \
    __F(Isamax, (cublasHandle_t __handle, __I __n, const float *__x, __I __incx, __I *__result))   \
    __F(Idamax, (cublasHandle_t __handle, __I __n, const double *__x, __I __incx, __I *__result))  \
    __F(Icamax,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuComplex *__x, __I __incx, __I *__result))       \
    __F(Izamax,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuDoubleComplex *__x, __I __incx, __I *__result)) \
    __F(Isamin, (cublasHandle_t __handle, __I __n, const float *__x, __I __incx, __I *__result))   \
    __F(Idamin, (cublasHandle_t __handle, __I __n, const double *__x, __I __incx, __I *__result))  \
    __F(Icamin,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuComplex *__x, __I __incx, __I *__result))       \
    __F(Izamin,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuDoubleComplex *__x, __I __incx, __I *__result)) \
    __F(Scasum,                                                                                    \
        (cublasHandle_t __handle, __I __n, const cuComplex *__x, __I __incx, float *__result))     \
    __F(Dzasum, (cublasHandle_t __handle, __I __n, const cuDoubleComplex *__x, __I __incx,         \
                 double *__result))                                                                \
    __F(Csrot, (cublasHandle_t __handle, __I __n, cuComplex * __x, __I __incx, cuComplex * __y,    \
                __I __incy, const float *__c, const float *__s))                                   \
    __F(Zdrot, (cublasHandle_t __handle, __I __n, cuDoubleComplex * __x, __I __incx,               \
                cuDoubleComplex * __y, __I __incy, const double *__c, const double *__s))
/// Routines of all four types.
#define __GCL_CUBLAS_ALL_V1(__F, __p, __T, __I)                                                    \
    __F(__p##gemvBatched,                                                                          \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n, const __T *__alpha, \
         const __T *const *__Aarray, __I __lda, const __T *const *__xarray, __I __incx,            \
         const __T *__beta, __T *const *__yarray, __I __incy, __I __batchCount))                   \
    __F(__p##gemvStridedBatched,                                                                   \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n, const __T *__alpha, \
         const __T *__A, __I __lda, long long __strideA, const __T *__x, __I __incx,               \
         long long __stridex, const __T *__beta, __T *__y, __I __incy, long long __stridey,        \
         __I __batchCount))                                                                        \
    __F(__p##syrkx, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,  \
                     __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda,              \
                     const __T *__B, __I __ldb, const __T *__beta, __T *__C, __I __ldc))           \
    __F(__p##gemmBatched,                                                                          \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __T *__alpha, const __T *const *__Aarray, __I __lda,              \
         const __T *const *__Barray, __I __ldb, const __T *__beta, __T *const *__Carray,           \
         __I __ldc, __I __batchCount))                                                             \
    __F(__p##gemmStridedBatched,                                                                   \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda, long long __strideA,     \
         const __T *__B, __I __ldb, long long __strideB, const __T *__beta, __T *__C, __I __ldc,   \
         long long __strideC, __I __batchCount))                                                   \
    __F(__p##geam,                                                                                 \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, const __T *__alpha, const __T *__A, __I __lda, const __T *__beta,                \
         const __T *__B, __I __ldb, __T *__C, __I __ldc))                                          \
    __F(__p##trsmBatched,                                                                          \
        (cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,                \
         cublasOperation_t __trans, cublasDiagType_t __diag, __I __m, __I __n, const __T *__alpha, \
         const __T *const *__A, __I __lda, __T *const *__B, __I __ldb, __I __batchCount))          \
    __F(__p##dgmm, (cublasHandle_t __handle, cublasSideMode_t __mode, __I __m, __I __n,            \
                    const __T *__A, __I __lda, const __T *__x, __I __incx, __T *__C, __I __ldc))
/// Those of all four types with int sizes alone.
#define __GCL_CUBLAS_INT_ALL_V1(__F, __p, __T)                                                     \
    __F(__p##matinvBatched, (cublasHandle_t __handle, int __n, const __T *const *__A, int __lda,   \
                             __T *const *__Ainv, int __lda_inv, int *__info, int __batchSize))     \
    __F(__p##geqrfBatched, (cublasHandle_t __handle, int __m, int __n, __T *const *__Aarray,       \
                            int __lda, __T *const *__TauArray, int *__info, int __batchSize))      \
    __F(__p##gelsBatched, (cublasHandle_t __handle, cublasOperation_t __trans, int __m, int __n,   \
                           int __nrhs, __T *const *__Aarray, int __lda, __T *const *__Carray,      \
                           int __ldc, int *__info, int *__devInfoArray, int __batchSize))          \
    __F(__p##tpttr, (cublasHandle_t __handle, cublasFillMode_t __uplo, int __n, const __T *__AP,   \
                     __T *__A, int __lda))                                                         \
    __F(__p##trttp, (cublasHandle_t __handle, cublasFillMode_t __uplo, int __n, const __T *__A,    \
                     int __lda, __T *__AP))                                                        \
    __F(__p##getrfBatched, (cublasHandle_t __handle, int __n, __T *const *__A, int __lda,          \
                            int *__P, int *__info, int __batchSize))                               \
    __F(__p##getriBatched,                                                                         \
        (cublasHandle_t __handle, int __n, const __T *const *__A, int __lda, const int *__P,       \
         __T *const *__C, int __ldc, int *__info, int __batchSize))                                \
    __F(__p##getrsBatched,                                                                         \
        (cublasHandle_t __handle, cublasOperation_t __trans, int __n, int __nrhs,                  \
         const __T *const *__Aarray, int __lda, const int *__devIpiv, __T *const *__Barray,        \
         int __ldb, int *__info, int __batchSize))
/// Routines of real numbers.
#define __GCL_CUBLAS_REAL_V1(__F, __p, __T, __I)                                                   \
    __F(__p##gemmGroupedBatched,                                                                   \
        (cublasHandle_t __handle, const cublasOperation_t *__transa_array,                         \
         const cublasOperation_t *__transb_array, const __I *__m_array, const __I *__n_array,      \
         const __I *__k_array, const __T *__alpha_array, const __T *const *__Aarray,               \
         const __I *__lda_array, const __T *const *__Barray, const __I *__ldb_array,               \
         const __T *__beta_array, __T *const *__Carray, const __I *__ldc_array, __I __group_count, \
         const __I *__group_size))
/// Routines of complex numbers.
#define __GCL_CUBLAS_COMPLEX_V1(__F, __p, __T, __R, __I)                                           \
    __F(__p##gemm3m,                                                                               \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda, const __T *__B,          \
         __I __ldb, const __T *__beta, __T *__C, __I __ldc))                                       \
    __F(__p##herkx, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,  \
                     __I __n, __I __k, const __T *__alpha, const __T *__A, __I __lda,              \
                     const __T *__B, __I __ldb, const __R *__beta, __T *__C, __I __ldc))
/// Routines of other types.
#define __GCL_CUBLAS_MIXED_V1(__F, __I)                                                            \
    __F(SetVector,                                                                                 \
        (__I __n, __I __elemSize, const void *__x, __I __incx, void *__devicePtr, __I __incy))     \
    __F(GetVector, (__I __n, __I __elemSize, const void *__x, __I __incx, void *__y, __I __incy))  \
    __F(SetMatrix, (__I __rows, __I __cols, __I __elemSize, const void *__A, __I __lda, void *__B, \
                    __I __ldb))                                                                    \
    __F(GetMatrix, (__I __rows, __I __cols, __I __elemSize, const void *__A, __I __lda, void *__B, \
                    __I __ldb))                                                                    \
    __F(SetVectorAsync, (__I __n, __I __elemSize, const void *__hostPtr, __I __incx,               \
                         void *__devicePtr, __I __incy, cudaStream_t __stream))                    \
    __F(GetVectorAsync, (__I __n, __I __elemSize, const void *__devicePtr, __I __incx,             \
                         void *__hostPtr, __I __incy, cudaStream_t __stream))                      \
    __F(SetMatrixAsync, (__I __rows, __I __cols, __I __elemSize, const void *__A, __I __lda,       \
                         void *__B, __I __ldb, cudaStream_t __stream))                             \
    __F(GetMatrixAsync, (__I __rows, __I __cols, __I __elemSize, const void *__A, __I __lda,       \
                         void *__B, __I __ldb, cudaStream_t __stream))                             \
    __F(Nrm2Ex,                                                                                    \
        (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType, __I __incx,      \
         void *__result, cudaDataType __resultType, cudaDataType __executionType))                 \
    __F(DotEx, (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType,           \
                __I __incx, const void *__y, cudaDataType __yType, __I __incy, void *__result,     \
                cudaDataType __resultType, cudaDataType __executionType))                          \
    __F(DotcEx, (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType,          \
                 __I __incx, const void *__y, cudaDataType __yType, __I __incy, void *__result,    \
                 cudaDataType __resultType, cudaDataType __executionType))                         \
    __F(ScalEx, (cublasHandle_t __handle, __I __n, const void *__alpha, cudaDataType __alphaType,  \
                 void *__x, cudaDataType __xType, __I __incx, cudaDataType __executionType))       \
    __F(AxpyEx, (cublasHandle_t __handle, __I __n, const void *__alpha, cudaDataType __alphaType,  \
                 const void *__x, cudaDataType __xType, __I __incx, void *__y,                     \
                 cudaDataType __yType, __I __incy, cudaDataType __executiontype))                  \
    __F(CopyEx, (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType,          \
                 __I __incx, void *__y, cudaDataType __yType, __I __incy))                         \
    __F(SwapEx, (cublasHandle_t __handle, __I __n, void *__x, cudaDataType __xType, __I __incx,    \
                 void *__y, cudaDataType __yType, __I __incy))                                     \
    __F(IamaxEx, (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType,         \
                  __I __incx, __I *__result))                                                      \
    __F(IaminEx, (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType,         \
                  __I __incx, __I *__result))                                                      \
    __F(AsumEx,                                                                                    \
        (cublasHandle_t __handle, __I __n, const void *__x, cudaDataType __xType, __I __incx,      \
         void *__result, cudaDataType __resultType, cudaDataType __executiontype))                 \
    __F(RotEx, (cublasHandle_t __handle, __I __n, void *__x, cudaDataType __xType, __I __incx,     \
                void *__y, cudaDataType __yType, __I __incy, const void *__c, const void *__s,     \
                cudaDataType __csType, cudaDataType __executiontype))                              \
    __F(RotmEx, (cublasHandle_t __handle, __I __n, void *__x, cudaDataType __xType, __I __incx,    \
                 void *__y, cudaDataType __yType, __I __incy, const void *__param,                 \
                 cudaDataType __paramType, cudaDataType __executiontype))                          \
    __F(HSHgemvBatched, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,     \
                         const float *__alpha, const __half *const *__Aarray, __I __lda,           \
                         const __half *const *__xarray, __I __incx, const float *__beta,           \
                         __half *const *__yarray, __I __incy, __I __batchCount))                   \
    __F(HSSgemvBatched, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,     \
                         const float *__alpha, const __half *const *__Aarray, __I __lda,           \
                         const __half *const *__xarray, __I __incx, const float *__beta,           \
                         float *const *__yarray, __I __incy, __I __batchCount))                    \
    __F(TSTgemvBatched, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,     \
                         const float *__alpha, const __nv_bfloat16 *const *__Aarray, __I __lda,    \
                         const __nv_bfloat16 *const *__xarray, __I __incx, const float *__beta,    \
                         __nv_bfloat16 *const *__yarray, __I __incy, __I __batchCount))            \
    __F(TSSgemvBatched, (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,     \
                         const float *__alpha, const __nv_bfloat16 *const *__Aarray, __I __lda,    \
                         const __nv_bfloat16 *const *__xarray, __I __incx, const float *__beta,    \
                         float *const *__yarray, __I __incy, __I __batchCount))                    \
    __F(HSHgemvStridedBatched,                                                                     \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,                     \
         const float *__alpha, const __half *__A, __I __lda, long long __strideA,                  \
         const __half *__x, __I __incx, long long __stridex, const float *__beta, __half *__y,     \
         __I __incy, long long __stridey, __I __batchCount))                                       \
    __F(HSSgemvStridedBatched,                                                                     \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,                     \
         const float *__alpha, const __half *__A, __I __lda, long long __strideA,                  \
         const __half *__x, __I __incx, long long __stridex, const float *__beta, float *__y,      \
         __I __incy, long long __stridey, __I __batchCount))                                       \
    __F(TSTgemvStridedBatched,                                                                     \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,                     \
         const float *__alpha, const __nv_bfloat16 *__A, __I __lda, long long __strideA,           \
         const __nv_bfloat16 *__x, __I __incx, long long __stridex, const float *__beta,           \
         __nv_bfloat16 *__y, __I __incy, long long __stridey, __I __batchCount))                   \
    __F(TSSgemvStridedBatched,                                                                     \
        (cublasHandle_t __handle, cublasOperation_t __trans, __I __m, __I __n,                     \
         const float *__alpha, const __nv_bfloat16 *__A, __I __lda, long long __strideA,           \
         const __nv_bfloat16 *__x, __I __incx, long long __stridex, const float *__beta,           \
         float *__y, __I __incy, long long __stridey, __I __batchCount))                           \
    __F(Cgemm3mEx,                                                                                 \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const cuComplex *__alpha, const void *__A, cudaDataType __Atype,        \
         __I __lda, const void *__B, cudaDataType __Btype, __I __ldb, const cuComplex *__beta,     \
         void *__C, cudaDataType __Ctype, __I __ldc))                                              \
    __F(Hgemm, (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,   \
                __I __m, __I __n, __I __k, const __half *__alpha, const __half *__A, __I __lda,    \
                const __half *__B, __I __ldb, const __half *__beta, __half *__C, __I __ldc))       \
    __F(SgemmEx, (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, \
                  __I __m, __I __n, __I __k, const float *__alpha, const void *__A,                \
                  cudaDataType __Atype, __I __lda, const void *__B, cudaDataType __Btype,          \
                  __I __ldb, const float *__beta, void *__C, cudaDataType __Ctype, __I __ldc))     \
    __F(GemmEx, (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,  \
                 __I __m, __I __n, __I __k, const void *__alpha, const void *__A,                  \
                 cudaDataType __Atype, __I __lda, const void *__B, cudaDataType __Btype,           \
                 __I __ldb, const void *__beta, void *__C, cudaDataType __Ctype, __I __ldc,        \
                 cublasComputeType_t __computeType, cublasGemmAlgo_t __algo))                      \
    __F(CgemmEx, (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, \
                  __I __m, __I __n, __I __k, const cuComplex *__alpha, const void *__A,            \
                  cudaDataType __Atype, __I __lda, const void *__B, cudaDataType __Btype,          \
                  __I __ldb, const cuComplex *__beta, void *__C, cudaDataType __Ctype, __I __ldc)) \
    __F(CsyrkEx,                                                                                   \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans, __I __n,     \
         __I __k, const cuComplex *__alpha, const void *__A, cudaDataType __Atype, __I __lda,      \
         const cuComplex *__beta, void *__C, cudaDataType __Ctype, __I __ldc))                     \
    __F(Csyrk3mEx,                                                                                 \
        (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans, __I __n,     \
         __I __k, const cuComplex *__alpha, const void *__A, cudaDataType __Atype, __I __lda,      \
         const cuComplex *__beta, void *__C, cudaDataType __Ctype, __I __ldc))                     \
    __F(CherkEx, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,     \
                  __I __n, __I __k, const float *__alpha, const void *__A, cudaDataType __Atype,   \
                  __I __lda, const float *__beta, void *__C, cudaDataType __Ctype, __I __ldc))     \
    __F(Cherk3mEx, (cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                    __I __n, __I __k, const float *__alpha, const void *__A, cudaDataType __Atype, \
                    __I __lda, const float *__beta, void *__C, cudaDataType __Ctype, __I __ldc))   \
    __F(HgemmBatched,                                                                              \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __half *__alpha, const __half *const *__Aarray, __I __lda,        \
         const __half *const *__Barray, __I __ldb, const __half *__beta, __half *const *__Carray,  \
         __I __ldc, __I __batchCount))                                                             \
    __F(Cgemm3mBatched,                                                                            \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const cuComplex *__alpha, const cuComplex *const *__Aarray, __I __lda,  \
         const cuComplex *const *__Barray, __I __ldb, const cuComplex *__beta,                     \
         cuComplex *const *__Carray, __I __ldc, __I __batchCount))                                 \
    __F(HgemmStridedBatched,                                                                       \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const __half *__alpha, const __half *__A, __I __lda,                    \
         long long __strideA, const __half *__B, __I __ldb, long long __strideB,                   \
         const __half *__beta, __half *__C, __I __ldc, long long __strideC, __I __batchCount))     \
    __F(Cgemm3mStridedBatched,                                                                     \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const cuComplex *__alpha, const cuComplex *__A, __I __lda,              \
         long long __strideA, const cuComplex *__B, __I __ldb, long long __strideB,                \
         const cuComplex *__beta, cuComplex *__C, __I __ldc, long long __strideC,                  \
         __I __batchCount))                                                                        \
    __F(GemmBatchedEx,                                                                             \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const void *__alpha, const void *const *__Aarray, cudaDataType __Atype, \
         __I __lda, const void *const *__Barray, cudaDataType __Btype, __I __ldb,                  \
         const void *__beta, void *const *__Carray, cudaDataType __Ctype, __I __ldc,               \
         __I __batchCount, cublasComputeType_t __computeType, cublasGemmAlgo_t __algo))            \
    __F(GemmStridedBatchedEx,                                                                      \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, __I __m, \
         __I __n, __I __k, const void *__alpha, const void *__A, cudaDataType __Atype, __I __lda,  \
         long long __strideA, const void *__B, cudaDataType __Btype, __I __ldb,                    \
         long long __strideB, const void *__beta, void *__C, cudaDataType __Ctype, __I __ldc,      \
         long long __strideC, __I __batchCount, cublasComputeType_t __computeType,                 \
         cublasGemmAlgo_t __algo))                                                                 \
    __F(GemmGroupedBatchedEx,                                                                      \
        (cublasHandle_t __handle, const cublasOperation_t *__transa_array,                         \
         const cublasOperation_t *__transb_array, const __I *__m_array, const __I *__n_array,      \
         const __I *__k_array, const void *__alpha_array, const void *const *__Aarray,             \
         cudaDataType __Atype, const __I *__lda_array, const void *const *__Barray,                \
         cudaDataType __Btype, const __I *__ldb_array, const void *__beta_array,                   \
         void *const *__Carray, cudaDataType __Ctype, const __I *__ldc_array, __I __group_count,   \
         const __I *__group_size, cublasComputeType_t __computeType))
/// Those of other types with int sizes alone.
#define __GCL_CUBLAS_INT_MIXED_V1(__F)                                                             \
    __F(RotgEx, (cublasHandle_t __handle, void *__a, void *__b, cudaDataType __abType, void *__c,  \
                 void *__s, cudaDataType __csType, cudaDataType __executiontype))                  \
    __F(RotmgEx, (cublasHandle_t __handle, void *__d1, cudaDataType __d1Type, void *__d2,          \
                  cudaDataType __d2Type, void *__x1, cudaDataType __x1Type, const void *__y1,      \
                  cudaDataType __y1Type, void *__param, cudaDataType __paramType,                  \
                  cudaDataType __executiontype))                                                   \
    __F(Uint8gemmBias,                                                                             \
        (cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,          \
         cublasOperation_t __transc, int __m, int __n, int __k, const unsigned char *__A,          \
         int __A_bias, int __lda, const unsigned char *__B, int __B_bias, int __ldb,               \
         unsigned char *__C, int __C_bias, int __ldc, int __C_mult, int __C_shift))

/// Those of all of the above whose names end in _v2.
#define __GCL_CUBLAS_V2(__F, __I)                                                                  \
    __GCL_CUBLAS_ALL_V2(__F, S, float, __I)                                                        \
    __GCL_CUBLAS_ALL_V2(__F, D, double, __I)                                                       \
    __GCL_CUBLAS_ALL_V2(__F, C, cuComplex, __I)                                                    \
    __GCL_CUBLAS_ALL_V2(__F, Z, cuDoubleComplex, __I)                                              \
    __GCL_CUBLAS_REAL_V2(__F, S, float, __I)                                                       \
    __GCL_CUBLAS_REAL_V2(__F, D, double, __I)                                                      \
    __GCL_CUBLAS_COMPLEX_V2(__F, C, cuComplex, float, __I)                                         \
    __GCL_CUBLAS_COMPLEX_V2(__F, Z, cuDoubleComplex, double, __I)                                  \
    __GCL_CUBLAS_MIXED_V2(__F, __I)
/// Those with int sizes alone, with _v2.
#define __GCL_CUBLAS_INT_V2(__F)                                                                   \
    __GCL_CUBLAS_INT_REAL_V2(__F, S, float)                                                        \
    __GCL_CUBLAS_INT_REAL_V2(__F, D, double)                                                       \
    __GCL_CUBLAS_INT_COMPLEX_V2(__F, C, cuComplex, float)                                          \
    __GCL_CUBLAS_INT_COMPLEX_V2(__F, Z, cuDoubleComplex, double)
/// Those without.
#define __GCL_CUBLAS_V1(__F, __I)                                                                  \
    __GCL_CUBLAS_ALL_V1(__F, S, float, __I)                                                        \
    __GCL_CUBLAS_ALL_V1(__F, D, double, __I)                                                       \
    __GCL_CUBLAS_ALL_V1(__F, C, cuComplex, __I)                                                    \
    __GCL_CUBLAS_ALL_V1(__F, Z, cuDoubleComplex, __I)                                              \
    __GCL_CUBLAS_REAL_V1(__F, S, float, __I)                                                       \
    __GCL_CUBLAS_REAL_V1(__F, D, double, __I)                                                      \
    __GCL_CUBLAS_COMPLEX_V1(__F, C, cuComplex, float, __I)                                         \
    __GCL_CUBLAS_COMPLEX_V1(__F, Z, cuDoubleComplex, double, __I)                                  \
    __GCL_CUBLAS_MIXED_V1(__F, __I)
#define __GCL_CUBLAS_INT_V1(__F)                                                                   \
    __GCL_CUBLAS_INT_ALL_V1(__F, S, float)                                                         \
    __GCL_CUBLAS_INT_ALL_V1(__F, D, double)                                                        \
    __GCL_CUBLAS_INT_ALL_V1(__F, C, cuComplex)                                                     \
    __GCL_CUBLAS_INT_ALL_V1(__F, Z, cuDoubleComplex)                                               \
    __GCL_CUBLAS_INT_MIXED_V1(__F)

#endif
