// The first four of a kernel are kept, and that there are more, from all files of a program that is
// linked.
// RUN: %gcluster-cc --dump=shapes %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
// RUN: %gcluster-cc -dc %s -o %t.o && grep -a -A4 "^k 32 1 1" %t.o | FileCheck %s
// RUN: %gcluster-cc -rdc=true %s -o %t && %t
#include <cstdio>
__global__ void k() {
}
int main() {
    // CHECK: k 32 1 1
    k<<<1, 32>>>();
    // CHECK-NEXT: k 64 1 1
    k<<<1, 64>>>();
    k<<<1, 32>>>();
    // CHECK-NEXT: k 8 8 1
    k<<<1, dim3(8, 8)>>>();
    // CHECK-NEXT: k 128 1 1
    k<<<1, 128>>>();
    // CHECK-NEXT: k any
    k<<<1, 256>>>();
    k<<<1, 512>>>();
    return cudaDeviceSynchronize();
}
