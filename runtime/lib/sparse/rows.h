// A sparse matrix taken into memory of the host's own, by rows: what systems are solved with and
// sparse matrices multiplied.
#ifndef GCL_LIB_SPARSE_ROWS_H
#define GCL_LIB_SPARSE_ROWS_H

#include "sparse/sparse.h"

struct gcl_sparse_element {
    int64_t column;
    gcl_number value;
};

/// The elements of row i are [offsets[i], offsets[i + 1]), in the order of the matrix.
struct gcl_sparse_rows {
    int64_t rows, columns;
    int64_t *offsets;
    struct gcl_sparse_element *elements;
};

/// op(A), with `offsets`, `indices` and `values` where they can be read. gcl_sparse_allocate's
/// memory, to be freed by gcl_sparse_rows_finish.
struct gcl_sparse_rows gcl_sparse_rows_of(const struct gcl_sparse_shape *shape,
                                          cusparseOperation_t op, const void *offsets,
                                          const void *indices, const void *values);
void gcl_sparse_rows_finish(struct gcl_sparse_rows *rows);
/// Sorts each row by its columns.
void gcl_sparse_rows_sort(struct gcl_sparse_rows *rows);

#endif
