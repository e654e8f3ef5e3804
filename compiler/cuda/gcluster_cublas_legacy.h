// Every routine of cublas.h that computes, as __F(name, (parameters), (arguments)), or, where it
// returns a number, as __G(result, name, (parameters), (arguments)): the arguments are those of the
// function of the same name in cublas_api.h behind the handle. __p is the letter of a type, __T the
// type, __R that of its real parts. Whoever uses the arguments defines how Fortran's letters become
// numbers, __GCL_OPERATION and others, and has the variable __result.
#ifndef GCLUSTER_CUBLAS_LEGACY_LIST_H
#define GCLUSTER_CUBLAS_LEGACY_LIST_H

/// Routines of all four types; __i stands before amax and amin.
#define __GCL_CUBLAS_LEGACY_ALL(__F, __G, __p, __i, __T)                                           \
    __F(__p##scal, (int __n, __T __alpha, __T *__x, int __incx), (__n, &__alpha, __x, __incx))     \
    __F(__p##axpy, (int __n, __T __alpha, const __T *__x, int __incx, __T *__y, int __incy),       \
        (__n, &__alpha, __x, __incx, __y, __incy))                                                 \
    __F(__p##copy, (int __n, const __T *__x, int __incx, __T *__y, int __incy),                    \
        (__n, __x, __incx, __y, __incy))                                                           \
    __F(__p##swap, (int __n, __T *__x, int __incx, __T *__y, int __incy),                          \
        (__n, __x, __incx, __y, __incy))                                                           \
    __G(int, __i##amax, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __G(int, __i##amin, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __F(__p##gemv,                                                                                 \
        (char __trans, int __m, int __n, __T __alpha, const __T *__A, int __lda, const __T *__x,   \
         int __incx, __T __beta, __T *__y, int __incy),                                            \
        (__GCL_OPERATION(__trans), __m, __n, &__alpha, __A, __lda, __x, __incx, &__beta, __y,      \
         __incy))                                                                                  \
    __F(__p##gbmv,                                                                                 \
        (char __trans, int __m, int __n, int __kl, int __ku, __T __alpha, const __T *__A,          \
         int __lda, const __T *__x, int __incx, __T __beta, __T *__y, int __incy),                 \
        (__GCL_OPERATION(__trans), __m, __n, __kl, __ku, &__alpha, __A, __lda, __x, __incx,        \
         &__beta, __y, __incy))                                                                    \
    __F(__p##trmv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, const __T *__A, int __lda, __T *__x,     \
         int __incx),                                                                              \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __A, __lda,    \
         __x, __incx))                                                                             \
    __F(__p##trsv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, const __T *__A, int __lda, __T *__x,     \
         int __incx),                                                                              \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __A, __lda,    \
         __x, __incx))                                                                             \
    __F(__p##tbmv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, int __k, const __T *__A, int __lda,      \
         __T *__x, int __incx),                                                                    \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __k, __A,      \
         __lda, __x, __incx))                                                                      \
    __F(__p##tbsv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, int __k, const __T *__A, int __lda,      \
         __T *__x, int __incx),                                                                    \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __k, __A,      \
         __lda, __x, __incx))                                                                      \
    __F(__p##tpmv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, const __T *__AP, __T *__x, int __incx),  \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __AP, __x,     \
         __incx))                                                                                  \
    __F(__p##tpsv,                                                                                 \
        (char __uplo, char __trans, char __diag, int __n, const __T *__AP, __T *__x, int __incx),  \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __GCL_DIAGONAL(__diag), __n, __AP, __x,     \
         __incx))                                                                                  \
    __F(__p##gemm,                                                                                 \
        (char __transa, char __transb, int __m, int __n, int __k, __T __alpha, const __T *__A,     \
         int __lda, const __T *__B, int __ldb, __T __beta, __T *__C, int __ldc),                   \
        (__GCL_OPERATION(__transa), __GCL_OPERATION(__transb), __m, __n, __k, &__alpha, __A,       \
         __lda, __B, __ldb, &__beta, __C, __ldc))                                                  \
    __F(__p##syrk,                                                                                 \
        (char __uplo, char __trans, int __n, int __k, __T __alpha, const __T *__A, int __lda,      \
         __T __beta, __T *__C, int __ldc),                                                         \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __n, __k, &__alpha, __A, __lda, &__beta,    \
         __C, __ldc))                                                                              \
    __F(__p##syr2k,                                                                                \
        (char __uplo, char __trans, int __n, int __k, __T __alpha, const __T *__A, int __lda,      \
         const __T *__B, int __ldb, __T __beta, __T *__C, int __ldc),                              \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __n, __k, &__alpha, __A, __lda, __B, __ldb, \
         &__beta, __C, __ldc))                                                                     \
    __F(__p##symm,                                                                                 \
        (char __side, char __uplo, int __m, int __n, __T __alpha, const __T *__A, int __lda,       \
         const __T *__B, int __ldb, __T __beta, __T *__C, int __ldc),                              \
        (__GCL_SIDE(__side), __GCL_PART(__uplo), __m, __n, &__alpha, __A, __lda, __B, __ldb,       \
         &__beta, __C, __ldc))                                                                     \
    __F(__p##trsm,                                                                                 \
        (char __side, char __uplo, char __transa, char __diag, int __m, int __n, __T __alpha,      \
         const __T *__A, int __lda, __T *__B, int __ldb),                                          \
        (__GCL_SIDE(__side), __GCL_PART(__uplo), __GCL_OPERATION(__transa),                        \
         __GCL_DIAGONAL(__diag), __m, __n, &__alpha, __A, __lda, __B, __ldb))                      \
    __F(__p##trmm,                                                                                 \
        (char __side, char __uplo, char __transa, char __diag, int __m, int __n, __T __alpha,      \
         const __T *__A, int __lda, __T *__B, int __ldb),                                          \
        (__GCL_SIDE(__side), __GCL_PART(__uplo), __GCL_OPERATION(__transa),                        \
         __GCL_DIAGONAL(__diag), __m, __n, &__alpha, __A, __lda, __B, __ldb, __B, __ldb))
