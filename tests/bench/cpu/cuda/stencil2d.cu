#include "../problem/stencil2d.h"
#include "host.h"

__global__ void step(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                 in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> a(p.cells), b(p.cells);
    dim3 grid(p.n / 32, p.n / 8), block(32, 8);
    measure(
        [&] {
            for (int i = 0; i < p.steps; i += 2) {
                step<<<grid, block>>>(a, b, p.n);
                step<<<grid, block>>>(b, a, p.n);
            }
        },
        [&] {
            a.set(p.start.data());
            b.set(p.start.data());
        });
    a.get(p.a);
    return bench::report(p);
}
