// Products of reflections: QR factors, and reductions to two and three diagonals, with the
// orthogonal matrices that they make.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

GCL_LAPACK(geqrf, const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
           const int *size, int *info)
GCL_LAPACK(gebrd, const int *m, const int *n, void *a, const int *lda, void *d, void *e, void *tauq,
           void *taup, void *work, const int *size, int *info)
GCL_LAPACK_BY_NAMES(sytrd, ssytrd, dsytrd, chetrd, zhetrd, const char *part, const int *n, void *a,
                    const int *lda, void *d, void *e, void *tau, void *work, const int *size,
                    int *info, size_t)
GCL_LAPACK_BY_NAMES(orgqr, sorgqr, dorgqr, cungqr, zungqr, const int *m, const int *n, const int *k,
                    void *a, const int *lda, const void *tau, void *work, const int *size,
                    int *info)
GCL_LAPACK_BY_NAMES(orgbr, sorgbr, dorgbr, cungbr, zungbr, const char *which, const int *m,
                    const int *n, const int *k, void *a, const int *lda, const void *tau,
                    void *work, const int *size, int *info, size_t)
GCL_LAPACK_BY_NAMES(orgtr, sorgtr, dorgtr, cungtr, zungtr, const char *part, const int *n, void *a,
                    const int *lda, const void *tau, void *work, const int *size, int *info, size_t)
GCL_LAPACK_BY_NAMES(ormqr, sormqr, dormqr, cunmqr, zunmqr, const char *side, const char *trans,
                    const int *m, const int *n, const int *k, void *a, const int *lda,
                    const void *tau, void *c, const int *ldc, void *work, const int *size,
                    int *info, size_t, size_t)
