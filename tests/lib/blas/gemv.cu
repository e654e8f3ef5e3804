// Products of matrices and vectors: all types, transposes and steps.
#include "blas.h"

static cublasHandle_t handle;

static size_t place(int i, int n, int step) {
    return step < 0 ? (size_t)(n - 1 - i) * -step : (size_t)i * step;
}

template <class T>
using gemv = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, int, int, const T *, const T *,
                                int, const T *, int, const T *, T *, int);

template <class T>
static void one(gemv<T> call, cublasOperation_t operation, int m, int n, int incx, int incy,
                number alpha, number beta) {
    bool is_plain = operation == CUBLAS_OP_N;
    int lda = m + 1, terms = is_plain ? n : m, results = is_plain ? m : n;
    shared<T> a((size_t)lda * n), x((size_t)terms * abs(incx)), y((size_t)results * abs(incy));
    T al, be;
    assign(al, alpha);
    assign(be, beta);
    CHECK(call(handle, operation, m, n, &al, a.device, lda, x.device, incx, &be, y.device, incy));
    for (int i = 0; i < results; i++) {
        number sum = 0;
        for (int l = 0; l < terms; l++) {
            number e = a.at(is_plain ? i + (size_t)l * lda : l + (size_t)i * lda);
            sum += (operation == CUBLAS_OP_C ? std::conj(e) : e) * x.at(place(l, terms, incx));
        }
        T &is = y.host[place(i, results, incy)];
        assign(is, alpha * sum + (beta == 0.0 ? 0.0 : beta * value(is)));
    }
    EXPECT(agree(y));
}

template <class T> static void all(gemv<T> call) {
    for (cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        one(call, operation, 1, 1, 1, 1, 2, 3);
        one(call, operation, 2, 7, 1, 1, 2, 3); // two rows, as none read beyond them
        one(call, operation, 37, 6, 2, 3, -1, 2);
        one(call, operation, 6, 37, -2, 1, 2, 0);
        one(call, operation, 10, 9, 1, -3, 0, 2);
        one(call, operation, 1030, 300, 1, 1, 1, 1);
        one(call, operation, 300, 1030, 1, -1, 1, 0);
    }
}

static void batches() {
    enum { M = 9, N = 7, COUNT = 5 };
    shared<double> a(M * N * COUNT), x(N * COUNT), y(M * COUNT);
    double alpha = 2, beta = -1;
    CHECK(cublasDgemvStridedBatched(handle, CUBLAS_OP_N, M, N, &alpha, a.device, M, M * N, x.device,
                                    1, N, &beta, y.device, 1, M, COUNT));
    for (int b = 0; b < COUNT; b++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int l = 0; l < N; l++)
                sum += a.host[b * M * N + i + l * M] * x.host[b * N + l];
            y.host[b * M + i] = 2 * sum - y.host[b * M + i];
        }
    EXPECT(agree(y));
    double *host[3 * COUNT], **device;
    for (int b = 0; b < COUNT; b++) {
        host[b] = a.device + b * M * N;
        host[COUNT + b] = x.device + b * N;
        host[2 * COUNT + b] = y.device + b * M;
    }
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cublasDgemvBatched(handle, CUBLAS_OP_N, M, N, &alpha, device, M, device + COUNT, 1, &beta,
                             device + 2 * COUNT, 1, COUNT));
    for (int b = 0; b < COUNT; b++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int l = 0; l < N; l++)
                sum += a.host[b * M * N + i + l * M] * x.host[b * N + l];
            y.host[b * M + i] = 2 * sum - y.host[b * M + i];
        }
    EXPECT(agree(y));
    CHECK(cudaFree(device));
}

int main() {
    CHECK(cublasCreate(&handle));
    all(cublasSgemv);
    all(cublasDgemv);
    all(cublasCgemv);
    all(cublasZgemv);
    batches();
    float one = 1, *none = nullptr;
    EXPECT(cublasSgemv(handle, CUBLAS_OP_N, 1, 1, &one, none, 1, none, 0, &one, none, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasDestroy(handle));
    return 0;
}
