// Copies of vectors and matrices between host and device.
#include "blas.h"

// `count` pieces of `width` bytes each, which lie at the two distances.
static cublasStatus_t copy(void *to, int64_t to_step, const void *from, int64_t from_step,
                           int64_t width, int64_t count, enum cudaMemcpyKind kind,
                           const cudaStream_t *stream) {
    if (width == 0 || count == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!to || !from)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (to_step == width && from_step == width) {
        to_step = from_step = width *= count;
        count = 1;
    }
    size_t pitches[] = {(size_t)to_step, (size_t)from_step}, w = (size_t)width, h = (size_t)count;
    cudaError_t error =
        stream ? cudaMemcpy2DAsync(to, pitches[0], from, pitches[1], w, h, kind, *stream)
               : cudaMemcpy2D(to, pitches[0], from, pitches[1], w, h, kind);
    if (error == cudaErrorMemoryAllocation || !error)
        return gcl_blas_status(error);
    return CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_vector(int64_t n, int64_t size, const void *x, int64_t x_step, void *y,
                                  int64_t y_step, enum cudaMemcpyKind kind,
                                  const cudaStream_t *stream) {
    if (n < 0 || size <= 0 || x_step <= 0 || y_step <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return copy(y, y_step * size, x, x_step * size, size, n, kind, stream);
}

static cublasStatus_t copy_matrix(int64_t rows, int64_t columns, int64_t size, const void *a,
                                  int64_t lda, void *b, int64_t ldb, enum cudaMemcpyKind kind,
                                  const cudaStream_t *stream) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return copy(b, ldb * size, a, lda * size, rows * size, columns, kind, stream);
}

#define COPIES(I, v1, direction, kind)                                                             \
    cublasStatus_t cublas##direction##Vector##v1(I n, I size, const void *x, I x_step, void *y,    \
                                                 I y_step) {                                       \
        return copy_vector(n, size, x, x_step, y, y_step, kind, NULL);                             \
    }                                                                                              \
    cublasStatus_t cublas##direction##VectorAsync##v1(I n, I size, const void *x, I x_step,        \
                                                      void *y, I y_step, cudaStream_t stream) {    \
        return copy_vector(n, size, x, x_step, y, y_step, kind, &stream);                          \
    }                                                                                              \
    cublasStatus_t cublas##direction##Matrix##v1(I rows, I columns, I size, const void *a, I lda,  \
                                                 void *b, I ldb) {                                 \
        return copy_matrix(rows, columns, size, a, lda, b, ldb, kind, NULL);                       \
    }                                                                                              \
    cublasStatus_t cublas##direction##MatrixAsync##v1(                                             \
        I rows, I columns, I size, const void *a, I lda, void *b, I ldb, cudaStream_t stream) {    \
        return copy_matrix(rows, columns, size, a, lda, b, ldb, kind, &stream);                    \
    }
COPIES(int, , Set, cudaMemcpyHostToDevice)
COPIES(int, , Get, cudaMemcpyDeviceToHost)
COPIES(int64_t, _64, Set, cudaMemcpyHostToDevice)
COPIES(int64_t, _64, Get, cudaMemcpyDeviceToHost)
