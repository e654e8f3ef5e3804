// Every routine of cuSOLVER's dense part, once for all types of numbers: lists of
// __F(name, (parameters)), and of __B(name, (parameters)) for those that say how large a workspace
// is, which whoever includes this file turns into declarations, or into something else. __p is the
// letter of a type, __T the type, __R that of its real parts. Workspaces are counted in elements,
// in routines of all types (X) in bytes.
//
// Matrices lie column by column; the leading dimension is the distance of columns, in elements.
#ifndef GCLUSTER_CUSOLVER_H
#define GCLUSTER_CUSOLVER_H

#define __GCL_CUSOLVER cusolverDnHandle_t handle

/// Handles, parameters and messages.
#define __GCL_CUSOLVER_HANDLE(__F)                                                                 \
    __F(Create, (cusolverDnHandle_t * handle))                                                     \
    __F(Destroy, (__GCL_CUSOLVER))                                                                 \
    __F(SetStream, (__GCL_CUSOLVER, cudaStream_t stream))                                          \
    __F(GetStream, (__GCL_CUSOLVER, cudaStream_t * stream))                                        \
    __F(SetDeterministicMode, (__GCL_CUSOLVER, cusolverDeterministicMode_t mode))                  \
    __F(GetDeterministicMode, (__GCL_CUSOLVER, cusolverDeterministicMode_t * mode))                \
    __F(CreateParams, (cusolverDnParams_t * params))                                               \
    __F(DestroyParams, (cusolverDnParams_t params))                                                \
    __F(SetAdvOptions,                                                                             \
        (cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algorithm))   \
    __F(CreateSyevjInfo, (syevjInfo_t * params))                                                   \
    __F(DestroySyevjInfo, (syevjInfo_t params))                                                    \
    __F(XsyevjSetTolerance, (syevjInfo_t params, double tolerance))                                \
    __F(XsyevjSetMaxSweeps, (syevjInfo_t params, int sweeps))                                      \
    __F(XsyevjSetSortEig, (syevjInfo_t params, int sorts))                                         \
    __F(XsyevjGetResidual, (__GCL_CUSOLVER, syevjInfo_t params, double *residual))                 \
    __F(XsyevjGetSweeps, (__GCL_CUSOLVER, syevjInfo_t params, int *sweeps))                        \
    __F(CreateGesvdjInfo, (gesvdjInfo_t * params))                                                 \
    __F(DestroyGesvdjInfo, (gesvdjInfo_t params))                                                  \
    __F(XgesvdjSetTolerance, (gesvdjInfo_t params, double tolerance))                              \
    __F(XgesvdjSetMaxSweeps, (gesvdjInfo_t params, int sweeps))                                    \
    __F(XgesvdjSetSortEig, (gesvdjInfo_t params, int sorts))                                       \
    __F(XgesvdjGetResidual, (__GCL_CUSOLVER, gesvdjInfo_t params, double *residual))               \
    __F(XgesvdjGetSweeps, (__GCL_CUSOLVER, gesvdjInfo_t params, int *sweeps))                      \
    __F(LoggerSetCallback, (cusolverDnLoggerCallback_t callback))                                  \
    __F(LoggerSetFile, (FILE * file))                                                              \
    __F(LoggerOpenFile, (const char *path))                                                        \
    __F(LoggerSetLevel, (int level))                                                               \
    __F(LoggerSetMask, (int mask))                                                                 \
    __F(LoggerForceDisable, (void))

