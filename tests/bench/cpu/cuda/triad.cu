#include "../problem/triad.h"
#include "host.h"

__global__ void triad(double *a, const double *b, const double *c, double scalar) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] + scalar * c[i];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<double> a(p.n), b(p.b), c(p.c);
    measure([&] { triad<<<p.n / 256, 256>>>(a, b, c, p.scalar); });
    a.get(p.a);
    return bench::report(p);
}
