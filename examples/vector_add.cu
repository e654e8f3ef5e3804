// Adds two vectors: the smallest complete CUDA program.
#include "common/check.h"

#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) // the last block reaches past the end
        sum[i] = a[i] + b[i];
}

int main() {
    const int count = 1000003; // prime: no block size divides it
    const size_t size = count * sizeof(float);

    std::vector<float> a(count), b(count), sum(count), reference(count);
    for (int i = 0; i < count; i++) {
        a[i] = i * 0.5f;
        b[i] = 1000.0f - i * 0.25f;
        reference[i] = a[i] + b[i];
    }

    float *device_a, *device_b, *device_sum;
    CHECK(cudaMalloc(&device_a, size));
    CHECK(cudaMalloc(&device_b, size));
    CHECK(cudaMalloc(&device_sum, size));
    CHECK(cudaMemcpy(device_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b.data(), size, cudaMemcpyHostToDevice));

    const int threads = 256;
    add<<<(count + threads - 1) / threads, threads>>>(device_a, device_b, device_sum, count);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(sum.data(), device_sum, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_sum));

    // One addition rounds the same everywhere, so nothing but equality will do.
    return verdict("vector_add", largest_error(sum.data(), reference.data(), count), 0);
}
