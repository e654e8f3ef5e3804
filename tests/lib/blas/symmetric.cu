// Products with a symmetric or Hermitian matrix, and updates of rank 2k.
#include "blas.h"

static cublasHandle_t handle;
static const cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

template <class T, class Call> static void multiply(bool is_hermitian, const Call &call) {
    for (int way = 0; way < 4; way++) {
        cublasSideMode_t side = way & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
        cublasFillMode_t part = parts[way / 2];
        int m = 23, n = 14, order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 1;
        shared<T> a((size_t)lda * order), b((size_t)(m + 2) * n), c((size_t)(m + 3) * n);
        auto element = [&](int i, int j) {
            bool is_there = part == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
            number x = is_there ? a.at(i + (size_t)j * lda) : a.at(j + (size_t)i * lda);
            if (is_hermitian && i == j)
                return number(x.real());
            return is_there || !is_hermitian ? x : std::conj(x);
        };
        T alpha, beta;
        assign(alpha, {2, -1});
        assign(beta, {1, 3});
        CHECK(
            call(side, part, m, n, &alpha, a.device, lda, b.device, m + 2, &beta, c.device, m + 3));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                number sum = 0;
                for (int l = 0; l < order; l++)
                    sum += side == CUBLAS_SIDE_LEFT ? element(i, l) * b.at(l + (size_t)j * (m + 2))
                                                    : b.at(i + (size_t)l * (m + 2)) * element(l, j);
                T &is = c.host[i + (size_t)j * (m + 3)];
                assign(is, value(alpha) * sum + value(beta) * value(is));
            }
        EXPECT(agree(c));
    }
}

template <class T, class R, class Call>
static void update(cublasOperation_t transposed, const Call &call) {
    bool is_hermitian = transposed == CUBLAS_OP_C;
    for (int way = 0; way < 4; way++) {
        cublasFillMode_t part = parts[way & 1];
        cublasOperation_t operation = way & 2 ? transposed : CUBLAS_OP_N;
        bool is_plain = operation == CUBLAS_OP_N;
        int n = 19, k = 8, ld = (is_plain ? n : k) + 1, ldc = n + 2;
        size_t count = (size_t)ld * (is_plain ? k : n);
        shared<T> a(count), b(count), c((size_t)ldc * n);
        for (int i = 0; i < n; i++)
            assign(c.host[i + (size_t)i * ldc], c.at(i + (size_t)i * ldc).real());
        c.give();
        auto row = [&](const shared<T> &of, int i, int l) { // of op(A)
            number x = is_plain ? of.at(i + (size_t)l * ld) : of.at(l + (size_t)i * ld);
            return is_hermitian && !is_plain ? std::conj(x) : x;
        };
        auto second = [&](number z) { return is_hermitian ? std::conj(z) : z; };
        T alpha;
        R beta;
        assign(alpha, {2, -1});
        assign(beta, {3, 1});
        CHECK(
            call(part, operation, n, k, &alpha, a.device, ld, b.device, ld, &beta, c.device, ldc));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                if (part == CUBLAS_FILL_MODE_UPPER ? i > j : i < j)
                    continue;
                number sum = 0;
                for (int l = 0; l < k; l++)
                    sum += value(alpha) * row(a, i, l) * second(row(b, j, l)) +
                           second(value(alpha)) * row(b, i, l) * second(row(a, j, l));
                T &is = c.host[i + (size_t)j * ldc];
                assign(is, sum + value(beta) * value(is));
            }
        EXPECT(agree(c));
    }
}

#define CALL(function) [](auto... arguments) { return function(handle, arguments...); }

int main() {
    CHECK(cublasCreate(&handle));
    multiply<float>(false, CALL(cublasSsymm));
    multiply<double>(false, CALL(cublasDsymm));
    multiply<cuComplex>(false, CALL(cublasCsymm));
    multiply<cuDoubleComplex>(false, CALL(cublasZsymm));
    multiply<cuComplex>(true, CALL(cublasChemm));
    multiply<cuDoubleComplex>(true, CALL(cublasZhemm));
    update<float, float>(CUBLAS_OP_T, CALL(cublasSsyr2k));
    update<double, double>(CUBLAS_OP_T, CALL(cublasDsyr2k));
    update<cuComplex, cuComplex>(CUBLAS_OP_T, CALL(cublasCsyr2k));
    update<cuDoubleComplex, cuDoubleComplex>(CUBLAS_OP_T, CALL(cublasZsyr2k));
    update<cuComplex, float>(CUBLAS_OP_C, CALL(cublasCher2k));
    update<cuDoubleComplex, double>(CUBLAS_OP_C, CALL(cublasZher2k));
    CHECK(cublasDestroy(handle));
    return 0;
}
