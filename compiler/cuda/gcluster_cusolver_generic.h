// cuSOLVER's routines of matrices whose type is an argument, in the form of gcluster_cusolver.h:
// sizes of workspaces are bytes, on the device and on the host.
#ifndef GCLUSTER_CUSOLVER_GENERIC_H
#define GCLUSTER_CUSOLVER_GENERIC_H

#define __GCL_CUSOLVER_PARAMS cusolverDnHandle_t handle, cusolverDnParams_t params
#define __GCL_CUSOLVER_SIZES size_t *size, size_t *host_size
#define __GCL_CUSOLVER_WORK void *work, size_t size, void *host_work, size_t host_size, int *info

#define __GCL_CUSOLVER_GENERIC(__F, __B)                                                           \
    __B(Xpotrf_bufferSize,                                                                         \
        (__GCL_CUSOLVER_PARAMS, cublasFillMode_t uplo, int64_t n, cudaDataType type,               \
         const void *A, int64_t lda, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))             \
    __F(Xpotrf, (__GCL_CUSOLVER_PARAMS, cublasFillMode_t uplo, int64_t n, cudaDataType type,       \
                 void *A, int64_t lda, cudaDataType compute_type, __GCL_CUSOLVER_WORK))            \
    __F(Xpotrs,                                                                                    \
        (__GCL_CUSOLVER_PARAMS, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type, \
         const void *A, int64_t lda, cudaDataType type_b, void *B, int64_t ldb, int *info))        \
    __B(Xgetrf_bufferSize,                                                                         \
        (__GCL_CUSOLVER_PARAMS, int64_t m, int64_t n, cudaDataType type, const void *A,            \
         int64_t lda, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                            \
    __F(Xgetrf, (__GCL_CUSOLVER_PARAMS, int64_t m, int64_t n, cudaDataType type, void *A,          \
                 int64_t lda, int64_t *ipiv, cudaDataType compute_type, __GCL_CUSOLVER_WORK))      \
    __F(Xgetrs, (__GCL_CUSOLVER_PARAMS, cublasOperation_t trans, int64_t n, int64_t nrhs,          \
                 cudaDataType type, const void *A, int64_t lda, const int64_t *ipiv,               \
                 cudaDataType type_b, void *B, int64_t ldb, int *info))                            \
    __B(Xgeqrf_bufferSize, (__GCL_CUSOLVER_PARAMS, int64_t m, int64_t n, cudaDataType type,        \
                            const void *A, int64_t lda, cudaDataType type_tau, const void *tau,    \
                            cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                      \
    __F(Xgeqrf,                                                                                    \
        (__GCL_CUSOLVER_PARAMS, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,     \
         cudaDataType type_tau, void *tau, cudaDataType compute_type, __GCL_CUSOLVER_WORK))        \
    __B(Xsytrs_bufferSize,                                                                         \
        (cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,                \
         cudaDataType type, const void *A, int64_t lda, const int64_t *ipiv, cudaDataType type_b,  \
         void *B, int64_t ldb, __GCL_CUSOLVER_SIZES))                                              \
    __F(Xsytrs, (cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,        \
                 cudaDataType type, const void *A, int64_t lda, const int64_t *ipiv,               \
                 cudaDataType type_b, void *B, int64_t ldb, __GCL_CUSOLVER_WORK))                  \
    __B(Xtrtri_bufferSize,                                                                         \
        (cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,       \
         cudaDataType type, void *A, int64_t lda, __GCL_CUSOLVER_SIZES))                           \
    __F(Xtrtri, (cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,          \
                 int64_t n, cudaDataType type, void *A, int64_t lda, __GCL_CUSOLVER_WORK))         \
    __B(Xsyevd_bufferSize,                                                                         \
        (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,          \
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_w, const void *W,        \
         cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                                         \
    __F(Xsyevd, (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,  \
                 cudaDataType type, void *A, int64_t lda, cudaDataType type_w, void *W,            \
                 cudaDataType compute_type, __GCL_CUSOLVER_WORK))                                  \
    __B(XsyevBatched_bufferSize,                                                                   \
        (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,          \
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_w, const void *W,        \
         cudaDataType compute_type, __GCL_CUSOLVER_SIZES, int64_t batch))                          \
    __F(XsyevBatched, (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cublasFillMode_t uplo,       \
                       int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_w,    \
                       void *W, cudaDataType compute_type, __GCL_CUSOLVER_WORK, int64_t batch))    \
    __B(Xsyevdx_bufferSize,                                                                        \
        (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cusolverEigRange_t range,                  \
         cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A, int64_t lda,          \
         void *vl, void *vu, int64_t il, int64_t iu, int64_t *found, cudaDataType type_w,          \
         const void *W, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                          \
    __F(Xsyevdx, (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, cusolverEigRange_t range,         \
                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,       \
                  void *vl, void *vu, int64_t il, int64_t iu, int64_t *found, cudaDataType type_w, \
                  void *W, cudaDataType compute_type, __GCL_CUSOLVER_WORK))                        \
    __B(Xgesvdp_bufferSize,                                                                        \
        (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,            \
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_s, const void *S,        \
         cudaDataType type_u, const void *U, int64_t ldu, cudaDataType type_v, const void *V,      \
         int64_t ldv, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                            \
    __F(Xgesvdp, (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,   \
                  cudaDataType type, void *A, int64_t lda, cudaDataType type_s, void *S,           \
                  cudaDataType type_u, void *U, int64_t ldu, cudaDataType type_v, void *V,         \
                  int64_t ldv, cudaDataType compute_type, __GCL_CUSOLVER_WORK, double *error))     \
    __B(Xgesvd_bufferSize,                                                                         \
        (__GCL_CUSOLVER_PARAMS, signed char jobu, signed char jobvt, int64_t m, int64_t n,         \
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_s, const void *S,        \
         cudaDataType type_u, const void *U, int64_t ldu, cudaDataType type_vt, const void *VT,    \
         int64_t ldvt, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                           \
    __F(Xgesvd, (__GCL_CUSOLVER_PARAMS, signed char jobu, signed char jobvt, int64_t m, int64_t n, \
                 cudaDataType type, void *A, int64_t lda, cudaDataType type_s, void *S,            \
                 cudaDataType type_u, void *U, int64_t ldu, cudaDataType type_vt, void *VT,        \
                 int64_t ldvt, cudaDataType compute_type, __GCL_CUSOLVER_WORK))

/// Routines that are refused.
#define __GCL_CUSOLVER_GENERIC_REFUSED(__F)                                                        \
    __F(Xgeev_bufferSize,                                                                          \
        (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,       \
         cudaDataType type, const void *A, int64_t lda, cudaDataType type_w, const void *W,        \
         cudaDataType type_vl, const void *VL, int64_t ldvl, cudaDataType type_vr, const void *VR, \
         int64_t ldvr, cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                           \
    __F(Xgeev, (__GCL_CUSOLVER_PARAMS, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,           \
                int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_w, void *W,  \
                cudaDataType type_vl, void *VL, int64_t ldvl, cudaDataType type_vr, void *VR,      \
                int64_t ldvr, cudaDataType compute_type, __GCL_CUSOLVER_WORK))                     \
    __F(Xgesvdr_bufferSize,                                                                        \
        (__GCL_CUSOLVER_PARAMS, signed char jobu, signed char jobv, int64_t m, int64_t n,          \
         int64_t k, int64_t p, int64_t iterations, cudaDataType type, const void *A, int64_t lda,  \
         cudaDataType type_s, const void *S, cudaDataType type_u, const void *U, int64_t ldu,      \
         cudaDataType type_v, const void *V, int64_t ldv, cudaDataType compute_type,               \
         __GCL_CUSOLVER_SIZES))                                                                    \
    __F(Xgesvdr, (__GCL_CUSOLVER_PARAMS, signed char jobu, signed char jobv, int64_t m, int64_t n, \
                  int64_t k, int64_t p, int64_t iterations, cudaDataType type, void *A,            \
                  int64_t lda, cudaDataType type_s, void *S, cudaDataType type_u, void *U,         \
                  int64_t ldu, cudaDataType type_v, void *V, int64_t ldv,                          \
                  cudaDataType compute_type, __GCL_CUSOLVER_WORK))                                 \
    __F(Xlarft_bufferSize,                                                                         \
        (__GCL_CUSOLVER_PARAMS, cusolverDirectMode_t direct, cusolverStorevMode_t storev,          \
         int64_t n, int64_t k, cudaDataType type_v, const void *V, int64_t ldv,                    \
         cudaDataType type_tau, const void *tau, cudaDataType type_t, void *T, int64_t ldt,        \
         cudaDataType compute_type, __GCL_CUSOLVER_SIZES))                                         \
    __F(Xlarft,                                                                                    \
        (__GCL_CUSOLVER_PARAMS, cusolverDirectMode_t direct, cusolverStorevMode_t storev,          \
         int64_t n, int64_t k, cudaDataType type_v, const void *V, int64_t ldv,                    \
         cudaDataType type_tau, const void *tau, cudaDataType type_t, void *T, int64_t ldt,        \
         cudaDataType compute_type, void *work, size_t size, void *host_work, size_t host_size))

/// Systems of equations with iterative refinement, all of its kinds chosen by parameters.
#define __GCL_CUSOLVER_IRS(__F)                                                                    \
    __F(IRSParamsCreate, (cusolverDnIRSParams_t * params))                                         \
    __F(IRSParamsDestroy, (cusolverDnIRSParams_t params))                                          \
    __F(IRSParamsSetRefinementSolver,                                                              \
        (cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver))                            \
    __F(IRSParamsSetSolverMainPrecision,                                                           \
        (cusolverDnIRSParams_t params, cusolverPrecType_t precision))                              \
    __F(IRSParamsSetSolverLowestPrecision,                                                         \
        (cusolverDnIRSParams_t params, cusolverPrecType_t precision))                              \
    __F(IRSParamsSetSolverPrecisions,                                                              \
        (cusolverDnIRSParams_t params, cusolverPrecType_t main, cusolverPrecType_t lowest))        \
    __F(IRSParamsSetTol, (cusolverDnIRSParams_t params, double tolerance))                         \
    __F(IRSParamsSetTolInner, (cusolverDnIRSParams_t params, double tolerance))                    \
    __F(IRSParamsSetMaxIters, (cusolverDnIRSParams_t params, cusolver_int_t iterations))           \
    __F(IRSParamsSetMaxItersInner, (cusolverDnIRSParams_t params, cusolver_int_t iterations))      \
    __F(IRSParamsGetMaxIters, (cusolverDnIRSParams_t params, cusolver_int_t * iterations))         \
    __F(IRSParamsEnableFallback, (cusolverDnIRSParams_t params))                                   \
    __F(IRSParamsDisableFallback, (cusolverDnIRSParams_t params))                                  \
    __F(IRSInfosCreate, (cusolverDnIRSInfos_t * infos))                                            \
    __F(IRSInfosDestroy, (cusolverDnIRSInfos_t infos))                                             \
    __F(IRSInfosGetNiters, (cusolverDnIRSInfos_t infos, cusolver_int_t * iterations))              \
    __F(IRSInfosGetOuterNiters, (cusolverDnIRSInfos_t infos, cusolver_int_t * iterations))         \
    __F(IRSInfosRequestResidual, (cusolverDnIRSInfos_t infos))                                     \
    __F(IRSInfosGetResidualHistory, (cusolverDnIRSInfos_t infos, void **history))                  \
    __F(IRSInfosGetMaxIters, (cusolverDnIRSInfos_t infos, cusolver_int_t * iterations))            \
    __F(IRSXgesv_bufferSize, (cusolverDnHandle_t handle, cusolverDnIRSParams_t params,             \
                              cusolver_int_t n, cusolver_int_t nrhs, size_t *size))                \
    __F(IRSXgesv, (cusolverDnHandle_t handle, cusolverDnIRSParams_t params,                        \
                   cusolverDnIRSInfos_t infos, cusolver_int_t n, cusolver_int_t nrhs, void *A,     \
                   cusolver_int_t lda, void *B, cusolver_int_t ldb, void *X, cusolver_int_t ldx,   \
                   void *work, size_t size, cusolver_int_t *iterations, cusolver_int_t *info))     \
    __F(IRSXgels_bufferSize,                                                                       \
        (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolver_int_t m,                \
         cusolver_int_t n, cusolver_int_t nrhs, size_t *size))                                     \
    __F(IRSXgels,                                                                                  \
        (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,      \
         cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, void *A, cusolver_int_t lda,     \
         void *B, cusolver_int_t ldb, void *X, cusolver_int_t ldx, void *work, size_t size,        \
         cusolver_int_t *iterations, cusolver_int_t *info))

#endif
