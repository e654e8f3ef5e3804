// Right on any number of nodes; checks itself.
#include <cstdio>

__global__ void twice(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = 2 * i;
}

int main(int argc, char **argv) {
    const int n = 1000;
    int *values, wrong = 0;
    cudaMallocManaged(&values, n * sizeof *values);
    twice<<<8, 128>>>(values, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += values[i] != 2 * i;
    printf("%s\n", wrong || argc > 1 ? "FAIL" : "PASS");
    return 0;
}
