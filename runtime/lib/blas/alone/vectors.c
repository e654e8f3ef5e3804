// Level 2 but for GEMV: matrices that are triangular, symmetric, Hermitian, banded or packed, with
// vectors.
#include "alone.h"

#include <complex.h>

#define P gcl_blas_address
#define BOTH (GCL_BUFFER_READ | GCL_BUFFER_WRITE)

// How a matrix of order n lies in memory.
enum storage {
    FULL,
    BAND,  ///< the diagonal and k beside it: k + 1 rows
    PACKED ///< columns of a triangle, one behind the other
};

static bool is_wide(enum storage storage, int64_t n, int64_t k, int64_t lda) {
    return storage == PACKED || gcl_blas_is_wide(lda, storage == BAND ? k + 1 : n);
}

static void take_matrix(struct gcl_blas_alone *alone, unsigned i, enum storage storage,
                        const void *a, int64_t n, int64_t k, int64_t lda, enum gcl_blas_type type,
                        uint64_t access) {
    if (storage == PACKED)
        gcl_blas_take_matrix(alone, i, a, n * (n + 1) / 2, 1, 1, type, access);
    else
        gcl_blas_take_matrix(alone, i, a, storage == BAND ? k + 1 : n, n, lda, type, access);
}

static bool is_part(cublasFillMode_t part) {
    return (unsigned)part <= CUBLAS_FILL_MODE_UPPER;
}

// x = op(A) x, or its inverse.
static cublasStatus_t triangular(cublasHandle_t handle, enum gcl_blas_type type,
                                 const struct gcl_task *task, enum storage storage,
                                 cublasFillMode_t part, cublasOperation_t operation,
                                 cublasDiagType_t diagonal, int64_t n, int64_t k, const void *a,
                                 int64_t lda, void *x, int64_t x_step) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_part(part) || !gcl_blas_is_operation(operation) ||
        (unsigned)diagonal > CUBLAS_DIAG_UNIT || n < 0 || k < 0 || x_step == 0 ||
        !is_wide(storage, n, k, lda))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.part = GCL_BLAS_PARTS[part];
    alone.call.operation = GCL_BLAS_OPERATIONS[operation];
    alone.call.diagonal = GCL_BLAS_DIAGONALS[diagonal];
    alone.call.n = gcl_blas_narrow(&alone, n);
    alone.call.k = gcl_blas_narrow(&alone, k);
    take_matrix(&alone, 0, storage, a, n, k, lda, type, GCL_BUFFER_READ);
    gcl_blas_take_vector(&alone, 1, x, n, x_step, type, BOTH);
    return gcl_blas_run_alone(&alone);
}

