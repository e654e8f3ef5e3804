// Lengths of Collatz sequences: threads of a block, and blocks, differ in how long they take.
#include "pays.h"

__global__ void lengths(int *length, long long first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int steps = 0;
    for (long long value = first + (long long)i * i; value != 1; steps++)
        value = value % 2 ? 3 * value + 1 : value / 2;
    length[i] = steps;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 18, 1 << 20, 3 << 20);
    start_clock();
    int *length = allocate<int>(n);
    lengths<<<(n + 127) / 128, 128>>>(length, 1, n);
    return report(length, n);
}
