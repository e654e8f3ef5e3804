// Sparse matrices that are factored once, and solved with often. Factors are on the host.
#include "solver/sparse.h"

#include <stdlib.h>

enum { SIZE = 64 }; // bytes of workspaces, of which nothing is used

#define INFO(name)                                                                                 \
    struct name {                                                                                  \
        struct gcl_solver_factors *factors;                                                        \
    };
INFO(csrluInfoHost)
INFO(csrqrInfoHost)
INFO(csrcholInfoHost)
INFO(csrqrInfo)
INFO(csrcholInfo)

static cusolverStatus_t create(void **info, size_t size) {
    if (!info)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *info = calloc(1, size);
    return *info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

/// Where the matrix and vectors of a call are.
enum place { ON_HOST, ON_DEVICE };

static cusolverStatus_t analyse(cusolverSpHandle_t handle, int m, int n, const void *info) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (m != n)
        return gcl_solver_refuse("cusolverSpXcsrqrAnalysis of a matrix that isn't square");
    return info && n >= 0 ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

static cusolverStatus_t answer(cusolverSpHandle_t handle, size_t *internal_size, size_t *size) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!internal_size || !size)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *internal_size = *size = SIZE;
    return CUSOLVER_STATUS_SUCCESS;
}

/// Factors a matrix, and puts its factors in the place of those that were there.
static cusolverStatus_t factor(cusolverSpHandle_t handle, enum place place,
                               struct gcl_solver_sparse matrix, int nnz,
                               const cusparseMatDescr_t descriptor,
                               struct gcl_solver_factors **factors) {
    void *memory = NULL;
    cusolverStatus_t status = gcl_solver_describe(handle, &matrix, nnz, descriptor);
    if (status == CUSOLVER_STATUS_SUCCESS && place == ON_DEVICE)
        status = gcl_solver_fetch(handle, &matrix, nnz, &memory);
    struct gcl_solver_factors *made = NULL;
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_factor(&matrix, &made);
    free(memory);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    gcl_solver_factors_destroy(*factors);
    *factors = made;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t find_pivot(cusolverSpHandle_t handle,
                                   const struct gcl_solver_factors *factors, double tolerance,
                                   int *position) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!factors || !position)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *position = gcl_solver_zero_pivot(factors, tolerance);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve(cusolverSpHandle_t handle, enum place place,
                              const struct gcl_solver_factors *factors, int n, size_t number,
                              const void *b, void *x) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!factors || n < 0 || !b || !x)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (gcl_solver_zero_pivot(factors, 0) >= 0)
        return CUSOLVER_STATUS_ZERO_PIVOT;
    if (place == ON_HOST)
        return gcl_solver_substitute(factors, n, b, x);
    size_t size = (size_t)n * number;
    void *vector = malloc(size + 1);
    cusolverStatus_t status =
        vector ? gcl_solver_copy(handle->stream, vector, b, size) : CUSOLVER_STATUS_ALLOC_FAILED;
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_substitute(factors, n, vector, vector);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_copy(handle->stream, x, vector, size);
    free(vector);
    return status;
}

static cusolverStatus_t split(cusolverSpHandle_t handle, const struct gcl_solver_factors *factors,
                              struct gcl_solver_triangles *triangles) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!factors)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (gcl_solver_zero_pivot(factors, 0) >= 0)
        return CUSOLVER_STATUS_ZERO_PIVOT;
    return gcl_solver_split(factors, triangles);
}

static cusolverStatus_t extract(cusolverSpHandle_t handle, const struct gcl_solver_factors *factors,
                                struct gcl_solver_triangles triangles,
                                const cusparseMatDescr_t lower, const cusparseMatDescr_t upper) {
    for (int side = 0; side < 2; side++) {
        if (!triangles.offsets[side] || !triangles.indices[side] || !triangles.values[side])
            return CUSOLVER_STATUS_INVALID_VALUE;
    }
    if (!triangles.rows || !triangles.columns || !lower || !upper)
        return CUSOLVER_STATUS_INVALID_VALUE;
    triangles.base[0] = (int)cusparseGetMatIndexBase(lower);
    triangles.base[1] = (int)cusparseGetMatIndexBase(upper);
    return split(handle, factors, &triangles);
}

