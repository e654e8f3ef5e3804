// Constants for the device that aren't `__constant__`: clang's device pass reads them so.
// RUN: %gcluster-cc --dump=unit %s | FileCheck --implicit-check-not=constant %s
#include <cuda_runtime.h>
#define CONSTANT __device__ const
#define MAKE(name) __device__ const int name = 1

// CHECK: constant [[#@LINE + 1]]:1
__device__ const int a = 1;
// CHECK: constant [[#@LINE + 1]]:8
static __device__ constexpr int b[2] = {1, 2};
// CHECK: constant [[#@LINE + 1]]:1
CONSTANT float c = 1;
template <class T> struct S {
    // CHECK: constant [[#@LINE + 1]]:12
    static __device__ constexpr T value = 1;
};

__device__ const int *pointer = &a;
__device__ const int &reference = a;
__constant__ const int d = 1;
__device__ __constant__ const int e = 1;
const int host = 1;
__attribute__((device)) const int spelt = 1;
MAKE(f);
__device__ constexpr int function(const int x) {
    return x;
}
__device__ int sum() {
    return S<int>::value + S<float>::value;
}