GCL_LAPACK_BY_NAMES(ormtr, sormtr, dormtr, cunmtr, zunmtr, const char *side, const char *part,
                    const char *trans, const int *m, const int *n, void *a, const int *lda,
                    const void *tau, void *c, const int *ldc, void *work, const int *size,
                    int *info, size_t, size_t, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

// The matrix with the reflections, and what they are applied to.
struct reflections {
    enum gcl_solver_type type;
    char part, side, trans;
    int m, n, k, lda, ldc;
    int rows, columns; // of the matrix that has them, where it isn't m x n
};

/// Calls `routine`, whose last arguments but those in `lengths` are a workspace, its size, and
/// info: once for the size, and once to do it.
#define WITH_WORK(routine, r, info, arguments, ...)                                                \
    do {                                                                                           \
        double wanted[2];                                                                          \
        int size = -1;                                                                             \
        routine[(r)->type](arguments, wanted, &size, info __VA_ARGS__);                            \
        size = gcl_solver_wanted((r)->type, wanted);                                               \
        void *work = gcl_solver_numbers((r)->type, size);                                          \
        routine[(r)->type](arguments, work, &size, info __VA_ARGS__);                              \
        free(work);                                                                                \
    } while (0)
#define LIST(...) __VA_ARGS__

// Buffers: A, tau, info.

static void run_geqrf(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(geqrf, r, buffers[2], LIST(&r->m, &r->n, buffers[0], &r->lda, buffers[1]));
}

static void run_orgqr(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(orgqr, r, buffers[2], LIST(&r->m, &r->n, &r->k, buffers[0], &r->lda, buffers[1]));
}

static void run_orgbr(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(orgbr, r, buffers[2],
              LIST(&r->side, &r->m, &r->n, &r->k, buffers[0], &r->lda, buffers[1]), , 1);
}

static void run_orgtr(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(orgtr, r, buffers[2], LIST(&r->part, &r->n, buffers[0], &r->lda, buffers[1]), , 1);
}

// Buffers: A, d, e, tau, info.
static void run_sytrd(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(sytrd, r, buffers[4],
              LIST(&r->part, &r->n, buffers[0], &r->lda, buffers[1], buffers[2], buffers[3]), , 1);
}

// Buffers: A, d, e, tauq, taup, info.
static void run_gebrd(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    WITH_WORK(
        gebrd, r, buffers[5],
        LIST(&r->m, &r->n, buffers[0], &r->lda, buffers[1], buffers[2], buffers[3], buffers[4]));
}

// Buffers: A, tau, C, info. LAPACK changes elements of A while it works, which others may read.

static void run_ormqr(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    void *a = gcl_solver_duplicate(r->type, r->rows, r->columns, buffers[0], r->lda);
    int lda = r->rows > 1 ? r->rows : 1;
    WITH_WORK(
        ormqr, r, buffers[3],
        LIST(&r->side, &r->trans, &r->m, &r->n, &r->k, a, &lda, buffers[1], buffers[2], &r->ldc), ,
        1, 1);
    free(a);
}

static void run_ormtr(void *const *buffers, const void *payload) {
    const struct reflections *r = payload;
    void *a = gcl_solver_duplicate(r->type, r->rows, r->columns, buffers[0], r->lda);
    int lda = r->rows > 1 ? r->rows : 1;
    WITH_WORK(
        ormtr, r, buffers[3],
        LIST(&r->side, &r->part, &r->trans, &r->m, &r->n, a, &lda, buffers[1], buffers[2], &r->ldc),
        , 1, 1, 1);
    free(a);
}

GCL_TASK(geqrf_task, "cusolverDnXgeqrf", run_geqrf)
GCL_TASK(orgqr_task, "cusolverDnXorgqr", run_orgqr)
GCL_TASK(orgbr_task, "cusolverDnXorgbr", run_orgbr)
GCL_TASK(orgtr_task, "cusolverDnXorgtr", run_orgtr)
GCL_TASK(ormqr_task, "cusolverDnXormqr", run_ormqr)
GCL_TASK(ormtr_task, "cusolverDnXormtr", run_ormtr)
GCL_TASK(sytrd_task, "cusolverDnXsytrd", run_sytrd)
GCL_TASK(gebrd_task, "cusolverDnXgebrd", run_gebrd)

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static cusolverStatus_t factor(struct gcl_solver_call call, int64_t m, int64_t n, void *a,
                               int64_t lda, void *tau, int *info) {
    struct reflections r = {.type = call.type, .m = (int)m, .n = (int)n, .lda = (int)lda};
    gcl_solver_add_matrix(&call, a, m, n, lda, BOTH);
    gcl_solver_add_vector(&call, tau, least(m, n), GCL_BUFFER_WRITE);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&geqrf_task, &call, &r, sizeof r);
}

/// Makes a matrix of its reflections; `count` of them.
static cusolverStatus_t form(const struct gcl_task *task, struct gcl_solver_call call,
                             struct reflections r, int count, void *a, const void *tau, int *info) {
    r.type = call.type;
    gcl_solver_add_matrix(&call, a, r.m, r.n, r.lda, BOTH);
    gcl_solver_add_vector(&call, tau, count, GCL_BUFFER_READ);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(task, &call, &r, sizeof r);
}

static cusolverStatus_t form_qr(struct gcl_solver_call call, int m, int n, int k, void *a, int lda,
                                const void *tau, int *info) {
    struct reflections r = {.m = m, .n = n, .k = k, .lda = lda};
    gcl_solver_require(&call, m >= n && n >= k && k >= 0);
    return form(&orgqr_task, call, r, k, a, tau, info);
}

static cusolverStatus_t form_br(struct gcl_solver_call call, cublasSideMode_t side, int m, int n,
                                int k, void *a, int lda, const void *tau, int *info) {
    bool is_left = side == CUBLAS_SIDE_LEFT;
    struct reflections r = {.side = is_left ? 'Q' : 'P', .m = m, .n = n, .k = k, .lda = lda};
    gcl_solver_require(
        &call, k >= 0 && (is_left ? m >= n && n >= least(m, k) : n >= m && m >= least(n, k)));
    return form(&orgbr_task, call, r, (int)least(is_left ? m : n, k), a, tau, info);
}

