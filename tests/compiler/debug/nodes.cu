// RUN: %gcluster-cc -g -G %s -o %t
// RUN: env GCL_SPLIT=always %job-gdb %gcluster-run -n 2 --debug %t < %S/Inputs/nodes.gdb 2>&1 | FileCheck %s
// RUN: env GCL_SPLIT=always %job-gdb %gcluster-run -n 2 --debug %t fail < %S/Inputs/nodes_fail.gdb 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not %gcluster-run --hosts a,b --debug %t 2>&1 | FileCheck %s --check-prefix=HOSTS
// A job under gdb stops in whichever node it happens, and each node's threads can be looked at.
#include "../device/check.h"

__global__ void reverse(const int *in, int *out, int wrong) {
    __shared__ int part[32];
    int mine = in[blockIdx.x * 32 + threadIdx.x];
    part[threadIdx.x] = mine;
    __syncthreads();
    int *to = mine == wrong ? nullptr : out;
    to[blockIdx.x * 32 + threadIdx.x] = part[31 - threadIdx.x];
}

int main(int count, char **) {
    const int blocks = 8;
    int *in = managed<int>(blocks * 32), *out = managed<int>(blocks * 32);
    for (int i = 0; i < blocks * 32; i++)
        in[i] = i;
    reverse<<<blocks, 32>>>(in, out, count > 1 ? 7 * 32 + 3 : -1);
    SYNC();
    for (int i = 0; i < blocks * 32; i++)
        CHECK(out[i] == i / 32 * 32 + 31 - i % 32);
    puts("right");
}

// CHECK: All 2 nodes stand before main()
// Blocks of the lower half are node 0's.
// CHECK: hit {{.*}}reverse (
// CHECK: [node 0: reverse, block (1,0,0), thread (3,0,0): running]
// CHECK: $1 = 35
// CHECK: hit {{.*}}reverse (
// CHECK: [node 1: reverse, block (6,0,0), thread (5,0,0): running]
// CHECK: $2 = 197
// CHECK: [node 1: reverse, block (6,0,0), thread (9,0,0): to go on behind line 12]
// CHECK: $3 = 201
// CHECK: right

// FAIL: received signal SIGTRAP
// FAIL: [node 1: reverse, block (7,0,0), thread (3,0,0): running]
// FAIL: to[blockIdx.x * 32 + threadIdx.x] = part[31 - threadIdx.x];
// FAIL: $1 = 227

// HOSTS: --debug is for nodes of this machine
