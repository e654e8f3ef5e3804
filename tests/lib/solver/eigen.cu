// Eigenvalues and eigenvectors of symmetric and Hermitian matrices, alone and of two matrices, all
// and some of them, and of batches.
#include "solver.h"

ROUTINE(evd_bufferSize, Ssyevd_bufferSize, Dsyevd_bufferSize, Cheevd_bufferSize, Zheevd_bufferSize)
ROUTINE(evd, Ssyevd, Dsyevd, Cheevd, Zheevd)
ROUTINE(gvd, Ssygvd, Dsygvd, Chegvd, Zhegvd)
ROUTINE(evdx, Ssyevdx, Dsyevdx, Cheevdx, Zheevdx)
ROUTINE(gvdx, Ssygvdx, Dsygvdx, Chegvdx, Zhegvdx)
ROUTINE(evj, Ssyevj, Dsyevj, Cheevj, Zheevj)
ROUTINE(gvj, Ssygvj, Dsygvj, Chegvj, Zhegvj)
ROUTINE(batched_bufferSize, SsyevjBatched_bufferSize, DsyevjBatched_bufferSize,
        CheevjBatched_bufferSize, ZheevjBatched_bufferSize)
ROUTINE(batched, SsyevjBatched, DsyevjBatched, CheevjBatched, ZheevjBatched)

static cusolverDnHandle_t handle;
static const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
static const cusolverEigMode_t values = CUSOLVER_EIG_MODE_NOVECTOR;
static const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;

template <class T> static T *none() {
    return NULL;
}

template <class R> static matrix diagonal(const std::vector<R> &w) {
    matrix d(int(w.size()), int(w.size()));
    for (size_t i = 0; i < w.size(); i++)
        d(int(i), int(i)) = w[i];
    return d;
}

template <class R> static bool rises(const std::vector<R> &w) {
    for (size_t i = 1; i < w.size(); i++)
        if (!(w[i - 1] <= w[i]))
            return false;
    return true;
}

template <class R>
static bool agree(const std::vector<R> &a, const std::vector<R> &b, double error) {
    return a.size() == b.size() && is_close(diagonal(a), diagonal(b), error);
}

// A V = V W, and V is unitary.
template <class T, class R>
static bool is_decomposition(const matrix &a, const matrix &v, const std::vector<R> &w) {
    return rises(w) && is_close(a * v, v * diagonal(w), kind<T>::error) &&
           is_close(adjoint(v) * v, identity(v.columns), kind<T>::error);
}

/// A triangle of a matrix; what the other has is wrong.
template <class T> static T *given(const matrix &a, cublasFillMode_t part, int leading) {
    matrix t = triangle(a, part);
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (part == lower ? i < j : i > j)
                t(i, j) = 55;
    return device<T>(t, leading);
}

template <class T> static void one(int n, cublasFillMode_t part) {
    typedef typename kind<T>::real real;
    matrix a = random_symmetric<T>(n);
    int size, *info = device(std::vector<int>{-5}), found = -1, lead = n + 2;
    T *ad = given<T>(a, part, lead);
    real *w = device<real>(n);
    CHECK(evd_bufferSize<T>(handle, vectors, part, n, ad, lead, w, &size));
    CHECK(evd<T>(handle, vectors, part, n, ad, lead, w, device<T>(size), size, info));
    EXPECT(only(info) == 0);
    std::vector<real> all = host(w, n);
    EXPECT(is_decomposition<T>(a, host(ad, n, n, lead), all));
    ad = given<T>(a, part, lead);
    CHECK(evd<T>(handle, values, part, n, ad, lead, w, none<T>(), 0, info));
    EXPECT(agree(host(w, n), all, kind<T>::error));

    // Some by number, some by value, as the library says that it needs not all.
    if (n < 8)
        return;
    ad = given<T>(a, part, lead);
    CHECK(evdx<T>(handle, vectors, CUSOLVER_EIG_RANGE_I, part, n, ad, lead, real(0), real(0), 3, 6,
                  &found, w, none<T>(), 0, info));
    EXPECT(found == 4);
    std::vector<real> some(all.begin() + 2, all.begin() + 6);
    EXPECT(agree(host(w, 4), some, kind<T>::error));
    EXPECT(is_decomposition<T>(a, host(ad, n, 4, lead), host(w, 4)));
    ad = given<T>(a, part, lead);
    real above = (all[1] + all[2]) / 2, up_to = (all[5] + all[6]) / 2;
    CHECK(evdx<T>(handle, vectors, CUSOLVER_EIG_RANGE_V, part, n, ad, lead, above, up_to, 0, 0,
                  &found, w, none<T>(), 0, info));
    EXPECT(found == 4);
    EXPECT(agree(host(w, 4), some, kind<T>::error));
    EXPECT(is_decomposition<T>(a, host(ad, n, 4, lead), host(w, 4)));
    EXPECT(evdx<T>(handle, vectors, CUSOLVER_EIG_RANGE_I, part, n, ad, lead, above, up_to, 0, n,
                   &found, w, none<T>(), 0, info) == CUSOLVER_STATUS_INVALID_VALUE);
}

