// Kernels that a program loads, from files of each kind, from text, and what is refused. Modules
// have variables of their own, also those of the same bytes.
// RUN: %gcluster-cc -DMODULE -ptx %s -o %t.ptx
// RUN: %gcluster-cc -DMODULE -fatbin -gencode=arch=compute_80,code=[sm_80,compute_80] %s -o %t.fatbin
// RUN: %gcluster-cc %s -o %t
// RUN: %t %t.ptx %t.fatbin
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 %t %t.ptx %t.fatbin
#ifdef MODULE

struct pair {
    char tag;
    double value;
};

__device__ int offset = 5;
static __constant__ float factors[2] = {2, 3};

extern "C" __global__ void scale(float *a, char which, pair p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * factors[which] + (float)p.value + offset;
}

__global__ void step() {
    offset += 10;
}

extern "C" __global__ void shift(const int *in, int *out, int n) {
    extern __shared__ int row[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    row[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n)
        out[i] = row[blockDim.x - 1 - threadIdx.x];
}

#else

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) expect(call, CUDA_SUCCESS, #call)
#define REFUSED(call, error) expect(call, error, #call)

static void expect(CUresult result, CUresult wanted, const char *what) {
    const char *name = nullptr;
    if (result == wanted)
        return;
    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name);
    exit(1);
}

