// Odd-even sort: a launch a step, in which neighbours exchange; every second one crosses blocks.
#include "pays.h"

__global__ void exchange(unsigned *keys, int first, int n) {
    int i = first + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 >= n || keys[i] <= keys[i + 1])
        return;
    unsigned key = keys[i];
    keys[i] = keys[i + 1];
    keys[i + 1] = key;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 4096, 8192, 16384);
    std::vector<unsigned> start(n);
    for (int i = 0; i < n; i++)
        start[i] = noise(i);
    start_clock();
    unsigned *keys = copy_of(start);
    for (int step = 0; step < n; step++)
        exchange<<<(n / 2 + 127) / 128, 128>>>(keys, step % 2, n);
    return report(keys, n);
}
