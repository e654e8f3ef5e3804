// RUN: %gcluster-cc --dump=regions %s | FileCheck %s
// RUN: %gcluster-cc -O2 -c %s -o %t.o
// RUN: nm %t.o | FileCheck %s --check-prefix=SYMBOLS
// How functions of the C library are computed: by code without branches that takes the place of the
// call, by libmvec's variant for the processor's level, or one by one.
#include <cmath>

// CHECK-LABEL: define internal i32 @_Z8in_placefPfPd.region0.lane(
// CHECK-NOT: {{br i1|call.*@(llvm.exp|llvm.log|__gcl_math|a)}}
// CHECK: ret i32
__global__ void in_place(float a, float *x, double *y) {
    x[0] = expf(a) + std::log(a) + __log2f(a) + log1p(a) + acosf(a) + sinpi(a);
    y[0] = exp(y[1]) + log10(y[1]) + atan2(y[1], y[2]) + cosh(y[1]) + tanh(y[1]) + cbrt(y[1]);
}

// What is too large for the reduction goes to the C library, in a branch of its own.
// CHECK-LABEL: define internal i32 @_Z5sinesPd.region0.lane(
// CHECK-COUNT-1: br i1
// CHECK-NOT: br i1
// CHECK: ret i32
__global__ void sines(double *y) {
    sincos(y[0], &y[1], &y[2]);
}

// One lane of the variant: the same bits as from many.
// SYMBOLS-DAG: U _ZGVbN4v_sinf
// SYMBOLS-DAG: U _ZGVdN8v_sinf
// SYMBOLS-DAG: U _ZGVeN16v_sinf
// SYMBOLS-DAG: U _ZGVeN8vv_pow
// SYMBOLS-DAG: U tgamma
// SYMBOLS-NOT: U {{sinf|pow}}
__global__ void by_variant(float *x, double *y) {
    x[0] = sinf(x[1]);
    y[0] = pow(y[1], y[2]) + tgamma(y[1]);
}
