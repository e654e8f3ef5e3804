// The functions of the runtime that no other test calls: what they return, and what they leave.
// RUN: %gcluster-cc %s -o %t && %t
#include "../device/check.h"
#include <cstring>
#include <cuda_profiler_api.h>

enum { W = 8, H = 4, D = 2 };
__constant__ int table[4];
__device__ int results[4];

__global__ void twice() {
    results[threadIdx.x] = 2 * table[threadIdx.x];
}

__global__ void fill(int *values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static void check_symbols(cudaStream_t stream) {
    const int in[4] = {1, 2, 3, 4};
    int out[4] = {0};
    CHECK(cudaMemcpyToSymbolAsync(table, in, sizeof in, 0, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
    twice<<<1, 4, 0, stream>>>();
    CHECK(cudaMemcpyFromSymbolAsync(out, results, sizeof out, 0, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    for (int i = 0; i < 4; i++)
        CHECK(out[i] == 2 * in[i]);
}

// Each copy goes into the array and out of it by the function that undoes it.
static void check_arrays(cudaStream_t stream) {
    float in[H][W], out[H][W];
    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] = (float)i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), found;
    cudaChannelFormatDesc halves = cudaCreateChannelDescHalf2();
    CHECK(halves.x == 16 && halves.y == 16 && halves.z == 0 && halves.w == 0);
    CHECK(halves.f == cudaChannelFormatKindFloat && cudaCreateChannelDescHalf4().w == 16);
    CHECK(cudaCreateChannelDescHalf().x == 16 && cudaCreateChannelDescHalf1().y == 0);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H) == cudaSuccess);
    CHECK(cudaGetChannelDesc(&found, array) == cudaSuccess);
    CHECK(memcmp(&found, &format, sizeof found) == 0);
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, in, sizeof in[0], sizeof in[0], H,
                                   cudaMemcpyHostToDevice, stream) == cudaSuccess);
    CHECK(cudaMemcpy2DFromArrayAsync(out, sizeof out[0], array, 0, 0, sizeof out[0], H,
                                     cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && memcmp(in, out, sizeof in) == 0);
    CHECK(cudaMemcpyToArrayAsync(array, 0, 1, in[0], sizeof in[0], cudaMemcpyHostToDevice,
                                 stream) == cudaSuccess);
    CHECK(cudaMemcpyFromArrayAsync(out, array, 0, 1, sizeof out[0], cudaMemcpyDeviceToHost,
                                   stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && memcmp(in[0], out[0], sizeof in[0]) == 0);

    cudaResourceDesc resource = {}, same = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {}, read_back = {};
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
    CHECK(cudaGetTextureObjectTextureDesc(&read_back, texture) == cudaSuccess);
    CHECK(read_back.normalizedCoords == 1 && read_back.readMode == cudaReadModeElementType);
    CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    CHECK(cudaFreeArray(array) == cudaSuccess);

    cudaSurfaceObject_t surface;
    CHECK(cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore) == cudaSuccess);
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    CHECK(cudaGetSurfaceObjectResourceDesc(&same, surface) == cudaSuccess);
    CHECK(same.resType == cudaResourceTypeArray && same.res.array.array == array);
    CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess && cudaFreeArray(array) == cudaSuccess);
}

