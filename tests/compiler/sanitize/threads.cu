// Races between threads of a block: ten programs, each with its twin that has none.
// RUN: %gcluster-cc -O1 --sanitize=race %s -o %t
// RUN: %t right 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=race: %s
// RUN: not %t wrong > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=SAME %s < %t.out
// RUN: %python %S/Inputs/page.py %S/../../../compiler/sanitizers.md %s < %t.out
// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t wrong 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=race: %s
// RIGHT: the end
#include <cstdio>
#include <cstring>

const int threads = 64;

// 1. A neighbour's value, before it is there.
template <bool is_right> __global__ void neighbour(const int *in, int *out) {
    __shared__ int tile[threads + 1];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (is_right)
        __syncthreads();
    out[t] = tile[t ^ 32]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE-3]] (block (0,0,0), thread (32,0,0)) writes what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads: shared memory+128, kernel neighbour<>; add __syncthreads() between them{{$}}
}

// 2. The next tile, while others still read this one.
template <bool is_right> __global__ void tiles(const int *in, int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 4; k++) {
        tile[t] = in[k * threads + t]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE+2]] (block (0,0,0), thread (32,0,0)) reads what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (31,0,0)) writes: shared memory+124, kernel tiles<>
        __syncthreads();
        sum += tile[threads - 1 - t];
        if (is_right)
            __syncthreads();
    }
    out[t] = sum;
}

// 3. Two threads for one place.
template <bool is_right> __global__ void halves(int *out) {
    __shared__ int place[threads];
    int t = threadIdx.x;
    place[is_right ? t : t % 32] = t; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (32,0,0)) writes what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) writes: shared memory+0, kernel halves<>
    __syncthreads();
    out[t] = place[t % 32];
}

// 4. The last steps of a sum, as when warps ran in lockstep.
template <bool is_right> __global__ void lockstep(const int *in, int *out) {
    __shared__ volatile int sum[threads];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
    for (int step = 16; t < 32 && step > 0; step /= 2) {
        int value = sum[t] + sum[t + step]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE+3]] (block (0,0,0), thread (16,0,0)) writes what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads: shared memory+64, kernel lockstep<>; add __syncwarp() between them
        if (is_right)
            __syncwarp();
        sum[t] = value;
        if (is_right)
            __syncwarp();
    }
    if (t == 0)
        *out = sum[0];
}

// 5. A counter.
template <bool is_right> __global__ void count(const int *in, int *out) {
    __shared__ int bins[4];
    int t = threadIdx.x;
    if (t < 4)
        bins[t] = 0;
    __syncthreads();
    if (is_right)
        atomicAdd(&bins[in[t] & 3], 1);
    else
        bins[in[t] & 3]++; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) reads what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) writes: shared memory+0, kernel count<>
    __syncthreads();
    if (t < 4)
        out[t] = bins[t];
}

// 6. The same in global memory.
template <bool is_right> __global__ void chain(int *a) {
    int t = threadIdx.x, before = 0;
    a[t] = t;
    if (is_right)
        __syncthreads();
    if (t > 0)
        before = a[t - 1]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) reads what {{.*}}threads.cu:[[#@LINE-4]] (block (0,0,0), thread (0,0,0)) writes: a, kernel chain<>; add __syncwarp() between them, or __syncthreads(){{$}}
    __syncthreads();
    a[threads + t] = before;
}

// 7. A result that is read while others still add to it.
template <bool is_right> __global__ void total(const int *in, int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[threadIdx.x]); // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) changes atomically what {{.*}}threads.cu:[[#@LINE+4]] (block (0,0,0), thread (0,0,0)) reads: shared memory+0, kernel total<>
    if (is_right)
        __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

// 8. A barrier behind the loop instead of inside.
template <bool is_right> __global__ void reduce(const int *in, int *out) {
    __shared__ int sum[threads];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
    for (int step = threads / 2; step > 0; step /= 2) {
        if (t < step)
            sum[t] += sum[t + step]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) writes what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads: shared memory+4, kernel reduce<>
        if (is_right)
            __syncthreads();
    }
    __syncthreads();
    if (t == 0)
        *out = sum[0];
}

