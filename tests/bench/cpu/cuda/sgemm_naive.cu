#include "../problem/sgemm.h"
#include "host.h"

__global__ void sgemm(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> a(p.a), b(p.b), c(p.count);
    measure([&] { sgemm<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(a, b, c, p.n); });
    c.get(p.c);
    return bench::report(p);
}
