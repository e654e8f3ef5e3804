#include "life.cuh"

#include "../common/check.h"

#include <utility>

__global__ static void advance(const unsigned char *now, unsigned char *next, int size) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size)
        next[y * size + x] = lives_on(now, size, x, y);
}

void live_on_device(unsigned char *world, int size, int generations) {
    size_t bytes = (size_t)size * size;
    unsigned char *now, *next;
    CHECK(cudaMalloc(&now, bytes));
    CHECK(cudaMalloc(&next, bytes));
    CHECK(cudaMemcpy(now, world, bytes, cudaMemcpyHostToDevice));

    dim3 block(16, 16);
    dim3 grid((size + block.x - 1) / block.x, (size + block.y - 1) / block.y);
    for (int i = 0; i < generations; i++) {
        advance<<<grid, block>>>(now, next, size);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }

    CHECK(cudaMemcpy(world, now, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
}
