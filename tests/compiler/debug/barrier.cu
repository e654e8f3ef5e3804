// RUN: %gcluster-cc -g -G %s -o %t && %t
// RUN: %gdb -x %S/Inputs/barrier.gdb %t | FileCheck %s
// A thread is followed over barriers: it keeps its locals, and finds what others have written
// meanwhile. What waits may be a function of its own.
#include "../device/check.h"

enum { THREADS = 64 };

__device__ float wait_for_all(float *sums) {
    __syncthreads();
    return sums[0];
}

__global__ void sum(const float *in, float *out) {
    __shared__ float part[THREADS];
    float mine = in[blockIdx.x * THREADS + threadIdx.x];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    float all = wait_for_all(part);
    float next = __shfl_down_sync(~0u, mine, 1);
    if (threadIdx.x == 0)
        out[blockIdx.x] = all + next - in[blockIdx.x * THREADS + 1];
}

int main() {
    const int blocks = 8;
    float *in = managed<float>(blocks * THREADS), *out = managed<float>(blocks);
    for (int i = 0; i < blocks * THREADS; i++)
        in[i] = i % THREADS;
    sum<<<blocks, THREADS>>>(in, out);
    SYNC();
    for (int b = 0; b < blocks; b++)
        CHECK(out[b] == THREADS * (THREADS - 1) / 2);
    return 0;
}

// CHECK: hit Breakpoint 1{{.*}}, sum (
// CHECK: $1 = {x = 3, y = 0, z = 0}
// CHECK: $2 = 3
// Behind the first barrier all have written, and lower threads are further.
// CHECK: for (int step = THREADS / 2
// CHECK: $3 = 3
// CHECK: $4 = {32, 34, 36, 3, 4,{{.*}} 63}
// CHECK: $5 = {x = 3, y = 0, z = 0}
// The first round.
// CHECK: $6 = 38
// CHECK: #0 {{.*}}wait_for_all (sums=
// CHECK: #1 {{.*}}sum (in=
// CHECK: $7 = {x = 3, y = 0, z = 0}
// CHECK: float next = __shfl_down_sync
// CHECK: $8 = 2016
// CHECK: if (threadIdx.x == 0)
// CHECK: $9 = 4
