// Shuffles of values that are known before a branch, behind it, in loops and for some lanes:
// numbers of threads, sums and multiples of them, what all threads have, wide and narrow ones.
#include <cstdio>

#define ALL 0xffffffffu

enum { THREADS = 96, KERNELS = 8 };

__global__ void behind_branch(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, got = -1;
    if (n > 3)
        got = __shfl_sync(ALL, i + 5, 3);
    out[i] = got - 5;
}

__global__ void behind_divergent(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, got = (i & ~31) + 3;
    if (threadIdx.x < 64)
        got = __shfl_sync(ALL, i * n, 3) / n;
    out[i] = got;
}

__global__ void in_loop(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, got = 0;
    for (int k = 0; k < n; k++)
        got += __shfl_xor_sync(ALL, i, k & 3) - (i ^ (k & 3));
    out[i] = got + (i & ~31) + 3;
}

__global__ void of_some(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, got = (i & ~31) + 3;
    if (threadIdx.x % 2 == 1)
        got = __shfl_sync(0xaaaaaaaau, i + n, 3) - n;
    out[i] = got;
}

__global__ void of_all(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, got = 0;
    if (n > 3)
        got = __shfl_sync(ALL, (int)blockIdx.x * 7 + n, 3);
    out[i] = got - n - (int)blockIdx.x * 7 + (i & ~31) + 3;
}

__global__ void of_short(int *out, int n) {
    short got = 0, i = (short)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n > 3)
        got = __shfl_sync(ALL, i, 3);
    out[i] = got;
}

__global__ void of_wide(int *out, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long got = 0;
    if (n > 3)
        got = __shfl_sync(ALL, (unsigned long long)i, 3);
    out[i] = (int)got;
}

__global__ void by_variable(int *out, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, got = 0;
    if (n > 3)
        got = __shfl_sync(ALL, i + 1, n - 6) - 1;
    out[i] = (int)got;
}

int main() {
    static void (*const kernels[KERNELS])(int *, int) = {
        behind_branch, behind_divergent, in_loop, of_some, of_all, of_short, of_wide, by_variable};
    int *out, wrong = 0;
    cudaMallocManaged(&out, 2 * THREADS * sizeof *out);
    for (int k = 0; k < KERNELS; k++) {
        for (int i = 0; i < 2 * THREADS; i++)
            out[i] = -7;
        kernels[k]<<<2, THREADS>>>(out, 9);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        for (int i = 0; i < 2 * THREADS; i++) {
            if (out[i] != (i & ~31) + 3 && wrong++ < 4)
                printf("kernel %d, thread %d: %d\n", k, i, out[i]);
        }
    }
    return wrong != 0;
}
