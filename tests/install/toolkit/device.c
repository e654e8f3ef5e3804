// A program in C that uses the runtime and the driver without a kernel.
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_occupancy.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <nccl.h>
#include <nvToolsExt.h>
#include <nvml.h>
#include <vector_functions.h>

int main(void) {
    struct cudaDeviceProp properties;
    float4 vector = make_float4(1, 2, 3, 4);
    void *memory;
    nvtxRangePushA("device");
    if (cuInit(0) != CUDA_SUCCESS || cudaGetDeviceProperties(&properties, 0) != cudaSuccess ||
        cudaMalloc(&memory, 16) != cudaSuccess)
        return 1;
    nvtxRangePop();
    return vector.y != 2 || properties.warpSize != 32;
}
