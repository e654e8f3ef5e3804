// Sparse factors as L and U, and matrices of the same pattern that are factored along them.
#include "rows.h"

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <algorithm>

static cusolverSpHandle_t handle;

/// L and U, by row; P A Q^T = L U.
template <class T> struct factors {
    std::vector<int> p, q, offsets[2], indices[2];
    std::vector<T> values[2];
};

static cusolverStatus_t factor(const rows &a, const std::vector<double> &values,
                               csrluInfoHost_t info) {
    return cusolverSpDcsrluFactorHost(handle, a.n, a.nnz(), a.descriptor, values.data(),
                                      a.offsets.data(), a.indices.data(), info, 1.0, NULL);
}
static cusolverStatus_t factor(const rows &a, const std::vector<cuDoubleComplex> &values,
                               csrluInfoHost_t info) {
    return cusolverSpZcsrluFactorHost(handle, a.n, a.nnz(), a.descriptor, values.data(),
                                      a.offsets.data(), a.indices.data(), info, 1.0, NULL);
}

static cusolverStatus_t extract(const rows &a, factors<double> &f, csrluInfoHost_t info) {
    return cusolverSpDcsrluExtractHost(handle, f.p.data(), f.q.data(), a.descriptor,
                                       f.values[0].data(), f.offsets[0].data(), f.indices[0].data(),
                                       a.descriptor, f.values[1].data(), f.offsets[1].data(),
                                       f.indices[1].data(), info, NULL);
}
static cusolverStatus_t extract(const rows &a, factors<cuDoubleComplex> &f, csrluInfoHost_t info) {
    return cusolverSpZcsrluExtractHost(handle, f.p.data(), f.q.data(), a.descriptor,
                                       f.values[0].data(), f.offsets[0].data(), f.indices[0].data(),
                                       a.descriptor, f.values[1].data(), f.offsets[1].data(),
                                       f.indices[1].data(), info, NULL);
}

template <class T> static factors<T> split(const rows &a) {
    factors<T> f;
    int counts[2];
    csrluInfoHost_t info;
    CHECK(cusolverSpCreateCsrluInfoHost(&info));
    CHECK(factor(a, a.narrow<T>(), info));
    CHECK(cusolverSpXcsrluNnzHost(handle, &counts[0], &counts[1], info));
    f.p.resize(a.n), f.q.resize(a.n);
    for (int s = 0; s < 2; s++) {
        f.offsets[s].resize(a.n + 1);
        f.indices[s].resize(counts[s]);
        f.values[s].resize(counts[s]);
    }
    CHECK(extract(a, f, info));
    CHECK(cusolverSpDestroyCsrluInfoHost(info));
    return f;
}

/// A grid in which some rows need a pivot from another one.
template <class T> static rows pivoting_grid(int base) {
    rows a = grid<T>(9, base, 0.25);
    for (int i = 0; i < a.n; i += 3)
        for (int k = a.offsets[i] - base; k < a.offsets[i + 1] - base; k++)
            if (a.indices[k] - base == i)
                a.values[k] = 0.125;
    return a;
}

template <class T>
static matrix dense(int n, int base, const std::vector<int> &offsets,
                    const std::vector<int> &indices, const std::vector<T> &values) {
    matrix m(n, n);
    for (int i = 0; i < n; i++)
        for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
            m(i, indices[k] - base) = kind<T>::widen(values[k]);
    return m;
}

template <class T> static void triangles(int base) {
    rows a = pivoting_grid<T>(base);
    factors<T> f = split<T>(a);
    matrix whole = dense(a.n, base, a.offsets, a.indices, a.narrow<T>());
    matrix l = dense(a.n, base, f.offsets[0], f.indices[0], f.values[0]);
    matrix u = dense(a.n, base, f.offsets[1], f.indices[1], f.values[1]);
    EXPECT(f.offsets[0][a.n] - base == int(f.indices[0].size()));
    EXPECT(f.offsets[1][a.n] - base == int(f.indices[1].size()));
    EXPECT(f.p != f.q);
    for (int i = 0; i < a.n; i++) {
        for (int j = 0; j < a.n; j++) {
            number sum = u(i, j);
            for (int k = 0; k < i; k++)
                sum += l(i, k) * u(k, j);
            EXPECT(std::abs(sum - whole(f.p[i], f.q[j])) < 1e-12);
        }
    }
}

/// What a handle has been set up with.
struct refactoring {
    rows a;
    factors<double> f;
    cusolverRfHandle_t rf;
    int *offsets, *indices, *p, *q;

