#include "rdc.cuh"

__device__ int counter = 1000;
__constant__ float scale = 1;

__device__ float twice(float x) {
    return 2 * x;
}

__device__ float block_sum(float x) {
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x);
    __syncthreads();
    return sum;
}

struct Square : Shape {
    float side;
    __device__ Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

__device__ Shape *make_square(float side) {
    return new Square(side);
}

static __global__ void kernel() { // another file has one of this name
    atomicAdd(&local_counter, 1);
}

__global__ void add_one(float *out) {
    out[threadIdx.x] += 1;
    atomicAdd(&counter, 1);
}

int local_count() {
    int count;
    kernel<<<1, 7>>>();
    cudaMemcpyFromSymbol(&count, local_counter, sizeof count);
    return count;
}
