// Products and systems of matrices in host memory, or in the device's.
#include "blas.h"

#include <cublasXt.h>

static cublasXtHandle_t handle;

template <class T> struct functions {
    cublasStatus_t (*gemm)(cublasXtHandle_t, cublasOperation_t, cublasOperation_t, size_t, size_t,
                           size_t, const T *, const T *, size_t, const T *, size_t, const T *, T *,
                           size_t);
    cublasStatus_t (*syrk)(cublasXtHandle_t, cublasFillMode_t, cublasOperation_t, size_t, size_t,
                           const T *, const T *, size_t, const T *, T *, size_t);
    cublasStatus_t (*symm)(cublasXtHandle_t, cublasSideMode_t, cublasFillMode_t, size_t, size_t,
                           const T *, const T *, size_t, const T *, size_t, const T *, T *, size_t);
    cublasStatus_t (*trsm)(cublasXtHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, size_t, size_t, const T *, const T *, size_t, T *,
                           size_t);
};

// Where a matrix is given: its host memory is as the device's before the call.
template <class T> static T *given(shared<T> &m, bool on_device) {
    return on_device ? m.device : m.host.data();
}

template <class T> static void all(const functions<T> &f, bool on_device, double error) {
    int m = 5, n = 7, k = 6, ld = 9;
    T one, two;
    assign(one, 1);
    assign(two, 2);
    shared<T> a(ld * ld), b(ld * ld), c(ld * ld);
    std::vector<T> before = c.host, was = b.host;
    auto at = [&](const std::vector<T> &v, int i, int j) { return value(v[i + j * ld]); };
    auto result = [&](shared<T> &x) { return on_device ? x.take() : x.host; };
    auto same_below = [&](int rows, const std::vector<T> &v, const std::vector<T> &w) {
        for (int j = 0; j < ld; j++)
            for (int i = rows; i < ld; i++)
                EXPECT(at(v, i, j) == at(w, i, j));
    };
    CHECK(f.gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, given(a, on_device), ld,
                 given(b, on_device), ld, &one, given(c, on_device), ld));
    std::vector<T> x = result(c);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number sum = at(before, i, j);
            for (int l = 0; l < k; l++)
                sum += 2.0 * at(a.host, i, l) * at(b.host, j, l);
            EXPECT(is_close(at(x, i, j), sum, error));
        }
    same_below(m, x, before);
    before = x;
    CHECK(f.syrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, n, k, &two, given(a, on_device), ld,
                 &one, given(c, on_device), ld));
    x = result(c);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            number sum = at(before, i, j);
            for (int l = 0; l < k && i >= j; l++)
                sum += 2.0 * at(a.host, l, i) * at(a.host, l, j);
            EXPECT(is_close(at(x, i, j), sum, error));
        }
    before = x;
    CHECK(f.symm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, m, n, &two, given(a, on_device),
                 ld, given(b, on_device), ld, &one, given(c, on_device), ld));
    x = result(c);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number sum = at(before, i, j);
            for (int l = 0; l < n; l++)
                sum += 2.0 * at(b.host, i, l) * at(a.host, std::min(l, j), std::max(l, j));
            EXPECT(is_close(at(x, i, j), sum, error));
        }
    for (int j = 0; j < ld; j++)
        assign(a.host[j + j * ld], number(300, j));
    a.give();
    CHECK(f.trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                 CUBLAS_DIAG_NON_UNIT, m, n, &two, given(a, on_device), ld, given(b, on_device),
                 ld));
    x = result(b);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number sum = 0;
            for (int l = 0; l <= i; l++)
                sum += at(a.host, i, l) * at(x, l, j);
            EXPECT(is_close(sum, 2.0 * at(was, i, j), error));
        }
    same_below(m, x, was);
}

int main() {
    CHECK(cublasXtCreate(&handle));
    int devices[] = {0}, size;
    CHECK(cublasXtDeviceSelect(handle, 1, devices));
    CHECK(cublasXtSetBlockDim(handle, 64));
    CHECK(cublasXtGetBlockDim(handle, &size));
    EXPECT(size == 64);
    for (bool on_device : {false, true}) {
#define ALL(p) {cublasXt##p##gemm, cublasXt##p##syrk, cublasXt##p##symm, cublasXt##p##trsm}
        all<float>(ALL(S), on_device, 1e-3);
        all<double>(ALL(D), on_device, 1e-10);
        all<cuComplex>(ALL(C), on_device, 1e-3);
        all<cuDoubleComplex>(ALL(Z), on_device, 1e-10);
    }
    float one = 1, x = 1;
    EXPECT(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, &x, 1, &x, 1, &one, &x,
                         1) == CUBLAS_STATUS_INVALID_VALUE);
    devices[0] = 99;
    EXPECT(cublasXtDeviceSelect(handle, 1, devices) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasXtDestroy(handle));
    return 0;
}
