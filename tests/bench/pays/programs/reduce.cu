// Sums by shuffles and shared memory, and one block that adds up the blocks.
#include "pays.h"

__device__ float sum_of_warp(float value) {
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

__global__ void sum(const float *values, int count, float *sums) {
    __shared__ float warp_sums[32];
    float value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        value += values[i];
    value = sum_of_warp(value);
    if (threadIdx.x % 32 == 0)
        warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = sum_of_warp(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = value;
    }
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 2 << 20, 8 << 20, 16 << 20);
    const int steps = by_size(argc, argv, 30, 24, 40);
    const std::vector<float> start = uniforms(n);
    start_clock();
    float *values = copy_of(start), *sums = allocate<float>(128), *totals = zeros<float>(steps);
    for (int i = 0; i < steps; i++) {
        sum<<<128, 256>>>(values, n - 1000 * i, sums);
        sum<<<1, 256>>>(sums, 128, totals + i);
    }
    return report(totals, steps);
}
