// Systems of equations with sparse matrices, whose rows and columns are put in an order in which
// what isn't 0 lies near the diagonal, so that LAPACK's routines for bands solve them.
#ifndef GCL_LIB_SOLVER_BAND_H
#define GCL_LIB_SOLVER_BAND_H

#include "solver/solver.h"

/// Where a square matrix of n rows has elements, by row, on the host.
struct gcl_solver_pattern {
    int n, base; ///< `base` is the number of the first row and offset, 0 or 1
    const int *offsets, *indices;
};

/// Writes the order, by reverse Cuthill and McKee: row order[k] becomes row k. False: no memory.
bool gcl_solver_order(const struct gcl_solver_pattern *pattern, int *order);

/// A system with the matrix of a pattern, on the host.
struct gcl_solver_system {
    enum gcl_solver_type type;
    struct gcl_solver_pattern pattern;
    const void *values, *b;
    void *x;
    double tolerance; ///< of pivots: less than this counts as none
    bool is_definite; ///< symmetric, or Hermitian, and positive definite; only its lower half is
                      ///< read
};

/// Solves it. `singularity` is -1, or the row of the first pivot that isn't there; then `x` stays
/// as it is. NOT_SUPPORTED: the band would be too large.
cusolverStatus_t gcl_solver_solve_band(const struct gcl_solver_system *system, int *singularity);

#endif
