// The functions of cublas.h, by those with a handle: they share one, which cublasInit makes, or
// whichever function is called first. What they return nothing about is kept for cublasGetError.
// The interface is one for the whole process, and so is what is kept here.
#include "blas.h"

#include <cublas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    pthread_mutex_t lock; // of the handle's coming and going
    cublasHandle_t handle;
    _Atomic cublasStatus_t error; // the last
} legacy = {.lock = PTHREAD_MUTEX_INITIALIZER};

cublasStatus_t cublasInit(void) {
    pthread_mutex_lock(&legacy.lock);
    cublasStatus_t status = legacy.handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&legacy.handle);
    pthread_mutex_unlock(&legacy.lock);
    return status;
}

cublasStatus_t cublasShutdown(void) {
    pthread_mutex_lock(&legacy.lock);
    cublasStatus_t status = cublasDestroy_v2(legacy.handle);
    legacy.handle = NULL;
    pthread_mutex_unlock(&legacy.lock);
    return status;
}

cublasStatus_t cublasGetError(void) {
    return atomic_exchange(&legacy.error, CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasGetVersion(int *version) {
    return cublasGetVersion_v2(NULL, version);
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
    cublasStatus_t status = cublasInit();
    return status ? status : cublasSetStream_v2(legacy.handle, stream);
}

cublasStatus_t cublasAlloc(int n, int size, void **pointer) {
    if (n <= 0 || size <= 0 || !pointer)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = cublasInit();
    return status ? status : gcl_blas_status(cudaMalloc(pointer, (size_t)n * (size_t)size));
}

cublasStatus_t cublasFree(void *pointer) {
    cublasStatus_t status = cublasInit();
    return status ? status : gcl_blas_status(cudaFree(pointer));
}

// What a letter stands for, in small ones, too, by its place among `letters`; else a number that no
// function takes.
static int number_of(const char *letters, char letter) {
    char large = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    const char *at = large ? strchr(letters, large) : NULL;
    return at ? (int)(at - letters) : -1;
}

static cublasHandle_t begin(void) {
    return cublasInit() == CUBLAS_STATUS_SUCCESS ? legacy.handle : NULL;
}

static void end(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS)
        legacy.error = status;
}

// Routines.

#define __GCL_SIDE(letter) (cublasSideMode_t) number_of("LR", letter)
#define __GCL_PART(letter) (cublasFillMode_t) number_of("LU", letter)
#define __GCL_OPERATION(letter) (cublasOperation_t) number_of("NTC", letter)
#define __GCL_DIAGONAL(letter) (cublasDiagType_t) number_of("NU", letter)

#define BEHIND_HANDLE(...) (begin(), __VA_ARGS__)
#define PROCEDURE(name, parameters, arguments)                                                     \
    void cublas##name parameters {                                                                 \
        end(cublas##name##_v2 BEHIND_HANDLE arguments);                                            \
    }
#define FUNCTION(type, name, parameters, arguments)                                                \
    type cublas##name parameters {                                                                 \
        type __result;                                                                             \
        memset(&__result, 0, sizeof __result);                                                     \
        end(cublas##name##_v2 BEHIND_HANDLE arguments);                                            \
        return __result;                                                                           \
    }
__GCL_CUBLAS_LEGACY(PROCEDURE, FUNCTION)
