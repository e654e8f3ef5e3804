// cuSOLVER's dense part: runtime/lib/solver has it with LAPACK, each routine on one node.
#ifndef GCLUSTER_CUSOLVER_DN_H
#define GCLUSTER_CUSOLVER_DN_H
#define CUSOLVERDN_H_ // programs ask for it

#include <cuComplex.h>
#include <cublas_v2.h>
#include <cusolver_common.h>
#include <stdio.h>

#include "gcluster_cusolver.h"
#include "gcluster_cusolver_generic.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef enum { CUSOLVERDN_GETRF, CUSOLVERDN_POTRF, CUSOLVERDN_SYEVBATCHED } cusolverDnFunction_t;
typedef void (*cusolverDnLoggerCallback_t)(int level, const char *function, const char *message);

#ifdef __cplusplus
extern "C" {
#endif

#define __GCL_ROW(__name, __parameters) cusolverStatus_t cusolverDn##__name __parameters;
__GCL_CUSOLVER_HANDLE(__GCL_ROW)
__GCL_CUSOLVER_TYPED(__GCL_ROW, __GCL_ROW)
__GCL_CUSOLVER_REFINED(__GCL_ROW, __GCL_ROW, __GCL_ROW)
__GCL_CUSOLVER_GENERIC(__GCL_ROW, __GCL_ROW)
__GCL_CUSOLVER_GENERIC_REFUSED(__GCL_ROW)
__GCL_CUSOLVER_IRS(__GCL_ROW)
#undef __GCL_ROW

#ifdef __cplusplus
}
#endif
#endif
