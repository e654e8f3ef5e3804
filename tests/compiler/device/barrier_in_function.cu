// RUN: %gcluster-cc -O2 %s -o %t && %t
// Barriers inside device functions, inside loops, under uniform and divergent branches.
#include "check.h"

__device__ int rotate(int *shared, int value, int by) {
    int n = blockDim.x, t = threadIdx.x;
    __syncthreads();
    shared[t] = value;
    __syncthreads();
    return shared[(t + by) % n];
}

template <int depth> __device__ int nested(int *shared, int value) {
    for (int i = 0; i < depth; i++)
        value = rotate(shared, value, i);
    return depth > 1 ? nested<depth / 2>(shared, value) : value;
}

__global__ void rotations(int *out, int rounds) {
    __shared__ int shared[256];
    int value = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        value = rotate(shared, value, 1);
    out[threadIdx.x] = nested<4>(shared, value);
}

// Volta and later let a barrier be reached at several places.
__global__ void either_side(int *out) {
    __shared__ int left, right;
    if (threadIdx.x % 2) {
        if (threadIdx.x == 1)
            left = 10;
        __syncthreads();
        out[threadIdx.x] = right;
    } else {
        if (threadIdx.x == 0)
            right = 20;
        __syncthreads();
        out[threadIdx.x] = left;
    }
}

int main() {
    int *out = managed<int>(256);
    for (int n = 1; n <= 256; n = n < 255 ? n * 2 + 1 : 257) {
        rotations<<<1, n>>>(out, 5);
        SYNC();
        int shift = 5 + (0 + 1 + 2 + 3) + (0 + 1) + 0;
        for (int t = 0; t < n; t++)
            CHECK(out[t] == (t + shift) % n);
    }
    either_side<<<1, 64>>>(out);
    SYNC();
    for (int t = 0; t < 64; t++)
        CHECK(out[t] == (t % 2 ? 20 : 10));
}