/// Routines of all four types by the same name.
#define __GCL_CUSOLVER_ALL(__F, __B, __p, __T, __R)                                                \
    __B(__p##potrf_bufferSize,                                                                     \
        (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, int *size))                \
    __F(__p##potrf, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, __T *work,     \
                     int size, int *info))                                                         \
    __F(__p##potrs, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, int nrhs, const __T *A,         \
                     int lda, __T *B, int ldb, int *info))                                         \
    __F(__p##potrfBatched,                                                                         \
        (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A[], int lda, int *info, int batch))   \
    __F(__p##potrsBatched, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, int nrhs, __T *A[],      \
                            int lda, __T *B[], int ldb, int *info, int batch))                     \
    __B(__p##potri_bufferSize,                                                                     \
        (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, int *size))                \
    __F(__p##potri, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, __T *work,     \
                     int size, int *info))                                                         \
    __B(__p##lauum_bufferSize,                                                                     \
        (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, int *size))                \
    __F(__p##lauum, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, __T *work,     \
                     int size, int *info))                                                         \
    __B(__p##getrf_bufferSize, (__GCL_CUSOLVER, int m, int n, __T *A, int lda, int *size))         \
    __F(__p##getrf,                                                                                \
        (__GCL_CUSOLVER, int m, int n, __T *A, int lda, __T *work, int *ipiv, int *info))          \
    __F(__p##laswp,                                                                                \
        (__GCL_CUSOLVER, int n, __T *A, int lda, int k1, int k2, const int *ipiv, int incx))       \
    __F(__p##getrs, (__GCL_CUSOLVER, cublasOperation_t trans, int n, int nrhs, const __T *A,       \
                     int lda, const int *ipiv, __T *B, int ldb, int *info))                        \
    __B(__p##geqrf_bufferSize, (__GCL_CUSOLVER, int m, int n, __T *A, int lda, int *size))         \
    __F(__p##geqrf,                                                                                \
        (__GCL_CUSOLVER, int m, int n, __T *A, int lda, __T *tau, __T *work, int size, int *info)) \
    __B(__p##sytrf_bufferSize, (__GCL_CUSOLVER, int n, __T *A, int lda, int *size))                \
    __F(__p##sytrf, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, int *ipiv,     \
                     __T *work, int size, int *info))                                              \
    __B(__p##sytri_bufferSize, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda,     \
                                const int *ipiv, int *size))                                       \
    __F(__p##sytri, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda,                \
                     const int *ipiv, __T *work, int size, int *info))                             \
    __B(__p##gebrd_bufferSize, (__GCL_CUSOLVER, int m, int n, int *size))                          \
    __F(__p##gebrd, (__GCL_CUSOLVER, int m, int n, __T *A, int lda, __R *D, __R *E, __T *tauq,     \
                     __T *taup, __T *work, int size, int *info))                                   \
    __B(__p##gesvd_bufferSize, (__GCL_CUSOLVER, int m, int n, int *size))                          \
    __F(__p##gesvd,                                                                                \
        (__GCL_CUSOLVER, signed char jobu, signed char jobvt, int m, int n, __T *A, int lda,       \
         __R *S, __T *U, int ldu, __T *VT, int ldvt, __T *work, int size, __R *rwork, int *info))  \
    __B(__p##gesvdj_bufferSize, (__GCL_CUSOLVER, cusolverEigMode_t jobz, int econ, int m, int n,   \
                                 const __T *A, int lda, const __R *S, const __T *U, int ldu,       \
                                 const __T *V, int ldv, int *size, gesvdjInfo_t params))           \
    __F(__p##gesvdj,                                                                               \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, int econ, int m, int n, __T *A, int lda, __R *S,  \
         __T *U, int ldu, __T *V, int ldv, __T *work, int size, int *info, gesvdjInfo_t params))   \
    __B(__p##gesvdjBatched_bufferSize,                                                             \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, int m, int n, const __T *A, int lda,              \
         const __R *S, const __T *U, int ldu, const __T *V, int ldv, int *size,                    \
         gesvdjInfo_t params, int batch))                                                          \
    __F(__p##gesvdjBatched, (__GCL_CUSOLVER, cusolverEigMode_t jobz, int m, int n, __T *A,         \
                             int lda, __R *S, __T *U, int ldu, __T *V, int ldv, __T *work,         \
                             int size, int *info, gesvdjInfo_t params, int batch))                 \
    __B(__p##gesvdaStridedBatched_bufferSize,                                                      \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, int rank, int m, int n, const __T *A, int lda,    \
         long long stride_a, const __R *S, long long stride_s, const __T *U, int ldu,              \
         long long stride_u, const __T *V, int ldv, long long stride_v, int *size, int batch))     \
    __F(__p##gesvdaStridedBatched,                                                                 \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, int rank, int m, int n, const __T *A, int lda,    \
         long long stride_a, __R *S, long long stride_s, __T *U, int ldu, long long stride_u,      \
         __T *V, int ldv, long long stride_v, __T *work, int size, int *info, double *residuals,   \
         int batch))

