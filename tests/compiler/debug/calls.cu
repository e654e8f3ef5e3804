// A GPU's code for debuggers has no label within a call, which PTX writes on several lines.
// RUN: %gcluster-cc -g -G -arch=sm_80 -ptx %s -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
__device__ __noinline__ float twice(float x) {
    return x + x;
}

__global__ void kernel(float *p) {
    p[threadIdx.x] = hypotf(twice(p[threadIdx.x]), 1);
}
// CHECK: .visible .entry _Z6kernelPf
// CHECK: call.uni
// CHECK-NOT: tmp
// CHECK: );
// CHECK: call.uni
// CHECK-NOT: tmp
// CHECK: );
