// Singular values and vectors, by LAPACK's QR iteration. LAPACK gives the right vectors as rows;
// routines that want them as columns turn them.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GESVD                                                                                      \
    const char *jobu, const char *jobvt, const int *m, const int *n, void *a, const int *lda,      \
        void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *size
GCL_LAPACK_REAL(gesvd, real_gesvd, GESVD, int *info, size_t, size_t)
GCL_LAPACK_COMPLEX(gesvd, complex_gesvd, GESVD, void *reals, int *info, size_t, size_t)
GCL_LAPACK(gemm, const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
           const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
           const void *beta, void *c, const int *ldc, size_t, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

// A = U S V', of m x n numbers.
struct svd {
    enum gcl_solver_type type;
    char jobu, jobvt; // as of LAPACK
    bool has_vectors; // of routines with columns of V
    bool has_more;    // there is a place for what else the routine tells
    int m, n, lda, ldu, ldv;
    int left, right; // columns of U and V
    int rank;        // singular values that are wanted
    int batch;
    int64_t stride_a, stride_s, stride_u, stride_v; // elements
};

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/// Where LAPACK's results go; `leading` is that of what it reads.
struct places {
    void *a, *s, *u, *vt;
    int lda, ldu, ldvt;
};

/// Calls LAPACK, and copies the numbers beside the diagonal that it couldn't get rid of to `rest`,
/// if that isn't NULL.
static void decompose(const struct svd *d, const struct places *p, int *info, void *rest) {
    bool is_complex = gcl_solver_is_complex(d->type);
    int count = least(d->m, d->n), size = -1;
    uint64_t real_size = gcl_solver_real_size(d->type);
    double wanted[2] = {0};
    void *work = wanted, *reals = gcl_solver_allocate(5 * (uint64_t)count * real_size);
    for (int pass = 0; pass < 2; pass++) {
        if (is_complex)
            complex_gesvd[d->type](&d->jobu, &d->jobvt, &d->m, &d->n, p->a, &p->lda, p->s, p->u,
                                   &p->ldu, p->vt, &p->ldvt, work, &size, reals, info, 1, 1);
        else
            real_gesvd[d->type](&d->jobu, &d->jobvt, &d->m, &d->n, p->a, &p->lda, p->s, p->u,
                                &p->ldu, p->vt, &p->ldvt, work, &size, info, 1, 1);
        if (pass == 0) {
            size = gcl_solver_wanted(d->type, wanted);
            work = gcl_solver_numbers(d->type, size);
        }
    }
    if (rest && count > 1)
        memcpy(rest, is_complex ? reals : (char *)work + real_size,
               (uint64_t)(count - 1) * real_size);
    free(work);
    free(reals);
}

// Buffers: A, S, U, VT, info, rest.
static void run_gesvd(void *const *buffers, const void *payload) {
    const struct svd *d = payload;
    struct places p = {.a = buffers[0],
                       .s = buffers[1],
                       .u = buffers[2],
                       .vt = buffers[3],
                       .lda = d->lda,
                       .ldu = d->ldu,
                       .ldvt = d->ldv};
    decompose(d, &p, buffers[4], d->has_more ? buffers[5] : NULL);
}

// With columns of V.

/// Writes the conjugates of rows as columns.
static void turn(enum gcl_solver_type type, int columns, int rows, void *v, int ldv, const void *vt,
                 int ldvt) {
    int64_t parts = gcl_solver_is_complex(type) ? 2 : 1;
    bool is_single = gcl_solver_real_size(type) == sizeof(float);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < rows; i++) {
            int64_t to = (i + j * ldv) * parts, from = (j + i * ldvt) * parts;
            for (int64_t part = 0; part < parts; part++) {
                double x = gcl_solver_real(type, vt, from + part);
                x = part == 1 ? -x : x;
                if (is_single)
                    ((float *)v)[to + part] = (float)x;
                else
                    ((double *)v)[to + part] = x;
            }
        }
    }
}

