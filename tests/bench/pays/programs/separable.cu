// A filter over rows, then over columns, as CUDA's samples have it: tiles in shared memory.
#include "pays.h"

constexpr int radius = 8, width = 16, rows_high = 4;
__constant__ float weights[2 * radius + 1];

__global__ void over_rows(const float *in, float *out, int n) {
    __shared__ float cells[rows_high][3 * width];
    int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * rows_high + threadIdx.y;
    for (int part = -1; part <= 1; part++) {
        int column = x + part * width;
        cells[threadIdx.y][threadIdx.x + (part + 1) * width] =
            column >= 0 && column < n ? in[y * n + column] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += weights[radius + k] * cells[threadIdx.y][threadIdx.x + width + k];
    out[y * n + x] = sum;
}

__global__ void over_columns(const float *in, float *out, int n) {
    __shared__ float cells[3 * width][width];
    int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * width + threadIdx.y;
    for (int part = -1; part <= 1; part++) {
        int row = y + part * width;
        cells[threadIdx.y + (part + 1) * width][threadIdx.x] =
            row >= 0 && row < n ? in[row * n + x] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += weights[radius + k] * cells[threadIdx.y + width + k][threadIdx.x];
    out[y * n + x] = sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 512, 1024, 1536), steps = by_size(argc, argv, 30, 50, 80);
    const std::vector<float> start = uniforms((size_t)n * n);
    std::vector<float> kernel = uniforms(2 * radius + 1);
    for (float &weight : kernel)
        weight /= radius;
    start_clock();
    check(cudaMemcpyToSymbol(weights, kernel.data(), kernel.size() * sizeof(float)));
    float *image = copy_of(start), *between = allocate<float>((size_t)n * n);
    for (int i = 0; i < steps; i++) {
        over_rows<<<dim3(n / width, n / rows_high), dim3(width, rows_high)>>>(image, between, n);
        over_columns<<<dim3(n / width, n / width), dim3(width, width)>>>(between, image, n);
    }
    return report(image, (size_t)n * n);
}