template <class T> static void two(int n, cusolverEigType_t type) {
    typedef typename kind<T>::real real;
    matrix a = random_symmetric<T>(n), b = random_symmetric<T>(n, n);
    int *info = device(std::vector<int>{-5}), found = -1;
    T *ad = device<T>(a, n), *bd = device<T>(b, n);
    real *w = device<real>(n);
    CHECK(gvd<T>(handle, type, vectors, lower, n, ad, n, bd, n, w, none<T>(), 0, info));
    EXPECT(only(info) == 0);
    std::vector<real> all = host(w, n);
    matrix v = host(ad, n, n, n), d = diagonal(all);
    EXPECT(rises(all));
    if (type == CUSOLVER_EIG_TYPE_1)
        EXPECT(is_close(a * v, b * v * d, kind<T>::error));
    else if (type == CUSOLVER_EIG_TYPE_2)
        EXPECT(is_close(a * (b * v), v * d, 10 * kind<T>::error));
    else
        EXPECT(is_close(b * (a * v), v * d, 10 * kind<T>::error));
    ad = device<T>(a, n), bd = device<T>(b, n);
    CHECK(gvdx<T>(handle, type, values, CUSOLVER_EIG_RANGE_I, lower, n, ad, n, bd, n, real(0),
                  real(0), 2, 3, &found, w, none<T>(), 0, info));
    EXPECT(found == 2);
    EXPECT(agree(host(w, 2), std::vector<real>(all.begin() + 1, all.begin() + 3), kind<T>::error));
    syevjInfo_t params;
    CHECK(cusolverDnCreateSyevjInfo(&params));
    ad = device<T>(a, n), bd = device<T>(b, n);
    CHECK(gvj<T>(handle, type, vectors, lower, n, ad, n, bd, n, w, none<T>(), 0, info, params));
    EXPECT(agree(host(w, n), all, kind<T>::error));
    double residual;
    EXPECT(cusolverDnXsyevjGetResidual(handle, params, &residual) == CUSOLVER_STATUS_NOT_SUPPORTED);
    CHECK(cusolverDnDestroySyevjInfo(params));
}

template <class T> static void jacobi(int n, cusolverEigMode_t mode) {
    typedef typename kind<T>::real real;
    matrix a = random_symmetric<T>(n);
    int *info = device(std::vector<int>{-5}), sweeps = -1;
    T *ad = given<T>(a, upper, n + 1);
    real *w = device<real>(n);
    double residual = -1;
    syevjInfo_t params;
    CHECK(cusolverDnCreateSyevjInfo(&params));
    CHECK(cusolverDnXsyevjSetTolerance(params, 1e-7));
    CHECK(cusolverDnXsyevjSetMaxSweeps(params, 15));
    CHECK(cusolverDnXsyevjSetSortEig(params, 1));
    CHECK(evj<T>(handle, mode, upper, n, ad, n + 1, w, none<T>(), 0, info, params));
    EXPECT(only(info) == 0);
    EXPECT(rises(host(w, n)));
    EXPECT(mode == values || is_decomposition<T>(a, host(ad, n, n, n + 1), host(w, n)));
    CHECK(cusolverDnXsyevjGetResidual(handle, params, &residual));
    CHECK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    EXPECT(residual >= 0 && residual < n * kind<T>::error && sweeps >= 0);
    CHECK(cusolverDnDestroySyevjInfo(params));
}

