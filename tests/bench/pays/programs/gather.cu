// Reads through an index array that stays the same.
#include "pays.h"

#include <utility>

__global__ void gather(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 0.5f * (in[index[i]] + in[i]);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 18, 1 << 20, 1 << 21);
    const int steps = by_size(argc, argv, 20, 25, 50);
    std::vector<int> indices(n);
    for (int i = 0; i < n; i++)
        indices[i] = noise(i) % n;
    const std::vector<float> start = uniforms(n);
    start_clock();
    int *index = copy_of(indices);
    float *in = copy_of(start), *out = allocate<float>(n);
    for (int i = 0; i < steps; i++) {
        gather<<<(n + 255) / 256, 256>>>(in, index, out, n);
        std::swap(in, out);
    }
    return report(in, n);
}
