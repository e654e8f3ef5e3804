#include <cuda_runtime.h>

__device__ float twice(float x);

__global__ void planes(float *a, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h)
        a[(z * h + y) * w + x] = 1;
}