template <class T> static void batch(int n, int count) {
    typedef typename kind<T>::real real;
    std::vector<matrix> a;
    matrix together(n, n * count);
    for (int i = 0; i < count; i++) {
        a.push_back(random_symmetric<T>(n));
        for (int j = 0; j < n * n; j++)
            together.at[size_t(i) * n * n + j] = a[i].at[j];
    }
    int size, *infos = device(std::vector<int>(count, -5));
    size_t bytes, host_bytes;
    syevjInfo_t params;
    CHECK(cusolverDnCreateSyevjInfo(&params));
    cudaDataType type = kind<T>::type, real_type = kind<T>::real_type;
    for (bool is_generic : {false, true}) {
        T *ad = device<T>(together, n + 1);
        real *w = device<real>(size_t(n) * count);
        if (is_generic) {
            CHECK(cusolverDnXsyevBatched_bufferSize(handle, NULL, vectors, lower, n, type, ad,
                                                    n + 1, real_type, w, type, &bytes, &host_bytes,
                                                    count));
            CHECK(cusolverDnXsyevBatched(handle, NULL, vectors, lower, n, type, ad, n + 1,
                                         real_type, w, type, NULL, bytes, NULL, host_bytes, infos,
                                         count));
        } else {
            CHECK(batched_bufferSize<T>(handle, vectors, lower, n, ad, n + 1, w, &size, params,
                                        count));
            CHECK(batched<T>(handle, vectors, lower, n, ad, n + 1, w, none<T>(), size, infos,
                             params, count));
        }
        matrix v = host(ad, n, n * count, n + 1);
        std::vector<real> all = host(w, size_t(n) * count);
        EXPECT(host(infos, count) == std::vector<int>(count, 0));
        for (int i = 0; i < count; i++) {
            matrix one(n, n);
            for (int j = 0; j < n * n; j++)
                one.at[j] = v.at[size_t(i) * n * n + j];
            auto begin = all.begin() + i * n;
            EXPECT(is_decomposition<T>(a[i], one, std::vector<real>(begin, begin + n)));
        }
    }
    CHECK(cusolverDnDestroySyevjInfo(params));
}

template <class T> static void generic(int n) {
    typedef typename kind<T>::real real;
    matrix a = random_symmetric<T>(n);
    T *ad = device<T>(a, n);
    real *w = device<real>(n), above = 0, up_to = real(n);
    int *info = device(std::vector<int>{-5});
    int64_t found = -1;
    size_t size, host_size;
    cudaDataType type = kind<T>::type, real_type = kind<T>::real_type;
    CHECK(cusolverDnXsyevd_bufferSize(handle, NULL, vectors, lower, n, type, ad, n, real_type, w,
                                      type, &size, &host_size));
    CHECK(cusolverDnXsyevd(handle, NULL, vectors, lower, n, type, ad, n, real_type, w, type, NULL,
                           size, NULL, host_size, info));
    std::vector<real> all = host(w, n), some;
    EXPECT(is_decomposition<T>(a, host(ad, n, n, n), all));
    for (real x : all)
        if (x > 0)
            some.push_back(x);
    ad = device<T>(a, n);
    CHECK(cusolverDnXsyevdx(handle, NULL, vectors, CUSOLVER_EIG_RANGE_V, lower, n, type, ad, n,
                            &above, &up_to, 0, 0, &found, real_type, w, type, NULL, size, NULL,
                            host_size, info));
    EXPECT(found == int64_t(some.size()));
    EXPECT(agree(host(w, found), some, kind<T>::error));
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    ALL_TYPES(one, 1, lower);
    ALL_TYPES(one, 34, lower);
    ALL_TYPES(one, 21, upper);
    for (cusolverEigType_t type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3})
        ALL_TYPES(two, 17, type);
    ALL_TYPES(jacobi, 19, vectors);
    ALL_TYPES(jacobi, 12, values);
    ALL_TYPES(batch, 5, 9);
    ALL_TYPES(generic, 15);
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
