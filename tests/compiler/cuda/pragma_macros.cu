// A macro may be a whole #pragma, in a header and here.
// RUN: %gcluster-cc -I %S/Inputs %s -o %t
// RUN: %t | FileCheck %s
#include <cstdio>
#include <pragma_macro.h>

#ifdef __CUDA_ARCH__
#define ALL #pragma unroll
#else
#define ALL
#endif

template <int count> __host__ __device__ int odd(const int *values) {
    int sum = 0;
    auto add = [&](int first) {
        UNROLL
        for (int i = first; i < count; i += 2)
            sum += values[i];
    };
    add(1);
    return sum;
}

__global__ void kernel(const int *in, int *out) {
    int sum = 0;
    UNROLL_BY_TWO
    for (int i = 0; i < 8; i++)
        sum += in[i];
    ALL for (int i = 0; i < 2; i++) out[i] = i ? sum : odd<8>(in);
}

int main() {
    int *values, host[8];
    cudaMalloc(&values, 10 * sizeof(int));
    for (int i = 0; i < 8; i++)
        host[i] = i + 1;
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(values, values + 8);
    cudaMemcpy(host, values + 8, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d of %d\n", host[0], host[1]);
    // CHECK: 20 of 36
}
