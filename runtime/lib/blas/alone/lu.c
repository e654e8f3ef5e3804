// LU factors of batches of square matrices, and what is done with them: systems, inverses.
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"

enum {
    BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE,
    COLUMNS = 32,        // of LAPACK's blocks, in workspaces
    LARGEST_INVERSE = 32 // matinvBatched's, in cuBLAS
};

GCL_BLAS_ROUTINE(getrf, const int *m, const int *n, void *a, const int *lda, int *pivots, int *info)
GCL_BLAS_ROUTINE(getri, const int *n, void *a, const int *lda, const int *pivots, void *work,
                 const int *size, int *info)
GCL_BLAS_ROUTINE(getrs, const char *operation, const int *n, const int *columns, const void *a,
                 const int *lda, const int *pivots, void *b, const int *ldb, int *info, size_t)

// Factors without an exchange of rows. Returns the first 0 on U's diagonal, from 1 on; 0: none.
#define WITHOUT_PIVOTS(T, name)                                                                    \
    static int name(int64_t n, void *matrix, int64_t lda) {                                        \
        T *a = matrix;                                                                             \
        int zero = 0;                                                                              \
        for (int64_t k = 0; k < n; k++) {                                                          \
            T pivot = a[k + k * lda];                                                              \
            if (pivot == 0 && !zero)                                                               \
                zero = (int)k + 1;                                                                 \
            for (int64_t i = k + 1; i < n && pivot != 0; i++)                                      \
                a[i + k * lda] /= pivot;                                                           \
            for (int64_t j = k + 1; j < n; j++)                                                    \
                for (int64_t i = k + 1; i < n; i++)                                                \
                    a[i + j * lda] -= a[i + k * lda] * a[k + j * lda];                             \
        }                                                                                          \
        return zero;                                                                               \
    }
WITHOUT_PIVOTS(float, factor_s)
WITHOUT_PIVOTS(double, factor_d)
WITHOUT_PIVOTS(float complex, factor_c)
WITHOUT_PIVOTS(double complex, factor_z)
static int (*const factor_without_pivots[])(int64_t n, void *a, int64_t lda) = {factor_s, factor_d,
                                                                                factor_c, factor_z};

// Pivots of problem `i`; without any, those that exchange nothing, which are in `unused`.
static int *pivots_of(const struct gcl_blas_batch *b, void *const *buffers, int32_t i,
                      int *unused) {
    return b->has_pivots ? (int *)buffers[GCL_BLAS_BATCH_PIVOTS] + (int64_t)i * b->n : unused;
}

static int *no_exchanges(int32_t n) {
    int *pivots = gcl_blas_allocate((uint64_t)n * sizeof *pivots);
    for (int32_t i = 0; i < n; i++)
        pivots[i] = i + 1;
    return pivots;
}

static void run_getrf(void *const *buffers, const void *payload) {
    const struct gcl_blas_batch *b = payload;
    for (int32_t i = 0; i < b->count; i++) {
        void *a = gcl_blas_batch_matrix(b, buffers, 0, i);
        int *info = (int *)buffers[GCL_BLAS_BATCH_INFOS] + i;
        if (b->has_pivots)
            getrf[b->type](&b->n, &b->n, a, &b->leading[0], pivots_of(b, buffers, i, NULL), info);
        else
            *info = factor_without_pivots[b->type](b->n, a, b->leading[0]);
    }
}

static void run_getrs(void *const *buffers, const void *payload) {
    const struct gcl_blas_batch *b = payload;
    int info, *unused = no_exchanges(b->n);
    for (int32_t i = 0; i < b->count; i++)
        getrs[b->type](&b->operation, &b->n, &b->columns, gcl_blas_batch_matrix(b, buffers, 0, i),
                       &b->leading[0], pivots_of(b, buffers, i, unused),
                       gcl_blas_batch_matrix(b, buffers, 1, i), &b->leading[1], &info, 1);
    free(unused);
}

static void copy(const struct gcl_blas_batch *b, const void *from, void *to) {
    uint64_t size = gcl_blas_size(b->type);
    for (int64_t j = 0; j < b->n; j++)
        memmove((char *)to + (uint64_t)(j * b->leading[1]) * size,
                (const char *)from + (uint64_t)(j * b->leading[0]) * size, (uint64_t)b->n * size);
}

// The inverse by factors, or, with `is_matrix`, of the matrix itself.
static void invert(void *const *buffers, const struct gcl_blas_batch *b, bool is_matrix) {
    int *unused = no_exchanges(b->n), size = COLUMNS * b->n;
    void *work = gcl_blas_allocate((uint64_t)size * gcl_blas_size(b->type));
    for (int32_t i = 0; i < b->count; i++) {
        void *inverse = gcl_blas_batch_matrix(b, buffers, 1, i);
        int *info = (int *)buffers[GCL_BLAS_BATCH_INFOS] + i;
        int *pivots = pivots_of(b, buffers, i, unused);
        copy(b, gcl_blas_batch_matrix(b, buffers, 0, i), inverse);
        *info = 0;
        if (is_matrix)
            getrf[b->type](&b->n, &b->n, inverse, &b->leading[1], pivots, info);
        if (*info == 0)
            getri[b->type](&b->n, inverse, &b->leading[1], pivots, work, &size, info);
    }
    free(work);
    free(unused);
}

static void run_getri(void *const *buffers, const void *payload) {
    invert(buffers, payload, false);
}

static void run_matinv(void *const *buffers, const void *payload) {
    invert(buffers, payload, true);
}

#define TASK(name, p) GCL_TASK(name##_##p, "cublas" #p #name "Batched", run_##name)
#define TASKS(name)                                                                                \
    TASK(name, S)                                                                                  \
    TASK(name, D)                                                                                  \
    TASK(name, C)                                                                                  \
    TASK(name, Z)
