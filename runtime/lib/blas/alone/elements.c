// Level 1 but for what splits (vector.c): rotations, and where the largest and the least are.
#include "alone.h"

#define P gcl_blas_address
#define BOTH (GCL_BUFFER_READ | GCL_BUFFER_WRITE)

// Rotations: what they are made of is scalars, one behind the other in `parameters`.

static cublasStatus_t rotate(cublasHandle_t handle, enum gcl_blas_type type,
                             const struct gcl_task *task, int64_t n, void *x, int64_t x_step,
                             void *y, int64_t y_step, const void *const scalars[2],
                             const uint64_t sizes[2]) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!scalars[0] || (sizes[1] && !scalars[1]))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.n = gcl_blas_narrow(&alone, n);
    gcl_blas_take_vector(&alone, 0, x, n, x_step, type, BOTH);
    gcl_blas_take_vector(&alone, 1, y, n, y_step, type, BOTH);
    for (unsigned i = 0; i < 2 && sizes[i]; i++)
        gcl_blas_take_scalar(&alone, i, scalars[i], sizes[i], GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

#define ROTATION(name, f)                                                                          \
    void f##_(P, P, P, P, P, P, P);                                                                \
    GCL_BLAS_TASK(name, f##_, N, FIRST, SECOND, ALPHA, BETA)
ROTATION(Srot, srot)
ROTATION(Drot, drot)
ROTATION(Crot, crot)
ROTATION(Zrot, zrot)
ROTATION(Csrot, csrot)
ROTATION(Zdrot, zdrot)
#define MODIFIED(name, f)                                                                          \
    void f##_(P, P, P, P, P, P);                                                                   \
    GCL_BLAS_TASK(name, f##_, N, FIRST, SECOND, ALPHA)
MODIFIED(Srotm, srotm)
MODIFIED(Drotm, drotm)

// What makes rotations reads and writes numbers wherever the handle says that they are.

/// Four or five numbers: rotg's a, b, c, s; rotmg's d1, d2, x1, y1, parameters.
struct making {
    void *at[5];
    uint64_t sizes[5]; ///< bytes; 0: there is no such
};

static cublasStatus_t make(cublasHandle_t handle, const struct gcl_task *task,
                           const struct making *m) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    struct gcl_buffer buffers[5];
    for (unsigned i = 0; i < 5; i++) {
        if (m->sizes[i] && !m->at[i])
            return CUBLAS_STATUS_INVALID_VALUE;
        buffers[i] = (struct gcl_buffer){m->at[i], m->sizes[i], BOTH};
    }
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return gcl_blas_status(gclLaunchTask(task, buffers, 5, NULL, 0, handle->stream));
    task->body(m->at, NULL);
    return CUBLAS_STATUS_SUCCESS;
}

#define MAKING(name, f)                                                                            \
    void f##_(P, P, P, P);                                                                         \
    static void f##_run(void *const *b, const void *payload) {                                     \
        (void)payload;                                                                             \
        f##_(b[0], b[1], b[2], b[3]);                                                              \
    }                                                                                              \
    GCL_TASK(f##_task, "cublas" #name, f##_run)
MAKING(Srotg, srotg)
MAKING(Drotg, drotg)
MAKING(Crotg, crotg)
MAKING(Zrotg, zrotg)
#define MAKING_MODIFIED(name, f)                                                                   \
    void f##_(P, P, P, P, P);                                                                      \
    static void f##_run(void *const *b, const void *payload) {                                     \
        (void)payload;                                                                             \
        f##_(b[0], b[1], b[2], b[3], b[4]);                                                        \
    }                                                                                              \
    GCL_TASK(f##_task, "cublas" #name, f##_run)
MAKING_MODIFIED(Srotmg, srotmg)
MAKING_MODIFIED(Drotmg, drotmg)

// Extremes: the index of the first, from 1; 0 of no elements.

#define INDEX(name, f)                                                                             \
    int32_t f##_(P, P, P);                                                                         \
    static void f##_run(void *const *buffers, const void *payload) {                               \
        const struct gcl_blas_call *c = payload;                                                   \
        GCL_BLAS_FORTRAN(c)                                                                        \
        int32_t index = f##_(N, FIRST);                                                            \
        if (c->k == 8)                                                                             \
            *(int64_t *)buffers[1] = index;                                                        \
        else                                                                                       \
            *(int32_t *)buffers[1] = index;                                                        \
    }                                                                                              \
    GCL_TASK(f##_task, "cublas" #name, f##_run)
INDEX(Isamax, isamax)
INDEX(Idamax, idamax)
INDEX(Icamax, icamax)
INDEX(Izamax, izamax)
INDEX(Isamin, isamin)
INDEX(Idamin, idamin)
INDEX(Icamin, icamin)
INDEX(Izamin, izamin)

// `size` is that of the index, in bytes.
static cublasStatus_t find(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct gcl_task *task, int64_t n, const void *x, int64_t x_step,
                           void *result, int32_t size) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (x_step <= 0)
        n = 0;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    alone.call.n = gcl_blas_narrow(&alone, n < 0 ? 0 : n);
    alone.call.k = size;
    gcl_blas_take_vector(&alone, 0, x, n, x_step, type, GCL_BUFFER_READ);
    bool is_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    void *index = result;
    cudaError_t error = is_host ? cudaMallocAsync(&index, (size_t)size, handle->stream) : 0;
    if (error)
        return gcl_blas_status(error);
    alone.buffers[1] = (struct gcl_buffer){index, (uint64_t)size, GCL_BUFFER_WRITE};
    cublasStatus_t status = gcl_blas_run_alone(&alone);
    if (!is_host)
        return status;
    if (!status)
        status = gcl_blas_give(handle, index, result, (size_t)size);
    error = cudaFreeAsync(index, handle->stream);
    return status ? status : gcl_blas_status(error);
}

// Entry points. I is the type of sizes; names end in `v2`.

#define ROT(name, L, f, T, C, S, I, v2)                                                            \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy,        \
                                    const C *c, const S *s) {                                      \
        return rotate(handle, GCL_BLAS_##L, &f##_task, n, x, incx, y, incy,                        \
                      (const void *[]){c, s}, (uint64_t[]){sizeof(C), sizeof(S)});                 \
    }
