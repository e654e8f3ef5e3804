// Sizes of workspaces: programs allocate what they are told, and pass it on. Nothing is used of it,
// so it is small.
#include "solver/solver.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

enum { ELEMENTS = 64 };

static cusolverStatus_t answer(cusolverDnHandle_t handle, int64_t n, int *size) {
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (n < 0 || !size)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *size = ELEMENTS;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t answer_bytes(cusolverDnHandle_t handle, int64_t n, size_t *size) {
    int elements;
    cusolverStatus_t status = answer(handle, n, &elements);
    if (status == CUSOLVER_STATUS_SUCCESS && !size)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (status == CUSOLVER_STATUS_SUCCESS)
        *size = (size_t)elements * sizeof(cuDoubleComplex);
    return status;
}

static cusolverStatus_t answer_generic(cusolverDnHandle_t handle, int64_t n, size_t *size,
                                       size_t *host_size) {
    cusolverStatus_t status = answer_bytes(handle, n, size);
    return status == CUSOLVER_STATUS_SUCCESS ? answer_bytes(handle, n, host_size) : status;
}

#define NO_ROW(name, parameters)
#define SIZE(name, parameters)                                                                     \
    cusolverStatus_t cusolverDn##name parameters {                                                 \
        return answer(handle, n, size);                                                            \
    }
__GCL_CUSOLVER_TYPED(NO_ROW, SIZE)
#undef SIZE
#define SIZE(name, parameters)                                                                     \
    cusolverStatus_t cusolverDn##name parameters {                                                 \
        return answer_generic(handle, n, size, host_size);                                         \
    }
__GCL_CUSOLVER_GENERIC(NO_ROW, SIZE)
#undef SIZE
#define SIZE(name, parameters)                                                                     \
    cusolverStatus_t cusolverDn##name parameters {                                                 \
        return answer_bytes(handle, n, size);                                                      \
    }
__GCL_CUSOLVER_REFINED(SIZE, NO_ROW, NO_ROW)
