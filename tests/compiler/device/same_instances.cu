// Instances of a template whose code is the same have one function for all.
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: llvm-nm %t.o | grep -c 'add.*region0.x86-64-v4$' | FileCheck %s
// RUN: %gcluster-cc %t.o -o %t && %t
// CHECK: {{^}}1{{$}}
#include <cstdio>
#include <cuda_runtime.h>

struct here;
struct there;

template <typename Tag> __global__ void add(int *a, int b) {
    a[threadIdx.x] += b;
}

template <typename Tag> static int run(int b) {
    int *a, sum = 0;
    cudaMallocManaged(&a, 32 * sizeof *a);
    for (int i = 0; i < 32; i++)
        a[i] = i;
    add<Tag><<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        sum += a[i];
    cudaFree(a);
    return sum != 31 * 16 + b * 32;
}

int main() {
    int bad = run<here>(3) + run<there>(4);
    puts(bad ? "wrong" : "right");
    return bad;
}
