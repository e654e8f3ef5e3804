// Memory that is freed in a stream, of whose end launches in other streams don't know. The kernel
// of which nothing is known may use all memory whose addresses lie in memory.
#include <cstdio>

enum { COUNT = 4 << 20, BLOCK = 256, ROUNDS = 20 };

struct tree {
    tree *left, *right;
    int value;
};

__global__ void set(int *a, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = value + i;
}

__global__ void follow(int *const *p, int *out) {
    out[0] = p[0][1];
}

static __device__ __noinline__ int sum(const tree *t) {
    return t ? t->value + sum(t->left) + sum(t->right) : 0;
}

__global__ void add(const tree *t, int *out) {
    out[blockIdx.x] += sum(t);
}

int main() {
    cudaStream_t own, other;
    tree *t;
    int *out, **pointers, sums[4];
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&out, sizeof sums + sizeof(int));
    cudaMalloc(&pointers, sizeof *pointers);
    cudaMalloc(&t, 2 * sizeof *t);
    cudaMemset(out, 0, sizeof sums);
    const tree host[2] = {{t + 1, nullptr, 3}, {nullptr, nullptr, 4}};
    cudaMemcpy(t, host, sizeof host, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    for (int round = 0; round < ROUNDS; round++) {
        int *x;
        cudaMallocAsync(&x, COUNT * sizeof *x, own);
        cudaMemcpyAsync(pointers, &x, sizeof x, cudaMemcpyHostToDevice, own);
        follow<<<1, 1, 0, own>>>(pointers, out + 4);
        for (int i = 0; i < 4; i++)
            set<<<COUNT / BLOCK, BLOCK, 0, own>>>(x, round);
        cudaFreeAsync(x, own);
        add<<<4, 1, 0, other>>>(t, out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", error, sums[0], sums[3]);
    return error;
}
