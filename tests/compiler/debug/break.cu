// RUN: %gcluster-cc -g -G %s -o %t && %t
// RUN: %gdb -x %S/Inputs/break.gdb %t | FileCheck %s
// A debugger stops at a line and in a function of a kernel, and finds what the source has there.
#include "../device/check.h"

struct scale {
    float factor, offset;
};

__device__ float weigh(float value, scale by) {
    float scaled = value * by.factor;
    return scaled + by.offset;
}

template <typename T> __global__ void shift(const T *in, T *out, int n, scale by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T weighed = weigh(in[i], by);
    out[i] = weighed;
}

int main() {
    const int n = 100;
    float *in = managed<float>(n), *out = managed<float>(n);
    for (int i = 0; i < n; i++)
        in[i] = i;
    shift<<<dim3(4, 1), dim3(16, 2)>>>(in, out, n, scale{0.5f, 1});
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(out[i] == 0 || out[i] >= 1);
    return 0;
}

// The template by name, before any thread has run, with what it was given.
// CHECK: hit Breakpoint 1{{.*}}, shift<float> (in=0x{{[0-9a-f]+}}, out=0x{{[0-9a-f]+}}, n=100, by=...) at {{.*}}break.cu:[[#@LINE-20]]
// CHECK: #1 {{.*}}gcl.thread.
// One thread alone, by a condition on the built-in variables.
// CHECK: hit Breakpoint 2{{.*}}break.cu:[[#@LINE-20]]
// CHECK: $1 = {x = 3, y = 1, z = 0}
// CHECK: $2 = {x = 2, y = 0, z = 0}
// CHECK: $3 = {x = 16, y = 2, z = 1}
// CHECK: $4 = {x = 4, y = 1, z = 1}
// CHECK: $5 = 35
// CHECK: $6 = 35
// CHECK: $7 = {factor = 0.5, offset = 1}
// Into a function, through it and out of it.
// CHECK: weigh (value=35, by=...) at {{.*}}break.cu:[[#@LINE-37]]
// CHECK: return scaled + by.offset;
// CHECK: $8 = 17.5
// CHECK: #0 {{.*}}weigh (value=35
// CHECK: #1 {{.*}}shift<float> (in=
// CHECK: Value returned is $9 = 18.5
// CHECK: out[i] = weighed;
// CHECK: $10 = 18.5
