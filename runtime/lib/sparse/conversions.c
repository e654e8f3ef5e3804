// Between formats, and orders within one.
#include <stdlib.h>

#include "sparse/rows.h"
#include "sparse/sparse.h"

enum { SOME = 4 }; // bytes of buffers, since programs may not allocate none

// Sparse to dense.

struct densification {
    struct gcl_sparse_shape a;
    struct gcl_dense_shape b;
};

static int64_t place(const struct gcl_dense_shape *shape, int64_t row, int64_t column) {
    return row * shape->row_step + column * shape->column_step;
}

static void densify(void *const *buffers, const void *payload) {
    const struct densification *d = payload;
    struct gcl_sparse_rows rows = gcl_sparse_rows_of(&d->a, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                     buffers[0], buffers[1], buffers[2]);
    for (int64_t i = 0; i < d->b.rows; i++) {
        for (int64_t j = 0; j < d->b.columns; j++)
            gcl_number_store(d->b.type, buffers[3], place(&d->b, i, j), 0);
        for (int64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; k++)
            gcl_number_store(d->b.type, buffers[3], place(&d->b, i, rows.elements[k].column),
                             rows.elements[k].value);
    }
    gcl_sparse_rows_finish(&rows);
}

GCL_TASK(sparse_to_dense, "cusparseSparseToDense", densify)

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *size) {
    (void)a, (void)b, (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, SOME);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                       void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || a->shape.rows != b->shape.rows || a->shape.columns != b->shape.columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct densification d = {.a = a->shape, .b = b->shape};
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add_matrix(&call, a, GCL_BUFFER_READ);
    gcl_sparse_add(&call, b->values, gcl_dense_size(&d.b),
                   gcl_dense_is_whole(&d.b) ? GCL_BUFFER_WRITE
                                            : GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&sparse_to_dense, &call, &d, sizeof d);
}

// Dense to sparse: the program asks how many elements there are in between, so the host looks.

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *size) {
    (void)a, (void)b, (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, SOME);
}

/// Element (i, j) counted along the format's major axis.
static gcl_number element(const struct gcl_dense_shape *shape, bool by_column, const void *values,
                          int64_t major, int64_t minor) {
    return gcl_number_load(shape->type, values,
                           by_column ? place(shape, minor, major) : place(shape, major, minor));
}

/// Goes through a dense matrix; NULL parts aren't written.
static int64_t go_through(const struct gcl_dense_shape *shape, const struct gcl_sparse_shape *to,
                          const void *dense, void *offsets, void *indices, void *values) {
    bool by_column = to->format == CUSPARSE_FORMAT_CSC, is_coo = to->format == CUSPARSE_FORMAT_COO;
    int64_t majors = by_column ? shape->columns : shape->rows;
    int64_t minors = by_column ? shape->rows : shape->columns;
    int64_t count = 0;
    for (int64_t i = 0; i < majors; i++) {
        if (offsets && !is_coo)
            gcl_index_store(to->offset_type, offsets, i, count + to->base);
        for (int64_t j = 0; j < minors; j++) {
            gcl_number value = element(shape, by_column, dense, i, j);
            if (value == 0)
                continue;
            if (offsets && is_coo)
                gcl_index_store(to->index_type, offsets, count, i + to->base);
            if (indices)
                gcl_index_store(to->index_type, indices, count, j + to->base);
            if (values)
                gcl_number_store(to->type, values, count, value);
            count++;
        }
    }
    if (offsets && !is_coo)
        gcl_index_store(to->offset_type, offsets, majors, count + to->base);
    return count;
}

static bool is_pair(cusparseConstDnMatDescr_t a, cusparseConstSpMatDescr_t b) {
    return a && b && a->shape.rows == b->shape.rows && a->shape.columns == b->shape.columns;
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t algorithm,
                                                void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!is_pair(a, b))
        return CUSPARSE_STATUS_INVALID_VALUE;
    void *dense;
    cusparseStatus_t status =
        gcl_sparse_fetch(handle, a->values, gcl_dense_size(&a->shape), &dense);
    if (status == CUSPARSE_STATUS_SUCCESS)
        b->shape.nnz = go_through(&a->shape, &b->shape, dense, NULL, NULL, NULL);
    free(dense);
    return status;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!is_pair(a, b))
        return CUSPARSE_STATUS_INVALID_VALUE;
    const struct gcl_sparse_shape *s = &b->shape;
    void *dense;
    cusparseStatus_t status =
        gcl_sparse_fetch(handle, a->values, gcl_dense_size(&a->shape), &dense);
    if (status != CUSPARSE_STATUS_SUCCESS) {
        free(dense);
        return status;
    }
    void *offsets = gcl_sparse_allocate(gcl_sparse_offsets_size(s));
    void *indices = gcl_sparse_allocate(gcl_sparse_indices_size(s));
    void *values = gcl_sparse_allocate(gcl_sparse_values_size(s));
    if (go_through(&a->shape, s, dense, NULL, NULL, NULL) == s->nnz) {
        go_through(&a->shape, s, dense, offsets, indices, values);
        status = gcl_sparse_put_matrix(handle, b, offsets, indices, values);
    } else {
        status = CUSPARSE_STATUS_INVALID_VALUE; // it has changed since it was analysed
    }
    free(dense);
    free(offsets);
    free(indices);
    free(values);
    return status;
}

