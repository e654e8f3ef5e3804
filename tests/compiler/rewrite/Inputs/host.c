#include <cuda_runtime.h>

int query(void) {
    struct cudaDeviceProp prop;
    cudaError_t error = cudaGetDeviceProperties(&prop, 0);
    return error != cudaSuccess;
}
