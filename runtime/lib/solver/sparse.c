// cuSOLVER's part for sparse matrices. Systems are solved on the host, by the calling thread, since
// their routines tell there what they have found.
#include "solver/sparse.h"

#include <stdlib.h>
#include <string.h>

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle) {
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    void *created;
    cusolverStatus_t status = gcl_solver_create(sizeof **handle, &created);
    if (status == CUSOLVER_STATUS_SUCCESS)
        *handle = created;
    return status;
}

cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!stream)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

// Patterns, on the host.

static bool has_element(const int *begins, const int *ends, const int *indices, int base, int row,
                        int column) {
    for (int64_t k = begins[row] - base; k < ends[row] - base; k++) {
        if (indices[k] - base == column)
            return true;
    }
    return false;
}

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t matrix, const int *begins,
                                         const int *ends, const int *indices, int *is_symmetric) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (m < 0 || nnz < 0 || !matrix || !begins || !ends || !indices || !is_symmetric)
        return CUSOLVER_STATUS_INVALID_VALUE;
    int base = (int)cusparseGetMatIndexBase(matrix);
    *is_symmetric = 1;
    for (int i = 0; i < m && *is_symmetric; i++) {
        for (int64_t k = begins[i] - base; k < ends[i] - base && *is_symmetric; k++)
            *is_symmetric = has_element(begins, ends, indices, base, indices[k] - base, i);
    }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t matrix, const int *offsets,
                                          const int *indices, int *p) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (n < 0 || nnz < 0 || !matrix || !offsets || !indices || !p)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct gcl_solver_pattern pattern = {n, (int)cusparseGetMatIndexBase(matrix), offsets, indices};
    return gcl_solver_order(&pattern, p) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                   const cusparseMatDescr_t matrix,
                                                   const int *offsets, const int *indices,
                                                   const int *p, const int *q, size_t *size) {
    (void)m, (void)n, (void)nnz, (void)matrix, (void)offsets, (void)indices, (void)p, (void)q;
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!size)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *size = 64; // of which nothing is used
    return CUSOLVER_STATUS_SUCCESS;
}

// An element of a row that is put together.
struct element {
    int column, number;
};

static int by_column(const void *a, const void *b) {
    const struct element *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/// Row i of the result is row p[i], whose elements in column q[j] come to column j.
static void permute(int m, int base, int *offsets, int *indices, const int *p, const int *places,
                    int *map, struct element *elements, int *begins) {
    memcpy(begins, offsets, (size_t)(m + 1) * sizeof *begins);
    int count = 0;
    for (int i = 0; i < m; i++) {
        int first = count;
        offsets[i] = count + base;
        for (int k = begins[p[i]] - base; k < begins[p[i] + 1] - base; k++)
            elements[count++] = (struct element){places[indices[k] - base], map[k]};
        qsort(elements + first, (size_t)(count - first), sizeof *elements, by_column);
    }
    offsets[m] = count + base;
    for (int k = 0; k < count; k++) {
        indices[k] = elements[k].column + base;
        map[k] = elements[k].number;
    }
}

cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t matrix, int *offsets, int *indices,
                                        const int *p, const int *q, int *map, void *buffer) {
    (void)buffer;
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || nnz < 0 || !matrix || !offsets || !indices || !p || !q || !map)
        return CUSOLVER_STATUS_INVALID_VALUE;
    int *places = calloc((size_t)n + 1, sizeof *places);
    int *begins = malloc(((size_t)m + 1) * sizeof *begins);
    struct element *elements = malloc(((size_t)nnz + 1) * sizeof *elements);
    bool has_memory = places && begins && elements;
    for (int j = 0; has_memory && j < n; j++)
        places[q[j]] = j;
    if (has_memory)
        permute(m, (int)cusparseGetMatIndexBase(matrix), offsets, indices, p, places, map, elements,
                begins);
    free(places);
    free(begins);
    free(elements);
    return has_memory ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

// Matrices.

