// Where code is very long, kernels are shared out among processes at each level of the processor;
// all of the program works as if one process had written it, and it is the same bytes each time.
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: cp %t.o %t.first.o
// RUN: env GCL_CACHE=0 %gcluster-cc -c %s -o %t.o
// RUN: cmp %t.o %t.first.o
// RUN: llvm-nm --defined-only %t.o | FileCheck %s
// RUN: %gcluster-cc %t.o -o %t
// RUN: %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v2 %t
// CHECK-DAG: T _Z{{.*}}reduce{{.*}}region0.x86-64-v2.kernel_shares.cu-{{[0-9a-f]*$}}
// CHECK-DAG: t _Z{{.*}}reduce{{.*}}region0.x86-64-v2{{$}}
#include <cstdio>
#include <cuda_runtime.h>

template <typename T, unsigned Block> __global__ void reduce(const T *in, T *out, unsigned n) {
    __shared__ T shared[Block];
    unsigned t = threadIdx.x;
    T sum = 0;
    for (unsigned i = blockIdx.x * Block + t; i < n; i += Block * gridDim.x)
        sum += in[i];
    shared[t] = sum;
    __syncthreads();
    if (Block >= 256 && t < 128)
        shared[t] = sum = sum + shared[t + 128];
    __syncthreads();
    if (t < 64)
        shared[t] = sum = sum + shared[t + 64];
    __syncthreads();
    if (t < 32) {
        sum += shared[t + 32];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

template <typename T, unsigned Block> static int run(void) {
    enum { COUNT = 3000, BLOCKS = 4 };
    T *in, *out, sum = 0;
    cudaMallocManaged(&in, COUNT * sizeof *in);
    cudaMallocManaged(&out, BLOCKS * sizeof *out);
    for (int i = 0; i < COUNT; i++)
        in[i] = (T)(i % 100);
    reduce<T, Block><<<BLOCKS, Block>>>(in, out, COUNT);
    cudaDeviceSynchronize();
    for (int b = 0; b < BLOCKS; b++)
        sum += out[b];
    cudaFree(in);
    cudaFree(out);
    return sum != (T)(COUNT / 100 * 4950);
}

int main() {
    int bad = run<int, 128>() | run<int, 256>() | run<float, 128>() | run<float, 256>() |
              run<double, 128>() | run<double, 256>();
    puts(bad ? "wrong" : "right");
    return bad;
}
