// Triangular matrices: systems of batches, and packed ones.
#include <string.h>

#include "alone.h"
#include "batch.h"

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

GCL_BLAS_ROUTINE(trsm, const char *side, const char *part, const char *operation,
                 const char *diagonal, const int *m, const int *n, const void *alpha, const void *a,
                 const int *lda, void *b, const int *ldb, size_t, size_t, size_t, size_t)

static void run_trsm(void *const *buffers, const void *payload) {
    const struct gcl_blas_batch *b = payload;
    const void *alpha = b->has_alpha ? &b->alpha : buffers[GCL_BLAS_BATCH_ALPHA];
    for (int32_t i = 0; i < b->count; i++)
        trsm[b->type](&b->side, &b->part, &b->operation, &b->diagonal, &b->m, &b->n, alpha,
                      gcl_blas_batch_matrix(b, buffers, 0, i), &b->leading[0],
                      gcl_blas_batch_matrix(b, buffers, 1, i), &b->leading[1], 1, 1, 1, 1);
}

/// The systems of a batch.
struct systems {
    cublasSideMode_t side;
    cublasFillMode_t part;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;
    int64_t m, n, lda, ldb, count;
    const void *alpha, *a, *b;
};

static bool is_valid(const struct systems *s, int64_t order) {
    return (unsigned)s->side <= CUBLAS_SIDE_RIGHT && (unsigned)s->part <= CUBLAS_FILL_MODE_UPPER &&
           gcl_blas_is_operation(s->operation) && (unsigned)s->diagonal <= CUBLAS_DIAG_UNIT &&
           s->m >= 0 && s->n >= 0 && s->count >= 0 && gcl_blas_is_wide(s->lda, order) &&
           gcl_blas_is_wide(s->ldb, s->m);
}

static cublasStatus_t solve(cublasHandle_t handle, enum gcl_blas_type type,
                            const struct gcl_task *task, const struct systems *s) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    int64_t order = s->side == CUBLAS_SIDE_LEFT ? s->m : s->n;
    if (!is_valid(s, order))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (s->m == 0 || s->n == 0 || s->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!s->alpha || !s->a || !s->b)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gcl_blas_fits(s->m) || !gcl_blas_fits(s->n) || !gcl_blas_fits(s->lda) ||
        !gcl_blas_fits(s->ldb) || !gcl_blas_fits(s->count))
        return gcl_blas_refuse(task->name, "sizes have at most 2^31 - 1");
    struct gcl_blas_batched call = {
        .handle = handle,
        .task = task,
        .batch = {.type = type,
                  .side = GCL_BLAS_SIDES[s->side],
                  .part = GCL_BLAS_PARTS[s->part],
                  .operation = GCL_BLAS_OPERATIONS[s->operation],
                  .diagonal = GCL_BLAS_DIAGONALS[s->diagonal],
                  .m = (int32_t)s->m,
                  .n = (int32_t)s->n,
                  .leading = {(int32_t)s->lda, (int32_t)s->ldb},
                  .count = (int32_t)s->count,
                  .has_alpha = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST},
        .operands = {{s->a, order, order, GCL_BUFFER_READ}, {s->b, s->m, s->n, BOTH}}};
    if (call.batch.has_alpha)
        memcpy(&call.batch.alpha, s->alpha, gcl_blas_size(type));
    else
        call.alpha =
            (struct gcl_buffer){(void *)(uintptr_t)s->alpha, gcl_blas_size(type), GCL_BUFFER_READ};
    return gcl_blas_run_batch(&call);
}

// Packed matrices: columns of a triangle one behind the other.

#define P gcl_blas_address
#define TASKS(L, f)                                                                                \
    void f##tpttr_(P, P, P, P, P, P, size_t);                                                      \
    void f##trttp_(P, P, P, P, P, P, size_t);                                                      \
    static void f##tpttr_run(void *const *buffers, const void *payload) {                          \
        const struct gcl_blas_call *c = payload;                                                   \
        GCL_BLAS_FORTRAN(c)                                                                        \
        int info = 0;                                                                              \
        f##tpttr_(PART, N, buffers[0], SECOND, &info, 1);                                          \
    }                                                                                              \
    static void f##trttp_run(void *const *buffers, const void *payload) {                          \
        const struct gcl_blas_call *c = payload;                                                   \
        GCL_BLAS_FORTRAN(c)                                                                        \
        int info = 0;                                                                              \
        f##trttp_(PART, N, SECOND, buffers[0], &info, 1);                                          \
    }                                                                                              \
    GCL_TASK(f##tpttr_task, "cublas" #L "tpttr", f##tpttr_run)                                     \
    GCL_TASK(f##trttp_task, "cublas" #L "trttp", f##trttp_run)                                     \
    GCL_TASK(f##trsm_task, "cublas" #L "trsmBatched", run_trsm)
TASKS(S, s)
TASKS(D, d)
TASKS(C, c)
TASKS(Z, z)

/// A triangle twice: packed, and in a matrix.
struct packed {
    cublasFillMode_t part;
    int64_t n, leading;
    const void *packed, *matrix;
};

// `to_matrix`: packed it is read, else it is written so.
static cublasStatus_t repack(cublasHandle_t handle, enum gcl_blas_type type,
                             const struct gcl_task *task, const struct packed *p, bool to_matrix) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((unsigned)p->part > CUBLAS_FILL_MODE_UPPER || p->n < 0 ||
        !gcl_blas_is_wide(p->leading, p->n))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.part = GCL_BLAS_PARTS[p->part];
    alone.call.n = gcl_blas_narrow(&alone, p->n);
    gcl_blas_take_vector(&alone, 0, p->packed, p->n * (p->n + 1) / 2, 1, type,
                         to_matrix ? GCL_BUFFER_READ : GCL_BUFFER_WRITE);
    gcl_blas_take_matrix(&alone, 1, p->matrix, p->n, p->n, p->leading, type,
                         to_matrix ? BOTH : GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

// Entry points.

#define TRSM(L, f, T, I, suffix)                                                                   \
    cublasStatus_t cublas##L##trsmBatched##suffix(                                                 \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,                       \
        cublasOperation_t operation, cublasDiagType_t diagonal, I m, I n, const T *alpha,          \
        const T *const *a, I lda, T *const *b, I ldb, I count) {                                   \
        const struct systems s = {side, part, operation, diagonal, m, n,                           \
                                  lda,  ldb,  count,     alpha,    a, b};                          \
        return solve(handle, GCL_BLAS_##L, &f##trsm_task, &s);                                     \
    }
#define TYPED(L, f, T)                                                                             \
    TRSM(L, f, T, int, )                                                                           \
    TRSM(L, f, T, int64_t, _64)                                                                    \
    cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t part, int n,           \
                                    const T *packed, T *a, int lda) {                              \
        const struct packed p = {part, n, lda, packed, a};                                         \
        return repack(handle, GCL_BLAS_##L, &f##tpttr_task, &p, true);                             \
    }                                                                                              \
    cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t part, int n,           \
                                    const T *a, int lda, T *packed) {                              \
        const struct packed p = {part, n, lda, packed, a};                                         \
        return repack(handle, GCL_BLAS_##L, &f##trttp_task, &p, false);                            \
    }
TYPED(S, s, float)
TYPED(D, d, double)
TYPED(C, c, cuComplex)
TYPED(Z, z, cuDoubleComplex)
