// RUN: %gcluster-cc --dump=ptx %s > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_100 -o %t.cubin %t.ptx %}
// RUN: %gcluster-cc %s -o %t && %t
// RUN: %gcluster-cc -c --device=cpu %s -o %t.o && not grep -q 'entry _Z5saxpyifPKfPf' %t.o
// RUN: %gcluster-cc -c --device=cuda %s -o %t.o && grep -q 'entry _Z5saxpyifPKfPf' %t.o
// RUN: %gcluster-cc -c %s -o %t.o && grep -q 'entry _Z5saxpyifPKfPf' %t.o
// A kernel's parameters, and behind them which part of the grid a launch is: the block's index is
// the launch's and the first.
#include <cassert>

// CHECK: .version 8.5
// CHECK: .visible .entry _Z5saxpyifPKfPf(
// CHECK-NEXT: .param .u32 _Z5saxpyifPKfPf_param_0,
// CHECK-NEXT: .param .f32 _Z5saxpyifPKfPf_param_1,
// CHECK-NEXT: .param .u64 _Z5saxpyifPKfPf_param_2,
// CHECK-NEXT: .param .u64 _Z5saxpyifPKfPf_param_3,
// CHECK-NEXT: .param .align 8 .b8 _Z5saxpyifPKfPf_param_4[32]
// CHECK: ld.param.u32 [[FIRST:%r[0-9]+]], [_Z5saxpyifPKfPf_param_4];
// CHECK: mov.u32 [[BLOCK:%r[0-9]+]], %ctaid.x;
// CHECK: add.s32 [[INDEX:%r[0-9]+]], [[FIRST]], [[BLOCK]];
// CHECK: mad.lo.s32 {{%r[0-9]+}}, [[INDEX]],
// CHECK: fma.rn.f32
// CHECK: st.global.f32
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// What isn't inlined is told the part by its caller.
// CHECK: .func (.param .b32 func_retval0) _Z7columnsi(
// CHECK: .visible .entry _Z5wholePi(
// CHECK: ld.param.u32 {{%r[0-9]+}}, [_Z5wholePi_param_1+16];
__device__ __noinline__ int columns(int i) {
    return (int)gridDim.y * i;
}
__global__ void whole(int *out) {
    out[threadIdx.x] = columns((int)threadIdx.x);
}

int main() {
    float *x;
    int n = 1000, *out;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&out, 8 * sizeof(int));
    for (int i = 0; i < n; i++)
        x[i] = (float)i;
    saxpy<<<8, 128>>>(n, 2, x, x);
    whole<<<dim3(1, 5), 8>>>(out);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < n; i++)
        assert(x[i] == 3 * i);
    assert(out[7] == 35);
}
