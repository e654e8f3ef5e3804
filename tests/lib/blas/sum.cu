// Sums of matrices, in place and transposed, and products with diagonal ones.
#include "blas.h"

static cublasHandle_t handle;

template <class T>
static number element(const shared<T> &a, int ld, cublasOperation_t op, int i, int j) {
    number x = op == CUBLAS_OP_N ? a.at(i + (size_t)j * ld) : a.at(j + (size_t)i * ld);
    return op == CUBLAS_OP_C ? std::conj(x) : x;
}

template <class T, class Call> static void add(int m, int n, const Call &call) {
    for (int way = 0; way < 9; way++) {
        cublasOperation_t a_op = (cublasOperation_t)(way % 3), b_op = (cublasOperation_t)(way / 3);
        int lda = (a_op == CUBLAS_OP_N ? m : n) + 1, ldb = b_op == CUBLAS_OP_N ? m : n;
        shared<T> a((size_t)lda * (a_op == CUBLAS_OP_N ? n : m));
        shared<T> b((size_t)ldb * (b_op == CUBLAS_OP_N ? n : m)), c((size_t)(m + 2) * n);
        T alpha, beta;
        assign(alpha, {2, 1});
        assign(beta, {way == 4 ? 0.0 : -3.0, 0});
        CHECK(call(a_op, b_op, m, n, &alpha, a.device, lda, &beta, b.device, ldb, c.device, m + 2));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                assign(c.host[i + (size_t)j * (m + 2)],
                       value(alpha) * element(a, lda, a_op, i, j) +
                           value(beta) * element(b, ldb, b_op, i, j));
        EXPECT(agree(c));
    }
    shared<T> a((size_t)m * n), c((size_t)m * n);
    T alpha, beta;
    assign(alpha, 2);
    assign(beta, -1);
    CHECK(call(CUBLAS_OP_N, CUBLAS_OP_N, m, n, &alpha, a.device, m, &beta, c.device, m, c.device,
               m)); // in place
    for (size_t i = 0; i < c.host.size(); i++)
        assign(c.host[i], 2.0 * a.at(i) - c.at(i));
    EXPECT(agree(c));
    EXPECT(call(CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, a.device, m, &beta, c.device, n, c.device,
                m) == CUBLAS_STATUS_INVALID_VALUE);
}

template <class T, class Call> static void scale(const Call &call) {
    int m = 70, n = 90;
    for (bool is_left : {true, false}) {
        int count = is_left ? m : n, step = is_left ? 2 : -1;
        shared<T> a((size_t)(m + 1) * n), x((size_t)count * abs(step)), c((size_t)(m + 2) * n);
        CHECK(call(is_left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, m, n, a.device, m + 1, x.device,
                   step, c.device, m + 2));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                assign(c.host[i + (size_t)j * (m + 2)],
                       a.at(i + (size_t)j * (m + 1)) * x.at(is_left ? 2 * i : n - 1 - j));
        EXPECT(agree(c));
    }
}

#define CALL(function) [](auto... arguments) { return function(handle, arguments...); }

int main() {
    CHECK(cublasCreate(&handle));
    add<float>(1, 300, CALL(cublasSgeam));
    add<float>(130, 75, CALL(cublasSgeam));
    add<double>(130, 75, CALL(cublasDgeam));
    add<cuComplex>(65, 75, CALL(cublasCgeam));
    add<cuDoubleComplex>(65, 75, CALL(cublasZgeam));
    scale<float>(CALL(cublasSdgmm));
    scale<double>(CALL(cublasDdgmm));
    scale<cuComplex>(CALL(cublasCdgmm));
    scale<cuDoubleComplex>(CALL(cublasZdgmm));
    CHECK(cublasDestroy(handle));
    return 0;
}