/// |A - U S V'| with the first `rank` columns; `rows` are those of V'.
static double residual(const struct svd *d, void *a, const void *s, const void *u, int ldu,
                       const void *rows, int ldvt) {
    static const float one[2] = {1}, minus[2] = {-1};
    static const double double_one[2] = {1}, double_minus[2] = {-1};
    bool is_single = gcl_solver_real_size(d->type) == sizeof(float);
    void *us = gcl_solver_duplicate(d->type, d->m, d->rank, u, ldu);
    int m = most(d->m, 1);
    gcl_solver_scale(d->type, d->m, d->rank, us, d->m, s);
    gemm[d->type]("N", "N", &d->m, &d->n, &d->rank, is_single ? (const void *)minus : double_minus,
                  us, &m, rows, &ldvt, is_single ? (const void *)one : double_one, a, &m, 1, 1);
    free(us);
    return gcl_solver_norm(d->type, d->m, d->n, a, d->m);
}

/// One matrix: singular values, and vectors as columns if they are wanted; what A is isn't changed.
/// Returns the residual if it is wanted.
static double decompose_columns(const struct svd *d, const void *a, void *s, void *u, void *v,
                                int *info, bool wants_residual) {
    struct svd call = *d;
    bool has_vectors = d->has_vectors || wants_residual;
    int count = least(d->m, d->n), left = d->has_vectors ? d->left : count;
    *info = 0;
    if (count == 0)
        return 0;
    call.jobu = !has_vectors ? 'N' : left > count ? 'A' : 'S';
    call.jobvt = !has_vectors ? 'N' : d->has_vectors && d->right > count ? 'A' : 'S';
    struct places p = {.lda = most(d->m, 1),
                       .ldu = most(d->m, 1),
                       .ldvt = most(call.jobvt == 'A' ? d->n : count, 1)};
    p.a = gcl_solver_duplicate(d->type, d->m, d->n, a, d->lda);
    p.s = gcl_solver_allocate((uint64_t)count * gcl_solver_real_size(d->type));
    p.u = has_vectors ? gcl_solver_numbers(d->type, (int64_t)d->m * most(left, count)) : NULL;
    p.vt = has_vectors ? gcl_solver_numbers(d->type, (int64_t)p.ldvt * d->n) : NULL;
    decompose(&call, &p, info, NULL);
    memcpy(s, p.s, (uint64_t)d->rank * gcl_solver_real_size(d->type));
    if (d->has_vectors) {
        gcl_solver_move(d->type, d->m, d->left, u, d->ldu, p.u, d->m);
        turn(d->type, d->right, d->n, v, d->ldv, p.vt, p.ldvt);
    }
    double norm = 0;
    if (wants_residual) {
        free(p.a);
        p.a = gcl_solver_duplicate(d->type, d->m, d->n, a, d->lda);
        norm = residual(d, p.a, p.s, p.u, d->m, p.vt, p.ldvt);
    }
    free(p.a);
    free(p.s);
    free(p.u);
    free(p.vt);
    return norm;
}

// Buffers: A, S, U, V, info, report.
static void run_gesvdj(void *const *buffers, const void *payload) {
    const struct svd *d = payload;
    struct gcl_solver_report *report = buffers[5];
    int *info = buffers[4];
    double norm = decompose_columns(d, buffers[0], buffers[1], buffers[2], buffers[3], info, true);
    if (*info > 0)
        *info = least(d->m, d->n) + 1;
    *report = (struct gcl_solver_report){.residual = norm, .is_known = 1};
}

// Buffers: A, S, U, V, infos, residuals.
static void run_batch(void *const *buffers, const void *payload) {
    const struct svd *d = payload;
    uint64_t size = gcl_solver_size(d->type), real_size = gcl_solver_real_size(d->type);
    int *infos = buffers[4];
    for (int i = 0; i < d->batch; i++) {
        double norm = decompose_columns(
            d, (char *)buffers[0] + (uint64_t)(i * d->stride_a) * size,
            (char *)buffers[1] + (uint64_t)(i * d->stride_s) * real_size,
            (char *)buffers[2] + (uint64_t)(i * d->stride_u) * size,
            (char *)buffers[3] + (uint64_t)(i * d->stride_v) * size, &infos[i], d->has_more);
        if (infos[i] > 0)
            infos[i] = least(d->m, d->n) + 1;
        if (d->has_more)
            ((double *)buffers[5])[i] = norm;
    }
}

