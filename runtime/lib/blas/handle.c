// Handles, and what can be asked of the library.
#include "blas.h"

#include <stdio.h>
#include <stdlib.h>

#include "openblas/openblas.h"

// Where messages go, for all handles.
static struct {
    cublasLogCallback callback;
    bool to_stdout;
    bool to_stderr;
} logger;

cublasStatus_t gcl_blas_status(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle:
        return CUBLAS_STATUS_INVALID_VALUE;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

// What isn't supported is always said, on the error stream unless the program has its own way.
cublasStatus_t gcl_blas_refuse(const char *function, const char *why) {
    char message[256];
    snprintf(message, sizeof message, "gcluster: %s: %s", function, why);
    if (logger.callback)
        logger.callback(message);
    if (logger.to_stdout)
        puts(message);
    if (logger.to_stderr || (!logger.callback && !logger.to_stdout))
        fprintf(stderr, "%s\n", message);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gcl_openblas_is_safe())
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaError_t error = cudaFree(NULL); // begins the device's life
    if (error)
        return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                                  : CUBLAS_STATUS_NOT_INITIALIZED;
    cublasHandle_t created = calloc(1, sizeof *created);
    if (!created)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *handle = created;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaError_t error = cudaDeviceSynchronize(); // as cuBLAS does
    free(handle);
    return gcl_blas_status(error);
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    (void)handle; // NULL is allowed
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    static const int values[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) {
    return CUDART_VERSION;
}

// Products need no workspace.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t size) {
    (void)workspace, (void)size;
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

// Defines how a field of the handle is asked for and set.
#define SETTER(name, type, field, condition)                                                       \
    cublasStatus_t name(cublasHandle_t handle, type value) {                                       \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!(condition))                                                                          \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
#define GETTER(name, type, field)                                                                  \
    cublasStatus_t name(cublasHandle_t handle, type *value) {                                      \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!value)                                                                                \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SETTER(cublasSetStream_v2, cudaStream_t, stream, true)
GETTER(cublasGetStream_v2, cudaStream_t, stream)
SETTER(cublasSetPointerMode_v2, cublasPointerMode_t, pointer_mode, (unsigned)value <= 1)
GETTER(cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
SETTER(cublasSetAtomicsMode, cublasAtomicsMode_t, atomics_mode, (unsigned)value <= 1)
GETTER(cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)
// All modes allow what is computed here: as precise as the types are.
SETTER(cublasSetMathMode, cublasMath_t, math_mode, (unsigned)value < 32)
GETTER(cublasGetMathMode, cublasMath_t, math_mode)
SETTER(cublasSetSmCountTarget, int, sm_count, value >= 0)
GETTER(cublasGetSmCountTarget, int, sm_count)

static const struct {
    cublasStatus_t status;
    const char *name;
    const char *text;
} statuses[] = {
#define GCL_ROW(name, value, text) {name, #name, text},
    __GCL_CUBLAS_STATUS(GCL_ROW)
#undef GCL_ROW
};

const char *cublasGetStatusName(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (statuses[i].status == status)
            return statuses[i].name;
    }
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (statuses[i].status == status)
            return statuses[i].text;
    }
    return "there is no such status";
}

cublasStatus_t cublasLoggerConfigure(int is_on, int to_stdout, int to_stderr, const char *file) {
    if (file)
        return gcl_blas_refuse("cublasLoggerConfigure", "messages go to stdout and stderr alone");
    logger.to_stdout = is_on && to_stdout;
    logger.to_stderr = is_on && to_stderr;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
    logger.callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
    if (!callback)
        return CUBLAS_STATUS_INVALID_VALUE;
    *callback = logger.callback;
    return CUBLAS_STATUS_SUCCESS;
}

void cublasXerbla(const char *name, int parameter) {
    fprintf(stderr, "%s: parameter %d has a value that it can't have\n", name, parameter);
}
