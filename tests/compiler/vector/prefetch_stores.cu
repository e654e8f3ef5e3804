// What all threads store behind a barrier, each at its own place, is asked for in front of the
// first one; nothing else is.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v4 %t
#include "../device/check.h"

enum { BLOCKS = 3, BLOCK = 64, COUNT = BLOCKS * BLOCK };

// Four lines for 64 lanes.
// CHECK-LABEL: define internal i32 @_Z5plainPiPKi.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-COUNT-4: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK-LABEL: define internal i32 @_Z5plainPiPKi.region1.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
__global__ void plain(int *out, const int *in) {
    __shared__ int tile[BLOCK];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[blockIdx.x * BLOCK + t] = tile[t ^ 1];
}

// 16 lines: the four members of a structure lie in one, and the loop around the barrier comes
// before the store.
// CHECK-LABEL: define internal i32 @_Z5loopsP4int4PKii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-COUNT-16: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK-LABEL: define internal i32 @_Z5loopsP4int4PKii.region1.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
__global__ void loops(int4 *out, const int *in, int n) {
    __shared__ int tile[BLOCK];
    int t = threadIdx.x;
    tile[t] = in[t];
    for (int k = 0; k < n; k++) {
        __syncthreads();
        int next = tile[(t + 1) % BLOCK];
        __syncthreads();
        tile[t] = next + k;
    }
    out[blockIdx.x * BLOCK + t] = make_int4(tile[t], 1, 2, t);
}

// Stores in front of the barrier, to what has been read, of some threads, and all to one place.
// CHECK-LABEL: define internal i32 @_Z6othersPiS_S_S_PKi.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
__global__ void others(int *early, int *both, int *some, int *one, const int *in) {
    __shared__ int tile[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    tile[t] = in[t];
    early[i] = t;
    __syncthreads();
    both[i] += tile[t ^ 1];
    if (tile[t] % 3 == 0)
        some[i] = tile[t ^ 2];
    one[blockIdx.x] = tile[0];
}

static void check_plain(const int *in) {
    int *out = managed<int>(COUNT);
    plain<<<BLOCKS, BLOCK>>>(out, in);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == in[i % BLOCK ^ 1]);
    cudaFree(out);
}

static void check_loops(const int *in) {
    enum { TURNS = 5 };
    int4 *out = managed<int4>(COUNT);
    loops<<<BLOCKS, BLOCK>>>(out, in, TURNS);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        int expected = in[(i % BLOCK + TURNS) % BLOCK] + TURNS * (TURNS - 1) / 2;
        CHECK(out[i].x == expected && out[i].y == 1 && out[i].z == 2 && out[i].w == i % BLOCK);
    }
    cudaFree(out);
}

static void check_others(const int *in) {
    int *out = managed<int>(3 * COUNT + BLOCKS);
    others<<<BLOCKS, BLOCK>>>(out, out + COUNT, out + 2 * COUNT, out + 3 * COUNT, in);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        int t = i % BLOCK;
        CHECK(out[i] == t && out[COUNT + i] == in[t ^ 1]);
        CHECK(out[2 * COUNT + i] == (in[t] % 3 == 0 ? in[t ^ 2] : 0));
        CHECK(out[3 * COUNT + i / BLOCK] == in[0]);
    }
    cudaFree(out);
}

int main() {
    int *in = managed<int>(BLOCK);
    for (int t = 0; t < BLOCK; t++)
        in[t] = 7 * t + 3;
    check_plain(in);
    check_loops(in);
    check_others(in);
}
