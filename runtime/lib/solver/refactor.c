// cuSOLVER's refactoring: matrices of one pattern, one after the other or a batch at once, whose
// first was factored elsewhere, as P A Q^T = L U. All work is done on the host, by the calling
// thread; what is on the device is copied when its stream is done. Matrices are given by row, and L
// has a diagonal of ones, stored or not; other formats are refused.
#include <cusolverRf.h>

#include <stdlib.h>
#include <string.h>

#include "solver/pattern_lu.h"

enum state { CREATED, LOADED, FACTORED };

struct cusolverRfCommon {
    cusolverRfUnitDiagonal_t diagonal;
    cusolverRfFactorization_t factorization;
    cusolverRfTriangularSolve_t solve;
    cusolverRfResetValuesFastMode_t mode;
    struct gcl_solver_pivoting pivoting;
    enum state state;
    struct gcl_solver_pattern_lu lu;
    int batch, nnz;  ///< matrices; elements of each
    double *values;  ///< of each matrix, as `lu` has them
    int *positions;  ///< rows without pivots, or -1
    void *device[3]; ///< copies of offsets, indices and values, or NULL
};

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *handle) {
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    (*handle)->solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    return CUSOLVER_STATUS_SUCCESS;
}

static void forget(cusolverRfHandle_t handle) {
    gcl_solver_pattern_release(&handle->lu);
    free(handle->values);
    free(handle->positions);
    for (int i = 0; i < 3; i++) {
        cudaFree(handle->device[i]);
        handle->device[i] = NULL;
    }
    handle->values = NULL;
    handle->positions = NULL;
    handle->state = CREATED;
}

cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    forget(handle);
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

// Settings.

cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diagonal) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (format != CUSOLVERRF_MATRIX_FORMAT_CSR)
        return gcl_solver_refuse("cusolverRfSetMatrixFormat of matrices by column");
    if (diagonal != CUSOLVERRF_UNIT_DIAGONAL_STORED_L &&
        diagonal != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L)
        return gcl_solver_refuse("cusolverRfSetMatrixFormat with ones in the diagonal of U");
    handle->diagonal = diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}

/// A function that gets or sets settings of a handle, if its arguments are `given`.
#define SETTING(name, parameters, given, what)                                                     \
    cusolverStatus_t cusolverRf##name parameters {                                                 \
        if (!handle)                                                                               \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                \
        if (!(given))                                                                              \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        what;                                                                                      \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
SETTING(GetMatrixFormat,
        (cusolverRfHandle_t handle, cusolverRfMatrixFormat_t *format,
         cusolverRfUnitDiagonal_t *diagonal),
        format &&diagonal, (*format = CUSOLVERRF_MATRIX_FORMAT_CSR, *diagonal = handle->diagonal))
SETTING(GetNumericProperties, (cusolverRfHandle_t handle, double *zero, double *boost),
        zero &&boost, (*zero = handle->pivoting.zero, *boost = handle->pivoting.boost))
SETTING(GetNumericBoostReport, (cusolverRfHandle_t handle, cusolverRfNumericBoostReport_t *report),
        report,
        *report = handle->pivoting.is_boosted ? CUSOLVERRF_NUMERIC_BOOST_USED
                                              : CUSOLVERRF_NUMERIC_BOOST_NOT_USED)
SETTING(GetAlgs,
        (cusolverRfHandle_t handle, cusolverRfFactorization_t *factorization,
         cusolverRfTriangularSolve_t *solve),
        factorization &&solve, (*factorization = handle->factorization, *solve = handle->solve))
SETTING(GetResetValuesFastMode, (cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t *mode),
        mode, *mode = handle->mode)
SETTING(SetNumericProperties, (cusolverRfHandle_t handle, double zero, double boost),
        zero >= 0 && boost >= 0, (handle->pivoting.zero = zero, handle->pivoting.boost = boost))
SETTING(SetAlgs,
        (cusolverRfHandle_t handle, cusolverRfFactorization_t factorization,
         cusolverRfTriangularSolve_t solve),
        true, (handle->factorization = factorization, handle->solve = solve))
SETTING(SetResetValuesFastMode, (cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t mode),
        true, handle->mode = mode)

// Matrices.

