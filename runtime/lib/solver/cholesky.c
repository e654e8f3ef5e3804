// Cholesky's factors of matrices, and what is done with them and with other triangles.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

GCL_LAPACK(potrf, const char *part, const int *n, void *a, const int *lda, int *info, size_t)
GCL_LAPACK(potri, const char *part, const int *n, void *a, const int *lda, int *info, size_t)
GCL_LAPACK(lauum, const char *part, const int *n, void *a, const int *lda, int *info, size_t)
GCL_LAPACK(potrs, const char *part, const int *n, const int *columns, const void *a, const int *lda,
           void *b, const int *ldb, int *info, size_t)
GCL_LAPACK(trtri, const char *part, const char *diagonal, const int *n, void *a, const int *lda,
           int *info, size_t, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

// A triangle, and for systems the right-hand sides.
struct triangle {
    enum gcl_solver_type type;
    char part, diagonal;
    int n, lda;
    int columns, ldb;
};

// Buffers: A, info.

static void run_potrf(void *const *buffers, const void *payload) {
    const struct triangle *t = payload;
    potrf[t->type](&t->part, &t->n, buffers[0], &t->lda, buffers[1], 1);
}

static void run_potri(void *const *buffers, const void *payload) {
    const struct triangle *t = payload;
    potri[t->type](&t->part, &t->n, buffers[0], &t->lda, buffers[1], 1);
}

static void run_lauum(void *const *buffers, const void *payload) {
    const struct triangle *t = payload;
    lauum[t->type](&t->part, &t->n, buffers[0], &t->lda, buffers[1], 1);
}

static void run_trtri(void *const *buffers, const void *payload) {
    const struct triangle *t = payload;
    trtri[t->type](&t->part, &t->diagonal, &t->n, buffers[0], &t->lda, buffers[1], 1, 1);
}

// Buffers: A, B, info.
static void run_potrs(void *const *buffers, const void *payload) {
    const struct triangle *t = payload;
    potrs[t->type](&t->part, &t->n, &t->columns, buffers[0], &t->lda, buffers[1], &t->ldb,
                   buffers[2], 1);
}

GCL_TASK(potrf_task, "cusolverDnXpotrf", run_potrf)
GCL_TASK(potrs_task, "cusolverDnXpotrs", run_potrs)
GCL_TASK(potri_task, "cusolverDnXpotri", run_potri)
GCL_TASK(lauum_task, "cusolverDnXlauum", run_lauum)
GCL_TASK(trtri_task, "cusolverDnXtrtri", run_trtri)

/// The task changes a triangle in place.
static cusolverStatus_t change(const struct gcl_task *task, struct gcl_solver_call call,
                               cublasFillMode_t part, cublasDiagType_t diagonal, int64_t n, void *a,
                               int64_t lda, int *info) {
    gcl_solver_require(&call, gcl_solver_is_part(part));
    gcl_solver_add_matrix(&call, a, n, n, lda, BOTH);
    gcl_solver_add_info(&call, info, 1);
    struct triangle t = {.type = call.type,
                         .part = gcl_solver_part(part),
                         .diagonal = diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N',
                         .n = (int)n,
                         .lda = (int)lda};
    return gcl_solver_launch(task, &call, &t, sizeof t);
}

static cusolverStatus_t solve(struct gcl_solver_call call, cublasFillMode_t part, int64_t n,
                              int64_t columns, const void *a, int64_t lda, void *b, int64_t ldb,
                              int *info) {
    gcl_solver_require(&call, gcl_solver_is_part(part));
    gcl_solver_add_matrix(&call, a, n, n, lda, GCL_BUFFER_READ);
    gcl_solver_add_matrix(&call, b, n, columns, ldb, BOTH);
    gcl_solver_add_info(&call, info, 1);
    struct triangle t = {.type = call.type,
                         .part = gcl_solver_part(part),
                         .n = (int)n,
                         .lda = (int)lda,
                         .columns = (int)columns,
                         .ldb = (int)ldb};
    return gcl_solver_launch(&potrs_task, &call, &t, sizeof t);
}

// Entry points.

#define IN_PLACE(name, p, T)                                                                       \
    cusolverStatus_t cusolverDn##p##name(cusolverDnHandle_t handle, cublasFillMode_t part, int n,  \
                                         T *a, int lda, T *work, int size, int *info) {            \
        (void)work, (void)size;                                                                    \
        return change(&name##_task, gcl_solver_begin(handle, GCL_SOLVER_##p), part,                \
                      CUBLAS_DIAG_NON_UNIT, n, a, lda, info);                                      \
    }
#define TYPED(p, T)                                                                                \
    IN_PLACE(potrf, p, T)                                                                          \
    IN_PLACE(potri, p, T)                                                                          \
    IN_PLACE(lauum, p, T)                                                                          \
    cusolverStatus_t cusolverDn##p##potrs(cusolverDnHandle_t handle, cublasFillMode_t part, int n, \
                                          int columns, const T *a, int lda, T *b, int ldb,         \
                                          int *info) {                                             \
        return solve(gcl_solver_begin(handle, GCL_SOLVER_##p), part, n, columns, a, lda, b, ldb,   \
                     info);                                                                        \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t part, int64_t n, cudaDataType type, void *a,
                                  int64_t lda, cudaDataType compute_type, void *work, size_t size,
                                  void *host_work, size_t host_size, int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    return change(&potrf_task, gcl_solver_begin_generic(handle, type, compute_type, NULL), part,
                  CUBLAS_DIAG_NON_UNIT, n, a, lda, info);
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t part,
                                  cublasDiagType_t diagonal, int64_t n, cudaDataType type, void *a,
                                  int64_t lda, void *work, size_t size, void *host_work,
                                  size_t host_size, int *info) {
    (void)work, (void)size, (void)host_work, (void)host_size;
    return change(&trtri_task, gcl_solver_begin_generic(handle, type, type, NULL), part, diagonal,
                  n, a, lda, info);
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t part, int64_t n, int64_t columns,
                                  cudaDataType type, const void *a, int64_t lda,
                                  cudaDataType type_b, void *b, int64_t ldb, int *info) {
    (void)params;
    return solve(gcl_solver_begin_generic(handle, type, type_b, NULL), part, n, columns, a, lda, b,
                 ldb, info);
}
