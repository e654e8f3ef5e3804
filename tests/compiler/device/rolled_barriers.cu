// A loop that #pragma unroll can't unroll as a whole keeps its one barrier; one that it can has as
// many as it has rounds.
// RUN: %gcluster-cc --dump=ir %s | FileCheck %s
// CHECK-LABEL: define {{.*}}long_loop
// CHECK-COUNT-1: call void @__gcl_barrier()
// CHECK-NOT: call void @__gcl_barrier()
// CHECK-LABEL: define {{.*}}short_loop
// CHECK-COUNT-8: call void @__gcl_barrier()
// CHECK-NOT: call void @__gcl_barrier()

extern "C" __global__ void long_loop(float *data) {
    __shared__ float row[256];
    unsigned t = threadIdx.x;
    row[t] = data[t];
#pragma unroll
    for (unsigned i = 0; i < 5000; i++) {
        __syncthreads();
        float next = row[(t + i) % 256];
        data[i * 256 + t] += next;
    }
}

extern "C" __global__ void short_loop(float *data) {
    __shared__ float row[256];
    unsigned t = threadIdx.x;
    row[t] = data[t];
#pragma unroll
    for (unsigned i = 0; i < 8; i++) {
        __syncthreads();
        float next = row[(t + i) % 256];
        data[i * 256 + t] += next;
    }
}
