// How often each byte value occurs. All threads of a block count into one histogram in shared
// memory, where atomics are cheap; at the end each block adds its counts to the global one, which
// costs 256 global atomics a block instead of one a byte.
#include "common/check.h"

#include <vector>

constexpr int bins = 256;

__global__ void count_bytes(const unsigned char *bytes, size_t size, unsigned *counts) {
    __shared__ unsigned block_counts[bins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        block_counts[bin] = 0;
    __syncthreads();

    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride)
        atomicAdd(&block_counts[bytes[i]], 1u);
    __syncthreads();

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        atomicAdd(&counts[bin], block_counts[bin]);
}

int main() {
    const size_t size = (1 << 21) + 13;

    std::vector<unsigned char> bytes(size);
    std::vector<unsigned> counts(bins), reference(bins);
    unsigned state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        // The product of two even distributions: small values are frequent, so threads do collide.
        bytes[i] = (unsigned char)((state >> 24) * (state >> 16 & 255) >> 8);
        reference[bytes[i]]++;
    }

    unsigned char *device_bytes;
    unsigned *device_counts;
    CHECK(cudaMalloc(&device_bytes, size));
    CHECK(cudaMalloc(&device_counts, bins * sizeof(unsigned)));
    CHECK(cudaMemcpy(device_bytes, bytes.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_counts, 0, bins * sizeof(unsigned)));

    count_bytes<<<64, 192>>>(device_bytes, size, device_counts);
    CHECK(cudaGetLastError());

    CHECK(
        cudaMemcpy(counts.data(), device_counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_bytes));
    CHECK(cudaFree(device_counts));
    return verdict("histogram", largest_error(counts.data(), reference.data(), bins), 0);
}