/// Routines of real numbers.
#define __GCL_CUBLAS_LEGACY_REAL(__F, __G, __p, __T)                                               \
    __G(__T, __p##nrm2, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __G(__T, __p##asum, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __G(__T, __p##dot, (int __n, const __T *__x, int __incx, const __T *__y, int __incy),          \
        (__n, __x, __incx, __y, __incy, &__result))                                                \
    __F(__p##rot, (int __n, __T *__x, int __incx, __T *__y, int __incy, __T __c, __T __s),         \
        (__n, __x, __incx, __y, __incy, &__c, &__s))                                               \
    __F(__p##rotg, (__T * __a, __T * __b, __T * __c, __T * __s), (__a, __b, __c, __s))             \
    __F(__p##rotm, (int __n, __T *__x, int __incx, __T *__y, int __incy, const __T *__param),      \
        (__n, __x, __incx, __y, __incy, __param))                                                  \
    __F(__p##rotmg, (__T * __d1, __T * __d2, __T * __x1, const __T *__y1, __T *__param),           \
        (__d1, __d2, __x1, __y1, __param))                                                         \
    __F(__p##ger,                                                                                  \
        (int __m, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y, int __incy,    \
         __T *__A, int __lda),                                                                     \
        (__m, __n, &__alpha, __x, __incx, __y, __incy, __A, __lda))                                \
    __F(__p##symv,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__A, int __lda, const __T *__x, int __incx, \
         __T __beta, __T *__y, int __incy),                                                        \
        (__GCL_PART(__uplo), __n, &__alpha, __A, __lda, __x, __incx, &__beta, __y, __incy))        \
    __F(__p##sbmv,                                                                                 \
        (char __uplo, int __n, int __k, __T __alpha, const __T *__A, int __lda, const __T *__x,    \
         int __incx, __T __beta, __T *__y, int __incy),                                            \
        (__GCL_PART(__uplo), __n, __k, &__alpha, __A, __lda, __x, __incx, &__beta, __y, __incy))   \
    __F(__p##spmv,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__AP, const __T *__x, int __incx,           \
         __T __beta, __T *__y, int __incy),                                                        \
        (__GCL_PART(__uplo), __n, &__alpha, __AP, __x, __incx, &__beta, __y, __incy))              \
    __F(__p##syr,                                                                                  \
        (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, __T *__A, int __lda),      \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __A, __lda))                              \
    __F(__p##spr, (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, __T *__AP),      \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __AP))                                    \
    __F(__p##syr2,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y,            \
         int __incy, __T *__A, int __lda),                                                         \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __y, __incy, __A, __lda))                 \
    __F(__p##spr2,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y,            \
         int __incy, __T *__AP),                                                                   \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __y, __incy, __AP))
