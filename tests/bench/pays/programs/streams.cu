// Four streams of small kernels, each with its own array and copies.
#include "pays.h"

__global__ void step(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 3.9f * a[i] * (1 - a[i]);
}

int main(int argc, char **argv) {
    const int n = 1 << 14, count = 4, rounds = by_size(argc, argv, 60, 500, 1700);
    const size_t size = n * sizeof(float);
    start_clock();
    cudaStream_t streams[count];
    float *arrays[count], *pinned;
    check(cudaMallocHost(&pinned, count * size));
    for (int i = 0; i < count * n; i++)
        pinned[i] = uniform(i);
    for (int s = 0; s < count; s++) {
        check(cudaStreamCreate(&streams[s]));
        arrays[s] = allocate<float>(n);
    }
    for (int round = 0; round < rounds; round++)
        for (int s = 0; s < count; s++) {
            check(cudaMemcpyAsync(arrays[s], pinned + s * n, size, cudaMemcpyHostToDevice,
                                  streams[s]));
            for (int k = 0; k < 5; k++)
                step<<<n / 128, 128, 0, streams[s]>>>(arrays[s], n);
            check(cudaMemcpyAsync(pinned + s * n, arrays[s], size, cudaMemcpyDeviceToHost,
                                  streams[s]));
        }
    check(cudaDeviceSynchronize());
    return report(std::vector<float>(pinned, pinned + count * n));
}
