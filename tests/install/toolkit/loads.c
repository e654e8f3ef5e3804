// Loads a module that CMake has made as PTX, and one that it compiles itself. Argument: the former.
#include <cuda.h>
#include <nvrtc.h>
#include <stdlib.h>

static int runs(CUmodule module, const char *name) {
    int values[32] = {[3] = 5};
    CUdeviceptr p;
    CUfunction function;
    void *arguments[] = {&p};
    if (cuModuleGetFunction(&function, module, name) || cuMemAlloc(&p, sizeof values) ||
        cuMemcpyHtoD(p, values, sizeof values) ||
        cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL) ||
        cuMemcpyDtoH(values, p, sizeof values))
        return 0;
    return values[3] == 10;
}

int main(int count, char **words) {
    static const char source[] =
        "extern \"C\" __global__ void again(int *p) { p[threadIdx.x] += p[threadIdx.x]; }";
    CUcontext context;
    CUmodule module;
    nvrtcProgram program;
    size_t size;
    if (count != 2 || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoad(&module, words[1]) ||
        !runs(module, "twice"))
        return 1;
    if (nvrtcCreateProgram(&program, source, "again.cu", 0, NULL, NULL) ||
        nvrtcCompileProgram(program, 0, NULL) || nvrtcGetPTXSize(program, &size))
        return 2;
    char *ptx = malloc(size);
    if (!ptx || nvrtcGetPTX(program, ptx) || cuModuleLoadData(&module, ptx) ||
        !runs(module, "again"))
        return 3;
    free(ptx);
    return 0;
}
