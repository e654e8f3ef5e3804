// Functions of the device may have `...`, as what traits ask for has; kernels may not.
// RUN: not %gcluster-cc -DKERNEL -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %gcluster-cc %s -o %t && %t
#include <cuda_runtime.h>

template <class T> struct has_size {
    template <class U> static __host__ __device__ char test(decltype(&U::size));
    template <class U> static __host__ __device__ long test(...);
    enum { value = sizeof(test<T>(nullptr)) == sizeof(char) };
};
struct sized {
    __device__ int size() const {
        return 3;
    }
};
struct plain {};

__global__ void ask(int *out) {
    *out = has_size<sized>::value * 10 + has_size<plain>::value;
}

#ifdef KERNEL
__global__ void any(int *out, ...) {
    *out = 1;
}
// CHECK: ellipsis.cu:[[#@LINE-3]]:1: error: kernel takes any number of arguments [GCL144]
#endif

int main() {
    int *out, host = 0;
    cudaMalloc(&out, sizeof *out);
    ask<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host != 10;
}
