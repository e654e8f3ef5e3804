// RUN: %gcluster-cc -O2 %s -o %t && %t 1
// RUN: %gcluster-cc -O2 -fmad=false %s -o %t && %t 0
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t && %t 1
// a * a - b is 0 if the product is rounded to b first, and its rounding error if not.
#include <stdio.h>
#include <stdlib.h>

__global__ void kernel(float a, float b, float *out) {
    *out = a * a - b;
}

int main(int, char **argv) {
    float a = 1.0f + 0x1p-20f;
    volatile float b = a * a;
    float *out;
    cudaMallocManaged(&out, sizeof(float));
    kernel<<<1, 1>>>(a, b, out);
    cudaDeviceSynchronize();
    bool fused = *out != 0;
    printf("%g\n", *out);
    return fused != (atoi(argv[1]) != 0);
}
