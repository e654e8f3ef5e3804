// Handles, and what can be asked of the library.
#include "solver/solver.h"

#include <stdlib.h>

#include "openblas/openblas.h"

cusolverStatus_t cusolverGetVersion(int *version) {
    if (!version)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
    static const int values[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    if (!value || (unsigned)type >= sizeof values / sizeof *values)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t gcl_solver_create(size_t size, void **handle) {
    if (!gcl_openblas_is_safe())
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cudaError_t error = cudaFree(NULL); // begins the device's life
    if (error)
        return error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                                  : CUSOLVER_STATUS_NOT_INITIALIZED;
    void *created = calloc(1, size);
    if (!created)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *handle = created;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    void *created;
    cusolverStatus_t status = gcl_solver_create(sizeof **handle, &created);
    if (status != CUSOLVER_STATUS_SUCCESS)
        return status;
    *handle = created;
    (*handle)->mode = CUSOLVER_DETERMINISTIC_RESULTS;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!stream)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

// Results are the same each time in both modes.

cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t *mode) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!mode)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *mode = handle->mode;
    return CUSOLVER_STATUS_SUCCESS;
}

// Parameters choose among ways to the same result, of which there is one.

struct cusolverDnParams {
    int unused;
};

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
    if (!params)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *params = calloc(1, sizeof **params);
    return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
    (void)function, (void)algorithm;
    return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
