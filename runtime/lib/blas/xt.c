// cuBLASXt: cuBLAS' routines on matrices in host or device memory. Those in host memory are copied
// to the device and back; how blocks and devices are chosen is the runtime's, so that these
// settings are kept for who asks for them, and nothing more.
#include <cublasXt.h>
#include <stdlib.h>

#include "blas.h"

struct cublasXtContext {
    cublasHandle_t blas;
    int block;
    cublasXtPinnedMemMode_t pinning;
};

enum { BLOCK = 2048 }; // what is in use until a program sets another

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasXtHandle_t created = calloc(1, sizeof *created);
    if (!created)
        return CUBLAS_STATUS_ALLOC_FAILED;
    created->block = BLOCK;
    cublasStatus_t status = cublasCreate_v2(&created->blas);
    if (status == CUBLAS_STATUS_SUCCESS)
        *handle = created;
    else
        free(created);
    return status;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasStatus_t status = cublasDestroy_v2(handle->blas);
    free(handle);
    return status;
}

cublasStatus_t cublasXtMaxBoards(int *count) {
    return count ? gcl_blas_status(cudaGetDeviceCount(count)) : CUBLAS_STATUS_INVALID_VALUE;
}

// Whether there are these devices.
static cublasStatus_t check_devices(int count, const int *devices) {
    int present = 0;
    cudaError_t error = cudaGetDeviceCount(&present);
    if (error)
        return gcl_blas_status(error);
    bool is_valid = count > 0 && devices;
    for (int i = 0; i < count && is_valid; i++)
        is_valid = devices[i] >= 0 && devices[i] < present;
    return is_valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtGetNumBoards(int count, int *devices, int *boards) {
    cublasStatus_t status = boards ? check_devices(count, devices) : CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *boards = count;
    return status;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int *devices) {
    return handle ? check_devices(count, devices) : CUBLAS_STATUS_NOT_INITIALIZED;
}

static cublasStatus_t check_routine(cublasXtHandle_t handle, cublasXtBlasOp_t routine,
                                    cublasXtOpType_t type) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return (unsigned)routine < CUBLASXT_ROUTINE_MAX && (unsigned)type <= CUBLASXT_DOUBLECOMPLEX
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t routine,
                                     cublasXtOpType_t type, void *function) {
    (void)function;
    return check_routine(handle, routine, type);
}

cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t routine,
                                   cublasXtOpType_t type, float ratio) {
    cublasStatus_t status = check_routine(handle, routine, type);
    return status || (ratio >= 0 && ratio <= 1) ? status : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (size <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->block = size;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *size) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!size)
        return CUBLAS_STATUS_INVALID_VALUE;
    *size = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((unsigned)mode > CUBLASXT_PINNING_ENABLED)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!mode)
        return CUBLAS_STATUS_INVALID_VALUE;
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

// A routine's matrices: where the program has them, and where the device does.

struct matrix {
    void *at, *device;
    size_t rows, columns;
    size_t leading; ///< in the program's memory
    bool is_result, is_copy;
};

static struct matrix matrix(const void *at, size_t rows, size_t columns, size_t leading,
                            bool is_result) {
    return (struct matrix){(void *)(uintptr_t)at, NULL, rows, columns, leading, is_result, false};
}

static cudaError_t lend(struct matrix *m, size_t size) {
    struct cudaPointerAttributes attributes;
    cudaError_t error = cudaPointerGetAttributes(&attributes, m->at);
    if (error || m->rows == 0 || m->columns == 0 || attributes.type == cudaMemoryTypeDevice ||
        attributes.type == cudaMemoryTypeManaged) {
        m->device = m->at;
        return error;
    }
    error = cudaMalloc(&m->device, m->rows * m->columns * size);
    m->is_copy = !error;
    return error ? error
                 : cudaMemcpy2D(m->device, m->rows * size, m->at, m->leading * size, m->rows * size,
                                m->columns, cudaMemcpyHostToDevice);
}

static cublasStatus_t begin(cublasXtHandle_t handle, struct matrix *matrices, unsigned count,
                            size_t size) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaError_t error = cudaSuccess;
    for (unsigned i = 0; i < count && !error; i++) {
        struct matrix *m = &matrices[i];
        if (m->leading > INT64_MAX || m->leading < (m->rows > 1 ? m->rows : 1))
            return CUBLAS_STATUS_INVALID_VALUE;
        error = lend(m, size);
    }
    return gcl_blas_status(error);
}

