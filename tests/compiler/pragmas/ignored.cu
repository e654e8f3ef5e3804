// Of a template's elements the compiler may know too little for a pragma, and says so once for each
// instance; the program goes without.
// RUN: %gcluster-cc --explain %s 2>&1 >%t.text | FileCheck %s
// RUN: FileCheck --input-file %t.text --check-prefix TEXT %s
// RUN: %gcluster-cc -c %s -o %t.o
#include <cuda_runtime.h>

#pragma gcluster reduces(+: sum)
template <typename T> __global__ void total(const T *in, T *sum) {
    *sum += in[blockIdx.x * blockDim.x + threadIdx.x];
}
template __global__ void total<int>(const int *, int *);
template __global__ void total<float>(const float *, float *);
// CHECK: ignored.cu:8:{{[0-9]+}}: warning: 'reduces(+: sum)' has no effect: it isn't known what its elements are [GCL136]
// CHECK-NOT: has no effect

#pragma gcluster reads(in[blockIdx.x : 1])
template <typename T> __global__ void mixed(const T *in, const int *index, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (int)in[index[i]] + ((const char *)in)[index[i]];
}
template __global__ void mixed<double>(const double *, const int *, int *);
// CHECK: ignored.cu:17:{{[0-9]+}}: warning: 'reads(in[blockIdx.x])' has no effect: it isn't known how large its elements are [GCL136]
// TEXT: total<int>: splits along blockIdx.x; {{.*}}written by several blocks
// TEXT: total<float>: splits along blockIdx.x; {{.*}}combined over all blocks: sum
