// A module that is unloaded while other nodes rest isn't told to them when they wake up, which node
// 0 has them do for want of memory: another one's variable lies where one of its variables was, and
// nothing where the other one was.
#ifdef MODULE

__device__ int values[1000] = {3};
#if MODULE == 2
__device__ int more[1000000];
#endif

extern "C" __global__ void add(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i + values[0];
#if MODULE == 2
    if (i < n)
        more[i] = i;
#endif
}

#else

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) expect(call, #call)

static void expect(CUresult result, const char *what) {
    if (result == CUDA_SUCCESS)
        return;
    printf("%s: %d\n", what, result);
    exit(1);
}

/// Loads a module and runs its kernel; where its variable is.
static CUdeviceptr run(const char *path, int n, CUmodule *module, CUdeviceptr *out) {
    CUfunction add;
    CUdeviceptr values;
    std::vector<int> back(n);
    void *arguments[] = {out, &n};
    CHECK(cuModuleLoad(module, path));
    CHECK(cuModuleGetFunction(&add, *module, "add"));
    CHECK(cuMemAlloc(out, n * sizeof(int)));
    CHECK(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(back.data(), *out, n * sizeof(int)));
    for (int i = 0; i < n; i++) {
        if (back[i] == i + 3)
            continue;
        printf("%d is %d\n", i, back[i]);
        exit(1);
    }
    CHECK(cuModuleGetGlobal(&values, nullptr, *module, "values"));
    return values;
}

int main(int, char **argv) {
    CUmodule module;
    CUdeviceptr behind, out; // what comes behind the first module's variables keeps others away
    CHECK(cuInit(0));
    CUdeviceptr first = run(argv[1], 1000, &module, &behind);
    CHECK(cuModuleUnload(module));
    CUdeviceptr second = run(argv[2], 20 << 20, &module, &out); // more than node 0 has by itself
    if (first != second || behind < first || out < behind)
        printf("memory lies elsewhere\n");
    return 0;
}

#endif
