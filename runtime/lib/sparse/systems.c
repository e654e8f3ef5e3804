// Triangular systems, and incomplete factors that make them.
#include <stdlib.h>

#include "sparse/rows.h"
#include "sparse/sparse.h"

struct system {
    struct gcl_sparse_shape a;
    struct gcl_dense_shape b, c;
    cusparseOperation_t op_a;
    int32_t conjugates_b;
    struct gcl_sparse_scalar alpha;
};

/// Solves for one right-hand side; of `a` what is on the other side of the diagonal isn't looked
/// at.
static void substitute(const struct gcl_sparse_rows *a, bool is_upper, bool is_unit,
                       gcl_number *x) {
    for (int64_t step = 0; step < a->rows; step++) {
        int64_t i = is_upper ? a->rows - 1 - step : step;
        gcl_number sum = x[i], diagonal = is_unit ? 1 : 0;
        for (int64_t k = a->offsets[i]; k < a->offsets[i + 1]; k++) {
            const struct gcl_sparse_element *e = &a->elements[k];
            if (is_upper ? e->column > i : e->column < i)
                sum -= e->value * x[e->column];
            else if (e->column == i && !is_unit)
                diagonal = e->value;
        }
        x[i] = sum / diagonal;
    }
}

static void solve(void *const *buffers, const void *payload) {
    const struct system *s = payload;
    void *const *next = buffers + 5;
    gcl_number alpha = gcl_sparse_scalar_value(&s->alpha, &next);
    struct gcl_sparse_rows a =
        gcl_sparse_rows_of(&s->a, s->op_a, buffers[0], buffers[1], buffers[2]);
    bool is_turned = s->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    bool is_upper = (s->a.fill == CUSPARSE_FILL_MODE_UPPER) != is_turned;
    gcl_number *x = gcl_sparse_allocate((uint64_t)a.rows * sizeof *x);
    for (int64_t j = 0; j < s->c.columns; j++) {
        for (int64_t i = 0; i < a.rows; i++) {
            gcl_number b =
                gcl_number_load(s->b.type, buffers[3], i * s->b.row_step + j * s->b.column_step);
            x[i] = alpha * (s->conjugates_b ? conj(b) : b);
        }
        substitute(&a, is_upper, s->a.diagonal == CUSPARSE_DIAG_TYPE_UNIT, x);
        for (int64_t i = 0; i < a.rows; i++)
            gcl_number_store(s->c.type, buffers[4], i * s->c.row_step + j * s->c.column_step, x[i]);
    }
    free(x);
    gcl_sparse_rows_finish(&a);
}

GCL_TASK(spsv, "cusparseSpSV_solve", solve)
GCL_TASK(spsm, "cusparseSpSM_solve", solve)

