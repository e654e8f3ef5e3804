// Transposes through shared memory, there and back: each node needs a part of all others' rows.
#include "pays.h"

constexpr int tile = 32;

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float cells[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile;
    for (int i = threadIdx.y; i < tile; i += blockDim.y)
        cells[i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile;
    for (int i = threadIdx.y; i < tile; i += blockDim.y)
        out[(y + i) * n + x] = cells[threadIdx.x][i] + 1;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 512, 1024, 2048), steps = by_size(argc, argv, 60, 120, 60);
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    float *a = copy_of(start), *b = allocate<float>((size_t)n * n);
    for (int i = 0; i < steps; i += 2) {
        transpose<<<dim3(n / tile, n / tile), dim3(tile, 8)>>>(a, b, n);
        transpose<<<dim3(n / tile, n / tile), dim3(tile, 8)>>>(b, a, n);
    }
    return report(a, (size_t)n * n);
}
