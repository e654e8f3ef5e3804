// Groups of products: each is a batch of its own sizes, whose matrices follow those of the groups
// before it in the arrays of pointers.
#include "blas.h"

static cublasStatus_t check(cublasHandle_t handle, int64_t groups, const void *const *arrays,
                            size_t count) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_valid = groups >= 0;
    for (size_t i = 0; i < count && groups > 0; i++)
        is_valid = is_valid && arrays[i];
    return is_valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

// Bytes of a scalar.
static size_t size_of(cudaDataType type) {
    switch (type) {
    case CUDA_R_16F:
        return 2;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    default:
        return 4;
    }
}

// Entry points. I is the type of sizes; names end in `v1`. `call` launches group g, whose first
// matrices are those at `first`.

#define SIZES(I)                                                                                   \
    cublasHandle_t handle, const cublasOperation_t *transa, const cublasOperation_t *transb,       \
        const I *m, const I *n, const I *k
#define GROUPS(call)                                                                               \
    const void *const arrays[] = {transa, transb, m,   n,    k, alpha, A,                          \
                                  lda,    B,      ldb, beta, C, ldc,   sizes};                     \
    cublasStatus_t status = check(handle, groups, arrays, sizeof arrays / sizeof *arrays);         \
    int64_t first = 0;                                                                             \
    for (int64_t g = 0; g < groups && status == CUBLAS_STATUS_SUCCESS; first += sizes[g++])        \
        status = call;                                                                             \
    return status

#define TYPED(letter, T, I, v1)                                                                    \
    cublasStatus_t cublas##letter##gemmGroupedBatched##v1(                                         \
        SIZES(I), const T *alpha, const T *const *A, const I *lda, const T *const *B,              \
        const I *ldb, const T *beta, T *const *C, const I *ldc, I groups, const I *sizes) {        \
        GROUPS(cublas##letter##gemmBatched##v1(handle, transa[g], transb[g], m[g], n[g], k[g],     \
                                               alpha + g, A + first, lda[g], B + first, ldb[g],    \
                                               beta + g, C + first, ldc[g], sizes[g]));            \
    }
#define ALL(I, v1)                                                                                 \
    TYPED(S, float, I, v1)                                                                         \
    TYPED(D, double, I, v1)                                                                        \
    cublasStatus_t cublasGemmGroupedBatchedEx##v1(                                                 \
        SIZES(I), const void *alpha, const void *const *A, cudaDataType at, const I *lda,          \
        const void *const *B, cudaDataType bt, const I *ldb, const void *beta, void *const *C,     \
        cudaDataType ct, const I *ldc, I groups, const I *sizes, cublasComputeType_t compute) {    \
        const struct gcl_blas_combination *of = gcl_blas_combination(at, ct, compute);             \
        if (!of)                                                                                   \
            return gcl_blas_refuse("cublasGemmGroupedBatchedEx",                                   \
                                   "this combination of types is not supported");                  \
        size_t size = size_of(of->scale);                                                          \
        GROUPS(cublasGemmBatchedEx##v1(handle, transa[g], transb[g], m[g], n[g], k[g],             \
                                       (const char *)alpha + (size_t)g * size, A + first, at,      \
                                       lda[g], B + first, bt, ldb[g],                              \
                                       (const char *)beta + (size_t)g * size, C + first, ct,       \
                                       ldc[g], sizes[g], compute, CUBLAS_GEMM_DEFAULT));           \
    }
ALL(int, )
ALL(int64_t, _64)
