// Vectors that are spilled don't lie across cache lines: the stack is aligned for them.
// RUN: %gcluster-cc -march=x86-64-v4 -c %s -o %t.v4.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.v4.o | FileCheck %s --check-prefixes=CHECK,V4
// RUN: %gcluster-cc -march=x86-64-v3 -c %s -o %t.v3.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.v3.o | FileCheck %s --check-prefixes=CHECK,V3

enum { TERMS = 40 };

// CHECK: <polynomials(float*, float const*) (.region0.x86-64-{{v[34]}})>:
// V4: andq $-{{0x40|64}}, %rsp
// V3: andq $-{{0x20|32}}, %rsp
// CHECK: vmovaps %{{[yz]}}mm{{[0-9]+}}, {{[0-9a-fx]*}}(%rsp)
__global__ void polynomials(float *to, const float *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = from[i], power[TERMS], sum = 0;
    power[0] = x;
#pragma unroll
    for (int k = 1; k < TERMS; k++)
        power[k] = power[k - 1] * x + k;
#pragma unroll
    for (int k = 0; k < TERMS; k++)
        sum = sum * power[TERMS - 1 - k] + power[k];
    to[i] = sum;
}

int main() {
    polynomials<<<1, 64>>>(nullptr, nullptr);
}
