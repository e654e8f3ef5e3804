// A program for jobs that are disturbed. Its arguments: steps of a stencil, in each of which
// neighbours' bytes travel; cells; and "all" to copy all cells to the host after each step. It
// prints a number for the result; and on standard error "started" before the first step and "under
// way" when the bytes of fifty steps have travelled. It prints the number and ends well whatever
// happens, so that only the job itself keeps a wrong number from being taken for a right one.
#include <cstdio>
#include <cstdlib>

__global__ void start(unsigned *cells, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        cells[i] = i * 2654435761u;
}

__global__ void step(const unsigned *before, unsigned *after, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < count - 1)
        after[i] = before[i - 1] + 3 * before[i] + (before[i + 1] >> 1);
    else if (i < count)
        after[i] = before[i];
}

int main(int argc, char **argv) {
    int count = argc > 2 ? atoi(argv[2]) : 1 << 16, steps = argc > 1 ? atoi(argv[1]) : 10;
    size_t bytes = count * sizeof(unsigned);
    unsigned *cells[2], *result = (unsigned *)malloc(bytes), sum = 0;
    cudaMalloc(&cells[0], bytes);
    cudaMalloc(&cells[1], bytes);
    start<<<(count + 255) / 256, 256>>>(cells[0], count);
    cudaDeviceSynchronize();
    fprintf(stderr, "started\n");
    for (int i = 0; i < steps; i++) {
        step<<<(count + 255) / 256, 256>>>(cells[i % 2], cells[(i + 1) % 2], count);
        bool copies = argc > 3 || i % 50 == 49;
        if (copies &&
            cudaMemcpy(result, cells[i % 2], argc > 3 ? bytes : 4, cudaMemcpyDeviceToHost))
            break;
        if (i == 49)
            fprintf(stderr, "under way\n");
    }
    cudaMemcpy(result, cells[steps % 2], bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        sum = sum * 31 + result[i];
    printf("%d steps: %08x\n", steps, sum);
    fprintf(stderr, "%s\n", cudaGetErrorName(cudaPeekAtLastError()));
    return 0;
}
