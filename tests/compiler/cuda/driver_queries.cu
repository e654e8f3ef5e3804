// What programs of the runtime ask the driver's API.
// RUN: %gcluster-cc %s -o %t && %t
#include "../device/check.h"
#include <cstring>
#include <cuda.h>

int main() {
    int version = 0, count = 0, warp = 0, major = 0, minor = 0;
    size_t size = 0, free_size = 0, total_size = 0;
    char name[256] = "";
    const char *text = nullptr, *error = nullptr;
    CUdevice device = -1;
    cudaDeviceProp properties;
    CUcontext context;
    CHECK(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0) == CUDA_SUCCESS && cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= CUDA_VERSION);
    CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS && count >= 1);
    CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
    CHECK(cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
    CHECK(warp == 32);
    CHECK(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
    CHECK(strcmp(name, properties.name) == 0);
    CHECK(cuDeviceTotalMem(&size, 0) == CUDA_SUCCESS && size == properties.totalGlobalMem);
    CHECK(cuDeviceComputeCapability(&major, &minor, 0) == CUDA_SUCCESS);
    CHECK(major == properties.major && minor == properties.minor);
    CHECK(cuMemGetInfo(&free_size, &total_size) == CUDA_SUCCESS && free_size <= total_size);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS && cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &error) == CUDA_SUCCESS && *error);
    CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && *text);
    return 0;
}
