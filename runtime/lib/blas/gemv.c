// Products of matrices and vectors: y^T = alpha x^T op(A)^T + beta y^T, products of one row.
#include "blas.h"

// A product as routines have it, of matrices m x n.
struct product {
    cublasOperation_t operation;
    int64_t m, n, lda, x_step, y_step;
    const void *a, *x;
    void *y;
    int64_t stride_a, stride_x, stride_y; ///< GCL_BLAS_POINTERS: a, x, y are arrays of pointers
    int64_t batches;
    const void *alpha, *beta;
};

static cublasStatus_t check(cublasHandle_t handle, const struct product *p) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_valid = gcl_blas_is_operation(p->operation) && p->m >= 0 && p->n >= 0 &&
                    p->batches >= 0 && gcl_blas_is_wide(p->lda, p->m) && p->x_step != 0 &&
                    p->y_step != 0 && p->alpha && p->beta;
    if (!is_valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    bool is_scattered = p->stride_a == GCL_BLAS_POINTERS;
    if (is_scattered && (p->x_step < 0 || p->y_step < 0))
        return gcl_blas_refuse("cublasGemvBatched", "steps are positive");
    if (!gcl_blas_fits(p->lda) || !gcl_blas_fits(p->x_step) || !gcl_blas_fits(p->y_step) ||
        !gcl_blas_fits(p->m) || !gcl_blas_fits(p->n))
        return gcl_blas_refuse("cublasGemv", "sizes and steps have at most 2^31 - 1");
    return CUBLAS_STATUS_SUCCESS;
}

// A vector of n elements as a matrix of one row.
static struct gcl_blas_matrix row(const void *vector, int64_t n, int64_t step, int64_t batch,
                                  int64_t size) {
    const char *first = (const char *)vector - (step < 0 ? (n - 1) * step * size : 0);
    return (struct gcl_blas_matrix){
        .at = (void *)(uintptr_t)first, .row = 1, .column = step, .batch = batch};
}

// What numbers are: of matrix and x, and of y.
struct types {
    enum gcl_blas_kernel kernel;
    int64_t in_size, out_size;
    enum gcl_blas_type scale;
};

static cublasStatus_t multiply(cublasHandle_t handle, const struct types *types,
                               const struct product *p) {
    cublasStatus_t status = check(handle, p);
    if (status || p->m == 0 || p->n == 0)
        return status;
    bool is_plain = p->operation == CUBLAS_OP_N;
    struct gcl_blas_gemm g = {
        .m = 1, .n = is_plain ? p->m : p->n, .k = is_plain ? p->n : p->m, .batches = p->batches};
    g.a = row(p->x, g.k, p->x_step, p->stride_x, types->in_size);
    g.b = gcl_blas_operand(p->a, is_plain ? CUBLAS_OP_T : CUBLAS_OP_N, p->lda, false);
    g.b.batch = p->stride_a;
    g.b.conjugate = gcl_blas_is_complex(types->scale) && p->operation == CUBLAS_OP_C;
    g.c = g.d = row(p->y, g.n, p->y_step, p->stride_y, types->out_size);
    g.alpha = gcl_blas_factor(handle, p->alpha, types->scale);
    g.beta = gcl_blas_factor(handle, p->beta, types->scale);
    return gcl_blas_multiply(handle, gcl_blas_variant(types->kernel, p->stride_a), &g);
}

static cublasStatus_t gemv(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct product *p) {
    int64_t size = gcl_blas_size(type);
    const struct types types = {gcl_blas_of_type(GCL_BLAS_gemm_s, type), size, size, type};
    return multiply(handle, &types, p);
}

// By the letters that names of routines have: of matrix and x, of what is computed in, of y.
static const struct types HSH = {GCL_BLAS_gemm_h, 2, 2, GCL_BLAS_S},
                          HSS = {GCL_BLAS_gemm_hs, 2, 4, GCL_BLAS_S},
                          TST = {GCL_BLAS_gemm_b, 2, 2, GCL_BLAS_S},
                          TSS = {GCL_BLAS_gemm_bs, 2, 4, GCL_BLAS_S};

// Entry points. I is the type of sizes; names end in `v1` or `v2`.

#define POINTERS GCL_BLAS_POINTERS, GCL_BLAS_POINTERS, GCL_BLAS_POINTERS
#define VECTOR(name, T, I, call)                                                                   \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t operation, I m, I n,              \
                        const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta,      \
                        T *y, I incy) {                                                            \
        const struct product p = {operation, m, n, lda, incx, incy,  a,   x,                       \
                                  y,         0, 0, 0,   1,    alpha, beta};                        \
        return call;                                                                               \
    }
#define STRIDED(name, T, R, Y, I, call)                                                            \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t operation, I m, I n,              \
                        const R *alpha, const T *a, I lda, long long stride_a, const T *x, I incx, \
                        long long stride_x, const R *beta, Y *y, I incy, long long stride_y,       \
                        I count) {                                                                 \
        const struct product p = {operation, m,        n,        lda,      incx,  incy,  a,   x,   \
                                  y,         stride_a, stride_x, stride_y, count, alpha, beta};    \
        return call;                                                                               \
    }
#define BATCHED(name, T, R, Y, I, call)                                                            \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t operation, I m, I n,              \
                        const R *alpha, const T *const *a, I lda, const T *const *x, I incx,       \
                        const R *beta, Y *const *y, I incy, I count) {                             \
        const struct product p = {                                                                 \
            operation, m,     n,     lda, incx, incy, a, x, (void *)(uintptr_t)y,                  \
            POINTERS,  count, alpha, beta};                                                        \
        return call;                                                                               \
    }
#define TYPED(letter, T, I, v1, v2)                                                                \
    VECTOR(cublas##letter##gemv##v2, T, I, gemv(handle, GCL_BLAS_##letter, &p))                    \
    STRIDED(cublas##letter##gemvStridedBatched##v1, T, T, T, I,                                    \
            gemv(handle, GCL_BLAS_##letter, &p))                                                   \
    BATCHED(cublas##letter##gemvBatched##v1, T, T, T, I, gemv(handle, GCL_BLAS_##letter, &p))
#define MIXED(letters, T, Y, I, v1)                                                                \
    STRIDED(cublas##letters##gemvStridedBatched##v1, T, float, Y, I,                               \
            multiply(handle, &letters, &p))                                                        \
    BATCHED(cublas##letters##gemvBatched##v1, T, float, Y, I, multiply(handle, &letters, &p))
#define ALL(I, v1, v2)                                                                             \
    TYPED(S, float, I, v1, v2)                                                                     \
    TYPED(D, double, I, v1, v2)                                                                    \
    TYPED(C, cuComplex, I, v1, v2)                                                                 \
    TYPED(Z, cuDoubleComplex, I, v1, v2)                                                           \
    MIXED(HSH, __half, __half, I, v1)                                                              \
    MIXED(HSS, __half, float, I, v1)                                                               \
    MIXED(TST, __nv_bfloat16, __nv_bfloat16, I, v1)                                                \
    MIXED(TSS, __nv_bfloat16, float, I, v1)
ALL(int, , _v2)
ALL(int64_t, _64, _v2_64)
