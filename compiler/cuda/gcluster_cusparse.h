// cuSPARSE's functions that return a status: GCL_SPARSE(name, parameters). No include guard:
// cusparse.h declares them.
#define GCL_SPARSE_HANDLE cusparseHandle_t handle
#define GCL_SPARSE_SPMV                                                                            \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, const void *alpha, cusparseConstSpMatDescr_t a,   \
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,  \
        cusparseSpMVAlg_t algorithm
#define GCL_SPARSE_SPMM                                                                            \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,      \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,                \
        cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t algorithm
#define GCL_SPARSE_SDDMM                                                                           \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,      \
        cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,                \
        cusparseSpMatDescr_t c, cudaDataType type, cusparseSDDMMAlg_t algorithm
#define GCL_SPARSE_SPGEMM                                                                          \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,      \
        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,                \
        cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t algorithm,                  \
        cusparseSpGEMMDescr_t state
#define GCL_SPARSE_SPSV                                                                            \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, const void *alpha, cusparseConstSpMatDescr_t a,   \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type,                    \
        cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t state
#define GCL_SPARSE_SPSM                                                                            \
    GCL_SPARSE_HANDLE, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,      \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,          \
        cudaDataType type, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t state

// The library.
GCL_SPARSE(Create, cusparseHandle_t *handle)
GCL_SPARSE(Destroy, GCL_SPARSE_HANDLE)
GCL_SPARSE(GetVersion, GCL_SPARSE_HANDLE, int *version)
GCL_SPARSE(GetProperty, libraryPropertyType type, int *value)
GCL_SPARSE(SetStream, GCL_SPARSE_HANDLE, cudaStream_t stream)
GCL_SPARSE(GetStream, GCL_SPARSE_HANDLE, cudaStream_t *stream)
GCL_SPARSE(SetPointerMode, GCL_SPARSE_HANDLE, cusparsePointerMode_t mode)
GCL_SPARSE(GetPointerMode, GCL_SPARSE_HANDLE, cusparsePointerMode_t *mode)

// Sparse vectors.
GCL_SPARSE(CreateSpVec, cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz, void *indices,
           void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
           cudaDataType type)
