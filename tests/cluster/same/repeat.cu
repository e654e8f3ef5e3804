// Launches that are repeated while their data is somewhere else, of another size, or gone and back:
// what was planned for one of them mustn't serve another.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(const int *in, int *out, int n, int halo) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 3 + in[(i + halo) % n] + in[(i + n - halo) % n];
}

__global__ void reverse(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i] + 1;
}

__global__ void count(const int *in, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] & 15], 1);
}

static unsigned hash_of(const int *device, int n) {
    std::vector<int> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned hash = 2166136261u;
    for (int v : host)
        hash = (hash ^ (unsigned)v) * 16777619u;
    return hash;
}

static int *make(int n, int seed) {
    std::vector<int> host(n);
    int *device;
    for (int i = 0; i < n; i++)
        host[i] = i * 7 + seed;
    if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess)
        exit(1);
    cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    int *bins = make(16, 0);
    for (int round = 0; round < 3; round++) {
        // The second round's arrays lie where the first one's did, but are shorter.
        int n = round == 1 ? 30000 : 40000, blocks = (n + 127) / 128;
        int *a = make(n, round), *b = make(n, -round);
        for (int i = 0; i < 12; i++) {
            step<<<blocks, 128>>>(i % 2 ? b : a, i % 2 ? a : b, n, i < 8 ? 1 : 400);
            if (i % 4 == 3)
                reverse<<<blocks, 128>>>(a, b, n); // b's parts are where a's mirror images were
            if (i == 5)
                cudaMemset(a + n / 3, round, n / 2);
            if (i == 6)
                cudaMemcpy(b, a + n / 4, n, cudaMemcpyDeviceToDevice);
            if (i == 7)
                printf("%08x ", hash_of(a, n / 2)); // node 0 has a copy of half of it
            count<<<blocks, 128>>>(a, bins, n);
        }
        printf("%08x %08x %08x\n", hash_of(a, n), hash_of(b, n), hash_of(bins, 16));
        cudaFree(a);
        cudaFree(b);
    }
    return cudaDeviceSynchronize();
}
