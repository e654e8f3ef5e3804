// Copies of a few bytes to the host, of memory that nodes have in all ways: what kernels have
// written, sets and copies have changed, and nobody has touched.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { COUNT = 20000, BLOCK = 50, ROUNDS = 300, MOST = 900 };

__global__ void step(const int *in, int *out, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i + shift) % COUNT] * 3 + i;
}

__global__ void part(int *out, int begin, int value) {
    out[begin + blockIdx.x * blockDim.x + threadIdx.x] += value;
}

__global__ void sum(const int *in, int count, unsigned *out) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(out, (unsigned)in[i]);
}

static unsigned hash = 2166136261u;

static void add(const int *values, int count) {
    for (int i = 0; i < count; i++)
        hash = (hash ^ (unsigned)values[i]) * 16777619u;
}

int main() {
    int *a, *b, *pinned;
    unsigned *total, word;
    cudaStream_t stream;
    std::vector<int> host(COUNT);
    if (cudaMalloc(&a, COUNT * sizeof(int)) || cudaMalloc(&b, COUNT * sizeof(int)) ||
        cudaMalloc(&total, sizeof *total) || cudaMallocHost(&pinned, COUNT * sizeof(int)) ||
        cudaStreamCreate(&stream))
        return 1;
    cudaMemset(a, 0, COUNT * sizeof(int));
    cudaMemset(b, 1, COUNT * sizeof(int));
    cudaMemset(total, 0, sizeof *total);
    memset(pinned, 0, COUNT * sizeof(int));
    srand(3);
    for (int round = 0; round < ROUNDS; round++) {
        int at = rand() % (COUNT - MOST), count = 1 + rand() % (rand() % 2 ? MOST : 3);
        switch (rand() % 8) {
        case 0:
            step<<<COUNT / BLOCK, BLOCK>>>(a, b, rand() % COUNT);
            break;
        case 1:
            step<<<COUNT / BLOCK, BLOCK, 0, stream>>>(b, a, rand() % 100);
            break;
        case 2:
            part<<<MOST / 30, 30>>>(a, at, round);
            break;
        case 3:
            cudaMemset(b + at, round, count * sizeof(int));
            break;
        case 4:
            cudaMemcpyAsync(a + at, pinned, count * sizeof(int), cudaMemcpyHostToDevice, stream);
            break;
        case 5:
            cudaMemcpy(pinned + at, b + at, count * sizeof(int), cudaMemcpyDeviceToHost);
            sum<<<1, 64>>>(pinned + at, count, total); // what has come is what other nodes see
            break;
        default: // nothing is under way the second time
            for (int i = 0; i < 2; i++)
                cudaMemcpy(&host[at], (i ? a : b) + at, count * sizeof(int),
                           cudaMemcpyDeviceToHost);
            add(&host[at], count);
        }
        cudaMemcpy(&word, (rand() % 2 ? a : b) + rand() % COUNT, sizeof word,
                   cudaMemcpyDeviceToHost);
        add((const int *)&word, 1);
        if (round % 30 == 29)
            printf("%08x\n", hash);
    }
    cudaMemcpy(&word, total, sizeof word, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data(), a, COUNT * sizeof(int), cudaMemcpyDeviceToHost);
    add(host.data(), COUNT);
    printf("%08x %u %s\n", hash, word, cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
