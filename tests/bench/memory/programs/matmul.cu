// A product of matrices, a number a thread: a small square one by a wide one, whose rows are many
// chunks long, so that ranges of columns use less than all of it.
#include "host.h"

enum { WIDTH = 1 << 18 };

__global__ void matmul(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[(size_t)k * WIDTH + x];
    c[(size_t)y * WIDTH + x] = sum;
}

int main(int argc, char **argv) {
    start(argc, argv);
    int n = (int)(all_bytes / 2 / sizeof(float) / WIDTH) / 8 * 8;
    array<float> a((size_t)n * n), b((size_t)n * WIDTH), c((size_t)n * WIDTH);
    fill(a, 1);
    fill(b, 2);
    dim3 block(32, 8), grid(WIDTH / 32, n / 8);
    return measure([&] { matmul<<<grid, block>>>(a, b, c, n); }, c);
}
