#include <cuda_runtime.h>
__constant__ int table[16];
__device__ int counter;
struct point {
    float x, y;
    __host__ __device__ float norm() const {
        return x * x + y * y;
    }
};
__device__ int sum(int value) {
    for (int offset = 16; offset > 0; offset >>= 1)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
__global__ void reduce(const int *in, int *out, int n) {
    __shared__ int partial[32];
    extern __shared__ int dynamic[];
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += in[i] * table[i % 16];
    value = sum(value);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = sum(threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(out, value);
    }
    switch (threadIdx.x & 3) {
    case 0:
        dynamic[0] = atomicCAS(&counter, 0, 1);
        break;
    case 1:
    default:
        __threadfence();
    }
}
__global__ void norms(const point *p, float *out) {
    int i = threadIdx.x;
    do {
        out[i] = sqrtf(p[i].norm());
        if (__syncthreads_or(out[i] > 1.0f))
            break;
    } while (i < 0);
}
int main() {
    int *in, *out;
    cudaMallocManaged(&in, 4096);
    cudaMallocManaged(&out, 4);
    reduce<<<4, 128, 64>>>(in, out, 1024);
    norms<<<1, 32>>>((const point *)in, (float *)in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
