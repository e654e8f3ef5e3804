// Jacobi's method with the residual copied to the host at each step, which decides how to go on.
#include "pays.h"

#include <utility>

__global__ void step(const float *in, const float *right, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                  in[(y + 1) * n + x] + right[y * n + x]);
}

__global__ void residual(const float *a, const float *b, unsigned *worst, int count) {
    __shared__ unsigned shared[256];
    unsigned largest = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        largest = max(largest, __float_as_uint(fabsf(a[i] - b[i]))); // ordered as the floats are
    shared[threadIdx.x] = largest;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] = max(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        atomicMax(worst, shared[0]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 256, 512, 1024);
    const int steps = by_size(argc, argv, 60, 300, 250);
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    float *right = copy_of(start), *in = zeros<float>((size_t)n * n);
    float *out = zeros<float>((size_t)n * n);
    unsigned *worst = allocate<unsigned>(1), residual_bits = ~0u;
    for (int i = 0; i < steps && residual_bits; i++) {
        step<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, right, out, n);
        check(cudaMemset(worst, 0, sizeof(unsigned)));
        residual<<<64, 256>>>(in, out, worst, n * n);
        check(cudaMemcpy(&residual_bits, worst, sizeof(unsigned), cudaMemcpyDeviceToHost));
        std::swap(in, out);
    }
    return report(in, (size_t)n * n);
}
