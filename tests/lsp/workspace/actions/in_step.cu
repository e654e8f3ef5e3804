// Kernels that rely on warps in step, with a program that prints what comes out: the same before and
// after the actions that say so.
#include <cstdio>

enum { BLOCKS = 5, THREADS = 128 };

// says GCL158 __syncwarp();
__global__ void turned(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    out[i] = s[t ^ 31];
}

// In front of the branch, which has no braces.
// says GCL158 __syncwarp();
__global__ void summed(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, lane = t % 32, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    if (lane < 31)
        out[i] = s[t + 1];
    else
        out[i] = -1;
}

// Within a branch that not all lanes take.
// says GCL158 __activemask
__global__ void half(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    out[i] = 0;
    if (t % 32 < 16) {
        s[t] = in[i];
        out[i] = s[t ^ 15];
    }
}

// says GCL158 __syncthreads
__global__ void twice(const int *in, int *out) {
    __shared__ int s[THREADS / 32];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (t % 32 == 0)
        s[t / 32] = in[i];
    __syncthreads();
    int sum = s[0] + s[1] + s[2] + s[3];
    if (t % 32 == 0)
        s[t / 32] = in[i] * sum;
    __syncthreads();
    out[i] = sum + s[0] - s[3];
}

// What stands in one statement can't be parted by a line.
// lacks GCL158 sync
__global__ void rotated(const int *in, int *out) {
    __shared__ volatile int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = in[i];
    __syncwarp();
    s[t] = s[t / 32 * 32 + (t + 1) % 32];
    out[i] = s[t];
}

int main() {
    const int count = BLOCKS * THREADS;
    int numbers[count], *in, *out;
    for (int i = 0; i < count; i++)
        numbers[i] = i * 37 % 101;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
    void (*const kernels[])(const int *, int *) = {turned, summed, half, twice, rotated};
    for (auto kernel : kernels) {
        cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
        kernel<<<BLOCKS, THREADS>>>(in, out);
        cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
        for (int i = 0; i < count; i++)
            printf("%d ", numbers[i]);
        puts("");
    }
    return 0;
}
