// Singular values and vectors, alone and of batches.
#include "solver.h"

SAME(gesvd_bufferSize)
SAME(gesvd)
SAME(gesvdj_bufferSize)
SAME(gesvdj)
SAME(gesvdjBatched)
SAME(gesvdaStridedBatched)

static cusolverDnHandle_t handle;

template <class T> static T *none() {
    return NULL;
}

/// S as a matrix of so many rows and columns.
template <class R> static matrix diagonal(const std::vector<R> &s, int rows, int columns) {
    matrix d(rows, columns);
    for (size_t i = 0; i < s.size(); i++)
        d(int(i), int(i)) = s[i];
    return d;
}

template <class R> static bool falls(const std::vector<R> &s) {
    for (size_t i = 1; i < s.size(); i++)
        if (!(s[i - 1] >= s[i]))
            return false;
    return s.empty() || s.back() >= 0;
}

template <class R>
static bool agree(const std::vector<R> &a, const std::vector<R> &b, double error) {
    int n = int(a.size());
    return a.size() == b.size() && is_close(diagonal(a, n, n), diagonal(b, n, n), error);
}

/// U S V' is A, and the columns of U and V are orthonormal.
template <class T, class R>
static bool is_decomposition(const matrix &a, const matrix &u, const std::vector<R> &s,
                             const matrix &v) {
    return falls(s) &&
           is_close(u * diagonal(s, u.columns, v.columns) * adjoint(v), a, kind<T>::error) &&
           is_close(adjoint(u) * u, identity(u.columns), kind<T>::error) &&
           is_close(adjoint(v) * v, identity(v.columns), kind<T>::error);
}

template <class T> static void rows_of_v(int m, int n) {
    typedef typename kind<T>::real real;
    matrix a = random_matrix<T>(m, n);
    int k = m < n ? m : n, size, *info = device(std::vector<int>{-5});
    std::vector<real> all;
    real *s = device<real>(k), *rest = device<real>(k);
    CHECK(gesvd_bufferSize<T>(handle, m, n, &size));
    T *work = device<T>(size);
    for (signed char job : {'A', 'S', 'N'}) {
        T *ad = device<T>(a, m + 1);
        int left = job == 'A' ? m : k, right = job == 'A' ? n : k;
        T *u = job == 'N' ? NULL : device<T>(matrix(m, left), m + 2);
        T *vt = job == 'N' ? NULL : device<T>(matrix(right, n), right + 3);
        CHECK(gesvd<T>(handle, job, job, m, n, ad, m + 1, s, u, m + 2, vt, right + 3, work, size,
                       job == 'S' ? rest : none<real>(), info));
        EXPECT(only(info) == 0);
        if (job == 'A')
            all = host(s, k);
        EXPECT(agree(host(s, k), all, kind<T>::error));
        EXPECT(job == 'N' || is_decomposition<T>(a, host(u, m, left, m + 2), all,
                                                 adjoint(host(vt, right, n, right + 3))));
    }
    // U in the place of A.
    T *ad = device<T>(a, m + 1), *vt = device<T>(matrix(n, n), n);
    CHECK(gesvd<T>(handle, 'O', 'A', m, n, ad, m + 1, s, none<T>(), 1, vt, n, work, size,
                   none<real>(), info));
    matrix u(m, k), left = host(ad, m, n, m + 1);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            u(i, j) = left(i, j);
    EXPECT(is_decomposition<T>(a, u, host(s, k), adjoint(host(vt, n, n, n))));
    EXPECT(gesvd<T>(handle, 'O', 'O', m, n, ad, m + 1, s, none<T>(), 1, vt, n, work, size,
                    none<real>(), info) == CUSOLVER_STATUS_INVALID_VALUE);
}

template <class T> static void columns_of_v(int m, int n) {
    typedef typename kind<T>::real real;
    matrix a = random_matrix<T>(m, n);
    int k = m < n ? m : n, size, sweeps = -1, *info = device(std::vector<int>{-5});
    double residual = -1;
    real *s = device<real>(k);
    gesvdjInfo_t params;
    CHECK(cusolverDnCreateGesvdjInfo(&params));
    CHECK(cusolverDnXgesvdjSetTolerance(params, 1e-7));
    CHECK(cusolverDnXgesvdjSetMaxSweeps(params, 15));
    std::vector<real> all;
    for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
        int left = is_narrow ? k : m, right = is_narrow ? k : n;
        T *ad = device<T>(a, m + 1);
        T *u = device<T>(matrix(m, left), m + 2), *v = device<T>(matrix(n, right), n + 3);
        CHECK(gesvdj_bufferSize<T>(handle, CUSOLVER_EIG_MODE_VECTOR, is_narrow, m, n, ad, m + 1, s,
                                   u, m + 2, v, n + 3, &size, params));
        CHECK(gesvdj<T>(handle, CUSOLVER_EIG_MODE_VECTOR, is_narrow, m, n, ad, m + 1, s, u, m + 2,
                        v, n + 3, device<T>(size), size, info, params));
        EXPECT(only(info) == 0);
        all = host(s, k);
        EXPECT(is_decomposition<T>(a, host(u, m, left, m + 2), all, host(v, n, right, n + 3)));
    }
    CHECK(cusolverDnXgesvdjGetResidual(handle, params, &residual));
    CHECK(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
    EXPECT(residual > 0 && residual < m * kind<T>::error && sweeps >= 0);
    T *ad = device<T>(a, m);
    CHECK(gesvdj<T>(handle, CUSOLVER_EIG_MODE_NOVECTOR, 0, m, n, ad, m, s, none<T>(), m, none<T>(),
                    n, none<T>(), 0, info, params));
    EXPECT(agree(host(s, k), all, kind<T>::error));
    CHECK(cusolverDnXgesvdjGetResidual(handle, params, &residual));
    EXPECT(residual > 0 && residual < m * kind<T>::error);
    CHECK(cusolverDnDestroyGesvdjInfo(params));
}

