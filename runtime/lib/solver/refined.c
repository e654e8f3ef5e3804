// Systems of equations and least squares that cuSOLVER solves in a smaller type and refines: solved
// here in the type itself, which needs no refinement. Matrices and right-hand sides stay as they
// are.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

GCL_LAPACK(gesv, const int *n, const int *columns, void *a, const int *lda, int *pivots, void *b,
           const int *ldb, int *info)
GCL_LAPACK(gels, const char *trans, const int *m, const int *n, const int *columns, void *a,
           const int *lda, void *b, const int *ldb, void *work, const int *size, int *info, size_t)

struct system {
    enum gcl_solver_type type;
    int m, n, columns;
    int lda, ldb, ldx;
};

static int leading(int rows) {
    return rows > 1 ? rows : 1;
}

// Buffers: A, B, X, info, pivots.
static void run_gesv(void *const *buffers, const void *payload) {
    const struct system *s = payload;
    int lda = leading(s->n), *info = buffers[3];
    void *a = gcl_solver_duplicate(s->type, s->n, s->n, buffers[0], s->lda);
    void *x = gcl_solver_duplicate(s->type, s->n, s->columns, buffers[1], s->ldb);
    gesv[s->type](&s->n, &s->columns, a, &lda, buffers[4], x, &lda, info);
    if (*info == 0)
        gcl_solver_move(s->type, s->n, s->columns, buffers[2], s->ldx, x, s->n);
    free(a);
    free(x);
}

// Buffers: A, B, X, info.
static void run_gels(void *const *buffers, const void *payload) {
    const struct system *s = payload;
    int lda = leading(s->m), *info = buffers[3], size = -1;
    double wanted[2] = {0};
    void *a = gcl_solver_duplicate(s->type, s->m, s->n, buffers[0], s->lda);
    void *x = gcl_solver_duplicate(s->type, s->m, s->columns, buffers[1], s->ldb);
    gels[s->type]("N", &s->m, &s->n, &s->columns, a, &lda, x, &lda, wanted, &size, info, 1);
    size = gcl_solver_wanted(s->type, wanted);
    void *work = gcl_solver_numbers(s->type, size);
    gels[s->type]("N", &s->m, &s->n, &s->columns, a, &lda, x, &lda, work, &size, info, 1);
    if (*info == 0)
        gcl_solver_move(s->type, s->n, s->columns, buffers[2], s->ldx, x, s->m);
    free(work);
    free(a);
    free(x);
}

GCL_TASK(gesv_task, "cusolverDnXXgesv", run_gesv)
GCL_TASK(gels_task, "cusolverDnXXgels", run_gels)

/// Adds A, B, X and info. X may stay as it is, and so is read.
static void prepare(struct gcl_solver_call *call, const struct system *s, const void *a,
                    const void *b, void *x, int *info) {
    gcl_solver_add_matrix(call, a, s->m, s->n, s->lda, GCL_BUFFER_READ);
    gcl_solver_add_matrix(call, b, s->m, s->columns, s->ldb, GCL_BUFFER_READ);
    gcl_solver_add_matrix(call, x, s->n, s->columns, s->ldx, GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    gcl_solver_add_info(call, info, 1);
}

/// Launches it. `iterations`, on the host, are those of the refinement: none.
static cusolverStatus_t launch(const struct gcl_task *task, struct gcl_solver_call *call,
                               const struct system *s, int *iterations) {
    gcl_solver_require(call, iterations);
    cusolverStatus_t status = gcl_solver_launch(task, call, s, sizeof *s);
    if (status == CUSOLVER_STATUS_SUCCESS)
        *iterations = 0;
    return status;
}

static cusolverStatus_t solve(cusolverDnHandle_t handle, struct system s, const void *a,
                              int *pivots, const void *b, void *x, int *iterations, int *info) {
    struct gcl_solver_call call = gcl_solver_begin(handle, s.type);
    prepare(&call, &s, a, b, x, info);
    gcl_solver_add(&call, pivots, (uint64_t)(s.n > 0 ? s.n : 0) * sizeof *pivots, GCL_BUFFER_WRITE);
    return launch(&gesv_task, &call, &s, iterations);
}

static cusolverStatus_t solve_least_squares(cusolverDnHandle_t handle, struct system s,
                                            const void *a, const void *b, void *x, int *iterations,
                                            int *info) {
    struct gcl_solver_call call = gcl_solver_begin(handle, s.type);
    gcl_solver_require(&call, s.m >= s.n);
    prepare(&call, &s, a, b, x, info);
    return launch(&gels_task, &call, &s, iterations);
}

#define TYPE_OF(A)                                                                                 \
    _Generic((A),                                                                                  \
        float *: GCL_SOLVER_S,                                                                     \
        double *: GCL_SOLVER_D,                                                                    \
        cuComplex *: GCL_SOLVER_C,                                                                 \
        cuDoubleComplex *: GCL_SOLVER_Z)
#define NO_ROW(name, parameters)
#define GESV(name, parameters)                                                                     \
    cusolverStatus_t cusolverDn##name parameters {                                                 \
        struct system s = {TYPE_OF(A), n, n, nrhs, lda, ldb, ldx};                                 \
        return solve(handle, s, A, ipiv, B, X, iterations, info);                                  \
    }
#define GELS(name, parameters)                                                                     \
    cusolverStatus_t cusolverDn##name parameters {                                                 \
        struct system s = {TYPE_OF(A), m, n, nrhs, lda, ldb, ldx};                                 \
        return solve_least_squares(handle, s, A, B, X, iterations, info);                          \
    }
__GCL_CUSOLVER_REFINED(NO_ROW, GESV, GELS)
