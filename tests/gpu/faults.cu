// What goes wrong in a kernel, and what the program hears of it: once it has, everything fails.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void set(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void far_away(int *out) {
    out[(1ll << 34) + threadIdx.x] = 1;
}

__global__ void asserts(int *out) {
    assert(out[threadIdx.x] < 5);
}

__global__ void traps(int *out) {
    if (out[threadIdx.x] == 7)
        __trap();
}

int main(int argc, char **argv) {
    const int n = 256;
    int kind = argc > 1 ? atoi(argv[1]) : 0, *out, host[n];
    if (cudaMalloc(&out, n * sizeof(int)) != cudaSuccess)
        return 2;
    set<<<2, 128>>>(out, n);
    cudaError_t before = cudaDeviceSynchronize();
    if (kind == 0)
        far_away<<<1, 32>>>(out);
    else if (kind == 1)
        asserts<<<1, 32>>>(out);
    else
        traps<<<1, 32>>>(out);
    cudaError_t heard = cudaDeviceSynchronize();
    cudaError_t later = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    set<<<2, 128>>>(out, n);
    cudaError_t last = cudaDeviceSynchronize();
    printf("%d %d %d %d\n", (int)before, (int)heard, (int)later, (int)last);
    printf("reset %d\n", (int)cudaDeviceReset());
    return 0;
}
