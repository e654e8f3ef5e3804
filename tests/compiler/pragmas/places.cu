// Which kernel a pragma is about: what may stand between, and what is dead.
// RUN: %gcluster-cc --dump=pragmas -I%S/Inputs %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
// RUN: %gcluster-cc --check-rewrite -I%S/Inputs %s
// RUN: cp %s %t.cpp
// RUN: %gcluster-cc --dump=pragmas -I%S/Inputs %t.cpp | count 0
#include <cuda_runtime.h>
#include <kernels.h>
#define KERNEL extern "C" __global__
#define MAKE(name) __global__ void name(int *p)

#  pragma   gcluster /* (a */ split(x) \
    replicate(p) // b)
#pragma gcluster disjoint(p)
#ifdef __CUDACC__
#endif
[[maybe_unused]] static __attribute__((noinline)) __global__ void __launch_bounds__(64, 2)
attributes(int *p) {
}
// CHECK: attributes _ZL10attributesPi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-9]]:31 split(x)
// CHECK-NEXT: {{^}}  [[#@LINE-9]]:15 replicate(p), p = 0+0 signed 4
// CHECK-NEXT: {{^}}  [[#@LINE-9]]:27 disjoint(p), p = 0+0 signed 4

#pragma gcluster single
KERNEL void by_macro(int *p) {
}
// CHECK-NEXT: by_macro by_macro 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-4]]:18 single
#pragma gcluster single
MAKE(made) {
}
// CHECK-NEXT: made _Z4madePi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-4]]:18 single

#pragma gcluster single
extern "C" {
__global__ void linkage(int *p) {
}
}
// CHECK-NEXT: linkage linkage 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-6]]:18 single
#pragma gcluster single
namespace outer::inner {
template <typename T, int N = sizeof(T[3])>
__global__ void templated(T *p) {
}
} // namespace outer::inner
// CHECK-NEXT: outer::inner::templated template 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-7]]:18 single

struct holder {
#pragma gcluster split(z)
    static __global__ void member(int *p) {
    }
};
// CHECK-NEXT: holder::member _ZN6holder6memberEPi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:18 split(z)

_Pragma("gcluster split(x)") _Pragma("other") __global__ void by_operator(int *p) {
}
// CHECK-NEXT: by_operator _Z11by_operatorPi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-3]]:19 split(x)

_Pragma(R"-(gcluster split(x))-") __global__ void by_raw_string(int *p) {
}
// CHECK-NEXT: by_raw_string _Z13by_raw_stringPi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-3]]:22 split(x)

_Pragma(L"gcluster split(y)") __global__ void by_wide_string(int *p) {
}
// CHECK-NEXT: by_wide_string _Z14by_wide_stringPi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-3]]:20 split(y)

#if 0
#pragma gcluster spilt(y)
#pragma gcluster single
int no_kernel;
#elif defined(__CUDACC__)
#pragma gcluster single
__global__ void alive(int *p) {
}
#else
#pragma gcluster reads(q[0])
__global__ void dead(int *p) {
}
#endif
// CHECK-NEXT: alive _Z5alivePi 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-9]]:18 single
#pragma gcluster split(y)
#ifdef UNDEFINED
__global__ void two_heads(int *p)
#else
__global__ void two_heads(float *p)
#endif
{
}
// CHECK-NEXT: two_heads _Z9two_headsPf 1 {{.*}}places.cu
// CHECK-NEXT: {{^}}  [[#@LINE-9]]:18 split(y)
const char *text = "\
#pragma gcluster single";
// #pragma gcluster single

// The main file comes first.
// CHECK-NEXT: in_header _Z9in_headerPi 1 {{.*}}kernels.h
// CHECK-NEXT: {{^}}  2:18 split(x)
int main() {
#ifdef __CUDACC__
    in_header<<<1, 1>>>(nullptr);
    alive<<<1, 1>>>(nullptr);
#endif
    return cudaDeviceSynchronize();
}
