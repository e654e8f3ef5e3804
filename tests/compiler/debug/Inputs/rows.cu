// The sum of each row, a block a row.
#include <cstdio>

__global__ void sum_rows(const float *rows, float *sums, int width) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = rows[blockIdx.x * width + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

int main() {
    const int width = 24, height = 10;
    float *rows, *sums;
    cudaMallocManaged(&rows, width * height * sizeof *rows);
    cudaMallocManaged(&sums, height * sizeof *sums);
    for (int i = 0; i < width * height; i++)
        rows[i] = 1;
    sum_rows<<<height, width>>>(rows, sums, width);
    cudaDeviceSynchronize();
    printf("row 3: %g instead of %d\n", sums[3], width);
}
