// Updates of rank k, with one matrix or with two: products of which a triangle is computed.
#include "blas.h"

// C = alpha op(A) op(B)^T + beta C, or with the conjugate of the transpose; B may be A.
struct update {
    cublasFillMode_t part;
    cublasOperation_t operation;
    int64_t n, k, lda, ldb, ldc;
    const void *a, *b;
    void *c;
    const void *alpha, *beta;
    enum gcl_blas_type alpha_type, beta_type;
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
                    gcl_blas_is_wide(u->lda, rows) && gcl_blas_is_wide(u->ldb, rows) &&
                    gcl_blas_is_wide(u->ldc, u->n);
    if (!is_valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gcl_blas_fits(u->lda) || !gcl_blas_fits(u->ldb) || !gcl_blas_fits(u->ldc) ||
        !gcl_blas_fits(u->k))
        return gcl_blas_refuse("cuBLAS", "leading dimensions and sums have at most 2^31 - 1");
    return CUBLAS_STATUS_SUCCESS;
}

// A scalar of a routine for numbers of `type`, which may be real where they are complex.
static struct gcl_blas_factor scalar(cublasHandle_t handle, const void *at, enum gcl_blas_type own,
                                     enum gcl_blas_type type) {
    struct gcl_blas_factor factor = gcl_blas_factor(handle, at, own);
    factor.kind = own == type ? GCL_BLAS_FACTOR_OWN : GCL_BLAS_FACTOR_REAL;
    return factor;
}

static cublasStatus_t update(cublasHandle_t handle, enum gcl_blas_type type, bool is_hermitian,
                             const struct update *u) {
    bool is_complex = gcl_blas_is_complex(type);
    cublasStatus_t status = check(handle, u, is_hermitian, is_complex);
    if (status)
        return status;
    struct gcl_blas_gemm g = {.m = u->n, .n = u->n, .k = u->k, .batches = 1};
    g.upper = u->part == CUBLAS_FILL_MODE_UPPER;
    g.a = gcl_blas_operand(u->a, u->operation, u->lda, is_complex);
    g.b = gcl_blas_operand(u->b, behind(u->operation, is_hermitian), u->ldb, is_complex);
    g.c = g.d = gcl_blas_operand(u->c, CUBLAS_OP_N, u->ldc, false);
    g.alpha = scalar(handle, u->alpha, u->alpha_type, type);
    g.beta = scalar(handle, u->beta, u->beta_type, type);
    return gcl_blas_multiply(handle, gcl_blas_of_type(GCL_BLAS_syrk_s, type), &g);
}

// Entry points. I is the type of sizes; with _v2 names end in `v2`, without in `v1`. R is the
// scalars' type, or beta's.

#define OPERANDS                                                                                   \
    .part = part, .operation = operation, .n = n, .k = k, .lda = lda, .ldc = ldc, .a = a, .c = c,  \
    .alpha = alpha, .beta = beta
#define SCALES(alpha, beta) .alpha_type = GCL_BLAS_##alpha, .beta_type = GCL_BLAS_##beta
#define UPDATE(name, letter, scale, is_hermitian, T, R, I, v2)                                     \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, cublasFillMode_t part,                  \
                                    cublasOperation_t operation, I n, I k, const R *alpha,         \
                                    const T *a, I lda, const R *beta, T *c, I ldc) {               \
        const struct update u = {OPERANDS, .ldb = lda, .b = a, SCALES(scale, scale)};              \
        return update(handle, GCL_BLAS_##letter, is_hermitian, &u);                                \
    }
#define UPDATE_OF_TWO(name, letter, scale, is_hermitian, T, R, I, v1)                              \
    cublasStatus_t cublas##name##v1(                                                               \
        cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t operation, I n, I k,       \
        const T *alpha, const T *a, I lda, const T *b, I ldb, const R *beta, T *c, I ldc) {        \
        const struct update u = {OPERANDS, .ldb = ldb, .b = b, SCALES(letter, scale)};             \
        return update(handle, GCL_BLAS_##letter, is_hermitian, &u);                                \
    }
// With types as arguments, of which there is one.
#define UPDATE_EX(name, routine, R, I, v1)                                                         \
    cublasStatus_t name##v1(cublasHandle_t handle, cublasFillMode_t part,                          \
                            cublasOperation_t operation, I n, I k, const R *alpha, const void *a,  \
                            cudaDataType a_type, I lda, const R *beta, void *c,                    \
                            cudaDataType c_type, I ldc) {                                          \
        if (a_type != CUDA_C_32F || c_type != CUDA_C_32F)                                          \
            return gcl_blas_refuse(#name, "this combination of types is not supported");           \
        return routine(handle, part, operation, n, k, alpha, a, lda, beta, c, ldc);                \
    }
#define ALL(I, v1, v2)                                                                             \
    UPDATE(Ssyrk, S, S, false, float, float, I, v2)                                                \
    UPDATE(Dsyrk, D, D, false, double, double, I, v2)                                              \
    UPDATE(Csyrk, C, C, false, cuComplex, cuComplex, I, v2)                                        \
    UPDATE(Zsyrk, Z, Z, false, cuDoubleComplex, cuDoubleComplex, I, v2)                            \
    UPDATE(Cherk, C, S, true, cuComplex, float, I, v2)                                             \
    UPDATE(Zherk, Z, D, true, cuDoubleComplex, double, I, v2)                                      \
    UPDATE_OF_TWO(Ssyrkx, S, S, false, float, float, I, v1)                                        \
    UPDATE_OF_TWO(Dsyrkx, D, D, false, double, double, I, v1)                                      \
    UPDATE_OF_TWO(Csyrkx, C, C, false, cuComplex, cuComplex, I, v1)                                \
    UPDATE_OF_TWO(Zsyrkx, Z, Z, false, cuDoubleComplex, cuDoubleComplex, I, v1)                    \
    UPDATE_OF_TWO(Cherkx, C, S, true, cuComplex, float, I, v1)                                     \
    UPDATE_OF_TWO(Zherkx, Z, D, true, cuDoubleComplex, double, I, v1)                              \
    UPDATE_EX(cublasCsyrkEx, cublasCsyrk##v2, cuComplex, I, v1)                                    \
    UPDATE_EX(cublasCsyrk3mEx, cublasCsyrk##v2, cuComplex, I, v1)                                  \
    UPDATE_EX(cublasCherkEx, cublasCherk##v2, float, I, v1)                                        \
    UPDATE_EX(cublasCherk3mEx, cublasCherk##v2, float, I, v1)
ALL(int, , _v2)
ALL(int64_t, _64, _v2_64)
