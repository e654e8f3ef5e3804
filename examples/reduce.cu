// The sum of many numbers: each thread adds up a share, each warp adds up its lanes by shuffles,
// each block its warps through shared memory, and a second launch adds up the blocks. No atomics,
// so the order of the additions, and with it the rounding, is the same in every run.
#include "common/check.h"

#include <vector>

constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;

__device__ float sum_of_warp(float value) {
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(all_lanes, value, distance);
    return value; // complete in lane 0
}

// Leaves the sum of each block's share in sums[block].
__global__ void sum(const float *values, size_t count, float *sums) {
    __shared__ float warp_sums[warp_size]; // a block has at most 32 warps
    int lane = threadIdx.x % warp_size;
    int warp = threadIdx.x / warp_size;

    float value = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        value += values[i];

    value = sum_of_warp(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int warps = blockDim.x / warp_size;
        value = sum_of_warp(lane < warps ? warp_sums[lane] : 0);
        if (lane == 0)
            sums[blockIdx.x] = value;
    }
}

int main() {
    const size_t count = (1 << 22) + 77;
    const int blocks = 128, threads = 256;

    std::vector<float> values(count);
    double reference = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)(i % 1013) / 1013;
        reference += values[i];
    }

    float *device_values, *block_sums, *total;
    CHECK(cudaMalloc(&device_values, count * sizeof(float)));
    CHECK(cudaMalloc(&block_sums, blocks * sizeof(float)));
    CHECK(cudaMalloc(&total, sizeof(float)));
    CHECK(cudaMemcpy(device_values, values.data(), count * sizeof(float), cudaMemcpyHostToDevice));

    sum<<<blocks, threads>>>(device_values, count, block_sums);
    CHECK(cudaGetLastError());
    sum<<<1, threads>>>(block_sums, blocks, total);
    CHECK(cudaGetLastError());

    float result;
    CHECK(cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_values));
    CHECK(cudaFree(block_sums));
    CHECK(cudaFree(total));
    return verdict("reduce", largest_error(&result, &reference, 1), 1e-5);
}
