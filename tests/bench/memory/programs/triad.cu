// Three arrays, each from its first number to its last.
#include "host.h"

__global__ void triad(double *a, const double *b, const double *c, double scalar) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    a[i] = b[i] + scalar * c[i];
}

int main(int argc, char **argv) {
    start(argc, argv);
    size_t n = all_bytes / 3 / sizeof(double) / 8192 * 8192;
    array<double> a(n), b(n), c(n);
    fill(b, 1);
    fill(c, 2);
    return measure([&] { triad<<<blocks(n), 256>>>(a, b, c, 3.0); }, a);
}
