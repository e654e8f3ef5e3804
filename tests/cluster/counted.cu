// A kernel counts in page-locked memory, of which the host uses another part meanwhile.
#include <cstdio>
#include <vector>

enum { COUNT = 1 << 16, BLOCK = 256, BINS = 256 };

struct shared {
    volatile int begun, seen, bins[BINS];
};

// The first block waits until the host has seen it.
__global__ void count(shared *s, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        s->begun = 1;
        while (!s->seen)
            ;
    }
    atomicAdd((int *)&s->bins[a[i]], 1);
}

__global__ void add(shared *s, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd((int *)&s->bins[a[i]], 1);
}

int main() {
    shared *s;
    int *a, wrong = 0;
    std::vector<int> host(COUNT);
    for (int i = 0; i < COUNT; i++)
        host[i] = i * 7 % BINS;
    cudaMallocHost(&s, sizeof *s);
    cudaMalloc(&a, COUNT * sizeof *a);
    cudaMemcpy(a, host.data(), COUNT * sizeof *a, cudaMemcpyHostToDevice);
    for (int i = 0; i < BINS; i++)
        s->bins[i] = 5;
    s->begun = s->seen = 0;
    cudaDeviceSynchronize();
    count<<<COUNT / BLOCK, BLOCK>>>(s, a);
    while (!s->begun)
        ;
    s->seen = 3;
    cudaDeviceSynchronize();
    add<<<COUNT / BLOCK, BLOCK>>>(s, a);
    cudaDeviceSynchronize();
    for (int i = 0; i < BINS; i++)
        wrong += s->bins[i] != 5 + 2 * COUNT / BINS;
    printf("%d %d %d\n", s->begun, s->seen, wrong);
    return cudaGetLastError();
}
