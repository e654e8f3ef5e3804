// A library for tests in place of NVIDIA's cuBLAS: products of floats, doubles and complex numbers
// as the definition has them, on the host, of memory of the test driver's GPU. Says what it does.
#include <complex.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cublas_api.h>

// libgcluster has the driver's functions, too.
static struct {
    int (*wait)(cudaStream_t stream);
    int (*fetch)(void *host, uintptr_t device, size_t size);
    int (*send)(uintptr_t device, const void *host, size_t size);
} driver;

static struct {
    cudaStream_t stream;
    cublasPointerMode_t mode;
} state;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    *handle = (cublasHandle_t)&state;
    driver.wait = (int (*)(cudaStream_t))dlsym(library, "cuStreamSynchronize");
    driver.fetch = (int (*)(void *, uintptr_t, size_t))dlsym(library, "cuMemcpyDtoH_v2");
    driver.send = (int (*)(uintptr_t, const void *, size_t))dlsym(library, "cuMemcpyHtoD_v2");
    return driver.wait && driver.fetch && driver.send ? CUBLAS_STATUS_SUCCESS
                                                      : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    (void)handle;
    state.stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    (void)handle;
    state.mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

// Numbers.

static size_t size_of(cudaDataType type) {
    switch (type) {
    case CUDA_R_32F:
        return sizeof(float);
    case CUDA_R_64F:
        return sizeof(double);
    case CUDA_C_32F:
        return sizeof(float complex);
    case CUDA_C_64F:
        return sizeof(double complex);
    default:
        return 0;
    }
}

static double complex load(const void *from, int64_t index, cudaDataType type) {
    switch (type) {
    case CUDA_R_32F:
        return ((const float *)from)[index];
    case CUDA_R_64F:
        return ((const double *)from)[index];
    case CUDA_C_32F:
        return ((const float complex *)from)[index];
    default:
        return ((const double complex *)from)[index];
    }
}

static void store(void *to, int64_t index, cudaDataType type, double complex value) {
    switch (type) {
    case CUDA_R_32F:
        ((float *)to)[index] = (float)creal(value);
        break;
    case CUDA_R_64F:
        ((double *)to)[index] = creal(value);
        break;
    case CUDA_C_32F:
        ((float complex *)to)[index] = (float complex)value;
        break;
    default:
        ((double complex *)to)[index] = value;
    }
}

static double complex scalar(const void *at, cudaDataType type) {
    double complex copy;
    if (state.mode == CUBLAS_POINTER_MODE_HOST)
        return load(at, 0, type);
    driver.fetch(&copy, (uintptr_t)at, size_of(type));
    return load(&copy, 0, type);
}

// Matrices.

struct matrix {
    cudaDataType type;
    cublasOperation_t operation;
    int64_t rows, columns, leading; ///< as it lies
    uintptr_t at;
    void *copy;
};

static size_t span(const struct matrix *m) {
    return m->rows && m->columns
               ? (size_t)((m->columns - 1) * m->leading + m->rows) * size_of(m->type)
               : 0;
}

static void fetch(struct matrix *m, const void *at, int64_t element) {
    m->at = (uintptr_t)at + (uintptr_t)element * size_of(m->type);
    m->copy = malloc(span(m) + 1);
    if (span(m))
        driver.fetch(m->copy, m->at, span(m));
}

static double complex element(const struct matrix *m, int64_t i, int64_t j) {
    bool is_plain = m->operation == CUBLAS_OP_N;
    double complex value =
        load(m->copy, is_plain ? i + j * m->leading : j + i * m->leading, m->type);
    return m->operation == CUBLAS_OP_C ? conj(value) : value;
}

static void multiply(const struct matrix *a, const struct matrix *b, struct matrix *c, int64_t k,
                     double complex alpha, double complex beta) {
    for (int64_t j = 0; j < c->columns; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            double complex sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += element(a, i, l) * element(b, l, j);
            sum *= alpha;
            if (beta != 0)
                sum += beta * element(c, i, j);
            store(c->copy, i + j * c->leading, c->type, sum);
        }
    driver.send(c->at, c->copy, span(c));
}

cublasStatus_t cublasGemmStridedBatchedEx_64(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const void *alpha, const void *A, cudaDataType at, int64_t lda, long long stride_a,
    const void *B, cudaDataType bt, int64_t ldb, long long stride_b, const void *beta, void *C,
    cudaDataType ct, int64_t ldc, long long stride_c, int64_t count, cublasComputeType_t compute,
    cublasGemmAlgo_t algorithm) {
    (void)handle, (void)compute, (void)algorithm;
    bool a_lies = transa == CUBLAS_OP_N, b_lies = transb == CUBLAS_OP_N;
    if (!size_of(at) || at != bt || at != ct)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    driver.wait(state.stream);
    for (int64_t i = 0; i < count; i++) {
        struct matrix a = {.type = at,
                           .operation = transa,
                           .rows = a_lies ? m : k,
                           .columns = a_lies ? k : m,
                           .leading = lda};
        struct matrix b = {.type = bt,
                           .operation = transb,
                           .rows = b_lies ? k : n,
                           .columns = b_lies ? n : k,
                           .leading = ldb};
        struct matrix c = {
            .type = ct, .operation = CUBLAS_OP_N, .rows = m, .columns = n, .leading = ldc};
        fetch(&a, A, i * stride_a);
        fetch(&b, B, i * stride_b);
        fetch(&c, C, i * stride_c);
        multiply(&a, &b, &c, k, scalar(alpha, at), scalar(beta, at));
        free(a.copy), free(b.copy), free(c.copy);
        fprintf(stderr, "vendor: %d x %d product\n", (int)m, (int)n);
    }
    return CUBLAS_STATUS_SUCCESS;
}

// A system, of those that one node solves.
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t part,
                              cublasOperation_t operation, cublasDiagType_t diagonal, int n,
                              const double *A, int lda, double *x, int incx) {
    (void)handle;
    if (operation != CUBLAS_OP_N || part != CUBLAS_FILL_MODE_LOWER || incx != 1)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    struct matrix a = {
        .type = CUDA_R_64F, .operation = operation, .rows = n, .columns = n, .leading = lda};
    struct matrix b = {
        .type = CUDA_R_64F, .operation = operation, .rows = n, .columns = 1, .leading = n};
    driver.wait(state.stream);
    fetch(&a, A, 0);
    fetch(&b, x, 0);
    for (int i = 0; i < n; i++) {
        double complex sum = element(&b, i, 0);
        for (int j = 0; j < i; j++)
            sum -= element(&a, i, j) * element(&b, j, 0);
        store(b.copy, i, b.type, diagonal == CUBLAS_DIAG_UNIT ? sum : sum / element(&a, i, i));
    }
    driver.send(b.at, b.copy, span(&b));
    free(a.copy), free(b.copy);
    fprintf(stderr, "vendor: system of %d\n", n);
    return CUBLAS_STATUS_SUCCESS;
}
