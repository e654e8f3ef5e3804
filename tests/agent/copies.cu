// Copies in and out by a stream, of memory that is page-locked (argument 1) or isn't (0).
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_one(int *numbers) {
    numbers[blockIdx.x * blockDim.x + threadIdx.x]++;
}

int main(int argc, char **argv) {
    const int COUNT = 4096, TIMES = 10;
    bool is_locked = argc > 1 && argv[1][0] == '1';
    int *host, *device;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    if (is_locked)
        cudaMallocHost(&host, COUNT * sizeof *host);
    else
        host = (int *)malloc(COUNT * sizeof *host);
    cudaMalloc(&device, COUNT * sizeof *device);
    memset(host, 0, COUNT * sizeof *host);
    for (int i = 0; i < TIMES; i++) {
        cudaMemcpyAsync(device, host, COUNT * sizeof *host, cudaMemcpyHostToDevice, stream);
        add_one<<<COUNT / 256, 256, 0, stream>>>(device);
        cudaMemcpyAsync(host, device, COUNT * sizeof *host, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
    }
    printf("%d %d\n", host[0], host[COUNT - 1]);
    return 0;
}
