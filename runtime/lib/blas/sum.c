// Sums of matrices, which may be transposed, and products with diagonal ones.
#include "blas.h"

static cublasStatus_t launch(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                             enum gcl_blas_type type, const struct gcl_blas_sum *s) {
    if (s->m == 0 || s->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_extent grid = {gcl_blas_divide_up(s->m, GCL_BLAS_SUM_TILE),
                                   gcl_blas_divide_up(s->n, GCL_BLAS_SUM_TILE), 1};
    if (grid.y > UINT16_MAX)
        return gcl_blas_refuse("cuBLAS", "sums have at most 64 * 65535 columns");
    return gcl_blas_launch(handle, gcl_blas_of_type(kernel, type), grid,
                           (struct gcl_blas_extent){32, 8, 1}, s);
}

// C = alpha op(A) + beta op(B).
struct addition {
    cublasOperation_t transa, transb;
    int64_t m, n, lda, ldb, ldc;
    const void *a, *b;
    void *c;
    const void *alpha, *beta;
};

static cublasStatus_t geam(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct addition *g) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_valid = gcl_blas_is_operation(g->transa) && gcl_blas_is_operation(g->transb) &&
                    g->m >= 0 && g->n >= 0 && g->alpha && g->beta && gcl_blas_is_wide(g->ldc, g->m);
    if (!is_valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    bool is_complex = gcl_blas_is_complex(type);
    struct gcl_blas_sum s = {.m = g->m, .n = g->n};
    s.alpha = gcl_blas_factor(handle, g->alpha, type);
    s.beta = gcl_blas_factor(handle, g->beta, type);
    s.reads_a = !gcl_blas_factor_is_zero(&s.alpha);
    s.reads_b = !gcl_blas_factor_is_zero(&s.beta);
    s.d = gcl_blas_operand(g->c, CUBLAS_OP_N, g->ldc, false);
    if (s.reads_a)
        s.a = gcl_blas_operand(g->a, g->transa, g->lda, is_complex);
    if (s.reads_b)
        s.b = gcl_blas_operand(g->b, g->transb, g->ldb, is_complex);
    // What isn't read has no leading dimension; what is in place isn't transposed.
    if ((s.reads_a && !gcl_blas_is_wide(g->lda, g->transa == CUBLAS_OP_N ? g->m : g->n)) ||
        (s.reads_b && !gcl_blas_is_wide(g->ldb, g->transb == CUBLAS_OP_N ? g->m : g->n)) ||
        (s.reads_a && g->a == g->c && (g->transa != CUBLAS_OP_N || g->lda != g->ldc)) ||
        (s.reads_b && g->b == g->c && (g->transb != CUBLAS_OP_N || g->ldb != g->ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    return launch(handle, GCL_BLAS_geam_s, type, &s);
}

// C = A diag(x), or diag(x) A.
static cublasStatus_t dgmm(cublasHandle_t handle, enum gcl_blas_type type, cublasSideMode_t side,
                           int64_t m, int64_t n, const void *a, int64_t lda, const void *x,
                           int64_t x_step, void *c, int64_t ldc) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((unsigned)side > CUBLAS_SIDE_RIGHT || m < 0 || n < 0 || !gcl_blas_is_wide(lda, m) ||
        !gcl_blas_is_wide(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    bool is_left = side == CUBLAS_SIDE_LEFT;
    int64_t last = (is_left ? m : n) - 1, size = gcl_blas_size(type);
    const char *first = (const char *)x - (x_step < 0 ? last * x_step * size : 0);
    struct gcl_blas_sum s = {.m = m, .n = n};
    s.a = gcl_blas_operand(a, CUBLAS_OP_N, lda, false);
    s.b = (struct gcl_blas_matrix){.at = (void *)(uintptr_t)first,
                                   .row = is_left ? x_step : 0,
                                   .column = is_left ? 0 : x_step};
    s.d = gcl_blas_operand(c, CUBLAS_OP_N, ldc, false);
    return launch(handle, GCL_BLAS_dgmm_s, type, &s);
}

// Entry points. I is the type of sizes; names end in `v1`.

#define BOTH(L, T, I, v1)                                                                          \
    cublasStatus_t cublas##L##geam##v1(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,       \
        const T *alpha, const T *a, I lda, const T *beta, const T *b, I ldb, T *c, I ldc) {        \
        const struct addition g = {transa, transb, m, n, lda, ldb, ldc, a, b, c, alpha, beta};     \
        return geam(handle, GCL_BLAS_##L, &g);                                                     \
    }                                                                                              \
    cublasStatus_t cublas##L##dgmm##v1(cublasHandle_t handle, cublasSideMode_t side, I m, I n,     \
                                       const T *a, I lda, const T *x, I incx, T *c, I ldc) {       \
        return dgmm(handle, GCL_BLAS_##L, side, m, n, a, lda, x, incx, c, ldc);                    \
    }
#define ALL(I, v1)                                                                                 \
    BOTH(S, float, I, v1)                                                                          \
    BOTH(D, double, I, v1)                                                                         \
    BOTH(C, cuComplex, I, v1)                                                                      \
    BOTH(Z, cuDoubleComplex, I, v1)
ALL(int, )
ALL(int64_t, _64)
