// RUN: %gcluster-cc -g -G %s -o %t && %t
// RUN: env GCL_DEBUG=block:5,0,0 %gdb -ix %gcluster-py -x %S/Inputs/focus.gdb %t 2>&1 | FileCheck %s
// RUN: %lldb -s %S/Inputs/focus.lldb %t </dev/null 2>&1 | FileCheck %s --check-prefix=LLDB
// Who waits where, and the stack of a thread that waits. By GCL_DEBUG a block runs after all others.
#include "../device/check.h"

enum { THREADS = 64 };

__device__ void publish(float *part, float value) {
    part[threadIdx.x] = value;
    __syncthreads();
}

__global__ void reverse(const float *in, float *out) {
    __shared__ float part[THREADS];
    float mine = in[blockIdx.x * THREADS + threadIdx.x];
    publish(part, mine);
    float other = part[THREADS - 1 - threadIdx.x];
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = other;
}

int main() {
    const int blocks = 8;
    float *in = managed<float>(blocks * THREADS), *out = managed<float>(blocks * THREADS);
    for (int i = 0; i < blocks * THREADS; i++)
        in[i] = i;
    reverse<<<blocks, THREADS>>>(in, out);
    SYNC();
    for (int i = 0; i < blocks * THREADS; i++)
        CHECK(out[i] == i / THREADS * THREADS + THREADS - 1 - i % THREADS);
    return 0;
}

// CHECK: No kernel compiled with -G runs.
// CHECK: hit Breakpoint 2, reverse (
// CHECK: [reverse, block (5,0,0), thread (7,0,0): running]
// All other blocks have run.
// CHECK: $1 = 511
// CHECK: reverse: grid (8,1,1), blocks of (64,1,1), launched at {{.*}}focus.cu:28; running: (5,0,0)
// CHECK: * reverse block (5,0,0), gdb's thread {{[0-9]+}}: 7 at the barrier of line 19, 1 running, 56 to go on behind line 11
// CHECK: reverse block (5,0,0), 64 threads:
// CHECK-NEXT: (0,0,0) to (6,0,0): at the barrier of line 19
// CHECK-NEXT: * (7,0,0): running
// CHECK-NEXT: (8,0,0) to (63,0,0): to go on behind line 11
// CHECK: [reverse, block (5,0,0), thread (2,0,0): at the barrier of line 19]
// CHECK: $2 = {x = 2, y = 0, z = 0}
// CHECK: $3 = 381
// CHECK: [reverse, block (5,0,0), thread (20,0,0): to go on behind line 11]
// CHECK: publish (part=0x{{[0-9a-f]+}}, value=340) at {{.*}}focus.cu:11
// CHECK: reverse (in=0x{{[0-9a-f]+}}, out=0x{{[0-9a-f]+}}) at {{.*}}focus.cu:17
// CHECK-NOT: gcl_thread
// CHECK: $4 = {x = 20, y = 0, z = 0}
// CHECK: [reverse, block (5,0,0), thread (20,0,0): running]
// CHECK: $5 = {x = 20, y = 0, z = 0}
// CHECK: block (6,0,0) doesn't run now
// CHECK: the block has no thread (64,0,0)

// LLDB: No kernel compiled with -G runs.
// LLDB: [reverse, block (5,0,0), thread (7,0,0): running]
// LLDB: reverse: grid (8,1,1), blocks of (64,1,1), launched at {{.*}}focus.cu:28; running: (5,0,0)
// LLDB: * reverse block (5,0,0), lldb's thread {{[0-9]+}}: 7 at the barrier of line 19, 1 running, 56 to go on behind line 11
// LLDB: (0,0,0) to (6,0,0): at the barrier of line 19
// LLDB-NEXT: * (7,0,0): running
// LLDB-NEXT: (8,0,0) to (63,0,0): to go on behind line 11
// LLDB: [reverse, block (5,0,0), thread (2,0,0): at the barrier of line 19]
// LLDB: frame {{.*}}reverse(in=0x{{[0-9a-f]+}}, out=0x{{[0-9a-f]+}}) at focus.cu:19
// LLDB: (float) other = 381
// LLDB: [reverse, block (5,0,0), thread (20,0,0): to go on behind line 11]
// LLDB: publish(part=0x{{[0-9a-f]+}}, value=340) at focus.cu:11
// LLDB: reverse(in=0x{{[0-9a-f]+}}, out=0x{{[0-9a-f]+}}) at focus.cu:17
// LLDB: (uint3) threadIdx = (x = 20, y = 0, z = 0)
// LLDB: name = 'block (5,0,0) thread (20,0,0)'
// LLDB: (unsigned int) threadIdx.x = 7
// LLDB-NOT: name = 'block
// LLDB: exited with status = 0
