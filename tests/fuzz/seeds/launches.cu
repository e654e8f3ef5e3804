#include <stdio.h>
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess)                                                                  \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                  \
    } while (0)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)
template <class T, int N> __global__ void scale(T *p, T factor) {
    p[blockIdx.x * blockDim.x + threadIdx.x] *= factor + N;
}
namespace ns {
__global__ void add(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}
} // namespace ns
int main() {
    float *a, *b;
    dim3 grid(4), block{32, 2};
    cudaStream_t stream;
    CHECK(cudaMalloc(&a, 1024 * sizeof(float)));
    CHECK(cudaMalloc((void **)&b, 1024 * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));
    ns::add<<<grid, block, 0, stream>>>(a, b, 256);
    scale<float, 3><<<dim3{4, 1}, 256>>>(a, 2.0f);
    LAUNCH(ns::add, 1000, a, b, 1000);
    auto f = [&](auto x) { scale<float, 1><<<1, 1, sizeof(x)>>>(a, x); };
    f(1.0f);
    CHECK(cudaDeviceSynchronize());
    return cudaFree(a) + cudaFree(b);
}
