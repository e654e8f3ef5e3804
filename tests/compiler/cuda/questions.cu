// What programs ask beside the runtime: NVML, the occupancy calculator, the context of a stream.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_occupancy.h>
#include <nvml.h>

#define CHECK(condition)                                                                           \
    if (!(condition))                                                                              \
    return printf("line %d: " #condition "\n", __LINE__), 1

__global__ void kernel(float *out) {
    __shared__ float all[256];
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[255 - threadIdx.x];
}

static int ask_management() {
    unsigned count = 0, index = 7, clock = 0, power = 0;
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], bus[32];
    nvmlDevice_t device, same;
    nvmlMemory_t memory;
    nvmlPciInfo_t pci;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(nvmlInit() == NVML_SUCCESS && nvmlDeviceGetCount(&count) == NVML_SUCCESS && count >= 1);
    CHECK(nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByIndex(count, &same) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetIndex(device, &index) == NVML_SUCCESS && index == 0);
    CHECK(nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS);
    CHECK(strcmp(name, properties.name) == 0);
    CHECK(nvmlDeviceGetName(device, name, 2) == NVML_ERROR_INSUFFICIENT_SIZE);
    CHECK(nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS);
    CHECK(memory.total == properties.totalGlobalMem && memory.free + memory.used == memory.total);
    CHECK(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &clock) == NVML_SUCCESS);
    CHECK(clock == (unsigned)properties.clockRate / 1000);
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess);
    CHECK(nvmlDeviceGetHandleByPciBusId(bus, &same) == NVML_SUCCESS && same == device);
    CHECK(nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS);
    CHECK(pci.bus == (unsigned)properties.pciBusID);
    CHECK(nvmlDeviceGetPowerUsage(device, &power) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlShutdown() == NVML_SUCCESS);
    return 0;
}

static int ask_occupancy() {
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaOccDeviceState state;
    cudaOccResult result;
    int grid = 0, block = 0, blocks = 0, unit = 0;
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
    const cudaOccDeviceProp device(properties);
    const cudaOccFuncAttributes function(attributes);
    CHECK(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, 256, 0) ==
          CUDA_OCC_SUCCESS);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0) == cudaSuccess);
    CHECK(result.activeBlocksPerMultiprocessor == blocks);
    CHECK(cudaOccSMemAllocationGranularity(&unit, &device) == CUDA_OCC_SUCCESS && unit > 0);
    CHECK(__occRoundUp(unit + 1, unit) == 2 * unit && __occRoundUp(unit, unit) == unit);
    CHECK(__occDivideRoundUp(unit + 1, unit) == 2 && __occMin(unit, 1) == 1);
    CHECK(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &state) ==
          CUDA_OCC_SUCCESS);
    CHECK(block > 0 && block <= properties.maxThreadsPerBlock && grid > 0);
    CHECK(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, 0, 0) ==
          CUDA_OCC_ERROR_INVALID_INPUT);
    return 0;
}

int main() {
    CUcontext one, other;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cuStreamGetCtx((CUstream)stream, &one) == CUDA_SUCCESS);
    CHECK(cuStreamGetCtx(0, &other) == CUDA_SUCCESS && one && one == other);
    return ask_management() + ask_occupancy();
}
