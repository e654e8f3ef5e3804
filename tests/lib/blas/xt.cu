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

// A number of a type, which may leave out its imaginary part.
template <class T> static number factor(double real, double imaginary, T &of) {
    assign(of, {real, imaginary});
    return value(of);
}

enum { SIDE = 6, OTHER = 4, LD = 8 };

// A change of a triangle of C by rows of A and B: `term(i, j, l)` is added, k times.
template <class T, class Call, class Term>
static void updates(bool on_device, bool is_hermitian, number beta, const Call &call,
                    const Term &term) {
    shared<T> a(LD * LD), b(LD * LD), c(LD * LD);
    std::vector<T> before = c.host;
    CHECK(call(given(a, on_device), given(b, on_device), given(c, on_device)));
    std::vector<T> is = on_device ? c.take() : c.host;
    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++) {
            number should = value(before[i + j * LD]);
            if (i < SIDE && j < SIDE && i <= j) {
                should *= beta;
                for (int l = 0; l < OTHER; l++)
                    should +=
                        term([&](int row, int column) { return a.at(row + column * LD); },
                             [&](int row, int column) { return b.at(row + column * LD); }, i, j, l);
                if (is_hermitian && i == j)
                    should = should.real();
            }
            EXPECT(is_close(value(is[i + j * LD]), should, 1e-5));
        }
}

// C of SIDE rows and OTHER columns becomes 2 M B + beta C, where `element` has M's elements.
template <class T, class Call, class Element>
static void products(bool on_device, number beta, const Call &call, const Element &element) {
    shared<T> a(LD * LD), b(LD * LD), c(LD * LD);
    std::vector<T> before = c.host;
    CHECK(call(given(a, on_device), given(b, on_device), given(c, on_device)));
    std::vector<T> is = on_device ? c.take() : c.host;
    for (int j = 0; j < OTHER; j++)
        for (int i = 0; i < SIDE; i++) {
            number should = beta * value(before[i + j * LD]);
            for (int l = 0; l < SIDE; l++)
                should += 2.0 * element(a.host, i, l) * b.at(l + j * LD);
            EXPECT(is_close(value(is[i + j * LD]), should, 1e-5));
        }
}

#define IN_PLACE [](const std::vector<T> &v, int i, int j)
#define UPPER handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, SIDE, OTHER
#define LEFT handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER
#define CALL(call) [&](T *a, T *b, T *c) { return call; }
#define TERM(text)                                                                                 \
    [&](const auto &a, const auto &b, int i, int j, int l) -> number {                             \
        (void)b;                                                                                   \
        return text;                                                                               \
    }

// Those of all types, but for those above.
#define OTHERS(p, type)                                                                            \
    static void others_##p(bool on_device) {                                                       \
        typedef type T;                                                                            \
        T alpha, beta;                                                                             \
        number al = factor(2, 1, alpha), be = factor(-1, 2, beta);                                 \
        updates<T>(on_device, false, be,                                                           \
                   CALL(cublasXt##p##syrkx(UPPER, &alpha, a, LD, b, LD, &beta, c, LD)),            \
                   TERM(al * a(i, l) * b(j, l)));                                                  \
        updates<T>(on_device, false, be,                                                           \
                   CALL(cublasXt##p##syr2k(UPPER, &alpha, a, LD, b, LD, &beta, c, LD)),            \
                   TERM(al * (a(i, l) * b(j, l) + b(i, l) * a(j, l))));                            \
        assign(alpha, 2);                                                                          \
        products<T>(                                                                               \
            on_device, be,                                                                         \
            CALL(cublasXt##p##spmm(LEFT, SIDE, OTHER, &alpha, a, b, LD, &beta, c, LD)), IN_PLACE { \
                int row = std::min(i, j), column = std::max(i, j);                                 \
                return value(v[row + column * (column + 1) / 2]);                                  \
            });                                                                                    \
        products<T>(                                                                               \
            on_device, 0,                                                                          \
            CALL(cublasXt##p##trmm(LEFT, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, SIDE, OTHER, &alpha, a,    \
                                   LD, b, LD, c, LD)),                                             \
            IN_PLACE { return i < j ? value(v[i + j * LD]) : number(i == j); });                   \
    }
