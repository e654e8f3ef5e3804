// Barriers and warp operations that not all come to: eight programs, each with its twin.
// RUN: %gcluster-cc -O1 --sanitize=sync %s -o %t
// RUN: %t right 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=sync: %s
// RUN: not %t wrong > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %python %S/Inputs/page.py %S/../../../compiler/sanitizers.md %s < %t.out
// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t wrong 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=sync: %s
// RIGHT: the end
#include <cstdio>
#include <cstring>

const int threads = 64;

// 1. A barrier for half of the block.
template <bool is_right> __global__ void half(int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    tile[t] = t;
    if (is_right || t < 32) // CHECK-DAG: sync: a barrier that not all threads in block (0,0,0) reach: thread (0,0,0) and 31 others wait at {{.*}}waits.cu:[[#@LINE+1]]; thread (32,0,0) and 31 others have ended, last seen at {{.*}}waits.cu:[[#@LINE]], kernel half<>
        __syncthreads();
    out[t] = tile[threads - 1 - t];
}

// 2. Threads behind the end leave early.
template <bool is_right> __global__ void leave(int *out, int n) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    if (!is_right && t >= n)
        return; // CHECK-DAG: sync: a barrier that not all threads in block (0,0,0) reach: thread (0,0,0) and 49 others wait at {{.*}}waits.cu:[[#@LINE+2]]; thread (50,0,0) and 13 others have ended, last seen at {{.*}}waits.cu:[[#@LINE-1]], kernel leave<>
    tile[t] = t;
    __syncthreads();
    if (t < n)
        out[t] = tile[n - 1 - t];
}

// 3. Two barriers, one for each half.
template <bool is_right> __global__ void two(int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    if (is_right || t % 2 == 0) {
        tile[t] = t;
        __syncthreads(); // CHECK-DAG: sync: a barrier that not all threads in block (0,0,0) reach: thread (0,0,0) and 31 others wait at {{.*}}waits.cu:[[#@LINE]]; thread (1,0,0) and 31 others wait at {{.*}}waits.cu:[[#@LINE+3]], kernel two<>
    } else {
        tile[t] = -t;
        __syncthreads();
    }
    out[t] = tile[threads - 1 - t];
}

// 4. A loop that threads leave at different times.
template <bool is_right> __global__ void rounds(int *out) {
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < (is_right ? 4 : 1 + t / 16); k++) { // CHECK-DAG: sync: a barrier that not all threads in block (0,0,0) reach: thread (16,0,0) and 47 others wait at {{.*}}waits.cu:[[#@LINE+2]]; thread (0,0,0) and 15 others have ended, last seen at {{.*}}waits.cu:[[#@LINE]], kernel rounds<>
        sum += k;
        __syncthreads();
    }
    out[t] = sum;
}

// 5. A mask that doesn't name its caller.
template <bool is_right> __global__ void stranger(int *out) {
    int t = threadIdx.x;
    __syncwarp(is_right || t % 32 != 3 ? 0xffffffff : 0xfffffff7); // CHECK-DAG: sync: {{.*}}waits.cu:[[#@LINE]] (block (0,0,0), thread (3,0,0)): the mask 0xfffffff7 of the warp operation doesn't name lane 3, which calls it, kernel stranger<>
    out[t] = t;
}

// 6. A shuffle for all lanes, of which half stand at the barrier.
template <bool is_right> __global__ void shuffle(int *out) {
    int t = threadIdx.x, value = t;
    if (is_right || t % 32 < 16)
        value = __shfl_down_sync(0xffffffff, t, 16); // CHECK-DAG: sync: a warp operation that not all lanes of its mask in block (0,0,0) reach: thread (0,0,0) and 15 others wait at {{.*}}waits.cu:[[#@LINE]] with mask 0xffffffff; thread (16,0,0) and 15 others wait at {{.*}}waits.cu:[[#@LINE+1]], kernel shuffle<>
    __syncthreads();
    out[t] = value;
}

// 7. Lanes that wait for each other, each for others.
template <bool is_right> __global__ void masks(int *out) {
    int t = threadIdx.x;
    unsigned mask = is_right ? 0xffffffff : t % 32 < 8 ? 0xffff : 0xffff00ff;
    out[t] = __ballot_sync(mask, t & 1); // CHECK-DAG: sync: a warp operation that not all lanes of its mask in block (0,0,0) reach: thread (0,0,0) and 7 others wait at {{.*}}waits.cu:[[#@LINE]] with mask 0xffff; thread (8,0,0) and 7 others wait at {{.*}}waits.cu:[[#@LINE]] with mask 0xffff00ff, kernel masks<>
}

// 8. One vote, in two branches.
template <bool is_right> __global__ void vote(int *out) {
    int t = threadIdx.x, count;
    if (t % 32 < 20)
        count = __popc(__ballot_sync(is_right ? 0xfffff : 0xffffffff, t & 1)); // CHECK-DAG: sync: a warp operation that not all lanes of its mask in block (0,0,0) reach: thread (0,0,0) and 19 others wait at {{.*}}waits.cu:[[#@LINE]] with mask 0xffffffff; thread (20,0,0) and 11 others wait at {{.*}}waits.cu:[[#@LINE+2]] with mask 0xffffffff, kernel vote<>
    else
        count = -__popc(__ballot_sync(is_right ? 0xfff00000 : 0xffffffff, t & 1));
    out[t] = count;
}
// CHECK: the end

template <bool is_right> void run(int *out) {
    half<is_right><<<1, threads>>>(out);
    leave<is_right><<<1, threads>>>(out, 50);
    two<is_right><<<1, threads>>>(out);
    rounds<is_right><<<1, threads>>>(out);
    stranger<is_right><<<1, threads>>>(out);
    shuffle<is_right><<<1, threads>>>(out);
    masks<is_right><<<1, threads>>>(out);
    vote<is_right><<<1, threads>>>(out);
}

int main(int, char **arguments) {
    int *out;
    cudaMalloc(&out, threads * sizeof(int));
    if (strcmp(arguments[1], "right") == 0)
        run<true>(out);
    else
        run<false>(out);
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stderr);
    printf("%s\n", error == cudaSuccess ? "the end" : cudaGetErrorString(error));
}
