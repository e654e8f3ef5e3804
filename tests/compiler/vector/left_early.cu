// What all threads compute alike in a loop differs behind it, and behind the next barrier, if they
// leave it at different times.
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v2 %t
#include "../device/check.h"

enum { TURNS = 9, EARLY = 4 };

__constant__ int table[64];

__global__ void mix(unsigned *out, unsigned *turns) {
    unsigned sum = 0, t = threadIdx.x + blockDim.x * threadIdx.y;
    unsigned i = 0;
    do {
        sum = sum * 31 + (unsigned)table[table[blockIdx.y] & 63];
    } while (++i < TURNS && threadIdx.x != EARLY);
    __syncthreads();
    out[t] = sum;
    turns[t] = i;
}

int main() {
    int values[64];
    for (int i = 0; i < 64; i++)
        values[i] = 1000 * i + 7;
    cudaMemcpyToSymbol(table, values, sizeof values);
    const dim3 block(8, 6);
    unsigned *out = managed<unsigned>(48), *turns = managed<unsigned>(48);
    mix<<<1, block>>>(out, turns);
    SYNC();
    for (int t = 0; t < 48; t++) {
        unsigned sum = 0, count = t % 8 == EARLY ? 1 : TURNS;
        for (unsigned i = 0; i < count; i++)
            sum = sum * 31 + values[values[0] & 63];
        CHECK(out[t] == sum && turns[t] == count);
    }
}
