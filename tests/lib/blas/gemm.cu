// Products of all types, transposed or not, at any leading dimension, strided and scattered, and
// with scalars in device memory.
#include "blas.h"

struct shape {
    int m, n, k, batches;
};

static cublasHandle_t handle;

// Element (i, j) of op(A).
template <class T>
static number element(const shared<T> &a, cublasOperation_t operation, size_t begin, int leading,
                      int i, int j) {
    number x = a.at(begin +
                    (operation == CUBLAS_OP_N ? i + (size_t)j * leading : j + (size_t)i * leading));
    return operation == CUBLAS_OP_C ? std::conj(x) : x;
}

// A product as it should be, of matrices that `gap` elements lie between.
template <class In, class Out> struct product {
    shape s;
    cublasOperation_t transa, transb;
    int lda, ldb, ldc;
    long long stride_a, stride_b, stride_c;
    shared<In> a, b;
    shared<Out> c;

    product(const shape &of, cublasOperation_t ta, cublasOperation_t tb, int gap)
        : s(of), transa(ta), transb(tb), lda((ta == CUBLAS_OP_N ? of.m : of.k) + gap),
          ldb((tb == CUBLAS_OP_N ? of.k : of.n) + gap), ldc(of.m + gap),
          stride_a((long long)lda * (ta == CUBLAS_OP_N ? of.k : of.m) + gap),
          stride_b((long long)ldb * (tb == CUBLAS_OP_N ? of.n : of.k) + gap),
          stride_c((long long)ldc * of.n + gap), a(stride_a * of.batches + 1),
          b(stride_b * of.batches + 1), c(stride_c * of.batches + 1) {
    }

    void expect(number alpha, number beta) {
        for (int l = 0; l < s.batches; l++)
            for (int j = 0; j < s.n; j++)
                for (int i = 0; i < s.m; i++) {
                    number sum = 0;
                    for (int k = 0; k < s.k; k++)
                        sum += element(a, transa, l * stride_a, lda, i, k) *
                               element(b, transb, l * stride_b, ldb, k, j);
                    Out &at = c.host[l * stride_c + j * (size_t)ldc + i];
                    assign(at, alpha * sum + (beta == 0.0 ? 0.0 : beta * value(at)));
                }
    }
};

template <class T>
using gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                const T *, const T *, int, const T *, int, const T *, T *, int);
template <class T>
using strided = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                   int, const T *, const T *, int, long long, const T *, int,
                                   long long, const T *, T *, int, long long, int);
template <class T>
using batched = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                   int, const T *, const T *const *, int, const T *const *, int,
                                   const T *, T *const *, int, int);

template <class T> static void one(gemm<T> call, product<T, T> &&p, number alpha, number beta) {
    T al, be;
    assign(al, alpha);
    assign(be, beta);
    CHECK(call(handle, p.transa, p.transb, p.s.m, p.s.n, p.s.k, &al, p.a.device, p.lda, p.b.device,
               p.ldb, &be, p.c.device, p.ldc));
    p.expect(alpha, beta);
    EXPECT(agree(p.c));
}

