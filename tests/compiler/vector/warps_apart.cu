// Where the threads of a warp do nothing together between two barriers, what doesn't fill vectors
// runs in vectors of one register, or one by one, though the kernel has warp operations elsewhere:
// the least of the levels would need much more code for warps.
// RUN: %gcluster-cc --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v4 %t
// CHECK-DAG: define internal i32 @{{.*}}sum_rows{{.*}}region0.lane.x86-64-v4.masked({{.*}}, i16
// CHECK-DAG: define internal i32 @{{.*}}sum_rows{{.*}}region1.lane.x86-64-v4.masked({{.*}}, i32 %{{[0-9]+}})
// CHECK-DAG: define internal i32 @{{.*}}sum_rows{{.*}}region0.lane.x86-64-v3.masked({{.*}}, i8
// CHECK-DAG: define internal i32 @{{.*}}sum_rows{{.*}}region1.lane.x86-64-v2.masked({{.*}}, i32 %{{[0-9]+}})
// CHECK-NOT: region0.lane.x86-64-v2.masked
#include "../device/check.h"

enum { MOST = 1024 };

__device__ int linear() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Neighbours along the block, then sums of warps, then what each thread finds of its row.
__global__ void sum_rows(const int *in, int *out, int n) {
    __shared__ int s[MOST + 1], warps[MOST / 32];
    int t = linear(), threads = blockDim.x * blockDim.y * blockDim.z;
    int i = blockIdx.x * threads + t;
    s[t] = i < n ? in[i] * (int)(threadIdx.x + 1) : 0;
    if (t == 0)
        s[threads] = (int)blockIdx.x;
    __syncthreads();
    int value = s[t + 1] - s[t];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(~0u, value, step);
    if (t % 32 == 0)
        warps[t / 32] = value;
    __syncthreads();
    if (i < n && threadIdx.y % 2 == 0)
        out[i] = warps[t / 32] * 3 + s[threads - 1 - t];
}

static int at(const int *in, int n, int i, int x) {
    return i < n ? in[i] * (x + 1) : 0;
}

static void expect(const int *in, int *out, int n, dim3 size, int block) {
    int threads = (int)(size.x * size.y * size.z), first = block * threads;
    int s[MOST + 1], lanes[MOST];
    for (int t = 0; t < threads; t++)
        s[t] = at(in, n, first + t, t % (int)size.x);
    s[threads] = block;
    for (int t = 0; t < threads; t++)
        lanes[t] = s[t + 1] - s[t];
    for (int t = 0; t < threads; t++) {
        bool runs = first + t < n && t / (int)size.x % (int)size.y % 2 == 0;
        int sum = 0, warp = t / 32 * 32;
        for (int l = 0; l < 32; l++)
            sum += lanes[warp + l];
        out[first + t] = runs ? sum * 3 + s[threads - 1 - t] : -1;
    }
}

// Blocks are whole warps, though their rows are not.
int main() {
    static const dim3 sizes[] = {{32, 1, 1}, {96, 1, 1}, {5, 32, 1},
                                 {12, 8, 2}, {1, 64, 1}, {40, 4, 2}};
    enum { COUNT = 3 * MOST };
    int *in = managed<int>(COUNT), *out = managed<int>(COUNT), n = 0;
    static int expected[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = (i * 7919) % 1000;
    for (dim3 size : sizes) {
        int threads = (int)(size.x * size.y * size.z);
        n = 3 * threads - 13;
        for (int i = 0; i < COUNT; i++)
            out[i] = -1;
        sum_rows<<<3, size>>>(in, out, n);
        SYNC();
        for (int b = 0; b < 3; b++)
            expect(in, expected, n, size, b);
        for (int i = 0; i < 3 * threads; i++) {
            if (out[i] == expected[i])
                continue;
            fprintf(stderr, "blocks of %ux%ux%u: %d is %d instead of %d\n", size.x, size.y, size.z,
                    i, out[i], expected[i]);
            return 1;
        }
    }
    puts("fine");
}
