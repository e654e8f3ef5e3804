// Products of sparse matrices. How many elements one has the program asks before it has memory for
// them, so the host computes it, on copies, and keeps it until it is copied.
#include <stdlib.h>

#include "sparse/rows.h"
#include "sparse/sparse.h"

struct cusparseSpGEMMDescr {
    struct gcl_sparse_rows product;
    int64_t product_count; ///< of pairs of elements that are multiplied
};

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *state) {
    if (!state)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *state = calloc(1, sizeof **state);
    return *state ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t state) {
    if (state)
        gcl_sparse_rows_finish(&state->product);
    free(state);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t fetch(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                              cusparseOperation_t op, struct gcl_sparse_rows *rows) {
    void *parts[3] = {NULL};
    cusparseStatus_t status = gcl_sparse_fetch(handle, matrix->offsets,
                                               gcl_sparse_offsets_size(&matrix->shape), &parts[0]);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_fetch(handle, matrix->indices, gcl_sparse_indices_size(&matrix->shape),
                                  &parts[1]);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_fetch(handle, matrix->values, gcl_sparse_values_size(&matrix->shape),
                                  &parts[2]);
    if (status == CUSPARSE_STATUS_SUCCESS)
        *rows = gcl_sparse_rows_of(&matrix->shape, op, parts[0], parts[1], parts[2]);
    for (int i = 0; i < 3; i++)
        free(parts[i]);
    return status;
}

/// One row of a product, before it is sorted: sums by column, and which columns there are.
struct gathering {
    gcl_number *sums;
    int64_t *latest; ///< of each column: the last row that has it
    int64_t *columns;
    int64_t count;
};

static void gather_row(const struct gcl_sparse_rows *a, const struct gcl_sparse_rows *b, int64_t i,
                       struct gathering *g, int64_t *pairs) {
    g->count = 0;
    for (int64_t k = a->offsets[i]; k < a->offsets[i + 1]; k++) {
        int64_t row = a->elements[k].column;
        *pairs += b->offsets[row + 1] - b->offsets[row];
        for (int64_t e = b->offsets[row]; e < b->offsets[row + 1]; e++) {
            int64_t column = b->elements[e].column;
            if (g->latest[column] != i) {
                g->latest[column] = i;
                g->sums[column] = 0;
                g->columns[g->count++] = column;
            }
            g->sums[column] += a->elements[k].value * b->elements[e].value;
        }
    }
}

/// Makes room for `needed` elements, of which there are `count`.
static void reserve(struct gcl_sparse_rows *c, int64_t *room, int64_t count, int64_t needed) {
    if (needed <= *room)
        return;
    *room = 2 * needed;
    struct gcl_sparse_element *more = gcl_sparse_allocate((uint64_t)*room * sizeof *more);
    if (count > 0)
        memcpy(more, c->elements, (size_t)count * sizeof *more);
    free(c->elements);
    c->elements = more;
}

static struct gcl_sparse_rows multiply(const struct gcl_sparse_rows *a,
                                       const struct gcl_sparse_rows *b, gcl_number alpha,
                                       int64_t *pairs) {
    struct gcl_sparse_rows c = {.rows = a->rows, .columns = b->columns};
    struct gathering g = {
        .sums = gcl_sparse_allocate((uint64_t)c.columns * sizeof *g.sums),
        .latest = gcl_sparse_allocate((uint64_t)c.columns * sizeof *g.latest),
        .columns = gcl_sparse_allocate((uint64_t)c.columns * sizeof *g.columns),
    };
    int64_t room = 0;
    c.offsets = gcl_sparse_allocate((uint64_t)(c.rows + 2) * sizeof *c.offsets);
    c.offsets[0] = 0;
    for (int64_t j = 0; j < c.columns; j++)
        g.latest[j] = -1;
    for (int64_t i = 0; i < c.rows; i++) {
        gather_row(a, b, i, &g, pairs);
        reserve(&c, &room, c.offsets[i], c.offsets[i] + g.count);
        for (int64_t k = 0; k < g.count; k++)
            c.elements[c.offsets[i] + k] =
                (struct gcl_sparse_element){g.columns[k], alpha * g.sums[g.columns[k]]};
        c.offsets[i + 1] = c.offsets[i] + g.count;
    }
    free(g.sums);
    free(g.latest);
    free(g.columns);
    gcl_sparse_rows_sort(&c);
    return c;
}

static cusparseStatus_t read_scalar(cusparseHandle_t handle, const void *scalar, cudaDataType type,
                                    gcl_number *value) {
    void *copy = NULL;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE)
        status = gcl_sparse_fetch(handle, scalar, gcl_number_size(type), &copy);
    if (status == CUSPARSE_STATUS_SUCCESS)
        *value = gcl_number_load(type, copy ? copy : scalar, 0);
    free(copy);
    return status;
}

static cusparseStatus_t compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                cusparseOperation_t op_b, gcl_number alpha,
                                cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                cusparseSpGEMMDescr_t state) {
    struct gcl_sparse_rows left = {.rows = 0}, right = {.rows = 0};
    cusparseStatus_t status = fetch(handle, a, op_a, &left);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = fetch(handle, b, op_b, &right);
    if (status == CUSPARSE_STATUS_SUCCESS && left.columns != right.rows)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (status == CUSPARSE_STATUS_SUCCESS) {
        gcl_sparse_rows_finish(&state->product);
        state->product_count = 0;
        state->product = multiply(&left, &right, alpha, &state->product_count);
    }
    gcl_sparse_rows_finish(&left);
    gcl_sparse_rows_finish(&right);
    return status;
}

static cusparseStatus_t check(cusparseHandle_t handle, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                              const void *beta, cusparseSpMatDescr_t c,
                              cusparseSpGEMMDescr_t state) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !beta || !c || !state)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (c->shape.format != CUSPARSE_FORMAT_CSR)
        return gcl_sparse_refuse("cusparseSpGEMM into a matrix that isn't CSR");
    return CUSPARSE_STATUS_SUCCESS;
}

// Each stage is asked twice: for the size of a buffer, then with it.
enum { SOME = 4 }; // bytes, since programs may not allocate none

cusparseStatus_t cusparseSpGEMM_workEstimation(GCL_SPARSE_SPGEMM, size_t *size, void *buffer) {
    (void)op_a, (void)op_b, (void)type, (void)algorithm, (void)buffer;
    if (size)
        *size = SOME;
    return check(handle, alpha, a, b, beta, c, state);
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t state, int64_t *count) {
    if (!state || !count)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *count = state->product_count;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(GCL_SPARSE_SPGEMM, float chunk, size_t *size3,
                                               void *buffer3, size_t *size2) {
    (void)op_a, (void)op_b, (void)type, (void)algorithm, (void)chunk, (void)buffer3;
    if (size3)
        *size3 = SOME;
    if (size2)
        *size2 = SOME;
    return check(handle, alpha, a, b, beta, c, state);
}

cusparseStatus_t cusparseSpGEMM_compute(GCL_SPARSE_SPGEMM, size_t *size, void *buffer) {
    (void)algorithm;
    cusparseStatus_t status = check(handle, alpha, a, b, beta, c, state);
    gcl_number times = 0, plus = 0;
    if (!size)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!buffer) {
        *size = SOME;
        return CUSPARSE_STATUS_SUCCESS;
    }
    status = read_scalar(handle, alpha, type, &times);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = read_scalar(handle, beta, type, &plus);
    if (status == CUSPARSE_STATUS_SUCCESS && plus != 0)
        return gcl_sparse_refuse("cusparseSpGEMM with a beta other than 0");
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = compute(handle, op_a, op_b, times, a, b, state);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    c->shape.rows = state->product.rows;
    c->shape.columns = state->product.columns;
    c->shape.nnz = state->product.offsets[state->product.rows];
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_copy(GCL_SPARSE_SPGEMM) {
    (void)op_a, (void)op_b, (void)type, (void)algorithm;
    cusparseStatus_t status = check(handle, alpha, a, b, beta, c, state);
    if (status == CUSPARSE_STATUS_SUCCESS && !state->product.offsets)
        status = CUSPARSE_STATUS_INVALID_VALUE; // not computed
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    const struct gcl_sparse_rows *r = &state->product;
    const struct gcl_sparse_shape *s = &c->shape;
    void *offsets = gcl_sparse_allocate(gcl_sparse_offsets_size(s));
    void *indices = gcl_sparse_allocate(gcl_sparse_indices_size(s));
    void *values = gcl_sparse_allocate(gcl_sparse_values_size(s));
    for (int64_t i = 0; i <= r->rows; i++)
        gcl_index_store(s->offset_type, offsets, i, r->offsets[i] + s->base);
    for (int64_t k = 0; k < s->nnz; k++) {
        gcl_index_store(s->index_type, indices, k, r->elements[k].column + s->base);
        gcl_number_store(s->type, values, k, r->elements[k].value);
    }
    status = gcl_sparse_put_matrix(handle, c, offsets, indices, values);
    free(offsets);
    free(indices);
    free(values);
    return status;
}
