// Five-point stencil, a launch a time step.
#include "pays.h"

#include <utility>

__global__ void step(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                 in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 256, 512, 1024);
    const int steps = by_size(argc, argv, 400, 600, 800);
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    float *in = copy_of(start), *out = copy_of(start);
    for (int i = 0; i < steps; i++) {
        step<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n);
        std::swap(in, out);
    }
    return report(in, (size_t)n * n);
}