// Offsets and indices of rows.

struct offsets {
    int64_t nnz, rows;
    int32_t base;
};

static void compress(void *const *buffers, const void *payload) {
    const struct offsets *o = payload;
    const int *rows = buffers[0];
    int *offsets = buffers[1];
    for (int64_t i = 0, k = 0; i <= o->rows; i++) {
        while (k < o->nnz && rows[k] - o->base < i)
            k++;
        offsets[i] = (int)k + o->base;
    }
}

static void expand(void *const *buffers, const void *payload) {
    const struct offsets *o = payload;
    const int *offsets = buffers[0];
    int *rows = buffers[1];
    for (int64_t i = 0; i < o->rows; i++) {
        for (int64_t k = offsets[i] - o->base; k < offsets[i + 1] - o->base; k++)
            rows[k] = (int)i + o->base;
    }
}

GCL_TASK(coo2csr, "cusparseXcoo2csr", compress)
GCL_TASK(csr2coo, "cusparseXcsr2coo", expand)

static cusparseStatus_t change(const struct gcl_task *task, cusparseHandle_t handle,
                               const int *from, int from_count, int *to, int to_count,
                               struct offsets o) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (o.nnz < 0 || o.rows < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, from, (uint64_t)from_count * sizeof *from, GCL_BUFFER_READ);
    gcl_sparse_add(&call, to, (uint64_t)to_count * sizeof *to, GCL_BUFFER_WRITE);
    return gcl_sparse_launch(task, &call, &o, sizeof o);
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base) {
    return change(&coo2csr, handle, rows, nnz, offsets, m + 1,
                  (struct offsets){.nnz = nnz, .rows = m, .base = (int32_t)base});
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base) {
    return change(&csr2coo, handle, offsets, m + 1, rows, nnz,
                  (struct offsets){.nnz = nnz, .rows = m, .base = (int32_t)base});
}

// CSR to CSC, which is the transpose's CSR.

struct transposition {
    struct gcl_sparse_shape a;
    int32_t is_numeric;
};

static void transpose(void *const *buffers, const void *payload) {
    const struct transposition *t = payload;
    const void *values = t->is_numeric ? buffers[2] : NULL;
    struct gcl_sparse_shape shape = t->a;
    if (!values) // any numbers there are serve
        shape.type = CUDA_R_32I, values = buffers[1];
    struct gcl_sparse_rows columns =
        gcl_sparse_rows_of(&shape, CUSPARSE_OPERATION_TRANSPOSE, buffers[0], buffers[1], values);
    int *offsets = buffers[3], *indices = buffers[4];
    for (int64_t j = 0; j <= columns.rows; j++)
        offsets[j] = (int)columns.offsets[j] + (int)t->a.base;
    for (int64_t k = 0; k < t->a.nnz; k++) {
        indices[k] = (int)columns.elements[k].column + (int)t->a.base;
        if (t->is_numeric)
            gcl_number_store(t->a.type, buffers[5], k, columns.elements[k].value);
    }
    gcl_sparse_rows_finish(&columns);
}

