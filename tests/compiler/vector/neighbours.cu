// Stores that are neighbours because of what is added to an index before it is extended, and such
// whose lanes lie one behind the other by fours.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: define {{.*}} @_Z6spreadP6float2PKS_.region0{{.*}}.full(
// CHECK-NOT: llvm.masked.scatter
// CHECK: ret
__global__ void spread(float2 *out, const float2 *in) {
    int t = threadIdx.x;
    float2 a = in[t], b = in[t + 128];
    out[2 * t] = a;
    out[2 * t + 1] = b;
}

// A sum that may wrap isn't that much more when it is extended.
// CHECK-LABEL: define {{.*}} @_Z4wrapPfPKfj.region0{{.*}}.full(
// CHECK-COUNT-2: llvm.masked.scatter
// CHECK: ret
__global__ void wrap(float *out, const float *in, unsigned from) {
    unsigned t = threadIdx.x;
    float a = in[t], b = in[t + 128];
    out[2 * t + from] = a;
    out[2 * t + from + 1] = b;
}

// CHECK-LABEL: define {{.*}} @_Z5quadsP6float2PKS_i.region0{{.*}}.full(
// CHECK-COUNT-16: store <4 x i64>
// CHECK: ret
__global__ void quads(float2 *out, const float2 *in, int u) {
    int t = threadIdx.x;
    out[t / u * u * 4 + t % u] = in[t];
}
