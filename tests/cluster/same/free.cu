// Launches that look into memory while other memory is freed, in stream order or by another thread.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void shuffle(int *index, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        index[i] = (i * 7 + step) % n;
}

__global__ void gather(const int *index, const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]] + i;
}

int main() {
    const int n = 10000, blocks = (n + 127) / 128;
    std::vector<int> host(n);
    int *index, *in, *out;
    cudaMalloc(&index, n * sizeof(int));
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = i ^ 3;
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    std::atomic<bool> ends{false};
    std::thread other([&] {
        while (!ends) {
            int *memory, value = 1;
            if (cudaMalloc(&memory, 100000) != cudaSuccess)
                break;
            cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice);
            cudaFree(memory);
        }
    });
    for (int i = 0; i < 6; i++) {
        int *temporary;
        cudaMallocAsync(&temporary, n * sizeof(int), 0);
        shuffle<<<blocks, 128>>>(temporary, n, i);
        cudaMemcpyAsync(index, temporary, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
        cudaFreeAsync(temporary, 0);
        gather<<<blocks, 128>>>(index, in, out, n);
        std::swap(in, out);
    }
    cudaMemcpy(host.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
    ends = true;
    other.join();
    unsigned hash = 2166136261u;
    for (int v : host)
        hash = (hash ^ (unsigned)v) * 16777619u;
    printf("%08x\n", hash);
    return cudaDeviceSynchronize();
}
