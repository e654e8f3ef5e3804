// NVIDIA's cuBLAS, which works on GPUs for ours.
#ifndef GCL_BLAS_VENDOR_H
#define GCL_BLAS_VENDOR_H

#include <stdbool.h>

#include "gcluster/vendor.h"
#include "kernels.h"
#include "native.h"
#include "vendor/functions.h"
#include <cublas_api.h>

/// The stubs of the kernels, by enum gcl_blas_kernel.
extern const void *const gcl_blas_kernels[];

/// The library, and functions of it.
extern struct gcl_blas_vendor {
    void *library;         ///< NULL: it isn't there
    cublasHandle_t handle; ///< that all calls share
#define GCL_BLAS_FUNCTION(name) __typeof__(&name) name;
    struct {
        GCL_BLAS_VENDOR_FUNCTIONS(GCL_BLAS_FUNCTION)
    } has;
#undef GCL_BLAS_FUNCTION
} gcl_blas_vendor;

/// Whether it is there; loads it.
bool gcl_blas_vendor_is_there(void);

/// Its handle, for calls that go into a stream and find scalars where the pointer mode says; NULL:
/// it can't have one.
cublasHandle_t gcl_blas_vendor_begin(void *stream, cublasPointerMode_t mode);

/// A scalar in host memory, as the library wants it aligned.
struct gcl_blas_vendor_scalar {
    _Alignas(16) union gcl_blas_scalar value;
};

/// The handle for calls with a factor, which is `*at`, or has been copied to `scalar`; NULL, too,
/// where the factor has another type than they want.
cublasHandle_t gcl_blas_vendor_scaled(void *stream, const struct gcl_blas_factor *factor,
                                      struct gcl_blas_vendor_scalar *scalar, const void **at);

/// A function of the library by name, NULL if it doesn't have it.
void *gcl_blas_vendor_function(const char *name);

#endif
