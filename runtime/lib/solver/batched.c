// Cholesky's factors of many matrices, which the program gives as an array of pointers in device
// memory. A task names its buffers when it is launched, so the call waits for the stream, reads the
// pointers, and launches a task for each few of the matrices.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

GCL_LAPACK(potrf, const char *part, const int *n, void *a, const int *lda, int *info, size_t)
GCL_LAPACK(potrs, const char *part, const int *n, const int *columns, const void *a, const int *lda,
           void *b, const int *ldb, int *info, size_t)

enum {
    BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE,
    FACTORS = GCL_TASK_BUFFERS - 1,      // matrices of a task that factors
    SYSTEMS = (GCL_TASK_BUFFERS - 1) / 2 // of one that solves
};

// The matrices of a batch, all of one size.
struct batch {
    enum gcl_solver_type type;
    char part;
    int count; // of a task
    int n, lda;
    int columns, ldb;
};

// Buffers: infos, matrices.
static void run_factors(void *const *buffers, const void *payload) {
    const struct batch *b = payload;
    int *infos = buffers[0];
    for (int i = 0; i < b->count; i++)
        potrf[b->type](&b->part, &b->n, buffers[1 + i], &b->lda, &infos[i], 1);
}

// Buffers: info, for each system A and B.
static void run_systems(void *const *buffers, const void *payload) {
    const struct batch *b = payload;
    for (int i = 0; i < b->count; i++)
        potrs[b->type](&b->part, &b->n, &b->columns, buffers[1 + 2 * i], &b->lda,
                       buffers[2 + 2 * i], &b->ldb, buffers[0], 1);
}

GCL_TASK(factors_task, "cusolverDnXpotrfBatched", run_factors)
GCL_TASK(systems_task, "cusolverDnXpotrsBatched", run_systems)

/// An array of pointers in device memory, to be freed; NULL: `status` says why.
static void **take(cusolverDnHandle_t handle, const void *pointers, int count,
                   cusolverStatus_t *status) {
    uint64_t size = (uint64_t)count * sizeof(void *);
    void **taken = malloc(size);
    *status = taken ? gcl_solver_copy(handle->stream, taken, pointers, size)
                    : CUSOLVER_STATUS_ALLOC_FAILED;
    if (*status == CUSOLVER_STATUS_SUCCESS)
        return taken;
    free(taken);
    return NULL;
}

/// What is wrong with a batch before any of it is looked at.
static cusolverStatus_t check(cusolverDnHandle_t handle, cublasFillMode_t part, const void *a,
                              const void *b, const int *info, int count) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    bool is_valid = gcl_solver_is_part(part) && info && count >= 0 && ((a && b) || count == 0);
    return is_valid ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

static cusolverStatus_t factor(cusolverDnHandle_t handle, struct batch b, cublasFillMode_t part,
                               const void *pointers, int *infos, int count) {
    cusolverStatus_t status = check(handle, part, pointers, pointers, infos, count);
    if (status != CUSOLVER_STATUS_SUCCESS || count == 0)
        return status;
    void **a = take(handle, pointers, count, &status);
    b.part = gcl_solver_part(part);
    for (int begin = 0; a && begin < count && status == CUSOLVER_STATUS_SUCCESS; begin += FACTORS) {
        struct gcl_solver_call call = gcl_solver_begin(handle, b.type);
        b.count = count - begin < FACTORS ? count - begin : FACTORS;
        gcl_solver_add_info(&call, infos + begin, b.count);
        for (int i = 0; i < b.count; i++)
            gcl_solver_add_matrix(&call, a[begin + i], b.n, b.n, b.lda, BOTH);
        status = gcl_solver_launch(&factors_task, &call, &b, sizeof b);
    }
    free(a);
    return status;
}

static cusolverStatus_t solve_all(cusolverDnHandle_t handle, struct batch b, void *const *a,
                                  void *const *x, int *info, int count) {
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    for (int begin = 0; begin < count && status == CUSOLVER_STATUS_SUCCESS; begin += SYSTEMS) {
        struct gcl_solver_call call = gcl_solver_begin(handle, b.type);
        b.count = count - begin < SYSTEMS ? count - begin : SYSTEMS;
        gcl_solver_add_info(&call, info, 1);
        for (int i = begin; i < begin + b.count; i++) {
            gcl_solver_add_matrix(&call, a[i], b.n, b.n, b.lda, GCL_BUFFER_READ);
            gcl_solver_add_matrix(&call, x[i], b.n, b.columns, b.ldb, BOTH);
        }
        status = gcl_solver_launch(&systems_task, &call, &b, sizeof b);
    }
    return status;
}

static cusolverStatus_t solve(cusolverDnHandle_t handle, struct batch b, cublasFillMode_t part,
                              const void *a_pointers, const void *b_pointers, int *info,
                              int count) {
    cusolverStatus_t status = check(handle, part, a_pointers, b_pointers, info, count);
    if (status != CUSOLVER_STATUS_SUCCESS || count == 0)
        return status;
    b.part = gcl_solver_part(part);
    void **a = take(handle, a_pointers, count, &status);
    void **x = a ? take(handle, b_pointers, count, &status) : NULL;
    if (x)
        status = solve_all(handle, b, a, x, info, count);
    free(a);
    free(x);
    return status;
}

#define TYPED(p, T)                                                                                \
    cusolverStatus_t cusolverDn##p##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t part, \
                                                 int n, T *a[], int lda, int *infos, int count) {  \
        return factor(handle, (struct batch){.type = GCL_SOLVER_##p, .n = n, .lda = lda}, part, a, \
                      infos, count);                                                               \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t part, \
                                                 int n, int columns, T *a[], int lda, T *b[],      \
                                                 int ldb, int *info, int count) {                  \
        struct batch batch = {                                                                     \
            .type = GCL_SOLVER_##p, .n = n, .lda = lda, .columns = columns, .ldb = ldb};           \
        return solve(handle, batch, part, a, b, info, count);                                      \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)
