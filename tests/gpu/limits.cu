// Blocks of all nodes allocate more on the device than its heap has at first.
#include <cstdio>

enum { BLOCKS = 16, SIZE = 2 << 20 };

__global__ void fill(char **kept, int *got) {
    char *bytes = (char *)malloc(SIZE);
    got[blockIdx.x] = bytes != nullptr;
    kept[blockIdx.x] = bytes;
    if (bytes)
        bytes[SIZE - 1] = 1;
}

// All of a node's blocks have theirs at the same time.
__global__ void drop(char **kept) { free(kept[blockIdx.x]); }

int main() {
    char **kept;
    int *got, count = 0, host[BLOCKS];
    size_t size = 0;
    if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 256 << 20) ||
        cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize) || size != 256 << 20 ||
        cudaMalloc(&kept, sizeof *kept * BLOCKS) || cudaMalloc(&got, sizeof host))
        return 1;
    fill<<<BLOCKS, 1>>>(kept, got);
    if (cudaMemcpy(host, got, sizeof host, cudaMemcpyDeviceToHost))
        return 1;
    for (int i = 0; i < BLOCKS; i++)
        count += host[i];
    printf("%d of %d\n", count, BLOCKS);
    drop<<<BLOCKS, 1>>>(kept);
    return cudaDeviceSynchronize() != cudaSuccess;
}