// Waits for the routine, whose status is given, and brings its result home.
static cublasStatus_t end(struct matrix *matrices, unsigned count, size_t size,
                          cublasStatus_t status) {
    cudaError_t error = cudaDeviceSynchronize();
    for (unsigned i = 0; i < count; i++) {
        struct matrix *m = &matrices[i];
        if (!m->is_copy)
            continue;
        if (m->is_result && status == CUBLAS_STATUS_SUCCESS && !error)
            error = cudaMemcpy2D(m->at, m->leading * size, m->device, m->rows * size,
                                 m->rows * size, m->columns, cudaMemcpyDeviceToHost);
        cudaFree(m->device);
    }
    return status == CUBLAS_STATUS_SUCCESS ? gcl_blas_status(error) : status;
}

// A packed matrix of `order` rows, whole in memory of the device's. Freed by the caller.
static cublasStatus_t unpack(cublasXtHandle_t handle, size_t order, size_t size, void **whole) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (order > INT32_MAX)
        return gcl_blas_refuse("cublasXtSpmm", "matrices have at most 2^31 - 1 rows");
    return gcl_blas_status(cudaMalloc(whole, order * order * size));
}

// Entry points. L(i): the i-th matrix and its leading dimension, as cuBLAS has them.

#define L(i)                                                                                       \
    matrices[i].device, (int64_t)(matrices[i].is_copy ? matrices[i].rows : matrices[i].leading)
#define RUN(T, count, call)                                                                        \
    cublasStatus_t status = begin(handle, matrices, count, sizeof(T));                             \
    if (status == CUBLAS_STATUS_SUCCESS)                                                           \
        status = call;                                                                             \
    return end(matrices, count, sizeof(T), status)
#define GEMM(p, T)                                                                                 \
    cublasStatus_t cublasXt##p##gemm(cublasXtHandle_t handle, cublasOperation_t op_a,              \
                                     cublasOperation_t op_b, size_t m, size_t n, size_t k,         \
                                     const T *alpha, const T *a, size_t lda, const T *b,           \
                                     size_t ldb, const T *beta, T *c, size_t ldc) {                \
        bool is_a = op_a == CUBLAS_OP_N, is_b = op_b == CUBLAS_OP_N;                               \
        struct matrix matrices[] = {matrix(a, is_a ? m : k, is_a ? k : m, lda, false),             \
                                    matrix(b, is_b ? k : n, is_b ? n : k, ldb, false),             \
                                    matrix(c, m, n, ldc, true)};                                   \
        RUN(T, 3,                                                                                  \
            cublas##p##gemm_v2_64(handle->blas, op_a, op_b, (int64_t)m, (int64_t)n, (int64_t)k,    \
                                  alpha, L(0), L(1), beta, L(2)));                                 \
    }
// Updates of rank k of one matrix, and of two.
#define UPDATE(name, routine, T, R)                                                                \
    cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t part,                  \
                                  cublasOperation_t operation, size_t n, size_t k, const R *alpha, \
                                  const T *a, size_t lda, const R *beta, T *c, size_t ldc) {       \
        bool is_plain = operation == CUBLAS_OP_N;                                                  \
        struct matrix matrices[] = {matrix(a, is_plain ? n : k, is_plain ? k : n, lda, false),     \
                                    matrix(c, n, n, ldc, true)};                                   \
        RUN(T, 2,                                                                                  \
            routine(handle->blas, part, operation, (int64_t)n, (int64_t)k, alpha, L(0), beta,      \
                    L(1)));                                                                        \
    }
#define UPDATE_OF_TWO(name, routine, T, R)                                                         \
    cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t part,                  \
                                  cublasOperation_t operation, size_t n, size_t k, const T *alpha, \
                                  const T *a, size_t lda, const T *b, size_t ldb, const R *beta,   \
                                  T *c, size_t ldc) {                                              \
        bool is_plain = operation == CUBLAS_OP_N;                                                  \
        struct matrix matrices[] = {matrix(a, is_plain ? n : k, is_plain ? k : n, lda, false),     \
                                    matrix(b, is_plain ? n : k, is_plain ? k : n, ldb, false),     \
                                    matrix(c, n, n, ldc, true)};                                   \
        RUN(T, 3,                                                                                  \
            routine(handle->blas, part, operation, (int64_t)n, (int64_t)k, alpha, L(0), L(1),      \
                    beta, L(2)));                                                                  \
    }
#define SYMMETRIC(name, routine, T)                                                                \
    cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasSideMode_t side,                  \
                                  cublasFillMode_t part, size_t m, size_t n, const T *alpha,       \
                                  const T *a, size_t lda, const T *b, size_t ldb, const T *beta,   \
                                  T *c, size_t ldc) {                                              \
        size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                           \
        struct matrix matrices[] = {matrix(a, order, order, lda, false),                           \
                                    matrix(b, m, n, ldb, false), matrix(c, m, n, ldc, true)};      \
        RUN(T, 3,                                                                                  \
            routine(handle->blas, side, part, (int64_t)m, (int64_t)n, alpha, L(0), L(1), beta,     \
                    L(2)));                                                                        \
    }
