// Prefix sums by three kernels: sums of blocks, the sums' own scan in one block, and the rest.
#include "pays.h"

#include <utility>

constexpr int threads = 256;

// Inclusive scan of a block's values; returns the thread's own.
__device__ unsigned scan_of_block(unsigned value) {
    __shared__ unsigned values[threads];
    values[threadIdx.x] = value;
    for (int distance = 1; distance < threads; distance *= 2) {
        __syncthreads();
        unsigned other = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
        __syncthreads();
        values[threadIdx.x] += other;
    }
    __syncthreads();
    return values[threadIdx.x];
}

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums) {
    int i = blockIdx.x * threads + threadIdx.x;
    out[i] = scan_of_block(in[i]);
    if (threadIdx.x == threads - 1)
        sums[blockIdx.x] = out[i];
}

__global__ void scan_sums(unsigned *sums, int count) {
    int each = count / threads, begin = threadIdx.x * each;
    unsigned sum = 0;
    for (int i = begin; i < begin + each; i++)
        sum += sums[i];
    unsigned before = scan_of_block(sum) - sum;
    for (int i = begin; i < begin + each; i++) {
        unsigned own = sums[i];
        sums[i] = before;
        before += own;
    }
}

__global__ void add_sums(unsigned *out, const unsigned *sums) {
    out[blockIdx.x * threads + threadIdx.x] += sums[blockIdx.x];
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 18, 1 << 20, 1 << 22), blocks = n / threads;
    const int steps = by_size(argc, argv, 20, 60, 50);
    std::vector<unsigned> start(n);
    for (int i = 0; i < n; i++)
        start[i] = noise(i);
    start_clock();
    unsigned *in = copy_of(start), *out = allocate<unsigned>(n), *sums = allocate<unsigned>(blocks);
    for (int i = 0; i < steps; i++) {
        scan_blocks<<<blocks, threads>>>(in, out, sums);
        scan_sums<<<1, threads>>>(sums, blocks);
        add_sums<<<blocks, threads>>>(out, sums);
        std::swap(in, out);
    }
    return report(in, n);
}
