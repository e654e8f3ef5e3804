// cuSOLVER's part for sparse matrices: runtime/lib/solver solves systems of equations.
#ifndef GCLUSTER_CUSOLVER_SP_H
#define GCLUSTER_CUSOLVER_SP_H
#define CUSOLVERSP_H_ // programs ask for it

#include <cuComplex.h>
#include <cublas_v2.h>
#include <cusolver_common.h>
#include <cusparse.h>

#include "gcluster_cusolver_sparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __GCL_ROW(__name, __parameters) cusolverStatus_t cusolverSp##__name __parameters;
__GCL_CUSOLVER_SPARSE(__GCL_ROW)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
