// Rows of different lengths, a row a block: from one element to a thousand.
#include "pays.h"

__global__ void normalise(float *values, const int *begins) {
    __shared__ float sums[64];
    int begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];
    float own = 0;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        own += values[i];
    sums[threadIdx.x] = own;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    float mean = sums[0] / (end - begin);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        values[i] = 0.5f * (values[i] + mean);
}

int main(int argc, char **argv) {
    const int rows = by_size(argc, argv, 1 << 12, 1 << 13, 1 << 14);
    const int steps = by_size(argc, argv, 40, 100, 250);
    std::vector<int> row_begins(rows + 1);
    for (int row = 0; row < rows; row++)
        row_begins[row + 1] =
            row_begins[row] + 1 + (int)(noise(row) % 8 ? noise(row) % 64 : noise(row) % 1000);
    const std::vector<float> start = uniforms(row_begins[rows]);
    start_clock();
    float *values = copy_of(start);
    int *begins = copy_of(row_begins);
    for (int i = 0; i < steps; i++)
        normalise<<<rows, 64>>>(values, begins);
    return report(values, row_begins[rows]);
}