cusolverStatus_t gcl_solver_describe(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                     int nnz, const cusparseMatDescr_t descriptor) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (matrix->pattern.n < 0 || nnz < 0 || !descriptor || !matrix->values ||
        !matrix->pattern.offsets || !matrix->pattern.indices)
        return CUSOLVER_STATUS_INVALID_VALUE;
    matrix->pattern.base = (int)cusparseGetMatIndexBase(descriptor);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t gcl_solver_fetch(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                  int nnz, void **memory) {
    size_t values = (size_t)nnz * gcl_solver_size(matrix->type);
    size_t indices = (size_t)nnz * sizeof(int),
           offsets = ((size_t)matrix->pattern.n + 1) * sizeof(int);
    char *copy = malloc(values + indices + offsets);
    *memory = copy;
    if (!copy)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    cusolverStatus_t status = gcl_solver_copy(handle->stream, copy, matrix->values, values);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_copy(handle->stream, copy + values, matrix->pattern.indices, indices);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_copy(handle->stream, copy + values + indices, matrix->pattern.offsets,
                                 offsets);
    matrix->values = copy;
    matrix->pattern.indices = (const int *)(const void *)(copy + values);
    matrix->pattern.offsets = (const int *)(const void *)(copy + values + indices);
    return status;
}

// Systems.

/// Solves a system with a matrix on the host, unless it is singular.
static cusolverStatus_t solve(const struct gcl_solver_sparse *matrix, const void *b, void *x,
                              double tolerance, int *singularity) {
    struct gcl_solver_factors *factors;
    cusolverStatus_t status = gcl_solver_factor(matrix, &factors);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    *singularity = gcl_solver_zero_pivot(factors, tolerance);
    if (*singularity < 0)
        status = gcl_solver_substitute(factors, matrix->pattern.n, b, x);
    gcl_solver_factors_destroy(factors);
    return status;
}

static cusolverStatus_t solve_host(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                   int nnz, const cusparseMatDescr_t descriptor, const void *b,
                                   void *x, double tolerance, int *singularity) {
    cusolverStatus_t status = gcl_solver_describe(handle, matrix, nnz, descriptor);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (!b || !x || !singularity)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return solve(matrix, b, x, tolerance, singularity);
}

static cusolverStatus_t solve_device(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                     int nnz, const cusparseMatDescr_t descriptor, const void *b,
                                     void *x, double tolerance, int *singularity) {
    cusolverStatus_t status = gcl_solver_describe(handle, matrix, nnz, descriptor);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (!b || !x || !singularity)
        return CUSOLVER_STATUS_INVALID_VALUE;
    uint64_t size = (uint64_t)matrix->pattern.n * gcl_solver_size(matrix->type);
    void *memory = NULL, *vector = malloc(size + 1);
    status =
        vector ? gcl_solver_copy(handle->stream, vector, b, size) : CUSOLVER_STATUS_ALLOC_FAILED;
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = gcl_solver_fetch(handle, matrix, nnz, &memory);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = solve(matrix, vector, vector, tolerance, singularity);
    if (status == CUSOLVER_STATUS_SUCCESS && *singularity < 0)
        status = gcl_solver_copy(handle->stream, x, vector, size);
    free(memory);
    free(vector);
    return status;
}

#define SOLVE(name, way, p, T, R, definite)                                                        \
    cusolverStatus_t cusolverSp##p##name(cusolverSpHandle_t handle, int n, int nnz,                \
                                         const cusparseMatDescr_t matrix, const T *values,         \
                                         const int *offsets, const int *indices, const T *b,       \
                                         R tolerance, int reorder, T *x, int *singularity) {       \
        (void)reorder;                                                                             \
        struct gcl_solver_sparse a = {.type = GCL_SOLVER_##p,                                      \
                                      .pattern = {n, 0, offsets, indices},                         \
                                      .values = values,                                            \
                                      .is_definite = definite};                                    \
        return way(handle, &a, nnz, matrix, b, x, (double)tolerance, singularity);                 \
    }
#define TYPED(p, T, R)                                                                             \
    SOLVE(csrlsvluHost, solve_host, p, T, R, false)                                                \
    SOLVE(csrlsvqrHost, solve_host, p, T, R, false)                                                \
    SOLVE(csrlsvcholHost, solve_host, p, T, R, true)                                               \
    SOLVE(csrlsvqr, solve_device, p, T, R, false)                                                  \
    SOLVE(csrlsvchol, solve_device, p, T, R, true)
TYPED(S, float, float)
TYPED(D, double, double)
TYPED(C, cuComplex, float)
TYPED(Z, cuDoubleComplex, double)
