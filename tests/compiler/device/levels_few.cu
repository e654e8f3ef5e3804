// Where kernels have thousands of instructions that rely on warps there is no code for x86-64-v2,
// unless that is named; what the program says then is what it says of other code.
// RUN: %gcluster-cc --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc %s -o %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: not env GCL_CPU_LEVEL=v2 %t 2>&1 | FileCheck --check-prefix=LESSER %s
// CHECK: c"x86-64-v3\00"
// CHECK-NOT: define {{.*}}x86-64-v2
// LESSER: was compiled for x86-64-v3, which this CPU isn't under GCL_CPU_LEVEL
#include "check.h"

enum { STEPS = 1400 };

__host__ __device__ unsigned next(unsigned value, unsigned other, unsigned step) {
    return value * 5 + (other ^ step) + (value >> 3);
}

__global__ void mix(unsigned *out) {
    unsigned value = threadIdx.x;
#pragma unroll
    for (unsigned step = 0; step < STEPS; step++)
        value = next(value, __shfl_xor_sync(~0u, value, 1 + step % 16), step);
    out[threadIdx.x] = value;
}

int main() {
    unsigned *out = managed<unsigned>(32), lanes[32], others[32];
    mix<<<1, 32>>>(out);
    SYNC();
    for (unsigned l = 0; l < 32; l++)
        lanes[l] = l;
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned l = 0; l < 32; l++)
            others[l] = lanes[l ^ (1 + step % 16)];
        for (unsigned l = 0; l < 32; l++)
            lanes[l] = next(lanes[l], others[l], step);
    }
    for (unsigned l = 0; l < 32; l++)
        CHECK(out[l] == lanes[l]);
}
