// What a launch takes on one node and on 2, 8 and 64: a halo costs the same on any number of nodes, a kernel whose loop
// an argument counts has only what moves, one on one node nothing.
// RUN: %gcluster-cc --explain=json %s > %t
// RUN: FileCheck %s --input-file %t
// CHECK: "name": "step"
// CHECK: "costs": {
// CHECK: "alone_us": {{[0-9.]+}},
// CHECK: "nodes": 2,
// CHECK-NEXT: "moves_us": [[HALO:[1-9][0-9.]+]],
// CHECK-NEXT: "total_us": {{[0-9.]+}}
// CHECK: "nodes": 8,
// CHECK: "nodes": 64,
// CHECK: "name": "loop"
// CHECK: "alone_us": null,
// CHECK: "nodes": 2,
// CHECK-NEXT: "moves_us": 0.0,
// CHECK-NEXT: "total_us": null
// CHECK: "name": "one"
// CHECK: "costs": null
__global__ void step(const float *now, float *next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n)
        next[i] = now[i - 1] + now[i + 1];
}
__global__ void loop(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        x[i] = x[i] * 0.5f + k;
}
__global__ void one(int *at, int *all) {
    all[atomicAdd(at, 1)] = threadIdx.x;
}
