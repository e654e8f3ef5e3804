// A kernel whose program would be too large for a table has one without offsets.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

#define STEP(n)                                                                                    \
    if (m / n > 3)                                                                                 \
        a[m * n + threadIdx.x] = b[m % n];
#define TEN(n)                                                                                     \
    STEP(n##0) STEP(n##1) STEP(n##2) STEP(n##3) STEP(n##4) STEP(n##5) STEP(n##6) STEP(n##7)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7)

__global__ void large(int *a, const int *b, int *c, int m) {
    HUNDRED(1)
    HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5) HUNDRED(6) HUNDRED(7) HUNDRED(8) atomicAdd(c, 1);
    if (atomicAdd(a, 1) == 3)
        a[m] = 5;
}
// CHECK: kernel large:
// CHECK-NEXT:  read b[]   large.cu
// CHECK-NEXT:  write a[]   large.cu
// CHECK-NEXT:  add c[]   large.cu
// CHECK-NEXT:  atomic a[]   large.cu
// CHECK-NEXT:  GCL201 ATOMIC_RESULT of access 3
// CHECK-NEXT:  GCL217 SIZE