    refactoring() : a(pivoting_grid<double>(0)), f(split<double>(a)) {
        CHECK(cusolverRfCreate(&rf));
        CHECK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                        CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
        offsets = device(a.offsets), indices = device(a.indices);
        p = device(f.p), q = device(f.q);
    }
    cusolverStatus_t set_up(rows &m, int batch) {
        std::vector<double> values = m.narrow<double>();
        std::vector<double *> arrays(batch, values.data());
        return cusolverRfBatchSetupHost(
            batch, m.n, m.nnz(), m.offsets.data(), m.indices.data(), arrays.data(),
            int(f.indices[0].size()), f.offsets[0].data(), f.indices[0].data(), f.values[0].data(),
            int(f.indices[1].size()), f.offsets[1].data(), f.indices[1].data(), f.values[1].data(),
            f.p.data(), f.q.data(), rf);
    }
    /// Other values.
    rows change(double step) const {
        rows b = a;
        for (int k = 0; k < b.nnz(); k++)
            b.values[k] *= 1 + 0.2 * std::sin(step * (k + 1));
        return b;
    }
};

static std::vector<double> real_of(const matrix &x, int n) {
    std::vector<double> result(n);
    for (int i = 0; i < n; i++)
        result[i] = x(i, 0).real();
    return result;
}

static void expect_close(const double *on_device, const matrix &x, int n) {
    std::vector<double> found = host(on_device, n);
    for (int i = 0; i < n; i++)
        EXPECT(std::abs(found[i] - x(i, 0)) < 1e-8);
}

static void one() {
    refactoring r;
    int n = r.a.n;
    CHECK(r.set_up(r.a, 1));
    CHECK(cusolverRfAnalyze(r.rf));
    for (double step : {0.0, 1.0, 2.0}) {
        rows b = r.change(step);
        double *values = device(b.narrow<double>());
        matrix x = random_matrix<double>(n, 1);
        double *xd = device(real_of(b.times(x), n));
        CHECK(cusolverRfResetValues(n, b.nnz(), r.offsets, r.indices, values, r.p, r.q, r.rf));
        CHECK(cusolverRfRefactor(r.rf));
        CHECK(cusolverRfSolve(r.rf, r.p, r.q, 1, NULL, n, xd, n));
        expect_close(xd, x, n);
    }
    int counts[2], *offsets[2], *indices[2];
    double *values[2];
    CHECK(cusolverRfExtractSplitFactorsHost(r.rf, &counts[0], &offsets[0], &indices[0], &values[0],
                                            &counts[1], &offsets[1], &indices[1], &values[1]));
    for (int s = 0; s < 2; s++) {
        EXPECT(counts[s] == int(r.f.indices[s].size()));
        EXPECT(std::equal(indices[s], indices[s] + counts[s], r.f.indices[s].begin()));
        free(offsets[s]), free(indices[s]), free(values[s]);
    }
    int count, *od, *id;
    double *vd;
    CHECK(cusolverRfAccessBundledFactorsDevice(r.rf, &count, &od, &id, &vd));
    EXPECT(count == counts[0] + counts[1] && host(od, n + 1)[n] == count);
    CHECK(cusolverRfDestroy(r.rf));
}

static void several() {
    refactoring r;
    int n = r.a.n;
    CHECK(r.set_up(r.a, 2));
    rows b[2] = {r.change(1), r.change(2)};
    matrix x[2] = {random_matrix<double>(n, 1), random_matrix<double>(n, 1)};
    std::vector<double *> values, right;
    for (int m = 0; m < 2; m++) {
        values.push_back(device(b[m].narrow<double>()));
        right.push_back(device(real_of(b[m].times(x[m]), n)));
    }
    int positions[2];
    CHECK(cusolverRfBatchResetValues(2, n, r.a.nnz(), r.offsets, r.indices, device(values), r.p,
                                     r.q, r.rf));
    CHECK(cusolverRfBatchAnalyze(r.rf));
    CHECK(cusolverRfBatchRefactor(r.rf));
    CHECK(cusolverRfBatchZeroPivot(r.rf, positions));
    EXPECT(positions[0] == -1 && positions[1] == -1);
    CHECK(cusolverRfBatchSolve(r.rf, r.p, r.q, 1, NULL, n, device(right), n));
    for (int m = 0; m < 2; m++)
        expect_close(right[m], x[m], n);
    CHECK(cusolverRfDestroy(r.rf));
}