OTHERS(S, float)
OTHERS(D, double)
OTHERS(C, cuComplex)
OTHERS(Z, cuDoubleComplex)

#define HERMITIAN(p, type, R)                                                                      \
    static void hermitian_##p(bool on_device) {                                                    \
        typedef type T;                                                                            \
        T alpha, beta;                                                                             \
        R two = 2, three = 3;                                                                      \
        number al = factor(2, 1, alpha), be = factor(-1, 2, beta);                                 \
        updates<T>(on_device, true, 3, CALL(cublasXt##p##herk(UPPER, &two, a, LD, &three, c, LD)), \
                   TERM(2.0 * a(i, l) * std::conj(a(j, l))));                                      \
        updates<T>(on_device, true, 3,                                                             \
                   CALL(cublasXt##p##herkx(UPPER, &alpha, a, LD, b, LD, &three, c, LD)),           \
                   TERM(al * a(i, l) * std::conj(b(j, l))));                                       \
        updates<T>(on_device, true, 3,                                                             \
                   CALL(cublasXt##p##her2k(UPPER, &alpha, a, LD, b, LD, &three, c, LD)),           \
                   TERM(al * a(i, l) * std::conj(b(j, l)) +                                        \
                        std::conj(al) * b(i, l) * std::conj(a(j, l))));                            \
        assign(alpha, 2);                                                                          \
        products<T>(                                                                               \
            on_device, be,                                                                         \
            CALL(cublasXt##p##hemm(LEFT, SIDE, OTHER, &alpha, a, LD, b, LD, &beta, c, LD)),        \
            IN_PLACE {                                                                             \
                number x = value(v[std::min(i, j) + std::max(i, j) * LD]);                         \
                return i == j ? x.real() : i < j ? x : std::conj(x);                               \
            });                                                                                    \
    }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

int main() {
    CHECK(cublasXtCreate(&handle));
    int devices[] = {0}, size;
    CHECK(cublasXtDeviceSelect(handle, 1, devices));
    CHECK(cublasXtSetBlockDim(handle, 64));
    CHECK(cublasXtGetBlockDim(handle, &size));
    EXPECT(size == 64);
    int boards = 0, devices_of_one = 0;
    CHECK(cublasXtMaxBoards(&boards));
    CHECK(cublasXtGetNumBoards(1, devices, &devices_of_one));
    EXPECT(boards >= 1 && devices_of_one == 1);
    CHECK(cublasXtSetCpuRoutine(handle, CUBLASXT_GEMM, CUBLASXT_DOUBLE, nullptr));
    CHECK(cublasXtSetCpuRatio(handle, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 0.5F));
    EXPECT(cublasXtSetCpuRatio(handle, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 2) ==
           CUBLAS_STATUS_INVALID_VALUE);
    for (bool on_device : {false, true}) {
#define ALL(p) {cublasXt##p##gemm, cublasXt##p##syrk, cublasXt##p##symm, cublasXt##p##trsm}
        all<float>(ALL(S), on_device, 1e-3);
        all<double>(ALL(D), on_device, 1e-10);
        all<cuComplex>(ALL(C), on_device, 1e-3);
        all<cuDoubleComplex>(ALL(Z), on_device, 1e-10);
        others_S(on_device);
        others_D(on_device);
        others_C(on_device);
        others_Z(on_device);
        hermitian_C(on_device);
        hermitian_Z(on_device);
    }
    float one = 1, x = 1;
    EXPECT(cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, &x, 1, &x, 1, &one, &x,
                         1) == CUBLAS_STATUS_INVALID_VALUE);
    devices[0] = 99;
    EXPECT(cublasXtDeviceSelect(handle, 1, devices) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasXtDestroy(handle));
    return 0;
}
