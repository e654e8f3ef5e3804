// What the kernels of this library are given. Their text (*.cu) defines what each block reads,
// writes and computes; on CPUs functions of the same names run whole blocks by OpenBLAS
// (native_*.c), so both must agree on these structures.
//
// Sizes and strides are in elements.
#ifndef GCL_BLAS_KERNELS_H
#define GCL_BLAS_KERNELS_H

#include <stdint.h>

/// A scalar of the type that a routine computes in, real part first.
union gcl_blas_scalar {
    float s[2];
    double d[2];
    int32_t i;
};

enum gcl_blas_factor_kind {
    GCL_BLAS_FACTOR_OWN,  ///< of the type that is computed in
    GCL_BLAS_FACTOR_HALF, ///< a half, where floats are computed
    GCL_BLAS_FACTOR_REAL, ///< real, where complex numbers are computed
};

/// alpha or beta.
struct gcl_blas_factor {
    const void *at;              ///< device memory; NULL: `value`
    union gcl_blas_scalar value; ///< where `at` is NULL
    int64_t kind;                ///< what is at `at`: enum gcl_blas_factor_kind
};

#define GCL_BLAS_POINTERS INT64_MIN

/// An operand: element (i, j) of matrix b is at[i * row + j * column + b * batch].
struct gcl_blas_matrix {
    void *at; ///< where `batch` is GCL_BLAS_POINTERS: a device array of pointers, one a matrix
    int64_t row;
    int64_t column;
    int64_t batch;
    int64_t conjugate; ///< 1: its elements' conjugates are meant
};

/// D = alpha A B + beta C, gemm for matrices at strides and gemms for such at pointers, for
/// `batches` matrices: block (x, y, z) computes a tile of `tile[0]` rows and `tile[1]` columns, of
/// `tile[2]` matrices.
struct gcl_blas_gemm {
    int64_t m, n, k, batches;
    int64_t tile[3];
    struct gcl_blas_matrix a; ///< m x k
    struct gcl_blas_matrix b; ///< k x n
    struct gcl_blas_matrix c; ///< m x n, not read where beta is 0
    struct gcl_blas_matrix d; ///< m x n, C or beside it
    struct gcl_blas_factor alpha, beta;
    int32_t reads_c; ///< 0: beta is 0
    int32_t upper;   ///< of syrk: D is its upper triangle, not the lower one
};

enum gcl_blas_activation {
    GCL_BLAS_AS_IS,
    GCL_BLAS_RELU,
    GCL_BLAS_GELU,      ///< by tanh
    GCL_BLAS_GELU_SLOPE ///< times GELU's derivative at what `beside` has
};

/// A product whose results something is done to before they become D: a bias is added to all of a
/// row, or of a column, then comes the activation.
struct gcl_blas_matmul {
    struct gcl_blas_gemm gemm;
    const void *bias;              ///< NULL: none
    int64_t bias_row, bias_column; ///< its strides: one of them is 0
    int64_t bias_batch;
    struct gcl_blas_matrix
        beside;         ///< written before GELU and RELU, read for the slope; `at` NULL: none
    int64_t activation; ///< enum gcl_blas_activation
    int64_t is_float;   ///< the bias is, whatever D is
};

/// Of vectors of n elements: a block has `slice` of them. Element i of x is x[i * x_step].
struct gcl_blas_vectors {
    int64_t n;
    int64_t slice;
    void *x;
    void *y;
    void *result; ///< of reductions: one number a block
    int64_t x_step, y_step;
    struct gcl_blas_factor alpha;
    int64_t conjugate; ///< of dot: x
};

enum { GCL_BLAS_SUM_TILE = 64 };

/// D = alpha A + beta B, element by element; of dgmm, D's rows or columns are A's times the
/// elements of B, which is a vector: one of its strides is 0. Block (x, y) has a tile of
/// GCL_BLAS_SUM_TILE rows and columns.
struct gcl_blas_sum {
    int64_t m, n;
    struct gcl_blas_matrix a, b, d;
    struct gcl_blas_factor alpha, beta; ///< of geam
    int32_t reads_a, reads_b;           ///< 0: the factor is 0
};

/// X(name, letters of the type, what they mean to the kernel's text), of struct gcl_blas_gemm:
/// products, and updates of rank k.
#define GCL_BLAS_PRODUCTS(X)                                                                       \
    X(gemm, s, float, float, float)                                                                \
    X(gemm, d, double, double, double)                                                             \
    X(gemm, c, float2, float2, float2)                                                             \
    X(gemm, z, double2, double2, double2)                                                          \
    X(gemm, h, __half, __half, float)                                                              \
    X(gemm, hs, __half, float, float)                                                              \
    X(gemm, b, __nv_bfloat16, __nv_bfloat16, float)                                                \
    X(gemm, bs, __nv_bfloat16, float, float)                                                       \
    X(gemm, i, signed char, int, int)                                                              \
    X(gemm, is, signed char, float, float)                                                         \
    X(gemms, s, float, float, float)                                                               \
    X(gemms, d, double, double, double)                                                            \
    X(gemms, c, float2, float2, float2)                                                            \
    X(gemms, z, double2, double2, double2)                                                         \
    X(gemms, h, __half, __half, float)                                                             \
    X(gemms, hs, __half, float, float)                                                             \
    X(gemms, b, __nv_bfloat16, __nv_bfloat16, float)                                               \
    X(gemms, bs, __nv_bfloat16, float, float)                                                      \
    X(gemms, i, signed char, int, int)                                                             \
    X(gemms, is, signed char, float, float)
