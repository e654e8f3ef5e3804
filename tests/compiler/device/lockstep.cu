// RUN: %gcluster-cc -O2 %s -o %t && %t
// Reductions and scans of a warp through volatile shared memory, without __syncwarp; and rows of a
// block that all do the same sums.
#include "check.h"

__global__ void old_reduce(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int o = 128; o > 32; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t < 32) {
        volatile int *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void old_scan(const int *in, int *out) {
    volatile __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    s[t + 32] = in[t];
    for (int o = 1; o < 32; o *= 2)
        s[t + 32] = s[t + 32] + s[t + 32 - o];
    out[t] = s[t + 32];
}

__global__ void rows_alike(const int *in, int *sums) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 10; i++)
        sums[x] += in[i] * x;
}

int main() {
    int *in = managed<int>(4 * 256), *out = managed<int>(32);
    for (int i = 0; i < 4 * 256; i++)
        in[i] = i * 7 % 31;
    old_reduce<<<4, 256>>>(in, out);
    SYNC();
    for (int b = 0; b < 4; b++) {
        int sum = 0;
        for (int i = 0; i < 256; i++)
            sum += in[b * 256 + i];
        CHECK(out[b] == sum);
    }
    old_scan<<<1, 32>>>(in, out);
    SYNC();
    for (int i = 0, sum = 0; i < 32; i++)
        CHECK(out[i] == (sum += in[i]));
    dim3 rows(32, 8);
    rows_alike<<<1, rows>>>(in, out);
    SYNC();
    for (int i = 0, sum = 0; i < 32; i++) {
        int added = 0;
        for (int k = 0; k < 10; k++)
            added += in[k] * i;
        CHECK(out[i] == (sum += in[i]) + added);
    }
}
