// Reads single numbers of an array of which all nodes have written some, once nothing is under way.
#include <cstdio>

enum { COUNT = 1024, READS = 128 };

__global__ void write(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 3 * i;
}

int main() {
    int *array, value;
    bool is_right = true;
    cudaMalloc(&array, COUNT * sizeof(int));
    write<<<COUNT / 64, 64>>>(array);
    for (int i = 0; i < READS; i++) {
        int at = i * (COUNT / READS) + i % 5;
        cudaMemcpy(&value, array + at, sizeof value, cudaMemcpyDeviceToHost);
        is_right = is_right && value == 3 * at;
    }
    puts(is_right && cudaDeviceSynchronize() == cudaSuccess ? "right" : "wrong");
    return 0;
}