#define GCL_BLAS_GEMMS(X)                                                                          \
    GCL_BLAS_PRODUCTS(X)                                                                           \
    X(syrk, s, float, float, float)                                                                \
    X(syrk, d, double, double, double)                                                             \
    X(syrk, c, float2, float2, float2)                                                             \
    X(syrk, z, double2, double2, double2)

/// Likewise of struct gcl_blas_matmul.
#define GCL_BLAS_MATMULS(X)                                                                        \
    X(matmul, s, float, float, float)                                                              \
    X(matmul, h, __half, __half, float)                                                            \
    X(matmul, hs, __half, float, float)                                                            \
    X(matmul, b, __nv_bfloat16, __nv_bfloat16, float)                                              \
    X(matmul, bs, __nv_bfloat16, float, float)

/// Likewise of struct gcl_blas_vectors.
#define GCL_BLAS_VECTORS(X)                                                                        \
    X(axpy, s, float)                                                                              \
    X(axpy, d, double)                                                                             \
    X(axpy, c, float2)                                                                             \
    X(axpy, z, double2)                                                                            \
    X(scal, s, float)                                                                              \
    X(scal, d, double)                                                                             \
    X(scal, c, float2)                                                                             \
    X(scal, z, double2)                                                                            \
    X(copy, s, float)                                                                              \
    X(copy, d, double)                                                                             \
    X(copy, c, float2)                                                                             \
    X(copy, z, double2)                                                                            \
    X(swap, s, float)                                                                              \
    X(swap, d, double)                                                                             \
    X(swap, c, float2)                                                                             \
    X(swap, z, double2)                                                                            \
    X(dot, s, float)                                                                               \
    X(dot, d, double)                                                                              \
    X(dot, c, float2)                                                                              \
    X(dot, z, double2)                                                                             \
    X(nrm2, s, float)                                                                              \
    X(nrm2, d, double)                                                                             \
    X(nrm2, c, float2)                                                                             \
    X(nrm2, z, double2)                                                                            \
    X(asum, s, float)                                                                              \
    X(asum, d, double)                                                                             \
    X(asum, c, float2)                                                                             \
    X(asum, z, double2)

/// Sums of what reductions leave: of n numbers from x on.
#define GCL_BLAS_TOTALS(X)                                                                         \
    X(total, s, float)                                                                             \
    X(total, d, double)                                                                            \
    X(total, c, float2)                                                                            \
    X(total, z, double2)

/// Kernels of struct gcl_blas_sum, likewise. OpenBLAS has no function that does better than their
/// text.
#define GCL_BLAS_SUMS(X)                                                                           \
    X(geam, s, float)                                                                              \
    X(geam, d, double)                                                                             \
    X(geam, c, float2)                                                                             \
    X(geam, z, double2)                                                                            \
    X(dgmm, s, float)                                                                              \
    X(dgmm, d, double)                                                                             \
    X(dgmm, c, float2)                                                                             \
    X(dgmm, z, double2)

/// Vectors of numbers of 16 bits, computed with in floats.
#define GCL_BLAS_HALF_VECTORS(X)                                                                   \
    X(axpy, h, __half, float)                                                                      \
    X(axpy, b, __nv_bfloat16, float)                                                               \
    X(scal, h, __half, float)                                                                      \
    X(scal, b, __nv_bfloat16, float)                                                               \
    X(dot, h, __half, float)                                                                       \
    X(dot, b, __nv_bfloat16, float)                                                                \
    X(nrm2, h, __half, float)                                                                      \
    X(nrm2, b, __nv_bfloat16, float)

enum gcl_blas_kernel {
#define GCL_ROW(name, type, ...) GCL_BLAS_##name##_##type,
    GCL_BLAS_GEMMS(GCL_ROW) GCL_BLAS_VECTORS(GCL_ROW) GCL_BLAS_MATMULS(GCL_ROW)
        GCL_BLAS_SUMS(GCL_ROW) GCL_BLAS_TOTALS(GCL_ROW) GCL_BLAS_HALF_VECTORS(GCL_ROW)
#undef GCL_ROW
            GCL_BLAS_KERNEL_COUNT
};

#endif
