// RUN: %gcluster-cc -O2 %s -o %t && not %t 2>&1 | FileCheck %s
// A failed assert names expression, file, line, block, thread and launch, and the launch fails.
// CHECK: assert.cu:[[#@LINE+9]]
// CHECK-SAME: i != 37
// CHECK-SAME: kernel kernel, block (1, 0, 0), thread (5, 0, 0), launched at {{.*}}assert.cu:[[#@LINE+14]]
// CHECK: cudaErrorAssert
#include <assert.h>
#include <stdio.h>

__global__ void kernel(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i != 37);
    out[i] = i;
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    kernel<<<2, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
