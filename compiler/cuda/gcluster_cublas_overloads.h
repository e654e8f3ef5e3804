// C++: products of cuBLAS by the parameters that they had before CUDA 11, which named what is
// computed in by the type of a number.
#ifndef GCLUSTER_CUBLAS_OVERLOADS_H
#define GCLUSTER_CUBLAS_OVERLOADS_H

/// What a product with numbers of this type is computed in, as the handle's math mode has it.
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t __handle, cudaDataType __type,
                                                      cublasComputeType_t *__compute) {
    cublasMath_t __mode = CUBLAS_DEFAULT_MATH;
    cublasStatus_t __status = cublasGetMathMode(__handle, &__mode);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    bool __is_pedantic = (__mode & 15) == CUBLAS_PEDANTIC_MATH;
    switch (__type) {
    case CUDA_R_16F:
        *__compute = __is_pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32I:
        *__compute = __is_pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32F:
    case CUDA_C_32F:
        *__compute = __is_pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_64F:
    case CUDA_C_64F:
        *__compute = __is_pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
        return CUBLAS_STATUS_SUCCESS;
    default:
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k,
                                          const void *__alpha, const void *__A,
                                          cudaDataType __Atype, int __lda, const void *__B,
                                          cudaDataType __Btype, int __ldb, const void *__beta,
                                          void *__C, cudaDataType __Ctype, int __ldc,
                                          cudaDataType __type, cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda,
                        __B, __Btype, __ldb, __beta, __C, __Ctype, __ldc, __compute, __algo);
}

static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,
                    int __m, int __n, int __k, const void *__alpha, const void *const *__Aarray,
                    cudaDataType __Atype, int __lda, const void *const *__Barray,
                    cudaDataType __Btype, int __ldb, const void *__beta, void *const *__Carray,
                    cudaDataType __Ctype, int __ldc, int __count, cudaDataType __type,
                    cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __Aarray,
                               __Atype, __lda, __Barray, __Btype, __ldb, __beta, __Carray, __Ctype,
                               __ldc, __count, __compute, __algo);
}

static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, int __m,
    int __n, int __k, const void *__alpha, const void *__A, cudaDataType __Atype, int __lda,
    long long __strideA, const void *__B, cudaDataType __Btype, int __ldb, long long __strideB,
    const void *__beta, void *__C, cudaDataType __Ctype, int __ldc, long long __strideC,
    int __count, cudaDataType __type, cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    cublasStatus_t __status = cublasMigrateComputeType(__handle, __type, &__compute);
    if (__status != CUBLAS_STATUS_SUCCESS)
        return __status;
    return cublasGemmStridedBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A,
                                      __Atype, __lda, __strideA, __B, __Btype, __ldb, __strideB,
                                      __beta, __C, __Ctype, __ldc, __strideC, __count, __compute,
                                      __algo);
}

#endif
