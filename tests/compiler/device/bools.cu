// A byte of bool is true unless it is 0, as on a GPU, and what was loaded is 0 or 1: in arrays,
// structures and their copies, shared and constant memory.
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t && env GCL_CPU_LEVEL=v2 %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v4 %t
// RUN: %gcluster-cc --cpu=scalar %s -o %t.scalar && %t.scalar
// RUN: %gcluster-cc --sanitize=race %s -o %t.race && %t.race
#include "check.h"
#include <string.h>

enum { N = 64, RESULTS = 16 };

struct Flags {
    int before;
    bool a, b;
    bool more[2];
};

__constant__ bool table[N];
__device__ bool copies[N];

__device__ bool both(const bool &a, const bool &b) {
    return a && b;
}

__global__ void look(const bool *flags, const Flags *structures, const volatile bool *watched,
                     int *results, bool *copied) {
    __shared__ unsigned char bytes[N];
    int t = threadIdx.x, *r = results + t * RESULTS;
    bool flag = flags[t];
    Flags copy = structures[t];

    bytes[t] = reinterpret_cast<const unsigned char *>(flags)[t];
    __syncthreads();
    const bool *neighbours = reinterpret_cast<const bool *>(bytes);
    r[0] = flag ? 5 : 6;
    r[1] = flag + structures[t].a; // 2 where both are true
    r[2] = flag && copy.b;
    r[3] = flag == structures[t].more[1];
    r[4] = !flag;
    r[5] = watched[t];
    r[6] = neighbours[(t + 1) % N];
    r[7] = table[t] | flag;
    r[8] = both(copy.more[0], flags[t]);
    r[9] = (int)(flag * 2.5f);
    r[10] = copy.a ^ flag;
    r[11] = 0;
    for (int i = 0; i < N; i++)
        r[11] += flags[i];
    r[12] = __syncthreads_count(flag);
    r[13] = flag > false;
    if (flags[t])
        r[14] = 1;
    r[15] = copies[t];
    copied[t] = flag;
}

int main() {
    static const unsigned char values[] = {0, 1, 2, 0x80, 0xff, 0xfe, 0, 4};
    unsigned char bytes[N];
    int on = 0;
    bool *flags = managed<bool>(N), *copied = managed<bool>(N);
    Flags *structures = managed<Flags>(N);
    int *results = managed<int>(N * RESULTS);
    for (int t = 0; t < N; t++) {
        bytes[t] = values[t % 8];
        on += bytes[t] != 0;
    }
    memcpy(flags, bytes, N);
    for (int t = 0; t < N; t++)
        memset(&structures[t].a, bytes[t], 4);
    CHECK(cudaMemcpyToSymbol(table, bytes, N) == cudaSuccess);
    CHECK(cudaMemset(copied, 0xff, N) == cudaSuccess);
    void *address;
    CHECK(cudaGetSymbolAddress(&address, copies) == cudaSuccess);
    CHECK(cudaMemset(address, 0xff, N) == cudaSuccess);
    look<<<1, N>>>(flags, structures, flags, results, copied);
    SYNC();
    for (int t = 0; t < N; t++) {
        int is = bytes[t] != 0, next = bytes[(t + 1) % N] != 0;
        int expected[RESULTS] = {is ? 5 : 6, 2 * is, is, 1,  !is, is, next, is,
                                 is,         2 * is, 0,  on, on,  is, is,   1};
        for (int i = 0; i < RESULTS; i++) {
            if (results[t * RESULTS + i] != expected[i])
                fprintf(stderr, "byte %d, result %d: %d\n", bytes[t], i, results[t * RESULTS + i]);
            CHECK(results[t * RESULTS + i] == expected[i]);
        }
        CHECK(reinterpret_cast<unsigned char *>(copied)[t] == is);
    }
}