GCL_SPARSE(CreateConstSpVec, cusparseConstSpVecDescr_t *vector, int64_t size, int64_t nnz,
           const void *indices, const void *values, cusparseIndexType_t index_type,
           cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(DestroySpVec, cusparseConstSpVecDescr_t vector)
GCL_SPARSE(SpVecGet, cusparseSpVecDescr_t vector, int64_t *size, int64_t *nnz, void **indices,
           void **values, cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
           cudaDataType *type)
GCL_SPARSE(SpVecGetIndexBase, cusparseConstSpVecDescr_t vector, cusparseIndexBase_t *base)
GCL_SPARSE(SpVecGetValues, cusparseSpVecDescr_t vector, void **values)
GCL_SPARSE(SpVecSetValues, cusparseSpVecDescr_t vector, void *values)

// Dense vectors.
GCL_SPARSE(CreateDnVec, cusparseDnVecDescr_t *vector, int64_t size, void *values, cudaDataType type)
GCL_SPARSE(CreateConstDnVec, cusparseConstDnVecDescr_t *vector, int64_t size, const void *values,
           cudaDataType type)
GCL_SPARSE(DestroyDnVec, cusparseConstDnVecDescr_t vector)
GCL_SPARSE(DnVecGet, cusparseDnVecDescr_t vector, int64_t *size, void **values, cudaDataType *type)
GCL_SPARSE(DnVecGetValues, cusparseDnVecDescr_t vector, void **values)
GCL_SPARSE(DnVecSetValues, cusparseDnVecDescr_t vector, void *values)

// Sparse matrices.
GCL_SPARSE(CreateCsr, cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,
           void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
           cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(CreateConstCsr, cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns,
           int64_t nnz, const void *offsets, const void *indices, const void *values,
           cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
           cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(CreateCsc, cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,
           void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
           cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(CreateConstCsc, cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns,
           int64_t nnz, const void *offsets, const void *indices, const void *values,
           cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
           cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(CreateCoo, cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,
           void *row_indices, void *column_indices, void *values, cusparseIndexType_t index_type,
           cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(CreateConstCoo, cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns,
           int64_t nnz, const void *row_indices, const void *column_indices, const void *values,
           cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
GCL_SPARSE(DestroySpMat, cusparseConstSpMatDescr_t matrix)
GCL_SPARSE(CsrGet, cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nnz,
           void **offsets, void **indices, void **values, cusparseIndexType_t *offset_type,
           cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)
GCL_SPARSE(CooGet, cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nnz,
           void **row_indices, void **column_indices, void **values,
           cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)
GCL_SPARSE(CsrSetPointers, cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values)
GCL_SPARSE(CscSetPointers, cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values)
GCL_SPARSE(CooSetPointers, cusparseSpMatDescr_t matrix, void *row_indices, void *column_indices,
           void *values)
GCL_SPARSE(SpMatGetSize, cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
           int64_t *nnz)
GCL_SPARSE(SpMatGetFormat, cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format)
GCL_SPARSE(SpMatGetIndexBase, cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t *base)
GCL_SPARSE(SpMatGetValues, cusparseSpMatDescr_t matrix, void **values)
GCL_SPARSE(SpMatSetValues, cusparseSpMatDescr_t matrix, void *values)
GCL_SPARSE(SpMatSetAttribute, cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
           void *value, size_t size)
GCL_SPARSE(SpMatGetAttribute, cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
           void *value, size_t size)
GCL_SPARSE(SpMatGetStridedBatch, cusparseConstSpMatDescr_t matrix, int *count)
GCL_SPARSE(CsrSetStridedBatch, cusparseSpMatDescr_t matrix, int count, int64_t offset_stride,
           int64_t value_stride)

// Dense matrices.
GCL_SPARSE(CreateDnMat, cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
           int64_t leading, void *values, cudaDataType type, cusparseOrder_t order)
GCL_SPARSE(CreateConstDnMat, cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t columns,
           int64_t leading, const void *values, cudaDataType type, cusparseOrder_t order)
GCL_SPARSE(DestroyDnMat, cusparseConstDnMatDescr_t matrix)
GCL_SPARSE(DnMatGet, cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *leading,
           void **values, cudaDataType *type, cusparseOrder_t *order)
GCL_SPARSE(DnMatGetValues, cusparseDnMatDescr_t matrix, void **values)
GCL_SPARSE(DnMatSetValues, cusparseDnMatDescr_t matrix, void *values)
GCL_SPARSE(DnMatSetStridedBatch, cusparseDnMatDescr_t matrix, int count, int64_t stride)
GCL_SPARSE(DnMatGetStridedBatch, cusparseConstDnMatDescr_t matrix, int *count, int64_t *stride)

// Sparse vectors with dense ones.
GCL_SPARSE(Axpby, GCL_SPARSE_HANDLE, const void *alpha, cusparseConstSpVecDescr_t x,
           const void *beta, cusparseDnVecDescr_t y)
GCL_SPARSE(Gather, GCL_SPARSE_HANDLE, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
GCL_SPARSE(Scatter, GCL_SPARSE_HANDLE, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
GCL_SPARSE(Rot, GCL_SPARSE_HANDLE, const void *c, const void *s, cusparseSpVecDescr_t x,
           cusparseDnVecDescr_t y)
GCL_SPARSE(SpVV_bufferSize, GCL_SPARSE_HANDLE, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
           cusparseConstDnVecDescr_t y, const void *result, cudaDataType type, size_t *size)
GCL_SPARSE(SpVV, GCL_SPARSE_HANDLE, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
           cusparseConstDnVecDescr_t y, void *result, cudaDataType type, void *buffer)

// Conversions.
GCL_SPARSE(SparseToDense_bufferSize, GCL_SPARSE_HANDLE, cusparseConstSpMatDescr_t a,
           cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm, size_t *size)
GCL_SPARSE(SparseToDense, GCL_SPARSE_HANDLE, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
           cusparseSparseToDenseAlg_t algorithm, void *buffer)
GCL_SPARSE(DenseToSparse_bufferSize, GCL_SPARSE_HANDLE, cusparseConstDnMatDescr_t a,
           cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, size_t *size)
GCL_SPARSE(DenseToSparse_analysis, GCL_SPARSE_HANDLE, cusparseConstDnMatDescr_t a,
           cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, void *buffer)
GCL_SPARSE(DenseToSparse_convert, GCL_SPARSE_HANDLE, cusparseConstDnMatDescr_t a,
           cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, void *buffer)

// Products.
GCL_SPARSE(SpMV_bufferSize, GCL_SPARSE_SPMV, size_t *size)
GCL_SPARSE(SpMV_preprocess, GCL_SPARSE_SPMV, void *buffer)
GCL_SPARSE(SpMV, GCL_SPARSE_SPMV, void *buffer)
GCL_SPARSE(SpMM_bufferSize, GCL_SPARSE_SPMM, size_t *size)
GCL_SPARSE(SpMM_preprocess, GCL_SPARSE_SPMM, void *buffer)
GCL_SPARSE(SpMM, GCL_SPARSE_SPMM, void *buffer)
GCL_SPARSE(SDDMM_bufferSize, GCL_SPARSE_SDDMM, size_t *size)
GCL_SPARSE(SDDMM_preprocess, GCL_SPARSE_SDDMM, void *buffer)
GCL_SPARSE(SDDMM, GCL_SPARSE_SDDMM, void *buffer)
GCL_SPARSE(SpGEMM_createDescr, cusparseSpGEMMDescr_t *state)
GCL_SPARSE(SpGEMM_destroyDescr, cusparseSpGEMMDescr_t state)
GCL_SPARSE(SpGEMM_workEstimation, GCL_SPARSE_SPGEMM, size_t *size, void *buffer)
GCL_SPARSE(SpGEMM_getNumProducts, cusparseSpGEMMDescr_t state, int64_t *count)
GCL_SPARSE(SpGEMM_estimateMemory, GCL_SPARSE_SPGEMM, float chunk, size_t *size3, void *buffer3,
           size_t *size2)
GCL_SPARSE(SpGEMM_compute, GCL_SPARSE_SPGEMM, size_t *size, void *buffer)
GCL_SPARSE(SpGEMM_copy, GCL_SPARSE_SPGEMM)

// Triangular systems.
GCL_SPARSE(SpSV_createDescr, cusparseSpSVDescr_t *state)
GCL_SPARSE(SpSV_destroyDescr, cusparseSpSVDescr_t state)
GCL_SPARSE(SpSV_bufferSize, GCL_SPARSE_SPSV, size_t *size)
GCL_SPARSE(SpSV_analysis, GCL_SPARSE_SPSV, void *buffer)
GCL_SPARSE(SpSV_solve, GCL_SPARSE_SPSV)
GCL_SPARSE(SpSV_updateMatrix, GCL_SPARSE_HANDLE, cusparseSpSVDescr_t state, void *values,
           cusparseSpSVUpdate_t part)
GCL_SPARSE(SpSM_createDescr, cusparseSpSMDescr_t *state)
GCL_SPARSE(SpSM_destroyDescr, cusparseSpSMDescr_t state)
GCL_SPARSE(SpSM_bufferSize, GCL_SPARSE_SPSM, size_t *size)
GCL_SPARSE(SpSM_analysis, GCL_SPARSE_SPSM, void *buffer)
GCL_SPARSE(SpSM_solve, GCL_SPARSE_SPSM)

// The older interface.
GCL_SPARSE(CreateMatDescr, cusparseMatDescr_t *matrix)
GCL_SPARSE(DestroyMatDescr, cusparseMatDescr_t matrix)
GCL_SPARSE(SetMatType, cusparseMatDescr_t matrix, cusparseMatrixType_t type)
GCL_SPARSE(SetMatFillMode, cusparseMatDescr_t matrix, cusparseFillMode_t mode)
GCL_SPARSE(SetMatDiagType, cusparseMatDescr_t matrix, cusparseDiagType_t type)
GCL_SPARSE(SetMatIndexBase, cusparseMatDescr_t matrix, cusparseIndexBase_t base)
GCL_SPARSE(Xcoo2csr, GCL_SPARSE_HANDLE, const int *rows, int nnz, int m, int *offsets,
           cusparseIndexBase_t base)
GCL_SPARSE(Xcsr2coo, GCL_SPARSE_HANDLE, const int *offsets, int nnz, int m, int *rows,
           cusparseIndexBase_t base)
GCL_SPARSE(Csr2cscEx2_bufferSize, GCL_SPARSE_HANDLE, int m, int n, int nnz, const void *values,
           const int *offsets, const int *indices, void *csc_values, int *csc_offsets,
           int *csc_indices, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
           cusparseCsr2CscAlg_t algorithm, size_t *size)
GCL_SPARSE(Csr2cscEx2, GCL_SPARSE_HANDLE, int m, int n, int nnz, const void *values,
           const int *offsets, const int *indices, void *csc_values, int *csc_offsets,
           int *csc_indices, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
           cusparseCsr2CscAlg_t algorithm, void *buffer)
GCL_SPARSE(CreateIdentityPermutation, GCL_SPARSE_HANDLE, int n, int *permutation)
GCL_SPARSE(Xcsrsort_bufferSizeExt, GCL_SPARSE_HANDLE, int m, int n, int nnz, const int *offsets,
           const int *indices, size_t *size)
GCL_SPARSE(Xcsrsort, GCL_SPARSE_HANDLE, int m, int n, int nnz, const cusparseMatDescr_t matrix,
           const int *offsets, int *indices, int *permutation, void *buffer)
GCL_SPARSE(Xcoosort_bufferSizeExt, GCL_SPARSE_HANDLE, int m, int n, int nnz, const int *rows,
           const int *columns, size_t *size)
GCL_SPARSE(XcoosortByRow, GCL_SPARSE_HANDLE, int m, int n, int nnz, int *rows, int *columns,
           int *permutation, void *buffer)
GCL_SPARSE(CreateCsrilu02Info, csrilu02Info_t *info)
GCL_SPARSE(DestroyCsrilu02Info, csrilu02Info_t info)
GCL_SPARSE(Xcsrilu02_zeroPivot, GCL_SPARSE_HANDLE, csrilu02Info_t info, int *position)

/// What there is of each type of number: S, D, C and Z.
#define GCL_SPARSE_TYPED(T, type)                                                                  \
    GCL_SPARSE(T##gthr, GCL_SPARSE_HANDLE, int nnz, const type *y, type *x, const int *indices,    \
               cusparseIndexBase_t base)                                                           \
    GCL_SPARSE(T##nnz, GCL_SPARSE_HANDLE, cusparseDirection_t direction, int m, int n,             \
               const cusparseMatDescr_t matrix, const type *a, int leading, int *counts,           \
               int *total)                                                                         \
    GCL_SPARSE(T##csrilu02_bufferSize, GCL_SPARSE_HANDLE, int m, int nnz,                          \
               const cusparseMatDescr_t matrix, type *values, const int *offsets,                  \
               const int *indices, csrilu02Info_t info, int *size)                                 \
    GCL_SPARSE(T##csrilu02_analysis, GCL_SPARSE_HANDLE, int m, int nnz,                            \
               const cusparseMatDescr_t matrix, const type *values, const int *offsets,            \
               const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy,              \
               void *buffer)                                                                       \
    GCL_SPARSE(T##csrilu02, GCL_SPARSE_HANDLE, int m, int nnz, const cusparseMatDescr_t matrix,    \
               type *values, const int *offsets, const int *indices, csrilu02Info_t info,          \
               cusparseSolvePolicy_t policy, void *buffer)
GCL_SPARSE_TYPED(S, float)
GCL_SPARSE_TYPED(D, double)
GCL_SPARSE_TYPED(C, cuComplex)
GCL_SPARSE_TYPED(Z, cuDoubleComplex)

#undef GCL_SPARSE_TYPED
