// Factors of symmetric matrices that need not be positive definite (Bunch and Kaufman's).
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

GCL_LAPACK(sytrf, const char *part, const int *n, void *a, const int *lda, int *pivots, void *work,
           const int *size, int *info, size_t)
GCL_LAPACK(sytri, const char *part, const int *n, void *a, const int *lda, const int *pivots,
           void *work, int *info, size_t)
GCL_LAPACK(sytrs, const char *part, const int *n, const int *columns, const void *a, const int *lda,
           const int *pivots, void *b, const int *ldb, int *info, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

struct symmetric {
    enum gcl_solver_type type;
    char part;
    int n, lda;
    int columns, ldb;
};

// Buffers: A, pivots, info.

static void run_sytrf(void *const *buffers, const void *payload) {
    const struct symmetric *s = payload;
    double wanted[2];
    int size = -1, *info = buffers[2];
    sytrf[s->type](&s->part, &s->n, buffers[0], &s->lda, buffers[1], wanted, &size, info, 1);
    size = gcl_solver_wanted(s->type, wanted);
    void *work = gcl_solver_numbers(s->type, size);
    sytrf[s->type](&s->part, &s->n, buffers[0], &s->lda, buffers[1], work, &size, info, 1);
    free(work);
}

static void run_sytri(void *const *buffers, const void *payload) {
    const struct symmetric *s = payload;
    void *work = gcl_solver_numbers(s->type, 2 * (int64_t)s->n);
    sytri[s->type](&s->part, &s->n, buffers[0], &s->lda, buffers[1], work, buffers[2], 1);
    free(work);
}

// Buffers: A, pivots of 64 bits, B, info.
static void run_sytrs(void *const *buffers, const void *payload) {
    const struct symmetric *s = payload;
    int *pivots = gcl_solver_allocate((uint64_t)s->n * sizeof *pivots);
    for (int i = 0; i < s->n; i++)
        pivots[i] = (int)((const int64_t *)buffers[1])[i];
    sytrs[s->type](&s->part, &s->n, &s->columns, buffers[0], &s->lda, pivots, buffers[2], &s->ldb,
                   buffers[3], 1);
    free(pivots);
}

GCL_TASK(sytrf_task, "cusolverDnXsytrf", run_sytrf)
GCL_TASK(sytri_task, "cusolverDnXsytri", run_sytri)
GCL_TASK(sytrs_task, "cusolverDnXsytrs", run_sytrs)

static cusolverStatus_t change(const struct gcl_task *task, struct gcl_solver_call call,
                               cublasFillMode_t part, int n, void *a, int lda, const int *pivots,
                               unsigned access, int *info) {
    struct symmetric s = {.type = call.type, .part = gcl_solver_part(part), .n = n, .lda = lda};
    gcl_solver_require(&call, gcl_solver_is_part(part));
    gcl_solver_add_matrix(&call, a, n, n, lda, BOTH);
    gcl_solver_add(&call, pivots, (uint64_t)(n > 0 ? n : 0) * sizeof *pivots, access);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(task, &call, &s, sizeof s);
}

#define TYPED(p, T)                                                                                \
    cusolverStatus_t cusolverDn##p##sytrf(cusolverDnHandle_t handle, cublasFillMode_t part, int n, \
                                          T *a, int lda, int *pivots, T *work, int size,           \
                                          int *info) {                                             \
        (void)work, (void)size;                                                                    \
        return change(&sytrf_task, gcl_solver_begin(handle, GCL_SOLVER_##p), part, n, a, lda,      \
                      pivots, GCL_BUFFER_WRITE, info);                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##sytri(cusolverDnHandle_t handle, cublasFillMode_t part, int n, \
                                          T *a, int lda, const int *pivots, T *work, int size,     \
                                          int *info) {                                             \
        (void)work, (void)size;                                                                    \
        return change(&sytri_task, gcl_solver_begin(handle, GCL_SOLVER_##p), part, n, a, lda,      \
                      pivots, GCL_BUFFER_READ, info);                                              \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)

cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t part, int64_t n,
                                  int64_t columns, cudaDataType type, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb,
                                  void *work, size_t size, void *host_work, size_t host_size,
                                  int *info) {
    (void)work, (void)size, (void)host_work, (void)host_size;
    struct gcl_solver_call call = gcl_solver_begin_generic(handle, type, type_b, NULL);
    struct symmetric s = {.type = call.type,
                          .part = gcl_solver_part(part),
                          .n = (int)n,
                          .lda = (int)lda,
                          .columns = (int)columns,
                          .ldb = (int)ldb};
    gcl_solver_require(&call, gcl_solver_is_part(part));
    gcl_solver_add_matrix(&call, a, n, n, lda, GCL_BUFFER_READ);
    gcl_solver_add(&call, pivots, (uint64_t)(n > 0 ? n : 0) * sizeof *pivots, GCL_BUFFER_READ);
    gcl_solver_add_matrix(&call, b, n, columns, ldb, BOTH);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&sytrs_task, &call, &s, sizeof s);
}