GCL_TASK(csr2csc, "cusparseCsr2cscEx2", transpose)

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void *values, const int *offsets,
                                               const int *indices, void *csc_values,
                                               int *csc_offsets, int *csc_indices,
                                               cudaDataType type, cusparseAction_t action,
                                               cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t algorithm, size_t *size) {
    (void)m, (void)n, (void)nnz, (void)values, (void)offsets, (void)indices, (void)csc_values;
    (void)csc_offsets, (void)csc_indices, (void)type, (void)action, (void)base, (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, SOME);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *indices,
                                    void *csc_values, int *csc_offsets, int *csc_indices,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                                    void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || nnz < 0 || gcl_number_size(type) == 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct transposition t = {.a = {.rows = m,
                                    .columns = n,
                                    .nnz = nnz,
                                    .format = CUSPARSE_FORMAT_CSR,
                                    .offset_type = CUSPARSE_INDEX_32I,
                                    .index_type = CUSPARSE_INDEX_32I,
                                    .base = base,
                                    .type = type,
                                    .batch = 1},
                              .is_numeric = action == CUSPARSE_ACTION_NUMERIC};
    uint64_t size = t.is_numeric ? gcl_sparse_values_size(&t.a) : 0;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, offsets, (uint64_t)(m + 1) * sizeof *offsets, GCL_BUFFER_READ);
    gcl_sparse_add(&call, indices, (uint64_t)nnz * sizeof *indices, GCL_BUFFER_READ);
    gcl_sparse_add(&call, values, size, GCL_BUFFER_READ);
    gcl_sparse_add(&call, csc_offsets, (uint64_t)(n + 1) * sizeof *csc_offsets, GCL_BUFFER_WRITE);
    gcl_sparse_add(&call, csc_indices, (uint64_t)nnz * sizeof *csc_indices, GCL_BUFFER_WRITE);
    gcl_sparse_add(&call, csc_values, size, GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&csr2csc, &call, &t, sizeof t);
}

// Sorting. Elements of equal indices keep their order.

struct sorting {
    int64_t rows, nnz;
    int32_t base;
};

struct key {
    int row, column, permutation;
    int64_t order;
};

static int compare(const void *a, const void *b) {
    const struct key *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void fill_identity(void *const *buffers, const void *payload) {
    int *permutation = buffers[0];
    for (int i = 0; i < *(const int *)payload; i++)
        permutation[i] = i;
}

static void sort_by_row(void *const *buffers, const void *payload) {
    const struct sorting *s = payload;
    int *rows = buffers[0], *columns = buffers[1], *permutation = buffers[2];
    struct key *keys = gcl_sparse_allocate((uint64_t)s->nnz * sizeof *keys);
    for (int64_t k = 0; k < s->nnz; k++)
        keys[k] = (struct key){rows[k], columns[k], permutation ? permutation[k] : 0, k};
    qsort(keys, (size_t)s->nnz, sizeof *keys, compare);
    for (int64_t k = 0; k < s->nnz; k++) {
        rows[k] = keys[k].row;
        columns[k] = keys[k].column;
        if (permutation)
            permutation[k] = keys[k].permutation;
    }
    free(keys);
}

static void sort_rows(void *const *buffers, const void *payload) {
    const struct sorting *s = payload;
    const int *offsets = buffers[0];
    int *columns = buffers[1], *permutation = buffers[2];
    struct key *keys = gcl_sparse_allocate((uint64_t)s->nnz * sizeof *keys);
    for (int64_t i = 0; i < s->rows; i++) {
        for (int64_t k = offsets[i] - s->base; k < offsets[i + 1] - s->base; k++)
            keys[k] = (struct key){(int)i, columns[k], permutation ? permutation[k] : 0, k};
    }
    qsort(keys, (size_t)s->nnz, sizeof *keys, compare);
    for (int64_t k = 0; k < s->nnz; k++) {
        columns[k] = keys[k].column;
        if (permutation)
            permutation[k] = keys[k].permutation;
    }
    free(keys);
}

GCL_TASK(identity, "cusparseCreateIdentityPermutation", fill_identity)
GCL_TASK(coosort, "cusparseXcoosortByRow", sort_by_row)
GCL_TASK(csrsort, "cusparseXcsrsort", sort_rows)

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int *permutation) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (n < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, permutation, (uint64_t)n * sizeof *permutation, GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&identity, &call, &n, sizeof n);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *indices,
                                                size_t *size) {
    (void)m, (void)n, (void)nnz, (void)offsets, (void)indices;
    return gcl_sparse_buffer_size(handle, size, SOME);
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *rows, const int *columns, size_t *size) {
    (void)m, (void)n, (void)nnz, (void)rows, (void)columns;
    return gcl_sparse_buffer_size(handle, size, SOME);
}