static cusolverStatus_t form_tr(struct gcl_solver_call call, cublasFillMode_t part, int n, void *a,
                                int lda, const void *tau, int *info) {
    struct reflections r = {.part = gcl_solver_part(part), .m = n, .n = n, .lda = lda};
    gcl_solver_require(&call, gcl_solver_is_part(part));
    return form(&orgtr_task, call, r, n - 1, a, tau, info);
}

/// Multiplies C by a matrix of reflections, `count` of them.
static cusolverStatus_t apply(const struct gcl_task *task, struct gcl_solver_call call,
                              cublasSideMode_t side, cublasOperation_t trans, struct reflections *r,
                              int count, const void *a, const void *tau, void *c, int *info) {
    bool is_complex = gcl_solver_is_complex(call.type);
    gcl_solver_require(&call, (unsigned)side <= CUBLAS_SIDE_RIGHT &&
                                  (unsigned)trans <= CUBLAS_OP_C &&
                                  (!is_complex || trans != CUBLAS_OP_T));
    r->type = call.type;
    r->side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
    r->trans = trans == CUBLAS_OP_N ? 'N' : is_complex ? 'C' : 'T';
    gcl_solver_add_matrix(&call, a, r->rows, r->columns, r->lda, GCL_BUFFER_READ);
    gcl_solver_add_vector(&call, tau, count, GCL_BUFFER_READ);
    gcl_solver_add_matrix(&call, c, r->m, r->n, r->ldc, BOTH);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(task, &call, r, sizeof *r);
}

static cusolverStatus_t apply_qr(struct gcl_solver_call call, cublasSideMode_t side,
                                 cublasOperation_t trans, int m, int n, int k, const void *a,
                                 int lda, const void *tau, void *c, int ldc, int *info) {
    int rows = side == CUBLAS_SIDE_LEFT ? m : n;
    struct reflections r = {
        .m = m, .n = n, .k = k, .lda = lda, .ldc = ldc, .rows = rows, .columns = k};
    gcl_solver_require(&call, k >= 0 && k <= rows);
    return apply(&ormqr_task, call, side, trans, &r, k, a, tau, c, info);
}

static cusolverStatus_t apply_tr(struct gcl_solver_call call, cublasSideMode_t side,
                                 cublasFillMode_t part, cublasOperation_t trans, int m, int n,
                                 const void *a, int lda, const void *tau, void *c, int ldc,
                                 int *info) {
    int rows = side == CUBLAS_SIDE_LEFT ? m : n;
    struct reflections r = {.part = gcl_solver_part(part),
                            .m = m,
                            .n = n,
                            .lda = lda,
                            .ldc = ldc,
                            .rows = rows,
                            .columns = rows};
    gcl_solver_require(&call, gcl_solver_is_part(part));
    return apply(&ormtr_task, call, side, trans, &r, rows - 1, a, tau, c, info);
}

static cusolverStatus_t reduce_symmetric(struct gcl_solver_call call, cublasFillMode_t part, int n,
                                         void *a, int lda, void *d, void *e, void *tau, int *info) {
    struct reflections r = {.type = call.type, .part = gcl_solver_part(part), .n = n, .lda = lda};
    gcl_solver_require(&call, gcl_solver_is_part(part));
    gcl_solver_add_matrix(&call, a, n, n, lda, BOTH);
    gcl_solver_add_reals(&call, d, n, GCL_BUFFER_WRITE);
    gcl_solver_add_reals(&call, e, n - 1, GCL_BUFFER_WRITE);
    gcl_solver_add_vector(&call, tau, n - 1, GCL_BUFFER_WRITE);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&sytrd_task, &call, &r, sizeof r);
}