template <class T> static void all_transposes(gemm<T> call, bool is_complex) {
    number alpha(3, is_complex ? -2 : 0), beta(-2, is_complex ? 1 : 0);
    cublasOperation_t all[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (cublasOperation_t ta : all)
        for (cublasOperation_t tb : all) {
            one(call, product<T, T>({19, 23, 7, 1}, ta, tb, 0), alpha, beta);
            one(call, product<T, T>({141, 130, 5, 1}, ta, tb, 3), alpha, beta);
            one(call, product<T, T>({1, 9, 1, 1}, ta, tb, 0), alpha, 0);
            one(call, product<T, T>({9, 1, 1, 1}, ta, tb, 0), 1, beta);
            one(call, product<T, T>({9, 5, 0, 1}, ta, tb, 2), 1, beta);
        }
    one(call, product<T, T>({33, 5, 4, 1}, CUBLAS_OP_N, CUBLAS_OP_N, 1), 0, beta);
    one(call, product<T, T>({33, 5, 4, 1}, CUBLAS_OP_N, CUBLAS_OP_N, 1), alpha, 1);
    one(call, product<T, T>({0, 5, 4, 1}, CUBLAS_OP_N, CUBLAS_OP_N, 1), alpha, 1);
    one(call, product<T, T>({600, 520, 3, 1}, CUBLAS_OP_N, CUBLAS_OP_T, 1), alpha, beta);
    one(call, product<T, T>({1100, 1030, 2, 1}, CUBLAS_OP_T, CUBLAS_OP_N, 1), alpha, beta);
}

// What lies in C doesn't matter where beta is 0.
static void overwritten() {
    product<float, float> p({40, 30, 20, 1}, CUBLAS_OP_N, CUBLAS_OP_N, 0);
    for (float &x : p.c.host)
        x = NAN;
    p.c.give();
    float one = 1, zero = 0;
    CHECK(cublasSgemm(handle, p.transa, p.transb, 40, 30, 20, &one, p.a.device, p.lda, p.b.device,
                      p.ldb, &zero, p.c.device, p.ldc));
    p.expect(1, 0);
    EXPECT(agree(p.c));
}

template <class T> static void batches(strided<T> call, batched<T> scattered, double error = 0) {
    T alpha, beta;
    assign(alpha, 2);
    assign(beta, -1);
    for (int gap = 0; gap < 2; gap++) {
        for (bool is_scattered : {false, true}) {
            product<T, T> p({17, 12, 9, 7}, gap ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, gap);
            shared<T *> pointers(3 * p.s.batches);
            for (int i = 0; i < p.s.batches; i++) {
                pointers.host[i] = p.a.device + i * p.stride_a;
                pointers.host[p.s.batches + i] = p.b.device + i * p.stride_b;
                pointers.host[2 * p.s.batches + i] = p.c.device + i * p.stride_c;
            }
            pointers.give();
            if (is_scattered)
                CHECK(scattered(handle, p.transa, p.transb, p.s.m, p.s.n, p.s.k, &alpha,
                                pointers.device, p.lda, pointers.device + p.s.batches, p.ldb, &beta,
                                pointers.device + 2 * p.s.batches, p.ldc, p.s.batches));
            else
                CHECK(call(handle, p.transa, p.transb, p.s.m, p.s.n, p.s.k, &alpha, p.a.device,
                           p.lda, p.stride_a, p.b.device, p.ldb, p.stride_b, &beta, p.c.device,
                           p.ldc, p.stride_c, p.s.batches));
            p.expect(2, -1);
            EXPECT(agree(p.c, error));
        }
    }
}

template <> shared<float *>::shared(size_t count, bool) : host(count) {
    CHECK(cudaMalloc(&device, count * sizeof(float *)));
}
template <> shared<__half *>::shared(size_t count, bool) : host(count) {
    CHECK(cudaMalloc(&device, count * sizeof(__half *)));
}
template <> shared<cuDoubleComplex *>::shared(size_t count, bool) : host(count) {
    CHECK(cudaMalloc(&device, count * sizeof(cuDoubleComplex *)));
}

template <class In, class Out, class Scale>
static void mixed(cudaDataType in, cudaDataType out, cublasComputeType_t compute, double error) {
    for (bool on_device : {false, true}) {
        for (cublasOperation_t transa : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            product<In, Out> p({33, 140, 1100, 2}, transa, CUBLAS_OP_T, 1);
            shared<Scale> scales(2);
            assign(scales.host[0], 3);
            assign(scales.host[1], -2);
            scales.give();
            cublasSetPointerMode(handle,
                                 on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
            Scale *at = on_device ? scales.device : scales.host.data();
            CHECK(cublasGemmStridedBatchedEx(
                handle, transa, CUBLAS_OP_T, p.s.m, p.s.n, p.s.k, at, p.a.device, in, p.lda,
                p.stride_a, p.b.device, in, p.ldb, p.stride_b, at + 1, p.c.device, out, p.ldc,
                p.stride_c, p.s.batches, compute, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
            p.expect(3, -2);
            EXPECT(agree(p.c, error));
        }
    }
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
}

static void errors() {
    float one = 1, *none = nullptr;
    EXPECT(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, none, 1, none, 1, &one,
                       none, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, none, 1, none, 1, &one,
                       none, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, &one, none, 3, none, 1, &one,
                       none, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(handle, (cublasOperation_t)7, CUBLAS_OP_N, 1, 1, 1, &one, none, 1, none, 1,
                       &one, none, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, 1, &one, none, 1, none, 1, &one,
                          none, 1) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, none, CUDA_R_16F, 1, none,
                        CUDA_R_16BF, 1, &one, none, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
}

int main() {
    CHECK(cublasCreate(&handle));
    all_transposes(cublasSgemm, false);
    all_transposes(cublasDgemm, false);
    all_transposes(cublasCgemm, true);
    all_transposes(cublasZgemm, true);
    overwritten();
    batches<float>(cublasSgemmStridedBatched, cublasSgemmBatched);
    batches<cuDoubleComplex>(cublasZgemmStridedBatched, cublasZgemmBatched);
    batches<__half>(cublasHgemmStridedBatched, cublasHgemmBatched, 1e-3);
    mixed<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 1e-3);
    mixed<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-6);
    mixed<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1e-2);
    mixed<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 1e-6);
    mixed<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 0);
    mixed<signed char, float, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0);
    errors();
    CHECK(cublasDestroy(handle));
    return 0;
}
