// RUN: %gcluster-cc --dump=ptx %s > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
// Variables are where gcl_addresses says. What is loaded from a __constant__ variable comes from its
// copy in the constant bank; a pointer to it that goes elsewhere is its address.
__device__ int counter;
__constant__ float weights[16];
__device__ float table[8];

// CHECK-NOT: {{[ _]}}counter
// CHECK: .visible .const .align 8 .b8 gcl_addresses[24];
// CHECK: .visible .const .align 4 .b8 gcl_constant_1[64];

// CHECK-LABEL: .entry count(
// CHECK: ld.const.u64 [[AT:%rd[0-9]+]], [gcl_addresses];
// CHECK: atom.global.add.u32 {{%r[0-9]+}}, {{.*}}[[AT]]
extern "C" __global__ void count() {
    atomicAdd(&counter, 1);
}

// CHECK-LABEL: .entry weigh(
// CHECK: gcl_constant_1
// CHECK: ld.const.f32
// CHECK-NOT: ld.global.f32
extern "C" __global__ void weigh(float *out) {
    out[threadIdx.x] = weights[threadIdx.x & 15];
}

// CHECK-LABEL: .entry tell(
// CHECK: ld.const.u64 {{%rd[0-9]+}}, [gcl_addresses+8];
// CHECK-NOT: gcl_constant_1
// CHECK: ret;
extern "C" __global__ void tell(const float **where) {
    *where = &weights[3];
}

// CHECK-LABEL: .entry look_up(
// CHECK: [gcl_addresses+16];
// CHECK: ld.global.f32
extern "C" __global__ void look_up(float *out) {
    out[threadIdx.x] = table[threadIdx.x & 7];
}
