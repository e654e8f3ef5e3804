// Memory by the driver API: copies of rows and boxes, sets, arrays with textures, what is known of
// addresses, and memory that is mapped by hand; streams and events with the runtime API's.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) expect((int)(call), 0, #call)
#define REFUSED(call, error) expect((int)(call), (int)error, #call)

static void expect(int result, int wanted, const char *what) {
    if (result == wanted)
        return;
    printf("%s: %d\n", what, result);
    exit(1);
}

static void require(bool ok, const char *what) {
    if (ok)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

__global__ void sample(cudaTextureObject_t texture, float *out, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

__global__ void add(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += i;
}

enum { WIDTH = 32, HEIGHT = 16, DEPTH = 3 };

static void check_boxes() {
    CUdeviceptr rows;
    size_t pitch;
    std::vector<int> box(WIDTH * HEIGHT * DEPTH), back(box.size(), -1);
    for (size_t i = 0; i < box.size(); i++)
        box[i] = i;
    CHECK(cuMemAllocPitch(&rows, &pitch, WIDTH * sizeof(int), HEIGHT * DEPTH, sizeof(int)));
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = box.data();
    copy.srcPitch = WIDTH * sizeof(int);
    copy.srcHeight = HEIGHT;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = rows;
    copy.dstPitch = pitch;
    copy.dstHeight = HEIGHT;
    copy.WidthInBytes = WIDTH * sizeof(int);
    copy.Height = HEIGHT;
    copy.Depth = DEPTH;
    CHECK(cuMemcpy3D(&copy));
    CUDA_MEMCPY2D part = {};
    part.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    part.srcDevice = rows;
    part.srcPitch = pitch;
    part.srcXInBytes = 4 * sizeof(int);
    part.srcY = HEIGHT;
    part.dstMemoryType = CU_MEMORYTYPE_HOST;
    part.dstHost = back.data();
    part.dstPitch = WIDTH * sizeof(int);
    part.WidthInBytes = 8 * sizeof(int);
    part.Height = 2;
    CHECK(cuMemcpy2D(&part));
    require(back[0] == WIDTH * HEIGHT + 4 && back[WIDTH + 7] == WIDTH * (HEIGHT + 1) + 11 &&
                back[8] == -1,
            "a box");
    CHECK(cuMemsetD2D32(rows, pitch, 0x12345678, 5, 7));
    CHECK(cuMemsetD2D16(rows, pitch, 0x0909, 2, 1));
    part.srcXInBytes = part.srcY = 0;
    part.Height = 8;
    CHECK(cuMemcpy2D(&part));
    require(back[0] == 0x09090909 && back[1] == 0x12345678 && back[WIDTH] == 0x12345678 &&
                back[6 * WIDTH + 4] == 0x12345678 && back[5] == 5 && back[7 * WIDTH] == 7 * WIDTH,
            "a set of a box");
    CHECK(cuMemFree(rows));
}

static void check_arrays() {
    CUarray array;
    CUtexObject texture;
    CUdeviceptr out;
    std::vector<float> texels(WIDTH * HEIGHT);
    for (size_t i = 0; i < texels.size(); i++)
        texels[i] = i;
    CUDA_ARRAY_DESCRIPTOR description = {WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1};
    CHECK(cuArrayCreate(&array, &description));
    CUDA_ARRAY_DESCRIPTOR found;
    CHECK(cuArrayGetDescriptor(&found, array));
    require(found.Width == WIDTH && found.Format == CU_AD_FORMAT_FLOAT && found.NumChannels == 1,
            "an array's description");
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = texels.data();
    copy.srcPitch = WIDTH * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = WIDTH * sizeof(float);
    copy.Height = HEIGHT;
    CHECK(cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how = {};
    CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CHECK(cuMemAlloc(&out, texels.size() * sizeof(float)));
    sample<<<HEIGHT, WIDTH>>>(texture, (float *)out, WIDTH);
    std::vector<float> back(texels.size());
    CHECK(cuMemcpyDtoH(back.data(), out, back.size() * sizeof(float)));
    require(back == texels, "a texture");
    CHECK(cuMemcpyAtoH(back.data(), array, 0, WIDTH * sizeof(float)));
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuArrayDestroy(array));
    CHECK(cuMemFree(out));
}

static void check_addresses() {
    CUdeviceptr a, begin;
    size_t size;
    unsigned type;
    int managed;
    void *host;
    CHECK(cuMemAlloc(&a, 1000));
    CHECK(cuMemGetAddressRange(&begin, &size, a + 500));
    require(begin == a && size == 1000, "an allocation");
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
    require(type == CU_MEMORYTYPE_DEVICE, "a kind of memory");
    CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
    require(!managed, "managed memory");
    CHECK(cuMemHostAlloc(&host, 100, CU_MEMHOSTALLOC_PORTABLE));
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
    require(type == CU_MEMORYTYPE_HOST, "the host's memory");
    CHECK(cuMemFreeHost(host));
    CHECK(cuMemFree(a));
    REFUSED(cuMemGetAddressRange(&begin, &size, a), CUDA_ERROR_NOT_FOUND);
    REFUSED(cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
}

static void check_mapped() {
    enum { PARTS = 3 };
    CUmemAllocationProp properties = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handles[PARTS];
    CUdeviceptr begin;
    size_t part;
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemGetAllocationGranularity(&part, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(cuMemAddressReserve(&begin, PARTS * part, 0, 0, 0));
    for (int i = 0; i < PARTS; i++) {
        CHECK(cuMemCreate(&handles[i], part, &properties, 0));
        CHECK(cuMemMap(begin + i * part, part, 0, handles[i], 0));
    }
    REFUSED(cuMemMap(begin, part, 0, handles[1], 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemSetAccess(begin, PARTS * part, &access, 1));
    int n = PARTS * part / sizeof(int);
    CHECK(cuMemsetD32(begin, 7, n));
    add<<<(n + 255) / 256, 256>>>((int *)begin, n);
    std::vector<int> values(n);
    CHECK(cuMemcpyDtoH(values.data(), begin, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        require(values[i] == 7 + i, "mapped memory");
    CHECK(cuMemUnmap(begin + part, part));
    REFUSED(cuMemSetAccess(begin, PARTS * part, &access, 1), CUDA_ERROR_INVALID_VALUE);
    REFUSED(cuMemAddressFree(begin, PARTS * part), CUDA_ERROR_INVALID_VALUE);
    REFUSED(cuMemMap(begin + part, part, 0, handles[0], 0), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuMemMap(begin + part, part, 0, handles[1], 0));
    for (CUmemGenericAllocationHandle handle : handles)
        CHECK(cuMemRelease(handle));
    CHECK(cuMemUnmap(begin, PARTS * part));
    REFUSED(cuMemRelease(handles[0]), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAddressFree(begin, PARTS * part));
}

static void call(CUstream, CUresult status, void *data) {
    *(int *)data = status == CUDA_SUCCESS ? 1 : -1;
}

static void check_streams() {
    CUstream stream;
    CUevent begin, end;
    CUcontext context, primary;
    CUdeviceptr a;
    float time;
    int called = 0;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cudaEventCreate(&end));
    CHECK(cuEventRecord(begin, stream));
    CHECK(cuMemAllocAsync(&a, 4096, stream));
    CHECK(cuMemsetD8Async(a, 3, 4096, stream));
    CHECK(cuStreamAddCallback(stream, call, &called, 0));
    CHECK(cuMemFreeAsync(a, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaStreamSynchronize(stream));
    require(called == 1, "a callback");
    CHECK(cuEventElapsedTime(&time, begin, end));
    CHECK(cuStreamGetCtx(stream, &context));
    CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
    require(context == primary && time >= 0, "a stream's context");
    CHECK(cuDevicePrimaryCtxRelease(0));
    CHECK(cuEventDestroy(begin));
    CHECK(cuEventDestroy(end));
    CHECK(cuStreamDestroy(stream));
}

// The driver API's functions by name, and kernels of the program by their handles.
static void check_handles() {
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, CUstream, void **, void **);
    cudaDriverEntryPointQueryResult status;
    void *function = nullptr;
    cudaFunction_t handle;
    CUdeviceptr p;
    int n = 3, values[3];
    void *arguments[] = {&p, &n};
    CHECK(cudaGetDriverEntryPoint("cuLaunchKernel", &function, cudaEnableDefault, &status));
    require(status == cudaDriverEntryPointSuccess, "a function by its name");
    launch = (decltype(launch))function;
    CHECK(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &status));
    require(status == cudaDriverEntryPointSymbolNotFound && !function, "no function");
    REFUSED(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault),
            cudaErrorSymbolNotFound);
    cudaGetLastError();
    CHECK(cudaGetFuncBySymbol(&handle, (const void *)add));
    CHECK(cuMemAlloc(&p, sizeof values));
    CHECK(cuMemsetD8(p, 0, sizeof values));
    CHECK(launch(handle, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(values, p, sizeof values));
    require(values[0] == 0 && values[1] == 1 && values[2] == 2, "a kernel by its handle");
    CHECK(cuMemFree(p));
}

int main() {
    CHECK(cuInit(0));
    check_handles();
    check_boxes();
    check_arrays();
    check_addresses();
    check_mapped();
    check_streams();
    return 0;
}
