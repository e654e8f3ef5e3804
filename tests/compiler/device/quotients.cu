// RUN: %gcluster-cc --dump=regions -use_fast_math %s | FileCheck %s
// RUN: %gcluster-cc --dump=regions %s | FileCheck %s --check-prefix=EXACT
// Which quotients fast math turns into products: decided before code is generated, so nothing is
// left that may still be approximated.

// CHECK-NOT: {{%.* = .*}} {{arcp|afn|contract}}
// EXACT-NOT: {{%.* = .*}} {{arcp|afn|contract}}

// CHECK-LABEL: define internal i32 @_Z6sharedPff.region0.lane(
// CHECK: [[ONE:%.*]] = fdiv float 1.0
// CHECK: fmul float {{%.*}}, [[ONE]]
// CHECK: fmul float {{%.*}}, [[ONE]]
// CHECK-NOT: fdiv
// EXACT-LABEL: define internal i32 @_Z6sharedPff.region0.lane(
// EXACT: fdiv
// EXACT: fdiv
__global__ void shared(float *out, float x) {
    out[0] = out[0] / x;
    out[1] = out[1] / x;
}

// CHECK-LABEL: define internal i32 @_Z5alonePff.region0.lane(
// CHECK: fdiv float
__global__ void alone(float *out, float x) {
    *out = *out / x;
}

// CHECK-LABEL: define internal i32 @_Z4rootPff.region0.lane(
// CHECK: [[ROOT:%.*]] = call float @__gcl_reciprocal_root(
// CHECK: fmul float {{%.*}}, [[ROOT]]
// CHECK-NOT: fdiv
// EXACT-LABEL: define internal i32 @_Z4rootPff.region0.lane(
// EXACT: fdiv
__global__ void root(float *out, float x) {
    *out = *out / sqrtf(x);
}

// CHECK-LABEL: define internal i32 @_Z7doublesPdd.region0.lane(
// CHECK: fdiv double
// CHECK: fdiv double
__global__ void doubles(double *out, double x) {
    out[0] = out[0] / x;
    out[1] = out[1] / x;
}

int main() {
}
