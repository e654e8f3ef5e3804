// cuSOLVER's routines of sparse matrices, in the form of gcluster_cusolver.h. Matrices are given by
// row (CSR). Names that end in Host are of functions with all arguments on the host.
#ifndef GCLUSTER_CUSOLVER_SPARSE_H
#define GCLUSTER_CUSOLVER_SPARSE_H

#define __GCL_CUSOLVER_SP cusolverSpHandle_t handle
#define __GCL_CUSOLVER_CSR(__T)                                                                    \
    const cusparseMatDescr_t matrix, const __T *values, const int *offsets, const int *indices
#define __GCL_CUSOLVER_PATTERN                                                                     \
    const cusparseMatDescr_t matrix, const int *offsets, const int *indices

#define __GCL_CUSOLVER_SP_ANY(__F)                                                                 \
    __F(Create, (cusolverSpHandle_t * handle))                                                     \
    __F(Destroy, (__GCL_CUSOLVER_SP))                                                              \
    __F(SetStream, (__GCL_CUSOLVER_SP, cudaStream_t stream))                                       \
    __F(GetStream, (__GCL_CUSOLVER_SP, cudaStream_t * stream))                                     \
    __F(XcsrissymHost,                                                                             \
        (__GCL_CUSOLVER_SP, int m, int nnz, const cusparseMatDescr_t matrix, const int *offsets,   \
         const int *ends, const int *indices, int *is_symmetric))                                  \
    __F(XcsrsymrcmHost, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_PATTERN, int *p))       \
    __F(XcsrsymmdqHost, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_PATTERN, int *p))       \
    __F(XcsrsymamdHost, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_PATTERN, int *p))       \
    __F(XcsrmetisndHost, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_PATTERN,               \
                          const int64_t *options, int *p))                                         \
    __F(Xcsrperm_bufferSizeHost,                                                                   \
        (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_PATTERN, const int *p,           \
         const int *q, size_t *size))                                                              \
    __F(XcsrpermHost,                                                                              \
        (__GCL_CUSOLVER_SP, int m, int n, int nnz, const cusparseMatDescr_t matrix, int *offsets,  \
         int *indices, const int *p, const int *q, int *map, void *buffer))                        \
    __F(CreateCsrqrInfo, (csrqrInfo_t * info))                                                     \
    __F(DestroyCsrqrInfo, (csrqrInfo_t info))                                                      \
    __F(XcsrqrAnalysisBatched,                                                                     \
        (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_PATTERN, csrqrInfo_t info))

/// A system of equations: `singularity` is -1, or the first row without a pivot.
#define __GCL_CUSOLVER_SP_SOLVE(__T, __R)                                                          \
    (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_CSR(__T), const __T *b, __R tolerance,      \
     int reorder, __T *x, int *singularity)
/// A search for the eigenvalue nearest to mu0.
#define __GCL_CUSOLVER_SP_EIGEN(__T, __R)                                                          \
    (__GCL_CUSOLVER_SP, int m, int nnz, __GCL_CUSOLVER_CSR(__T), __T mu0, const __T *x0,           \
     int iterations, __R tolerance, __T *mu, __T *x)

