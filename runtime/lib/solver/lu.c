// Factors of general matrices, with and without pivots, and systems of equations with them.
//
// Without pivots (Golub and Van Loan, Matrix Computations, 3rd edition, 3.2): the left half of the
// columns is factored, its part of the right half taken off, and the right half factored; so most
// of the work is products.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <stdlib.h>

GCL_LAPACK(getrf, const int *m, const int *n, void *a, const int *lda, int *pivots, int *info)
GCL_LAPACK(getrs, const char *trans, const int *n, const int *columns, const void *a,
           const int *lda, const int *pivots, void *b, const int *ldb, int *info, size_t)
GCL_LAPACK(trsm, const char *side, const char *part, const char *trans, const char *diagonal,
           const int *m, const int *n, const void *alpha, const void *a, const int *lda, void *b,
           const int *ldb, size_t, size_t, size_t, size_t)
GCL_LAPACK(gemm, const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
           const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
           const void *beta, void *c, const int *ldc, size_t, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

// 1 and -1 of all types.
static const float single_one[2] = {1}, single_minus[2] = {-1};
static const double double_one[2] = {1}, double_minus[2] = {-1};
static const void *const one[] = {single_one, double_one, single_one, double_one};
static const void *const minus_one[] = {single_minus, double_minus, single_minus, double_minus};

// A matrix, and for systems the right-hand sides.
struct general {
    enum gcl_solver_type type;
    char trans;
    bool has_pivots, has_wide_pivots;
    int m, n, lda;
    int columns, ldb;
};

// Pivots are rows from 1 on, of 32 bits for LAPACK.

static int *pivots_of(const struct general *g, const void *pivots, int64_t count) {
    int *narrow = gcl_solver_allocate((uint64_t)count * sizeof *narrow);
    for (int64_t i = 0; i < count; i++)
        narrow[i] =
            g->has_wide_pivots ? (int)((const int64_t *)pivots)[i] : ((const int *)pivots)[i];
    return narrow;
}

static void factor_with_pivots(const struct general *g, void *a, void *pivots, int *info) {
    int count = g->m < g->n ? g->m : g->n;
    if (!g->has_wide_pivots) {
        getrf[g->type](&g->m, &g->n, a, &g->lda, pivots, info);
        return;
    }
    int *narrow = gcl_solver_allocate((uint64_t)count * sizeof *narrow);
    getrf[g->type](&g->m, &g->n, a, &g->lda, narrow, info);
    for (int i = 0; i < count; i++)
        ((int64_t *)pivots)[i] = narrow[i];
    free(narrow);
}

static bool is_zero(enum gcl_solver_type type, const void *number) {
    if (gcl_solver_real_size(type) == sizeof(float)) {
        const float *x = number;
        return x[0] == 0 && (!gcl_solver_is_complex(type) || x[1] == 0);
    }
    const double *x = number;
    return x[0] == 0 && (!gcl_solver_is_complex(type) || x[1] == 0);
}

/// Factors rows and columns from `at` on, of m rows and n columns. Returns the first 0 on the
/// diagonal, counted from 1 on in the whole matrix; 0: there is none.
static int factor_without_pivots(const struct general *g, void *whole, int at, int m, int n) {
    void *a = gcl_solver_at(g->type, whole, at, at, g->lda);
    if (n == 0 || m == 0)
        return 0;
    if (n == 1) {
        int below = m - 1, column = 1;
        if (is_zero(g->type, a))
            return at + 1;
        trsm[g->type]("R", "U", "N", "N", &below, &column, one[g->type], a, &g->lda,
                      gcl_solver_at(g->type, a, 1, 0, g->lda), &g->lda, 1, 1, 1, 1);
        return 0;
    }
    int left = n / 2 < m ? n / 2 : m, right = n - left, below = m - left;
    int first = factor_without_pivots(g, whole, at, m, left);
    void *beside = gcl_solver_at(g->type, a, 0, left, g->lda);
    void *corner = gcl_solver_at(g->type, a, left, left, g->lda);
    trsm[g->type]("L", "L", "N", "U", &left, &right, one[g->type], a, &g->lda, beside, &g->lda, 1,
                  1, 1, 1);
    gemm[g->type]("N", "N", &below, &right, &left, minus_one[g->type],
                  gcl_solver_at(g->type, a, left, 0, g->lda), &g->lda, beside, &g->lda,
                  one[g->type], corner, &g->lda, 1, 1);
    int second = factor_without_pivots(g, whole, at + left, below, right);
    return first ? first : second;
}

// Buffers: A, pivots, info.
static void run_getrf(void *const *buffers, const void *payload) {
    const struct general *g = payload;
    int *info = buffers[2];
    if (g->has_pivots)
        factor_with_pivots(g, buffers[0], buffers[1], info);
    else
        *info = factor_without_pivots(g, buffers[0], 0, g->m, g->n);
}

// Buffers: A, pivots, B, info.
static void run_getrs(void *const *buffers, const void *payload) {
    const struct general *g = payload;
    int *info = buffers[3];
    if (g->has_pivots) {
        int *pivots = pivots_of(g, buffers[1], g->n);
        getrs[g->type](&g->trans, &g->n, &g->columns, buffers[0], &g->lda, pivots, buffers[2],
                       &g->ldb, info, 1);
        free(pivots);
        return;
    }
    bool is_turned = g->trans != 'N'; // (L U)' = U' L'
    for (int i = 0; i < 2; i++) {
        bool is_lower = (i == 0) != is_turned;
        trsm[g->type]("L", is_lower ? "L" : "U", &g->trans, is_lower ? "U" : "N", &g->n,
                      &g->columns, one[g->type], buffers[0], &g->lda, buffers[2], &g->ldb, 1, 1, 1,
                      1);
    }
    *info = 0;
}

GCL_TASK(getrf_task, "cusolverDnXgetrf", run_getrf)
GCL_TASK(getrs_task, "cusolverDnXgetrs", run_getrs)

static uint64_t pivot_size(const struct general *g) {
    return !g->has_pivots ? 0 : g->has_wide_pivots ? sizeof(int64_t) : sizeof(int);
}

static cusolverStatus_t factor(struct gcl_solver_call call, int64_t m, int64_t n, void *a,
                               int64_t lda, void *pivots, bool has_wide_pivots, int *info) {
    struct general g = {.type = call.type,
                        .has_pivots = pivots,
                        .has_wide_pivots = has_wide_pivots,
                        .m = (int)m,
                        .n = (int)n,
                        .lda = (int)lda};
    gcl_solver_add_matrix(&call, a, m, n, lda, BOTH);
    int64_t count = m < n ? m : n;
    gcl_solver_add(&call, pivots, (uint64_t)(count > 0 ? count : 0) * pivot_size(&g),
                   GCL_BUFFER_WRITE);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&getrf_task, &call, &g, sizeof g);
}