template <class T> static void generic(int m, int n) {
    typedef typename kind<T>::real real;
    matrix a = random_matrix<T>(m, n);
    int *info = device(std::vector<int>{-5});
    double error = -1;
    size_t size, host_size;
    cudaDataType type = kind<T>::type, real_type = kind<T>::real_type;
    T *ad = device<T>(a, m), *u = device<T>(m * m), *v = device<T>(n * n);
    real *s = device<real>(n);
    CHECK(cusolverDnXgesvd_bufferSize(handle, NULL, 'S', 'S', m, n, type, ad, m, real_type, s, type,
                                      u, m, type, v, n, type, &size, &host_size));
    CHECK(cusolverDnXgesvd(handle, NULL, 'S', 'S', m, n, type, ad, m, real_type, s, type, u, m,
                           type, v, n, type, NULL, size, NULL, host_size, info));
    EXPECT(is_decomposition<T>(a, host(u, m, n, m), host(s, n), adjoint(host(v, n, n, n))));
    ad = device<T>(a, m);
    CHECK(cusolverDnXgesvdp(handle, NULL, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type, ad, m, real_type,
                            s, type, u, m, type, v, n, type, NULL, size, NULL, host_size, info,
                            &error));
    EXPECT(only(info) == 0 && error == 0);
    EXPECT(is_decomposition<T>(a, host(u, m, n, m), host(s, n), host(v, n, n, n)));
}

/// Columns [begin, begin + count) of a matrix.
static matrix columns(const matrix &a, int begin, int count) {
    matrix c(a.rows, count);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < count; j++)
            c(i, j) = a(i, begin + j);
    return c;
}

template <class T> static void batch(int m, int n, int count) {
    typedef typename kind<T>::real real;
    matrix a = random_matrix<T>(m, n * count);
    int k = m < n ? m : n, *infos = device(std::vector<int>(count, -5));
    T *ad = device<T>(a, m + 1), *u = device<T>(matrix(m, m * count), m + 2),
      *v = device<T>(matrix(n, n * count), n);
    real *s = device<real>(k * count);
    gesvdjInfo_t params;
    CHECK(cusolverDnCreateGesvdjInfo(&params));
    CHECK(gesvdjBatched<T>(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, ad, m + 1, s, u, m + 2, v, n,
                           none<T>(), 0, infos, params, count));
    EXPECT(host(infos, count) == std::vector<int>(count, 0));
    matrix us = host(u, m, m * count, m + 2), vs = host(v, n, n * count, n);
    std::vector<real> all = host(s, k * count);
    for (int i = 0; i < count; i++) {
        std::vector<real> one(all.begin() + i * k, all.begin() + (i + 1) * k);
        EXPECT(is_decomposition<T>(columns(a, i * n, n), columns(us, i * m, m), one,
                                   columns(vs, i * n, n)));
    }
    CHECK(cusolverDnDestroyGesvdjInfo(params));

    // The first two values; what the others are makes the residual.
    std::vector<double> residuals(count, -1);
    ad = device<T>(a, m + 1);
    real *first = device<real>(3 * count);
    CHECK(gesvdaStridedBatched<T>(handle, CUSOLVER_EIG_MODE_VECTOR, 2, m, n, ad, m + 1,
                                  (long long)(m + 1) * n, first, 3ll, u, m + 2,
                                  (long long)(m + 2) * m, v, n, (long long)n * n, none<T>(), 0,
                                  infos, residuals.data(), count));
    EXPECT(host(infos, count) == std::vector<int>(count, 0));
    std::vector<real> found = host(first, 3 * count);
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) {
            if (j < 2)
                EXPECT(std::abs(found[3 * i + j] - all[i * k + j]) < n * kind<T>::error);
            else
                sum += double(all[i * k + j]) * all[i * k + j];
        }
        EXPECT(std::abs(residuals[i] - std::sqrt(sum)) < n * kind<T>::error);
    }
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    ALL_TYPES(rows_of_v, 1, 1);
    ALL_TYPES(rows_of_v, 30, 17);
    ALL_TYPES(rows_of_v, 13, 22);
    ALL_TYPES(columns_of_v, 24, 15);
    ALL_TYPES(columns_of_v, 11, 25);
    ALL_TYPES(generic, 14, 9);
    ALL_TYPES(batch, 7, 5, 6);
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
