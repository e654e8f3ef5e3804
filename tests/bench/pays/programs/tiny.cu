// Thousands of launches on 4 KiB: a step with neighbours from one array to the other, and back.
#include "pays.h"

__global__ void step(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 0.5f * in[i] + 0.25f * (in[(i + n - 1) % n] + in[(i + 1) % n]);
}

int main(int argc, char **argv) {
    const int n = 1024, steps = by_size(argc, argv, 5000, 30000, 100000);
    const std::vector<float> start = uniforms(n);
    start_clock();
    float *a = copy_of(start), *b = allocate<float>(n);
    for (int i = 0; i < steps; i += 2) {
        step<<<n / 128, 128>>>(a, b, n);
        step<<<n / 128, 128>>>(b, a, n);
    }
    return report(a, n);
}