struct sides {
    void *at;
    int64_t columns, leading;
};

static cusolverStatus_t solve(struct gcl_solver_call call, cublasOperation_t trans, int64_t n,
                              const void *a, int64_t lda, const void *pivots, bool has_wide_pivots,
                              struct sides b, int *info) {
    struct general g = {.type = call.type,
                        .trans = "NTC"[(unsigned)trans <= CUBLAS_OP_C ? trans : 0],
                        .has_pivots = pivots,
                        .has_wide_pivots = has_wide_pivots,
                        .n = (int)n,
                        .lda = (int)lda,
                        .columns = (int)b.columns,
                        .ldb = (int)b.leading};
    gcl_solver_require(&call, (unsigned)trans <= CUBLAS_OP_C);
    gcl_solver_add_matrix(&call, a, n, n, lda, GCL_BUFFER_READ);
    gcl_solver_add(&call, pivots, (uint64_t)(n > 0 ? n : 0) * pivot_size(&g), GCL_BUFFER_READ);
    gcl_solver_add_matrix(&call, b.at, n, b.columns, b.leading, BOTH);
    gcl_solver_add_info(&call, info, 1);
    return gcl_solver_launch(&getrs_task, &call, &g, sizeof g);
}

// Entry points.

#define TYPED(p, T)                                                                                \
    cusolverStatus_t cusolverDn##p##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *work, int *pivots, int *info) {                       \
        (void)work;                                                                                \
        return factor(gcl_solver_begin(handle, GCL_SOLVER_##p), m, n, a, lda, pivots, false,       \
                      info);                                                                       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,      \
                                          int n, int columns, const T *a, int lda,                 \
                                          const int *pivots, T *b, int ldb, int *info) {           \
        return solve(gcl_solver_begin(handle, GCL_SOLVER_##p), trans, n, a, lda, pivots, false,    \
                     (struct sides){b, columns, ldb}, info);                                       \
    }
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType type, void *a, int64_t lda,
                                  int64_t *pivots, cudaDataType compute_type, void *work,
                                  size_t size, void *host_work, size_t host_size, int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    return factor(gcl_solver_begin_generic(handle, type, compute_type, NULL), m, n, a, lda, pivots,
                  true, info);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t columns,
                                  cudaDataType type, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb,
                                  int *info) {
    (void)params;
    return solve(gcl_solver_begin_generic(handle, type, type_b, NULL), trans, n, a, lda, pivots,
                 true, (struct sides){b, columns, ldb}, info);
}
