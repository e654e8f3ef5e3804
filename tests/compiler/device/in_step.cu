// What is told of kernels that rely on warps in step, once for each line; and where that can't be
// kept. Those that don't are left alone.
// RUN: %gcluster-cc -O1 -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=GCL15 %s
// RUN: %gcluster-cc --explain %s 2>&1 | FileCheck --check-prefix=EXPLAIN --implicit-check-not=GCL15 %s
#include <cuda_runtime.h>

enum { THREADS = 128 };

template <class T> __global__ void reversed(const T *in, T *out) {
    __shared__ T s[THREADS];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t ^ 31];
}
// CHECK-DAG: in_step.cu:[[#@LINE-2]]:14: remark: relies on warps in step: other lanes of the warp touch the same memory on line [[#@LINE-3]], with no __syncwarp() between [GCL158]
// CHECK-DAG: help: add __syncwarp() between them
// EXPLAIN-DAG: GCL158 {{.*}}in_step.cu:[[#@LINE-4]]:14: relies on warps in step, because other
// lanes of the warp touch the same memory on line [[#@LINE-5]], with no __syncwarp() between
template __global__ void reversed(const int *, int *);

__global__ void twice(const int *in, int *out) {
    __shared__ int s[THREADS / 32];
    int t = threadIdx.x;
    if (t % 32 == 0)
        s[t / 32] = in[t];
    __syncthreads();
    int first = s[0];
    if (t % 32 == 0)
        s[t / 32] = in[t] + first;
    __syncthreads();
    out[t] = s[3];
}
// CHECK-DAG: in_step.cu:[[#@LINE-4]]:19: remark: relies on warps in step: other warps touch the same memory on line [[#@LINE-6]], with no __syncthreads() between [GCL158]
// CHECK-DAG: help: add __syncthreads() between them
// EXPLAIN-DAG: GCL158 {{.*}}in_step.cu:[[#@LINE-6]]:19: relies on warps in step, because other
// warps touch the same memory on line [[#@LINE-8]], with no __syncthreads() between

__global__ void rotated(const int *in, int *out) {
    __shared__ volatile int s[THREADS];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    s[t] = s[t / 32 * 32 + (t + 1) % 32];
    out[t] = s[t];
}
// CHECK-DAG: in_step.cu:[[#@LINE-3]]:10: remark: relies on warps in step: other lanes of the warp touch the same memory on that line [GCL158]
// CHECK-DAG: help: read into a variable, add __syncwarp(), and then write
// EXPLAIN-DAG: GCL158 {{.*}}in_step.cu:[[#@LINE-5]]:10: relies on warps in step, because other
// lanes of the warp touch the same memory on that line

__global__ void rows_alike(int *sums) {
    sums[blockIdx.x * blockDim.x + threadIdx.x] += 2;
}
// CHECK-DAG: in_step.cu:[[#@LINE-2]]:49: remark: relies on warps in step: other warps touch the same memory on that line [GCL158]
void launch_rows(int *sums) {
    rows_alike<<<1, dim3(32, 4)>>>(sums);
}

// Called through pointers, so they stay functions, whose lanes run one after the other.
__device__ void add(volatile int *s, int t) {
    for (int step = 16; step > 0; step /= 2)
        if (t < step)
            s[t] = s[t] + s[t + step];
}
// CHECK-DAG: in_step.cu:[[#@LINE-2]]:18: warning: relies on warps in step, which can't be kept in add: it is called through a pointer [GCL159]

__device__ void (*ways[])(volatile int *, int) = {add, nullptr};

__global__ void chosen(const int *in, int *out, int way) {
    __shared__ int s[THREADS];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    ways[way](s, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[0];
}

// Kernels without races.

__global__ void one_row(int *sums) {
    if (threadIdx.y == 1)
        sums[blockIdx.x * blockDim.x + threadIdx.x] += 2;
}

__global__ void flagged(const int *in, int *sums, bool *any) {
    if (in[threadIdx.x] > 0 && !*any)
        *any = true;
    sums[threadIdx.x]++;
    if (sums[in[threadIdx.x]] > 1)
        sums[in[threadIdx.x]] = 1;
}

__global__ void tiles(const int *in, int *out, int n) {
    __shared__ int s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * n + x];
    __syncthreads();
    s[x][y] += 2;
    __syncthreads();
    out[y * n + x] += s[y][x];
}

__global__ void tree(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step)
            s[t] += s[t + step];
    }
    if (t == 0)
        *out = s[0];
}

__global__ void sorted(int *data) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = data[t];
    for (int k = 2; k <= (int)blockDim.x; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int kept = s[t];
                s[t] = s[other];
                s[other] = kept;
            }
        }
    }
    __syncthreads();
    data[t] = s[t];
}

// The address of a variable is read, too.
__device__ int firsts[32];
__global__ void variable(const int *in) {
    firsts[threadIdx.x] = __shfl_up_sync(0xffffffff, in[threadIdx.x], 1);
}

// Each thread its own column of counts.
__global__ void columns(const unsigned char *in, int *out, int n) {
    __shared__ int s[16][THREADS];
    int t = threadIdx.x;
    for (int b = 0; b < 16; b++)
        s[b][t] = 0;
    for (int i = t; i < n; i += THREADS) {
        s[in[2 * i] & 15][t]++;
        s[in[2 * i + 1] & 15][t]++;
    }
    for (int b = 0; b < 16; b++)
        out[b * THREADS + t] = s[b][t];
}

__global__ void in_place(float *a, int n, int k) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > k && j > k && i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

// Who has the lock is alone.
__global__ void locked(int *out) {
    __shared__ int lock, counts[2];
    bool done = false;
    if (threadIdx.x == 0)
        lock = counts[0] = counts[1] = 0;
    __syncthreads();
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            counts[0]++;
            counts[1] += counts[0];
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = counts[1];
}
