#include <cuda_runtime.h>

#pragma gcluster writes(p[blockIdx.x * n : n])
__global__ void kernel(int *p, int n) {
    p[blockIdx.x * n + threadIdx.x] = 1;
}

int main() {
    int *p;
    cudaMalloc(&p, 64 * sizeof *p);
    kernel<<<2, 32>>>(p, 32);
    return cudaDeviceSynchronize();
}
