// Lower triangle of A times A transposed: blocks above the diagonal have nothing to do.
#include "pays.h"

__global__ void multiply(const float *a, float *c, int n, int inner) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > y || y >= n)
        return;
    float sum = c[y * n + x];
    for (int k = 0; k < inner; k++)
        sum += a[y * inner + k] * a[x * inner + k];
    c[y * n + x] = sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 384, 768, 1152), inner = n / 2, steps = 4;
    const std::vector<float> start = uniforms((size_t)n * inner);
    start_clock();
    float *a = copy_of(start), *c = zeros<float>((size_t)n * n);
    for (int i = 0; i < steps; i++)
        multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, c, n, inner);
    return report(c, (size_t)n * n);
}
