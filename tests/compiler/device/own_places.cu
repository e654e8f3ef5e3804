// Places that each thread computes for itself, by steps of which each uses the one before twice:
// what a value is made from is walked through once, so that threads are seen not to meet however
// many ways lead through it.
// RUN: %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck --allow-empty --implicit-check-not=GCL158 %s
// CHECK-NOT: remark
#include <cuda_runtime.h>

__global__ void scatter(int *out) {
    __shared__ int places[1024];
    unsigned place = threadIdx.x;
#pragma unroll
    for (int step = 0; step < 16; step++)
        place = (place ^ place >> 3) * 5 % 1024;
    places[place] += (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = places[threadIdx.x];
}

int main() {
    scatter<<<1, 256>>>(nullptr);
}
