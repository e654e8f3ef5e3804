// cuSOLVER's refactoring: matrices of one pattern, factored without pivoting on the host along L
// and U of the first. Matrices by column, and ones in the diagonal of U, are refused by name.
#ifndef GCLUSTER_CUSOLVER_RF_H
#define GCLUSTER_CUSOLVER_RF_H
#define CUSOLVERRF_H_ // programs ask for it

#include <cuComplex.h>
#include <cusolver_common.h>
#include <driver_types.h>

#include "gcluster_cusolver_sparse.h"

typedef enum {
    CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF,
    CUSOLVERRF_RESET_VALUES_FAST_MODE_ON
} cusolverRfResetValuesFastMode_t;
typedef enum {
    CUSOLVERRF_MATRIX_FORMAT_CSR,
    CUSOLVERRF_MATRIX_FORMAT_CSC
} cusolverRfMatrixFormat_t;
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L,
    CUSOLVERRF_UNIT_DIAGONAL_STORED_U,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U
} cusolverRfUnitDiagonal_t;
typedef enum {
    CUSOLVERRF_FACTORIZATION_ALG0,
    CUSOLVERRF_FACTORIZATION_ALG1,
    CUSOLVERRF_FACTORIZATION_ALG2
} cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
    CUSOLVERRF_NUMERIC_BOOST_NOT_USED,
    CUSOLVERRF_NUMERIC_BOOST_USED
} cusolverRfNumericBoostReport_t;

typedef struct cusolverRfCommon *cusolverRfHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __GCL_ROW(__name, __parameters) cusolverStatus_t cusolverRf##__name __parameters;
__GCL_CUSOLVER_REFACTOR(__GCL_ROW)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