/// Routines of symmetric and Hermitian matrices, sy or he, and of orthogonal and unitary ones, or
/// or un.
#define __GCL_CUSOLVER_SYMMETRIC(__F, __B, __p, __o, __y, __T, __R)                                \
    __B(__p##__o##gqr_bufferSize,                                                                  \
        (__GCL_CUSOLVER, int m, int n, int k, const __T *A, int lda, const __T *tau, int *size))   \
    __F(__p##__o##gqr, (__GCL_CUSOLVER, int m, int n, int k, __T *A, int lda, const __T *tau,      \
                        __T *work, int size, int *info))                                           \
    __B(__p##__o##mqr_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,      \
         const __T *A, int lda, const __T *tau, const __T *C, int ldc, int *size))                 \
    __F(__p##__o##mqr,                                                                             \
        (__GCL_CUSOLVER, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,      \
         const __T *A, int lda, const __T *tau, __T *C, int ldc, __T *work, int size, int *info))  \
    __B(__p##__o##gbr_bufferSize, (__GCL_CUSOLVER, cublasSideMode_t side, int m, int n, int k,     \
                                   const __T *A, int lda, const __T *tau, int *size))              \
    __F(__p##__o##gbr, (__GCL_CUSOLVER, cublasSideMode_t side, int m, int n, int k, __T *A,        \
                        int lda, const __T *tau, __T *work, int size, int *info))                  \
    __B(__p##__o##gtr_bufferSize, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, const __T *A,     \
                                   int lda, const __T *tau, int *size))                            \
    __F(__p##__o##gtr, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda,             \
                        const __T *tau, __T *work, int size, int *info))                           \
    __B(__p##__o##mtr_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,    \
         int m, int n, const __T *A, int lda, const __T *tau, const __T *C, int ldc, int *size))   \
    __F(__p##__o##mtr, (__GCL_CUSOLVER, cublasSideMode_t side, cublasFillMode_t uplo,              \
                        cublasOperation_t trans, int m, int n, __T *A, int lda, __T *tau, __T *C,  \
                        int ldc, __T *work, int size, int *info))                                  \
    __B(__p##__y##trd_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, const __T *A, int lda, const __R *d,        \
         const __R *e, const __T *tau, int *size))                                                 \
    __F(__p##__y##trd, (__GCL_CUSOLVER, cublasFillMode_t uplo, int n, __T *A, int lda, __R *d,     \
                        __R *e, __T *tau, __T *work, int size, int *info))                         \
    __B(__p##__y##evd_bufferSize, (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo,  \
                                   int n, const __T *A, int lda, const __R *W, int *size))         \
    __F(__p##__y##evd, (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
                        __T *A, int lda, __R *W, __T *work, int size, int *info))                  \
    __B(__p##__y##evdx_bufferSize,                                                                 \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,  \
         int n, const __T *A, int lda, __R vl, __R vu, int il, int iu, int *found, const __R *W,   \
         int *size))                                                                               \
    __F(__p##__y##evdx, (__GCL_CUSOLVER, cusolverEigMode_t jobz, cusolverEigRange_t range,         \
                         cublasFillMode_t uplo, int n, __T *A, int lda, __R vl, __R vu, int il,    \
                         int iu, int *found, __R *W, __T *work, int size, int *info))              \
    __B(__p##__y##gvd_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
         int n, const __T *A, int lda, const __T *B, int ldb, const __R *W, int *size))            \
    __F(__p##__y##gvd,                                                                             \
        (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
         int n, __T *A, int lda, __T *B, int ldb, __R *W, __T *work, int size, int *info))         \
    __B(__p##__y##gvdx_bufferSize,                                                                 \
        (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz,                          \
         cusolverEigRange_t range, cublasFillMode_t uplo, int n, const __T *A, int lda,            \
         const __T *B, int ldb, __R vl, __R vu, int il, int iu, int *found, const __R *W,          \
         int *size))                                                                               \
    __F(__p##__y##gvdx,                                                                            \
        (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz,                          \
         cusolverEigRange_t range, cublasFillMode_t uplo, int n, __T *A, int lda, __T *B, int ldb, \
         __R vl, __R vu, int il, int iu, int *found, __R *W, __T *work, int size, int *info))      \
    __B(__p##__y##evj_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const __T *A,       \
         int lda, const __R *W, int *size, syevjInfo_t params))                                    \
    __F(__p##__y##evj,                                                                             \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, __T *A, int lda,    \
         __R *W, __T *work, int size, int *info, syevjInfo_t params))                              \
    __B(__p##__y##evjBatched_bufferSize,                                                           \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const __T *A,       \
         int lda, const __R *W, int *size, syevjInfo_t params, int batch))                         \
    __F(__p##__y##evjBatched,                                                                      \
        (__GCL_CUSOLVER, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, __T *A, int lda,    \
         __R *W, __T *work, int size, int *info, syevjInfo_t params, int batch))                   \
    __B(__p##__y##gvj_bufferSize,                                                                  \
        (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
         int n, const __T *A, int lda, const __T *B, int ldb, const __R *W, int *size,             \
         syevjInfo_t params))                                                                      \
    __F(__p##__y##gvj, (__GCL_CUSOLVER, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
                        cublasFillMode_t uplo, int n, __T *A, int lda, __T *B, int ldb, __R *W,    \
                        __T *work, int size, int *info, syevjInfo_t params))

