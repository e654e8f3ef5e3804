// RUN: %gcluster-cc --dump=ptx --cuda-path=/nonexistent %s > %t.ptx 2> %t.err
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck --check-prefix=ERR %s < %t.err
// RUN: %gcluster-cc --dump=ptx --cuda-path=/nonexistent -use_fast_math %s > %t.fast.ptx 2> %t.err
// RUN: FileCheck --check-prefix=FAST %s < %t.fast.ptx
// RUN: %gcluster-cc --dump=ptx --cuda-path=/nonexistent -prec-div=false -ftz=true %s > %t.full.ptx 2> %t.err
// RUN: FileCheck --check-prefix=FULL %s < %t.full.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.fast.ptx %}
// Without the CUDA toolkit: what is an instruction there, and our own functions.

// ERR: mathematics.cu:[[#]]:[[#]]: warning: kernel bessel has no GPU code: it calls j0f, which takes libdevice.10.bc
// CHECK-NOT: .entry bessel(

// CHECK-LABEL: .entry quotients(
// CHECK: div.rn.f32
// CHECK: rcp.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f64
// FAST-LABEL: .entry quotients(
// FAST: div.approx.ftz.f32
// FAST: rcp.approx.ftz.f32
// FAST: sqrt.approx.ftz.f32
// FULL-LABEL: .entry quotients(
// FULL: div.full.ftz.f32
// FULL: rcp.approx.ftz.f32
// FULL: sqrt.rn.ftz.f32
extern "C" __global__ void quotients(float *p, double *q) {
    p[0] = p[1] / p[2];
    p[1] = 1 / p[3];
    p[2] = sqrtf(p[4]);
    q[0] = q[1] / q[2];
}

// CHECK-LABEL: .entry instructions(
// CHECK: sin.approx.f32
// CHECK: lg2.approx.f32
// CHECK: ex2.approx.f32
// CHECK: rsqrt.approx.f32
// CHECK: div.approx.f32
extern "C" __global__ void instructions(float *p) {
    p[0] = __sinf(p[0]);
    p[1] = __powf(p[1], p[2]);
    p[2] = rsqrtf(p[2]);
    p[3] = __fdividef(p[3], p[4]);
}

// CHECK-LABEL: .entry functions(
// CHECK: fma.rn.f64
// FAST-LABEL: .entry functions(
// FAST: ex2.approx.ftz.f32
extern "C" __global__ void functions(float *p, double *q, int *n) {
    p[0] = expf(p[1]) + powf(p[2], p[3]);
    q[0] = atan2(q[1], q[2]) + ldexp(q[3], n[0]);
    n[1] = (int)lrint(q[4]);
}

extern "C" __global__ void bessel(float *p) {
    p[0] = j0f(p[1]);
}
