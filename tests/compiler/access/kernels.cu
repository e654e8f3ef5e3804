// What keeps a whole kernel on one node.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
// RUN: %gcluster-cc -rdc=true --dump=access %s | FileCheck %s
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void fenced(int *a) {
    a[threadIdx.x] = 1;
    __threadfence();
    a[threadIdx.x + 1] = 1;
}
// CHECK: kernel fenced:
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write a[4*zext(threadIdx.x + 1)] 4 bytes
// CHECK-NEXT:  GCL204 FENCE

__global__ void fenced_in_block(int *a) {
    a[threadIdx.x] = 1;
    __threadfence_block();
    a[threadIdx.x + 1] = 1;
}
// CHECK: kernel fenced_in_block:
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write a[4*zext(threadIdx.x + 1)] 4 bytes

__global__ void waiting(volatile int *flag, int *a) {
    while (*flag == 0) {
    }
    a[threadIdx.x] = 1;
}
// CHECK: kernel waiting:
// CHECK-NEXT:  read flag[0] 4 bytes for i0 while ?data_index
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL211 DATA_INDEX of access 0
// CHECK-NEXT:  GCL203 WAITS

// Warps as a whole look at what the block before has left past the first-level cache.
__global__ void waiting_for_neighbour(int *flags) {
    int seen;
    do {
        __threadfence_block();
        asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(seen) : "l"(flags + blockIdx.x));
    } while (__any_sync(0xffffffff, seen == 0));
    asm volatile("st.global.cg.s32 [%0], %1;" : : "l"(flags + blockIdx.x + 1), "r"(seen));
}
// CHECK: kernel waiting_for_neighbour:
// CHECK: GCL203 WAITS

__global__ void everybody(int *a) {
    cooperative_groups::this_grid().sync();
    a[threadIdx.x] = 1;
}
// CHECK: kernel everybody:
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL205 GRID_BARRIER

__global__ void allocating(int **a) {
    a[threadIdx.x] = (int *)malloc(4);
}
// CHECK: kernel allocating:
// CHECK-NEXT:  write a[8*threadIdx.x] 8 bytes
// CHECK-NEXT:  GCL206 DEVICE_MALLOC

__device__ int depth(int *a, int n) {
    return n ? depth(a, n - 1) * depth(a, a[n]) + 1 : 0;
}
__global__ void recursive(int *a, int n) {
    a[threadIdx.x] = depth(a, n);
}
// CHECK: kernel recursive:
// CHECK-NEXT:  read ?call[]
// CHECK-NEXT:  write ?call[]
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL207 CALL of access 0
// CHECK-NEXT:  GCL207 CALL

__global__ void printing(int n) {
    printf("%d\n", n);
}
// CHECK: kernel printing:
