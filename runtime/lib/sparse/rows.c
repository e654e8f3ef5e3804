#include "sparse/rows.h"

#include <stdlib.h>

/// An element of op(A), wherever it is stored.
struct place {
    int64_t row, column;
};

static struct place place_of(const struct gcl_sparse_shape *shape, cusparseOperation_t op,
                             int64_t major, int64_t minor) {
    bool swaps = (shape->format == CUSPARSE_FORMAT_CSC) != (op != CUSPARSE_OPERATION_NON_TRANSPOSE);
    return swaps ? (struct place){minor, major} : (struct place){major, minor};
}

/// Major index of element k, given that of the one before.
static int64_t major_of(const struct gcl_sparse_shape *shape, const void *offsets, int64_t k,
                        int64_t major) {
    if (shape->format == CUSPARSE_FORMAT_COO)
        return gcl_index_load(shape->index_type, offsets, k) - shape->base;
    while (gcl_index_load(shape->offset_type, offsets, major + 1) - shape->base <= k)
        major++;
    return major;
}

struct gcl_sparse_rows gcl_sparse_rows_of(const struct gcl_sparse_shape *shape,
                                          cusparseOperation_t op, const void *offsets,
                                          const void *indices, const void *values) {
    bool is_turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    struct gcl_sparse_rows r = {.rows = is_turned ? shape->columns : shape->rows,
                                .columns = is_turned ? shape->rows : shape->columns};
    r.offsets = gcl_sparse_allocate((uint64_t)(r.rows + 2) * sizeof *r.offsets);
    r.elements = gcl_sparse_allocate((uint64_t)shape->nnz * sizeof *r.elements);
    for (int64_t i = 0; i < r.rows + 2; i++)
        r.offsets[i] = 0;
    // Count two places ahead, so that filling leaves each offset where its row begins.
    for (int64_t k = 0, major = 0; k < shape->nnz; k++) {
        major = major_of(shape, offsets, k, major);
        int64_t minor = gcl_index_load(shape->index_type, indices, k) - shape->base;
        r.offsets[place_of(shape, op, major, minor).row + 2]++;
    }
    for (int64_t i = 2; i < r.rows + 2; i++)
        r.offsets[i] += r.offsets[i - 1];
    for (int64_t k = 0, major = 0; k < shape->nnz; k++) {
        major = major_of(shape, offsets, k, major);
        int64_t minor = gcl_index_load(shape->index_type, indices, k) - shape->base;
        struct place place = place_of(shape, op, major, minor);
        gcl_number value = gcl_number_load(shape->type, values, k);
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
            value = conj(value);
        r.elements[r.offsets[place.row + 1]++] = (struct gcl_sparse_element){place.column, value};
    }
    return r;
}

void gcl_sparse_rows_finish(struct gcl_sparse_rows *rows) {
    free(rows->offsets);
    free(rows->elements);
    *rows = (struct gcl_sparse_rows){.rows = 0};
}

static int by_column(const void *a, const void *b) {
    const struct gcl_sparse_element *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

void gcl_sparse_rows_sort(struct gcl_sparse_rows *rows) {
    for (int64_t i = 0; i < rows->rows; i++)
        qsort(rows->elements + rows->offsets[i], (size_t)(rows->offsets[i + 1] - rows->offsets[i]),
              sizeof *rows->elements, by_column);
}
