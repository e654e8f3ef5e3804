// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t ordered 2>&1 | FileCheck --check-prefix=ORDERED --implicit-check-not=race: %s
// RUN: not %t 2>&1 | FileCheck %s
// RUN: not %t bounds 2>&1 | FileCheck --check-prefix=BOUNDS %s
// Races are told with both lines, once each; then the program goes on, and ends with status 66.
#include <cstdio>
#include <cstring>

__device__ int flag, sum;

__global__ void shift(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        a[i + 1] =
            a[i];   // CHECK-DAG: race: {{.*}}races.cu:[[#@LINE]] (block (1,0,0)) reads what {{.*}}races.cu:[[#@LINE-1]] (block (0,0,0)) writes: a+256, kernel shift{{$}}
}

__global__ void overlap(int *a) {
    // CHECK-DAG: races.cu:[[#@LINE+1]] (block (1,0,0)) writes what {{.*}}races.cu:[[#@LINE+1]] (block (0,0,0)) writes: a+128, kernel overlap{{$}}
    a[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

__global__ void same() {
    // CHECK-DAG: races.cu:[[#@LINE+1]] (block (1,0,0)) writes what {{.*}} writes: flag, kernel same; harmless, as it is the same value
    flag = 1;
}

__global__ void peek(int *out) {
    atomicAdd(&sum, 1); // CHECK-DAG: races.cu:[[#@LINE]] (block (1,0,0)) changes atomically what {{.*}}races.cu:[[#@LINE+1]] (block (0,0,0)) reads: sum
    out[blockIdx.x] = sum;
}

__device__ int last;

__global__ void exchange(int *out) {
    atomicExch(&last, blockIdx.x); // CHECK-DAG: races.cu:[[#@LINE]] (block (1,0,0)) writes what {{.*}}races.cu:[[#@LINE+1]] (block (0,0,0)) reads: last
    out[blockIdx.x] = last;
}

// CHECK: the end
// CHECK-NOT: shift

// ORDERED: the end
__global__ void last_block(const int *in, int *parts, int *out) {
    parts[blockIdx.x] = in[blockIdx.x] + 1;
    __threadfence();
    if (atomicAdd(&sum, 1) < gridDim.x - 1)
        return;
    *out = 0;
    for (int i = 0; i < gridDim.x; i++)
        *out += parts[i];
}

__global__ void beyond(int *a) {
    a[threadIdx.x] = 0; // BOUNDS: bounds: {{.*}}races.cu:[[#@LINE]]: kernel beyond, block (0,0,0), thread (64,0,0) writes 4 bytes at a+256, outside of the allocation of 256 bytes
}

// Data decides where the first read goes: it may be anywhere, but it isn't that one.
__global__ void beyond_other(const int *places, const int *table, const int *a, int *out) {
    int value = table[places[threadIdx.x]];
    out[threadIdx.x] = value + a[threadIdx.x]; // BOUNDS: bounds: {{.*}}races.cu:[[#@LINE]]: kernel beyond_other, block (0,0,0), thread (64,0,0) reads 4 bytes at a+256, outside of the allocation of 256 bytes
}

int main(int argc, char **argv) {
    int *a, *b, *c;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    cudaMalloc(&c, 256);
    cudaMemset(a, 0, 4096);
    if (argc > 1 && strcmp(argv[1], "bounds") == 0) {
        beyond<<<1, 65>>>(c);
        beyond_other<<<1, 65>>>(a, a, c, b);
    } else if (argc > 1) {
        last_block<<<8, 1>>>(a, b, c);
    } else {
        shift<<<2, 64>>>((float *)a, 128);
        shift<<<2, 64>>>((float *)a, 128);
        overlap<<<2, 64>>>(a);
        same<<<4, 32>>>();
        peek<<<2, 1>>>(a);
        exchange<<<2, 1>>>(a);
    }
    cudaDeviceSynchronize();
    fflush(stderr);
    printf("the end\n");
}
