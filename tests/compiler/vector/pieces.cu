// Vectors that fill several registers are loaded and stored from the lowest address up, and those
// of doubles have half of the lanes.
// RUN: %gcluster-cc -march=x86-64-v4 -c %s -o %t.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.o | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { BLOCKS = 4, BLOCK = 64, COUNT = BLOCKS * BLOCK };

// CHECK-LABEL: <twice(float*, float const*) (.region0.x86-64-v4)>:
// CHECK: vmovups [[FROM:\(%r[a-z0-9]+,%r[a-z0-9]+,4\)]], %zmm
// CHECK: {{0x40|64}}[[FROM]], %zmm
// CHECK: {{0x80|128}}[[FROM]], %zmm
// CHECK: {{0xc0|192}}[[FROM]], %zmm
// CHECK: vmovups %zmm{{[0-9]+}}, [[TO:\(%r[a-z0-9]+,%r[a-z0-9]+,4\)]]
// CHECK: %zmm{{[0-9]+}}, {{0x40|64}}[[TO]]
// CHECK: %zmm{{[0-9]+}}, {{0x80|128}}[[TO]]
// CHECK: %zmm{{[0-9]+}}, {{0xc0|192}}[[TO]]
__global__ void twice(float *to, const float *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = 2 * from[i];
}

// CHECK-LABEL: <square(double*, double const*) (.region0.x86-64-v4)>:
// CHECK: vmovupd [[FROM:\(%r[a-z0-9]+,%r[a-z0-9]+,8\)]], %zmm
// CHECK: {{0x40|64}}[[FROM]], %zmm
// CHECK: {{0x80|128}}[[FROM]], %zmm
// CHECK: {{0xc0|192}}[[FROM]], %zmm
// CHECK-NOT: {{0x100|256}}(
// CHECK: vmovupd %zmm{{[0-9]+}}, [[TO:\(%r[a-z0-9]+,%r[a-z0-9]+,8\)]]
// CHECK: %zmm{{[0-9]+}}, {{0x40|64}}[[TO]]
// CHECK: %zmm{{[0-9]+}}, {{0x80|128}}[[TO]]
// CHECK: %zmm{{[0-9]+}}, {{0xc0|192}}[[TO]]
__global__ void square(double *to, const double *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] * from[i];
}

int main() {
    float *from = managed<float>(COUNT), *to = managed<float>(COUNT);
    double *wide = managed<double>(COUNT), *squares = managed<double>(COUNT);
    for (int i = 0; i < COUNT; i++)
        from[i] = wide[i] = i;
    twice<<<BLOCKS, BLOCK>>>(to, from);
    square<<<BLOCKS, BLOCK>>>(squares, wide);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(to[i] == 2 * i && squares[i] == (double)i * i);
}
