// Iterative refinement with parameters: systems are solved in their main type itself, like those of
// refined.c, which needs no refinement. So of the parameters only that type counts, and no
// iterations are made. Residuals of iterations are refused by name.
#include <stdlib.h>

#include "solver/solver.h"

enum { DEFAULT_ITERATIONS = 50 };

struct cusolverDnIRSParams {
    cusolverIRSRefinement_t solver;
    cusolverPrecType_t main; ///< 0: not set
    int most;                ///< iterations
};

struct cusolverDnIRSInfos {
    int most;      ///< iterations that the last solution could have taken
    int is_solved; ///< there is one
};

// Parameters.

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params) {
    if (!params)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *params = calloc(1, sizeof **params);
    if (!*params)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    (*params)->solver = CUSOLVER_IRS_REFINE_NOT_SET;
    (*params)->most = DEFAULT_ITERATIONS;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
    if (!params)
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

/// A function that keeps a setting, or needn't, if its arguments are as they should be.
#define SETTING(name, parameters, is_valid, otherwise, what)                                       \
    cusolverStatus_t cusolverDnIRS##name parameters {                                              \
        if (!params)                                                                               \
            return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;                                     \
        if (!(is_valid))                                                                           \
            return otherwise;                                                                      \
        what;                                                                                      \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
#define PARAMS cusolverDnIRSParams_t params

static bool is_precision(cusolverPrecType_t type) {
    return (type >= CUSOLVER_R_64F && type <= CUSOLVER_R_TF32) ||
           (type >= CUSOLVER_C_64F && type <= CUSOLVER_C_TF32);
}
static bool is_main(cusolverPrecType_t type) {
    return type == CUSOLVER_R_64F || type == CUSOLVER_R_32F || type == CUSOLVER_C_64F ||
           type == CUSOLVER_C_32F;
}

SETTING(ParamsSetRefinementSolver, (PARAMS, cusolverIRSRefinement_t solver),
        solver >= CUSOLVER_IRS_REFINE_NOT_SET && solver <= CUSOLVER_IRS_REFINE_GMRES_NOPCOND,
        CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE, params->solver = solver)
SETTING(ParamsSetSolverMainPrecision, (PARAMS, cusolverPrecType_t precision), is_main(precision),
        CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, params->main = precision)
SETTING(ParamsSetSolverLowestPrecision, (PARAMS, cusolverPrecType_t precision),
        is_precision(precision), CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, (void)0)
SETTING(ParamsSetSolverPrecisions, (PARAMS, cusolverPrecType_t main, cusolverPrecType_t lowest),
        is_main(main) && is_precision(lowest), CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC,
        params->main = main)
SETTING(ParamsSetTol, (PARAMS, double tolerance), tolerance >= 0,
        CUSOLVER_STATUS_IRS_PARAMS_INVALID, (void)0)
SETTING(ParamsSetTolInner, (PARAMS, double tolerance), tolerance >= 0,
        CUSOLVER_STATUS_IRS_PARAMS_INVALID, (void)0)
SETTING(ParamsSetMaxIters, (PARAMS, cusolver_int_t iterations), iterations >= 0,
        CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER, params->most = iterations)
SETTING(ParamsSetMaxItersInner, (PARAMS, cusolver_int_t iterations), iterations >= 0,
        CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER, (void)0)
SETTING(ParamsGetMaxIters, (PARAMS, cusolver_int_t *iterations), iterations,
        CUSOLVER_STATUS_INVALID_VALUE, *iterations = params->most)
SETTING(ParamsEnableFallback, (PARAMS), true, CUSOLVER_STATUS_SUCCESS, (void)0)
SETTING(ParamsDisableFallback, (PARAMS), true, CUSOLVER_STATUS_SUCCESS, (void)0)

// What is told of solutions.

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos) {
    if (!infos)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *infos = calloc(1, sizeof **infos);
    return *infos ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
    if (!infos)
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    free(infos);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t tell(cusolverDnIRSInfos_t infos, int *to, bool is_most) {
    if (!infos)
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    if (!to || !infos->is_solved)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *to = is_most ? infos->most : 0;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos,
                                             cusolver_int_t *iterations) {
    return tell(infos, iterations, false);
}
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos,
                                                  cusolver_int_t *iterations) {
    return tell(infos, iterations, false);
}
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos,
                                               cusolver_int_t *iterations) {
    return tell(infos, iterations, true);
}

// Systems.

static cusolverStatus_t check(cusolverDnHandle_t handle, cusolverDnIRSParams_t params) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!params)
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    if (!params->main || params->solver == CUSOLVER_IRS_REFINE_NOT_SET)
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
    return CUSOLVER_STATUS_SUCCESS;
}

/// A workspace holds pivots.
static cusolverStatus_t answer(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, int n,
                               size_t *size) {
    cusolverStatus_t status = check(handle, params);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (n < 0 || !size)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *size = ((size_t)n + 1) * sizeof(int);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t check_solution(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                       cusolverDnIRSInfos_t infos) {
    cusolverStatus_t status = check(handle, params);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    return infos ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
}

static cusolverStatus_t note(cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                             cusolverStatus_t status) {
    infos->is_solved = status == CUSOLVER_STATUS_SUCCESS;
    infos->most = params->most;
    return status;
}

/// By the parameters' type one of the routines of refined.c. Each takes `sizes` first, and `pivots`
/// or nothing behind A.
#define BY_TYPE(s, d, c, z, sizes, pivots)                                                         \
    switch (params->main) {                                                                        \
    case CUSOLVER_R_32F:                                                                           \
        return note(params, infos, CALL(s, sizes, pivots));                                        \
    case CUSOLVER_R_64F:                                                                           \
        return note(params, infos, CALL(d, sizes, pivots));                                        \
    case CUSOLVER_C_32F:                                                                           \
        return note(params, infos, CALL(c, sizes, pivots));                                        \
    default:                                                                                       \
        return note(params, infos, CALL(z, sizes, pivots));                                        \
    }
#define UNFOLD(...) __VA_ARGS__
#define CALL(name, sizes, pivots)                                                                  \
    cusolverDn##name(handle, UNFOLD sizes, nrhs, A, lda UNFOLD pivots, B, ldb, X, ldx, work, size, \
                     iterations, info)

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t nrhs, size_t *size) {
    (void)nrhs;
    return answer(handle, params, n, size);
}

cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, cusolver_int_t n,
                                    cusolver_int_t nrhs, void *A, cusolver_int_t lda, void *B,
                                    cusolver_int_t ldb, void *X, cusolver_int_t ldx, void *work,
                                    size_t size, cusolver_int_t *iterations, cusolver_int_t *info) {
    cusolverStatus_t status = check_solution(handle, params, infos);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    if (n < 0 || size < (size_t)n * sizeof(int))
        return CUSOLVER_STATUS_INVALID_VALUE;
    BY_TYPE(SSgesv, DDgesv, CCgesv, ZZgesv, (n), (, work))
}

cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t m,
                                               cusolver_int_t n, cusolver_int_t nrhs,
                                               size_t *size) {
    (void)m, (void)nrhs;
    return answer(handle, params, n, size);
}

cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, cusolver_int_t m, cusolver_int_t n,
                                    cusolver_int_t nrhs, void *A, cusolver_int_t lda, void *B,
                                    cusolver_int_t ldb, void *X, cusolver_int_t ldx, void *work,
                                    size_t size, cusolver_int_t *iterations, cusolver_int_t *info) {
    cusolverStatus_t status = check_solution(handle, params, infos);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    BY_TYPE(SSgels, DDgels, CCgels, ZZgels, (m, n), ())
}
