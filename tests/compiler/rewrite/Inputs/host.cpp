#include <cuda_runtime.h>

int query() {
    struct cudaDeviceProp prop;
    cudaError_t error = cudaGetDeviceProperties(&prop, 0);
    return error != cudaSuccess;
}