/// Routines of complex numbers; __r stands before those with real results, __m before those with
/// real factors.
#define __GCL_CUBLAS_LEGACY_COMPLEX(__F, __G, __p, __r, __m, __T, __R)                             \
    __G(__R, __r##nrm2, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __G(__R, __r##asum, (int __n, const __T *__x, int __incx), (__n, __x, __incx, &__result))      \
    __G(__T, __p##dotu, (int __n, const __T *__x, int __incx, const __T *__y, int __incy),         \
        (__n, __x, __incx, __y, __incy, &__result))                                                \
    __G(__T, __p##dotc, (int __n, const __T *__x, int __incx, const __T *__y, int __incy),         \
        (__n, __x, __incx, __y, __incy, &__result))                                                \
    __F(__m##scal, (int __n, __R __alpha, __T *__x, int __incx), (__n, &__alpha, __x, __incx))     \
    __F(__m##rot, (int __n, __T *__x, int __incx, __T *__y, int __incy, __R __c, __R __s),         \
        (__n, __x, __incx, __y, __incy, &__c, &__s))                                               \
    __F(__p##rot, (int __n, __T *__x, int __incx, __T *__y, int __incy, __R __c, __T __s),         \
        (__n, __x, __incx, __y, __incy, &__c, &__s))                                               \
    __F(__p##rotg, (__T * __a, __T __b, __R * __c, __T * __s), (__a, &__b, __c, __s))              \
    __F(__p##geru,                                                                                 \
        (int __m, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y, int __incy,    \
         __T *__A, int __lda),                                                                     \
        (__m, __n, &__alpha, __x, __incx, __y, __incy, __A, __lda))                                \
    __F(__p##gerc,                                                                                 \
        (int __m, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y, int __incy,    \
         __T *__A, int __lda),                                                                     \
        (__m, __n, &__alpha, __x, __incx, __y, __incy, __A, __lda))                                \
    __F(__p##hemv,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__A, int __lda, const __T *__x, int __incx, \
         __T __beta, __T *__y, int __incy),                                                        \
        (__GCL_PART(__uplo), __n, &__alpha, __A, __lda, __x, __incx, &__beta, __y, __incy))        \
    __F(__p##hbmv,                                                                                 \
        (char __uplo, int __n, int __k, __T __alpha, const __T *__A, int __lda, const __T *__x,    \
         int __incx, __T __beta, __T *__y, int __incy),                                            \
        (__GCL_PART(__uplo), __n, __k, &__alpha, __A, __lda, __x, __incx, &__beta, __y, __incy))   \
    __F(__p##hpmv,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__AP, const __T *__x, int __incx,           \
         __T __beta, __T *__y, int __incy),                                                        \
        (__GCL_PART(__uplo), __n, &__alpha, __AP, __x, __incx, &__beta, __y, __incy))              \
    __F(__p##her,                                                                                  \
        (char __uplo, int __n, __R __alpha, const __T *__x, int __incx, __T *__A, int __lda),      \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __A, __lda))                              \
    __F(__p##hpr, (char __uplo, int __n, __R __alpha, const __T *__x, int __incx, __T *__AP),      \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __AP))                                    \
    __F(__p##her2,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y,            \
         int __incy, __T *__A, int __lda),                                                         \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __y, __incy, __A, __lda))                 \
    __F(__p##hpr2,                                                                                 \
        (char __uplo, int __n, __T __alpha, const __T *__x, int __incx, const __T *__y,            \
         int __incy, __T *__AP),                                                                   \
        (__GCL_PART(__uplo), __n, &__alpha, __x, __incx, __y, __incy, __AP))                       \
    __F(__p##herk,                                                                                 \
        (char __uplo, char __trans, int __n, int __k, __R __alpha, const __T *__A, int __lda,      \
         __R __beta, __T *__C, int __ldc),                                                         \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __n, __k, &__alpha, __A, __lda, &__beta,    \
         __C, __ldc))                                                                              \
    __F(__p##her2k,                                                                                \
        (char __uplo, char __trans, int __n, int __k, __T __alpha, const __T *__A, int __lda,      \
         const __T *__B, int __ldb, __R __beta, __T *__C, int __ldc),                              \
        (__GCL_PART(__uplo), __GCL_OPERATION(__trans), __n, __k, &__alpha, __A, __lda, __B, __ldb, \
         &__beta, __C, __ldc))                                                                     \
    __F(__p##hemm,                                                                                 \
        (char __side, char __uplo, int __m, int __n, __T __alpha, const __T *__A, int __lda,       \
         const __T *__B, int __ldb, __T __beta, __T *__C, int __ldc),                              \
        (__GCL_SIDE(__side), __GCL_PART(__uplo), __m, __n, &__alpha, __A, __lda, __B, __ldb,       \
         &__beta, __C, __ldc))

/// All of them.
#define __GCL_CUBLAS_LEGACY(__F, __G)                                                              \
    __GCL_CUBLAS_LEGACY_ALL(__F, __G, S, Is, float)                                                \
    __GCL_CUBLAS_LEGACY_ALL(__F, __G, D, Id, double)                                               \
    __GCL_CUBLAS_LEGACY_ALL(__F, __G, C, Ic, cuComplex)                                            \
    __GCL_CUBLAS_LEGACY_ALL(__F, __G, Z, Iz, cuDoubleComplex)                                      \
    __GCL_CUBLAS_LEGACY_REAL(__F, __G, S, float)                                                   \
    __GCL_CUBLAS_LEGACY_REAL(__F, __G, D, double)                                                  \
    __GCL_CUBLAS_LEGACY_COMPLEX(__F, __G, C, Sc, Cs, cuComplex, float)                             \
    __GCL_CUBLAS_LEGACY_COMPLEX(__F, __G, Z, Dz, Zd, cuDoubleComplex, double)

#endif
