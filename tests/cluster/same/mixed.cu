// Pointers that come out of arrays, shuffles and arithmetic of integers, so that the compiler
// doesn't know which of the kernel's arguments they lead to: what is written through them is seen
// by copies, and by kernels on other nodes.
#include <cstdint>
#include <cstdio>

enum { COUNT = 1 << 12, BLOCK = 128 };

struct Pair {
    int *first, *second;
};

// Fresh on several nodes.
__global__ void fill(int *out, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = value + i;
}

__global__ void masked(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uintptr_t address = reinterpret_cast<uintptr_t>(out + i);
    *reinterpret_cast<int *>(address & ~uintptr_t(3)) += 1;
}

__global__ void chosen(int *a, int *b, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *places[4];
    for (int k = 0; k < 4; k++)
        places[k] = k * step % 3 ? a : b;
    places[i * step % 4][i] += 2;
}

__global__ void shared(int *a, int *b, int step) {
    __shared__ int *places[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    places[threadIdx.x] = threadIdx.x % 3 ? a : b;
    __syncthreads();
    places[threadIdx.x * step % BLOCK][i] += 3;
}

__global__ void shuffled(Pair pair, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto place = reinterpret_cast<unsigned long long>(i * step % 3 ? pair.first : pair.second);
    place = __shfl_xor_sync(0xffffffff, place, step);
    reinterpret_cast<int *>(place)[i] += 4;
}

__global__ void read(Pair pair, int step, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (&pair.first)[i * step % 2][i];
}

__global__ void add(const int *a, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += a[i];
}

static void show(const char *what, const int *memory) {
    static int host[COUNT];
    long sum = 0;
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        sum += host[i] * (i % 7 + 1l);
    printf("%s %ld\n", what, sum);
}

int main() {
    int *a, *b, *out;
    cudaMalloc(&a, COUNT * sizeof *a);
    cudaMalloc(&b, COUNT * sizeof *b);
    cudaMalloc(&out, COUNT * sizeof *out);
    fill<<<COUNT / BLOCK, BLOCK>>>(a, 1);
    fill<<<COUNT / BLOCK, BLOCK>>>(b, 2);
    masked<<<COUNT / BLOCK, BLOCK>>>(a);
    add<<<COUNT / BLOCK, BLOCK>>>(a, b);
    show("masked", b);
    chosen<<<COUNT / BLOCK, BLOCK>>>(a, b, 3);
    add<<<COUNT / BLOCK, BLOCK>>>(a, b);
    show("chosen", b);
    shared<<<COUNT / BLOCK, BLOCK>>>(a, b, 3);
    add<<<COUNT / BLOCK, BLOCK>>>(a, b);
    show("shared", b);
    shuffled<<<COUNT / BLOCK, BLOCK>>>({a, b}, 1);
    add<<<COUNT / BLOCK, BLOCK>>>(a, b);
    show("shuffled", b);
    read<<<COUNT / BLOCK, BLOCK>>>({a, b}, 3, out);
    show("read", out);
    return 0;
}