/// Routines of one type; __C is that of complex numbers of the same precision.
#define __GCL_CUSOLVER_SP_ONE(__F, __p, __T, __R, __C)                                             \
    __F(__p##csrlsvluHost, __GCL_CUSOLVER_SP_SOLVE(__T, __R))                                      \
    __F(__p##csrlsvqrHost, __GCL_CUSOLVER_SP_SOLVE(__T, __R))                                      \
    __F(__p##csrlsvqr, __GCL_CUSOLVER_SP_SOLVE(__T, __R))                                          \
    __F(__p##csrlsvcholHost, __GCL_CUSOLVER_SP_SOLVE(__T, __R))                                    \
    __F(__p##csrlsvchol, __GCL_CUSOLVER_SP_SOLVE(__T, __R))                                        \
    __F(__p##csrlsqvqrHost, (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_CSR(__T),    \
                             const __T *b, __R tolerance, int *rank, __T *x, int *p, __R *norm))   \
    __F(__p##csreigvsiHost, __GCL_CUSOLVER_SP_EIGEN(__T, __R))                                     \
    __F(__p##csreigvsi, __GCL_CUSOLVER_SP_EIGEN(__T, __R))                                         \
    __F(__p##csreigsHost, (__GCL_CUSOLVER_SP, int m, int nnz, __GCL_CUSOLVER_CSR(__T),             \
                           __C left_bottom, __C right_top, int *count))                            \
    __F(__p##csrzfdHost,                                                                           \
        (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_CSR(__T), int *p, int *count))          \
    __F(__p##csrqrBufferInfoBatched,                                                               \
        (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_CSR(__T), int batch,             \
         csrqrInfo_t info, size_t *internal_size, size_t *size))                                   \
    __F(__p##csrqrsvBatched, (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_CSR(__T),   \
                              const __T *b, __T *x, int batch, csrqrInfo_t info, void *buffer))

#define __GCL_CUSOLVER_SPARSE(__F)                                                                 \
    __GCL_CUSOLVER_SP_ANY(__F)                                                                     \
    __GCL_CUSOLVER_SP_ONE(__F, S, float, float, cuComplex)                                         \
    __GCL_CUSOLVER_SP_ONE(__F, D, double, double, cuDoubleComplex)                                 \
    __GCL_CUSOLVER_SP_ONE(__F, C, cuComplex, float, cuComplex)                                     \
    __GCL_CUSOLVER_SP_ONE(__F, Z, cuDoubleComplex, double, cuDoubleComplex)

// Refactoring: matrices of one pattern, after the first of them has been factored elsewhere.

#define __GCL_CUSOLVER_RF cusolverRfHandle_t handle
#define __GCL_CUSOLVER_RF_CSR(__p)                                                                 \
    int nnz##__p, int *offsets##__p, int *indices##__p, double *values##__p
#define __GCL_CUSOLVER_REFACTOR(__F)                                                               \
    __F(Create, (cusolverRfHandle_t * handle))                                                     \
    __F(Destroy, (__GCL_CUSOLVER_RF))                                                              \
    __F(GetMatrixFormat, (__GCL_CUSOLVER_RF, cusolverRfMatrixFormat_t * format,                    \
                          cusolverRfUnitDiagonal_t * diagonal))                                    \
    __F(SetMatrixFormat,                                                                           \
        (__GCL_CUSOLVER_RF, cusolverRfMatrixFormat_t format, cusolverRfUnitDiagonal_t diagonal))   \
    __F(SetNumericProperties, (__GCL_CUSOLVER_RF, double zero, double boost))                      \
    __F(GetNumericProperties, (__GCL_CUSOLVER_RF, double *zero, double *boost))                    \
    __F(GetNumericBoostReport, (__GCL_CUSOLVER_RF, cusolverRfNumericBoostReport_t * report))       \
    __F(SetAlgs, (__GCL_CUSOLVER_RF, cusolverRfFactorization_t factorization,                      \
                  cusolverRfTriangularSolve_t solve))                                              \
    __F(GetAlgs, (__GCL_CUSOLVER_RF, cusolverRfFactorization_t * factorization,                    \
                  cusolverRfTriangularSolve_t * solve))                                            \
    __F(GetResetValuesFastMode, (__GCL_CUSOLVER_RF, cusolverRfResetValuesFastMode_t * mode))       \
    __F(SetResetValuesFastMode, (__GCL_CUSOLVER_RF, cusolverRfResetValuesFastMode_t mode))         \
    __F(SetupHost, (int n, __GCL_CUSOLVER_RF_CSR(A), __GCL_CUSOLVER_RF_CSR(L),                     \
                    __GCL_CUSOLVER_RF_CSR(U), int *p, int *q, __GCL_CUSOLVER_RF))                  \
    __F(SetupDevice, (int n, __GCL_CUSOLVER_RF_CSR(A), __GCL_CUSOLVER_RF_CSR(L),                   \
                      __GCL_CUSOLVER_RF_CSR(U), int *p, int *q, __GCL_CUSOLVER_RF))                \
    __F(ResetValues, (int n, __GCL_CUSOLVER_RF_CSR(A), int *p, int *q, __GCL_CUSOLVER_RF))         \
    __F(Analyze, (__GCL_CUSOLVER_RF))                                                              \
    __F(Refactor, (__GCL_CUSOLVER_RF))                                                             \
    __F(AccessBundledFactorsDevice,                                                                \
        (__GCL_CUSOLVER_RF, int *nnz, int **offsets, int **indices, double **values))              \
    __F(ExtractBundledFactorsHost,                                                                 \
        (__GCL_CUSOLVER_RF, int *nnz, int **offsets, int **indices, double **values))              \
    __F(ExtractSplitFactorsHost,                                                                   \
        (__GCL_CUSOLVER_RF, int *nnz_l, int **offsets_l, int **indices_l, double **values_l,       \
         int *nnz_u, int **offsets_u, int **indices_u, double **values_u))                         \
    __F(Solve, (__GCL_CUSOLVER_RF, int *p, int *q, int nrhs, double *temporary, int ldt,           \
                double *XF, int ldxf))                                                             \
    __F(BatchSetupHost,                                                                            \
        (int batch, int n, int nnzA, int *offsetsA, int *indicesA, double *valuesA[],              \
         __GCL_CUSOLVER_RF_CSR(L), __GCL_CUSOLVER_RF_CSR(U), int *p, int *q, __GCL_CUSOLVER_RF))   \
    __F(BatchResetValues, (int batch, int n, int nnzA, int *offsetsA, int *indicesA,               \
                           double *valuesA[], int *p, int *q, __GCL_CUSOLVER_RF))                  \
    __F(BatchAnalyze, (__GCL_CUSOLVER_RF))                                                         \
    __F(BatchRefactor, (__GCL_CUSOLVER_RF))                                                        \
    __F(BatchSolve, (__GCL_CUSOLVER_RF, int *p, int *q, int nrhs, double *temporary, int ldt,      \
                     double *XF[], int ldxf))                                                      \
    __F(BatchZeroPivot, (__GCL_CUSOLVER_RF, int *position))

#endif
