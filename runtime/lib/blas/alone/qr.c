// QR factors of batches of matrices, and least squares.
#include <stdlib.h>

#include "batch.h"

enum {
    BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE,
    COLUMNS = 32 // of LAPACK's blocks, in workspaces
};

GCL_BLAS_ROUTINE(geqrf, const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                 const int *size, int *info)
GCL_BLAS_ROUTINE(gels, const char *operation, const int *m, const int *n, const int *columns,
                 void *a, const int *lda, void *b, const int *ldb, void *work, const int *size,
                 int *info, size_t)

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void run_geqrf(void *const *buffers, const void *payload) {
    const struct gcl_blas_batch *b = payload;
    int info, size = COLUMNS * b->n;
    void *work = gcl_blas_allocate((uint64_t)size * gcl_blas_size(b->type));
    for (int32_t i = 0; i < b->count; i++)
        geqrf[b->type](&b->m, &b->n, gcl_blas_batch_matrix(b, buffers, 0, i), &b->leading[0],
                       gcl_blas_batch_matrix(b, buffers, 1, i), work, &size, &info);
    free(work);
}

static void run_gels(void *const *buffers, const void *payload) {
    const struct gcl_blas_batch *b = payload;
    int size = COLUMNS * (b->n + most(b->n, b->columns));
    void *work = gcl_blas_allocate((uint64_t)size * gcl_blas_size(b->type));
    for (int32_t i = 0; i < b->count; i++) {
        int unused;
        gels[b->type]("N", &b->m, &b->n, &b->columns, gcl_blas_batch_matrix(b, buffers, 0, i),
                      &b->leading[0], gcl_blas_batch_matrix(b, buffers, 1, i), &b->leading[1], work,
                      &size, gcl_blas_batch_info(b, buffers, i, &unused), 1);
    }
    free(work);
}

#define TASKS(p)                                                                                   \
    GCL_TASK(geqrf_##p, "cublas" #p "geqrfBatched", run_geqrf)                                     \
    GCL_TASK(gels_##p, "cublas" #p "gelsBatched", run_gels)
TASKS(S)
TASKS(D)
TASKS(C)
TASKS(Z)

// `info`, on the host: which argument is wrong, counted as LAPACK does, negative; else 0.

static cublasStatus_t factor(struct gcl_blas_batched *call, const void *a, const void *tau,
                             int *info) {
    struct gcl_blas_batch *b = &call->batch;
    if (!call->handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!info)
        return CUBLAS_STATUS_INVALID_VALUE;
    *info = b->m < 0                                       ? -1
            : b->n < 0                                     ? -2
            : !gcl_blas_batch_is_wide(b->leading[0], b->m) ? -4
            : b->count < 0                                 ? -7
                                                           : 0;
    if (*info)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (b->m == 0 || b->n == 0 || b->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!a || !tau)
        return CUBLAS_STATUS_INVALID_VALUE;
    int32_t count = least(b->m, b->n);
    b->leading[1] = count;
    call->operands[0] = (struct gcl_blas_batch_operand){a, b->m, b->n, BOTH};
    call->operands[1] = (struct gcl_blas_batch_operand){tau, count, 1, BOTH};
    return gcl_blas_run_batch(call);
}

// `infos`, on the device: of each problem the 0 on R's diagonal, from 1 on, for which it has no
// solution; 0: there is one. NULL: not wanted.
static cublasStatus_t fit(struct gcl_blas_batched *call, cublasOperation_t operation, const void *a,
                          const void *c, int *info, int *infos) {
    struct gcl_blas_batch *b = &call->batch;
    if (!call->handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!info)
        return CUBLAS_STATUS_INVALID_VALUE;
    *info = !gcl_blas_is_operation(operation)              ? -1
            : b->m < 0                                     ? -2
            : b->n < 0                                     ? -3
            : b->columns < 0                               ? -4
            : !gcl_blas_batch_is_wide(b->leading[0], b->m) ? -6
            : !gcl_blas_batch_is_wide(b->leading[1], b->m) ? -8
            : b->count < 0                                 ? -11
                                                           : 0;
    if (*info)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (operation != CUBLAS_OP_N || b->m < b->n) // nor has cuBLAS
        return gcl_blas_refuse(call->task->name, "only with CUBLAS_OP_N, and m not less than n");
    if (b->n == 0 || b->columns == 0 || b->count == 0)
        return gcl_blas_skip_batch(call->handle, infos, b->count);
    if (!a || !c)
        return CUBLAS_STATUS_INVALID_VALUE;
    b->has_infos = infos != NULL;
    call->operands[0] = (struct gcl_blas_batch_operand){a, b->m, b->n, BOTH};
    call->operands[1] = (struct gcl_blas_batch_operand){c, b->m, b->columns, BOTH};
    if (infos)
        call->infos = gcl_blas_infos(infos);
    return gcl_blas_run_batch(call);
}

#define TYPED(p, T)                                                                                \
    cublasStatus_t cublas##p##geqrfBatched(cublasHandle_t handle, int m, int n, T *const *a,       \
                                           int lda, T *const *tau, int *info, int count) {         \
        struct gcl_blas_batched call = {                                                           \
            .handle = handle,                                                                      \
            .task = &geqrf_##p,                                                                    \
            .batch = {.type = GCL_BLAS_##p, .m = m, .n = n, .leading = {lda}, .count = count}};    \
        return factor(&call, a, tau, info);                                                        \
    }                                                                                              \
    cublasStatus_t cublas##p##gelsBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t operation, int m, int n, int columns,             \
        T *const *a, int lda, T *const *c, int ldc, int *info, int *infos, int count) {            \
        struct gcl_blas_batched call = {.handle = handle,                                          \
                                        .task = &gels_##p,                                         \
                                        .batch = {.type = GCL_BLAS_##p,                            \
                                                  .m = m,                                          \
                                                  .n = n,                                          \
                                                  .columns = columns,                              \
                                                  .leading = {lda, ldc},                           \
                                                  .count = count}};                                \
        return fit(&call, operation, a, c, info, infos);                                           \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)
