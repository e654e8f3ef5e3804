// Systems of equations with sparse matrices, and orders of their rows.
#include "rows.h"

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <algorithm>

#define SPARSE(name)                                                                               \
    template <class T, class... A> cusolverStatus_t name(A... arguments) {                         \
        if constexpr (std::is_same_v<T, float>)                                                    \
            return cusolverSpS##name(arguments...);                                                \
        else if constexpr (std::is_same_v<T, double>)                                              \
            return cusolverSpD##name(arguments...);                                                \
        else if constexpr (std::is_same_v<T, cuComplex>)                                           \
            return cusolverSpC##name(arguments...);                                                \
        else                                                                                       \
            return cusolverSpZ##name(arguments...);                                                \
    }
SPARSE(csrlsvqr)
SPARSE(csrlsvchol)
SPARSE(csrlsvqrHost)
SPARSE(csrlsvluHost)
SPARSE(csrlsvcholHost)

template <class T, class... A> static cusolverStatus_t solve(int way, A... arguments) {
    switch (way) {
    case 0:
        return csrlsvqr<T>(arguments...);
    case 1:
        return csrlsvchol<T>(arguments...);
    case 2:
        return csrlsvqrHost<T>(arguments...);
    case 3:
        return csrlsvluHost<T>(arguments...);
    default:
        return csrlsvcholHost<T>(arguments...);
    }
}

static cusolverSpHandle_t handle;

template <class T> static void systems(int side, int base, double skew) {
    typedef typename kind<T>::real real;
    rows a = grid<T>(side, base, skew);
    matrix x = random_matrix<T>(a.n, 1), b = a.times(x);
    std::vector<T> values = a.narrow<T>(), bs(a.n), xs(a.n);
    for (int i = 0; i < a.n; i++)
        bs[i] = kind<T>::narrow(b(i, 0));
    T *vd = device(values), *bd = device(bs), *xd = device<T>(a.n);
    int *od = device(a.offsets), *id = device(a.indices);
    for (int way = 0; way < 5; way++) {
        int singularity = -7;
        bool is_host = way >= 2;
        if ((way == 1 || way == 4) && skew != 0)
            continue;
        CHECK(solve<T>(way, handle, a.n, a.nnz(), a.descriptor, is_host ? values.data() : vd,
                       is_host ? a.offsets.data() : od, is_host ? a.indices.data() : id,
                       is_host ? bs.data() : bd, real(1e-6), way % 2, is_host ? xs.data() : xd,
                       &singularity));
        EXPECT(singularity == -1);
        std::vector<T> found = is_host ? xs : host(xd, a.n);
        matrix is(a.n, 1);
        for (int i = 0; i < a.n; i++)
            is(i, 0) = kind<T>::widen(found[i]);
        EXPECT(is_close(is, x, kind<T>::error));
        CHECK(cudaMemset(xd, 0, a.n * sizeof(T)));
        std::fill(xs.begin(), xs.end(), kind<T>::narrow(0));
    }
}

