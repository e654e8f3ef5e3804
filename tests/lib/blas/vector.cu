// Routines of vectors: all types and steps, results to host and device memory, and copies.
#include "blas.h"

static cublasHandle_t handle;

// Where BLAS has element i of n.
static size_t place(int i, int n, int step) {
    return step < 0 ? (size_t)(n - 1 - i) * -step : (size_t)i * step;
}

static size_t length(int n, int step) {
    return (size_t)(n > 0 ? n - 1 : 0) * abs(step) + 1;
}

template <class T>
static void changes(cublasStatus_t (*axpy)(cublasHandle_t, int, const T *, const T *, int, T *,
                                           int),
                    cublasStatus_t (*scal)(cublasHandle_t, int, const T *, T *, int),
                    cublasStatus_t (*copy)(cublasHandle_t, int, const T *, int, T *, int),
                    cublasStatus_t (*swap)(cublasHandle_t, int, T *, int, T *, int)) {
    const int cases[][3] = {{0, 1, 1},   {1, 1, 1},     {1000, 1, 1},
                            {999, 2, 3}, {1000, -2, 1}, {140000, 1, -1}};
    for (const int *of : cases) {
        const int n = of[0], incx = of[1], incy = of[2];
        shared<T> x(length(n, incx)), y(length(n, incy)), alpha(1);
        CHECK(axpy(handle, n, alpha.host.data(), x.device, incx, y.device, incy));
        for (int i = 0; i < n; i++) {
            T &at = y.host[place(i, n, incy)];
            assign(at, value(at) + alpha.at(0) * x.at(place(i, n, incx)));
        }
        EXPECT(agree(y));
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
        CHECK(scal(handle, n, alpha.device, x.device, abs(incx)));
        CHECK(scal(handle, n, alpha.device, x.device, -1)); // nothing
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
        for (int i = 0; i < n; i++) {
            T &at = x.host[place(i, n, incx)];
            assign(at, value(at) * alpha.at(0));
        }
        EXPECT(agree(x));
        CHECK(swap(handle, n, x.device, incx, y.device, incy));
        for (int i = 0; i < n; i++)
            std::swap(x.host[place(i, n, incx)], y.host[place(i, n, incy)]);
        EXPECT(agree(x) && agree(y));
        CHECK(copy(handle, n, x.device, incx, y.device, incy));
        for (int i = 0; i < n; i++)
            y.host[place(i, n, incy)] = x.host[place(i, n, incx)];
        EXPECT(agree(y));
    }
}

// Calls a reduction with the result on the host, then on the device.
template <class R, class Call> static void reduce(Call call, number should, double error) {
    shared<R> result(1, false);
    CHECK(call(result.host.data()));
    EXPECT(is_close(result.at(0), should, error));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(call(result.device));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    assign(result.host[0], should);
    EXPECT(agree(result, error));
}

template <class T, class R>
static void sums(cublasStatus_t (*dot)(cublasHandle_t, int, const T *, int, const T *, int, T *),
                 cublasStatus_t (*dotc)(cublasHandle_t, int, const T *, int, const T *, int, T *),
                 cublasStatus_t (*nrm2)(cublasHandle_t, int, const T *, int, R *),
                 cublasStatus_t (*asum)(cublasHandle_t, int, const T *, int, R *), double error) {
    const int cases[][3] = {{0, 1, 1}, {7, 1, 1}, {1000, 3, -2}, {70001, 1, 1}, {200000, -1, 2}};
    for (const int *of : cases) {
        const int n = of[0], incx = of[1], incy = of[2];
        shared<T> x(length(n, incx)), y(length(n, incy));
        number product = 0, conjugate = 0, squares = 0, sizes = 0;
        for (int i = 0; i < n; i++) {
            number a = x.at(place(i, n, incx)), b = y.at(place(i, n, incy));
            product += a * b;
            conjugate += std::conj(a) * b;
            squares += std::norm(a);
            sizes += std::abs(a.real()) + std::abs(a.imag());
        }
        int step = abs(incx);
        reduce<T>([&](T *r) { return dot(handle, n, x.device, incx, y.device, incy, r); }, product,
                  error);
        reduce<T>([&](T *r) { return dotc(handle, n, x.device, incx, y.device, incy, r); },
                  conjugate, error);
        reduce<R>([&](R *r) { return nrm2(handle, n, x.device, step, r); }, std::sqrt(squares),
                  error);
        reduce<R>([&](R *r) { return asum(handle, n, x.device, step, r); }, sizes, error);
    }
}

