// Updates of rank k, with one matrix and with two: both triangles, of which the other keeps what it
// has.
#include "blas.h"

static cublasHandle_t handle;

// alpha's type is A, beta's R. With one matrix, B is A.
template <class T, class A, class R, class Call>
static void update(const Call &call, cublasOperation_t transposed, bool is_of_two, int n, int k,
                   bool on_device) {
    bool is_hermitian = transposed == CUBLAS_OP_C;
    for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
        for (cublasOperation_t operation : {CUBLAS_OP_N, transposed}) {
            bool is_plain = operation == CUBLAS_OP_N;
            int ld = (is_plain ? n : k) + 1, ldc = n + 2;
            shared<T> a((size_t)ld * (is_plain ? k : n)), other(a.host.size());
            shared<T> c((size_t)ldc * n), &b = is_of_two ? other : a;
            shared<A> alpha(1);
            shared<R> beta(1);
            assign(alpha.host[0], {2, 1});
            assign(beta.host[0], -1);
            alpha.give();
            beta.give();
            cublasSetPointerMode(handle,
                                 on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
            CHECK(call(part, operation, n, k, on_device ? alpha.device : alpha.host.data(),
                       a.device, ld, b.device, on_device ? beta.device : beta.host.data(), c.device,
                       ldc));
            for (int j = 0; j < n; j++)
                for (int i = part == CUBLAS_FILL_MODE_LOWER ? j : 0;
                     i < (part == CUBLAS_FILL_MODE_LOWER ? n : j + 1); i++) {
                    number sum = 0;
                    for (int l = 0; l < k; l++) {
                        number x = a.at(is_plain ? i + (size_t)l * ld : l + (size_t)i * ld);
                        number y = b.at(is_plain ? j + (size_t)l * ld : l + (size_t)j * ld);
                        if (is_hermitian)
                            (is_plain ? y : x) = std::conj(is_plain ? y : x);
                        sum += x * y;
                    }
                    T &is = c.host[i + (size_t)j * ldc];
                    number x = value(alpha.host[0]) * sum - value(is);
                    assign(is, is_hermitian && i == j ? x.real() : x);
                }
            EXPECT(agree(c));
        }
}

#define ONE(function)                                                                              \
    [](auto part, auto operation, int n, int k, auto alpha, auto a, int ld, auto, auto beta,       \
       auto c,                                                                                     \
       int ldc) { return function(handle, part, operation, n, k, alpha, a, ld, beta, c, ldc); }
#define TWO(function)                                                                              \
    [](auto part, auto operation, int n, int k, auto alpha, auto a, int ld, auto b, auto beta,     \
       auto c, int ldc) {                                                                          \
        return function(handle, part, operation, n, k, alpha, a, ld, b, ld, beta, c, ldc);         \
    }
#define EX(function)                                                                               \
    [](auto part, auto operation, int n, int k, auto alpha, auto a, int ld, auto, auto beta,       \
       auto c, int ldc) {                                                                          \
        return function(handle, part, operation, n, k, alpha, a, CUDA_C_32F, ld, beta, c,          \
                        CUDA_C_32F, ldc);                                                          \
    }

int main() {
    typedef cuComplex C;
    typedef cuDoubleComplex Z;
    const cublasOperation_t t = CUBLAS_OP_T, h = CUBLAS_OP_C;
    CHECK(cublasCreate(&handle));
    for (int n : {1, 40, 300}) {
        bool on_device = n == 40;
        update<float, float, float>(ONE(cublasSsyrk), t, false, n, 7, on_device);
        update<double, double, double>(ONE(cublasDsyrk), t, false, n, 7, on_device);
        update<C, C, C>(ONE(cublasCsyrk), t, false, n, 7, on_device);
        update<Z, Z, Z>(ONE(cublasZsyrk), t, false, n, 7, on_device);
        update<C, float, float>(ONE(cublasCherk), h, false, n, 7, on_device);
        update<Z, double, double>(ONE(cublasZherk), h, false, n, 7, on_device);
        update<float, float, float>(TWO(cublasSsyrkx), t, true, n, 7, on_device);
        update<double, double, double>(TWO(cublasDsyrkx), t, true, n, 7, on_device);
        update<C, C, C>(TWO(cublasCsyrkx), t, true, n, 7, on_device);
        update<Z, Z, Z>(TWO(cublasZsyrkx_64), t, true, n, 7, on_device);
        update<C, C, float>(TWO(cublasCherkx), h, true, n, 7, on_device);
        update<Z, Z, double>(TWO(cublasZherkx), h, true, n, 7, on_device);
        update<Z, Z, double>(TWO(cublasZherkx), h, false, n, 7, on_device); // B is A
    }
    update<C, C, C>(EX(cublasCsyrkEx), t, false, 20, 3, false);
    update<C, C, C>(EX(cublasCsyrk3mEx), t, false, 20, 3, false);
    update<C, float, float>(EX(cublasCherkEx), h, false, 20, 3, false);
    update<C, float, float>(EX(cublasCherk3mEx), h, false, 20, 3, false);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    float one = 1, *none = nullptr;
    EXPECT(cublasSsyrk(handle, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, 1, 1, &one, none, 1, &one, none,
                       1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSsyrkx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 1, &one, none, 3, none, 2,
                        &one, none, 3) == CUBLAS_STATUS_INVALID_VALUE);
    C complex = {1, 0};
    EXPECT(cublasCsyrkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 1, 1, &complex, none,
                         CUDA_C_8I, 1, &complex, none, CUDA_C_32F,
                         1) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasDestroy(handle));
    return 0;
}
