// Systems of equations and least squares that cuSOLVER refines.
#include "solver.h"

ROUTINE(gesv_bufferSize, SSgesv_bufferSize, DSgesv_bufferSize, CCgesv_bufferSize, ZCgesv_bufferSize)
ROUTINE(gesv, SSgesv, DSgesv, CCgesv, ZCgesv)
ROUTINE(gels, SHgels, DDgels, CKgels, ZZgels)

static cusolverDnHandle_t handle;

template <class T> static void solution(int n, int columns) {
    matrix a = random_matrix<T>(n, n), x = random_matrix<T>(n, columns), b = a * x;
    T *ad = device<T>(a, n + 1), *bd = device<T>(b, n + 2);
    T *xd = device<T>(matrix(n, columns), n + 3), *none = NULL;
    int *pivots = device<int>(n), *info = device(std::vector<int>{-5}), iterations = -9;
    size_t size = 0;
    CHECK(gesv_bufferSize<T>(handle, n, columns, ad, n + 1, pivots, bd, n + 2, xd, n + 3,
                             (void *)none, &size));
    CHECK(gesv<T>(handle, n, columns, ad, n + 1, pivots, bd, n + 2, xd, n + 3, device<char>(size),
                  size, &iterations, info));
    EXPECT(only(info) == 0 && iterations >= 0);
    EXPECT(is_close(host(xd, n, columns, n + 3), x, 10 * kind<T>::error));
    EXPECT(is_close(host(ad, n, n, n + 1), a, 1e-6));
    EXPECT(is_close(host(bd, n, columns, n + 2), b, 1e-6));
}

// The residual of the closest solution is orthogonal to all columns.
template <class T> static void closest(int m, int n) {
    matrix a = random_matrix<T>(m, n), b = random_matrix<T>(m, 2);
    T *ad = device<T>(a, m), *bd = device<T>(b, m + 1), *xd = device<T>(matrix(n, 2), n);
    int *info = device(std::vector<int>{-5}), iterations = -9;
    CHECK(gels<T>(handle, m, n, 2, ad, m, bd, m + 1, xd, n, (void *)NULL, 0, &iterations, info));
    EXPECT(only(info) == 0 && iterations >= 0);
    matrix residual = a * host(xd, n, 2, n);
    for (size_t i = 0; i < residual.at.size(); i++)
        residual.at[i] -= b.at[i];
    EXPECT(is_close(adjoint(a) * residual, matrix(n, 2), 10 * kind<T>::error));
    EXPECT(gels<T>(handle, n, m, 2, ad, m, bd, m + 1, xd, m, (void *)NULL, 0, &iterations, info) ==
           CUSOLVER_STATUS_INVALID_VALUE);
}

template <class T> static cusolverPrecType_t precision() {
    bool is_narrow = sizeof(typename kind<T>::real) == sizeof(float);
    if (kind<T>::is_complex)
        return is_narrow ? CUSOLVER_C_32F : CUSOLVER_C_64F;
    return is_narrow ? CUSOLVER_R_32F : CUSOLVER_R_64F;
}

/// A system of equations, and least squares, with parameters.
template <class T> static void parameters(int m, int n) {
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    matrix a = random_matrix<T>(m, n), x = random_matrix<T>(n, 2), b = a * x;
    T *ad = device<T>(a, m), *bd = device<T>(b, m), *xd = device<T>(matrix(n, 2), n);
    int *info = device(std::vector<int>{-5}), iterations = -9;
    size_t size = 0;
    CHECK(cusolverDnIRSParamsCreate(&params));
    CHECK(cusolverDnIRSInfosCreate(&infos));
    EXPECT(cusolverDnIRSXgesv_bufferSize(handle, params, n, 2, &size) ==
           CUSOLVER_STATUS_IRS_PARAMS_INVALID); // nothing is set
    EXPECT(cusolverDnIRSInfosGetNiters(infos, &iterations) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES));
    if (m == n) {
        CHECK(cusolverDnIRSParamsSetSolverPrecisions(params, precision<T>(), CUSOLVER_R_16F));
    } else {
        CHECK(cusolverDnIRSParamsSetSolverMainPrecision(params, precision<T>()));
        CHECK(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_R_16F));
    }
    CHECK(cusolverDnIRSParamsSetMaxIters(params, 17));
    CHECK(cusolverDnIRSParamsGetMaxIters(params, &iterations));
    EXPECT(iterations == 17);
    CHECK(cusolverDnIRSParamsSetMaxItersInner(params, 5));
    CHECK(cusolverDnIRSParamsSetTol(params, 1e-5));
    CHECK(cusolverDnIRSParamsSetTolInner(params, 1e-3));
    CHECK(cusolverDnIRSParamsDisableFallback(params));
    CHECK(cusolverDnIRSParamsEnableFallback(params));
    if (m == n) {
        CHECK(cusolverDnIRSXgesv_bufferSize(handle, params, n, 2, &size));
        CHECK(cusolverDnIRSXgesv(handle, params, infos, n, 2, ad, m, bd, m, xd, n,
                                 device<char>(size), size, &iterations, info));
    } else {
        CHECK(cusolverDnIRSXgels_bufferSize(handle, params, m, n, 2, &size));
        CHECK(cusolverDnIRSXgels(handle, params, infos, m, n, 2, ad, m, bd, m, xd, n,
                                 device<char>(size), size, &iterations, info));
    }
    EXPECT(only(info) == 0 && iterations == 0);
    EXPECT(is_close(host(xd, n, 2, n), x, 10 * kind<T>::error));
    CHECK(cusolverDnIRSInfosGetNiters(infos, &iterations));
    EXPECT(iterations == 0);
    CHECK(cusolverDnIRSInfosGetOuterNiters(infos, &iterations));
    EXPECT(iterations == 0);
    CHECK(cusolverDnIRSInfosGetMaxIters(infos, &iterations));
    EXPECT(iterations == 17);
    CHECK(cusolverDnIRSInfosDestroy(infos));
    CHECK(cusolverDnIRSParamsDestroy(params));
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    ALL_TYPES(solution, 1, 1);
    ALL_TYPES(solution, 27, 4);
    ALL_TYPES(closest, 30, 11);
    ALL_TYPES(parameters, 14, 14);
    ALL_TYPES(parameters, 25, 14);
    // A matrix of zeros has no solution; X stays.
    double *a = device<double>(identity(2), 2), *b = device<double>(identity(2), 2);
    CHECK(cudaMemset(a, 0, 4 * sizeof *a));
    double *x = device<double>(identity(2), 2);
    int *info = device<int>(1), *pivots = device<int>(2), iterations;
    CHECK(cusolverDnDDgesv(handle, 2, 2, a, 2, pivots, b, 2, x, 2, NULL, 0, &iterations, info));
    EXPECT(only(info) == 1);
    EXPECT(host(x, 2, 2, 2).at == identity(2).at);
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