#define ROTM(name, L, f, T, I, v2)                                                                 \
    cublasStatus_t cublas##name##v2(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy,        \
                                    const T *parameters) {                                         \
        return rotate(handle, GCL_BLAS_##L, &f##_task, n, x, incx, y, incy,                        \
                      (const void *[]){parameters, NULL}, (uint64_t[]){5 * sizeof(T), 0});         \
    }
#define FIND(extreme, L, f, T, I, v2)                                                              \
    cublasStatus_t cublasI##f##extreme##v2(cublasHandle_t handle, I n, const T *x, I incx,         \
                                           I *result) {                                            \
        return find(handle, GCL_BLAS_##L, &i##f##extreme##_task, n, x, incx, result, sizeof(I));   \
    }
#define FIND_BOTH(L, f, T, I, v2) FIND(amax, L, f, T, I, v2) FIND(amin, L, f, T, I, v2)
#define ALL(I, v2)                                                                                 \
    ROT(Srot, S, srot, float, float, float, I, v2)                                                 \
    ROT(Drot, D, drot, double, double, double, I, v2)                                              \
    ROT(Crot, C, crot, cuComplex, float, cuComplex, I, v2)                                         \
    ROT(Zrot, Z, zrot, cuDoubleComplex, double, cuDoubleComplex, I, v2)                            \
    ROT(Csrot, C, csrot, cuComplex, float, float, I, v2)                                           \
    ROT(Zdrot, Z, zdrot, cuDoubleComplex, double, double, I, v2)                                   \
    ROTM(Srotm, S, srotm, float, I, v2)                                                            \
    ROTM(Drotm, D, drotm, double, I, v2)                                                           \
    FIND_BOTH(S, s, float, I, v2)                                                                  \
    FIND_BOTH(D, d, double, I, v2)                                                                 \
    FIND_BOTH(C, c, cuComplex, I, v2)                                                              \
    FIND_BOTH(Z, z, cuDoubleComplex, I, v2)
ALL(int, _v2)
ALL(int64_t, _v2_64)

#define ROTG(L, f, T, R)                                                                           \
    cublasStatus_t cublas##L##rotg_v2(cublasHandle_t handle, T *a, T *b, R *c, T *s) {             \
        const struct making m = {{a, b, c, s}, {sizeof *a, sizeof *b, sizeof *c, sizeof *s}};      \
        return make(handle, &f##rotg_task, &m);                                                    \
    }
ROTG(S, s, float, float)
ROTG(D, d, double, double)
ROTG(C, c, cuComplex, float)
ROTG(Z, z, cuDoubleComplex, double)
#define ROTMG(L, f, T)                                                                             \
    cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1,    \
                                       T *parameters) {                                            \
        const struct making m = {{d1, d2, x1, (void *)(uintptr_t)y1, parameters},                  \
                                 {sizeof(T), sizeof(T), sizeof(T), sizeof(T), 5 * sizeof(T)}};     \
        return make(handle, &f##rotmg_task, &m);                                                   \
    }
ROTMG(S, s, float)
ROTMG(D, d, double)
