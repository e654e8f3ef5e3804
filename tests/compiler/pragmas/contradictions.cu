// A pragma that can't be true is an error, with the line that shows it; one that may be true isn't.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %gcluster-cc --explain %s 2>&1 >%t.text | FileCheck --implicit-check-not=error: %s
#include <cuda_runtime.h>

// CHECK: contradictions.cu:[[#@LINE+4]]:24: error: 'reads(in[blockIdx.x])' isn't true: the kernel reads in[x] ({{.*}}contradictions.cu:[[#@LINE+8]]) [GCL135]
// CHECK-NEXT: #pragma gcluster reads(in[blockIdx.x : 1])
// CHECK-NEXT: {{^}}      |                        ^~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT: help: name all that is touched; what is exact needs no pragma
#pragma gcluster reads(in[blockIdx.x : 1])
__global__ void reads(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]] + in[i];
}

// CHECK: contradictions.cu:[[#@LINE+1]]:25: error: 'writes(out[0 : 10])' isn't true: the kernel writes out[x] ({{.*}}:[[#@LINE+5]]) [GCL135]
#pragma gcluster writes(out[0 : 10])
__global__ void writes(const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
    out[index[i]] = 2;
}

// Of the blocks' size and of `chunk` its author knows more.
#pragma gcluster reads(in[blockIdx.x * 64 : 64]) writes(out[blockIdx.x * chunk : chunk])
__global__ void sized(const float *in, const int *index, float *out, int n, int chunk) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]] + in[i];
    out[index[i]] = 3;
}

// But not of launches that are seen.
// CHECK: contradictions.cu:[[#@LINE+1]]:24: error: 'reads(in[blockIdx.x * 64 : 64])' isn't true
#pragma gcluster reads(in[blockIdx.x * 64 : 64])
__global__ void launched(const float *in, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]] + in[i];
}
void launch(const float *in, const int *index, float *out) {
    launched<<<16, 128>>>(in, index, out);
}

// CHECK: contradictions.cu:[[#@LINE+1]]:28: error: 'replicate(p)' isn't true: the kernel changes p[threadIdx.x] ({{.*}}:[[#@LINE+3]]) [GCL135]
#pragma gcluster replicate(p)
__global__ void replicate(float *p, const int *index) {
    p[threadIdx.x] = p[index[threadIdx.x]];
}

// CHECK: contradictions.cu:[[#@LINE+1]]:29: error: 'reduces(+: p)' isn't true: the kernel writes to 'p' without reading it ({{.*}}:[[#@LINE+3]]) [GCL135]
#pragma gcluster reduces(+: p)
__global__ void store(int *p, const int *index) {
    p[index[threadIdx.x]] = 5;
}

// CHECK: contradictions.cu:[[#@LINE+1]]:31: error: 'reduces(max: p)' isn't true: the kernel has another atomic operation on 'p' ({{.*}}:[[#@LINE+3]]) [GCL135]
#pragma gcluster reduces(max: p)
__global__ void other(int *p, const int *index) {
    atomicAdd(&p[index[threadIdx.x]], 5);
}

// CHECK: contradictions.cu:[[#@LINE+1]]:29: error: 'reduces(+: p)' isn't true: the kernel only reads 'p'
#pragma gcluster reduces(+: p)
__global__ void idle(int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x];
}

// CHECK: contradictions.cu:[[#@LINE+1]]:27: error: 'disjoint(p)' isn't true: several blocks write p[threadIdx.x] ({{.*}}:[[#@LINE+4]]) [GCL135]
#pragma gcluster disjoint(p)
__global__ void same(int *p, const int *index) {
    if (blockIdx.x < 100000)
        p[threadIdx.x] = 5;
}

// What `step` is decides.
#pragma gcluster disjoint(p)
__global__ void apart(int *p, int step) {
    p[blockIdx.x * step + threadIdx.x] = 5;
}

// CHECK: contradictions.cu:[[#@LINE+1]]:18: error: 'split(y)' isn't true: the kernel stays on one node, because the result of an atomic operation is used{{.*}}:[[#@LINE+3]]) [GCL135]
#pragma gcluster split(y)
__global__ void waits(int *p, int *q) {
    if (atomicAdd(p, 1) == 5)
        q[blockIdx.y] = 1;
}

// CHECK: contradictions.cu:[[#@LINE+2]]:18: error: 'split(x)' isn't true: the kernel stays on one node, because a fence {{.*}}:[[#@LINE+5]]) [GCL135]
// CHECK: contradictions.cu:[[#@LINE+1]]:36: error: 'disjoint(p)' isn't true: the kernel stays on one node, because a fence
#pragma gcluster split(x) disjoint(p)
__global__ void fences(int *p, int *q) {
    p[blockIdx.x] = 1;
    __threadfence();
}
