// LU factors, without pivoting, of matrices that have one pattern, which is known with its fill.
#ifndef GCL_LIB_SOLVER_PATTERN_LU_H
#define GCL_LIB_SOLVER_PATTERN_LU_H

#include <stdint.h>

#include "solver/solver.h"

/// A matrix by rows, on the host, numbered from 0 on.
struct gcl_solver_rows {
    int count; ///< of its elements
    int *offsets, *indices;
    double *values;
};

/// L and U in one pattern, of P A Q^T as in struct gcl_solver_triangles.
struct gcl_solver_pattern_lu {
    int n, count;
    int *p, *places; ///< rows of A; where each of its columns has gone
    int *offsets;    ///< n + 1
    int *indices;    ///< ascending in each row
    int *diagonals;  ///< where each row's diagonal is
};

/// Small pivots: one whose absolute value is below `zero` becomes `boost`.
struct gcl_solver_pivoting {
    double zero, boost;
    bool is_boosted; ///< some were
};

/// Makes a pattern of those of L, above whose diagonal nothing counts, and U. INVALID_VALUE: they
/// aren't what they should be, or `p` and `q` aren't permutations.
cusolverStatus_t gcl_solver_pattern_make(struct gcl_solver_pattern_lu *lu, int n,
                                         const struct gcl_solver_rows *lower,
                                         const struct gcl_solver_rows *upper, const int *p,
                                         const int *q);
void gcl_solver_pattern_release(struct gcl_solver_pattern_lu *lu);

/// Writes the values of `a` to their places of `lu`, and 0 elsewhere. INVALID_VALUE, after a
/// message: an element has none.
cusolverStatus_t gcl_solver_pattern_load(const struct gcl_solver_pattern_lu *lu,
                                         const struct gcl_solver_rows *a, double *values);

/// Factors values in their places. ZERO_PIVOT: one is 0, that of row *position; INVALID_VALUE,
/// after a message: an element that isn't 0 has no place.
cusolverStatus_t gcl_solver_pattern_factor(const struct gcl_solver_pattern_lu *lu, double *values,
                                           struct gcl_solver_pivoting *pivoting, int *position);

/// Solves with the factors; `b` becomes x. `work`: n numbers.
void gcl_solver_pattern_solve(const struct gcl_solver_pattern_lu *lu, const double *values,
                              double *b, double *work);

#endif
