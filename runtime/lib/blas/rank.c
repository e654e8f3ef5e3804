// Updates of rank k: products of which a triangle is computed.
#include "blas.h"

// C = alpha op(A) op(A)^T + beta C, or with the conjugate of the transpose.
struct update {
    cublasFillMode_t part;
    cublasOperation_t operation;
    int64_t n, k, lda, ldc;
    const void *a;
    void *c;
    const void *alpha, *beta;
};

// Transposes of A as operand op(A), and as the one behind it.
static cublasOperation_t behind(cublasOperation_t operation, bool is_hermitian) {
    if (operation != CUBLAS_OP_N)
        return CUBLAS_OP_N;
    return is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
}

static cublasStatus_t check(cublasHandle_t handle, const struct update *u, bool is_hermitian,
                            bool is_complex) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasOperation_t other = is_hermitian ? CUBLAS_OP_T : CUBLAS_OP_C;
    int64_t rows = u->operation == CUBLAS_OP_N ? u->n : u->k;
    bool is_valid = (unsigned)u->part <= CUBLAS_FILL_MODE_UPPER &&
                    gcl_blas_is_operation(u->operation) && (!is_complex || u->operation != other) &&
                    u->n >= 0 && u->k >= 0 && u->alpha && u->beta &&
                    gcl_blas_is_wide(u->lda, rows) && gcl_blas_is_wide(u->ldc, u->n);
    if (!is_valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gcl_blas_fits(u->lda) || !gcl_blas_fits(u->ldc) || !gcl_blas_fits(u->k))
        return gcl_blas_refuse("cuBLAS", "leading dimensions and sums have at most 2^31 - 1");
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t update(cublasHandle_t handle, enum gcl_blas_type type, bool is_hermitian,
                             const struct update *u) {
    bool is_complex = gcl_blas_is_complex(type);
    cublasStatus_t status = check(handle, u, is_hermitian, is_complex);
    if (status)
        return status;
    struct gcl_blas_gemm g = {.m = u->n, .n = u->n, .k = u->k, .batches = 1};
    enum gcl_blas_type scale = !is_hermitian ? type : type == GCL_BLAS_C ? GCL_BLAS_S : GCL_BLAS_D;
    g.upper = u->part == CUBLAS_FILL_MODE_UPPER;
    g.a = gcl_blas_operand(u->a, u->operation, u->lda, is_complex);
    g.b = gcl_blas_operand(u->a, behind(u->operation, is_hermitian), u->lda, is_complex);
    g.c = g.d = gcl_blas_operand(u->c, CUBLAS_OP_N, u->ldc, false);
    g.alpha = gcl_blas_factor(handle, u->alpha, scale);
    g.beta = gcl_blas_factor(handle, u->beta, scale);
    g.alpha.kind = g.beta.kind = is_hermitian ? GCL_BLAS_FACTOR_REAL : GCL_BLAS_FACTOR_OWN;
    return gcl_blas_multiply(handle, gcl_blas_of_type(GCL_BLAS_syrk_s, type), &g);
}

// Entry points. I is the type of sizes; with _v2 names end in `v2`. R is the scalars' type.

#define UPDATE(name, letter, is_hermitian, T, R, I, v2)                                            \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, cublasFillMode_t part,                  \
                                    cublasOperation_t operation, I n, I k, const R *alpha,         \
                                    const T *a, I lda, const R *beta, T *c, I ldc) {               \
        const struct update u = {part, operation, n, k, lda, ldc, a, c, alpha, beta};              \
        return update(handle, GCL_BLAS_##letter, is_hermitian, &u);                                \
    }
#define ALL(I, v2)                                                                                 \
    UPDATE(Ssyrk, S, false, float, float, I, v2)                                                   \
    UPDATE(Dsyrk, D, false, double, double, I, v2)                                                 \
    UPDATE(Csyrk, C, false, cuComplex, cuComplex, I, v2)                                           \
    UPDATE(Zsyrk, Z, false, cuDoubleComplex, cuDoubleComplex, I, v2)                               \
    UPDATE(Cherk, C, true, cuComplex, float, I, v2)                                                \
    UPDATE(Zherk, Z, true, cuDoubleComplex, double, I, v2)
ALL(int, _v2)
ALL(int64_t, _v2_64)
