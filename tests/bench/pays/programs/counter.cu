// All threads add to one counter.
#include "pays.h"

__global__ void count(const unsigned *values, unsigned *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] % 3 == 0)
        atomicAdd(sum, values[i] & 0xff);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 19, 1 << 20, 1 << 21);
    const int steps = by_size(argc, argv, 30, 130, 260);
    std::vector<unsigned> start(n);
    for (int i = 0; i < n; i++)
        start[i] = noise(i);
    start_clock();
    unsigned *values = copy_of(start), *sums = zeros<unsigned>(steps);
    for (int i = 0; i < steps; i++)
        count<<<(n + 255) / 256, 256>>>(values, sums + i, n);
    return report(sums, steps);
}