GCL_TASK(gesvd_task, "cusolverDnXgesvd", run_gesvd)
GCL_TASK(gesvdj_task, "cusolverDnXgesvdj", run_gesvdj)
GCL_TASK(batch_task, "cusolverDnXgesvdBatched", run_batch)

// Calls.

static bool is_job(signed char job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

/// Vectors that LAPACK writes to a matrix of their own.
static void add_vectors(struct gcl_solver_call *call, char job, void *begin, int64_t rows,
                        int64_t columns, int64_t leading) {
    if (job == 'A' || job == 'S')
        gcl_solver_add_matrix(call, begin, rows, columns, leading, GCL_BUFFER_WRITE);
    else
        gcl_solver_add(call, NULL, 0, GCL_BUFFER_WRITE);
}

struct sides {
    void *u, *v;
    int64_t ldu, ldv;
};

static cusolverStatus_t decompose_general(struct gcl_solver_call call, signed char jobu,
                                          signed char jobvt, int64_t m, int64_t n, void *a,
                                          int64_t lda, void *s, struct sides sides, void *rest,
                                          int *info) {
    int64_t count = m < n ? m : n;
    struct svd d = {.type = call.type,
                    .jobu = (char)jobu,
                    .jobvt = (char)jobvt,
                    .m = (int)m,
                    .n = (int)n,
                    .lda = (int)lda,
                    .ldu = jobu == 'A' || jobu == 'S' ? (int)sides.ldu : 1,
                    .ldv = jobvt == 'A' || jobvt == 'S' ? (int)sides.ldv : 1,
                    .has_more = rest};
    gcl_solver_require(&call, is_job(jobu) && is_job(jobvt) && (jobu != 'O' || jobvt != 'O'));
    gcl_solver_add_matrix(&call, a, m, n, lda, BOTH);
    gcl_solver_add_reals(&call, s, count, GCL_BUFFER_WRITE);
    add_vectors(&call, d.jobu, sides.u, m, jobu == 'A' ? m : count, sides.ldu);
    add_vectors(&call, d.jobvt, sides.v, jobvt == 'A' ? n : count, n, sides.ldv);
    gcl_solver_add_info(&call, info, 1);
    gcl_solver_add_reals(&call, rest, rest ? count - 1 : 0, GCL_BUFFER_WRITE);
    return gcl_solver_launch(&gesvd_task, &call, &d, sizeof d);
}

/// Adds `batch` matrices, `stride` elements of `size` bytes apart.
static void add_batch(struct gcl_solver_call *call, const struct svd *d, const void *begin,
                      int64_t rows, int64_t columns, int64_t leading, int64_t stride, uint64_t size,
                      unsigned access) {
    bool is_dense = rows == leading && (d->batch <= 1 || stride == leading * columns);
    int64_t count = rows > 0 && columns > 0 && d->batch > 0
                        ? (d->batch - 1) * stride + (columns - 1) * leading + rows
                        : 0;
    gcl_solver_add(call, begin, (uint64_t)count * size,
                   is_dense || access != GCL_BUFFER_WRITE ? access : BOTH);
}

/// Adds A, S, and U and V if they are wanted, of all matrices of a batch.
static void prepare(struct gcl_solver_call *call, struct svd *d, const void *a, void *s, void *u,
                    void *v, int *infos) {
    d->type = call->type;
    bool is_valid = d->m >= 0 && d->n >= 0 && d->lda >= most(d->m, 1) && d->batch >= 0 &&
                    d->rank >= 0 && d->rank <= least(d->m, d->n) &&
                    (!d->has_vectors || (d->ldu >= most(d->m, 1) && d->ldv >= most(d->n, 1)));
    gcl_solver_require(call, is_valid);
    if (!is_valid)
        return;
    uint64_t size = gcl_solver_size(d->type), real_size = gcl_solver_real_size(d->type);
    add_batch(call, d, a, d->m, d->n, d->lda, d->stride_a, size, GCL_BUFFER_READ);
    add_batch(call, d, s, d->rank, 1, d->rank, d->stride_s, real_size, GCL_BUFFER_WRITE);
    int left = d->has_vectors ? d->left : 0, right = d->has_vectors ? d->right : 0;
    add_batch(call, d, u, d->m, left, d->ldu, d->stride_u, size, GCL_BUFFER_WRITE);
    add_batch(call, d, v, d->n, right, d->ldv, d->stride_v, size, GCL_BUFFER_WRITE);
    gcl_solver_add_info(call, infos, d->batch);
}

static cusolverStatus_t decompose_jacobi(struct gcl_solver_call call, cusolverEigMode_t job,
                                         int is_narrow, int64_t m, int64_t n, const void *a,
                                         int64_t lda, void *s, struct sides sides, int *info,
                                         struct gcl_solver_report *report) {
    gcl_solver_require(&call, m <= INT_MAX && n <= INT_MAX && lda <= INT_MAX &&
                                  sides.ldu <= INT_MAX && sides.ldv <= INT_MAX);
    int count = least((int)m, (int)n);
    struct svd d = {.has_vectors = job == CUSOLVER_EIG_MODE_VECTOR,
                    .m = (int)m,
                    .n = (int)n,
                    .lda = (int)lda,
                    .ldu = (int)sides.ldu,
                    .ldv = (int)sides.ldv,
                    .left = is_narrow ? count : (int)m,
                    .right = is_narrow ? count : (int)n,
                    .rank = count,
                    .batch = 1};
    prepare(&call, &d, a, s, sides.u, sides.v, info);
    gcl_solver_add(&call, report, report ? sizeof *report : 0, GCL_BUFFER_WRITE);
    return gcl_solver_launch(report ? &gesvdj_task : &batch_task, &call, &d, sizeof d);
}

static cusolverStatus_t decompose_batch(struct gcl_solver_call call, cusolverEigMode_t job, int m,
                                        int n, const void *a, int lda, void *s, struct sides sides,
                                        int *infos, int batch) {
    struct svd d = {.has_vectors = job == CUSOLVER_EIG_MODE_VECTOR,
                    .m = m,
                    .n = n,
                    .lda = lda,
                    .ldu = (int)sides.ldu,
                    .ldv = (int)sides.ldv,
                    .left = m,
                    .right = n,
                    .rank = least(m, n),
                    .batch = batch,
                    .stride_a = (int64_t)lda * n,
                    .stride_s = least(m, n),
                    .stride_u = sides.ldu * m,
                    .stride_v = sides.ldv * n};
    prepare(&call, &d, a, s, sides.u, sides.v, infos);
    return gcl_solver_launch(&batch_task, &call, &d, sizeof d);
}

/// The first singular values of matrices at strides; `residuals`, on the host, are waited for.
static cusolverStatus_t decompose_strided(struct gcl_solver_call call, struct svd d, const void *a,
                                          void *s, void *u, void *v, int *infos,
                                          double *residuals) {
    double *found = NULL;
    d.left = d.right = d.rank;
    uint64_t size = (uint64_t)(d.batch > 0 ? d.batch : 0) * sizeof *found;
    bool waits = residuals && d.has_vectors && call.status == CUSOLVER_STATUS_SUCCESS && size > 0;
    if (waits)
        call.status = gcl_solver_status(cudaMalloc((void **)&found, size));
    prepare(&call, &d, a, s, u, v, infos);
    d.has_more = waits;
    if (call.status == CUSOLVER_STATUS_SUCCESS)
        gcl_solver_add(&call, found, waits ? size : 0, GCL_BUFFER_WRITE);
    cusolverStatus_t status = gcl_solver_launch(&batch_task, &call, &d, sizeof d);
    if (status == CUSOLVER_STATUS_SUCCESS && waits)
        status = gcl_solver_copy(call.handle->stream, residuals, found, size);
    cudaFree(found);
    return status;
}

// Entry points.

#define CALL(p) gcl_solver_begin(handle, GCL_SOLVER_##p)
#define WORK(T) T *work, int size, int *info
#define SIDES(v, ldv) ((struct sides){u, v, ldu, ldv})

#define TYPED(p, T, R)                                                                             \
    cusolverStatus_t cusolverDn##p##gesvd(                                                         \
        cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *a,        \
        int lda, R *s, T *u, int ldu, T *vt, int ldvt, T *work, int size, R *rest, int *info) {    \
        (void)work, (void)size;                                                                    \
        return decompose_general(CALL(p), jobu, jobvt, m, n, a, lda, s, SIDES(vt, ldvt), rest,     \
                                 info);                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t job,       \
                                           int is_narrow, int m, int n, T *a, int lda, R *s, T *u, \
                                           int ldu, T *v, int ldv, WORK(T), gesvdjInfo_t params) { \
        (void)work, (void)size;                                                                    \
        if (!params)                                                                               \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return decompose_jacobi(CALL(p), job, is_narrow, m, n, a, lda, s, SIDES(v, ldv), info,     \
                                params->report);                                                   \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##gesvdjBatched(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int m, int n, T *a, int lda, R *s, T *u, \
        int ldu, T *v, int ldv, WORK(T), gesvdjInfo_t params, int batch) {                         \
        (void)work, (void)size, (void)params;                                                      \
        return decompose_batch(CALL(p), job, m, n, a, lda, s, SIDES(v, ldv), info, batch);         \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##gesvdaStridedBatched(                                          \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int rank, int m, int n, const T *a,      \
        int lda, long long stride_a, R *s, long long stride_s, T *u, int ldu, long long stride_u,  \
        T *v, int ldv, long long stride_v, WORK(T), double *residuals, int batch) {                \
        (void)work, (void)size;                                                                    \
        struct svd d = {.has_vectors = job == CUSOLVER_EIG_MODE_VECTOR,                            \
                        .m = m,                                                                    \
                        .n = n,                                                                    \
                        .lda = lda,                                                                \
                        .ldu = ldu,                                                                \
                        .ldv = ldv,                                                                \
                        .rank = rank,                                                              \
                        .batch = batch,                                                            \
                        .stride_a = stride_a,                                                      \
                        .stride_s = stride_s,                                                      \
                        .stride_u = stride_u,                                                      \
                        .stride_v = stride_v};                                                     \
        return decompose_strided(CALL(p), d, a, s, u, v, info, residuals);                         \
    }