// Factors that serve twice; on the host unless there is none.
#define STEPS(kind, H, factors, where)                                                             \
    do {                                                                                           \
        csr##kind##Info##H##_t info;                                                               \
        int position = -7;                                                                         \
        CHECK(cusolverSpCreateCsr##kind##Info##H(&info));                                          \
        factors;                                                                                   \
        CHECK(cusolverSpDcsr##kind##ZeroPivot##H(handle, info, 1e-9, &position));                  \
        EXPECT(position == -1);                                                                    \
        for (int i = 0; i < 2; i++) {                                                              \
            std::vector<double> b(a.n), x(a.n);                                                    \
            matrix wanted = random_matrix<double>(a.n, 1), right = a.times(wanted);                \
            for (int k = 0; k < a.n; k++)                                                          \
                b[k] = right(k, 0).real();                                                         \
            where;                                                                                 \
            for (int k = 0; k < a.n; k++)                                                          \
                EXPECT(std::abs(x[k] - wanted(k, 0)) < 1e-10);                                     \
        }                                                                                          \
        CHECK(cusolverSpDestroyCsr##kind##Info##H(info));                                          \
    } while (0)

static void steps() {
    rows a = grid<double>(9, 1, 0);
    std::vector<double> values = a.narrow<double>();
    int *o = a.offsets.data(), *i = a.indices.data(), *od = device(a.offsets);
    int *id = device(a.indices), n = a.n, nnz = a.nnz();
    double *v = values.data(), *vd = device(values);
    size_t internal_size, size;
    STEPS(
        chol, Host,
        {
            CHECK(cusolverSpXcsrcholAnalysisHost(handle, n, nnz, a.descriptor, o, i, info));
            CHECK(cusolverSpDcsrcholBufferInfoHost(handle, n, nnz, a.descriptor, v, o, i, info,
                                                   &internal_size, &size));
            CHECK(cusolverSpDcsrcholFactorHost(handle, n, nnz, a.descriptor, v, o, i, info, NULL));
        },
        CHECK(cusolverSpDcsrcholSolveHost(handle, n, b.data(), x.data(), info, NULL)));
    STEPS(lu, Host,
          CHECK(cusolverSpDcsrluFactorHost(handle, n, nnz, a.descriptor, v, o, i, info, 1, NULL)),
          CHECK(cusolverSpDcsrluSolveHost(handle, n, b.data(), x.data(), info, NULL)));
    STEPS(chol, ,
          CHECK(cusolverSpDcsrcholFactor(handle, n, nnz, a.descriptor, vd, od, id, info, NULL)), {
              double *xd = device(b);
              CHECK(cusolverSpDcsrcholSolve(handle, n, xd, xd, info, NULL));
              x = host(xd, n);
              EXPECT(cusolverSpDcsrcholSolve(handle, n - 1, xd, xd, info, NULL) ==
                     CUSOLVER_STATUS_INVALID_VALUE);
          });
    STEPS(
        qr, ,
        {
            CHECK(cusolverSpXcsrqrAnalysis(handle, n, n, nnz, a.descriptor, od, id, info));
            CHECK(cusolverSpDcsrqrSetup(handle, n, n, nnz, a.descriptor, vd, od, id, 0.0, info));
            CHECK(cusolverSpDcsrqrFactor(handle, n, n, nnz, NULL, NULL, info, NULL));
        },
        {
            double *xd = device(b);
            CHECK(cusolverSpDcsrqrSolve(handle, n, n, xd, xd, info, NULL));
            x = host(xd, n);
        });
}

// The second row is the first; and one that is symmetric, and not definite.
static void singular() {
    rows a(3, 0);
    for (int i = 0; i < 3; i++) {
        a.add(0, 1);
        a.add(1, i < 2 ? 2 : 5);
        if (i == 2)
            a.add(2, 1);
        a.end_row();
    }
    std::vector<double> values = a.narrow<double>(), b(3, 1.0), x(3, 8.0);
    int singularity = -7;
    CHECK(cusolverSpDcsrlsvluHost(handle, 3, a.nnz(), a.descriptor, values.data(), a.offsets.data(),
                                  a.indices.data(), b.data(), 1e-12, 0, x.data(), &singularity));
    EXPECT(singularity >= 0 && singularity < 3 && x == std::vector<double>(3, 8.0));
    rows c = grid<double>(5, 0, 0);
    values = c.narrow<double>();
    for (int k = c.offsets[7]; k < c.offsets[8]; k++)
        if (c.indices[k] == 7)
            values[k] = -5;
    b.resize(c.n), x.resize(c.n);
    CHECK(cusolverSpDcsrlsvcholHost(handle, c.n, c.nnz(), c.descriptor, values.data(),
                                    c.offsets.data(), c.indices.data(), b.data(), 1e-12, 0,
                                    x.data(), &singularity));
    EXPECT(singularity >= 0 && singularity < c.n);
}

/// How far from the diagonal elements lie.
static int width(const rows &a) {
    int most = 0;
    for (int i = 0; i < a.n; i++)
        for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++)
            most = std::max(most, std::abs(a.indices[k] - a.base - i));
    return most;
}

static void orders() {
    rows a = grid<double>(12, 1, 0), was = a;
    int is_symmetric = -1;
    CHECK(cusolverSpXcsrissymHost(handle, a.n, a.nnz(), a.descriptor, a.offsets.data(),
                                  a.offsets.data() + 1, a.indices.data(), &is_symmetric));
    EXPECT(is_symmetric == 1);
    std::vector<int> p(a.n), sorted, map(a.nnz());
    CHECK(cusolverSpXcsrsymrcmHost(handle, a.n, a.nnz(), a.descriptor, a.offsets.data(),
                                   a.indices.data(), p.data()));
    sorted = p;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < a.n; i++)
        EXPECT(sorted[i] == i);
    for (int k = 0; k < a.nnz(); k++)
        map[k] = k;
    size_t size;
    CHECK(cusolverSpXcsrperm_bufferSizeHost(handle, a.n, a.n, a.nnz(), a.descriptor,
                                            a.offsets.data(), a.indices.data(), p.data(), p.data(),
                                            &size));
    CHECK(cusolverSpXcsrpermHost(handle, a.n, a.n, a.nnz(), a.descriptor, a.offsets.data(),
                                 a.indices.data(), p.data(), p.data(), map.data(), NULL));
    EXPECT(width(was) > 100 && width(a) < 20);
    matrix x = random_matrix<double>(a.n, 1), moved(a.n, 1);
    for (int i = 0; i < a.n; i++)
        moved(i, 0) = x(p[i], 0);
    for (int k = 0; k < a.nnz(); k++)
        a.values[k] = was.values[map[k]];
    matrix y = was.times(x), z = a.times(moved);
    for (int i = 0; i < a.n; i++)
        EXPECT(std::abs(z(i, 0) - y(p[i], 0)) < 1e-12);
    was.indices[1] = was.indices[0];
    CHECK(cusolverSpXcsrissymHost(handle, a.n, a.nnz(), was.descriptor, was.offsets.data(),
                                  was.offsets.data() + 1, was.indices.data(), &is_symmetric));
    EXPECT(is_symmetric == 0);
}

int main() {
    cudaStream_t stream;
    CHECK(cusolverSpCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cusolverSpSetStream(handle, stream));
    for (int base = 0; base < 2; base++) {
        ALL_TYPES(systems, 1, base, 0.0);
        ALL_TYPES(systems, 15, base, 0.0);
        ALL_TYPES(systems, 13, base, 0.25);
    }
    steps();
    singular();
    orders();
    int p[1];
    EXPECT(cusolverSpXcsrsymamdHost(handle, 1, 1, NULL, p, p, p) == CUSOLVER_STATUS_NOT_SUPPORTED);
    CHECK(cusolverSpDestroy(handle));
    puts("done");
}
