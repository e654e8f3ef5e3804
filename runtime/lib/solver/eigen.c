// Eigenvalues and eigenvectors of symmetric and Hermitian matrices, by LAPACK's divide and conquer.
// Routines that want some of them get all, and keep those.
#include "solver/lapack.h"
#include "solver/solver.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define REAL_WORK void *work, const int *size, int *integers, const int *integer_count, int *info
#define COMPLEX_WORK                                                                               \
    void *work, const int *size, void *reals, const int *real_count, int *integers,                \
        const int *integer_count, int *info
#define EVD const char *job, const char *part, const int *n, void *a, const int *lda, void *w
#define GVD                                                                                        \
    const int *kind, const char *job, const char *part, const int *n, void *a, const int *lda,     \
        void *b, const int *ldb, void *w
GCL_LAPACK_REAL(syevd, syevd, EVD, REAL_WORK, size_t, size_t)
GCL_LAPACK_COMPLEX(heevd, heevd, EVD, COMPLEX_WORK, size_t, size_t)
GCL_LAPACK_REAL(sygvd, sygvd, GVD, REAL_WORK, size_t, size_t)
GCL_LAPACK_COMPLEX(hegvd, hegvd, GVD, COMPLEX_WORK, size_t, size_t)
GCL_LAPACK_BY_NAMES(hemm, ssymm, dsymm, chemm, zhemm, const char *side, const char *part,
                    const int *m, const int *n, const void *alpha, const void *a, const int *lda,
                    const void *b, const int *ldb, const void *beta, void *c, const int *ldc,
                    size_t, size_t)

enum { BOTH = GCL_BUFFER_READ | GCL_BUFFER_WRITE };

// A x = w x, or with B as `kind` says.
struct eigen {
    enum gcl_solver_type type;
    char job, part;
    int kind; // cusolverEigType_t; 0: there is no B
    int n, lda, ldb, batch;
    int range; // cusolverEigRange_t
    double above, up_to;
    int first, last; // from 1 on
};

struct work {
    void *numbers, *reals;
    int *integers;
    int size, real_count, integer_count;
};

static void call_lapack(const struct eigen *e, void *a, void *b, void *w, const struct work *k,
                        int *info) {
    bool is_complex = gcl_solver_is_complex(e->type);
    if (!e->kind && !is_complex)
        syevd[e->type](&e->job, &e->part, &e->n, a, &e->lda, w, k->numbers, &k->size, k->integers,
                       &k->integer_count, info, 1, 1);
    else if (!e->kind)
        heevd[e->type](&e->job, &e->part, &e->n, a, &e->lda, w, k->numbers, &k->size, k->reals,
                       &k->real_count, k->integers, &k->integer_count, info, 1, 1);
    else if (!is_complex)
        sygvd[e->type](&e->kind, &e->job, &e->part, &e->n, a, &e->lda, b, &e->ldb, w, k->numbers,
                       &k->size, k->integers, &k->integer_count, info, 1, 1);
    else
        hegvd[e->type](&e->kind, &e->job, &e->part, &e->n, a, &e->lda, b, &e->ldb, w, k->numbers,
                       &k->size, k->reals, &k->real_count, k->integers, &k->integer_count, info, 1,
                       1);
}

/// All eigenvalues, from the least on, and where A was the vectors if they are wanted.
static void decompose(const struct eigen *e, void *a, void *b, void *w, int *info) {
    double wanted[2] = {0}, wanted_reals = 0;
    int wanted_integers = 0;
    struct work query = {wanted, &wanted_reals, &wanted_integers, -1, -1, -1};
    call_lapack(e, a, b, w, &query, info);
    struct work work = {.size = gcl_solver_wanted(e->type, wanted),
                        .integer_count = wanted_integers};
    work.real_count =
        gcl_solver_is_complex(e->type) ? gcl_solver_wanted(e->type, &wanted_reals) : 0;
    work.numbers = gcl_solver_numbers(e->type, work.size);
    work.reals = gcl_solver_allocate((uint64_t)work.real_count * gcl_solver_real_size(e->type));
    work.integers = gcl_solver_allocate((uint64_t)work.integer_count * sizeof(int));
    call_lapack(e, a, b, w, &work, info);
    free(work.numbers);
    free(work.reals);
    free(work.integers);
}