// Entry points.

cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int *lower, int *upper,
                                         csrluInfoHost_t info) {
    struct gcl_solver_triangles triangles = {.rows = NULL};
    if (!lower || !upper)
        return CUSOLVER_STATUS_INVALID_VALUE;
    cusolverStatus_t status = split(handle, info ? info->factors : NULL, &triangles);
    *lower = triangles.counts[0];
    *upper = triangles.counts[1];
    return status;
}

#define LIFE(Name, name)                                                                           \
    cusolverStatus_t cusolverSpCreate##Name(name##_t *info) {                                      \
        return create((void **)info, sizeof **info);                                               \
    }                                                                                              \
    cusolverStatus_t cusolverSpDestroy##Name(name##_t info) {                                      \
        if (info)                                                                                  \
            gcl_solver_factors_destroy(info->factors);                                             \
        free(info);                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
LIFE(CsrluInfoHost, csrluInfoHost)
LIFE(CsrqrInfoHost, csrqrInfoHost)
LIFE(CsrcholInfoHost, csrcholInfoHost)
LIFE(CsrqrInfo, csrqrInfo)
LIFE(CsrcholInfo, csrcholInfo)

#define HANDLE cusolverSpHandle_t handle
#define PATTERN const cusparseMatDescr_t matrix, const int *offsets, const int *indices
#define CSR(T)                                                                                     \
    const cusparseMatDescr_t matrix, const T *values, const int *offsets, const int *indices
#define MATRIX(p, definite)                                                                        \
    ((struct gcl_solver_sparse){GCL_SOLVER_##p, {n, 0, offsets, indices}, values, definite})

#define ANALYSIS(name, info_type)                                                                  \
    cusolverStatus_t cusolverSp##name(HANDLE, int n, int nnz, PATTERN, info_type info) {           \
        (void)nnz, (void)matrix, (void)offsets, (void)indices;                                     \
        return analyse(handle, n, n, info);                                                        \
    }
ANALYSIS(XcsrluAnalysisHost, csrluInfoHost_t)
ANALYSIS(XcsrcholAnalysisHost, csrcholInfoHost_t)
ANALYSIS(XcsrcholAnalysis, csrcholInfo_t)

#define QR_ANALYSIS(name, info_type)                                                               \
    cusolverStatus_t cusolverSp##name(HANDLE, int m, int n, int nnz, PATTERN, info_type info) {    \
        (void)nnz, (void)matrix, (void)offsets, (void)indices;                                     \
        return analyse(handle, m, n, info);                                                        \
    }
QR_ANALYSIS(XcsrqrAnalysisHost, csrqrInfoHost_t)
QR_ANALYSIS(XcsrqrAnalysis, csrqrInfo_t)

// Of LU and Cholesky's factors; H is Host, or nothing.
#define SQUARE(p, k, H, place, T, R)                                                               \
    cusolverStatus_t cusolverSp##p##csr##k##BufferInfo##H(HANDLE, int n, int nnz, CSR(T),          \
                                                          csr##k##Info##H##_t info,                \
                                                          size_t *internal_size, size_t *size) {   \
        (void)n, (void)nnz, (void)matrix, (void)values, (void)offsets, (void)indices, (void)info;  \
        return answer(handle, internal_size, size);                                                \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csr##k##ZeroPivot##H(HANDLE, csr##k##Info##H##_t info,         \
                                                         R tolerance, int *position) {             \
        return find_pivot(handle, info ? info->factors : NULL, (double)tolerance, position);       \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csr##k##Solve##H(HANDLE, int n, const T *b, T *x,              \
                                                     csr##k##Info##H##_t info, void *buffer) {     \
        (void)buffer;                                                                              \
        return solve(handle, place, info ? info->factors : NULL, n, sizeof *x, b, x);              \
    }
