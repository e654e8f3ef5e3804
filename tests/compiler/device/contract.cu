// RUN: %gcluster-cc --dump=regions %s | FileCheck %s
// RUN: %gcluster-cc --dump=regions -fmad=false %s | FileCheck %s --check-prefix=OFF
// RUN: %gcluster-cc --dump=regions -use_fast_math %s | FileCheck %s --check-prefix=FAST
// RUN: %gcluster-cc -O2 %s -o %t && %t
// Which products become part of a sum: decided before code is generated, so nothing is left that
// may still be contracted.
#include <stdio.h>

// CHECK-NOT: {{%.* = .*}}contract
// OFF-NOT: fmuladd
// OFF-NOT: {{%.* = .*}}contract
// FAST-NOT: {{%.* = .*}}contract

// CHECK-LABEL: define internal i32 @_Z3addPfff.region0.lane(
// CHECK: call float @llvm.fmuladd.f32(
// FAST: call float @llvm.fmuladd.f32(
__global__ void add(float *out, float a, float b) {
    *out = a * b + *out;
}

// The product or the rest changes its sign.
// CHECK-LABEL: define internal i32 @_Z8subtractPddd.region0.lane(
// CHECK: [[MINUS:%.*]] = fneg double
// CHECK: call double @llvm.fmuladd.f64({{.*}}double [[MINUS]])
// CHECK: [[MINUS:%.*]] = fneg double
// CHECK: call double @llvm.fmuladd.f64(double [[MINUS]],
__global__ void subtract(double *out, double a, double b) {
    out[0] = a * b - out[0];
    out[1] = out[1] - a * b;
}

// Of two products the one without other uses is taken in, else the left one.
// CHECK-LABEL: define internal i32 @_Z3twoPfff.region0.lane(
// CHECK-DAG: [[SHARED:%.*]] = fmul float
// CHECK-DAG: call float @llvm.fmuladd.f32({{.*}}float [[SHARED]])
// CHECK-NOT: fadd
__global__ void two(float *out, float a, float b) {
    float shared = a * b;
    out[0] = shared + a * a;
    out[1] = shared;
}

// CHECK-LABEL: define internal i32 @_Z5exactPfff.region0.lane(
// CHECK: call {{.*}}float @llvm.fma.f32(
// CHECK: fmul float
// CHECK: fadd float
__global__ void exact(float *out, float a, float b) {
    out[0] = fmaf(a, b, out[0]);
    out[1] = __fadd_rn(__fmul_rn(a, b), out[1]);
}

// A product is taken in from another basic block too.
__global__ void joined(float *out, float a, float b, bool add) {
    float product = a * b;
    if (add)
        *out = product + *out;
}

int main() {
    const float a = 1.0f + 0x1p-20f;
    volatile float square = a * a;
    float *out;
    cudaMallocManaged(&out, sizeof(float));
    *out = -square;
    joined<<<1, 1>>>(out, a, a, true);
    cudaDeviceSynchronize();
    printf("%g\n", *out);
    return *out != 0x1p-40f;
}
