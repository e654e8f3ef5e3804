#include "vendor.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct gcl_blas_vendor gcl_blas_vendor;

static void load(void) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", NULL};
#define NAME(name) #name,
    static const char *const functions[] = {GCL_BLAS_VENDOR_FUNCTIONS(NAME) NULL};
#undef NAME
    gcl_blas_vendor.library = gcl_vendor_open("cuBLAS", names, functions, &gcl_blas_vendor.has);
    if (gcl_blas_vendor.library &&
        gcl_blas_vendor.has.cublasCreate_v2(&gcl_blas_vendor.handle) != CUBLAS_STATUS_SUCCESS) {
        fputs("gcluster: NVIDIA's cuBLAS can't be used: cublasCreate fails\n", stderr);
        gcl_blas_vendor.library = NULL;
    }
}

bool gcl_blas_vendor_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return gcl_blas_vendor.library != NULL;
}

cublasHandle_t gcl_blas_vendor_begin(void *stream, cublasPointerMode_t mode) {
    if (gcl_blas_vendor.has.cublasSetStream_v2(gcl_blas_vendor.handle, stream) !=
            CUBLAS_STATUS_SUCCESS ||
        gcl_blas_vendor.has.cublasSetPointerMode_v2(gcl_blas_vendor.handle, mode) !=
            CUBLAS_STATUS_SUCCESS)
        return NULL;
    return gcl_blas_vendor.handle;
}

void *gcl_blas_vendor_function(const char *name) {
    return dlsym(gcl_blas_vendor.library, name);
}

cublasHandle_t gcl_blas_vendor_scaled(void *stream, const struct gcl_blas_factor *factor,
                                      struct gcl_blas_vendor_scalar *scalar, const void **at) {
    scalar->value = factor->value;
    *at = factor->at ? factor->at : scalar;
    if (factor->at && factor->kind != GCL_BLAS_FACTOR_OWN)
        return NULL;
    return gcl_blas_vendor_begin(stream, factor->at ? CUBLAS_POINTER_MODE_DEVICE
                                                    : CUBLAS_POINTER_MODE_HOST);
}
