// What the functions that run blocks by OpenBLAS share.
#ifndef GCL_BLAS_NATIVE_H
#define GCL_BLAS_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "gcluster/kernel.h"
#include "kernels.h"

static inline int64_t gcl_blas_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/// Elements [begin, begin + count).
struct gcl_blas_range {
    int64_t begin, count;
};

/// The elements of `count` that blocks [first, end) have in slices of `slice`.
static inline struct gcl_blas_range gcl_blas_slices(uint32_t first, uint32_t end, int64_t slice,
                                                    int64_t count) {
    int64_t begin = first * slice;
    return (struct gcl_blas_range){begin, gcl_blas_least(end * slice, count) - begin};
}

/// The elements that block `index` has.
static inline struct gcl_blas_range gcl_blas_slice(uint32_t index, int64_t slice, int64_t count) {
    return gcl_blas_slices(index, index + 1, slice, count);
}

/// A matrix's leading dimension. Where there is one row or column, its distance to the next may be
/// anything, but BLAS wants it large.
static inline int64_t gcl_blas_leading(const struct gcl_blas_matrix *matrix, int64_t rows,
                                       int64_t columns) {
    int64_t length = matrix->row == 1 ? rows : columns;
    int64_t distance = llabs(matrix->row == 1 ? matrix->column : matrix->row);
    return distance > length ? distance : length > 1 ? length : 1;
}

/// Whether what is added, if something is, lies where the result comes.
static inline bool gcl_blas_adds_in_place(const struct gcl_blas_gemm *g) {
    return !g->reads_c ||
           (g->c.at == g->d.at && g->c.column == g->d.column && g->c.batch == g->d.batch);
}

/// Where element (i, j) of a matrix of elements of `size` bytes is; NULL: there is no matrix.
static inline void *gcl_blas_element(const struct gcl_blas_matrix *matrix, int64_t i, int64_t j,
                                     int64_t batch, int64_t size) {
    if (!matrix->at)
        return NULL;
    char *begin = matrix->batch == GCL_BLAS_POINTERS
                      ? ((char *const *)matrix->at)[batch]
                      : (char *)matrix->at + size * batch * matrix->batch;
    return begin + size * (i * matrix->row + j * matrix->column);
}

/// Whether an update of rank k is of a Hermitian matrix.
static inline bool gcl_blas_is_hermitian(const struct gcl_blas_gemm *g) {
    return g->a.conjugate != g->b.conjugate;
}

/// Whether in an update of rank k B is A's transpose: what BLAS has routines for, Hermitian ones
/// with real factors.
static inline bool gcl_blas_is_of_one_matrix(const struct gcl_blas_gemm *g) {
    return g->a.at == g->b.at && g->a.row == g->b.column && g->a.column == g->b.row &&
           (!gcl_blas_is_hermitian(g) || g->alpha.kind == GCL_BLAS_FACTOR_REAL);
}

/// alpha or beta of routines that compute in floats, or in a type of more bytes.
union gcl_blas_scalar gcl_blas_factor_read(const struct gcl_blas_factor *factor, uint32_t size);

/// What becomes of numbers of a matrix's type, and of floats.
typedef void gcl_blas_conversion(const void *in, float *out, int64_t count);
typedef void gcl_blas_storing(const float *in, void *out, int64_t count);

/// How numbers of a kernel's operands and results, of so many bytes, become floats, and back.
struct gcl_blas_numbers {
    int64_t in_size, out_size;
    gcl_blas_conversion *widen; ///< operands
    gcl_blas_conversion *load;  ///< results
    gcl_blas_storing *store;    ///< NULL: results are integers
    int64_t is_integer;         ///< the operands are, and so their sums
};

/// Does to `count` results of column j from row i on what is to be done to them: `values` are
/// floats.
void gcl_blas_end(const struct gcl_blas_matmul *matmul, const struct gcl_blas_numbers *numbers,
                  int64_t i, int64_t j, int64_t batch, float *values, int64_t count);

/// Declares what runs a block of each kernel.
#define GCL_ROW(name, type, ...) gcl_region gcl_blas_##name##_##type;
GCL_BLAS_GEMMS(GCL_ROW)
GCL_BLAS_VECTORS(GCL_ROW)
GCL_BLAS_MATMULS(GCL_ROW)
#undef GCL_ROW

#endif
