// Routines of vectors whose types are arguments: those that other names have, and numbers of 16
// bits, computed with in floats.
#include "blas.h"

#include "halves.h"

// A type's letter in names of routines, by which they are chosen; 0: it has none.
static char letter_of(cudaDataType type) {
    switch (type) {
    case CUDA_R_32F:
        return 'S';
    case CUDA_R_64F:
        return 'D';
    case CUDA_C_32F:
        return 'C';
    case CUDA_C_64F:
        return 'Z';
    case CUDA_R_16F:
        return 'H';
    case CUDA_R_16BF:
        return 'B';
    default:
        return 0;
    }
}

static bool is_half(char letter) {
    return letter == 'H' || letter == 'B';
}

// The letter of vectors that are computed with in their own type, or in floats if that has 16 bits;
// 0: they aren't.
static char letter_for(cudaDataType vector, cudaDataType other, cudaDataType execution) {
    char letter = letter_of(vector);
    bool is_own = execution == (is_half(letter) ? CUDA_R_32F : vector);
    return vector == other && is_own ? letter : 0;
}

static cublasStatus_t refuse(const char *name) {
    return gcl_blas_refuse(name, "this combination of types is not supported");
}

// Numbers of 16 bits.

static enum gcl_blas_kernel of_letter(enum gcl_blas_kernel halves, char letter) {
    return (enum gcl_blas_kernel)((int)halves + (letter == 'B'));
}

// alpha, which is a float or of the vectors' type.
static bool take_factor(cublasHandle_t handle, const void *alpha, cudaDataType type, char letter,
                        struct gcl_blas_factor *factor) {
    if (type == CUDA_R_32F)
        *factor = gcl_blas_factor(handle, alpha, GCL_BLAS_S);
    else if (letter_of(type) == letter && letter == 'H')
        *factor = gcl_blas_scale(handle, alpha, CUDA_R_16F);
    else
        return false;
    return true;
}

static cublasStatus_t change(cublasHandle_t handle, const char *name, enum gcl_blas_kernel kernel,
                             char letter, const void *alpha, cudaDataType alpha_type,
                             struct gcl_blas_vectors *v) {
    if (!alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!take_factor(handle, alpha, alpha_type, letter, &v->alpha))
        return refuse(name);
    return gcl_blas_change(handle, of_letter(kernel, letter), v);
}

static void narrow(void *const *buffers, const void *payload) {
    const char *letter = payload;
    (*letter == 'B' ? gcl_bfloats_narrow : gcl_halves_narrow)(buffers[0], buffers[1], 1);
}
GCL_TASK(narrow_task, "cublas_narrow", narrow)

// A sum or norm, which is of the vectors' type or a float.
static cublasStatus_t reduce(cublasHandle_t handle, const char *name, enum gcl_blas_kernel kernel,
                             char letter, struct gcl_blas_vectors *v, void *result,
                             cudaDataType result_type) {
    bool is_norm = kernel == GCL_BLAS_nrm2_h;
    enum gcl_blas_kernel of = of_letter(kernel, letter);
    if (result_type == CUDA_R_32F)
        return gcl_blas_reduce(handle, of, is_norm, GCL_BLAS_S, v, result);
    if (letter_of(result_type) != letter)
        return refuse(name);
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    float on_host, *sum = &on_host;
    bool is_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (!is_host) {
        cudaError_t error = cudaMallocAsync((void **)&sum, sizeof *sum, handle->stream);
        if (error)
            return gcl_blas_status(error);
    }
    cublasStatus_t status = gcl_blas_reduce(handle, of, is_norm, GCL_BLAS_S, v, sum);
    if (is_host) {
        if (!status)
            narrow((void *const[]){sum, result}, &letter);
        return status;
    }
    const struct gcl_buffer buffers[] = {{sum, sizeof *sum, GCL_BUFFER_READ},
                                         {result, 2, GCL_BUFFER_WRITE}};
    if (!status)
        status = gcl_blas_status(
            gclLaunchTask(&narrow_task, buffers, 2, &letter, sizeof letter, handle->stream));
    cudaError_t error = cudaFreeAsync(sum, handle->stream);
    return status ? status : gcl_blas_status(error);
}