/// Moves the eigenvalues of the range, and their vectors, to the front. Returns how many there are.
static int select_range(const struct eigen *e, void *a, void *w) {
    int begin = 0, end = e->n;
    if (e->range == CUSOLVER_EIG_RANGE_I) {
        begin = e->first - 1;
        end = e->last;
    } else if (e->range == CUSOLVER_EIG_RANGE_V) {
        while (begin < end && !(gcl_solver_real(e->type, w, begin) > e->above))
            begin++;
        while (begin < end && !(gcl_solver_real(e->type, w, end - 1) <= e->up_to))
            end--;
    }
    uint64_t size = gcl_solver_real_size(e->type);
    memmove(w, (char *)w + (uint64_t)begin * size, (uint64_t)(end - begin) * size);
    if (e->job == 'V' && begin > 0)
        gcl_solver_move(e->type, e->n, end - begin, a, e->lda,
                        gcl_solver_at(e->type, a, 0, begin, e->lda), e->lda);
    return end - begin;
}

// Buffers: A, W, info, found, B.
static void run_evd(void *const *buffers, const void *payload) {
    const struct eigen *e = payload;
    int *info = buffers[2], *found = buffers[3];
    decompose(e, buffers[0], buffers[4], buffers[1], info);
    int count = *info == 0 ? select_range(e, buffers[0], buffers[1]) : 0;
    if (e->range == CUSOLVER_EIG_RANGE_V)
        *found = count;
}

// Buffers: A, W, infos.
static void run_batch(void *const *buffers, const void *payload) {
    const struct eigen *e = payload;
    int *infos = buffers[2];
    for (int64_t i = 0; i < e->batch; i++)
        decompose(e, gcl_solver_at(e->type, buffers[0], 0, i * e->n, e->lda), NULL,
                  (char *)buffers[1] + (uint64_t)(i * e->n) * gcl_solver_real_size(e->type),
                  &infos[i]);
}

/// |A V - V W|, which is that of what isn't on the diagonal of V' A V.
static double residual(const struct eigen *e, const void *a, const void *vectors, const void *w) {
    static const float one[2] = {1}, minus[2] = {-1};
    static const double double_one[2] = {1}, double_minus[2] = {-1};
    bool is_single = gcl_solver_real_size(e->type) == sizeof(float);
    void *r = gcl_solver_duplicate(e->type, e->n, e->n, vectors, e->n);
    gcl_solver_scale(e->type, e->n, e->n, r, e->n, w);
    hemm[e->type]("L", &e->part, &e->n, &e->n, is_single ? (const void *)one : double_one, a,
                  &e->lda, vectors, &e->n, is_single ? (const void *)minus : double_minus, r, &e->n,
                  1, 1);
    double norm = gcl_solver_norm(e->type, e->n, e->n, r, e->n);
    free(r);
    return norm;
}

// Buffers: A, W, info, report, B. Vectors are computed in any case, for the residual.
static void run_evj(void *const *buffers, const void *payload) {
    const struct eigen *e = payload;
    struct gcl_solver_report *report = buffers[3];
    int *info = buffers[2];
    *report = (struct gcl_solver_report){.is_known = !e->kind && e->n > 0};
    if (!report->is_known) {
        decompose(e, buffers[0], buffers[4], buffers[1], info);
    } else {
        struct eigen copy = *e;
        copy.job = 'V';
        copy.lda = e->n;
        void *vectors = gcl_solver_duplicate(e->type, e->n, e->n, buffers[0], e->lda);
        decompose(&copy, vectors, NULL, buffers[1], info);
        report->residual = residual(e, buffers[0], vectors, buffers[1]);
        if (e->job == 'V')
            gcl_solver_move(e->type, e->n, e->n, buffers[0], e->lda, vectors, e->n);
        free(vectors);
    }
    if (*info > 0 && *info <= e->n)
        *info = e->n + 1;
}

GCL_TASK(evd_task, "cusolverDnXsyevd", run_evd)
GCL_TASK(evj_task, "cusolverDnXsyevj", run_evj)
GCL_TASK(batch_task, "cusolverDnXsyevBatched", run_batch)

// Calls.

