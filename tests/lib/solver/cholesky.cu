// Systems of equations with positive definite matrices, alone and in batches, and inverses.
#include "solver.h"

SAME(potrf_bufferSize)
SAME(potrf)
SAME(potrs)
SAME(potri)
SAME(lauum)
SAME(potrfBatched)
SAME(potrsBatched)

static const cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static cusolverDnHandle_t handle;

/// The whole of a matrix of which a part is given.
static matrix whole(const matrix &a, cublasFillMode_t part) {
    matrix w = triangle(a, part);
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                w(i, j) = std::conj(a(j, i));
    return w;
}

template <class T> static void system_of(int n, int columns, cublasFillMode_t part) {
    matrix a = random_symmetric<T>(n, n), x = random_matrix<T>(n, columns);
    T *ad = device<T>(a, n + 3), *bd = device<T>(a * x, n + 1);
    int size = 0, *info = device(std::vector<int>{-5});
    CHECK(potrf_bufferSize<T>(handle, part, n, ad, n + 3, &size));
    T *work = device<T>(size);
    CHECK(potrf<T>(handle, part, n, ad, n + 3, work, size, info));
    EXPECT(only(info) == 0);
    matrix f = host(ad, n, n, n + 3), t = triangle(f, part);
    matrix product = part == CUBLAS_FILL_MODE_LOWER ? t * adjoint(t) : adjoint(t) * t;
    EXPECT(is_close(product, a, kind<T>::error));
    for (int i = 0; i < n; i++) // the other part stays
        for (int j = 0; j < i; j++)
            EXPECT(part == CUBLAS_FILL_MODE_LOWER ? f(j, i) == a(j, i) : f(i, j) == a(i, j));
    CHECK(potrs<T>(handle, part, n, columns, ad, n + 3, bd, n + 1, info));
    EXPECT(only(info) == 0);
    EXPECT(is_close(host(bd, n, columns, n + 1), x, kind<T>::error));
    CHECK(potri<T>(handle, part, n, ad, n + 3, work, size, info));
    EXPECT(is_close(whole(host(ad, n, n, n + 3), part) * a, identity(n), kind<T>::error));
    T *ud = device<T>(f, n);
    CHECK(lauum<T>(handle, part, n, ud, n, work, size, info));
    product = part == CUBLAS_FILL_MODE_LOWER ? adjoint(t) * t : t * adjoint(t);
    EXPECT(is_close(whole(host(ud, n, n, n), part), product, kind<T>::error));
}

template <class T> static void generic(int n) {
    matrix a = random_symmetric<T>(n, n), x = random_matrix<T>(n, 2);
    T *ad = device<T>(a, n), *bd = device<T>(a * x, n);
    int *info = device(std::vector<int>{-5});
    size_t size, host_size;
    cusolverDnParams_t params;
    CHECK(cusolverDnCreateParams(&params));
    CHECK(cusolverDnSetAdvOptions(params, CUSOLVERDN_POTRF, CUSOLVER_ALG_0));
    cudaDataType type = kind<T>::type;
    CHECK(cusolverDnXpotrf_bufferSize(handle, params, CUBLAS_FILL_MODE_LOWER, n, type, ad, n, type,
                                      &size, &host_size));
    CHECK(cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_LOWER, n, type, ad, n, type,
                           device<char>(size), size, malloc(host_size), host_size, info));
    CHECK(cusolverDnXpotrs(handle, params, CUBLAS_FILL_MODE_LOWER, n, 2, type, ad, n, type, bd, n,
                           info));
    EXPECT(only(info) == 0);
    EXPECT(is_close(host(bd, n, 2, n), x, kind<T>::error));
    matrix lower = triangle(host(ad, n, n, n), CUBLAS_FILL_MODE_LOWER);
    CHECK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, n, type, ad, n,
                           NULL, 0, NULL, 0, info));
    matrix inverse = triangle(host(ad, n, n, n), CUBLAS_FILL_MODE_LOWER);
    EXPECT(is_close(inverse * lower, identity(n), kind<T>::error));
    CHECK(cusolverDnDestroyParams(params));
    EXPECT(cusolverDnXpotrf(handle, NULL, CUBLAS_FILL_MODE_LOWER, n, type, ad, n, CUDA_R_16F, NULL,
                            0, NULL, 0, info) == CUSOLVER_STATUS_INVALID_VALUE);
}