static cusolverStatus_t reduce_general(struct gcl_solver_call call, int m, int n, void *a, int lda,
                                       void *d, void *e, void *tauq, void *taup, int *info) {
    struct reflections r = {.type = call.type, .m = m, .n = n, .lda = lda};
    gcl_solver_add_matrix(&call, a, m, n, lda, BOTH);
    gcl_solver_add_reals(&call, d, least(m, n), GCL_BUFFER_WRITE);
    gcl_solver_add_reals(&call, e, least(m, n) - 1, GCL_BUFFER_WRITE);
    gcl_solver_add_vector(&call, tauq, least(m, n), GCL_BUFFER_WRITE);
    gcl_solver_add_vector(&call, taup, least(m, n), GCL_BUFFER_WRITE);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&gebrd_task, &call, &r, sizeof r);
}

// Entry points.

#define CALL(p) gcl_solver_begin(handle, GCL_SOLVER_##p)
#define WORK(T) T *work, int size, int *info
#define HANDLE cusolverDnHandle_t handle

#define TYPED(p, o, y, T, R)                                                                       \
    cusolverStatus_t cusolverDn##p##geqrf(HANDLE, int m, int n, T *a, int lda, T *tau, WORK(T)) {  \
        (void)work, (void)size;                                                                    \
        return factor(CALL(p), m, n, a, lda, tau, info);                                           \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##o##gqr(HANDLE, int m, int n, int k, T *a, int lda,             \
                                           const T *tau, WORK(T)) {                                \
        (void)work, (void)size;                                                                    \
        return form_qr(CALL(p), m, n, k, a, lda, tau, info);                                       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##o##gbr(HANDLE, cublasSideMode_t side, int m, int n, int k,     \
                                           T *a, int lda, const T *tau, WORK(T)) {                 \
        (void)work, (void)size;                                                                    \
        return form_br(CALL(p), side, m, n, k, a, lda, tau, info);                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##o##gtr(HANDLE, cublasFillMode_t part, int n, T *a, int lda,    \
                                           const T *tau, WORK(T)) {                                \
        (void)work, (void)size;                                                                    \
        return form_tr(CALL(p), part, n, a, lda, tau, info);                                       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##o##mqr(HANDLE, cublasSideMode_t side, cublasOperation_t trans, \
                                           int m, int n, int k, const T *a, int lda, const T *tau, \
                                           T *c, int ldc, WORK(T)) {                               \
        (void)work, (void)size;                                                                    \
        return apply_qr(CALL(p), side, trans, m, n, k, a, lda, tau, c, ldc, info);                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##o##mtr(HANDLE, cublasSideMode_t side, cublasFillMode_t part,   \
                                           cublasOperation_t trans, int m, int n, T *a, int lda,   \
                                           T *tau, T *c, int ldc, WORK(T)) {                       \
        (void)work, (void)size;                                                                    \
        return apply_tr(CALL(p), side, part, trans, m, n, a, lda, tau, c, ldc, info);              \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##trd(HANDLE, cublasFillMode_t part, int n, T *a, int lda,    \
                                           R *d, R *e, T *tau, WORK(T)) {                          \
        (void)work, (void)size;                                                                    \
        return reduce_symmetric(CALL(p), part, n, a, lda, d, e, tau, info);                        \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##gebrd(HANDLE, int m, int n, T *a, int lda, R *d, R *e,         \
                                          T *tauq, T *taup, WORK(T)) {                             \
        (void)work, (void)size;                                                                    \
        return reduce_general(CALL(p), m, n, a, lda, d, e, tauq, taup, info);                      \
    }
TYPED(S, or, sy, float, float)
TYPED(D, or, sy, double, double)
TYPED(C, un, he, cuComplex, float)
TYPED(Z, un, he, cuDoubleComplex, double)

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType type, void *a, int64_t lda,
                                  cudaDataType type_tau, void *tau, cudaDataType compute_type,
                                  void *work, size_t size, void *host_work, size_t host_size,
                                  int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    struct gcl_solver_call call = gcl_solver_begin_generic(handle, type, compute_type, NULL);
    gcl_solver_require(&call, type_tau == type);
    return factor(call, m, n, a, lda, tau, info);
}
