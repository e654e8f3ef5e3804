// Conditions for code to run.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void early_return(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (threadIdx.x == 3)
        a[i] = 0;
    a[i + n] = 0;
}
// CHECK: kernel early_return:
// CHECK-NEXT:  write a[4*sext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n if threadIdx.x == 3
// CHECK-NEXT:  write a[4*sext(blockIdx.x*blockDim.x + threadIdx.x + n)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n

__global__ void short_circuit(float *a, int n) {
    if (threadIdx.x < n || threadIdx.y == 3)
        a[threadIdx.x] = 1;
}
// CHECK: kernel short_circuit:
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes if threadIdx.x <u n | threadIdx.y == 3

__global__ void choice(int *a, int k, int n) {
    int i = threadIdx.x, at;
    switch (k) {
    case 0:
        at = i;
        break;
    case 1:
        at = n - i;
        break;
    case 5:
        at = 2 * i;
        break;
    default:
        return;
    }
    a[at] = 1;
}
// CHECK: kernel choice:
// CHECK-NEXT:  write a[4*sext(k == 0 ? threadIdx.x : k == 1 ? n - threadIdx.x : 2*threadIdx.x)] 4 bytes if k == 1 | k == 0 | k == 5

__global__ void joined(float *a, int n) {
    int i;
    if (threadIdx.x < n) {
        a[0] = 1;
        __syncthreads();
        i = threadIdx.x;
    } else {
        a[1] = 1;
        __syncthreads();
        i = n;
    }
    a[i] = 0;
}
// CHECK: kernel joined:
// CHECK-NEXT:  write a[0] 4 bytes if threadIdx.x <u n
// CHECK-NEXT:  write a[4] 4 bytes if !(threadIdx.x <u n)
// CHECK-NEXT:  write a[4*sext(!(threadIdx.x <u n) ? n : threadIdx.x)] 4 bytes

__global__ void by_data(const int *flags, const float *values, float *a, float *b) {
    if (flags[threadIdx.x] > 0)
        a[threadIdx.x] = 1;
    if (values[threadIdx.x] > 0)
        b[threadIdx.x] = 1;
}
// CHECK: kernel by_data:
// CHECK-NEXT:  read flags[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes if 0 < flags[4*threadIdx.x]
// CHECK-NEXT:  read values[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write b[4*threadIdx.x] 4 bytes if ?data_guard
// CHECK-NEXT:  GCL212 DATA_GUARD of access 3

__global__ void optional(float *a, const float *mask) {
    if (mask != nullptr)
        a[threadIdx.x] = mask[threadIdx.x];
}
// CHECK: kernel optional:
// CHECK-NEXT:  read mask[4*threadIdx.x] 4 bytes if !(mask == 0)
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes if !(mask == 0)
