// What nodes put together is a value that one of them stored, and leaves alone what shares an
// allocation with it.
#include <cstdio>
#include <vector>

enum { COUNT = 1 << 18, BLOCK = 256, BLOCKS = COUNT / BLOCK, BINS = 1 << 12, KEY = 42 };

// Several threads may store: which of them wins isn't said, but one does.
template <typename Value> __global__ void find(Value *found, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] == KEY)
        *found = (Value)i;
}

// Values of one byte that nodes store beside each other.
__global__ void mark(unsigned char *marks, const int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    marks[to[i]] = (unsigned char)(to[i] % 251);
}

__global__ void add(float *bins, const int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[to[i] % BINS], 1.0f);
}

template <typename Value> static bool is_found(int *a, Value first) {
    Value *found, value;
    int there = 0;
    cudaMalloc(&found, sizeof value);
    cudaMemcpy(found, &first, sizeof value, cudaMemcpyHostToDevice);
    find<<<BLOCKS, BLOCK>>>(found, a);
    cudaMemcpy(&value, found, sizeof value, cudaMemcpyDeviceToHost);
    if (value < COUNT)
        cudaMemcpy(&there, a + (size_t)value, sizeof there, cudaMemcpyDeviceToHost);
    cudaFree(found);
    return there == KEY;
}

int main() {
    std::vector<int> host(COUNT), to(COUNT);
    for (int i = 0; i < COUNT; i++)
        to[i] = (int)((i * 7919LL) % COUNT);
    host[0x105] = host[0x2ff00] = host[0x15a5a] = host[0x3e1e1] = KEY;
    int *a, *places;
    cudaMalloc(&a, COUNT * sizeof *a);
    cudaMalloc(&places, COUNT * sizeof *places);
    cudaMemcpy(a, host.data(), COUNT * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(places, to.data(), COUNT * sizeof *places, cudaMemcpyHostToDevice);
    printf("%d %d %d", is_found<unsigned>(a, ~0u), is_found<unsigned long long>(a, ~0ull),
           is_found<double>(a, 1e9));

    unsigned char *marks;
    std::vector<unsigned char> marked(COUNT);
    cudaMalloc(&marks, COUNT);
    mark<<<BLOCKS, BLOCK>>>(marks, places);
    cudaMemcpy(marked.data(), marks, COUNT, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += marked[i] != i % 251;
    printf(" %d", wrong);

    // Numbers that would be NaNs as floats lie before the sums.
    int *numbers;
    std::vector<int> words(2 * BINS);
    for (int i = 0; i < BINS; i++)
        words[i] = -1 - i * 2047;
    cudaMalloc(&numbers, words.size() * sizeof(int));
    cudaMemcpy(numbers, words.data(), words.size() * sizeof(int), cudaMemcpyHostToDevice);
    add<<<BLOCKS, BLOCK>>>((float *)(numbers + BINS), places);
    cudaMemcpy(words.data(), numbers, words.size() * sizeof(int), cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int i = 0; i < BINS; i++)
        wrong += words[i] != -1 - i * 2047;
    const float *sums = (const float *)(words.data() + BINS);
    for (int i = 0; i < BINS; i++)
        wrong += sums[i] != COUNT / BINS;
    printf(" %d\n", wrong);
    return cudaDeviceSynchronize();
}
