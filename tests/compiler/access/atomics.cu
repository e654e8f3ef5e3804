// Atomic operations: reductions if nobody asks for the result.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void unused(int *i, unsigned *u, float *f, double *d) {
    atomicAdd(i + threadIdx.x, 2);
    atomicSub(i, 3);
    atomicMin(i, 3);
    atomicMax(u, 3u);
    atomicAnd(u, 3u);
    atomicOr(u, 3u);
    atomicXor(u, 3u);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicExch(i + 1, 4);
}
// CHECK: kernel unused:
// CHECK-NEXT:  add i[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  add i[0] 4 bytes
// CHECK-NEXT:  min i[0] 4 bytes
// CHECK-NEXT:  umax u[0] 4 bytes
// CHECK-NEXT:  and u[0] 4 bytes
// CHECK-NEXT:  or u[0] 4 bytes
// CHECK-NEXT:  xor u[0] 4 bytes
// CHECK-NEXT:  add f[0] 4 bytes
// CHECK-NEXT:  add d[0] 8 bytes
// CHECK-NEXT:  write i[4] 4 bytes

__global__ void used(int *count, int *list) {
    int at = atomicAdd(count, 1);
    list[at] = threadIdx.x;
}
// CHECK: kernel used:
// CHECK-NEXT:  atomic count[0] 4 bytes
// CHECK-NEXT:  write list[?data_index] 4 bytes
// CHECK-NEXT:  GCL211 DATA_INDEX of access 1
// CHECK-NEXT:  GCL201 ATOMIC_RESULT of access 0

__global__ void compared(int *lock) {
    atomicCAS(lock, 0, 1);
}
// CHECK: kernel compared:
// CHECK-NEXT:  atomic lock[0] 4 bytes
// CHECK-NEXT:  GCL202 COMPARE_AND_SWAP of access 0

__global__ void in_shared(int *out) {
    __shared__ int sum;
    int old = atomicAdd(&sum, 1);
    __syncthreads();
    out[threadIdx.x] = sum + old;
}
// CHECK: kernel in_shared:
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes
