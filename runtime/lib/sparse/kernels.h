// What the kernels of this library are given: products of a CSR matrix, which split over nodes.
#ifndef GCL_LIB_SPARSE_KERNELS_H
#define GCL_LIB_SPARSE_KERNELS_H

#include <stdint.h>

#define GCL_SPARSE_NUMBERS(ROW)                                                                    \
    ROW(real, float)                                                                               \
    ROW(real_double, double)                                                                       \
    ROW(complex, float2)                                                                           \
    ROW(complex_double, double2)

#define GCL_SPARSE_ROW(name, type) GCL_SPARSE_##name,
enum gcl_sparse_number { GCL_SPARSE_NUMBERS(GCL_SPARSE_ROW) GCL_SPARSE_NUMBER_COUNT };
#undef GCL_SPARSE_ROW

/// A factor of the matrices' type.
struct gcl_sparse_factor {
    const void *at;  ///< device memory; NULL: `value`
    double value[2]; ///< real and imaginary part
};

/// C = alpha A B + beta C: thread (x, y) computes element (x, y) of C. Steps are elements.
struct gcl_sparse_product {
    const void *offsets, *indices, *values;
    const void *b;
    void *c;
    int64_t rows, columns; ///< of C
    int64_t b_row, b_column, c_row, c_column;
    int64_t base;
    struct gcl_sparse_factor alpha, beta;
    int64_t reads_c; ///< 0: beta is 0
};

enum { GCL_SPARSE_BLOCK = 128 };

#endif
