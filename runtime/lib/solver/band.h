// Systems of equations with sparse matrices, whose rows and columns are put in an order in which
// what isn't 0 lies near the diagonal, so that LAPACK's routines for bands solve them.
#ifndef GCL_LIB_SOLVER_BAND_H
#define GCL_LIB_SOLVER_BAND_H

#include <cusparse.h>

#include "solver/solver.h"

/// Where a square matrix of n rows has elements, by row, on the host.
struct gcl_solver_pattern {
    int n, base; ///< `base` is the number of the first row and offset, 0 or 1
    const int *offsets, *indices;
};

/// Writes the order, by reverse Cuthill and McKee: row order[k] becomes row k. False: no memory.
bool gcl_solver_order(const struct gcl_solver_pattern *pattern, int *order);

/// A square matrix on the host.
struct gcl_solver_sparse {
    enum gcl_solver_type type;
    struct gcl_solver_pattern pattern;
    const void *values;
    bool is_definite; ///< symmetric, or Hermitian, and positive definite; only its lower half is
                      ///< read
};

/// What a sparse matrix has been factored into; needs it no more.
struct gcl_solver_factors;

/// Factors a matrix. NOT_SUPPORTED: the band would be too large. The factors of one that is
/// singular tell so.
cusolverStatus_t gcl_solver_factor(const struct gcl_solver_sparse *matrix,
                                   struct gcl_solver_factors **factors);
void gcl_solver_factors_destroy(struct gcl_solver_factors *factors);

/// The row of the first pivot that isn't larger than `tolerance`, counted from 0 on; -1: all are.
int gcl_solver_zero_pivot(const struct gcl_solver_factors *factors, double tolerance);

/// Solves the system of `n` rows with right-hand side `b`, where no pivot is 0; both vectors are on
/// the host. INVALID_VALUE: the matrix has other than `n` rows.
cusolverStatus_t gcl_solver_substitute(const struct gcl_solver_factors *factors, int n,
                                       const void *b, void *x);

/// What factors of a matrix A without symmetry are as L and U, P A Q^T = L U: row i of P A Q^T is
/// row rows[i] of A, its column j is column columns[j]. L has a diagonal of ones, which isn't
/// stored.
struct gcl_solver_triangles {
    int counts[2];       ///< elements of L and U
    int *rows, *columns; ///< or NULL: elements are only counted
    int base[2];         ///< numbers of the first rows and offsets
    int *offsets[2];     ///< n + 1
    int *indices[2];     ///< ascending in each row
    void *values[2];
};

/// Counts the elements of L and U, and writes them. Places where no matrix of the same pattern,
/// with its pivots in the same order, has an element are left out.
cusolverStatus_t gcl_solver_split(const struct gcl_solver_factors *factors,
                                  struct gcl_solver_triangles *triangles);

#endif
