// A kernel of each class, named for it; two instances of one, of which the worse counts.
#include "scale.h"

__global__ void exact_kernel(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= SCALE;
}

__global__ void reduce_kernel(const int *a, int *sum) {
    atomicAdd(sum, a[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void inspected_kernel(const int *index, const float *a, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[index[i]];
}

__global__ void coarse_kernel(const float *where, const float *a, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[(int)where[i]];
}

__global__ void guarded_kernel(const float *a, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > 0)
        out[i] = a[i];
}

template <bool scatter> __global__ void merge_kernel(const float *where, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[scatter ? (int)where[i] : i] = 1;
}
template __global__ void merge_kernel<true>(const float *, float *);
template __global__ void merge_kernel<false>(const float *, float *);

__global__ void single_kernel(int *next, int *out) {
    out[atomicAdd(next, 1)] = blockIdx.x;
}

__global__ void block_kernel(int *a) {
    a[threadIdx.x] = 0;
}
