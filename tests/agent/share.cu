// Computes for some milliseconds at a time, and prints sums. Arguments: MiB, launches, rounds of
// each, milliseconds between them.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

__global__ void turn(unsigned *numbers, int count, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned x = numbers[i] + i;
    for (int k = 0; k < rounds; k++)
        x = x * 1664525u + 1013904223u;
    numbers[i] = x;
}

static bool is_fine(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        printf("%s: %s\n", what, cudaGetErrorName(error));
    return error == cudaSuccess;
}

int main(int argc, char **argv) {
    int mib = argc > 1 ? atoi(argv[1]) : 1, launches = argc > 2 ? atoi(argv[2]) : 4;
    int rounds = argc > 3 ? atoi(argv[3]) : 100, pause = argc > 4 ? atoi(argv[4]) : 0;
    int count = mib << 18;
    unsigned *numbers, *host = (unsigned *)malloc(count * sizeof *host), sum = 0;
    if (!is_fine(cudaMalloc(&numbers, count * sizeof *numbers), "cudaMalloc"))
        return 1;
    cudaMemset(numbers, 0, count * sizeof *numbers);
    for (int i = 0; i < launches; i++) {
        turn<<<(count + 255) / 256, 256>>>(numbers, count, rounds);
        if (!is_fine(cudaDeviceSynchronize(), "cudaDeviceSynchronize"))
            return 1;
        usleep(pause * 1000);
    }
    if (!is_fine(cudaMemcpy(host, numbers, count * sizeof *host, cudaMemcpyDeviceToHost), "cudaMemcpy"))
        return 1;
    for (int i = 0; i < count; i++)
        sum += host[i] * (2 * i + 1);
    printf("%08x\n", sum);
    return 0;
}
