// Bitonic sort, a launch a step: partners lie ever farther apart, then near again.
#include "pays.h"

__global__ void exchange(unsigned *keys, int distance, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
    if (partner <= i)
        return;
    unsigned a = keys[i], b = keys[partner];
    if ((a > b) == ((i & length) == 0)) {
        keys[i] = b;
        keys[partner] = a;
    }
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 17, 1 << 19, 1 << 20);
    std::vector<unsigned> start(n);
    for (int i = 0; i < n; i++)
        start[i] = noise(i);
    start_clock();
    unsigned *keys = copy_of(start);
    for (int length = 2; length <= n; length *= 2)
        for (int distance = length / 2; distance > 0; distance /= 2)
            exchange<<<n / 256, 256>>>(keys, distance, length);
    return report(keys, n);
}
