// Writes through a permutation: no block's bytes are known before its indices are read.
#include "pays.h"

#include <utility>

__global__ void scatter(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i] + 1;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 18, 1 << 20, 1 << 21);
    const int steps = by_size(argc, argv, 40, 70, 100);
    std::vector<int> indices(n);
    for (int i = 0; i < n; i++)
        indices[i] = i;
    for (int i = n - 1; i > 0; i--)
        std::swap(indices[i], indices[noise(i) % (i + 1)]);
    const std::vector<float> start = uniforms(n);
    start_clock();
    int *index = copy_of(indices);
    float *in = copy_of(start), *out = allocate<float>(n);
    for (int i = 0; i < steps; i++) {
        scatter<<<(n + 255) / 256, 256>>>(in, index, out, n);
        std::swap(in, out);
    }
    return report(in, n);
}
