// nvcc takes << < for <<<, so does gcluster-cc, in every pass.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
#include "Inputs/spaced.h"
template <class T> struct box {};
template <class T> __global__ void g(T) {
}
#define SHIFT(a) (1 << a)
// So it does for a shared array that is `extern` and has a size.
__global__ void reverse(int *out) {
    extern __shared__ int four[4];
    four[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = four[3 - threadIdx.x];
}
int main() {
    k << <1, 2 >> >(1);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, 1);
    k << < 1, 2, 0 >> > (2);
    // CHECK: {{ *}}gclLaunch(k, 1, 2, 0, 0, 2);
    k << <1, SHIFT(2)>>>(3);
    // CHECK: {{ *}}gclLaunch(k, 1, SHIFT(2), 0, 0, 3);
    box<box<int> > b;
    // CHECK: {{ *}}box<box<int> > b;
    g<box<box<int> > ><<<1, 2>>>(b);
    // CHECK: {{ *}}gclLaunch(g<box<box<int> > >, 1, 2, 0, 0, b);
    return from_header() + (1 << 2 << 3);
}
