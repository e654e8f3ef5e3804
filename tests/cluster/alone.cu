// Launches that stay on node 0, and for different reasons: run.sh looks at what is said of them.
#include <cstdio>

__global__ void store_one(int *out) {
    out[threadIdx.x] = 1;
}

__global__ void store_same(int *out) {
    out[threadIdx.x] = 2;
}

__global__ void store_together(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 3;
}

int main() {
    int *out, last = 0, blocks = 2;
    if (cudaMalloc(&out, 64 * sizeof *out) != cudaSuccess)
        return 1;
    store_one<<<1, 32>>>(out);
    store_same<<<blocks, 32>>>(out);
    void *arguments[] = {&out};
    cudaLaunchCooperativeKernel(store_together, blocks, 32, arguments);
    cudaMemcpy(&last, out + 63, sizeof last, cudaMemcpyDeviceToHost);
    return last == 3 ? 0 : 2;
}
