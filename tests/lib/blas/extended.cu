// Routines of vectors whose types are arguments, and numbers of 16 bits.
#include "blas.h"

static cublasHandle_t handle;

// T's sums are near what they are in R; scalars are S.
template <class T, class S, class R>
static void all(cudaDataType type, cudaDataType scalar, cudaDataType result, cudaDataType execution,
                double error) {
    int n = 3000;
    shared<T> x((size_t)n * 2), y(n);
    shared<R> sums(2);
    S alpha;
    assign(alpha, 3);
    number dot, square;
    for (int i = 0; i < n; i++) {
        dot += x.at(i * 2) * y.at(n - 1 - i);
        square += x.at(i * 2) * std::conj(x.at(i * 2));
    }
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    CHECK(cublasDotEx(handle, n, x.device, type, 2, y.device, type, -1, sums.device, result,
                      execution));
    CHECK(cublasNrm2Ex(handle, n, x.device, type, 2, sums.device + 1, result, execution));
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    R on_host;
    CHECK(
        cublasDotEx(handle, n, x.device, type, 2, y.device, type, -1, &on_host, result, execution));
    std::vector<R> taken = sums.take();
    EXPECT(value(taken[0]) == value(on_host));
    EXPECT(is_close(value(on_host), dot, error));
    EXPECT(is_close(value(taken[1]), std::sqrt(square.real()), error));

    CHECK(
        cublasAxpyEx(handle, n, &alpha, scalar, x.device, type, 2, y.device, type, -1, execution));
    CHECK(cublasScalEx(handle, n, &alpha, scalar, x.device, type, 2, execution));
    for (int i = 0; i < n; i++) {
        assign(y.host[n - 1 - i], 3.0 * x.at(i * 2) + y.at(n - 1 - i));
        assign(x.host[i * 2], 3.0 * x.at(i * 2));
    }
    EXPECT(agree(x) && agree(y));
    CHECK(cublasCopyEx(handle, n, x.device, type, 2, y.device, type, 1));
    for (int i = 0; i < n; i++)
        y.host[i] = x.host[i * 2];
    EXPECT(agree(y));
}

// Rotations do what those with a type's name do.
template <class T, class Rotate, class Modify, class Make, class MakeModified>
static void rotate(cudaDataType type, const Rotate &rotate, const Modify &modify, const Make &make,
                   const MakeModified &make_modified) {
    shared<T> x(12), y(12);
    T a = 3, b = 4, c, s, d1 = 1, d2 = 4, x1 = 2, y1 = 3, parameters[5];
    CHECK(cublasRotgEx(handle, &a, &b, type, &c, &s, type, type));
    CHECK(
        cublasRotmgEx(handle, &d1, type, &d2, type, &x1, type, &y1, type, parameters, type, type));
    T was[] = {a, b, c, s, d1, d2, x1}, as[] = {3, 4, 0, 0, 1, 4, 2}, by[5];
    CHECK(make(handle, as, as + 1, as + 2, as + 3));
    CHECK(make_modified(handle, as + 4, as + 5, as + 6, &y1, by));
    EXPECT(memcmp(was, as, sizeof was) == 0 && memcmp(parameters, by, sizeof(T)) == 0);
    CHECK(cublasRotEx(handle, 6, x.device, type, 2, y.device, type, -1, &c, &s, type, type));
    CHECK(cublasRotmEx(handle, 6, x.device, type, 2, y.device, type, -1, by, type, type));
    std::vector<T> x_is = x.take(), y_is = y.take();
    x.give(), y.give();
    CHECK(rotate(handle, 6, x.device, 2, y.device, -1, &c, &s));
    CHECK(modify(handle, 6, x.device, 2, y.device, -1, by));
    EXPECT(x.take() == x_is && y.take() == y_is && x_is != x.host);
}

int main() {
    CHECK(cublasCreate(&handle));
    all<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1e-5);
    all<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1e-12);
    all<__half, float, __half>(CUDA_R_16F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, 2e-3);
    all<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, 1e-5);
    all<__nv_bfloat16, float, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F,
                                             2e-2);
    rotate<float>(CUDA_R_32F, cublasSrot, cublasSrotm, cublasSrotg, cublasSrotmg);
    rotate<double>(CUDA_R_64F, cublasDrot, cublasDrotm, cublasDrotg, cublasDrotmg);
    shared<cuComplex> x(9), y(9);
    number sum;
    for (int i = 0; i < 9; i++)
        sum += std::conj(x.at(i)) * y.at(i);
    cuComplex dot;
    CHECK(cublasDotcEx(handle, 9, x.device, CUDA_C_32F, 1, y.device, CUDA_C_32F, 1, &dot,
                       CUDA_C_32F, CUDA_C_32F));
    EXPECT(value(dot) == sum);
    float c = 2, s = -1;
    CHECK(cublasRotEx(handle, 9, x.device, CUDA_C_32F, 1, y.device, CUDA_C_32F, 1, &c, &s,
                      CUDA_R_32F, CUDA_C_32F));
    for (int i = 0; i < 9; i++) {
        number was = x.at(i);
        assign(x.host[i], 2.0 * was - y.at(i));
        assign(y.host[i], 2.0 * y.at(i) + was);
    }
    EXPECT(agree(x) && agree(y));
    int index, largest = 0;
    CHECK(cublasIamaxEx(handle, 9, x.device, CUDA_R_32F, 2, &index));
    for (int i = 0; i < 9; i++)
        largest = std::abs(x.at(i).real()) > std::abs(x.at(largest).real()) ? i : largest;
    EXPECT(index == largest + 1);
    EXPECT(cublasDotEx(handle, 9, x.device, CUDA_R_32F, 1, y.device, CUDA_R_64F, 1, &dot,
                       CUDA_R_32F, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasRotmEx(handle, 9, x.device, CUDA_R_16F, 1, y.device, CUDA_R_16F, 1, &dot,
                        CUDA_R_16F, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasDestroy(handle));
    return 0;
}
