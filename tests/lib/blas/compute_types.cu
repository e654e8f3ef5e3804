// Products whose computation is named by the type of a number, as before CUDA 11.
#include "blas.h"

template <class T> static void multiply(cublasHandle_t handle, cudaDataType type, T one, T zero) {
    int n = 4;
    shared<T> a(n * n), b(n * n), c(n * n, false);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            number sum = 0;
            for (int l = 0; l < n; l++)
                sum += a.at(i + l * n) * b.at(l + j * n);
            assign(c.host[i + j * n], sum);
        }
    auto afresh = [&] { CHECK(cudaMemset(c.device, 0, n * n * sizeof(T))); };
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.device, type, n, b.device,
                       type, n, &zero, c.device, type, n, type, CUBLAS_GEMM_DEFAULT));
    EXPECT(agree(c));
    afresh();
    CHECK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.device,
                                     type, n, 0, b.device, type, n, 0, &zero, c.device, type, n, 0,
                                     1, type, CUBLAS_GEMM_DEFAULT));
    EXPECT(agree(c));
    afresh();
    void *pointers[] = {a.device, b.device, c.device}, **on_device;
    CHECK(cudaMalloc(&on_device, sizeof pointers));
    CHECK(cudaMemcpy(on_device, pointers, sizeof pointers, cudaMemcpyHostToDevice));
    CHECK(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, on_device, type, n,
                              on_device + 1, type, n, &zero, on_device + 2, type, n, 1, type,
                              CUBLAS_GEMM_DEFAULT));
    EXPECT(agree(c));
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    for (cublasMath_t mode : {CUBLAS_DEFAULT_MATH, CUBLAS_PEDANTIC_MATH}) {
        CHECK(cublasSetMathMode(handle, mode));
        multiply<float>(handle, CUDA_R_32F, 1, 0);
        multiply<double>(handle, CUDA_R_64F, 1, 0);
        multiply<cuComplex>(handle, CUDA_C_32F, {1, 0}, {0, 0});
        multiply<cuDoubleComplex>(handle, CUDA_C_64F, {1, 0}, {0, 0});
        multiply<__half>(handle, CUDA_R_16F, __float2half(1), __float2half(0));
    }
    cublasComputeType_t compute;
    EXPECT(cublasMigrateComputeType(handle, CUDA_R_16BF, &compute) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasDestroy(handle));
    return 0;
}
