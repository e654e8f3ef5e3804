// RUN: %gcluster-cc -O2 %s -o %t && %t
// __constant__, __device__ and __managed__ variables, pointers between them, symbols, dynamic and
// static shared memory side by side.
#include "check.h"

__constant__ float coefficients[4] = {1, 2, 3, 4};
__constant__ int *where;
__device__ int counter = 5;
__device__ int *to_counter = &counter;
__device__ int table[3] = {10, 20, 30};
__device__ int *second = table + 1;
__managed__ int shared_with_host = 7;
static __device__ unsigned hidden;

__global__ void use(float *out, int n) {
    extern __shared__ float dynamic[];
    __shared__ float fixed[32];
    int t = threadIdx.x;
    fixed[t] = coefficients[t % 4];
    dynamic[t] = t;
    dynamic[t + n] = 2 * t;
    __syncthreads();
    out[t] = fixed[31 - t] + dynamic[n - 1 - t] + dynamic[n + t] + *second;
    atomicAdd(to_counter, 1);
    atomicAdd(&shared_with_host, 2);
    atomicInc(&hidden, 9);
    if (t == 0 && where)
        *where = 1;
}

int main() {
    float *out = managed<float>(32), changed[4] = {4, 3, 2, 1};
    int *flag = managed<int>(1), value = 0;
    void *address = nullptr;
    size_t size = 0;
    CHECK(shared_with_host == 7);
    CHECK(cudaMemcpyToSymbol(where, &flag, sizeof flag) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(coefficients, changed + 2, 8, 8) == cudaSuccess);
    use<<<1, 32, 64 * sizeof(float)>>>(out, 32);
    SYNC();
    const float now[] = {1, 2, 2, 1};
    for (int t = 0; t < 32; t++)
        CHECK(out[t] == now[(31 - t) % 4] + (31 - t) + 2 * t + 20);
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess && value == 5 + 32);
    CHECK(shared_with_host == 7 + 2 * 32 && *flag == 1);
    unsigned last = 0;
    CHECK(cudaMemcpyFromSymbol(&last, hidden, sizeof last) == cudaSuccess && last == 32 % 10);
    CHECK(cudaGetSymbolAddress(&address, table) == cudaSuccess && address);
    CHECK(cudaGetSymbolSize(&size, table) == cudaSuccess && size == sizeof(int[3]));
    CHECK(cudaMemset(address, 0, size) == cudaSuccess);
    use<<<1, 32, 64 * sizeof(float)>>>(out, 32);
    SYNC();
    CHECK(out[0] == 1 + 31);
    CHECK(cudaMemcpyToSymbol(table, &value, 4, 12) != cudaSuccess);
}