static void check_fills(cudaStream_t stream) {
    unsigned char *rows, out[D][H][W];
    size_t pitch;
    cudaPitchedPtr box;
    cudaPos corner = make_cudaPos(1, 2, 3);
    CHECK(corner.x == 1 && corner.y == 2 && corner.z == 3);
    CHECK(cudaMallocPitch((void **)&rows, &pitch, W, H) == cudaSuccess);
    CHECK(cudaMemsetAsync(rows, 1, pitch * H, stream) == cudaSuccess);
    CHECK(cudaMemset2DAsync(rows, pitch, 7, W / 2, H, stream) == cudaSuccess);
    CHECK(cudaMemcpy2DAsync(out[0], W, rows, pitch, W, H, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    for (int i = 0; i < W * H; i++)
        CHECK(out[0][i / W][i % W] == (i % W < W / 2 ? 7 : 1));
    CHECK(cudaMalloc3D(&box, make_cudaExtent(W, H, D)) == cudaSuccess);
    CHECK(cudaMemset3DAsync(box, 9, make_cudaExtent(W, H, D), stream) == cudaSuccess);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(out, W, W, H);
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&copy, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    for (int i = 0; i < W * H * D; i++)
        CHECK((&out[0][0][0])[i] == 9);
    CHECK(cudaFree(rows) == cudaSuccess && cudaFree(box.ptr) == cudaSuccess);
}

static void check_pools(cudaStream_t stream) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t own, before, now;
    CHECK(cudaMemPoolCreate(&own, &properties) == cudaSuccess);
    CHECK(cudaDeviceGetMemPool(&before, 0) == cudaSuccess);
    CHECK(cudaDeviceSetMemPool(0, own) == cudaSuccess);
    CHECK(cudaDeviceGetMemPool(&now, 0) == cudaSuccess && now == own);
    cudaMemAccessDesc access = {properties.location, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    CHECK(cudaMemPoolSetAccess(own, &access, 1) == cudaSuccess);
    CHECK(cudaMemPoolGetAccess(&flags, own, &access.location) == cudaSuccess);
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    void *memory;
    CHECK(cudaMallocAsync(&memory, 4096, stream) == cudaSuccess);
    CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && cudaMemPoolTrimTo(own, 0) == cudaSuccess);
    CHECK(cudaDeviceSetMemPool(0, before) == cudaSuccess && cudaMemPoolDestroy(own) == cudaSuccess);
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    CHECK(cudaMemPoolCreate(&own, &properties) == cudaErrorNotSupported);
}

static void check_managed(cudaStream_t stream) {
    int *values, is_read_mostly = -1;
    CHECK(cudaMallocManaged(&values, 4096) == cudaSuccess);
    CHECK(cudaStreamAttachMemAsync(stream, values) == cudaSuccess);
    CHECK(cudaMemRangeGetAttribute(&is_read_mostly, sizeof is_read_mostly,
                                   cudaMemRangeAttributeReadMostly, values, 4096) == cudaSuccess);
    CHECK(is_read_mostly == 0 && cudaFree(values) == cudaSuccess);
}

static void check_streams(cudaStream_t stream) {
    cudaStream_t other;
    unsigned long long id, other_id;
    int device = -1, least, greatest;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && greatest <= least);
    CHECK(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, greatest) == cudaSuccess);
    CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
    CHECK(cudaStreamGetId(other, &other_id) == cudaSuccess && id != other_id);
    CHECK(cudaStreamGetDevice(other, &device) == cudaSuccess && device == 0);
    CHECK(cudaStreamIsCapturing(other, &status) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusNone);
    cudaLaunchAttributeValue value = {};
    value.syncPolicy = cudaSyncPolicySpin;
    CHECK(cudaStreamSetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &value) ==
          cudaSuccess);
    CHECK(cudaStreamCopyAttributes(stream, other) == cudaSuccess);
    CHECK(cudaStreamGetAttribute(other, cudaLaunchAttributePriority, &value) == cudaSuccess);
    CHECK(value.priority == greatest);
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event) == cudaSuccess);
    CHECK(cudaEventRecordWithFlags(event, other, cudaEventRecordDefault) == cudaSuccess);
    CHECK(cudaEventSynchronize(event) == cudaSuccess && cudaEventDestroy(event) == cudaSuccess);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
}

static size_t four_bytes_each(int block_size) {
    return 4 * (size_t)block_size;
}

static void check_functions() {
    int grid = 0, block = 0, per_processor = 0, limited = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill) == cudaSuccess);
    CHECK(grid > 0 && block > 0 && block <= 1024);
    CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, fill, 0, 128,
                                                      cudaOccupancyDefault) == cudaSuccess);
    CHECK(block <= 128);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, four_bytes_each) ==
          cudaSuccess);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
              &grid, &limited, fill, four_bytes_each, 64, cudaOccupancyDefault) == cudaSuccess);
    CHECK(limited <= 64 && limited <= block);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
              &per_processor, fill, 256, 0, cudaOccupancyDefault) == cudaSuccess);
    CHECK(per_processor > 0);
    CHECK(cudaFuncSetSharedMemConfig(fill, cudaSharedMemBankSizeEightByte) == cudaSuccess);
}

static void check_devices() {
    int device = -1, devices[] = {0}, version = 0, runtime_version = 0;
    cudaDeviceProp properties;
    cudaSharedMemConfig banks;
    cudaFuncCache preferred;
    CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess && cudaInitDevice(99, 0, 0) != cudaSuccess);
    CHECK(cudaSetValidDevices(devices, 1) == cudaSuccess);
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(cudaChooseDevice(&device, &properties) == cudaSuccess && device == 0);
    CHECK(cudaGetDevice(&device) == cudaSuccess && device == 0);
    CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte) == cudaSuccess);
    CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
    CHECK(banks == cudaSharedMemBankSizeFourByte);
    CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
    CHECK(cudaThreadGetCacheConfig(&preferred) == cudaSuccess &&
          preferred == cudaFuncCachePreferL1);
    CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
    CHECK(cudaRuntimeGetVersion(&runtime_version) == cudaSuccess);
    CHECK(runtime_version == CUDART_VERSION && version >= runtime_version);
    CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
    size_t heap = 0;
    CHECK(cudaThreadSetLimit(cudaLimitMallocHeapSize, 1 << 24) == cudaSuccess);
    CHECK(cudaThreadGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess && heap >= 1 << 24);
}

int main() {
    cudaStream_t stream;
    CHECK(cudaProfilerStart() == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    check_symbols(stream);
    check_arrays(stream);
    check_fills(stream);
    check_pools(stream);
    check_managed(stream);
    check_streams(stream);
    check_functions();
    check_devices();
    CHECK(cudaStreamDestroy(stream) == cudaSuccess && cudaProfilerStop() == cudaSuccess);
    CHECK(cudaThreadExit() == cudaSuccess);
    return 0;
}
