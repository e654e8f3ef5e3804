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

__global__ void kernel(int *out) {
    __shared__ alignas(16) float s[8];
    alignas(8) int local[2] = {max(1, 2), min(3, 4)};
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (int)s[7 - threadIdx.x] + local[0] + local[1] + ((unsigned long long)s % 16);
}

struct alignas(32) Wide {
    alignas(4) char c;
};
template <class Type, class... Types> struct Storage {
    alignas(Type) alignas(Types...) unsigned char bytes[sizeof(Type)];
};
static_assert(alignof(Wide) == 32 && alignof(Storage<char, double, float4>) == 16, "");

int main() {
    int *out = managed<int>(8);
    kernel<<<1, 8>>>(out);
    SYNC();
    for (int i = 0; i < 8; i++)
        CHECK(out[i] == 7 - i + 2 + 3);
}