/// Checks what routines have in common, and adds A, W and infos; `e` has the type's name and sizes
/// after that.
static void prepare(struct gcl_solver_call *call, struct eigen *e, cusolverEigMode_t job,
                    cublasFillMode_t part, int64_t n, void *a, int64_t lda, void *w, int *info) {
    bool is_valid = (unsigned)job <= CUSOLVER_EIG_MODE_VECTOR && gcl_solver_is_part(part) &&
                    n >= 0 && e->batch >= 0 && n * e->batch <= INT_MAX && e->kind >= 0 &&
                    e->kind <= CUSOLVER_EIG_TYPE_3;
    gcl_solver_require(call, is_valid);
    e->type = call->type;
    e->job = job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    e->part = gcl_solver_part(part);
    e->n = (int)n;
    e->lda = (int)lda;
    int64_t columns = is_valid ? n * e->batch : 0;
    gcl_solver_require(call, lda >= n);
    gcl_solver_add_matrix(call, a, n, columns, lda, BOTH);
    gcl_solver_add_reals(call, w, columns, GCL_BUFFER_WRITE);
    gcl_solver_add_info(call, info, e->batch);
}

static void add_b(struct gcl_solver_call *call, struct eigen *e, void *b, int64_t ldb) {
    gcl_solver_require(call, e->kind > 0);
    e->ldb = (int)ldb;
    gcl_solver_add_matrix(call, b, e->n, e->n, ldb, BOTH);
}

static cusolverStatus_t decompose_all(struct gcl_solver_call call, cusolverEigMode_t job,
                                      cublasFillMode_t part, int64_t n, void *a, int64_t lda,
                                      void *w, int *info) {
    struct eigen e = {.batch = 1, .range = CUSOLVER_EIG_RANGE_ALL};
    prepare(&call, &e, job, part, n, a, lda, w, info);
    return gcl_solver_launch(&evd_task, &call, &e, sizeof e);
}

static cusolverStatus_t decompose_two(struct gcl_solver_call call, cusolverEigType_t kind,
                                      cusolverEigMode_t job, cublasFillMode_t part, int n, void *a,
                                      int lda, void *b, int ldb, void *w, int *info) {
    struct eigen e = {.batch = 1, .kind = (int)kind, .range = CUSOLVER_EIG_RANGE_ALL};
    prepare(&call, &e, job, part, n, a, lda, w, info);
    gcl_solver_add(&call, NULL, 0, GCL_BUFFER_WRITE);
    add_b(&call, &e, b, ldb);
    return gcl_solver_launch(&evd_task, &call, &e, sizeof e);
}

static cusolverStatus_t decompose_batch(struct gcl_solver_call call, cusolverEigMode_t job,
                                        cublasFillMode_t part, int64_t n, void *a, int64_t lda,
                                        void *w, int *infos, int64_t batch) {
    struct eigen e = {.batch = batch <= INT_MAX ? (int)batch : -1};
    prepare(&call, &e, job, part, n, a, lda, w, infos);
    return gcl_solver_launch(&batch_task, &call, &e, sizeof e);
}

/// The eigenvalues that are wanted.
struct wanted {
    cusolverEigRange_t range;
    double above, up_to;
    int64_t first, last;
};

static bool is_range(const struct wanted *r, int64_t n) {
    switch (r->range) {
    case CUSOLVER_EIG_RANGE_ALL:
        return true;
    case CUSOLVER_EIG_RANGE_I:
        return n == 0 || (r->first >= 1 && r->first <= r->last && r->last <= n);
    case CUSOLVER_EIG_RANGE_V:
        return r->above < r->up_to;
    }
    return false;
}

