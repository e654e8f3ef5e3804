// c = a + b, once: little but copies in and out.
#include "pays.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 3 << 20, 12 << 20, 24 << 20);
    const std::vector<float> start = uniforms(n);
    start_clock();
    float *a = copy_of(start), *b = copy_of(start), *c = allocate<float>(n);
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    return report(c, n);
}
