// A body is what one thread does, for device and host: int operator()(int thread) const. It runs in
// blocks of many shapes, and must give what it gives on the host, one thread after the other.
#pragma once
#include "../device/check.h"

#define BODY __host__ __device__

template <class Body> __global__ void each(Body body, int n, int *out) {
    int in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int i = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + in_block;
    if (i < n)
        out[i] = body(i);
}

template <class Body> static void check_each(const char *name, Body body, int n = 1000) {
    const dim3 blocks[] = {dim3(1),      dim3(7),   dim3(32),  dim3(33),  dim3(5, 3, 2),
                           dim3(16, 16), dim3(100), dim3(256), dim3(1024)};
    int *out = managed<int>(n);
    for (dim3 block : blocks) {
        int size = (int)(block.x * block.y * block.z);
        for (int i = 0; i < n; i++)
            out[i] = -77;
        each<<<(n + size - 1) / size, block>>>(body, n, out);
        SYNC();
        for (int i = 0; i < n; i++) {
            int expected = body(i);
            if (out[i] != expected) {
                fprintf(stderr, "%s: thread %d of blocks of %d gives %d instead of %d\n", name, i,
                        size, out[i], expected);
                exit(1);
            }
        }
    }
    cudaFree(out);
}

#define CHECK_EACH(...) check_each(#__VA_ARGS__, __VA_ARGS__)