#define PACKED(p, T)                                                                               \
    static cublasStatus_t unpack_##p(cublasXtHandle_t handle, cublasFillMode_t part, size_t order, \
                                     const T *packed, T *whole) {                                  \
        size_t count = order * (order + 1) / 2;                                                    \
        struct matrix matrices[] = {matrix(packed, count, 1, count, false)};                       \
        RUN(T, 1,                                                                                  \
            cublas##p##tpttr(handle->blas, part, (int)order, matrices[0].device, whole,            \
                             (int)order));                                                         \
    }                                                                                              \
    cublasStatus_t cublasXt##p##spmm(cublasXtHandle_t handle, cublasSideMode_t side,               \
                                     cublasFillMode_t part, size_t m, size_t n, const T *alpha,    \
                                     const T *packed, const T *b, size_t ldb, const T *beta, T *c, \
                                     size_t ldc) {                                                 \
        size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                           \
        void *whole = NULL;                                                                        \
        if (m == 0 || n == 0)                                                                      \
            return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;                 \
        cublasStatus_t status = unpack(handle, order, sizeof(T), &whole);                          \
        if (status == CUBLAS_STATUS_SUCCESS)                                                       \
            status = unpack_##p(handle, part, order, packed, whole);                               \
        if (status == CUBLAS_STATUS_SUCCESS)                                                       \
            status = cublasXt##p##symm(handle, side, part, m, n, alpha, whole, order, b, ldb,      \
                                       beta, c, ldc);                                              \
        cudaFree(whole);                                                                           \
        return status;                                                                             \
    }
#define TRIANGULAR(p, T)                                                                           \
    cublasStatus_t cublasXt##p##trsm(cublasXtHandle_t handle, cublasSideMode_t side,               \
                                     cublasFillMode_t part, cublasOperation_t operation,           \
                                     cublasDiagType_t diagonal, size_t m, size_t n,                \
                                     const T *alpha, const T *a, size_t lda, T *b, size_t ldb) {   \
        size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                           \
        struct matrix matrices[] = {matrix(a, order, order, lda, false),                           \
                                    matrix(b, m, n, ldb, true)};                                   \
        RUN(T, 2,                                                                                  \
            cublas##p##trsm_v2_64(handle->blas, side, part, operation, diagonal, (int64_t)m,       \
                                  (int64_t)n, alpha, L(0), L(1)));                                 \
    }                                                                                              \
    cublasStatus_t cublasXt##p##trmm(                                                              \
        cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t part,                     \
        cublasOperation_t operation, cublasDiagType_t diagonal, size_t m, size_t n,                \
        const T *alpha, const T *a, size_t lda, const T *b, size_t ldb, T *c, size_t ldc) {        \
        size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                                           \
        struct matrix matrices[] = {matrix(a, order, order, lda, false),                           \
                                    matrix(b, m, n, ldb, false), matrix(c, m, n, ldc, true)};      \
        RUN(T, 3,                                                                                  \
            cublas##p##trmm_v2_64(handle->blas, side, part, operation, diagonal, (int64_t)m,       \
                                  (int64_t)n, alpha, L(0), L(1), L(2)));                           \
    }
#define TYPED(p, T)                                                                                \
    GEMM(p, T)                                                                                     \
    UPDATE(p##syrk, cublas##p##syrk_v2_64, T, T)                                                   \
    UPDATE_OF_TWO(p##syrkx, cublas##p##syrkx_64, T, T)                                             \
    UPDATE_OF_TWO(p##syr2k, cublas##p##syr2k_v2_64, T, T)                                          \
    SYMMETRIC(p##symm, cublas##p##symm_v2_64, T)                                                   \
    PACKED(p, T)                                                                                   \
    TRIANGULAR(p, T)
#define COMPLEX(p, T, R)                                                                           \
    UPDATE(p##herk, cublas##p##herk_v2_64, T, R)                                                   \
    UPDATE_OF_TWO(p##herkx, cublas##p##herkx_64, T, R)                                             \
    UPDATE_OF_TWO(p##her2k, cublas##p##her2k_v2_64, T, R)                                          \
    SYMMETRIC(p##hemm, cublas##p##hemm_v2_64, T)
TYPED(S, float)
TYPED(D, double)
TYPED(C, cuComplex)
TYPED(Z, cuDoubleComplex)
COMPLEX(C, cuComplex, float)
COMPLEX(Z, cuDoubleComplex, double)
