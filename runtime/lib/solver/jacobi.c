// Parameters of the routines that are named after Jacobi's method. What they compute is found by
// other methods, as precisely as the type allows: there are no sweeps, and no tolerance to stop at.
#include "solver/solver.h"

#include <stdlib.h>

static cusolverStatus_t create(struct gcl_solver_report **report) {
    cudaError_t error = cudaMalloc((void **)report, sizeof **report);
    if (!error)
        error = cudaMemset(*report, 0, sizeof **report);
    return gcl_solver_status(error);
}

static cusolverStatus_t read_residual(cusolverDnHandle_t handle,
                                      const struct gcl_solver_report *report, double *residual) {
    struct gcl_solver_report found;
    cusolverStatus_t status = gcl_solver_copy(handle->stream, &found, report, sizeof found);
    if (status == CUSOLVER_STATUS_SUCCESS && !found.is_known)
        return gcl_solver_refuse("the residual of what was computed last");
    if (status == CUSOLVER_STATUS_SUCCESS)
        *residual = found.residual;
    return status;
}

#define PARAMETERS(Name, name)                                                                     \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t *params) {                          \
        if (!params)                                                                               \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        name##Info_t created = calloc(1, sizeof *created);                                         \
        if (!created)                                                                              \
            return CUSOLVER_STATUS_ALLOC_FAILED;                                                   \
        cusolverStatus_t status = create(&created->report);                                        \
        if (status != CUSOLVER_STATUS_SUCCESS)                                                     \
            free(created);                                                                         \
        else                                                                                       \
            *params = created;                                                                     \
        return status;                                                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t params) {                          \
        if (params)                                                                                \
            cudaFree(params->report);                                                              \
        free(params);                                                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t params, double tolerance) {      \
        (void)tolerance;                                                                           \
        return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                   \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t params, int sweeps) {            \
        (void)sweeps;                                                                              \
        return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                   \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t params, int sorts) {               \
        (void)sorts; /* they are sorted */                                                         \
        return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                   \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle,                     \
                                                    name##Info_t params, double *residual) {       \
        if (!handle)                                                                               \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                \
        if (!params || !residual)                                                                  \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        return read_residual(handle, params->report, residual);                                    \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t params,  \
                                                  int *sweeps) {                                   \
        if (!handle)                                                                               \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                \
        if (!params || !sweeps)                                                                    \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
        *sweeps = 0;                                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
PARAMETERS(Syevj, syevj)
PARAMETERS(Gesvdj, gesvdj)