// Matrices of allocations of their own; one isn't positive definite.
template <class T> static void batch(int n, int count) {
    std::vector<matrix> a, x;
    std::vector<T *> as, bs;
    int *info = device(std::vector<int>(count, -5)), *one = device(std::vector<int>{-5});
    for (int i = 0; i < count; i++) {
        a.push_back(random_symmetric<T>(n, i == 9 ? -2 : n));
        x.push_back(random_matrix<T>(n, 1));
        as.push_back(device<T>(a[i], n + 1));
        bs.push_back(device<T>(a[i] * x[i], n));
    }
    T **ad = device(as), **bd = device(bs);
    CHECK(potrfBatched<T>(handle, CUBLAS_FILL_MODE_LOWER, n, ad, n + 1, info, count));
    std::vector<int> infos = host(info, count);
    for (int i = 0; i < count; i++)
        EXPECT(i == 9 ? infos[i] == 1 : infos[i] == 0);
    CHECK(potrsBatched<T>(handle, CUBLAS_FILL_MODE_LOWER, n, 1, ad, n + 1, bd, n, one, count));
    EXPECT(only(one) == 0);
    for (int i = 0; i < count; i++)
        EXPECT(i == 9 || is_close(host(bs[i], n, 1, n), x[i], kind<T>::error));
    for (int i = 0; i < count; i++) {
        CHECK(cudaFree(as[i]));
        CHECK(cudaFree(bs[i]));
    }
}

// A matrix that isn't positive definite, and arguments that can't be.
static void failures() {
    matrix a = identity(5);
    a(3, 3) = -1;
    double *ad = device<double>(a, 5);
    int *info = device(std::vector<int>{-5});
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    CHECK(cusolverDnDpotrf(handle, lower, 5, ad, 5, ad, 1, info));
    EXPECT(only(info) == 4);
    EXPECT(cusolverDnDpotrf(handle, lower, 5, ad, 4, ad, 1, info) == CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(cusolverDnDpotrf(handle, lower, -1, ad, 4, ad, 1, info) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(cusolverDnDpotrf(handle, lower, 5, NULL, 5, ad, 1, info) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(cusolverDnDpotrf(NULL, lower, 5, ad, 5, ad, 1, info) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT(only(info) == 4);
    CHECK(cusolverDnDpotrf(handle, lower, 0, NULL, 1, ad, 1, info));
    EXPECT(only(info) == 0);
    EXPECT(cusolverDnDlaswp(handle, 5, ad, 5, 1, 2, info, 1) == CUSOLVER_STATUS_NOT_SUPPORTED);
}

__global__ void fill(double *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n)
        a[i] = i % (n + 1) == 0 ? n : 1.0 / (1 + i % n + i / n);
}

__global__ void sum_rows(const double *x, double *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i] = n * x[i] + 1;
}

// A routine is in the order of its stream, between kernels whose parts run on several nodes.
static void streams() {
    enum { N = 96 };
    cudaStream_t stream, found;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cusolverDnSetStream(handle, stream));
    CHECK(cusolverDnGetStream(handle, &found));
    EXPECT(found == stream);
    double *a = device<double>(N * N), *sums = device<double>(N);
    double *b = device(std::vector<double>(N, 1.0));
    int *info = device<int>(1);
    matrix full(N, N), x(N, 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            full(i, j) = i == j ? double(N) : 1.0 / (1 + i + j);
    fill<<<36, 256, 0, stream>>>(a, N);
    CHECK(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_UPPER, N, a, N, NULL, 0, info));
    CHECK(cusolverDnDpotrs(handle, CUBLAS_FILL_MODE_UPPER, N, 1, a, N, b, N, info));
    sum_rows<<<6, 16, 0, stream>>>(b, sums, N);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(only(info) == 0);
    std::vector<double> results = host(sums, N);
    for (int i = 0; i < N; i++)
        x(i, 0) = (results[i] - 1) / N;
    matrix ones(N, 1);
    for (number &one : ones.at)
        one = 1;
    EXPECT(is_close(full * x, ones, 1e-12));
    CHECK(cusolverDnSetStream(handle, NULL));
}

int main() {
    CHECK(cusolverDnCreate(&handle));
    int version, major;
    CHECK(cusolverGetVersion(&version));
    CHECK(cusolverGetProperty(MAJOR_VERSION, &major));
    EXPECT(version / 1000 == major);
    for (cublasFillMode_t part : parts) {
        ALL_TYPES(system_of, 1, 1, part);
        ALL_TYPES(system_of, 37, 5, part);
    }
    ALL_TYPES(generic, 20);
    ALL_TYPES(batch, 6, 17);
    failures();
    streams();
    CHECK(cusolverDnDestroy(handle));
    puts("done");
}
