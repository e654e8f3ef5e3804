// How the library launches, and gives results.
#include "blas.h"

#include <string.h>

extern const void *const gcl_blas_kernels[]; // kernels.cu

static dim3 dimensions(struct gcl_blas_extent extent) {
    return (dim3){(unsigned)extent.x, (unsigned)extent.y, (unsigned)extent.z};
}

cublasStatus_t gcl_blas_launch(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                               struct gcl_blas_extent grid, struct gcl_blas_extent block,
                               const void *arguments) {
    void *parameters[] = {(void *)(uintptr_t)arguments};
    return gcl_blas_status(cudaLaunchKernel(gcl_blas_kernels[kernel], dimensions(grid),
                                            dimensions(block), parameters, 0, handle->stream));
}

struct gcl_blas_factor gcl_blas_factor(cublasHandle_t handle, const void *scalar,
                                       enum gcl_blas_type type) {
    struct gcl_blas_factor factor = {.kind = GCL_BLAS_FACTOR_OWN};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        factor.at = scalar;
    else
        memcpy(&factor.value, scalar, gcl_blas_size(type));
    return factor;
}

bool gcl_blas_factor_is_zero(const struct gcl_blas_factor *factor) {
    static const union gcl_blas_scalar zero;
    return !factor->at && memcmp(&factor->value, &zero, sizeof zero) == 0;
}

cublasStatus_t gcl_blas_give(cublasHandle_t handle, const void *device, void *result, size_t size) {
    bool is_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    cudaError_t error = cudaMemcpyAsync(result, device, size,
                                        is_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice,
                                        handle->stream);
    if (!error && is_host)
        error = cudaStreamSynchronize(handle->stream);
    return gcl_blas_status(error);
}