/// Set up from the host, or from the device, and read back.
static void places(bool is_on_device) {
    refactoring r;
    int n = r.a.n;
    std::vector<double> values = r.a.narrow<double>();
    std::vector<int> *offsets = r.f.offsets, *indices = r.f.indices;
    if (is_on_device)
        CHECK(cusolverRfSetupDevice(
            n, r.a.nnz(), r.offsets, r.indices, device(values), int(indices[0].size()),
            device(offsets[0]), device(indices[0]), device(r.f.values[0]), int(indices[1].size()),
            device(offsets[1]), device(indices[1]), device(r.f.values[1]), r.p, r.q, r.rf));
    else
        CHECK(cusolverRfSetupHost(n, r.a.nnz(), r.a.offsets.data(), r.a.indices.data(),
                                  values.data(), int(indices[0].size()), offsets[0].data(),
                                  indices[0].data(), r.f.values[0].data(), int(indices[1].size()),
                                  offsets[1].data(), indices[1].data(), r.f.values[1].data(),
                                  r.f.p.data(), r.f.q.data(), r.rf));
    CHECK(cusolverRfAnalyze(r.rf));
    CHECK(cusolverRfRefactor(r.rf));
    matrix x = random_matrix<double>(n, 1);
    double *xd = device(real_of(r.a.times(x), n)), *bundled;
    CHECK(cusolverRfSolve(r.rf, r.p, r.q, 1, NULL, n, xd, n));
    expect_close(xd, x, n);
    int count, *starts, *columns;
    CHECK(cusolverRfExtractBundledFactorsHost(r.rf, &count, &starts, &columns, &bundled));
    EXPECT(count == int(indices[0].size() + indices[1].size()) && starts[n] == count);
    for (int i = 0, lower = 0, upper = 0; i < n; i++) {
        for (int k = starts[i]; k < starts[i + 1]; k++) {
            bool is_lower = columns[k] < i;
            double first = is_lower ? r.f.values[0][lower++] : r.f.values[1][upper++];
            EXPECT(std::abs(bundled[k] - first) < 1e-12);
        }
    }
    free(starts), free(columns), free(bundled);
    CHECK(cusolverRfDestroy(r.rf));
}

static void settings() {
    refactoring r;
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t diagonal;
    cusolverRfFactorization_t factorization;
    cusolverRfTriangularSolve_t solve;
    cusolverRfResetValuesFastMode_t mode;
    double zero, boost;
    CHECK(cusolverRfGetMatrixFormat(r.rf, &format, &diagonal));
    EXPECT(format == CUSOLVERRF_MATRIX_FORMAT_CSR);
    EXPECT(diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L);
    CHECK(cusolverRfSetAlgs(r.rf, CUSOLVERRF_FACTORIZATION_ALG2, CUSOLVERRF_TRIANGULAR_SOLVE_ALG3));
    CHECK(cusolverRfGetAlgs(r.rf, &factorization, &solve));
    EXPECT(factorization == CUSOLVERRF_FACTORIZATION_ALG2);
    EXPECT(solve == CUSOLVERRF_TRIANGULAR_SOLVE_ALG3);
    CHECK(cusolverRfSetResetValuesFastMode(r.rf, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
    CHECK(cusolverRfGetResetValuesFastMode(r.rf, &mode));
    EXPECT(mode == CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
    CHECK(cusolverRfSetNumericProperties(r.rf, 1e-9, 0.5));
    CHECK(cusolverRfGetNumericProperties(r.rf, &zero, &boost));
    EXPECT(zero == 1e-9 && boost == 0.5);
    EXPECT(cusolverRfSetNumericProperties(r.rf, -1, 0) == CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(cusolverRfGetAlgs(NULL, &factorization, &solve) == CUSOLVER_STATUS_NOT_INITIALIZED);
    CHECK(cusolverRfDestroy(r.rf));
}

static void faults() {
    refactoring r;
    int n = r.a.n, position = -7;
    EXPECT(cusolverRfSetMatrixFormat(r.rf, CUSOLVERRF_MATRIX_FORMAT_CSC,
                                     CUSOLVERRF_UNIT_DIAGONAL_STORED_L) ==
           CUSOLVER_STATUS_NOT_SUPPORTED);
    EXPECT(cusolverRfRefactor(r.rf) == CUSOLVER_STATUS_NOT_INITIALIZED);
    rows other(n, 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            other.add(j, 1);
        other.end_row();
    }
    EXPECT(r.set_up(other, 1) == CUSOLVER_STATUS_INVALID_VALUE); // outside of L and U
    rows zeros = r.a;
    for (number &x : zeros.values)
        x = 0;
    CHECK(r.set_up(zeros, 1));
    EXPECT(cusolverRfRefactor(r.rf) == CUSOLVER_STATUS_ZERO_PIVOT);
    EXPECT(cusolverRfBatchZeroPivot(r.rf, &position) == CUSOLVER_STATUS_ZERO_PIVOT);
    EXPECT(position == 0);
    cusolverRfNumericBoostReport_t report;
    CHECK(cusolverRfSetNumericProperties(r.rf, 1e-12, 1.0));
    CHECK(r.set_up(zeros, 1));
    CHECK(cusolverRfRefactor(r.rf));
    CHECK(cusolverRfGetNumericBoostReport(r.rf, &report));
    EXPECT(report == CUSOLVERRF_NUMERIC_BOOST_USED);
    CHECK(cusolverRfDestroy(r.rf));
}

int main() {
    CHECK(cusolverSpCreate(&handle));
    for (int base = 0; base < 2; base++) {
        triangles<double>(base);
        triangles<cuDoubleComplex>(base);
    }
    one();
    several();
    places(false);
    places(true);
    settings();
    faults();
    CHECK(cusolverSpDestroy(handle));
    puts("done");
}
