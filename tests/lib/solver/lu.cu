// Systems of equations with general and symmetric matrices.
#include "solver.h"

SAME(getrf_bufferSize)
SAME(getrf)
SAME(getrs)
SAME(sytrf)
SAME(sytri)

static cusolverDnHandle_t handle;

static matrix operated(const matrix &a, cublasOperation_t op) {
    if (op == CUBLAS_OP_N)
        return a;
    matrix t = adjoint(a);
    if (op == CUBLAS_OP_T)
        for (number &x : t.at)
            x = std::conj(x);
    return t;
}

/// L U of the factors that are left in the place of a matrix, in the order of its rows.
static matrix product(const matrix &f, const std::vector<int> &pivots) {
    int k = f.rows < f.columns ? f.rows : f.columns;
    matrix l(f.rows, k), u(k, f.columns);
    for (int j = 0; j < k; j++)
        for (int i = j; i < f.rows; i++)
            l(i, j) = i == j ? 1.0 : f(i, j);
    for (int j = 0; j < f.columns; j++)
        for (int i = 0; i < k && i <= j; i++)
            u(i, j) = f(i, j);
    matrix a = l * u;
    for (int i = int(pivots.size()) - 1; i >= 0; i--)
        for (int j = 0; j < f.columns; j++)
            std::swap(a(i, j), a(pivots[i] - 1, j));
    return a;
}

template <class T> static void factors(int m, int n, bool has_pivots) {
    matrix a = random_matrix<T>(m, n);
    for (int i = 0; i < m && i < n && !has_pivots; i++)
        a(i, i) += number(n);
    int k = m < n ? m : n, size = 0;
    T *ad = device<T>(a, m + 2);
    int *pivots = has_pivots ? device<int>(k) : NULL, *info = device(std::vector<int>{-5});
    CHECK(getrf_bufferSize<T>(handle, m, n, ad, m + 2, &size));
    CHECK(getrf<T>(handle, m, n, ad, m + 2, device<T>(size), pivots, info));
    EXPECT(only(info) == 0);
    matrix f = host(ad, m, n, m + 2);
    EXPECT(
        is_close(product(f, has_pivots ? host(pivots, k) : std::vector<int>()), a, kind<T>::error));
    if (m != n)
        return;
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        matrix x = random_matrix<T>(n, 3);
        T *bd = device<T>(operated(a, op) * x, n + 1);
        CHECK(getrs<T>(handle, op, n, 3, ad, m + 2, pivots, bd, n + 1, info));
        EXPECT(only(info) == 0);
        EXPECT(is_close(host(bd, n, 3, n + 1), x, 10 * kind<T>::error));
    }
}

template <class T> static void generic(int n) {
    matrix a = random_matrix<T>(n, n), x = random_matrix<T>(n, 2);
    T *ad = device<T>(a, n), *bd = device<T>(a * x, n);
    int64_t *pivots = device<int64_t>(n);
    int *info = device(std::vector<int>{-5});
    size_t size, host_size;
    cudaDataType type = kind<T>::type;
    CHECK(cusolverDnXgetrf_bufferSize(handle, NULL, n, n, type, ad, n, type, &size, &host_size));
    CHECK(cusolverDnXgetrf(handle, NULL, n, n, type, ad, n, pivots, type, device<char>(size), size,
                           malloc(host_size), host_size, info));
    CHECK(
        cusolverDnXgetrs(handle, NULL, CUBLAS_OP_N, n, 2, type, ad, n, pivots, type, bd, n, info));
    EXPECT(only(info) == 0);
    EXPECT(is_close(host(bd, n, 2, n), x, 10 * kind<T>::error));
}

template <class T> static void symmetric(int n) {
    matrix a = random_matrix<T>(n, n), x = random_matrix<T>(n, 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a(i, j) = a(j, i);
    T *ad = device<T>(a, n), *bd = device<T>(a * x, n);
    int *pivots = device<int>(n), *info = device(std::vector<int>{-5});
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    CHECK(sytrf<T>(handle, lower, n, ad, n, pivots, (T *)NULL, 0, info));
    EXPECT(only(info) == 0);
    std::vector<int> narrow = host(pivots, n);
    int64_t *wide = device(std::vector<int64_t>(narrow.begin(), narrow.end()));
    CHECK(cusolverDnXsytrs(handle, lower, n, 2, kind<T>::type, ad, n, wide, kind<T>::type, bd, n,
                           NULL, 0, NULL, 0, info));
    EXPECT(is_close(host(bd, n, 2, n), x, 10 * kind<T>::error));
    CHECK(sytri<T>(handle, lower, n, ad, n, pivots, (T *)NULL, 0, info));
    matrix inverse = host(ad, n, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            inverse(j, i) = inverse(i, j);
    EXPECT(is_close(inverse * a, identity(n), 10 * kind<T>::error));
}

// Matrices with a column of zeros.
static void singular() {
    for (int has_pivots = 0; has_pivots < 2; has_pivots++) {
        matrix a = identity(6);
        a(3, 3) = a(5, 5) = 0;
        double *ad = device<double>(a, 6);
        int *info = device<int>(1), *pivots = device<int>(6);
        CHECK(cusolverDnDgetrf(handle, 6, 6, ad, 6, NULL, has_pivots ? pivots : NULL, info));
        EXPECT(only(info) == 4);
    }
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    for (bool has_pivots : {true, false}) {
        ALL_TYPES(factors, 1, 1, has_pivots);
        ALL_TYPES(factors, 33, 33, has_pivots);
        ALL_TYPES(factors, 41, 10, has_pivots);
        ALL_TYPES(factors, 9, 30, has_pivots);
    }
    ALL_TYPES(generic, 21);
    ALL_TYPES(symmetric, 18);
    singular();
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
