#include "../problem/stencil3d.h"
#include "host.h"

// A thread walks along z and keeps the cells before, at and behind it in registers.
__global__ void step(const float *__restrict__ in, float *__restrict__ out, int n, float centre,
                     float neighbour) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || x >= n - 1 || y == 0 || y >= n - 1)
        return;
    size_t plane = (size_t)n * n, i = (size_t)y * n + x;
    float before = in[i], here = in[i + plane];
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        float behind = in[i + plane];
        out[i] = centre * here +
                 neighbour * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + before + behind);
        before = here;
        here = behind;
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> a(p.cells), b(p.cells);
    dim3 grid(p.n / 32, p.n / 8), block(32, 8);
    measure(
        [&] {
            for (int i = 0; i < p.steps; i += 2) {
                step<<<grid, block>>>(a, b, p.n, p.centre, p.neighbour);
                step<<<grid, block>>>(b, a, p.n, p.centre, p.neighbour);
            }
        },
        [&] {
            a.set(p.start.data());
            b.set(p.start.data());
        });
    a.get(p.a);
    return bench::report(p);
}
