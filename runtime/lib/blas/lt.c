// cuBLASLt's handles, which have nothing in them, and its functions that change nothing here.
#include <stdlib.h>

#include "blas.h"
#include "descriptors.h"

struct cublasLtContext {
    int unused;
};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasLtHandle_t created = calloc(1, sizeof *created);
    if (!created)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *handle = created;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    free(handle);
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char *cublasLtGetStatusName(cublasStatus_t status) {
    return cublasGetStatusName(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status) {
    return cublasGetStatusString(status);
}

size_t cublasLtGetVersion(void) {
    return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void) {
    return CUDART_VERSION;
}

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
    return cublasGetProperty(type, value);
}

// There is one algorithm, so nothing is to be remembered.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
    if (!capacity)
        return CUBLAS_STATUS_INVALID_VALUE;
    *capacity = 0;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity) {
    (void)capacity;
    return CUBLAS_STATUS_SUCCESS;
}

unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask) {
    return (void)mask, 0;
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                       cublasLtMatrixTransformDesc_t operation, const void *alpha,
                                       const void *A, cublasLtMatrixLayout_t a, const void *beta,
                                       const void *B, cublasLtMatrixLayout_t b, void *C,
                                       cublasLtMatrixLayout_t c, cudaStream_t stream) {
    (void)handle, (void)operation, (void)alpha, (void)A, (void)a, (void)beta, (void)B, (void)b,
        (void)C, (void)c, (void)stream;
    return gcl_blas_refuse("cublasLtMatrixTransform", "not supported");
}

// The algorithm has no capabilities that could be chosen among, and its configuration changes
// nothing.
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute,
                                                 void *value, size_t size, size_t *written) {
    (void)algorithm, (void)attribute, (void)value, (void)size, (void)written;
    return gcl_blas_refuse("cublasLtMatmulAlgoCapGetAttribute", "not supported");
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *value, size_t size) {
    (void)attribute, (void)size;
    return algorithm && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *value, size_t size, size_t *written) {
    (void)algorithm, (void)attribute, (void)value, (void)size, (void)written;
    return gcl_blas_refuse("cublasLtMatmulAlgoConfigGetAttribute", "not supported");
}

// Messages are those of cublasLoggerConfigure.
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
    (void)callback;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
    (void)file;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerOpenFile(const char *file) {
    (void)file;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetLevel(int level) {
    (void)level;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetMask(int mask) {
    (void)mask;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerForceDisable(void) {
    return CUBLAS_STATUS_SUCCESS;
}
