// Where accesses stand: in the function that the programmer wrote, not in CUDA's headers.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

__device__ void add(int *to, int value) {
    atomicAdd(to, value);
}
__global__ void place(int *a, const float *x) {
    *a = 5;
    add(a + threadIdx.x, 3);
    if (x[threadIdx.x] > 0)
        a[threadIdx.x] = 1;
}
// CHECK: kernel place:
// CHECK-NEXT: write a[0] 4 bytes   place.cu:[[@LINE-6]]:8
// CHECK-NEXT: add a[4*threadIdx.x] 4 bytes   place.cu:[[@LINE-10]]:5
// CHECK-NEXT: read x[4*threadIdx.x] 4 bytes   place.cu:[[@LINE-6]]:9
// CHECK-NEXT: write a[4*threadIdx.x] 4 bytes if ?data_guard   place.cu:[[@LINE-6]]:24
// CHECK-NEXT: GCL212 DATA_GUARD of access 3   place.cu:[[@LINE-8]]:24
