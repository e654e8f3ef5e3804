// Long code is optimised and written by a process for each level of the processor. What these share
// stays hidden in an object, so that two objects with the same kernel of a template link, and an
// object is the same bytes whenever it is made.
// RUN: %gcluster-cc -DPART -c %s -o %t.part.o
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: cp %t.o %t.first.o
// RUN: env GCL_CACHE=0 %gcluster-cc -c %s -o %t.o
// RUN: cmp %t.o %t.first.o
// RUN: llvm-nm --defined-only %t.o | FileCheck %s
// RUN: llvm-readelf --symbols %t.o | FileCheck --check-prefix=HIDDEN %s
// RUN: %gcluster-cc %t.o %t.part.o -o %t
// RUN: %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v2 %t
// CHECK-DAG: T _Z{{.*}}mix{{.*}}region0.x86-64-v4.level_processes.cu-{{[0-9a-f]*$}}
// CHECK-DAG: T _Z{{.*}}mix{{.*}}region0.x86-64-v3.level_processes.cu-{{[0-9a-f]*$}}
// CHECK-DAG: t _Z{{.*}}mix{{.*}}region0.x86-64-v2{{$}}
// HIDDEN-NOT: GLOBAL DEFAULT {{ *[0-9]+}} {{.*}}x86-64-v
// HIDDEN: GLOBAL HIDDEN {{ *[0-9]+}} {{.*}}region0.x86-64-v4
#include <cstdio>
#include <cuda_runtime.h>

__constant__ unsigned step = 1;

// In no kernel, so that all levels call it.
__device__ __noinline__ unsigned count(unsigned n) {
    return n < 2 ? n : count(n - 1) + count(n - 2);
}

template <typename T> __global__ void mix(T *out, unsigned depth) {
    __shared__ T s[64];
    T v = (T)threadIdx.x;
#pragma unroll
    for (int k = 0; k < 24; k++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + k) % 64] + (T)(step * k * count(depth));
        __syncthreads();
    }
    out[threadIdx.x] = v;
}

template <typename T> static int run(void) {
    T *out, host[64];
    cudaMalloc(&out, sizeof host);
    mix<T><<<1, 64>>>(out, 5);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    int shift = 23 * 24 / 2, bad = 0;
    for (int t = 0; t < 64; t++)
        bad |= host[t] != (T)((t + shift) % 64 + shift * 5);
    return bad;
}

#ifdef PART
int part(void) {
    return run<int>() | run<float>();
}
#else
int part(void);

int main() {
    int bad = run<int>() | run<float>() | part();
    puts(bad ? "wrong" : "right");
    return bad;
}
#endif
