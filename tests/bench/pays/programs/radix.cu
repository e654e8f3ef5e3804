// Radix sort by eight bits at a time: counts of each block, their offsets, and a stable scatter.
#include "pays.h"

#include <utility>

constexpr int digits = 256, threads = 64, share = 64, chunk = threads * share;

// counts[digit * blocks + block], so that a scan in that order gives the offsets.
__global__ void count(const unsigned *keys, int *counts, int shift, int blocks) {
    __shared__ int own[digits];
    for (int d = threadIdx.x; d < digits; d += threads)
        own[d] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < chunk; i += threads)
        atomicAdd(&own[keys[blockIdx.x * chunk + i] >> shift & (digits - 1)], 1);
    __syncthreads();
    for (int d = threadIdx.x; d < digits; d += threads)
        counts[d * blocks + blockIdx.x] = own[d];
}

__global__ void scan(int *counts, int count) {
    __shared__ int sums[digits];
    int each = count / digits, begin = threadIdx.x * each, sum = 0;
    for (int i = begin; i < begin + each; i++)
        sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    int offset = 0;
    for (int t = 0; t < threadIdx.x; t++)
        offset += sums[t];
    for (int i = begin; i < begin + each; i++) {
        int own = counts[i];
        counts[i] = offset;
        offset += own;
    }
}

// One thread a digit, in the order of the keys: slow and stable.
__global__ void scatter(const unsigned *in, const int *offsets, unsigned *out, int shift,
                        int blocks) {
    __shared__ unsigned char own[chunk];
    for (int i = threadIdx.x; i < chunk; i += digits)
        own[i] = in[blockIdx.x * chunk + i] >> shift;
    __syncthreads();
    int to = offsets[threadIdx.x * blocks + blockIdx.x];
    for (int i = 0; i < chunk; i++)
        if (own[i] == threadIdx.x)
            out[to++] = in[blockIdx.x * chunk + i];
}

int main(int argc, char **argv) {
    const int blocks = by_size(argc, argv, 32, 192, 640), n = blocks * chunk;
    std::vector<unsigned> start(n);
    for (int i = 0; i < n; i++)
        start[i] = noise(i);
    start_clock();
    unsigned *in = copy_of(start), *out = allocate<unsigned>(n);
    int *counts = allocate<int>(digits * blocks);
    for (int shift = 0; shift < 32; shift += 8) {
        count<<<blocks, threads>>>(in, counts, shift, blocks);
        scan<<<1, digits>>>(counts, digits * blocks);
        scatter<<<blocks, digits>>>(in, counts, out, shift, blocks);
        std::swap(in, out);
    }
    return report(in, n);
}
