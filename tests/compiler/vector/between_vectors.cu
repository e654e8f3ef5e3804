// A comparison of a number that follows the lanes with a bound that lies between vectors is the
// same for all lanes, and no other is.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=uniformity %s | FileCheck %s
#include <climits>

#include "../device/check.h"

// CHECK-LABEL: _Z8boundaryPi.region0.lane
// CHECK: uniform: {{.*}}icmp {{.*}}, 128
// CHECK: divergent: {{.*}}icmp {{.*}}, 136
__global__ void boundary(int *out) {
    int t = threadIdx.x;
    out[t] = t < 128 ? out[t + 512] : 1;
    out[t] += t < 136 ? out[t + 1024] : 2;
}

enum { COUNT = 20, THREADS = 256 };

// The comparisons that hold, as bits. `one` is 1, which the compiler doesn't know.
__host__ __device__ static unsigned compare(int t, int one) {
    unsigned u = (unsigned)t, bits = 0;
    long long far = (long long)t << 33;
    const bool holds[COUNT] = {
        t < 64,           t > 127,
        u <= 191u,        128 <= t,
        t < 65,           t > 128,
        t == 64,          u >= 33u,
        t + 64 < 128,     t - 64 < 0,
        4 * t < 512,      4 * t < 516,
        t < 64 * one,     255 - t<128, u - 1 < UINT_MAX, u - 64u >= 192u, 192> t * one,
        u % 64 * 2 < 64u, far < 64ll << 33,
        -t < -63,
    };
    for (int k = 0; k < COUNT; k++)
        bits |= (unsigned)holds[k] << k;
    return bits;
}

template <bool Warps> __global__ void find(unsigned *out, int one) {
    int number = threadIdx.x + blockDim.x * threadIdx.y;
    unsigned bits = compare(threadIdx.x, one);
    if (threadIdx.x < 64)
        bits += 0x1000000;
    if (Warps && number < 32)
        bits += __shfl_xor_sync(__activemask(), 0x2000000, 1);
    out[number] = bits;
}

template <bool Warps> static void check_block(dim3 block) {
    unsigned *out = managed<unsigned>(THREADS);
    find<Warps><<<1, block>>>(out, 1);
    SYNC();
    for (unsigned y = 0; y < block.y; y++) {
        for (unsigned x = 0; x < block.x; x++) {
            unsigned number = x + block.x * y, expected = compare((int)x, 1);
            expected += (x < 64 ? 0x1000000 : 0) + (Warps && number < 32 ? 0x2000000 : 0);
            CHECK(out[number] == expected);
        }
    }
    cudaFree(out);
}

int main() {
    const dim3 blocks[] = {dim3(32),    dim3(50),    dim3(64),     dim3(192),  dim3(256),
                           dim3(16, 8), dim3(20, 9), dim3(128, 2), dim3(65, 3)};
    for (dim3 block : blocks) {
        check_block<false>(block);
        check_block<true>(block);
    }
    boundary<<<1, 256>>>(managed<int>(2048));
    SYNC();
}
