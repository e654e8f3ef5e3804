// Products and a system through the vendor's library, and what it doesn't do: products of halves by
// the kernel, sums.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(bool holds, const char *what) {
    if (!holds) {
        printf("wrong: %s\n", what);
        exit(1);
    }
}

template <class T> static T *give(const std::vector<T> &host) {
    T *device;
    check(cudaMalloc(&device, host.size() * sizeof(T)) == cudaSuccess, "cudaMalloc");
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <class T> static std::vector<T> take(const T *device, size_t count) {
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess,
          "cudaMemcpy");
    return host;
}

const int M = 150, N = 70, K = 20, LDA = 160;

template <class T> static T number(int i) {
    return T(float(i * 7919 % 17 - 8));
}

template <class T> static std::vector<T> numbers(size_t count) {
    std::vector<T> host(count);
    for (size_t i = 0; i < count; i++)
        host[i] = number<T>((int)i);
    return host;
}

// C = 2 A^T B + 3 C
template <class T>
static void multiply(cublasHandle_t handle, cudaDataType type, const void *two, const void *three,
                     cublasComputeType_t compute, const char *what) {
    std::vector<T> a = numbers<T>(LDA * M), b = numbers<T>(K * N), c = numbers<T>(M * N);
    T *on_device = give(c);
    check(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, two, give(a), type, LDA, give(b),
                       type, K, three, on_device, type, M, compute,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
          what);
    std::vector<T> is = take(on_device, c.size());
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float sum = 0;
            for (int l = 0; l < K; l++)
                sum += float(a[l + i * LDA]) * float(b[l + j * K]);
            float should = 2 * sum + 3 * float(c[i + j * M]);
            check(float(is[i + j * M]) == float(T(should)), what);
        }
}

int main() {
    cublasHandle_t handle;
    check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    float two = 2, three = 3;
    double twice = 2, thrice = 3;
    multiply<float>(handle, CUDA_R_32F, &two, &three, CUBLAS_COMPUTE_32F, "floats");
    multiply<double>(handle, CUDA_R_64F, &twice, &thrice, CUBLAS_COMPUTE_64F, "doubles");
    multiply<__half>(handle, CUDA_R_16F, &two, &three, CUBLAS_COMPUTE_32F, "halves");
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    multiply<float>(handle, CUDA_R_32F, give(std::vector<float>{2}), give(std::vector<float>{3}),
                    CUBLAS_COMPUTE_32F, "scalars on the device");
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);

    // Ones below the diagonal and on it: differences.
    const int n = 40;
    std::vector<double> ones(n * n, 1), x(n);
    for (int i = 0; i < n; i++)
        x[i] = i * i;
    double *solved = give(x);
    check(cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n,
                      give(ones), n, solved, 1) == CUBLAS_STATUS_SUCCESS,
          "cublasDtrsv");
    x = take(solved, n);
    for (int i = 1; i < n; i++)
        check(x[i] == 2 * i - 1, "a system");

    const int count = 300000;
    float sum;
    check(cublasSdot(handle, count, give(std::vector<float>(count, 2)), 1,
                     give(std::vector<float>(count, 3)), 1, &sum) == CUBLAS_STATUS_SUCCESS,
          "cublasSdot");
    check(sum == 6 * count, "a sum");
    check(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS, "cublasDestroy");
    puts("done");
    return 0;
}
