// Routines of vectors that split over nodes: what changes vectors element by element, and sums.
//
// A sum is one number a slice, and then the total of those. Slices depend on the vectors alone, so
// results are the same on any number of nodes.
#include "blas.h"

enum { SLICE = 1 << 16, MOST_SLICES = 1024, THREADS = 256 };

// Element 0 of a vector: with a negative step its last one in memory.
static void *first(const void *vector, int64_t n, int64_t step, int64_t size) {
    const char *at = vector;
    return (void *)(uintptr_t)(step < 0 ? at - (n - 1) * step * size : at);
}

struct gcl_blas_vectors gcl_blas_vectors(int64_t size, int64_t n, const void *x, int64_t x_step,
                                         const void *y, int64_t y_step) {
    int64_t slice = SLICE;
    while (gcl_blas_divide_up(n, slice) > MOST_SLICES)
        slice *= 2;
    return (struct gcl_blas_vectors){.n = n,
                                     .slice = slice,
                                     .x = first(x, n, x_step, size),
                                     .y = first(y, n, y_step, size),
                                     .x_step = x_step,
                                     .y_step = y_step};
}

static cublasStatus_t launch(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                             const struct gcl_blas_vectors *v) {
    struct gcl_blas_extent grid = {gcl_blas_divide_up(v->n, v->slice), 1, 1};
    return gcl_blas_launch(handle, kernel, grid, (struct gcl_blas_extent){THREADS, 1, 1}, v);
}

static enum gcl_blas_type real_of(enum gcl_blas_type type) {
    return type == GCL_BLAS_S || type == GCL_BLAS_C ? GCL_BLAS_S : GCL_BLAS_D;
}

// A vector that is one element over and over is one block's.
cublasStatus_t gcl_blas_change(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                               struct gcl_blas_vectors *v) {
    if (v->n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!gcl_blas_fits(v->x_step) || !gcl_blas_fits(v->y_step))
        return gcl_blas_refuse("cuBLAS", "steps have at most 2^31 - 1");
    if ((v->y ? v->y_step : v->x_step) == 0)
        v->slice = v->n;
    return launch(handle, kernel, v);
}

static cublasStatus_t axpy(cublasHandle_t handle, enum gcl_blas_type type, int64_t n,
                           const void *alpha, const void *x, int64_t x_step, void *y,
                           int64_t y_step) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    struct gcl_blas_vectors v = gcl_blas_vectors(gcl_blas_size(type), n, x, x_step, y, y_step);
    v.alpha = gcl_blas_factor(handle, alpha, type);
    if (gcl_blas_factor_is_zero(&v.alpha))
        return CUBLAS_STATUS_SUCCESS;
    return gcl_blas_change(handle, gcl_blas_of_type(GCL_BLAS_axpy_s, type), &v);
}

static cublasStatus_t scal(cublasHandle_t handle, enum gcl_blas_type type, int64_t n,
                           const void *alpha, bool is_real, void *x, int64_t x_step) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (x_step <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_vectors v = gcl_blas_vectors(gcl_blas_size(type), n, x, x_step, NULL, 0);
    v.alpha = gcl_blas_factor(handle, alpha, is_real ? real_of(type) : type);
    if (is_real)
        v.alpha.kind = GCL_BLAS_FACTOR_REAL;
    return gcl_blas_change(handle, gcl_blas_of_type(GCL_BLAS_scal_s, type), &v);
}

static cublasStatus_t move(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                           enum gcl_blas_type type, int64_t n, const void *x, int64_t x_step,
                           void *y, int64_t y_step) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    struct gcl_blas_vectors v = gcl_blas_vectors(gcl_blas_size(type), n, x, x_step, y, y_step);
    return gcl_blas_change(handle, gcl_blas_of_type(kernel, type), &v);
}

// Reductions.

// The slices' numbers are in memory of the stream's; `result` is in device memory.
static cublasStatus_t reduce_to(cublasHandle_t handle, enum gcl_blas_kernel kernel, bool is_norm,
                                enum gcl_blas_type type, struct gcl_blas_vectors *v, char *scratch,
                                void *result) {
    int64_t count = gcl_blas_divide_up(v->n, v->slice);
    v->result = count == 1 ? result : scratch;
    cublasStatus_t status = launch(handle, kernel, v);
    if (status || count == 1)
        return status;
    const struct gcl_blas_vectors parts = {
        .n = count, .slice = count, .x = scratch, .x_step = 1, .result = result};
    return launch(handle, gcl_blas_of_type(is_norm ? GCL_BLAS_nrm2_s : GCL_BLAS_total_s, type),
                  &parts);
}

static cublasStatus_t give_zero(cublasHandle_t handle, void *result, uint32_t size) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return gcl_blas_status(cudaMemsetAsync(result, 0, size, handle->stream));
    for (uint32_t i = 0; i < size; i++)
        ((char *)result)[i] = 0;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t gcl_blas_reduce(cublasHandle_t handle, enum gcl_blas_kernel kernel, bool is_norm,
                               enum gcl_blas_type type, struct gcl_blas_vectors *v, void *result) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    uint32_t size = gcl_blas_size(type);
    if (v->n <= 0 || (!v->y && v->x_step <= 0))
        return give_zero(handle, result, size);
    if (!gcl_blas_fits(v->x_step) || !gcl_blas_fits(v->y_step))
        return gcl_blas_refuse("cuBLAS", "steps have at most 2^31 - 1");
    int64_t count = gcl_blas_divide_up(v->n, v->slice);
    bool is_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    char *scratch = NULL;
    if (is_host || count > 1) {
        cudaError_t error =
            cudaMallocAsync((void **)&scratch, (size_t)(count + 1) * size, handle->stream);
        if (error)
            return gcl_blas_status(error);
    }
    void *on_device = is_host ? scratch + count * size : result;
    cublasStatus_t status = reduce_to(handle, kernel, is_norm, type, v, scratch, on_device);
    if (!status && is_host)
        status = gcl_blas_give(handle, on_device, result, size);
    cudaError_t error = scratch ? cudaFreeAsync(scratch, handle->stream) : cudaSuccess;
    return status ? status : gcl_blas_status(error);
}

