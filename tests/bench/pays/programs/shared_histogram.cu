// Counters of a block in shared memory, added to those in global memory; again and again.
#include "pays.h"

constexpr int bin_count = 256;

__global__ void count(const unsigned char *values, unsigned *bins, int n, int shift) {
    __shared__ unsigned own[bin_count];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] >> shift], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 19, 2 << 20, 4 << 20);
    const int steps = by_size(argc, argv, 64, 80, 160);
    std::vector<unsigned char> start(n);
    for (int i = 0; i < n; i++)
        start[i] = (unsigned char)noise(i);
    start_clock();
    unsigned char *values = copy_of(start);
    unsigned *bins = zeros<unsigned>(bin_count * steps);
    for (int i = 0; i < steps; i++)
        count<<<128, bin_count>>>(values, bins + i * bin_count, n, i % 8);
    return report(bins, bin_count * steps);
}