static void require(bool ok, const char *what) {
    if (ok)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

struct pair {
    char tag;
    double value;
};

enum { N = 10000, BLOCK = 256, BLOCKS = (N + BLOCK - 1) / BLOCK };

/// What `scale` makes of 0, 1, 2 …, by arguments one by one or in one buffer.
static void run_scale(CUmodule module, CUstream stream, bool packed, float factor, float added) {
    CUfunction function;
    CUdeviceptr a;
    std::vector<float> values(N);
    for (int i = 0; i < N; i++)
        values[i] = i;
    CHECK(cuModuleGetFunction(&function, module, "scale"));
    CHECK(cuMemAlloc(&a, N * sizeof(float)));
    CHECK(cuMemcpyHtoDAsync(a, values.data(), N * sizeof(float), stream));
    struct {
        CUdeviceptr a;
        char which;
        pair p;
        int n;
    } all = {a, 1, {'x', 0.5}, N};
    size_t size = offsetof(decltype(all), n) + sizeof(int);
    void *one_by_one[] = {&all.a, &all.which, &all.p, &all.n};
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(function, BLOCKS, 1, 1, BLOCK, 1, 1, 0, stream,
                         packed ? nullptr : one_by_one, packed ? extra : nullptr));
    CHECK(cuMemcpyDtoHAsync(values.data(), a, N * sizeof(float), stream));
    CHECK(cuStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        require(values[i] == i * factor + 0.5f + added, "scale");
    CHECK(cuMemFree(a));
}

static int read_offset(CUmodule module) {
    CUdeviceptr offset;
    size_t size;
    int value;
    CHECK(cuModuleGetGlobal(&offset, &size, module, "offset"));
    require(size == sizeof value, "a variable's size");
    CHECK(cuMemcpyDtoH(&value, offset, size));
    return value;
}

static void run_step(CUmodule module) {
    CUfunction step;
    CHECK(cuModuleGetFunction(&step, module, "_Z4stepv"));
    CHECK(cuLaunchKernel(step, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

// Of one file, twice at the same time, and again.
static void check_instances(const char *path) {
    CUmodule one, two;
    CUdeviceptr factors;
    const float changed[] = {7, 4};
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuModuleLoad(&one, path));
    CHECK(cuModuleLoad(&two, path));
    run_scale(one, stream, false, 3, 5);
    run_step(two);
    CHECK(cuModuleGetGlobal(&factors, nullptr, two, "factors"));
    CHECK(cuMemcpyHtoD(factors, changed, sizeof changed));
    run_scale(one, nullptr, true, 3, 5);
    run_scale(two, stream, true, 4, 15);
    require(read_offset(one) == 5 && read_offset(two) == 15, "variables of two modules");
    CHECK(cuModuleUnload(two));
    CHECK(cuModuleLoad(&two, path));
    run_scale(two, stream, false, 3, 5);
    CHECK(cuModuleUnload(one));
    run_scale(two, stream, false, 3, 5);
    CHECK(cuModuleUnload(two));
    CHECK(cuStreamDestroy(stream));
    REFUSED(cuModuleUnload(one), CUDA_ERROR_INVALID_HANDLE);
}

static void check_functions(const char *path) {
    CUmodule module;
    CUfunction shift, all[8];
    CUdeviceptr in, out;
    const char *name;
    unsigned count;
    int value, grid, block;
    size_t offset, size;
    std::vector<int> values(N);
    CHECK(cuModuleLoad(&module, path));
    REFUSED(cuModuleGetFunction(&shift, module, "nothing"), CUDA_ERROR_NOT_FOUND);
    REFUSED(cuModuleGetGlobal(&in, nullptr, module, "nothing"), CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetFunctionCount(&count, module));
    CHECK(cuModuleEnumerateFunctions(all, count, module));
    require(count == 3, "functions of a module");
    CHECK(cuModuleGetFunction(&shift, module, "shift"));
    CHECK(cuFuncGetName(&name, shift));
    require(!strcmp(name, "shift"), "a function's name");
    CHECK(cuFuncGetParamInfo(shift, 2, &offset, &size));
    require(offset == 16 && size == 4, "a parameter");
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, shift));
    require(value == 1024, "threads of a block");
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, shift, nullptr, 0, 0));
    require(grid > 0 && block > 0 && block <= 1024, "occupancy");
    CHECK(cuMemAlloc(&in, N * sizeof(int)));
    CHECK(cuMemAllocManaged(&out, N * sizeof(int), CU_MEM_ATTACH_GLOBAL));
    CHECK(cuMemsetD32(in, 0x01020304, N));
    CHECK(cuMemsetD16(in, 0x0506, 3));
    int n = N;
    void *arguments[] = {&in, &out, &n};
    CUlaunchConfig configuration = {};
    configuration.gridDimX = BLOCKS;
    configuration.gridDimY = configuration.gridDimZ = 1;
    configuration.blockDimX = BLOCK;
    configuration.blockDimY = configuration.blockDimZ = 1;
    configuration.sharedMemBytes = BLOCK * sizeof(int);
    CHECK(cuLaunchKernelEx(&configuration, shift, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    const int *result = (const int *)out;
    require(result[BLOCK - 1] == 0x05060506 && result[BLOCK - 2] == 0x01020506 &&
                result[0] == 0x01020304 && result[N - 1] == 0,
            "sets of several bytes");
    REFUSED(cuLaunchKernel(shift, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_ERROR_INVALID_VALUE);
    CHECK((CUresult)cudaGetLastError());
    CHECK(cuMemFree(in));
    CHECK(cuMemFree(out));
    CHECK(cuModuleUnload(module));
    REFUSED(cuLaunchKernel(shift, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
}

// By text, also without its end, by a library of kernels, and by the linker.
static void check_images(const char *path) {
    char log[256] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    CUmodule module;
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUlinkState link;
    void *linked;
    size_t size;
    std::vector<char> text;
    FILE *file = fopen(path, "r");
    for (int c; (c = fgetc(file)) != EOF;)
        text.push_back(c);
    fclose(file);
    text.push_back(0);
    require(strstr(text.data(), ".visible .entry scale("), "PTX");
    CHECK(cuModuleLoadDataEx(&module, text.data(), 2, options, values));
    run_scale(module, nullptr, false, 3, 5);
    CHECK(cuLibraryLoadData(&library, text.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cuLibraryGetKernel(&kernel, library, "shift"));
    CHECK(cuKernelGetFunction(&function, kernel));
    CHECK(cuLibraryUnload(library));
    CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size(), "one", 0, nullptr,
                        nullptr));
    REFUSED(
        cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size(), "two", 0, nullptr, nullptr),
        CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuLinkComplete(link, &linked, &size));
    CHECK(cuModuleUnload(module));
    CHECK(cuModuleLoadData(&module, linked));
    CHECK(cuLinkDestroy(link));
    run_scale(module, nullptr, true, 3, 5);
    text[text.size() - 200] = 0;
    REFUSED(cuModuleLoadDataEx(&module, text.data(), 2, options, values), CUDA_ERROR_INVALID_IMAGE);
    REFUSED(cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\n", 2, options, values),
            CUDA_ERROR_INVALID_PTX);
    require(strstr(log, "that another compiler made"), "a message");
    REFUSED(cuModuleLoadData(&module, "nothing"), CUDA_ERROR_INVALID_IMAGE);
    REFUSED(cuModuleLoad(&module, "/nonexistent/module.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
}

int main(int argc, char **argv) {
    CUdevice device;
    CUcontext context, found;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuCtxGetCurrent(&found));
    require(found == context, "the current context");
    for (int i = 1; i < argc; i++)
        check_instances(argv[i]);
    check_functions(argv[2]);
    check_images(argv[1]);
    CUresult (*by_name)(CUdevice *) = nullptr;
    CUdriverProcAddressQueryResult status;
    CHECK(cuGetProcAddress("cuCtxGetDevice", (void **)&by_name, 12000, 0, &status));
    require(by_name == cuCtxGetDevice, "a function by its name");
    CHECK(by_name(&device));
    CHECK(cuCtxDestroy(context));
    REFUSED(cuCtxPushCurrent(context), CUDA_ERROR_INVALID_CONTEXT);
    return 0;
}

#endif