TASKS(getrf)
TASKS(getrs)
TASKS(getri)
TASKS(matinv)

static struct gcl_buffer pivots(const int *at, int32_t n, uint64_t access) {
    return (struct gcl_buffer){(void *)(uintptr_t)at, at ? (uint64_t)n * sizeof *at : 0, access};
}

static cublasStatus_t factor(struct gcl_blas_batched *call, const void *a, int *p, int *infos) {
    const struct gcl_blas_batch *b = &call->batch;
    if (!call->handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (b->n < 0 || b->count < 0 || !gcl_blas_batch_is_wide(b->leading[0], b->n) ||
        (b->count > 0 && (!infos || (b->n > 0 && !a))))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (b->n == 0 || b->count == 0)
        return gcl_blas_skip_batch(call->handle, infos, b->count);
    call->batch.has_pivots = p != NULL;
    call->operands[0] = (struct gcl_blas_batch_operand){a, b->n, b->n, BOTH};
    call->pivots = pivots(p, b->n, GCL_BUFFER_WRITE);
    call->infos = gcl_blas_infos(infos);
    return gcl_blas_run_batch(call);
}

// Inverses C by factors A and pivots P, or by matrices A alone.
static cublasStatus_t inverse(struct gcl_blas_batched *call, const void *a, const int *p,
                              const void *c, int *infos) {
    const struct gcl_blas_batch *b = &call->batch;
    if (!call->handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (b->n < 0 || b->count < 0 || !gcl_blas_batch_is_wide(b->leading[0], b->n) ||
        !gcl_blas_batch_is_wide(b->leading[1], b->n) ||
        (b->count > 0 && (!infos || (b->n > 0 && (!a || !c)))))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (b->n == 0 || b->count == 0)
        return gcl_blas_skip_batch(call->handle, infos, b->count);
    call->batch.has_pivots = p != NULL;
    call->operands[0] = (struct gcl_blas_batch_operand){a, b->n, b->n, GCL_BUFFER_READ};
    call->operands[1] = (struct gcl_blas_batch_operand){c, b->n, b->n, BOTH};
    call->pivots = pivots(p, b->n, GCL_BUFFER_READ);
    call->infos = gcl_blas_infos(infos);
    return gcl_blas_run_batch(call);
}

// `info`, on the host: which argument is wrong, counted as LAPACK does, negative; else 0.
static cublasStatus_t solve(struct gcl_blas_batched *call, cublasOperation_t operation,
                            const void *a, const int *p, const void *x, int *info) {
    struct gcl_blas_batch *b = &call->batch;
    if (!call->handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!info)
        return CUBLAS_STATUS_INVALID_VALUE;
    *info = !gcl_blas_is_operation(operation)              ? -1
            : b->n < 0                                     ? -2
            : b->columns < 0                               ? -3
            : !gcl_blas_batch_is_wide(b->leading[0], b->n) ? -5
            : !gcl_blas_batch_is_wide(b->leading[1], b->n) ? -8
            : b->count < 0                                 ? -10
                                                           : 0;
    if (*info)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (b->n == 0 || b->columns == 0 || b->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!a || !x)
        return CUBLAS_STATUS_INVALID_VALUE;
    b->operation = "NTC"[operation];
    b->has_pivots = p != NULL;
    call->operands[0] = (struct gcl_blas_batch_operand){a, b->n, b->n, GCL_BUFFER_READ};
    call->operands[1] = (struct gcl_blas_batch_operand){x, b->n, b->columns, BOTH};
    call->pivots = pivots(p, b->n, GCL_BUFFER_READ);
    return gcl_blas_run_batch(call);
}

#define CALL(p, name, ...)                                                                         \
    {                                                                                              \
        .handle = handle, .task = &name##_##p, .batch = {                                          \
            .type = GCL_BLAS_##p,                                                                  \
            .n = n,                                                                                \
            .count = count,                                                                        \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TYPED(p, T)                                                                                \
    cublasStatus_t cublas##p##getrfBatched(cublasHandle_t handle, int n, T *const *a, int lda,     \
                                           int *pivots, int *infos, int count) {                   \
        struct gcl_blas_batched call = CALL(p, getrf, .leading = {lda});                           \
        return factor(&call, a, pivots, infos);                                                    \
    }                                                                                              \
    cublasStatus_t cublas##p##getriBatched(cublasHandle_t handle, int n, const T *const *a,        \
                                           int lda, const int *pivots, T *const *c, int ldc,       \
                                           int *infos, int count) {                                \
        struct gcl_blas_batched call = CALL(p, getri, .leading = {lda, ldc});                      \
        return inverse(&call, a, pivots, c, infos);                                                \
    }                                                                                              \
    cublasStatus_t cublas##p##matinvBatched(cublasHandle_t handle, int n, const T *const *a,       \
                                            int lda, T *const *c, int ldc, int *infos,             \
                                            int count) {                                           \
        struct gcl_blas_batched call = CALL(p, matinv, .leading = {lda, ldc});                     \
        return n > LARGEST_INVERSE ? CUBLAS_STATUS_INVALID_VALUE                                   \
                                   : inverse(&call, a, NULL, c, infos);                            \
    }                                                                                              \
    cublasStatus_t cublas##p##getrsBatched(                                                        \
        cublasHandle_t handle, cublasOperation_t operation, int n, int columns, const T *const *a, \
        int lda, const int *pivots, T *const *b, int ldb, int *info, int count) {                  \
        struct gcl_blas_batched call = CALL(p, getrs, .columns = columns, .leading = {lda, ldb});  \
        return solve(&call, operation, a, pivots, b, info);                                        \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)
