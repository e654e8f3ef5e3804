// Launches behind a host function that waits for what the program does after them. They are planned
// by what is in memory, but nobody may wait for that here.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

enum { COUNT = 1 << 20, BLOCK = 256, BLOCKS = COUNT / BLOCK };

static std::atomic<bool> is_open;

static void wait_for_program(void *) {
    while (!is_open)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
}

__global__ void fill(int *a, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = (i + value) % COUNT;
}

__global__ void gather(const int *index, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]] + 1;
}

__global__ void scatter(const int *index, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[index[i]] = 3 * in[i] + out[index[i]];
}

__global__ void add_through(int *const *pointer) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    pointer[0][i] += i;
}

int main() {
    int *index, *in, *out, *far, **pointer;
    cudaStream_t stream;
    cudaMalloc(&index, COUNT * sizeof *index);
    cudaMalloc(&in, COUNT * sizeof *in);
    cudaMalloc(&out, COUNT * sizeof *out);
    cudaMalloc(&far, COUNT * sizeof *far);
    cudaMalloc(&pointer, sizeof *pointer);
    cudaStreamCreate(&stream);
    unsigned hash = 2166136261u;
    for (int round = 0; round < 2; round++) {
        is_open = false;
        fill<<<BLOCKS, BLOCK, 0, stream>>>(far, 1);
        fill<<<BLOCKS, BLOCK, 0, stream>>>(in, round);
        cudaLaunchHostFunc(stream, wait_for_program, nullptr);
        // What decides where the launches read and write comes behind it, too.
        fill<<<BLOCKS, BLOCK, 0, stream>>>(index, 77 + round);
        cudaMemcpyAsync(pointer, round ? &out : &far, sizeof *pointer, cudaMemcpyHostToDevice,
                        stream);
        for (int i = 0; i < 3; i++) {
            gather<<<BLOCKS, BLOCK, 0, stream>>>(index, in, out);
            scatter<<<BLOCKS, BLOCK, 0, stream>>>(index, out, in);
            add_through<<<BLOCKS, BLOCK, 0, stream>>>(pointer);
        }
        is_open = true;
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            return 1;
        for (const int *a : {in, out, far}) {
            std::vector<int> host(COUNT);
            cudaMemcpy(host.data(), a, COUNT * sizeof *a, cudaMemcpyDeviceToHost);
            for (int value : host)
                hash = (hash ^ (unsigned)value) * 16777619u;
        }
    }
    printf("%08x\n", hash);
    return 0;
}
