// RUN: %gcluster-cc %s -o %t 2>&1 | FileCheck %s
// RUN: %t 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// Inline PTX that the CPU can't run is a warning. Threads that come to it end their launch, with
// the statement and its place; those that don't, and other kernels, aren't concerned.
#include "check.h"

// CHECK: ptx_unknown.cu:[[@LINE+4]]:{{[0-9]+}}: warning: inline PTX that the CPU device doesn't know: fns.b32 $0, $1, 0, 1 [GCL154]
__global__ void unknown(unsigned *found, unsigned limit) {
    unsigned place = 7;
    if (threadIdx.x < limit)
        asm("fns.b32 %0, %1, 0, 1;" : "=r"(place) : "r"(threadIdx.x));
    found[threadIdx.x] = place;
}

// A carry that an earlier block has left may be any.
// CHECK: warning: {{.*}}: addc.u32
__global__ void carried(unsigned *sums, unsigned x) {
    unsigned low, high;
    asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(low) : "r"(x));
    if (low == 12)
        asm volatile("addc.u32 %0, 0, 0;" : "=r"(high));
    sums[threadIdx.x] = high;
}

int main() {
    unsigned *found = managed<unsigned>(32);
    unknown<<<1, 32>>>(found, 0);
    SYNC();
    CHECK(found[0] == 7 && found[31] == 7);
    unknown<<<1, 32>>>(found, 20);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
}
// SAID: {{.*}}ptx_unknown.cu:12: inline PTX that the CPU device doesn't know: fns.b32 $0, $1, 0, 1
// SAID-SAME: kernel unknown