/// Launches what finds the eigenvalues of a range. `found`, on the host, is known before but where
/// the range is one of values: then this waits.
static cusolverStatus_t launch_range(struct gcl_solver_call *call, struct eigen *e,
                                     const struct wanted *r, void *b, int ldb, int64_t *found) {
    gcl_solver_require(call, is_range(r, e->n));
    e->range = (int)r->range;
    e->above = r->above;
    e->up_to = r->up_to;
    e->first = (int)r->first;
    e->last = e->n == 0 ? 0 : (int)r->last;
    if (e->n == 0)
        e->range = CUSOLVER_EIG_RANGE_ALL;
    int *count = NULL, counted = 0;
    bool waits = e->range == CUSOLVER_EIG_RANGE_V && call->status == CUSOLVER_STATUS_SUCCESS;
    if (waits)
        call->status = gcl_solver_status(cudaMalloc((void **)&count, sizeof *count));
    gcl_solver_add(call, count, count ? sizeof *count : 0, GCL_BUFFER_WRITE);
    if (e->kind)
        add_b(call, e, b, ldb);
    cusolverStatus_t status = gcl_solver_launch(&evd_task, call, e, sizeof *e);
    if (status == CUSOLVER_STATUS_SUCCESS && waits)
        status = gcl_solver_copy(call->handle->stream, &counted, count, sizeof counted);
    cudaFree(count);
    if (status == CUSOLVER_STATUS_SUCCESS)
        *found = waits ? counted : e->range == CUSOLVER_EIG_RANGE_I ? r->last - r->first + 1 : e->n;
    return status;
}

static cusolverStatus_t decompose_range(struct gcl_solver_call call, cusolverEigMode_t job,
                                        struct wanted r, cublasFillMode_t part, int64_t n, void *a,
                                        int64_t lda, int64_t *found, void *w, int *info) {
    struct eigen e = {.batch = 1};
    gcl_solver_require(&call, found);
    prepare(&call, &e, job, part, n, a, lda, w, info);
    return launch_range(&call, &e, &r, NULL, 0, found);
}

static cusolverStatus_t decompose_two_range(struct gcl_solver_call call, cusolverEigType_t kind,
                                            cusolverEigMode_t job, struct wanted r,
                                            cublasFillMode_t part, int n, void *a, int lda, void *b,
                                            int ldb, int64_t *found, void *w, int *info) {
    struct eigen e = {.batch = 1, .kind = (int)kind};
    gcl_solver_require(&call, kind != 0);
    prepare(&call, &e, job, part, n, a, lda, w, info);
    return launch_range(&call, &e, &r, b, ldb, found);
}

/// What the routines named after Jacobi's method do; `kind` 0: without B.
static cusolverStatus_t decompose_jacobi(struct gcl_solver_call call, int kind,
                                         cusolverEigMode_t job, cublasFillMode_t part, int n,
                                         void *a, int lda, void *b, int ldb, void *w, int *info,
                                         syevjInfo_t params) {
    struct eigen e = {.batch = 1, .kind = kind};
    gcl_solver_require(&call, params);
    prepare(&call, &e, job, part, n, a, lda, w, info);
    gcl_solver_add(&call, params ? params->report : NULL, params ? sizeof *params->report : 0,
                   GCL_BUFFER_WRITE);
    if (kind)
        add_b(&call, &e, b, ldb);
    return gcl_solver_launch(&evj_task, &call, &e, sizeof e);
}

// Entry points.

#define CALL(p) gcl_solver_begin(handle, GCL_SOLVER_##p)
#define ARGUMENTS cusolverEigMode_t job, cublasFillMode_t part, int n
#define RANGED(R) cusolverEigMode_t job, cusolverEigRange_t range, cublasFillMode_t part, int n
#define LIMITS(R) R vl, R vu, int il, int iu, int *found
#define WORK(T) T *work, int size, int *info
#define WANTED ((struct wanted){range, (double)vl, (double)vu, il, iu})