// 9. A warp waits, and the other one should have.
template <bool is_right> __global__ void warps(const int *in, int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (is_right)
        __syncthreads();
    else
        __syncwarp();
    out[t] = tile[t ^ 1] + tile[threads - 1 - t]; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads what {{.*}}threads.cu:[[#@LINE-5]] (block (0,0,0), thread (63,0,0)) writes: shared memory+252, kernel warps<>; add __syncthreads() between them
}

// 10. Bytes of one word, of which one is another thread's too.
template <bool is_right> __global__ void bytes(char *out) {
    extern __shared__ char text[];
    int t = threadIdx.x;
    text[t] = (char)t;
    if (!is_right && t == 2)
        text[1] = 7; // CHECK-DAG: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (2,0,0)) writes what {{.*}}threads.cu:[[#@LINE-2]] (block (0,0,0), thread (1,0,0)) writes: dynamic shared memory+1, kernel bytes<>
    __syncthreads();
    out[t] = text[t];
}

// CHECK: the end
// Who writes what stands there anyway does no harm.
template <bool is_right> __global__ void same(int *out) {
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (!is_right || threadIdx.x == 5)
        found = 1; // SAME: race: {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) writes what {{.*}}threads.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) writes: shared memory+0, kernel same<>; harmless, as it is the same value
    __syncthreads();
    out[threadIdx.x] = found;
}

// What shuffles, masks of a part of the warp and flags behind fences order.
__global__ void ordered(int *out) {
    __shared__ int tile[threads];
    __shared__ int ready;
    int t = threadIdx.x, lane = t & 31;
    tile[t] = t;
    int value = __shfl_xor_sync(0xffffffff, t, 1);
    value += tile[t ^ 1];
    unsigned mask = 0xff << (lane & 24);
    __syncwarp(mask);
    tile[t] = value;
    __syncwarp(mask);
    value += tile[t ^ 7];
    __syncthreads();
    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t == 40) {
        tile[63] = value;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (t == 3) {
        while (__atomic_load_n(&ready, __ATOMIC_RELAXED) == 0)
            ;
        __threadfence_block();
        value = tile[63];
    }
    __syncthreads();
    int old = ready, seen; // an exchange that is retried begins with any value
    do {
        seen = old;
        old = atomicCAS(&ready, seen, seen > t ? seen : t);
    } while (old != seen);
    __syncthreads();
    out[t] = value + ready;
}

template <bool is_right> void run(int *in, int *out) {
    neighbour<is_right><<<1, threads>>>(in, out);
    tiles<is_right><<<1, threads>>>(in, out);
    halves<is_right><<<1, threads>>>(out);
    lockstep<is_right><<<1, threads>>>(in, out);
    count<is_right><<<1, threads>>>(in, out);
    chain<is_right><<<1, threads>>>(out);
    total<is_right><<<1, threads>>>(in, out);
    reduce<is_right><<<1, threads>>>(in, out);
    warps<is_right><<<1, threads>>>(in, out);
    bytes<is_right><<<1, threads, threads>>>((char *)out);
    same<is_right><<<1, threads>>>(out);
}

int main(int, char **arguments) {
    int *in, *out;
    cudaMalloc(&in, 4 * threads * sizeof(int));
    cudaMalloc(&out, 4 * threads * sizeof(int));
    cudaMemset(in, 0, 4 * threads * sizeof(int));
    if (strcmp(arguments[1], "right") == 0) {
        run<true>(in, out);
        ordered<<<1, threads>>>(out);
    } else {
        run<false>(in, out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stderr);
    printf("%s\n", error == cudaSuccess ? "the end" : cudaGetErrorString(error));
}