#define CHOLESKY(p, H, place, T, R)                                                                \
    SQUARE(p, chol, H, place, T, R)                                                                \
    cusolverStatus_t cusolverSp##p##csrcholFactor##H(HANDLE, int n, int nnz, CSR(T),               \
                                                     csrcholInfo##H##_t info, void *buffer) {      \
        (void)buffer;                                                                              \
        if (!info)                                                                                 \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return factor(handle, place, MATRIX(p, true), nnz, matrix, &info->factors);                \
    }
// The matrix is given for good by Setup, which factors it.
#define QR(p, H, place, T, R)                                                                      \
    cusolverStatus_t cusolverSp##p##csrqrBufferInfo##H(HANDLE, int m, int n, int nnz, CSR(T),      \
                                                       csrqrInfo##H##_t info,                      \
                                                       size_t *internal_size, size_t *size) {      \
        (void)m, (void)n, (void)nnz, (void)matrix, (void)values, (void)offsets, (void)indices;     \
        (void)info;                                                                                \
        return answer(handle, internal_size, size);                                                \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csrqrSetup##H(HANDLE, int m, int n, int nnz, CSR(T), T mu,     \
                                                  csrqrInfo##H##_t info) {                         \
        if (!info || m != n)                                                                       \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        if (gcl_solver_norm(GCL_SOLVER_##p, 1, 1, &mu, 1) != 0)                                    \
            return gcl_solver_refuse("cusolverSp" #p "csrqrSetup" #H " with a shift");             \
        return factor(handle, place, MATRIX(p, false), nnz, matrix, &info->factors);               \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csrqrSolve##H(HANDLE, int m, int n, T *b, T *x,                \
                                                  csrqrInfo##H##_t info, void *buffer) {           \
        (void)m, (void)buffer;                                                                     \
        return solve(handle, place, info ? info->factors : NULL, n, sizeof *x, b, x);              \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csrqrFactor##H(HANDLE, int m, int n, int nnz, T *b, T *x,      \
                                                   csrqrInfo##H##_t info, void *buffer) {          \
        (void)nnz;                                                                                 \
        if (!info || !info->factors)                                                               \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return b && x ? cusolverSp##p##csrqrSolve##H(handle, m, n, b, x, info, buffer)             \
                      : CUSOLVER_STATUS_SUCCESS;                                                   \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csrqrZeroPivot##H(HANDLE, csrqrInfo##H##_t info, R tolerance,  \
                                                      int *position) {                             \
        return find_pivot(handle, info ? info->factors : NULL, (double)tolerance, position);       \
    }
#define TYPED(p, T, R)                                                                             \
    SQUARE(p, lu, Host, ON_HOST, T, R)                                                             \
    cusolverStatus_t cusolverSp##p##csrluFactorHost(                                               \
        HANDLE, int n, int nnz, CSR(T), csrluInfoHost_t info, R threshold, void *buffer) {         \
        (void)threshold, (void)buffer;                                                             \
        if (!info)                                                                                 \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return factor(handle, ON_HOST, MATRIX(p, false), nnz, matrix, &info->factors);             \
    }                                                                                              \
    cusolverStatus_t cusolverSp##p##csrluExtractHost(                                              \
        HANDLE, int *to_rows, int *to_columns, const cusparseMatDescr_t lower, T *values_l,        \
        int *offsets_l, int *indices_l, const cusparseMatDescr_t upper, T *values_u,               \
        int *offsets_u, int *indices_u, csrluInfoHost_t info, void *buffer) {                      \
        (void)buffer;                                                                              \
        struct gcl_solver_triangles triangles = {.rows = to_rows,                                  \
                                                 .columns = to_columns,                            \
                                                 .offsets = {offsets_l, offsets_u},                \
                                                 .indices = {indices_l, indices_u},                \
                                                 .values = {values_l, values_u}};                  \
        return extract(handle, info ? info->factors : NULL, triangles, lower, upper);              \
    }                                                                                              \
    CHOLESKY(p, Host, ON_HOST, T, R)                                                               \
    CHOLESKY(p, , ON_DEVICE, T, R)                                                                 \
    QR(p, Host, ON_HOST, T, R)                                                                     \
    QR(p, , ON_DEVICE, T, R)
TYPED(S, float, float)
TYPED(D, double, double)
TYPED(C, cuComplex, float)
TYPED(Z, cuDoubleComplex, double)