/// Copies `size` bytes from host or device to memory that is to be freed. NULL: it can't.
static void *fetch(const void *from, size_t size) {
    void *copy = malloc(size + 1);
    if (copy && gcl_solver_copy(NULL, copy, from, size) == CUSOLVER_STATUS_SUCCESS)
        return copy;
    free(copy);
    return NULL;
}

static double *values_of(cusolverRfHandle_t handle, int matrix) {
    return handle->values + (size_t)matrix * (size_t)handle->lu.count;
}

static cusolverStatus_t load(cusolverRfHandle_t handle, int nnz, int *offsets, int *indices,
                             double *const *values) {
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    for (int m = 0; m < handle->batch && status == CUSOLVER_STATUS_SUCCESS; m++) {
        struct gcl_solver_rows a = {nnz, offsets, indices, values[m]};
        status = values[m] ? gcl_solver_pattern_load(&handle->lu, &a, values_of(handle, m))
                           : CUSOLVER_STATUS_INVALID_VALUE;
        handle->positions[m] = -1;
    }
    handle->state = status == CUSOLVER_STATUS_SUCCESS ? LOADED : CREATED;
    return status;
}

/// Takes matrices on the host.
static cusolverStatus_t set_up(cusolverRfHandle_t handle, int batch, int n,
                               struct gcl_solver_rows a, double *const *values,
                               const struct gcl_solver_rows *lower,
                               const struct gcl_solver_rows *upper, const int *p, const int *q) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (batch < 1 || n < 1 || !a.offsets || !a.indices || !values || !lower->offsets ||
        !lower->indices || !upper->offsets || !upper->indices || !p || !q)
        return CUSOLVER_STATUS_INVALID_VALUE;
    forget(handle);
    cusolverStatus_t status = gcl_solver_pattern_make(&handle->lu, n, lower, upper, p, q);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    handle->batch = batch;
    handle->nnz = a.count;
    handle->values = malloc((size_t)batch * (size_t)handle->lu.count * sizeof(double));
    handle->positions = malloc((size_t)batch * sizeof(int));
    if (!handle->values || !handle->positions)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    return load(handle, a.count, a.offsets, a.indices, values);
}

#define ROWS(p) int nnz##p, int *offsets##p, int *indices##p, double *values##p
#define GIVEN(p) {nnz##p, offsets##p, indices##p, values##p}

cusolverStatus_t cusolverRfBatchSetupHost(int batch, int n, int nnzA, int *offsetsA, int *indicesA,
                                          double *valuesA[], ROWS(L), ROWS(U), int *p, int *q,
                                          cusolverRfHandle_t handle) {
    struct gcl_solver_rows a = {nnzA, offsetsA, indicesA, NULL}, lower = GIVEN(L), upper = GIVEN(U);
    return set_up(handle, batch, n, a, valuesA, &lower, &upper, p, q);
}

cusolverStatus_t cusolverRfSetupHost(int n, ROWS(A), ROWS(L), ROWS(U), int *p, int *q,
                                     cusolverRfHandle_t handle) {
    return cusolverRfBatchSetupHost(1, n, nnzA, offsetsA, indicesA, &valuesA, nnzL, offsetsL,
                                    indicesL, valuesL, nnzU, offsetsU, indicesU, valuesU, p, q,
                                    handle);
}

cusolverStatus_t cusolverRfSetupDevice(int n, ROWS(A), ROWS(L), ROWS(U), int *p, int *q,
                                       cusolverRfHandle_t handle) {
    const void *from[] = {offsetsA, indicesA, valuesA, offsetsL, indicesL,
                          offsetsU, indicesU, p,       q};
    size_t row = sizeof(int), number = sizeof(double), rows = (size_t)n * row;
    const size_t sizes[] = {rows + row,
                            (size_t)nnzA * row,
                            (size_t)nnzA * number,
                            rows + row,
                            (size_t)nnzL * row,
                            rows + row,
                            (size_t)nnzU * row,
                            rows,
                            rows};
    void *copies[9] = {NULL};
    bool is_there = n > 0 && nnzA >= 0 && nnzL >= 0 && nnzU >= 0;
    for (int i = 0; i < 9 && is_there; i++)
        is_there = from[i] && (copies[i] = fetch(from[i], sizes[i]));
    cusolverStatus_t status = CUSOLVER_STATUS_INVALID_VALUE;
    if (is_there)
        status = cusolverRfSetupHost(n, nnzA, copies[0], copies[1], copies[2], nnzL, copies[3],
                                     copies[4], valuesL, nnzU, copies[5], copies[6], valuesU,
                                     copies[7], copies[8], handle);
    for (int i = 0; i < 9; i++)
        free(copies[i]);
    return status;
}