#define __GCL_CUSOLVER_TYPED(__F, __B)                                                             \
    __GCL_CUSOLVER_ALL(__F, __B, S, float, float)                                                  \
    __GCL_CUSOLVER_ALL(__F, __B, D, double, double)                                                \
    __GCL_CUSOLVER_ALL(__F, __B, C, cuComplex, float)                                              \
    __GCL_CUSOLVER_ALL(__F, __B, Z, cuDoubleComplex, double)                                       \
    __GCL_CUSOLVER_SYMMETRIC(__F, __B, S, or, sy, float, float)                                    \
    __GCL_CUSOLVER_SYMMETRIC(__F, __B, D, or, sy, double, double)                                  \
    __GCL_CUSOLVER_SYMMETRIC(__F, __B, C, un, he, cuComplex, float)                                \
    __GCL_CUSOLVER_SYMMETRIC(__F, __B, Z, un, he, cuDoubleComplex, double)

/// Systems of equations (__V) and least squares (__Q) with iterative refinement: __p has the
/// letters of the type of numbers, and of that in which the matrix is factored.
#define __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, __p, __T)                                        \
    __B(__p##gesv_bufferSize,                                                                      \
        (__GCL_CUSOLVER, cusolver_int_t n, cusolver_int_t nrhs, __T * A, cusolver_int_t lda,       \
         cusolver_int_t * ipiv, __T * B, cusolver_int_t ldb, __T * X, cusolver_int_t ldx,          \
         void *work, size_t *size))                                                                \
    __V(__p##gesv,                                                                                 \
        (__GCL_CUSOLVER, cusolver_int_t n, cusolver_int_t nrhs, __T * A, cusolver_int_t lda,       \
         cusolver_int_t * ipiv, __T * B, cusolver_int_t ldb, __T * X, cusolver_int_t ldx,          \
         void *work, size_t size, cusolver_int_t *iterations, cusolver_int_t *info))               \
    __B(__p##gels_bufferSize,                                                                      \
        (__GCL_CUSOLVER, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, __T * A,         \
         cusolver_int_t lda, __T * B, cusolver_int_t ldb, __T * X, cusolver_int_t ldx, void *work, \
         size_t *size))                                                                            \
    __Q(__p##gels,                                                                                 \
        (__GCL_CUSOLVER, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, __T * A,         \
         cusolver_int_t lda, __T * B, cusolver_int_t ldb, __T * X, cusolver_int_t ldx, void *work, \
         size_t size, cusolver_int_t *iterations, cusolver_int_t *info))
#define __GCL_CUSOLVER_REFINED(__B, __V, __Q)                                                      \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, SS, float)                                           \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, SH, float)                                           \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, SB, float)                                           \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, SX, float)                                           \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, DD, double)                                          \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, DS, double)                                          \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, DH, double)                                          \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, DB, double)                                          \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, DX, double)                                          \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, CC, cuComplex)                                       \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, CK, cuComplex)                                       \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, CE, cuComplex)                                       \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, CY, cuComplex)                                       \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, ZZ, cuDoubleComplex)                                 \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, ZC, cuDoubleComplex)                                 \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, ZK, cuDoubleComplex)                                 \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, ZE, cuDoubleComplex)                                 \
    __GCL_CUSOLVER_REFINED_ONE(__B, __V, __Q, ZY, cuDoubleComplex)

#endif
