// RUN: %gcluster-cc %s -o %t && %t
// RUN: %gcluster-cc -arch=sm_80 %s -o %t && %t
// Programs choose sizes of blocks for what a kernel was compiled for, as CUB does: that has to be
// what the kernel was told, and what host code knows before there is a kernel.
#include <cstdio>

__global__ void tell(int *architecture) {
#ifdef __CUDA_ARCH__
    *architecture = __CUDA_ARCH__;
#endif
}

int main() {
    int *told;
    cudaFuncAttributes attributes;
    if (cudaMallocManaged(&told, sizeof *told) || cudaFuncGetAttributes(&attributes, tell))
        return 2;
    tell<<<1, 1>>>(told);
    if (cudaDeviceSynchronize())
        return 2;
    printf("%d %d %d\n", *told, attributes.ptxVersion, __CUDA_ARCH_LIST__);
    return *told != 10 * attributes.ptxVersion || *told != __CUDA_ARCH_LIST__;
}
