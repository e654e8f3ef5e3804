// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t -100000 2>&1 | FileCheck %s
// RUN: %t 100000 2>&1 | FileCheck %s
// Indices of shared memory that are far off meet nobody's memory.
#include <cstdio>
#include <cstdlib>

// CHECK: access outside of the block's shared memory: kernel astray, block (3, 0, 0)
// CHECK: {{.*}}: an illegal memory access was encountered
__global__ void astray(int *out, int far) {
    __shared__ int rows[64];
    rows[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    if (blockIdx.x == 3)
        rows[(int)threadIdx.x + far] = 1;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = rows[63 - threadIdx.x];
}

int main(int, char **arguments) {
    int *out;
    cudaMalloc(&out, 4 * 64 * sizeof(int));
    cudaMemset(out, 0, 4 * 64 * sizeof(int));
    astray<<<4, 64>>>(out, atoi(arguments[1]));
    fprintf(stderr, "launch: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
