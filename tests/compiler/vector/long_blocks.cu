// An unrolled kernel is one basic block of any length, which the code generator gets in pieces: its
// code grows with its length and no faster, and is right in all levels.
// RUN: %gcluster-cc -DLENGTH=350 -c %s -o %t.half.o
// RUN: %gcluster-cc -DLENGTH=700 -c %s -o %t.o
// RUN: llvm-size %t.half.o %t.o | awk 'NR > 1 { size[NR] = $1 } END { exit !(size[3] < 2.2 * size[2]) }'
// RUN: %gcluster-cc %t.o -o %t
// RUN: %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v2 %t
#include <cstdio>
#include <cuda_runtime.h>

template <int K> struct steps {
    static __device__ __forceinline__ unsigned run(unsigned v, const unsigned *p) {
        return steps<K - K / 2>::run(steps<K / 2>::run(v, p), p + K / 2);
    }
};

template <> struct steps<1> {
    static __device__ __forceinline__ unsigned run(unsigned v, const unsigned *p) {
        return __shfl_xor_sync(0xffffffffu, v, 1) * 3 + *p +
               (__ballot_sync(0xffffffffu, v & 1) & 7);
    }
};

__global__ void mix(unsigned *out, const unsigned *p) {
    out[threadIdx.x] = steps<LENGTH>::run(threadIdx.x, p);
}

// The same for all lanes of a warp, one after the other.
static void expect(unsigned *lanes, const unsigned *p) {
    for (int k = 0; k < LENGTH; k++) {
        unsigned votes = 0, next[32];
        for (int t = 0; t < 32; t++)
            votes |= (lanes[t] & 1) << t;
        for (int t = 0; t < 32; t++)
            next[t] = lanes[t ^ 1] * 3 + p[k] + (votes & 7);
        for (int t = 0; t < 32; t++)
            lanes[t] = next[t];
    }
}

int main() {
    unsigned p[LENGTH], found[64], wanted[64], *out, *in, state = 7;
    for (unsigned &x : p)
        x = state = state * 1664525 + 1013904223;
    for (unsigned t = 0; t < 64; t++)
        wanted[t] = t;
    cudaMalloc(&out, sizeof found);
    cudaMalloc(&in, sizeof p);
    cudaMemcpy(in, p, sizeof p, cudaMemcpyHostToDevice);
    mix<<<1, 64>>>(out, in);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    expect(wanted, p);
    expect(wanted + 32, p);
    int bad = 0;
    for (int t = 0; t < 64; t++)
        bad += found[t] != wanted[t];
    if (bad)
        printf("%d threads of 64 are wrong\n", bad);
    return bad != 0;
}