/// Sorts with `first`, offsets to be read or rows to be written, too.
static cusparseStatus_t sort(const struct gcl_task *task, cusparseHandle_t handle, const int *first,
                             uint64_t first_count, unsigned access, int *columns, int *permutation,
                             struct sorting s) {
    const unsigned both = GCL_BUFFER_READ | GCL_BUFFER_WRITE;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (s.rows < 0 || s.nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, first, first_count * sizeof *first, access);
    gcl_sparse_add(&call, columns, (uint64_t)s.nnz * sizeof *columns, both);
    if (permutation)
        gcl_sparse_add(&call, permutation, (uint64_t)s.nnz * sizeof *permutation, both);
    return gcl_sparse_launch(task, &call, &s, sizeof s);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t matrix, const int *offsets, int *indices,
                                  int *permutation, void *buffer) {
    (void)n, (void)buffer;
    if (!matrix)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return sort(
        &csrsort, handle, offsets, (uint64_t)m + 1, GCL_BUFFER_READ, indices, permutation,
        (struct sorting){.rows = m, .nnz = nnz, .base = (int32_t)cusparseGetMatIndexBase(matrix)});
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                       int *columns, int *permutation, void *buffer) {
    (void)n, (void)buffer;
    return sort(&coosort, handle, rows, (uint64_t)nnz, GCL_BUFFER_READ | GCL_BUFFER_WRITE, columns,
                permutation, (struct sorting){.rows = m, .nnz = nnz});
}

// How many elements of a dense matrix aren't 0.

struct counting {
    struct gcl_dense_shape a;
    int32_t by_column;
};

static void count(void *const *buffers, const void *payload) {
    const struct counting *c = payload;
    int *counts = buffers[1], *total = buffers[2];
    int64_t majors = c->by_column ? c->a.columns : c->a.rows;
    int64_t minors = c->by_column ? c->a.rows : c->a.columns;
    *total = 0;
    for (int64_t i = 0; i < majors; i++) {
        counts[i] = 0;
        for (int64_t j = 0; j < minors; j++)
            counts[i] += element(&c->a, c->by_column, buffers[0], i, j) != 0;
        *total += counts[i];
    }
}

GCL_TASK(nnz_task, "cusparseXnnz", count)

static cusparseStatus_t count_elements(cusparseHandle_t handle, cusparseDirection_t direction,
                                       int m, int n, const void *a, int leading, int *counts,
                                       int *total, cudaDataType type) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || leading < m || !counts || !total)
        return CUSPARSE_STATUS_INVALID_VALUE;
    bool is_host = handle->mode == CUSPARSE_POINTER_MODE_HOST;
    int *device = total;
    if (is_host && cudaMalloc((void **)&device, sizeof *device))
        return CUSPARSE_STATUS_ALLOC_FAILED;
    struct counting c = {.a = {.rows = m,
                               .columns = n,
                               .row_step = 1,
                               .column_step = leading,
                               .type = type,
                               .batch = 1},
                         .by_column = direction == CUSPARSE_DIRECTION_COLUMN};
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add(&call, a, gcl_dense_size(&c.a), GCL_BUFFER_READ);
    gcl_sparse_add(&call, counts, (uint64_t)(c.by_column ? n : m) * sizeof *counts,
                   GCL_BUFFER_WRITE);
    gcl_sparse_add(&call, device, sizeof *device, GCL_BUFFER_WRITE);
    cusparseStatus_t status = gcl_sparse_launch(&nnz_task, &call, &c, sizeof c);
    if (is_host && status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_put(handle, total, device, sizeof *total);
    if (is_host)
        cudaFree(device);
    return status;
}

#define COUNT(T, number, cuda)                                                                     \
    cusparseStatus_t cusparse##T##nnz(cusparseHandle_t handle, cusparseDirection_t direction,      \
                                      int m, int n, const cusparseMatDescr_t matrix,               \
                                      const number *a, int leading, int *counts, int *total) {     \
        (void)matrix;                                                                              \
        return count_elements(handle, direction, m, n, a, leading, counts, total, cuda);           \
    }
COUNT(S, float, CUDA_R_32F)
COUNT(D, double, CUDA_R_64F)
COUNT(C, cuComplex, CUDA_C_32F)
COUNT(Z, cuDoubleComplex, CUDA_C_64F)

// Descriptors of the older interface.

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix) {
    if (!matrix)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *matrix = calloc(1, sizeof(**matrix));
    return *matrix ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix) {
    free(matrix);
    return CUSPARSE_STATUS_SUCCESS;
}

#define FIELD(name, kind, field)                                                                   \
    cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t matrix, kind value) {                 \
        if (!matrix)                                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                  \
        matrix->field = value;                                                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    kind cusparseGetMat##name(const cusparseMatDescr_t matrix) {                                   \
        return matrix->field;                                                                      \
    }
FIELD(Type, cusparseMatrixType_t, type)
FIELD(FillMode, cusparseFillMode_t, fill)
FIELD(DiagType, cusparseDiagType_t, diagonal)
FIELD(IndexBase, cusparseIndexBase_t, base)
