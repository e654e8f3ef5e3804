// RUN: %gcluster-cc -O2 %s -o %t && %t
// Threads that wait for each other by reading memory: within a block, between blocks in either
// order, and a grid barrier made by hand.
#include "check.h"

__global__ void within(volatile int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        *out = *flag;
    } else if (threadIdx.x == 40) {
        *flag = 17;
    }
}

__global__ void between(volatile int *ready, int *out) {
    int b = blockIdx.x, last = gridDim.x - 1;
    if (threadIdx.x == 0) {
        while (b < last && ready[b + 1] == 0)
            __nanosleep(20);
        out[b] = b < last ? out[b + 1] + 1 : 0;
        __threadfence();
        ready[b] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 1)
        out[gridDim.x + b] = out[b];
}

__device__ void grid_barrier(int *arrived, int phase) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < (int)gridDim.x * phase)
            ;
    }
    __syncthreads();
}

__global__ void phases(int *arrived, int *data) {
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int phase = 1; phase <= 4; phase++) {
        int other = data[(i + n / 2) % n];
        grid_barrier(arrived, 2 * phase - 1);
        data[i] += other;
        grid_barrier(arrived, 2 * phase);
    }
}

int main() {
    int *flag = managed<int>(64), *out = managed<int>(64), *data = managed<int>(16 * 64);
    within<<<1, 64>>>(flag, out);
    SYNC();
    CHECK(*out == 17);
    flag[0] = 0;
    between<<<32, 64>>>(flag, out);
    SYNC();
    for (int b = 0; b < 32; b++)
        CHECK(out[b] == 31 - b && out[32 + b] == 31 - b);
    for (int i = 0; i < 16 * 64; i++)
        data[i] = 1;
    flag[0] = 0;
    phases<<<16, 64>>>(flag, data);
    SYNC();
    for (int i = 0; i < 16 * 64; i++)
        CHECK(data[i] == 16);
}