// Results on the device are of the stream's order, without anybody waiting.
static void order() {
    const int n = 100000;
    shared<double> x(n), result(1);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cublasSetStream(handle, stream));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x.host[i] * x.host[i];
    // x becomes its square's root of the sum of squares, times x.
    CHECK(cublasDnrm2(handle, n, x.device, 1, result.device));
    CHECK(cublasDscal(handle, n, result.device, x.device, 1));
    for (double &value : x.host)
        value *= std::sqrt(sum);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(agree(x, 1e-12));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK(cublasSetStream(handle, nullptr));
    CHECK(cudaStreamDestroy(stream));
}

static void copies() {
    std::vector<float> in(60), out(60, -1);
    for (int i = 0; i < 60; i++)
        in[i] = i;
    float *device;
    CHECK(cudaMalloc(&device, 60 * sizeof *device));
    CHECK(cublasSetVector(10, sizeof(float), in.data(), 3, device, 2));
    CHECK(cublasGetVector(10, sizeof(float), device, 2, out.data(), 4));
    for (int i = 0; i < 10; i++)
        EXPECT(out[4 * i] == 3 * i);
    EXPECT(out[1] == -1);
    CHECK(cublasSetMatrix(4, 5, sizeof(float), in.data(), 6, device, 5));
    CHECK(cublasGetMatrix(4, 5, sizeof(float), device, 5, out.data(), 4));
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 4; i++)
            EXPECT(out[i + 4 * j] == i + 6 * j);
    EXPECT(cublasSetMatrix(4, 5, sizeof(float), in.data(), 3, device, 5) ==
           CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cudaFree(device));
}

static void handles() {
    int version, major;
    CHECK(cublasGetVersion(handle, &version));
    CHECK(cublasGetProperty(MAJOR_VERSION, &major));
    EXPECT(version == CUBLAS_VERSION && major == CUBLAS_VER_MAJOR);
    EXPECT(
        !strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED"));
    CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    cublasMath_t mode;
    CHECK(cublasGetMathMode(handle, &mode));
    EXPECT(mode == CUBLAS_TF32_TENSOR_OP_MATH);
    float *none = nullptr;
    EXPECT(cublasSaxpy(nullptr, 1, none, none, 1, none, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasSaxpy(handle, 1, none, none, 1, none, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSnrm2(handle, 1, none, 1, none) == CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
    CHECK(cublasCreate(&handle));
    changes<float>(cublasSaxpy, cublasSscal, cublasScopy, cublasSswap);
    changes<double>(cublasDaxpy, cublasDscal, cublasDcopy, cublasDswap);
    changes<cuComplex>(cublasCaxpy, cublasCscal, cublasCcopy, cublasCswap);
    changes<cuDoubleComplex>(cublasZaxpy, cublasZscal, cublasZcopy, cublasZswap);
    sums<float, float>(cublasSdot, cublasSdot, cublasSnrm2, cublasSasum, 1e-4);
    sums<double, double>(cublasDdot, cublasDdot, cublasDnrm2, cublasDasum, 1e-12);
    sums<cuComplex, float>(cublasCdotu, cublasCdotc, cublasScnrm2, cublasScasum, 1e-4);
    sums<cuDoubleComplex, double>(cublasZdotu, cublasZdotc, cublasDznrm2, cublasDzasum, 1e-12);
    order();
    copies();
    handles();
    CHECK(cublasDestroy(handle));
    return 0;
}
