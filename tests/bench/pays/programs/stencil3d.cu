// Seven-point stencil in three dimensions.
#include "pays.h"

#include <utility>

__global__ void step(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z, i = (z * n + y) * n + x;
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                        in[i - n * n] + in[i + n * n]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 64, 96, 128), steps = by_size(argc, argv, 60, 160, 220);
    const std::vector<float> start = uniforms((size_t)n * n * n);
    start_clock();
    float *in = copy_of(start), *out = copy_of(start);
    for (int i = 0; i < steps; i++) {
        step<<<dim3(n / 32, n / 4, n), dim3(32, 4)>>>(in, out, n);
        std::swap(in, out);
    }
    return report(in, (size_t)n * n * n);
}
