// RUN: %gcluster-cc -O2 %s -o %t && %t
// Arguments that overlap: each thread must see its own store through the other pointer.
#include "check.h"

__global__ void through(int *a, int *b, int *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    b[i] += 1;
    c[i] = a[i] * 2;
}

__global__ void in_place(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 2 + 1;
}

int main() {
    const int n = 1000;
    int *a = managed<int>(1024), *c = managed<int>(1024);
    through<<<4, 256>>>(a, a, c);
    SYNC();
    for (int i = 0; i < 1024; i++)
        CHECK(a[i] == i + 1 && c[i] == 2 * (i + 1));

    float *f = managed<float>(1024);
    for (int i = 0; i < 1024; i++)
        f[i] = i;
    in_place<<<4, 256>>>(f, f, n);
    SYNC();
    for (int i = 0; i < 1024; i++)
        CHECK(f[i] == (i < n ? 2 * i + 1 : i));
}
