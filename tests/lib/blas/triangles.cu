// Triangular matrices with many columns, or rows: systems by blocks, and products.
#include "blas.h"

static cublasHandle_t handle;

// op(A), of which `part` counts.
template <class T> struct triangle {
    const shared<T> &a;
    int lda;
    cublasFillMode_t part;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;

    number operator()(int i, int j) const {
        if (operation != CUBLAS_OP_N)
            std::swap(i, j);
        if (i == j && diagonal == CUBLAS_DIAG_UNIT)
            return 1;
        if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
            return 0;
        number x = a.at(i + (size_t)j * lda);
        return operation == CUBLAS_OP_C ? std::conj(x) : x;
    }
};

// Element (i, j) of op(A) B or B op(A), for B m x n.
template <class T, class B>
static number product(const triangle<T> &a, bool is_left, int m, int n, int i, int j, const B &b) {
    number sum = 0;
    for (int l = 0; l < (is_left ? m : n); l++)
        sum += is_left ? a(i, l) * b(l, j) : b(i, l) * a(l, j);
    return sum;
}

template <class T> struct functions {
    cublasStatus_t (*trsm)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, int, const T *, const T *, int, T *, int);
    cublasStatus_t (*trmm)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, int, const T *, const T *, int, const T *, int,
                           T *, int);
};

// A system's solution, multiplied by op(A), is alpha B.
template <class T>
static void solve(const functions<T> &f, const triangle<T> &a, cublasSideMode_t side, int m, int n,
                  const T *alpha, double factor, double error) {
    int ldb = m + 1;
    shared<T> b((size_t)ldb * n);
    CHECK(f.trsm(handle, side, a.part, a.operation, a.diagonal, m, n, alpha, a.a.device, a.lda,
                 b.device, ldb));
    std::vector<T> x = b.take();
    auto at = [&](int i, int j) { return value(x[i + (size_t)j * ldb]); };
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i += m > 99 ? 31 : 1)
            EXPECT(is_close(product(a, side == CUBLAS_SIDE_LEFT, m, n, i, j, at),
                            factor * b.at(i + (size_t)j * ldb), error));
}

template <class T>
static void multiply(const functions<T> &f, const triangle<T> &a, cublasSideMode_t side, int m,
                     int n, const T *alpha, double factor, double error) {
    int ldb = m + 1, ldc = m + 2;
    shared<T> b((size_t)ldb * n), c((size_t)ldc * n);
    CHECK(f.trmm(handle, side, a.part, a.operation, a.diagonal, m, n, alpha, a.a.device, a.lda,
                 b.device, ldb, c.device, ldc));
    CHECK(f.trmm(handle, side, a.part, a.operation, a.diagonal, m, n, alpha, a.a.device, a.lda,
                 b.device, ldb, b.device, ldb)); // in place
    std::vector<T> in_place = b.take();
    auto at = [&](int i, int j) { return b.at(i + (size_t)j * ldb); };
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number x = factor * product(a, side == CUBLAS_SIDE_LEFT, m, n, i, j, at);
            assign(c.host[i + (size_t)j * ldc], x);
            EXPECT(is_close(value(in_place[i + (size_t)j * ldb]), x, error));
        }
    EXPECT(agree(c, error));
}

template <class T> static void all(const functions<T> &f, int order, int other, double error) {
    for (int way = 0; way < 24; way++) {
        cublasSideMode_t side = way & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
        cublasFillMode_t part = way & 2 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        cublasDiagType_t diagonal = way & 4 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        int m = side == CUBLAS_SIDE_LEFT ? order : other, lda = order + 3;
        int n = side == CUBLAS_SIDE_LEFT ? other : order;
        shared<T> a((size_t)lda * order), alpha(1);
        for (int j = 0; j < order; j++) // a system whose solution doesn't grow
            for (int i = 0; i < order; i++) {
                T &x = a.host[i + (size_t)j * lda];
                assign(x, i == j ? number(4, 1) : value(x) / (16.0 * order));
            }
        a.give();
        assign(alpha.host[0], 2);
        alpha.give();
        bool on_device = way & 1;
        cublasSetPointerMode(handle,
                             on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
        const T *two = on_device ? alpha.device : alpha.host.data();
        triangle<T> t{a, lda, part, (cublasOperation_t)(way / 8), diagonal};
        solve(f, t, side, m, n, two, 2, error);
        if (order < 99)
            multiply(f, t, side, m, n, two, 2, error);
    }
}

int main() {
    CHECK(cublasCreate(&handle));
    for (int order : {1, 37, 1100}) {
        int other = order == 37 ? 9 : 2;
        all<float>({cublasStrsm, cublasStrmm}, order, other, 1e-4);
        all<double>({cublasDtrsm, cublasDtrmm}, order, other, 1e-12);
        if (order == 1100)
            continue;
        all<cuComplex>({cublasCtrsm, cublasCtrmm}, order, other, 1e-4);
        all<cuDoubleComplex>({cublasZtrsm, cublasZtrmm}, order, other, 1e-12);
    }
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    float one = 1, *none = nullptr;
    EXPECT(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, 4, 1, &one, none, 3, none,
                       4) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                      CUBLAS_DIAG_UNIT, 0, 1, &one, none, 1, none, 1));
    CHECK(cublasDestroy(handle));
    return 0;
}
