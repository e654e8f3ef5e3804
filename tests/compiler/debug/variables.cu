// RUN: %gcluster-cc -g -G %s -o %t && %t
// RUN: %gdb -x %S/Inputs/variables.gdb %t 2>&1 | FileCheck %s
// Memory of all kinds by its names in the source: shared, dynamic shared, device, constant.
#include "../device/check.h"

struct cell {
    int number;
    float half;
};

__device__ int counter = 5;
__constant__ float table[4];

__global__ void count(float *out) {
    extern __shared__ cell cells[];
    __shared__ cell fixed[4];
    int i = threadIdx.x;
    cells[i] = cell{i, i * 0.5f};
    if (i < 4)
        fixed[i] = cells[i];
    __syncthreads();
    atomicAdd(&counter, 1);
    out[i] = cells[i].half + table[i % 4];
}

int main() {
    float *out = managed<float>(32), numbers[] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(table, numbers, sizeof numbers);
    count<<<1, 32, 32 * sizeof(cell)>>>(out);
    SYNC();
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == i * 0.5f + numbers[i % 4]);
    return 0;
}

// CHECK: $1 = {number = 3, half = 1.5}
// CHECK: $2 = 2
// CHECK: $3 = {{[{][{]}}number = 0, half = 0}, {number = 1, half = 0.5}, {number = 2, half = 1}, {number = 3, half = 1.5}}
// CHECK: $4 = 8
// CHECK: $5 = 9
// CHECK: $6 = {1, 2, 3, 4}
// CHECK: $7 = 2.5
