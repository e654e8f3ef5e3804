// What one node has, and another one needs half of. Prints sums.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int COUNT = 1 << 22, EACH = 16, BLOCK = 256, BLOCKS = COUNT / EACH / BLOCK;

__global__ void add_up(const uint4 *in, unsigned *sums) {
    __shared__ unsigned partial[BLOCK];
    const uint4 *own = in + (blockIdx.x * BLOCK + threadIdx.x) * EACH;
    partial[threadIdx.x] = 0;
    for (int i = 0; i < EACH; i++)
        partial[threadIdx.x] += own[i].x + 3 * own[i].y + 5 * own[i].z + 7 * own[i].w;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum = 31 * sum + partial[i];
    sums[blockIdx.x] = sum;
}

int main() {
    std::vector<unsigned> host(COUNT * 4), sums(BLOCKS);
    uint4 *in;
    unsigned *out, state = 1, hash = 2166136261u;
    for (unsigned &value : host)
        value = state = state * 1664525u + 1013904223u;
    cudaMalloc(&in, COUNT * sizeof *in);
    cudaMalloc(&out, BLOCKS * sizeof *out);
    cudaMemcpy(in, host.data(), COUNT * sizeof *in, cudaMemcpyHostToDevice);
    add_up<<<BLOCKS, BLOCK>>>(in, out);
    if (cudaMemcpy(sums.data(), out, BLOCKS * sizeof *out, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (unsigned sum : sums)
        hash = (hash ^ sum) * 16777619u;
    printf("%08x\n", hash);
    return 0;
}
