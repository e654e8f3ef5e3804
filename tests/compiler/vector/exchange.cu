// Lanes that exchange what their block shares do so without asking first whether any of them does.
// In memory that others may see they ask.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
#include <cuda_runtime.h>

__device__ void order(unsigned *chunk, unsigned j) {
    unsigned i = 2 * threadIdx.x - (threadIdx.x & (j - 1)), low = chunk[i], high = chunk[i + j];
    if (low > high) {
        chunk[i] = high;
        chunk[i + j] = low;
    }
}

// CHECK-LABEL: define {{.*}} @_Z12order_sharedPjj.region1{{.*}}.full(
// CHECK-NOT: label %some
// CHECK: ret
__global__ void order_shared(unsigned *numbers, unsigned j) {
    __shared__ unsigned chunk[1024];
    chunk[threadIdx.x] = numbers[threadIdx.x];
    chunk[threadIdx.x + 512] = numbers[threadIdx.x + 512];
    __syncthreads();
    order(chunk, j);
    __syncthreads();
    numbers[threadIdx.x] = chunk[threadIdx.x];
    numbers[threadIdx.x + 512] = chunk[threadIdx.x + 512];
}

// CHECK-LABEL: define {{.*}} @_Z9order_allPjj.region0{{.*}}.full(
// CHECK: label %some
// CHECK: ret
__global__ void order_all(unsigned *numbers, unsigned j) {
    order(numbers, j);
}
