// Groups of products, each group with sizes of its own, and matrices times vectors of numbers of 16
// bits.
#include "blas.h"

enum { GROUPS = 3, MOST = 4, SIDE = 9, SPACE = SIDE * SIDE };

static cublasHandle_t handle;

static const cublasOperation_t ways[][GROUPS] = {{CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_N},
                                                 {CUBLAS_OP_T, CUBLAS_OP_N, CUBLAS_OP_N}};
static const int sizes[GROUPS] = {2, 0, MOST}, m[GROUPS] = {5, 7, 3}, n[GROUPS] = {4, 2, 8},
                 k[GROUPS] = {6, 1, 2}, ld[GROUPS] = {SIDE, SIDE, SIDE - 1};

// Matrices in device memory, and their addresses there.
template <class T> struct matrices {
    enum { COUNT = 2 + MOST };
    shared<T> all{COUNT * SPACE};
    T **device;

    matrices() {
        T *host[COUNT];
        for (int i = 0; i < COUNT; i++)
            host[i] = all.device + i * SPACE;
        CHECK(cudaMalloc(&device, sizeof host));
        CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    }
    ~matrices() {
        CHECK(cudaFree(device));
    }
    size_t index(int matrix, int i, int j, int group) const {
        return (size_t)matrix * SPACE + i + j * ld[group];
    }
    // Element (i, j) of the matrix, or of its transpose.
    number at(int matrix, int i, int j, int group, cublasOperation_t operation) const {
        return all.at(operation == CUBLAS_OP_N ? index(matrix, i, j, group)
                                               : index(matrix, j, i, group));
    }
};

template <class In, class Out, class Scale, class Call> static void grouped(const Call &call) {
    matrices<In> a, b;
    matrices<Out> c;
    shared<Scale> alpha(GROUPS), beta(GROUPS);
    for (bool on_device : {false, true}) {
        cublasSetPointerMode(handle,
                             on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
        CHECK(call(on_device ? alpha.device : alpha.host.data(), a.device, b.device,
                   on_device ? beta.device : beta.host.data(), c.device));
        for (int g = 0, first = 0; g < GROUPS; first += sizes[g++])
            for (int each = first; each < first + sizes[g]; each++)
                for (int i = 0; i < m[g]; i++)
                    for (int j = 0; j < n[g]; j++) {
                        number sum = 0;
                        for (int l = 0; l < k[g]; l++)
                            sum +=
                                a.at(each, i, l, g, ways[0][g]) * b.at(each, l, j, g, ways[1][g]);
                        Out &is = c.all.host[c.index(each, i, j, g)];
                        assign(is, alpha.at(g) * sum + beta.at(g) * value(is));
                    }
        EXPECT(agree(c.all));
        for (Out &x : c.all.host) // small again, so that sums are exact
            assign(x, 1);
        c.all.give();
    }
}

#define TYPED(function)                                                                            \
    [](auto alpha, auto a, auto b, auto beta, auto c) {                                            \
        return function(handle, ways[0], ways[1], m, n, k, alpha, a, ld, b, ld, beta, c, ld,       \
                        GROUPS, sizes);                                                            \
    }

template <class In, class Out> static void grouped_ex(cudaDataType in, cudaDataType out) {
    grouped<In, Out, float>([&](auto alpha, auto a, auto b, auto beta, auto c) {
        return cublasGemmGroupedBatchedEx(handle, ways[0], ways[1], m, n, k, alpha,
                                          (const void *const *)a, in, ld, (const void *const *)b,
                                          in, ld, beta, (void *const *)c, out, ld, GROUPS, sizes,
                                          CUBLAS_COMPUTE_32F);
    });
}

// y = 2 op(A) x - y for COUNT matrices of M rows and N columns: at strides, and at pointers.
template <class In, class Out, class Strided, class Batched>
static void times_vector(const Strided &strided, const Batched &batched) {
    enum { M = 5, N = 6, COUNT = 3, X = 2, Y = 3 }; // X and Y are steps
    for (cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        bool is_plain = operation == CUBLAS_OP_N;
        int terms = is_plain ? N : M, results = is_plain ? M : N;
        shared<In> a(M * N * COUNT), x(N * X * COUNT);
        shared<Out> y(N * Y * COUNT);
        void *host[3 * COUNT], **device;
        for (int i = 0; i < COUNT; i++) {
            host[i] = a.device + i * M * N;
            host[COUNT + i] = x.device + i * N * X;
            host[2 * COUNT + i] = y.device + i * N * Y;
        }
        CHECK(cudaMalloc(&device, sizeof host));
        CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
        for (bool is_batched : {false, true}) {
            float alpha = 2, beta = -1;
            if (is_batched)
                CHECK(batched(handle, operation, M, N, &alpha, (const In *const *)device, M,
                              (const In *const *)(device + COUNT), X, &beta,
                              (Out *const *)(device + 2 * COUNT), Y, COUNT));
            else
                CHECK(strided(handle, operation, M, N, &alpha, a.device, M, M * N, x.device, X,
                              N * X, &beta, y.device, Y, N * Y, COUNT));
            for (int b = 0; b < COUNT; b++)
                for (int i = 0; i < results; i++) {
                    number sum = 0;
                    for (int l = 0; l < terms; l++)
                        sum += a.at(b * M * N + (is_plain ? i + l * M : l + i * M)) *
                               x.at((b * N + l) * X);
                    Out &is = y.host[(b * N + i) * Y];
                    assign(is, 2.0 * sum - value(is));
                }
            EXPECT(agree(y, sizeof(Out) == 2 ? 0.01 : 0));
        }
        CHECK(cudaFree(device));
    }
}

int main() {
    CHECK(cublasCreate(&handle));
    grouped<float, float, float>(TYPED(cublasSgemmGroupedBatched));
    grouped<double, double, double>(TYPED(cublasDgemmGroupedBatched));
    grouped_ex<float, float>(CUDA_R_32F, CUDA_R_32F);
    grouped_ex<__half, float>(CUDA_R_16F, CUDA_R_32F);
    float one = 1;
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    EXPECT(cublasSgemmGroupedBatched(handle, ways[0], ways[1], m, n, nullptr, &one, nullptr, ld,
                                     nullptr, ld, &one, nullptr, ld, GROUPS,
                                     sizes) == CUBLAS_STATUS_INVALID_VALUE);
    times_vector<__half, __half>(cublasHSHgemvStridedBatched, cublasHSHgemvBatched);
    times_vector<__half, float>(cublasHSSgemvStridedBatched, cublasHSSgemvBatched);
    times_vector<__nv_bfloat16, __nv_bfloat16>(cublasTSTgemvStridedBatched, cublasTSTgemvBatched);
    times_vector<__nv_bfloat16, float>(cublasTSSgemvStridedBatched, cublasTSSgemvBatched);
    CHECK(cublasDestroy(handle));
    return 0;
}