static cublasStatus_t dot(cublasHandle_t handle, enum gcl_blas_type type, bool conjugate, int64_t n,
                          const void *x, int64_t x_step, const void *y, int64_t y_step,
                          void *result) {
    struct gcl_blas_vectors v = gcl_blas_vectors(gcl_blas_size(type), n, x, x_step, y, y_step);
    v.conjugate = conjugate;
    return gcl_blas_reduce(handle, gcl_blas_of_type(GCL_BLAS_dot_s, type), false, type, &v, result);
}

static cublasStatus_t norm(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                           enum gcl_blas_type type, int64_t n, const void *x, int64_t x_step,
                           void *result) {
    struct gcl_blas_vectors v = gcl_blas_vectors(gcl_blas_size(type), n, x, x_step, NULL, 0);
    return gcl_blas_reduce(handle, gcl_blas_of_type(kernel, type), kernel == GCL_BLAS_nrm2_s,
                           real_of(type), &v, result);
}

// Entry points. I is the type of sizes; with _v2 names end in `v2`.

#define CHANGING(letter, T, I, v2)                                                                 \
    cublasStatus_t cublas##letter##axpy##v2(cublasHandle_t handle, I n, const T *alpha,            \
                                            const T *x, I incx, T *y, I incy) {                    \
        return axpy(handle, GCL_BLAS_##letter, n, alpha, x, incx, y, incy);                        \
    }                                                                                              \
    cublasStatus_t cublas##letter##scal##v2(cublasHandle_t handle, I n, const T *alpha, T *x,      \
                                            I incx) {                                              \
        return scal(handle, GCL_BLAS_##letter, n, alpha, false, x, incx);                          \
    }                                                                                              \
    cublasStatus_t cublas##letter##copy##v2(cublasHandle_t handle, I n, const T *x, I incx, T *y,  \
                                            I incy) {                                              \
        return move(handle, GCL_BLAS_copy_s, GCL_BLAS_##letter, n, x, incx, y, incy);              \
    }                                                                                              \
    cublasStatus_t cublas##letter##swap##v2(cublasHandle_t handle, I n, T *x, I incx, T *y,        \
                                            I incy) {                                              \
        return move(handle, GCL_BLAS_swap_s, GCL_BLAS_##letter, n, x, incx, y, incy);              \
    }
#define SCALING(name, letter, T, R, I, v2)                                                         \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, I n, const R *alpha, T *x, I incx) {    \
        return scal(handle, GCL_BLAS_##letter, n, alpha, true, x, incx);                           \
    }
#define DOT(name, letter, conjugate, T, I, v2)                                                     \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, I n, const T *x, I incx, const T *y,    \
                                    I incy, T *result) {                                           \
        return dot(handle, GCL_BLAS_##letter, conjugate, n, x, incx, y, incy, result);             \
    }
#define NORM(name, kind, letter, T, R, I, v2)                                                      \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, I n, const T *x, I incx, R *result) {   \
        return norm(handle, GCL_BLAS_##kind##_s, GCL_BLAS_##letter, n, x, incx, result);           \
    }

#define ALL(I, v2)                                                                                 \
    CHANGING(S, float, I, v2)                                                                      \
    CHANGING(D, double, I, v2)                                                                     \
    CHANGING(C, cuComplex, I, v2)                                                                  \
    CHANGING(Z, cuDoubleComplex, I, v2)                                                            \
    SCALING(Csscal, C, cuComplex, float, I, v2)                                                    \
    SCALING(Zdscal, Z, cuDoubleComplex, double, I, v2)                                             \
    DOT(Sdot, S, false, float, I, v2)                                                              \
    DOT(Ddot, D, false, double, I, v2)                                                             \
    DOT(Cdotu, C, false, cuComplex, I, v2)                                                         \
    DOT(Cdotc, C, true, cuComplex, I, v2)                                                          \
    DOT(Zdotu, Z, false, cuDoubleComplex, I, v2)                                                   \
    DOT(Zdotc, Z, true, cuDoubleComplex, I, v2)                                                    \
    NORM(Snrm2, nrm2, S, float, float, I, v2)                                                      \
    NORM(Dnrm2, nrm2, D, double, double, I, v2)                                                    \
    NORM(Scnrm2, nrm2, C, cuComplex, float, I, v2)                                                 \
    NORM(Dznrm2, nrm2, Z, cuDoubleComplex, double, I, v2)                                          \
    NORM(Sasum, asum, S, float, float, I, v2)                                                      \
    NORM(Dasum, asum, D, double, double, I, v2)                                                    \
    NORM(Scasum, asum, C, cuComplex, float, I, v2)                                                 \
    NORM(Dzasum, asum, Z, cuDoubleComplex, double, I, v2)
ALL(int, _v2)
ALL(int64_t, _v2_64)
