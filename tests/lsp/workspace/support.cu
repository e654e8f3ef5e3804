#include <cooperative_groups.h>
#include <curand_kernel.h>

float max(float a, int b);

__global__ void fill(float *values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_down_sync(~0u, threadIdx.x, 1);
    cooperative_groups::this_thread_block().sync();
}

int main() {
    float *values;
    cudaMalloc(&values, 1024);
    cudaProfilerStart();
    fill<<<1, 256>>>(values);
    cudnnCreate(nullptr);
    max(1.0f, 2);
    return cudaDeviceSynchronize();
}
