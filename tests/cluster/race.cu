// Blocks of `shift` read what the block before them writes: one node goes from block to block,
// several don't wait for each other. `plain` has no such fault.
#include <cstdio>
#include <cstring>

__global__ void plain(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void shift(int *line, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n && threadIdx.x == 0)
        line[i + 1] = line[i - blockDim.x + 1] + 1;
}

int main(int argc, char **argv) {
    const int n = 4096;
    int *line;
    cudaMalloc(&line, n * sizeof(int));
    plain<<<n / 64, 64>>>(line, n);
    if (argc > 1)
        shift<<<n / 64, 64>>>(line, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
