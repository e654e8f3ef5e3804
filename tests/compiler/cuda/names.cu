// RUN: %gcluster-cc -DN=4 -DM=8 -DT=float -DK=3 -DDIM=2 -DSIZE=16 -Dn=5 %s -o %t && %t
// RUN: %gcluster-cc -std=c++11 %s -o %t && %t
// RUN: %gcluster-cc -std=c++20 -DX=1 -DB=2 -Da=3 %s -o %t && %t
// Our headers use reserved names only: macros such as programs and their Makefiles define don't
// break them, and alignas may stand behind __shared__.
#undef n
#undef T
#undef a
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
#include "../device/check.h"
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <vector_functions.h>

// CUDA has no atomicSub of this type, so that programs define it.
__device__ unsigned long long atomicSub(unsigned long long *p, const unsigned long long value) {
    return atomicAdd(p, -value);
}

template <class Type> __device__ void reverse(Type *p) {
    alignas(alignof(Type) > alignof(double) ? alignof(Type) : alignof(double))
        __shared__ double s[8];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[7 - threadIdx.x];
}

__global__ void kernel(int *out) {
    __shared__ unsigned long long count;
    __shared__ long difference;
    count = 8;
    difference = 0;
    __syncthreads();
    atomicSub(&count, 1ull);
    atomicSub(&difference, 1);
    __syncthreads();
    __shared__ alignas(16) float s[8];
    alignas(8) int local[2] = {max(1, 2), min(3, 4)};
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (int)s[7 - threadIdx.x] + local[0] + local[1] +
                       ((unsigned long long)s % 16) + (int)count + (int)difference + 8;
    reverse(out);
}

struct alignas(32) Wide {
    alignas(4) char c;
};
template <class Type, class... Types> struct Storage {
    alignas(Type) alignas(Types...) unsigned char bytes[sizeof(Type)];
};
template <int... Values> struct Numbers {
    alignas(Values...) char c;
};
struct alignas(8 > 4 ? 2 * sizeof(double) : 4) Chosen {
    alignas(alignof(Wide) > alignof(double) ? alignof(Wide) : alignof(double)) char c;
};
static_assert(alignof(Numbers<4, 16, 8>) == 16 && alignof(Chosen) == 32, "");
static_assert(alignof(Wide) == 32 && alignof(Storage<char, double, float4>) == 16, "");

int main() {
    int *out = managed<int>(8);
    kernel<<<1, 8>>>(out);
    SYNC();
    for (int i = 0; i < 8; i++)
        CHECK(out[i] == i + 2 + 3);
}
