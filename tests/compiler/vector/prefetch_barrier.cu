// What a loop around a barrier reads in its next turn is read early if it is far away, and so is
// what the next block reads.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector -DSTEP=64 %s | FileCheck --check-prefix=NEAR %s
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector -DSTEP='data[k]' %s | FileCheck --check-prefix=NEAR %s
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector -DBLOCKS %s | FileCheck %s
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector -DBLOCKS -DSIZE=500 %s | FileCheck --check-prefix=FAR %s
#include <cuda_runtime.h>

#ifndef STEP
#define STEP n
#endif
#ifndef SIZE
#define SIZE 64
#endif

// CHECK: call void @llvm.prefetch.p0(
// NEAR-NOT: llvm.prefetch
// Blocks that read 2000 bytes each: five of them ahead.
// FAR: getelementptr i8, ptr %{{[0-9]+}}, i64 10000
// FAR: call void @llvm.prefetch.p0(
#ifdef BLOCKS
__global__ void pairs(int *out, const int *data) {
    __shared__ int tile[64];
    int t = threadIdx.x, i = blockIdx.x * SIZE + t;
    tile[t] = data[i];
    __syncthreads();
    out[i] = tile[t ^ 1];
}
#else
__global__ void sums(int *out, const int *data, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0, at = t;
    for (int k = 0; k < n; k++) {
        tile[t] = data[at];
        __syncthreads();
        sum += tile[t ^ 1];
        __syncthreads();
        at += STEP;
    }
    out[t] += sum;
}
#endif
