// Counters in global memory, which all blocks add to.
#include "pays.h"

__global__ void count(const unsigned char *values, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[values[i]], 1u);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 2 << 20, 24 << 20, 80 << 20), bin_count = 256;
    std::vector<unsigned char> start(n);
    for (int i = 0; i < n; i++)
        start[i] = (unsigned char)noise(i);
    start_clock();
    unsigned char *values = copy_of(start);
    unsigned *bins = zeros<unsigned>(bin_count);
    count<<<256, 256>>>(values, bins, n);
    return report(bins, bin_count);
}
