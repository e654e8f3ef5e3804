// RUN: %gcluster-cc -O2 %s -o %t && env GCL_THREADS=1 %t && env GCL_THREADS=2 %t
// Threads that wait in loops, whatever they look at memory with, for threads that come later:
// lanes, warps, blocks in either order and kernels of other streams; and locks that are held over
// what makes threads wait for each other.
#include "check.h"
#include <cuda/atomic>

enum { BLOCKS = 12, THREADS = 64, WARPS = BLOCKS * THREADS / 32 };

// Each block waits for the one behind it.
#define CHAIN(name, ...)                                                                           \
    __global__ void name(int *flags, volatile int *values) {                                       \
        int b = blockIdx.x, *flag = &flags[b + 1];                                                 \
        if (threadIdx.x == 0) {                                                                    \
            if (b < BLOCKS - 1) {                                                                  \
                __VA_ARGS__                                                                        \
            }                                                                                      \
            values[b] = b < BLOCKS - 1 ? values[b + 1] + 1 : 1;                                    \
            __threadfence();                                                                       \
            atomicExch(&flags[b], 1);                                                              \
        }                                                                                          \
    }
CHAIN(compares, while (atomicCAS(flag, 1, 1) != 1) __threadfence();)
CHAIN(takes, while (atomicCAS(flag, 1, 2) != 1){})
CHAIN(exchanges, while (atomicExch(flag, 0) == 0){})
CHAIN(maxima, while (atomicMax(flag, 0) < 1) __nanosleep(20);)
CHAIN(ors, while (atomicOr(flag, 0) == 0){})
CHAIN(references, cuda::atomic_ref<int> r(*flag); while (r.fetch_max(0) == 0){})
CHAIN(fences, while (*flag == 0) __threadfence();)
CHAIN(works, while (*(volatile int *)flag == 0) values[64 + b] = values[64 + b] + 1;)
CHAIN(
    notes, bool done = false; while (!done) {
        if (*(volatile int *)flag != 0) {
            values[64 + b] = 1;
            done = true;
        }
    })

__device__ __noinline__ void look(const volatile int *flag) {
    while (*flag == 0) {
    }
}
CHAIN(calls, look(flag);)

// By lane 0 of each warp, over what the warp does.
__global__ void warp_locks(int *lock, volatile int *sums) {
    int lane = threadIdx.x % 32;
    if (lane == 0)
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    __syncwarp();
    sums[lane] = sums[lane] + 1;
    __threadfence();
    __syncwarp();
    if (lane == 0)
        atomicExch(lock, 0);
}

__global__ void thread_locks(int *lock, volatile int *sums) {
    for (bool done = false; !done;) {
        if (atomicExch(lock, 1) == 0) {
            sums[0] = sums[0] + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// All threads of a block look, between barriers.
__global__ void votes(volatile int *flags, int *out) {
    __shared__ int go;
    int b = gridDim.x - 1 - blockIdx.x;
    if (b > 0) {
        while (!__syncthreads_or(threadIdx.x == 3 && flags[b - 1] != 0)) {
        }
        do {
            __syncthreads();
            if (threadIdx.x == 0)
                go = flags[b - 1];
            __syncthreads();
        } while (!go);
    }
    out[b] = b;
    __threadfence();
    if (threadIdx.x == 0)
        flags[b] = 1;
}

// A warp looks together, at what other blocks and the next warp write.
__global__ void warps(volatile int *flags, int *out) {
    int b = gridDim.x - 1 - blockIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        while (!__any_sync(~0u, lane < 2 && flags[2 * b + lane] == 1)) {
        }
        while (!__all_sync(~0u, lane > 1 || b == 0 || flags[2 * b + lane - 2] == 1)) {
        }
        out[b] = b;
    } else {
        flags[2 * b + (lane & 1)] = 1;
    }
}

// Lanes of two warps hand each other data; who looks has the others of its warp wait.
__global__ void hands_over(int *out) {
    __shared__ int turn, data[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        if (lane == 0)
            while (atomicAdd(&turn, 0) != 2 * k + 1 - warp) {
            }
        __syncwarp();
        if (warp == 0)
            atomicAdd(&out[lane], data[lane]);
        else
            data[lane] = k * lane;
        __threadfence_block();
        __syncwarp();
        if (lane == 0)
            atomicExch(&turn, 2 * k + 2 - warp);
    }
}

__global__ void await(const volatile int *flag, int *out) {
    while (*flag == 0) {
    }
    out[blockIdx.x] = *flag;
}

__global__ void set(int *flag) {
    if (blockIdx.x == gridDim.x - 1)
        *flag = 9;
}

static int *flags, *values;

static void clear() {
    CHECK(cudaMemset(flags, 0, 1024 * sizeof(int)) == cudaSuccess);
    CHECK(cudaMemset(values, 0, 1024 * sizeof(int)) == cudaSuccess);
    SYNC();
}

static void check_streams() {
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
    clear();
    await<<<BLOCKS, THREADS, 0, first>>>(flags, values);
    set<<<256, 256, 0, second>>>(flags);
    SYNC();
    CHECK(values[0] == 9 && values[BLOCKS - 1] == 9);
}

int main() {
    typedef void (*Chain)(int *, volatile int *);
    const Chain chains[] = {compares,   takes,  exchanges, maxima, ors,
                            references, fences, works,     notes,  calls};
    flags = managed<int>(1024), values = managed<int>(1024);
    for (Chain chain : chains) {
        clear();
        chain<<<BLOCKS, THREADS>>>(flags, values);
        SYNC();
        CHECK(values[0] == BLOCKS);
    }
    clear();
    warp_locks<<<BLOCKS, THREADS>>>(flags, values);
    SYNC();
    CHECK(values[0] == WARPS && values[31] == WARPS);
    clear();
    thread_locks<<<BLOCKS, THREADS>>>(flags, values);
    SYNC();
    CHECK(values[0] == BLOCKS * THREADS);
    clear();
    votes<<<BLOCKS, THREADS>>>(flags, values);
    SYNC();
    CHECK(values[BLOCKS - 1] == BLOCKS - 1);
    clear();
    warps<<<BLOCKS, THREADS>>>(flags, values);
    SYNC();
    CHECK(values[BLOCKS - 1] == BLOCKS - 1);
    clear();
    hands_over<<<BLOCKS, THREADS>>>(values);
    SYNC();
    CHECK(values[31] == 31 * 15 * BLOCKS);
    check_streams();
}
