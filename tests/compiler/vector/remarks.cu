// What the compiler says about vectors.
// RUN: %gcluster-cc -Rgcluster=vector -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %gcluster-cc --cpu=scalar -Rgcluster=vector -c %s -o %t.o 2>&1 | count 0
// RUN: %gcluster-cc --dump=uniformity %s | FileCheck --check-prefix=SHAPES %s
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck --check-prefix=VECTOR %s
#include <stdio.h>

// SHAPES: _Z5plainPfPKfi.region0.lane
// SHAPES: uniform: {{.*}}load i32
// SHAPES: affine +1x: {{.*}}add i32
// SHAPES: divergent: {{.*}}icmp slt i32
// SHAPES-NEXT: because of {{.*}}add i32
// SHAPES: affine +4x: {{.*}}getelementptr
// VECTOR: define internal i32 @_Z5plainPfPKfi.region0.lane.x86-64-v4.masked(
// VECTOR: @llvm.masked.load.v16f32
// VECTOR: define internal i32 @_Z5plainPfPKfi.region0.lane.x86-64-v4.full(
// VECTOR: load <64 x float>
// VECTOR: store <64 x float>
__global__ void plain(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

__global__ void prints(int n) {
    // CHECK-DAG: remarks.cu:[[@LINE+1]]: remark: _Z6printsi: lane by lane: gcl_device_printf
    printf("%d\n", n + threadIdx.x);
}

__global__ void exchanges(int *out) {
    int t = threadIdx.x;
    // CHECK-DAG: remarks.cu:[[@LINE+1]]: remark: _Z9exchangesPi: lane by lane: an atomic operation
    out[t] = atomicExch(&out[t + 1024], t);
}

__global__ void retries(double *sum, double *out) {
    unsigned long long *bits = (unsigned long long *)sum, old = *bits, seen;
    do {
        seen = old;
        double next = __longlong_as_double(seen) + out[threadIdx.x];
        // CHECK-DAG: remarks.cu:[[@LINE+1]]: remark: _Z7retriesPdS_: lane by lane: a loop that retries an atomic operation
        old = atomicCAS(bits, seen, __double_as_longlong(next));
    } while (seen != old);
    // CHECK-DAG: remarks.cu:[[@LINE+1]]: remark: _Z7retriesPdS_: lane by lane: a loop that retries an atomic operation
    atomicInc((unsigned *)out, 9);
}

// CHECK-DAG: remark: _Z5locksPi: lane by lane: all of it, as its threads wait for each other in a loop
__global__ void locks(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    lock[1]++;
    atomicExch(lock, 0);
}