// y = alpha A x + beta y, with one triangle of A.
static cublasStatus_t symmetric(cublasHandle_t handle, enum gcl_blas_type type,
                                const struct gcl_task *task, enum storage storage,
                                cublasFillMode_t part, int64_t n, int64_t k, const void *alpha,
                                const void *a, int64_t lda, const void *x, int64_t x_step,
                                const void *beta, void *y, int64_t y_step) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_part(part) || n < 0 || k < 0 || x_step == 0 || y_step == 0 || !alpha || !beta ||
        !is_wide(storage, n, k, lda))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.part = GCL_BLAS_PARTS[part];
    alone.call.n = gcl_blas_narrow(&alone, n);
    alone.call.k = gcl_blas_narrow(&alone, k);
    take_matrix(&alone, 0, storage, a, n, k, lda, type, GCL_BUFFER_READ);
    gcl_blas_take_vector(&alone, 1, x, n, x_step, type, GCL_BUFFER_READ);
    gcl_blas_take_vector(&alone, 2, y, n, y_step, type, BOTH);
    gcl_blas_take_scalar(&alone, 0, alpha, gcl_blas_size(type), GCL_BUFFER_READ);
    gcl_blas_take_scalar(&alone, 1, beta, gcl_blas_size(type), GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

// A += alpha x y^T, where `part` is a triangle of A or, -1, all of it; y NULL: x again. Matrices
// are operand 2.
struct update {
    int part;
    enum storage storage;
    int64_t m, n, lda, x_step, y_step;
    const void *alpha, *x, *y;
    void *a;
    uint32_t alpha_size;
};

static cublasStatus_t update(cublasHandle_t handle, enum gcl_blas_type type,
                             const struct gcl_task *task, const struct update *u) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (u->part > CUBLAS_FILL_MODE_UPPER || u->part < -1 || u->m < 0 || u->n < 0 ||
        u->x_step == 0 || (u->y && u->y_step == 0) || !u->alpha ||
        !is_wide(u->storage, u->m, 0, u->lda))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (u->m == 0 || u->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.part = u->part < 0 ? 0 : GCL_BLAS_PARTS[u->part];
    alone.call.m = gcl_blas_narrow(&alone, u->m);
    alone.call.n = gcl_blas_narrow(&alone, u->n);
    gcl_blas_take_vector(&alone, 0, u->x, u->m, u->x_step, type, GCL_BUFFER_READ);
    if (u->y)
        gcl_blas_take_vector(&alone, 1, u->y, u->n, u->y_step, type, GCL_BUFFER_READ);
    if (u->part < 0)
        gcl_blas_take_matrix(&alone, 2, u->a, u->m, u->n, u->lda, type, BOTH);
    else
        take_matrix(&alone, 2, u->storage, u->a, u->n, 0, u->lda, type, BOTH);
    gcl_blas_take_scalar(&alone, 0, u->alpha, u->alpha_size, GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

// y = alpha op(A) x + beta y, with m x n matrices of `below` and `above` diagonals beside the main.
struct banded {
    cublasOperation_t operation;
    int64_t m, n, below, above, lda, x_step, y_step;
    const void *alpha, *a, *x, *beta;
    void *y;
};

static cublasStatus_t gbmv(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct gcl_task *task, const struct banded *b) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!gcl_blas_is_operation(b->operation) || b->m < 0 || b->n < 0 || b->below < 0 ||
        b->above < 0 || b->x_step == 0 || b->y_step == 0 || !b->alpha || !b->beta ||
        b->lda < b->below + b->above + 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (b->m == 0 || b->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    bool is_plain = b->operation == CUBLAS_OP_N;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.operation = GCL_BLAS_OPERATIONS[b->operation];
    alone.call.m = gcl_blas_narrow(&alone, b->m);
    alone.call.n = gcl_blas_narrow(&alone, b->n);
    alone.call.k = gcl_blas_narrow(&alone, b->below);
    alone.call.above = gcl_blas_narrow(&alone, b->above);
    gcl_blas_take_matrix(&alone, 0, b->a, b->below + b->above + 1, b->n, b->lda, type,
                         GCL_BUFFER_READ);
    gcl_blas_take_vector(&alone, 1, b->x, is_plain ? b->n : b->m, b->x_step, type, GCL_BUFFER_READ);
    gcl_blas_take_vector(&alone, 2, b->y, is_plain ? b->m : b->n, b->y_step, type, BOTH);
    gcl_blas_take_scalar(&alone, 0, b->alpha, gcl_blas_size(type), GCL_BUFFER_READ);
    gcl_blas_take_scalar(&alone, 1, b->beta, gcl_blas_size(type), GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

// Tasks.

#define TASKS_OF_ALL(L, f)                                                                         \
    void f##trmv_(P, P, P, P, P, P, P, P);                                                         \
    void f##trsv_(P, P, P, P, P, P, P, P);                                                         \
    void f##tbmv_(P, P, P, P, P, P, P, P, P);                                                      \
    void f##tbsv_(P, P, P, P, P, P, P, P, P);                                                      \
    void f##tpmv_(P, P, P, P, P, P, P);                                                            \
    void f##tpsv_(P, P, P, P, P, P, P);                                                            \
    void f##gbmv_(P, P, P, P, P, P, P, P, P, P, P, P, P);                                          \
    GCL_BLAS_TASK(L##trmv, f##trmv_, PART, OPERATION, DIAGONAL, N, FIRST, SECOND)                  \
    GCL_BLAS_TASK(L##trsv, f##trsv_, PART, OPERATION, DIAGONAL, N, FIRST, SECOND)                  \
    GCL_BLAS_TASK(L##tbmv, f##tbmv_, PART, OPERATION, DIAGONAL, N, K, FIRST, SECOND)               \
    GCL_BLAS_TASK(L##tbsv, f##tbsv_, PART, OPERATION, DIAGONAL, N, K, FIRST, SECOND)               \
    GCL_BLAS_TASK(L##tpmv, f##tpmv_, PART, OPERATION, DIAGONAL, N, buffers[0], SECOND)             \
    GCL_BLAS_TASK(L##tpsv, f##tpsv_, PART, OPERATION, DIAGONAL, N, buffers[0], SECOND)             \
    GCL_BLAS_TASK(L##gbmv, f##gbmv_, OPERATION, M, N, K, ABOVE, ALPHA, FIRST, SECOND, BETA, THIRD)
TASKS_OF_ALL(S, s)
TASKS_OF_ALL(D, d)
TASKS_OF_ALL(C, c)
TASKS_OF_ALL(Z, z)

// Symmetric, `sy`, `sb` and `sp`, or Hermitian, `he`, `hb` and `hp`.
#define TASKS_OF_FULL(L, f, y)                                                                     \
    void f##y##mv_(P, P, P, P, P, P, P, P, P, P);                                                  \
    void f##y##r_(P, P, P, P, P, P, P);                                                            \
    GCL_BLAS_TASK(L##y##mv, f##y##mv_, PART, N, ALPHA, FIRST, SECOND, BETA, THIRD)                 \
    GCL_BLAS_TASK(L##y##r, f##y##r_, PART, N, ALPHA, FIRST, THIRD)
#define TASKS_OF_TWO(L, f, y)                                                                      \
    void f##y##r2_(P, P, P, P, P, P, P, P, P);                                                     \
    GCL_BLAS_TASK(L##y##r2, f##y##r2_, PART, N, ALPHA, FIRST, SECOND, THIRD)
#define TASKS_OF_BANDS(L, f, b, p)                                                                 \
    void f##b##mv_(P, P, P, P, P, P, P, P, P, P, P);                                               \
    void f##p##mv_(P, P, P, P, P, P, P, P, P);                                                     \
    void f##p##r_(P, P, P, P, P, P);                                                               \
    void f##p##r2_(P, P, P, P, P, P, P, P);                                                        \
    GCL_BLAS_TASK(L##b##mv, f##b##mv_, PART, N, K, ALPHA, FIRST, SECOND, BETA, THIRD)              \
    GCL_BLAS_TASK(L##p##mv, f##p##mv_, PART, N, ALPHA, buffers[0], SECOND, BETA, THIRD)            \
    GCL_BLAS_TASK(L##p##r, f##p##r_, PART, N, ALPHA, FIRST, buffers[2])                            \
    GCL_BLAS_TASK(L##p##r2, f##p##r2_, PART, N, ALPHA, FIRST, SECOND, buffers[2])
#define TASK_OF_OUTER(L, f, ger)                                                                   \
    void f##ger##_(P, P, P, P, P, P, P, P, P);                                                     \
    GCL_BLAS_TASK(L##ger, f##ger##_, M, N, ALPHA, FIRST, SECOND, THIRD)
TASKS_OF_FULL(S, s, sy)
TASKS_OF_FULL(D, d, sy)
TASKS_OF_FULL(C, c, sy)
TASKS_OF_FULL(Z, z, sy)
TASKS_OF_FULL(C, c, he)
TASKS_OF_FULL(Z, z, he)
TASKS_OF_TWO(S, s, sy)
TASKS_OF_TWO(D, d, sy)
TASKS_OF_TWO(C, c, he)
TASKS_OF_TWO(Z, z, he)
TASKS_OF_BANDS(S, s, sb, sp)
TASKS_OF_BANDS(D, d, sb, sp)
TASKS_OF_BANDS(C, c, hb, hp)
TASKS_OF_BANDS(Z, z, hb, hp)
TASK_OF_OUTER(S, s, ger)
TASK_OF_OUTER(D, d, ger)
TASK_OF_OUTER(C, c, geru)
TASK_OF_OUTER(Z, z, geru)
TASK_OF_OUTER(C, c, gerc)
TASK_OF_OUTER(Z, z, gerc)

// BLAS has none of complex symmetric matrices.
static int64_t at(int64_t i, int64_t n, int64_t step) {
    return step < 0 ? (i - n + 1) * step : i * step;
}

#define SYR2(f, T)                                                                                 \
    static void f##syr2_(P part, P order, P alpha, P x, P x_step, P y, P y_step, void *matrix,     \
                         P leading) {                                                              \
        int32_t n = *(const int32_t *)order, lda = *(const int32_t *)leading;                      \
        int32_t incx = *(const int32_t *)x_step, incy = *(const int32_t *)y_step;                  \
        T factor = *(const T *)alpha, *a = matrix;                                                 \
        const T *u = x, *v = y;                                                                    \
        for (int64_t j = 0; j < n; j++) {                                                          \
            int64_t begin = *(const char *)part == 'L' ? j : 0;                                    \
            int64_t end = *(const char *)part == 'L' ? n : j + 1;                                  \
            T of_u = factor * v[at(j, n, incy)], of_v = factor * u[at(j, n, incx)];                \
            for (int64_t i = begin; i < end; i++)                                                  \
                a[i + j * lda] += of_u * u[at(i, n, incx)] + of_v * v[at(i, n, incy)];             \
        }                                                                                          \
    }
SYR2(c, float complex)
SYR2(z, double complex)
GCL_BLAS_TASK(Csyr2, csyr2_, PART, N, ALPHA, FIRST, SECOND, THIRD)
GCL_BLAS_TASK(Zsyr2, zsyr2_, PART, N, ALPHA, FIRST, SECOND, THIRD)

// Entry points. I is the type of sizes; names end in `v2`. R is the type of her's and hpr's alpha.

#define TRIANGLE                                                                                   \
    cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t operation,                     \
        cublasDiagType_t diagonal
#define TRIANGULAR(L, f, name, T, I, v2)                                                           \
    cublasStatus_t cublas##L##tr##name##v2(TRIANGLE, I n, const T *a, I lda, T *x, I incx) {       \
        return triangular(handle, GCL_BLAS_##L, &f##tr##name##_task, FULL, part, operation,        \
                          diagonal, n, 0, a, lda, x, incx);                                        \
    }                                                                                              \
    cublasStatus_t cublas##L##tb##name##v2(TRIANGLE, I n, I k, const T *a, I lda, T *x, I incx) {  \
        return triangular(handle, GCL_BLAS_##L, &f##tb##name##_task, BAND, part, operation,        \
                          diagonal, n, k, a, lda, x, incx);                                        \
    }                                                                                              \
    cublasStatus_t cublas##L##tp##name##v2(TRIANGLE, I n, const T *a, T *x, I incx) {              \
        return triangular(handle, GCL_BLAS_##L, &f##tp##name##_task, PACKED, part, operation,      \
                          diagonal, n, 0, a, 1, x, incx);                                          \
    }
#define GBMV(L, f, T, I, v2)                                                                       \
    cublasStatus_t cublas##L##gbmv##v2(cublasHandle_t handle, cublasOperation_t operation, I m,    \
                                       I n, I below, I above, const T *alpha, const T *a, I lda,   \
                                       const T *x, I incx, const T *beta, T *y, I incy) {          \
        const struct banded b = {operation, m,     n, below, above, lda, incx,                     \
                                 incy,      alpha, a, x,     beta,  y};                            \
        return gbmv(handle, GCL_BLAS_##L, &f##gbmv_task, &b);                                      \
    }
#define ON_PART cublasHandle_t handle, cublasFillMode_t part
#define SYMMETRIC(L, f, sy, T, I, v2)                                                              \
    cublasStatus_t cublas##L##sy##mv##v2(ON_PART, I n, const T *alpha, const T *a, I lda,          \
                                         const T *x, I incx, const T *beta, T *y, I incy) {        \
        return symmetric(handle, GCL_BLAS_##L, &f##sy##mv_task, FULL, part, n, 0, alpha, a, lda,   \
                         x, incx, beta, y, incy);                                                  \
    }
#define BANDS(L, f, sb, sp, T, I, v2)                                                              \
    cublasStatus_t cublas##L##sb##mv##v2(ON_PART, I n, I k, const T *alpha, const T *a, I lda,     \
                                         const T *x, I incx, const T *beta, T *y, I incy) {        \
        return symmetric(handle, GCL_BLAS_##L, &f##sb##mv_task, BAND, part, n, k, alpha, a, lda,   \
                         x, incx, beta, y, incy);                                                  \
    }                                                                                              \
    cublasStatus_t cublas##L##sp##mv##v2(ON_PART, I n, const T *alpha, const T *a, const T *x,     \
                                         I incx, const T *beta, T *y, I incy) {                    \
        return symmetric(handle, GCL_BLAS_##L, &f##sp##mv_task, PACKED, part, n, 0, alpha, a, 1,   \
                         x, incx, beta, y, incy);                                                  \
    }
#define RANK_1(L, name, task, T, R, I, v2)                                                         \
    cublasStatus_t cublas##L##name##v2(ON_PART, I n, const R *alpha, const T *x, I incx, T *a,     \
                                       I lda) {                                                    \
        const struct update u = {                                                                  \
            (int)part, FULL, n, n, lda, incx, 0, alpha, x, NULL, a, sizeof(R)};                    \
        return update(handle, GCL_BLAS_##L, &task, &u);                                            \
    }
#define RANK_1_PACKED(L, name, task, T, R, I, v2)                                                  \
    cublasStatus_t cublas##L##name##v2(ON_PART, I n, const R *alpha, const T *x, I incx, T *a) {   \
        const struct update u = {                                                                  \
            (int)part, PACKED, n, n, 1, incx, 0, alpha, x, NULL, a, sizeof(R)};                    \
        return update(handle, GCL_BLAS_##L, &task, &u);                                            \
    }
#define RANK_2(L, name, task, T, I, v2)                                                            \
    cublasStatus_t cublas##L##name##v2(ON_PART, I n, const T *alpha, const T *x, I incx,           \
                                       const T *y, I incy, T *a, I lda) {                          \
        const struct update u = {                                                                  \
            (int)part, FULL, n, n, lda, incx, incy, alpha, x, y, a, sizeof(T)};                    \
        return update(handle, GCL_BLAS_##L, &task, &u);                                            \
    }
#define RANK_2_PACKED(L, name, task, T, I, v2)                                                     \
    cublasStatus_t cublas##L##name##v2(ON_PART, I n, const T *alpha, const T *x, I incx,           \
                                       const T *y, I incy, T *a) {                                 \
        const struct update u = {                                                                  \
            (int)part, PACKED, n, n, 1, incx, incy, alpha, x, y, a, sizeof(T)};                    \
        return update(handle, GCL_BLAS_##L, &task, &u);                                            \
    }
#define OUTER(L, name, task, T, I, v2)                                                             \
    cublasStatus_t cublas##L##name##v2(cublasHandle_t handle, I m, I n, const T *alpha,            \
                                       const T *x, I incx, const T *y, I incy, T *a, I lda) {      \
        const struct update u = {-1, FULL, m, n, lda, incx, incy, alpha, x, y, a, sizeof(T)};      \
        return update(handle, GCL_BLAS_##L, &task, &u);                                            \
    }
#define EVERY(L, f, T, I, v2)                                                                      \
    TRIANGULAR(L, f, mv, T, I, v2)                                                                 \
    TRIANGULAR(L, f, sv, T, I, v2)                                                                 \
    GBMV(L, f, T, I, v2)                                                                           \
    SYMMETRIC(L, f, sy, T, I, v2)                                                                  \
    RANK_1(L, syr, f##syr_task, T, T, I, v2)                                                       \
    RANK_2(L, syr2, f##syr2_task, T, I, v2)
#define REAL(L, f, T, I, v2)                                                                       \
    EVERY(L, f, T, I, v2)                                                                          \
    BANDS(L, f, sb, sp, T, I, v2)                                                                  \
    RANK_1_PACKED(L, spr, f##spr_task, T, T, I, v2)                                                \
    RANK_2_PACKED(L, spr2, f##spr2_task, T, I, v2)                                                 \
    OUTER(L, ger, f##ger_task, T, I, v2)
#define COMPLEX(L, f, T, R, I, v2)                                                                 \
    EVERY(L, f, T, I, v2)                                                                          \
    SYMMETRIC(L, f, he, T, I, v2)                                                                  \
    BANDS(L, f, hb, hp, T, I, v2)                                                                  \
    RANK_1(L, her, f##her_task, T, R, I, v2)                                                       \
    RANK_2(L, her2, f##her2_task, T, I, v2)                                                        \
    RANK_1_PACKED(L, hpr, f##hpr_task, T, R, I, v2)                                                \
    RANK_2_PACKED(L, hpr2, f##hpr2_task, T, I, v2)                                                 \
    OUTER(L, geru, f##geru_task, T, I, v2)                                                         \
    OUTER(L, gerc, f##gerc_task, T, I, v2)
#define ALL(I, v2)                                                                                 \
    REAL(S, s, float, I, v2)                                                                       \
    REAL(D, d, double, I, v2)                                                                      \
    COMPLEX(C, c, cuComplex, float, I, v2)                                                         \
    COMPLEX(Z, z, cuDoubleComplex, double, I, v2)
ALL(int, _v2)
ALL(int64_t, _v2_64)
