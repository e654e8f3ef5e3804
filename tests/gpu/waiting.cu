// A kernel that waits for the host, which goes on giving the GPU work meanwhile.
#include <cstdio>
#include <unistd.h>

__global__ void wait(volatile int *flag, int *out) {
    while (*flag == 0)
        ;
    *out = *flag;
}

__global__ void set(int *out) {
    *out = 7;
}

int main() {
    int *flag, *out, results[2];
    cudaStream_t streams[2];
    cudaEvent_t event;
    cudaMallocHost(&flag, sizeof *flag);
    cudaMalloc(&out, sizeof results);
    cudaStreamCreate(&streams[0]);
    cudaStreamCreate(&streams[1]);
    cudaEventCreate(&event);
    *flag = 0;
    set<<<1, 1, 0, streams[1]>>>(out + 1);
    cudaStreamSynchronize(streams[1]);
    wait<<<1, 1, 0, streams[0]>>>(flag, out);
    usleep(1100000); // until the runtime looks at the GPU's clock again
    set<<<1, 1, 0, streams[1]>>>(out + 1);
    cudaEventRecord(event, streams[1]);
    *(volatile int *)flag = 5;
    cudaDeviceSynchronize();
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", results[0], results[1], cudaGetErrorName(cudaGetLastError()));
}