#define TYPED(p, y, T, R)                                                                          \
    cusolverStatus_t cusolverDn##p##y##evd(cusolverDnHandle_t handle, ARGUMENTS, T *a, int lda,    \
                                           R *w, WORK(T)) {                                        \
        (void)work, (void)size;                                                                    \
        return decompose_all(CALL(p), job, part, n, a, lda, w, info);                              \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##gvd(cusolverDnHandle_t handle, cusolverEigType_t kind,      \
                                           ARGUMENTS, T *a, int lda, T *b, int ldb, R *w,          \
                                           WORK(T)) {                                              \
        (void)work, (void)size;                                                                    \
        return decompose_two(CALL(p), kind, job, part, n, a, lda, b, ldb, w, info);                \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##evdx(cusolverDnHandle_t handle, RANGED(R), T *a, int lda,   \
                                            LIMITS(R), R *w, WORK(T)) {                            \
        (void)work, (void)size;                                                                    \
        int64_t count = 0;                                                                         \
        cusolverStatus_t status = decompose_range(CALL(p), job, WANTED, part, n, a, lda,           \
                                                  found ? &count : NULL, w, info);                 \
        if (status == CUSOLVER_STATUS_SUCCESS)                                                     \
            *found = (int)count;                                                                   \
        return status;                                                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##gvdx(cusolverDnHandle_t handle, cusolverEigType_t kind,     \
                                            RANGED(R), T *a, int lda, T *b, int ldb, LIMITS(R),    \
                                            R *w, WORK(T)) {                                       \
        (void)work, (void)size;                                                                    \
        int64_t count = 0;                                                                         \
        if (!found)                                                                                \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        cusolverStatus_t status = decompose_two_range(CALL(p), kind, job, WANTED, part, n, a, lda, \
                                                      b, ldb, &count, w, info);                    \
        if (status == CUSOLVER_STATUS_SUCCESS)                                                     \
            *found = (int)count;                                                                   \
        return status;                                                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##evj(cusolverDnHandle_t handle, ARGUMENTS, T *a, int lda,    \
                                           R *w, WORK(T), syevjInfo_t params) {                    \
        (void)work, (void)size;                                                                    \
        return decompose_jacobi(CALL(p), 0, job, part, n, a, lda, NULL, 0, w, info, params);       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##gvj(cusolverDnHandle_t handle, cusolverEigType_t kind,      \
                                           ARGUMENTS, T *a, int lda, T *b, int ldb, R *w, WORK(T), \
                                           syevjInfo_t params) {                                   \
        (void)work, (void)size;                                                                    \
        if (kind == 0)                                                                             \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return decompose_jacobi(CALL(p), (int)kind, job, part, n, a, lda, b, ldb, w, info,         \
                                params);                                                           \
    }                                                                                              \
    cusolverStatus_t cusolverDn##p##y##evjBatched(cusolverDnHandle_t handle, ARGUMENTS, T *a,      \
                                                  int lda, R *w, WORK(T), syevjInfo_t params,      \
                                                  int batch) {                                     \
        (void)work, (void)size, (void)params;                                                      \
        return decompose_batch(CALL(p), job, part, n, a, lda, w, info, batch);                     \
    }
TYPED(S, sy, float, float)
TYPED(D, sy, double, double)
TYPED(C, he, cuComplex, float)
TYPED(Z, he, cuDoubleComplex, double)

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t job, cublasFillMode_t part, int64_t n,
                                  cudaDataType type, void *a, int64_t lda, cudaDataType type_w,
                                  void *w, cudaDataType compute_type, void *work, size_t size,
                                  void *host_work, size_t host_size, int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    return decompose_all(gcl_solver_begin_generic(handle, type, compute_type, &type_w), job, part,
                         n, a, lda, w, info);
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                        cusolverEigMode_t job, cublasFillMode_t part, int64_t n,
                                        cudaDataType type, void *a, int64_t lda,
                                        cudaDataType type_w, void *w, cudaDataType compute_type,
                                        void *work, size_t size, void *host_work, size_t host_size,
                                        int *infos, int64_t batch) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    return decompose_batch(gcl_solver_begin_generic(handle, type, compute_type, &type_w), job, part,
                           n, a, lda, w, infos, batch);
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t job, cusolverEigRange_t range,
                                   cublasFillMode_t part, int64_t n, cudaDataType type, void *a,
                                   int64_t lda, void *vl, void *vu, int64_t il, int64_t iu,
                                   int64_t *found, cudaDataType type_w, void *w,
                                   cudaDataType compute_type, void *work, size_t size,
                                   void *host_work, size_t host_size, int *info) {
    (void)params, (void)work, (void)size, (void)host_work, (void)host_size;
    struct gcl_solver_call call = gcl_solver_begin_generic(handle, type, compute_type, &type_w);
    struct wanted r = {.range = range, .first = il, .last = iu};
    if (range == CUSOLVER_EIG_RANGE_V) {
        if (!vl || !vu)
            return CUSOLVER_STATUS_INVALID_VALUE;
        r.above = gcl_solver_real(call.type, vl, 0);
        r.up_to = gcl_solver_real(call.type, vu, 0);
    }
    return decompose_range(call, job, r, part, n, a, lda, found, w, info);
}
