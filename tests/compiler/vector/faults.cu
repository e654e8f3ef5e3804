// A fault names its thread where threads run one by one, and the warp of a vector otherwise: those
// of the block where little else is done than to write.
// RUN: %gcluster-cc -O1 --cpu=scalar %s -o %t.scalar
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env GCL_MARGIN=0 GCL_THREADS=1 %t.scalar 2>&1 | FileCheck --check-prefixes=ALL,ONE,LONE %s
// RUN: env GCL_MARGIN=0 GCL_THREADS=1 GCL_CPU_LEVEL=v2 %t 2>&1 | FileCheck --check-prefixes=ALL,ONE,WARP %s
// RUN: env GCL_MARGIN=0 GCL_THREADS=1 GCL_CPU_LEVEL=v3 %t 2>&1 | FileCheck --check-prefixes=ALL,SOME,WARP %s
#include <cooperative_groups.h>
#include <cstdio>

enum { FAR = 1 << 28 };

// Blocks of several rows.
__global__ void rows(int *out, int jump) {
    int i = (int)((blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    bool is_far = blockIdx.x == 2 && threadIdx.x == 5 && threadIdx.y == 13;
    out[is_far ? i + jump : i] = i;
}

// Blocks side by side: a few rows of each in turn.
__global__ void strips(int4 *out, int width) {
    int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)threadIdx.y;
    out[y * width + x] = make_int4(x, y, x, y);
}

// Behind a barrier, and with a loop.
__global__ void behind(int *out, int rounds, int jump) {
    __shared__ int values[256];
    values[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    int value = values[255 - threadIdx.x];
    for (int i = 0; i < rounds; i++)
        out[256 * i + (value == 200 ? jump : value)] = value;
}

// Vectors that are warps.
__global__ void warps(int *out, int jump) {
    int t = (int)threadIdx.x, from = t == 103 ? jump : t;
    out[t] = __shfl_sync(~0u, out[from], t ^ 1);
}

// Threads that fill no vector.
__global__ void left_over(int *out, int jump) {
    int t = (int)threadIdx.x;
    out[t == 36 ? jump : t] = t;
}

// A function that is called for one thread at a time; afterwards the vector goes on.
__device__ __noinline__ int find(const int *from, int left) {
    return left > 0 ? find(from + from[0], left - 1) : from[0];
}

__global__ void calls(int *out, int far, int jump) {
    int t = (int)threadIdx.x;
    out[t] = find(t == far ? out + jump : out, t % 3);
    out[t == 19 ? jump : t] += t;
}

__global__ void traps(int *out) {
    out[threadIdx.x] = (int)threadIdx.x;
    if (threadIdx.x == 77)
        __trap();
}

__global__ void meets_grid() {
    if (threadIdx.x >= 40)
        cooperative_groups::this_grid().sync();
}

static int fails() {
    bool has_failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaDeviceReset();
    return has_failed;
}

static char *allocate(size_t size) {
    char *memory = NULL;
    cudaMalloc(&memory, size);
    return memory;
}

int main() {
    int failed = 0;

    rows<<<4, dim3(16, 16)>>>((int *)allocate(1 << 20), FAR);
    failed += fails();
    // ALL: kernel rows, block (2, 0, 0),
    // ONE-SAME: thread (5, 13, 0), launched at {{.*}}faults.cu:[[#@LINE-3]]
    // SOME-SAME: only the warps are known: 0 to 7, threads (0, 0, 0) to (15, 15, 0), launched

    // The memory ends in front of what thread (16, 5, 0) of the last block writes.
    char *end = allocate(1 << 22) + (1 << 22);
    strips<<<10, dim3(32, 6)>>>((int4 *)end - (5 * 320 + 304), 320);
    failed += fails();
    // ALL: kernel strips, block (9, 0, 0),
    // ONE-SAME: thread (16, 5, 0), launched
    // SOME-SAME: only the warps are known: 0 to 5, threads (0, 0, 0) to (31, 5, 0), launched

    behind<<<1, 256>>>((int *)allocate(1 << 20), 3, FAR);
    failed += fails();
    // ALL: kernel behind, block (0, 0, 0),
    // ONE-SAME: thread (55, 0, 0), launched
    // SOME-SAME: only the warp is known: 1, threads ({{32|48}}, 0, 0) to (63, 0, 0), launched

    warps<<<1, 128>>>((int *)allocate(1 << 20), FAR);
    failed += fails();
    // ALL: kernel warps, block (0, 0, 0),
    // LONE-SAME: thread (103, 0, 0), launched
    // WARP-SAME: only the warp is known: 3, threads (96, 0, 0) to (127, 0, 0), launched

    left_over<<<1, 37>>>((int *)allocate(1 << 20), FAR);
    failed += fails();
    // ALL: kernel left_over, block (0, 0, 0),
    // ONE-SAME: thread (36, 0, 0), launched
    // SOME-SAME: only the warp is known: 1, threads (32, 0, 0) to (36, 0, 0), launched

    calls<<<1, 128>>>((int *)allocate(1 << 20), 10, FAR);
    failed += fails();
    // ALL: kernel calls, block (0, 0, 0), thread (10, 0, 0), launched

    calls<<<1, 128>>>((int *)allocate(1 << 20), -1, FAR);
    failed += fails();
    // ALL: kernel calls, block (0, 0, 0),
    // ONE-SAME: thread (19, 0, 0), launched
    // SOME-SAME: only the warps are known: 0 to 3, threads (0, 0, 0) to (127, 0, 0), launched

    traps<<<1, 256>>>((int *)allocate(1 << 20));
    failed += fails();
    // ALL: kernel traps, block (0, 0, 0), thread (77, 0, 0), launched

    meets_grid<<<1, 64>>>();
    failed += fails();
    // ALL: kernel meets_grid, block (0, 0, 0), thread (40, 0, 0), launched
    return failed != 9;
}
