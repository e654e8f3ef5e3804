// Loads past the first cache see what other threads have written: a loop may wait for that.
// RUN: %gcluster-cc -O2 %s -o %t && %t
#include <cstdio>

__device__ int flag, data, total;

template <bool is_volatile> __global__ void wait() {
    if (threadIdx.x % 32 || blockIdx.x)
        return;
    if (threadIdx.x == 0) {
        while ((is_volatile ? __ldcv(&flag) : __ldcg(&flag)) == 0) {
        }
        __threadfence();
        total += __ldcg(&data);
    } else if (threadIdx.x == 32) {
        for (long long begin = clock64(); clock64() - begin < 1000000;) {
        }
        data = 7;
        __threadfence();
        atomicExch(&flag, 1);
    }
}

int main() {
    int zero = 0, sum = 0;
    wait<false><<<1, 64>>>();
    cudaMemcpyToSymbol(flag, &zero, sizeof zero);
    cudaMemcpyToSymbol(data, &zero, sizeof zero);
    wait<true><<<1, 64>>>();
    cudaError_t error = cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    if (error || sum != 14)
        printf("%s: %d instead of 14\n", cudaGetErrorString(error), sum);
    return error || sum != 14;
}
