// cuSOLVER's part for sparse matrices, by steps: a matrix is factored once, and solved with often.
#ifndef GCLUSTER_CUSOLVER_SP_LOWLEVEL_H
#define GCLUSTER_CUSOLVER_SP_LOWLEVEL_H
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_ // programs ask for it

#include <cusolverSp.h>

#include "gcluster_cusolver_lowlevel.h"

typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __GCL_ROW(__name, __parameters) cusolverStatus_t cusolverSp##__name __parameters;
__GCL_CUSOLVER_LOWLEVEL(__GCL_ROW)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