// `count` numbers of 2 bytes at steps.
static cublasStatus_t copy_halves(cublasHandle_t handle, int64_t n, const void *x, int64_t x_step,
                                  void *y, int64_t y_step) {
    if (x_step <= 0 || y_step <= 0)
        return gcl_blas_refuse("cublasCopyEx", "steps of numbers of 16 bits are positive");
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    return gcl_blas_status(cudaMemcpy2DAsync(y, (size_t)y_step * 2, x, (size_t)x_step * 2, 2,
                                             (size_t)n, cudaMemcpyDeviceToDevice, handle->stream));
}

// Entry points. I is the type of sizes; names end in `v1`, those of the typed ones in `v2`.

#define CASE(letter, call)                                                                         \
    case letter:                                                                                   \
        return call
#define EXECUTION cudaDataType execution
#define VECTOR_X const void *x, cudaDataType x_type
#define VECTOR_Y void *y, cudaDataType y_type

#define ALL(I, v1, v2)                                                                             \
    cublasStatus_t cublasDotEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, const VECTOR_Y,   \
                                   I incy, void *result, cudaDataType type, EXECUTION) {           \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        char letter = letter_for(x_type, y_type, execution);                                       \
        if (is_half(letter)) {                                                                     \
            struct gcl_blas_vectors v = gcl_blas_vectors(2, n, x, incx, y, incy);                  \
            return reduce(handle, "cublasDotEx", GCL_BLAS_dot_h, letter, &v, result, type);        \
        }                                                                                          \
        switch (type == x_type ? letter : 0) {                                                     \
            CASE('S', cublasSdot##v2(handle, n, x, incx, y, incy, result));                        \
            CASE('D', cublasDdot##v2(handle, n, x, incx, y, incy, result));                        \
            CASE('C', cublasCdotu##v2(handle, n, x, incx, y, incy, result));                       \
            CASE('Z', cublasZdotu##v2(handle, n, x, incx, y, incy, result));                       \
        }                                                                                          \
        return refuse("cublasDotEx");                                                              \
    }                                                                                              \
    cublasStatus_t cublasDotcEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, const VECTOR_Y,  \
                                    I incy, void *result, cudaDataType type, EXECUTION) {          \
        switch (type == x_type ? letter_for(x_type, y_type, execution) : 0) {                      \
            CASE('C', cublasCdotc##v2(handle, n, x, incx, y, incy, result));                       \
            CASE('Z', cublasZdotc##v2(handle, n, x, incx, y, incy, result));                       \
        }                                                                                          \
        return cublasDotEx##v1(handle, n, x, x_type, incx, y, y_type, incy, result, type,          \
                               execution);                                                         \
    }                                                                                              \
    cublasStatus_t cublasNrm2Ex##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, void *result,    \
                                    cudaDataType type, EXECUTION) {                                \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        char letter = letter_for(x_type, x_type, execution);                                       \
        bool is_own = type == x_type;                                                              \
        if (is_half(letter)) {                                                                     \
            struct gcl_blas_vectors v = gcl_blas_vectors(2, n, x, incx, NULL, 0);                  \
            return reduce(handle, "cublasNrm2Ex", GCL_BLAS_nrm2_h, letter, &v, result, type);      \
        }                                                                                          \
        if (is_own && letter == 'S')                                                               \
            return cublasSnrm2##v2(handle, n, x, incx, result);                                    \
        if (is_own && letter == 'D')                                                               \
            return cublasDnrm2##v2(handle, n, x, incx, result);                                    \
        if (type == CUDA_R_32F && letter == 'C')                                                   \
            return cublasScnrm2##v2(handle, n, x, incx, result);                                   \
        if (type == CUDA_R_64F && letter == 'Z')                                                   \
            return cublasDznrm2##v2(handle, n, x, incx, result);                                   \
        return refuse("cublasNrm2Ex");                                                             \
    }                                                                                              \
    cublasStatus_t cublasAsumEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, void *result,    \
                                    cudaDataType type, EXECUTION) {                                \
        char letter = letter_for(x_type, x_type, execution);                                       \
        if (type == x_type && letter == 'S')                                                       \
            return cublasSasum##v2(handle, n, x, incx, result);                                    \
        if (type == x_type && letter == 'D')                                                       \
            return cublasDasum##v2(handle, n, x, incx, result);                                    \
        if (type == CUDA_R_32F && letter == 'C')                                                   \
            return cublasScasum##v2(handle, n, x, incx, result);                                   \
        if (type == CUDA_R_64F && letter == 'Z')                                                   \
            return cublasDzasum##v2(handle, n, x, incx, result);                                   \
        return refuse("cublasAsumEx");                                                             \
    }                                                                                              \
    cublasStatus_t cublasScalEx##v1(cublasHandle_t handle, I n, const void *alpha,                 \
                                    cudaDataType type, void *x, cudaDataType x_type, I incx,       \
                                    EXECUTION) {                                                   \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        char letter = letter_for(x_type, x_type, execution);                                       \
        if (is_half(letter)) {                                                                     \
            struct gcl_blas_vectors v = gcl_blas_vectors(2, incx > 0 ? n : 0, x, incx, NULL, 0);   \
            return change(handle, "cublasScalEx", GCL_BLAS_scal_h, letter, alpha, type, &v);       \
        }                                                                                          \
        switch (type == x_type ? letter : 0) {                                                     \
            CASE('S', cublasSscal##v2(handle, n, alpha, x, incx));                                 \
            CASE('D', cublasDscal##v2(handle, n, alpha, x, incx));                                 \
            CASE('C', cublasCscal##v2(handle, n, alpha, x, incx));                                 \
            CASE('Z', cublasZscal##v2(handle, n, alpha, x, incx));                                 \
        }                                                                                          \
        return refuse("cublasScalEx");                                                             \
    }                                                                                              \
    cublasStatus_t cublasAxpyEx##v1(cublasHandle_t handle, I n, const void *alpha,                 \
                                    cudaDataType type, VECTOR_X, I incx, VECTOR_Y, I incy,         \
                                    EXECUTION) {                                                   \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        char letter = letter_for(x_type, y_type, execution);                                       \
        if (is_half(letter)) {                                                                     \
            struct gcl_blas_vectors v = gcl_blas_vectors(2, n, x, incx, y, incy);                  \
            return change(handle, "cublasAxpyEx", GCL_BLAS_axpy_h, letter, alpha, type, &v);       \
        }                                                                                          \
        switch (type == x_type ? letter : 0) {                                                     \
            CASE('S', cublasSaxpy##v2(handle, n, alpha, x, incx, y, incy));                        \
            CASE('D', cublasDaxpy##v2(handle, n, alpha, x, incx, y, incy));                        \
            CASE('C', cublasCaxpy##v2(handle, n, alpha, x, incx, y, incy));                        \
            CASE('Z', cublasZaxpy##v2(handle, n, alpha, x, incx, y, incy));                        \
        }                                                                                          \
        return refuse("cublasAxpyEx");                                                             \
    }                                                                                              \
    cublasStatus_t cublasCopyEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, VECTOR_Y,        \
                                    I incy) {                                                      \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        switch (x_type == y_type ? letter_of(x_type) : 0) {                                        \
            CASE('S', cublasScopy##v2(handle, n, x, incx, y, incy));                               \
            CASE('D', cublasDcopy##v2(handle, n, x, incx, y, incy));                               \
            CASE('C', cublasCcopy##v2(handle, n, x, incx, y, incy));                               \
            CASE('Z', cublasZcopy##v2(handle, n, x, incx, y, incy));                               \
            CASE('H', copy_halves(handle, n, x, incx, y, incy));                                   \
            CASE('B', copy_halves(handle, n, x, incx, y, incy));                                   \
        }                                                                                          \
        return refuse("cublasCopyEx");                                                             \
    }                                                                                              \
    cublasStatus_t cublasSwapEx##v1(cublasHandle_t handle, I n, void *x, cudaDataType x_type,      \
                                    I incx, VECTOR_Y, I incy) {                                    \
        switch (x_type == y_type ? letter_of(x_type) : 0) {                                        \
            CASE('S', cublasSswap##v2(handle, n, x, incx, y, incy));                               \
            CASE('D', cublasDswap##v2(handle, n, x, incx, y, incy));                               \
            CASE('C', cublasCswap##v2(handle, n, x, incx, y, incy));                               \
            CASE('Z', cublasZswap##v2(handle, n, x, incx, y, incy));                               \
        }                                                                                          \
        return refuse("cublasSwapEx");                                                             \
    }                                                                                              \
    cublasStatus_t cublasIamaxEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, I *result) {    \
        switch (letter_of(x_type)) {                                                               \
            CASE('S', cublasIsamax##v2(handle, n, x, incx, result));                               \
            CASE('D', cublasIdamax##v2(handle, n, x, incx, result));                               \
            CASE('C', cublasIcamax##v2(handle, n, x, incx, result));                               \
            CASE('Z', cublasIzamax##v2(handle, n, x, incx, result));                               \
        }                                                                                          \
        return refuse("cublasIamaxEx");                                                            \
    }                                                                                              \
    cublasStatus_t cublasIaminEx##v1(cublasHandle_t handle, I n, VECTOR_X, I incx, I *result) {    \
        switch (letter_of(x_type)) {                                                               \
            CASE('S', cublasIsamin##v2(handle, n, x, incx, result));                               \
            CASE('D', cublasIdamin##v2(handle, n, x, incx, result));                               \
            CASE('C', cublasIcamin##v2(handle, n, x, incx, result));                               \
            CASE('Z', cublasIzamin##v2(handle, n, x, incx, result));                               \
        }                                                                                          \
        return refuse("cublasIaminEx");                                                            \
    }                                                                                              \
    cublasStatus_t cublasRotEx##v1(cublasHandle_t handle, I n, void *x, cudaDataType x_type,       \
                                   I incx, VECTOR_Y, I incy, const void *c, const void *s,         \
                                   cudaDataType type, EXECUTION) {                                 \
        char letter = letter_for(x_type, y_type, execution);                                       \
        switch (type == x_type ? letter : 0) {                                                     \
            CASE('S', cublasSrot##v2(handle, n, x, incx, y, incy, c, s));                          \
            CASE('D', cublasDrot##v2(handle, n, x, incx, y, incy, c, s));                          \
            CASE('C', cublasCrot##v2(handle, n, x, incx, y, incy, c, s));                          \
            CASE('Z', cublasZrot##v2(handle, n, x, incx, y, incy, c, s));                          \
        }                                                                                          \
        if (type == CUDA_R_32F && letter == 'C')                                                   \
            return cublasCsrot##v2(handle, n, x, incx, y, incy, c, s);                             \
        if (type == CUDA_R_64F && letter == 'Z')                                                   \
            return cublasZdrot##v2(handle, n, x, incx, y, incy, c, s);                             \
        return refuse("cublasRotEx");                                                              \
    }                                                                                              \
    cublasStatus_t cublasRotmEx##v1(cublasHandle_t handle, I n, void *x, cudaDataType x_type,      \
                                    I incx, VECTOR_Y, I incy, const void *parameters,              \
                                    cudaDataType type, EXECUTION) {                                \
        switch (type == x_type ? letter_for(x_type, y_type, execution) : 0) {                      \
            CASE('S', cublasSrotm##v2(handle, n, x, incx, y, incy, parameters));                   \
            CASE('D', cublasDrotm##v2(handle, n, x, incx, y, incy, parameters));                   \
        }                                                                                          \
        return refuse("cublasRotmEx");                                                             \
    }
ALL(int, , _v2)
ALL(int64_t, _64, _v2_64)

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b, cudaDataType type, void *c,
                            void *s, cudaDataType factor_type, EXECUTION) {
    switch (letter_for(type, factor_type, execution)) {
        CASE('S', cublasSrotg_v2(handle, a, b, c, s));
        CASE('D', cublasDrotg_v2(handle, a, b, c, s));
    }
    return refuse("cublasRotgEx");
}

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1_type, void *d2,
                             cudaDataType d2_type, void *x1, cudaDataType x1_type, const void *y1,
                             cudaDataType y1_type, void *parameters, cudaDataType type, EXECUTION) {
    bool is_one = d1_type == type && d2_type == type && x1_type == type && y1_type == type;
    switch (is_one ? letter_for(type, type, execution) : 0) {
        CASE('S', cublasSrotmg_v2(handle, d1, d2, x1, y1, parameters));
        CASE('D', cublasDrotmg_v2(handle, d1, d2, x1, y1, parameters));
    }
    return refuse("cublasRotmgEx");
}
