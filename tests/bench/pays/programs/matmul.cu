// C = A B by tiles in shared memory.
#include "pays.h"

constexpr int tile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float rows[tile][tile], columns[tile][tile];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += tile) {
        rows[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        columns[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += rows[threadIdx.y][k] * columns[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 768, 1280, 2048);
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    float *a = copy_of(start), *b = copy_of(start), *c = allocate<float>((size_t)n * n);
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
    return report(c, (size_t)n * n);
}
