#include <cstdio>

#include "rdc.cuh"

static __global__ void kernel(float *out) {
    out[threadIdx.x] = twice(threadIdx.x) * scale + block_sum(1.0f);
    atomicAdd(&counter, 1);
    atomicAdd(&local_counter, 1);
    if (threadIdx.x == 0) {
        Shape *shape = make_square(3);
        out[0] += shape->area();
        free(shape);
    }
}

int main() {
    const int count = 64;
    float *out, factor = 10;
    int global = 0, local = 0;
    cudaMallocManaged(&out, count * sizeof(float));
    cudaMemcpyToSymbol(scale, &factor, sizeof factor);
    kernel<<<1, count>>>(out);
    kernel<<<1, count>>>(out);
    add_one<<<1, count>>>(out);
    cudaMemcpyFromSymbol(&global, counter, sizeof global);
    cudaMemcpyFromSymbol(&local, local_counter, sizeof local);
    printf("%g %g, %d in all, %d here, %d there: %s\n", out[0], out[5], global, local,
           local_count(), cudaGetErrorString(cudaGetLastError()));
    return 0;
}
