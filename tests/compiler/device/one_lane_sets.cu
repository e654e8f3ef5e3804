// A variable that one lane alone has set when all hand theirs to a shuffle or to a function.
// RUN: %gcluster-cc -O2 %s -o %t && %t
// RUN: %gcluster-cc -O2 --cpu scalar %s -o %t.scalar && %t.scalar
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 2 %t
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 64, BLOCKS = 3 };

static __device__ unsigned from_first(unsigned x) {
    return __shfl_sync(~0u, x, 0);
}

__global__ void reserve(unsigned *ends, unsigned *begins) {
    unsigned lane = threadIdx.x % 32, begin, other, third;
    cg::coalesced_group all = cg::coalesced_threads();
    if (lane == 0) {
        begin = atomicAdd(&ends[0], 7);
        other = atomicAdd(&ends[1], 5);
        if (ends[2] < 1000)
            third = atomicAdd(&ends[2], 3);
    }
    begin = __shfl_sync(~0u, begin, 0);
    other = all.shfl((int)other, 0);
    begins[blockIdx.x * THREADS + threadIdx.x] = begin / 7 + other / 5 + from_first(third) / 3;
}

int main() {
    unsigned *ends, *begins, host[BLOCKS * THREADS], host_ends[3], sum = 0;
    CHECK(cudaMalloc(&ends, sizeof host_ends) == cudaSuccess);
    CHECK(cudaMalloc(&begins, sizeof host) == cudaSuccess);
    CHECK(cudaMemset(ends, 0, sizeof host_ends) == cudaSuccess);
    reserve<<<BLOCKS, THREADS>>>(ends, begins);
    CHECK(cudaMemcpy(host_ends, ends, sizeof host_ends, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(host, begins, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(host_ends[0] == 42 && host_ends[1] == 30 && host_ends[2] == 18);
    for (unsigned x : host)
        sum += x;
    CHECK(sum == 32 * 3 * (0 + 1 + 2 + 3 + 4 + 5));
    puts("ok");
}
