// What the files of cuSOLVER's part for sparse matrices share.
#ifndef GCL_LIB_SOLVER_SPARSE_H
#define GCL_LIB_SOLVER_SPARSE_H

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include "solver/band.h"

struct cusolverSpContext {
    cudaStream_t stream;
};

/// Checks a matrix, and fills in what its descriptor says.
cusolverStatus_t gcl_solver_describe(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                     int nnz, const cusparseMatDescr_t descriptor);

/// Copies a matrix of the device's to the host, when the handle's stream is done, and has `matrix`
/// lead there. `memory` is to be freed, after failures, too.
cusolverStatus_t gcl_solver_fetch(cusolverSpHandle_t handle, struct gcl_solver_sparse *matrix,
                                  int nnz, void **memory);

#endif
