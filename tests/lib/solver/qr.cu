// Orthogonal matrices of reflections: QR factors, and reductions to two and three diagonals.
#include "solver.h"

SAME(geqrf_bufferSize)
SAME(geqrf)
SAME(gebrd)
ROUTINE(orgqr, Sorgqr, Dorgqr, Cungqr, Zungqr)
ROUTINE(ormqr, Sormqr, Dormqr, Cunmqr, Zunmqr)
ROUTINE(ormqr_bufferSize, Sormqr_bufferSize, Dormqr_bufferSize, Cunmqr_bufferSize,
        Zunmqr_bufferSize)
ROUTINE(orgbr, Sorgbr, Dorgbr, Cungbr, Zungbr)
ROUTINE(sytrd, Ssytrd, Dsytrd, Chetrd, Zhetrd)
ROUTINE(orgtr, Sorgtr, Dorgtr, Cungtr, Zungtr)
ROUTINE(ormtr, Sormtr, Dormtr, Cunmtr, Zunmtr)

static cusolverDnHandle_t handle;

template <class T> static T *none() {
    return NULL;
}

template <class T> static void factors(int m, int n) {
    matrix a = random_matrix<T>(m, n);
    int k = m < n ? m : n, size = 0, *info = device(std::vector<int>{-5});
    T *ad = device<T>(a, m + 2), *tau = device<T>(k);
    CHECK(geqrf_bufferSize<T>(handle, m, n, ad, m + 2, &size));
    CHECK(geqrf<T>(handle, m, n, ad, m + 2, tau, device<T>(size), size, info));
    EXPECT(only(info) == 0);
    matrix f = host(ad, m, n, m + 2), r = triangle(f, CUBLAS_FILL_MODE_UPPER);
    // Q R by the reflections, from both sides.
    T *cd = device<T>(r, m + 1), *td = device<T>(adjoint(r), n + 1);
    cublasOperation_t back = kind<T>::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T;
    CHECK(ormqr_bufferSize<T>(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, k, ad, m + 2, tau, cd,
                              m + 1, &size));
    CHECK(ormqr<T>(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, k, ad, m + 2, tau, cd, m + 1,
                   device<T>(size), size, info));
    EXPECT(only(info) == 0);
    EXPECT(is_close(host(cd, m, n, m + 1), a, kind<T>::error));
    CHECK(ormqr<T>(handle, CUBLAS_SIDE_RIGHT, back, n, m, k, ad, m + 2, tau, td, n + 1, none<T>(),
                   0, info));
    EXPECT(is_close(host(td, n, m, n + 1), adjoint(a), kind<T>::error));
    EXPECT(host(ad, m, n, m + 2).at == f.at);
    CHECK(orgqr<T>(handle, m, k, k, ad, m + 2, tau, none<T>(), 0, info));
    matrix q = host(ad, m, k, m + 2), upper(k, n);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            upper(i, j) = r(i, j);
    EXPECT(is_close(adjoint(q) * q, identity(k), kind<T>::error));
    EXPECT(is_close(q * upper, a, kind<T>::error));
}

// A = Q B P', where B has the diagonals d and, above it, e.
template <class T> static void two_diagonals(int m, int n) {
    typedef typename kind<T>::real real;
    matrix a = random_matrix<T>(m, n), b(n, n);
    int *info = device(std::vector<int>{-5});
    T *ad = device<T>(a, m), *tauq = device<T>(n), *taup = device<T>(n);
    real *d = device<real>(n), *e = device<real>(n);
    CHECK(gebrd<T>(handle, m, n, ad, m, d, e, tauq, taup, none<T>(), 0, info));
    EXPECT(only(info) == 0);
    std::vector<real> ds = host(d, n), es = host(e, n);
    for (int i = 0; i < n; i++) {
        b(i, i) = ds[i];
        if (i + 1 < n)
            b(i, i + 1) = es[i];
    }
    T *pd = device<T>(host(ad, m, n, m), m);
    CHECK(orgbr<T>(handle, CUBLAS_SIDE_LEFT, m, n, n, ad, m, tauq, none<T>(), 0, info));
    CHECK(orgbr<T>(handle, CUBLAS_SIDE_RIGHT, n, n, m, pd, m, taup, none<T>(), 0, info));
    EXPECT(only(info) == 0);
    matrix p(n, n), columns = host(pd, m, n, m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p(i, j) = columns(i, j);
    EXPECT(is_close(host(ad, m, n, m) * b * p, a, kind<T>::error));
}

// A = Q T Q', where T has three diagonals.
template <class T> static void three_diagonals(int n, cublasFillMode_t part) {
    typedef typename kind<T>::real real;
    matrix a = random_symmetric<T>(n), t(n, n);
    int *info = device(std::vector<int>{-5});
    T *ad = device<T>(a, n + 1), *tau = device<T>(n);
    real *d = device<real>(n), *e = device<real>(n);
    CHECK(sytrd<T>(handle, part, n, ad, n + 1, d, e, tau, none<T>(), 0, info));
    EXPECT(only(info) == 0);
    std::vector<real> ds = host(d, n), es = host(e, n);
    for (int i = 0; i < n; i++) {
        t(i, i) = ds[i];
        if (i + 1 < n)
            t(i, i + 1) = t(i + 1, i) = es[i];
    }
    T *cd = device<T>(t, n);
    CHECK(ormtr<T>(handle, CUBLAS_SIDE_LEFT, part, CUBLAS_OP_N, n, n, ad, n + 1, tau, cd, n,
                   none<T>(), 0, info));
    CHECK(orgtr<T>(handle, part, n, ad, n + 1, tau, none<T>(), 0, info));
    EXPECT(only(info) == 0);
    matrix q = host(ad, n, n, n + 1);
    EXPECT(is_close(host(cd, n, n, n) * adjoint(q), a, kind<T>::error));
    EXPECT(is_close(q * t * adjoint(q), a, kind<T>::error));
}

template <class T> static void generic(int m, int n) {
    matrix a = random_matrix<T>(m, n);
    T *ad = device<T>(a, m), *bd = device<T>(a, m), *tau = device<T>(n), *tau_b = device<T>(n);
    int *info = device(std::vector<int>{-5});
    size_t size, host_size;
    cudaDataType type = kind<T>::type;
    CHECK(cusolverDnXgeqrf_bufferSize(handle, NULL, m, n, type, ad, m, type, tau, type, &size,
                                      &host_size));
    CHECK(cusolverDnXgeqrf(handle, NULL, m, n, type, ad, m, type, tau, type, NULL, size, NULL,
                           host_size, info));
    EXPECT(only(info) == 0);
    CHECK(geqrf<T>(handle, m, n, bd, m, tau_b, none<T>(), 0, info));
    EXPECT(host(ad, m, n, m).at == host(bd, m, n, m).at);
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    ALL_TYPES(factors, 40, 13);
    ALL_TYPES(factors, 12, 35);
    ALL_TYPES(factors, 1, 1);
    ALL_TYPES(two_diagonals, 25, 14);
    ALL_TYPES(three_diagonals, 23, CUBLAS_FILL_MODE_LOWER);
    ALL_TYPES(three_diagonals, 23, CUBLAS_FILL_MODE_UPPER);
    ALL_TYPES(generic, 15, 8);
    double *a = device<double>(4);
    int *info = device<int>(1);
    EXPECT(cusolverDnDorgqr(handle, 1, 2, 1, a, 2, a, a, 1, info) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