static cusparseStatus_t run(const struct gcl_task *task, cusparseHandle_t handle, struct system *s,
                            cusparseConstSpMatDescr_t a, const void *b, void *c, const void *alpha,
                            cudaDataType type) {
    if (s->a.rows != s->a.columns || s->b.rows != s->a.rows || s->c.rows != s->a.rows ||
        s->b.columns != s->c.columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add_matrix(&call, a, GCL_BUFFER_READ);
    gcl_sparse_add(&call, b, gcl_dense_size(&s->b), GCL_BUFFER_READ);
    gcl_sparse_add(&call, c, gcl_dense_size(&s->c),
                   gcl_dense_is_whole(&s->c) ? GCL_BUFFER_WRITE
                                             : GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    s->alpha = gcl_sparse_add_scalar(&call, alpha, type);
    return gcl_sparse_launch(task, &call, s, sizeof *s);
}

// What an analysis finds isn't kept: the matrix is all that solving takes.

struct cusparseSpSVDescr {
    int unused;
};
struct cusparseSpSMDescr {
    int unused;
};

static cusparseStatus_t create(void **state, size_t size) {
    if (!state)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *state = calloc(1, size);
    return *state ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *state) {
    return create((void **)state, sizeof **state);
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t state) {
    free(state);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(GCL_SPARSE_SPSV, size_t *size) {
    (void)op_a, (void)alpha, (void)a, (void)x, (void)y, (void)type, (void)algorithm, (void)state;
    return gcl_sparse_buffer_size(handle, size, 0);
}

cusparseStatus_t cusparseSpSV_analysis(GCL_SPARSE_SPSV, void *buffer) {
    (void)op_a, (void)alpha, (void)a, (void)x, (void)y, (void)type, (void)algorithm, (void)state;
    (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpSV_solve(GCL_SPARSE_SPSV) {
    (void)algorithm, (void)state;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !x || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct system s = {.a = a->shape, .b = x->shape, .c = y->shape, .op_a = op_a};
    return run(&spsv, handle, &s, a, x->values, y->values, alpha, type);
}

cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t state,
                                           void *values, cusparseSpSVUpdate_t part) {
    (void)handle, (void)state, (void)values, (void)part;
    return gcl_sparse_refuse("cusparseSpSV_updateMatrix");
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *state) {
    return create((void **)state, sizeof **state);
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t state) {
    free(state);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_bufferSize(GCL_SPARSE_SPSM, size_t *size) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)c, (void)type, (void)algorithm;
    (void)state;
    return gcl_sparse_buffer_size(handle, size, 0);
}

cusparseStatus_t cusparseSpSM_analysis(GCL_SPARSE_SPSM, void *buffer) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)c, (void)type, (void)algorithm;
    (void)state, (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpSM_solve(GCL_SPARSE_SPSM) {
    (void)algorithm, (void)state;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct system s = {.a = a->shape,
                       .b = gcl_dense_turned(b->shape, op_b),
                       .c = c->shape,
                       .op_a = op_a,
                       .conjugates_b = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    return run(&spsm, handle, &s, a, b->values, c->values, alpha, type);
}

// Incomplete LU factors in place of a matrix, without pivots and new elements (ILU(0)): Saad,
// Iterative Methods for Sparse Linear Systems, 2nd edition, algorithm 10.4.

struct csrilu02Info {
    int *
        pivot; ///< on the device: the first row without a pivot, counted from the base on; -1: none
};

struct factorisation {
    int64_t rows, nnz;
    int64_t base;
    cudaDataType type;
};

/// Where row `row` has column `column`; -1: nowhere.
static int64_t find(const int *offsets, const int *indices, int64_t base, int64_t row,
                    int64_t column) {
    for (int64_t k = offsets[row] - base; k < offsets[row + 1] - base; k++) {
        if (indices[k] - base == column)
            return k;
    }
    return -1;
}

/// Takes multiples of earlier rows off row i.
static void eliminate(const struct factorisation *f, const int *offsets, const int *indices,
                      void *values, int64_t i) {
    for (int64_t k = offsets[i] - f->base; k < offsets[i + 1] - f->base; k++) {
        int64_t row = indices[k] - f->base;
        int64_t diagonal = row < i ? find(offsets, indices, f->base, row, row) : -1;
        if (diagonal < 0)
            continue;
        gcl_number factor =
            gcl_number_load(f->type, values, k) / gcl_number_load(f->type, values, diagonal);
        gcl_number_store(f->type, values, k, factor);
        for (int64_t e = diagonal + 1; e < offsets[row + 1] - f->base; e++) {
            int64_t at = find(offsets, indices, f->base, i, indices[e] - f->base);
            if (at >= 0)
                gcl_number_store(f->type, values, at,
                                 gcl_number_load(f->type, values, at) -
                                     factor * gcl_number_load(f->type, values, e));
        }
    }
}

static void factorise(void *const *buffers, const void *payload) {
    const struct factorisation *f = payload;
    const int *offsets = buffers[0], *indices = buffers[1];
    int *pivot = buffers[3];
    *pivot = -1;
    for (int64_t i = 0; i < f->rows; i++) {
        eliminate(f, offsets, indices, buffers[2], i);
        int64_t diagonal = find(offsets, indices, f->base, i, i);
        bool is_zero = diagonal < 0 || gcl_number_load(f->type, buffers[2], diagonal) == 0;
        if (is_zero && *pivot < 0)
            *pivot = (int)(i + f->base);
    }
}

GCL_TASK(csrilu02, "cusparseXcsrilu02", factorise)

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) {
    cusparseStatus_t status = create((void **)info, sizeof **info);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    cudaError_t error = cudaMalloc((void **)&(*info)->pivot, sizeof *(*info)->pivot);
    if (!error)
        error = cudaMemset((*info)->pivot, 0xff, sizeof *(*info)->pivot);
    return gcl_sparse_status(error);
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
    if (info)
        cudaFree(info->pivot);
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!info || !position)
        return CUSPARSE_STATUS_INVALID_VALUE;
    cusparseStatus_t status = gcl_sparse_put(handle, position, info->pivot, sizeof *position);
    if (status == CUSPARSE_STATUS_SUCCESS && handle->mode == CUSPARSE_POINTER_MODE_HOST &&
        *position >= 0)
        status = CUSPARSE_STATUS_ZERO_PIVOT;
    return status;
}

static cusparseStatus_t factor(cusparseHandle_t handle, int m, int nnz,
                               const cusparseMatDescr_t matrix, void *values, const int *offsets,
                               const int *indices, csrilu02Info_t info, cudaDataType type) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || nnz < 0 || !matrix || !info)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct factorisation f = {
        .rows = m, .nnz = nnz, .base = cusparseGetMatIndexBase(matrix), .type = type};
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, offsets, (uint64_t)(m + 1) * sizeof *offsets, GCL_BUFFER_READ);
    gcl_sparse_add(&call, indices, (uint64_t)nnz * sizeof *indices, GCL_BUFFER_READ);
    gcl_sparse_add(&call, values, (uint64_t)nnz * gcl_number_size(type),
                   GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    gcl_sparse_add(&call, info->pivot, sizeof *info->pivot, GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&csrilu02, &call, &f, sizeof f);
}

#define FACTOR(T, number, cuda)                                                                    \
    cusparseStatus_t cusparse##T##csrilu02_bufferSize(                                             \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix, number *values,  \
        const int *offsets, const int *indices, csrilu02Info_t info, int *size) {                  \
        (void)m, (void)nnz, (void)matrix, (void)values, (void)offsets, (void)indices, (void)info;  \
        if (size)                                                                                  \
            *size = 4;                                                                             \
        return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;                 \
    }                                                                                              \
    cusparseStatus_t cusparse##T##csrilu02_analysis(                                               \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,                  \
        const number *values, const int *offsets, const int *indices, csrilu02Info_t info,         \
        cusparseSolvePolicy_t policy, void *buffer) {                                              \
        (void)m, (void)nnz, (void)matrix, (void)values, (void)offsets, (void)indices, (void)info;  \
        (void)policy, (void)buffer;                                                                \
        return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;                 \
    }                                                                                              \
    cusparseStatus_t cusparse##T##csrilu02(                                                        \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix, number *values,  \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer) {                                                                            \
        (void)policy, (void)buffer;                                                                \
        return factor(handle, m, nnz, matrix, values, offsets, indices, info, cuda);               \
    }
FACTOR(S, float, CUDA_R_32F)
FACTOR(D, double, CUDA_R_64F)
FACTOR(C, cuComplex, CUDA_C_32F)
FACTOR(Z, cuDoubleComplex, CUDA_C_64F)
