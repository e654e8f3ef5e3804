// One long launch of which nothing is known when it begins, whose last blocks take many times as
// long as its first ones.
#include <cstdio>
#include <vector>

enum { BLOCKS = 1024, THREADS = 64 };

__global__ void collect(unsigned *values, unsigned *sum, int rounds) {
    unsigned value = threadIdx.x + 1;
    for (int i = 0; i < rounds * (1 + (int)blockIdx.x); i++)
        value = value * 1664525 + 1013904223;
    values[blockIdx.x * THREADS + threadIdx.x] = value;
    atomicAdd(sum, value);
}

int main() {
    std::vector<unsigned> values(BLOCKS * THREADS);
    unsigned *memory, *place, sum = 7, expected = 7;
    cudaMalloc(&memory, values.size() * sizeof(unsigned));
    cudaMalloc(&place, sizeof sum);
    cudaMemcpy(place, &sum, sizeof sum, cudaMemcpyHostToDevice);
    collect<<<BLOCKS, THREADS>>>(memory, place, 4000);
    cudaMemcpy(values.data(), memory, values.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, place, sizeof sum, cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (unsigned value : values) {
        expected += value;
        hash = hash * 31 + value;
    }
    printf("%08x %s\n", hash, sum == expected ? "right" : "wrong");
    return 0;
}
