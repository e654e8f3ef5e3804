// From which size on it pays to spread a launch: an estimate, whose form is held here.
// RUN: %gcluster-cc --explain %s > %t
// RUN: FileCheck %s --input-file %t
// RUN: %gcluster-cc --explain=json %s > %t.json
// RUN: FileCheck %s --input-file %t.json --check-prefix JSON
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
// CHECK: add: splits along blockIdx.x; {{.*}} written exactly once. Spreading a launch pays from about {{[0-9]+}}0 blocks of 256 threads on (2 nodes of 16 threads).
// JSON: "name": "add"
// JSON: "worth": "pays from about {{[0-9]+}}0 blocks of 256 threads on (2 nodes of 16 threads)"

// A hundred times the work: not more blocks than threads, and more than those of one node.
__global__ void heavy(float *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int k = 0; k < 100000; k++)
        x = x * 0.5f + 1;
    a[i] = x;
}
// CHECK: heavy: {{.*}} pays from about 17 blocks of 256 threads on

// The size that launches are seen to have.
__global__ void smooth(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y > 0 && y < n - 1)
        out[y * n + x] = in[(y - 1) * n + x] + in[(y + 1) * n + x];
}
void launch(const float *in, float *out, int n) {
    smooth<<<dim3(n / 64, n / 4), dim3(64, 4)>>>(in, out, n);
}
// CHECK: smooth: {{.*}} pays from about {{[0-9]+}} blocks of 64 x 4 threads on

// In terms of what isn't known.
__global__ void rounds(float *a, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int k = 0; k < steps; k++)
        x = x * 0.5f + 1;
    a[i] = x;
}
// CHECK: rounds: {{.*}} pays from about {{[0-9]+}} / (steps + {{[0-9]+}}) blocks of 256 threads on
// JSON: "name": "rounds"
// JSON: "worth": "pays from about {{[0-9]+}} / (steps + {{[0-9]+}}) blocks of 256 threads on (2 nodes of 16 threads)"

__global__ void nested(float *a, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int k = 0; k < height; k++)
        for (int j = 0; j < width; j++)
            x = x * a[i] + sqrtf(x);
    a[i] = x;
}
// CHECK: nested: {{.*}} pays from about {{[0-9]+}} / ({{(width \* height|height \* width)}}

// Nothing rather than something wrong: data decides how often a loop runs, ...
__global__ void until(float *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    while (x < 1e6f)
        x = x * 1.5f + 1;
    a[i] = x;
}
// CHECK: until: splits along blockIdx.x; a: element x, read and written exactly once.{{$}}
// JSON: "name": "until"
// JSON: "worth": null

// ... or two arguments by themselves, ...
__global__ void both(float *a, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int k = 0; k < n; k++)
        x = x * 0.5f + 1;
    for (int k = 0; k < m; k++)
        x = sqrtf(x) + 1;
    a[i] = x;
}
// CHECK: both: splits along blockIdx.x; a: element x, read and written exactly once.{{$}}

// ... or which bytes move.
__global__ void gather(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}
// CHECK: gather: {{.*}} written exactly once.{{$}}

// What moves grows with the launch, and takes longer than the rest of it.
__global__ void mirror(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i];
}
// CHECK: mirror: {{.*}} Spreading a launch takes longer than it saves (2 nodes of 16 threads, links of 0.5 GB/s).

__global__ void tickets(int *next, int *out) {
    out[atomicAdd(next, 1)] = blockIdx.x;
}
// CHECK: tickets: runs on one node; next: changed atomically; out: written.{{$}}