cusolverStatus_t cusolverRfBatchResetValues(int batch, int n, int nnzA, int *offsetsA,
                                            int *indicesA, double *valuesA[], int *p, int *q,
                                            cusolverRfHandle_t handle) {
    (void)p, (void)q; // those of the set-up
    if (!handle || !handle->values)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (batch != handle->batch || n != handle->lu.n || nnzA != handle->nnz || !valuesA)
        return CUSOLVER_STATUS_INVALID_VALUE;
    size_t values = (size_t)nnzA * sizeof(double);
    int *offsets = fetch(offsetsA, ((size_t)n + 1) * sizeof(int));
    int *indices = fetch(indicesA, (size_t)nnzA * sizeof(int));
    double **arrays = fetch(valuesA, (size_t)batch * sizeof *arrays);
    bool is_there = offsets && indices && arrays;
    int fetched = 0;
    while (is_there && fetched < batch) {
        arrays[fetched] = fetch(arrays[fetched], values);
        is_there = arrays[fetched++];
    }
    cusolverStatus_t status =
        is_there ? load(handle, nnzA, offsets, indices, arrays) : CUSOLVER_STATUS_INVALID_VALUE;
    while (fetched > 0)
        free(arrays[--fetched]);
    free(arrays);
    free(offsets);
    free(indices);
    return status;
}

cusolverStatus_t cusolverRfResetValues(int n, ROWS(A), int *p, int *q, cusolverRfHandle_t handle) {
    return cusolverRfBatchResetValues(1, n, nnzA, offsetsA, indicesA, &valuesA, p, q, handle);
}

cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle) {
    return handle && handle->values ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
    return cusolverRfBatchAnalyze(handle);
}

// Factors.

/// Matrices are factored up to the last, whichever has no pivot.
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle) {
    if (!handle || handle->state != LOADED)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    handle->pivoting.is_boosted = false;
    for (int m = 0; m < handle->batch; m++) {
        cusolverStatus_t own = gcl_solver_pattern_factor(&handle->lu, values_of(handle, m),
                                                         &handle->pivoting, &handle->positions[m]);
        status = own == CUSOLVER_STATUS_SUCCESS ? status : own;
    }
    handle->state = status == CUSOLVER_STATUS_SUCCESS ? FACTORED : CREATED;
    return status;
}

cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
    return cusolverRfBatchRefactor(handle);
}

cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int *position) {
    if (!handle || !handle->positions)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!position)
        return CUSOLVER_STATUS_INVALID_VALUE;
    memcpy(position, handle->positions, (size_t)handle->batch * sizeof *position);
    for (int m = 0; m < handle->batch; m++) {
        if (position[m] >= 0)
            return CUSOLVER_STATUS_ZERO_PIVOT;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve_column(cusolverRfHandle_t handle, int matrix, double *x) {
    size_t n = (size_t)handle->lu.n, size = n * sizeof(double);
    double *numbers = malloc(2 * size);
    if (!numbers)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    cusolverStatus_t status = gcl_solver_copy(NULL, numbers, x, size);
    if (status == CUSOLVER_STATUS_SUCCESS) {
        gcl_solver_pattern_solve(&handle->lu, values_of(handle, matrix), numbers, numbers + n);
        status = gcl_solver_copy(NULL, x, numbers, size);
    }
    free(numbers);
    return status;
}

cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int *p, int *q, int nrhs,
                                      double *temporary, int ldt, double *XF[], int ldxf) {
    (void)p, (void)q, (void)temporary, (void)ldt;
    if (!handle || handle->state != FACTORED)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    double **arrays =
        XF && ldxf >= handle->lu.n ? fetch(XF, (size_t)handle->batch * sizeof *arrays) : NULL;
    cusolverStatus_t status = arrays ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
    for (int m = 0; m < handle->batch && status == CUSOLVER_STATUS_SUCCESS; m++) {
        for (int c = 0; c < nrhs && status == CUSOLVER_STATUS_SUCCESS; c++)
            status = solve_column(handle, m, arrays[m] + (ptrdiff_t)c * ldxf);
    }
    free(arrays);
    return status;
}

cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int *p, int *q, int nrhs,
                                 double *temporary, int ldt, double *XF, int ldxf) {
    if (!XF)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return cusolverRfBatchSolve(handle, p, q, nrhs, temporary, ldt, &XF, ldxf);
}

// What is read of factors: those of the first matrix.

static cusolverStatus_t is_readable(cusolverRfHandle_t handle) {
    return handle && handle->state == FACTORED ? CUSOLVER_STATUS_SUCCESS
                                               : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int *nnz,
                                                      int **offsets, int **indices,
                                                      double **values) {
    cusolverStatus_t status = is_readable(handle);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (!nnz || !offsets || !indices || !values)
        return CUSOLVER_STATUS_INVALID_VALUE;
    size_t count = (size_t)handle->lu.count;
    const void *from[] = {handle->lu.offsets, handle->lu.indices, handle->values};
    const size_t sizes[] = {((size_t)handle->lu.n + 1) * sizeof(int), count * sizeof(int),
                            count * sizeof(double)};
    for (int i = 0; i < 3; i++) {
        if (!handle->device[i] && cudaMalloc(&handle->device[i], sizes[i]))
            return CUSOLVER_STATUS_ALLOC_FAILED;
        status = gcl_solver_copy(NULL, handle->device[i], from[i], sizes[i]);
        if (status != CUSOLVER_STATUS_SUCCESS)
            return status;
    }
    *nnz = handle->lu.count;
    *offsets = handle->device[0];
    *indices = handle->device[1];
    *values = handle->device[2];
    return status;
}

/// The part of the factors whose elements are wanted.
enum side { LOWER, UPPER, BOTH };

static int first_of(const struct gcl_solver_pattern_lu *lu, enum side side, int row) {
    return side == UPPER ? lu->diagonals[row] : lu->offsets[row];
}
static int end_of(const struct gcl_solver_pattern_lu *lu, enum side side, int row) {
    return side == LOWER ? lu->diagonals[row] : lu->offsets[row + 1];
}

/// Copies elements to memory that the caller frees; `has_ones`: a diagonal of ones behind each row.
static cusolverStatus_t copy_out(cusolverRfHandle_t handle, enum side side, bool has_ones, int *nnz,
                                 int **offsets, int **indices, double **values) {
    if (!nnz || !offsets || !indices || !values)
        return CUSOLVER_STATUS_INVALID_VALUE;
    const struct gcl_solver_pattern_lu *lu = &handle->lu;
    size_t most = (size_t)lu->count + (size_t)lu->n;
    *offsets = malloc(((size_t)lu->n + 1) * sizeof **offsets);
    *indices = malloc(most * sizeof **indices);
    *values = malloc(most * sizeof **values);
    if (!*offsets || !*indices || !*values)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    int count = 0;
    for (int i = 0; i < lu->n; i++) {
        (*offsets)[i] = count;
        for (int k = first_of(lu, side, i); k < end_of(lu, side, i); k++) {
            (*indices)[count] = lu->indices[k];
            (*values)[count++] = handle->values[k];
        }
        if (has_ones) {
            (*indices)[count] = i;
            (*values)[count++] = 1;
        }
    }
    (*offsets)[lu->n] = *nnz = count;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int *nnz,
                                                     int **offsets, int **indices,
                                                     double **values) {
    cusolverStatus_t status = is_readable(handle);
    return status == CUSOLVER_STATUS_SUCCESS
               ? copy_out(handle, BOTH, false, nnz, offsets, indices, values)
               : status;
}

cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int *nnz_l,
                                                   int **offsets_l, int **indices_l,
                                                   double **values_l, int *nnz_u, int **offsets_u,
                                                   int **indices_u, double **values_u) {
    cusolverStatus_t status = is_readable(handle);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = copy_out(handle, LOWER, handle->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L,
                          nnz_l, offsets_l, indices_l, values_l);
    return status == CUSOLVER_STATUS_SUCCESS
               ? copy_out(handle, UPPER, false, nnz_u, offsets_u, indices_u, values_u)
               : status;
}