TYPED(S, float, float)
TYPED(D, double, double)
TYPED(C, cuComplex, float)
TYPED(Z, cuDoubleComplex, double)

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType type, void *a, int64_t lda, cudaDataType type_s,
                                  void *s, cudaDataType type_u, void *u, int64_t ldu,
                                  cudaDataType type_vt, void *vt, int64_t ldvt,
                                  cudaDataType compute_type, void *work, size_t size,
                                  void *host_work, size_t host_size, int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    struct gcl_solver_call call = gcl_solver_begin_generic(handle, type, compute_type, &type_s);
    gcl_solver_require(&call, type_u == type && type_vt == type);
    return decompose_general(call, jobu, jobvt, m, n, a, lda, s, SIDES(vt, ldvt), NULL, info);
}

// The exact decomposition, to which this routine of cuSOLVER's comes close; `error` says how much
// it had to change the matrix for that.
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t job, int is_narrow, int64_t m, int64_t n,
                                   cudaDataType type, void *a, int64_t lda, cudaDataType type_s,
                                   void *s, cudaDataType type_u, void *u, int64_t ldu,
                                   cudaDataType type_v, void *v, int64_t ldv,
                                   cudaDataType compute_type, void *work, size_t size,
                                   void *host_work, size_t host_size, int *info, double *error) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    struct gcl_solver_call call = gcl_solver_begin_generic(handle, type, compute_type, &type_s);
    gcl_solver_require(&call, type_u == type && type_v == type);
    cusolverStatus_t status =
        decompose_jacobi(call, job, is_narrow, m, n, a, lda, s, SIDES(v, ldv), info, NULL);
    if (status == CUSOLVER_STATUS_SUCCESS && error)
        *error = 0;
    return status;
}
