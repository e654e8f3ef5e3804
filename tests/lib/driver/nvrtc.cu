// Compilation while a program runs: headers by name, options, messages, both forms of what is made.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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

static const char source[] = "#include \"parts/scale.h\"\n"
                             "#include <top.h>\n"
                             "extern \"C\" __global__ void scale(float *a, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    assert(TOP == 1);\n"
                             "    if (i < n)\n"
                             "        a[i] = SCALE(a[i]);\n"
                             "}\n";
static const char *const headers[] = {
    "#define SCALE(x) ((x) * FACTOR)\n",
    "#ifdef __CUDACC_RTC__\n#define TOP 1\n#endif\n",
};
static const char *const names[] = {"parts/scale.h", "top.h"};

static std::string log_of(nvrtcProgram program) {
    size_t size;
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::vector<char> log(size);
    CHECK(nvrtcGetProgramLog(program, log.data()));
    return log.data();
}

static void run(const void *image) {
    enum { N = 5000 };
    CUmodule module;
    CUfunction function;
    CUdeviceptr a;
    std::vector<float> values(N, 2);
    int n = N;
    void *arguments[] = {&a, &n};
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuModuleGetFunction(&function, module, "scale"));
    CHECK(cuMemAlloc(&a, N * sizeof(float)));
    CHECK(cuMemcpyHtoD(a, values.data(), N * sizeof(float)));
    CHECK(cuLaunchKernel(function, 20, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(values.data(), a, N * sizeof(float)));
    for (float value : values)
        require(value == 6, "scale");
    CHECK(cuMemFree(a));
    CHECK(cuModuleUnload(module));
}

static void compile_and_run() {
    nvrtcProgram program;
    size_t size;
    const char *virtual_options[] = {"--gpu-architecture=compute_75", "-DFACTOR=3", "--fmad=false"};
    const char *real_options[] = {"-arch", "sm_80", "-D", "FACTOR=3", "--use_fast_math", ""};
    CHECK(nvrtcCreateProgram(&program, source, "some/where/scale.cu", 2, headers, names));
    REFUSED(nvrtcGetPTXSize(program, &size), NVRTC_ERROR_INVALID_PROGRAM);
    CHECK(nvrtcCompileProgram(program, 3, virtual_options));
    require(log_of(program).empty(), "an empty log");
    CHECK(nvrtcGetPTXSize(program, &size));
    std::vector<char> ptx(size);
    CHECK(nvrtcGetPTX(program, ptx.data()));
    require(strlen(ptx.data()) + 1 == size && strstr(ptx.data(), ".entry scale("), "PTX");
    CHECK(nvrtcGetCUBINSize(program, &size));
    require(size == 0, "no binary");
    CHECK(nvrtcCompileProgram(program, 6, real_options));
    CHECK(nvrtcGetCUBINSize(program, &size));
    std::vector<char> binary(size);
    CHECK(nvrtcGetCUBIN(program, binary.data()));
    CHECK(nvrtcDestroyProgram(&program));
    require(program == nullptr, "a program that is gone");
    run(ptx.data());
    run(binary.data());
}

static void check_errors() {
    nvrtcProgram program;
    size_t size;
    const char *unknown[] = {"--no-such-option"};
    const char *outside = "../outside.h";
    CHECK(nvrtcCreateProgram(&program, "\n__global__ void k() { missing(); }", "k.cu", 0, nullptr,
                             nullptr));
    REFUSED(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
    require(log_of(program).find("k.cu:2:23: error: ") == 0, "a message");
    REFUSED(nvrtcGetPTXSize(program, &size), NVRTC_ERROR_INVALID_PROGRAM);
    REFUSED(nvrtcCompileProgram(program, 1, unknown), NVRTC_ERROR_INVALID_OPTION);
    require(log_of(program).find("--no-such-option") != std::string::npos, "an option's name");
    CHECK(nvrtcDestroyProgram(&program));
    REFUSED(nvrtcCreateProgram(&program, "", "k.cu", 1, headers, &outside),
            NVRTC_ERROR_INVALID_INPUT);
    require(!strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"),
            "an error's name");
}

// Kernels of a template, in a namespace, and a variable, by expressions; functions without an
// attribute are the device's.
static void check_names() {
    static const char text[] = "namespace a { enum { TWO = 2 };\n"
                               "template <typename T, int n> __global__ void fill(T *p) {\n"
                               "    p[threadIdx.x] = twice(n); } }\n"
                               "__constant__ int size;\n"
                               "extern \"C\" __global__ void plain() {}\n";
    static const char *const options[] = {"-default-device"};
    const char *names[5];
    const char *const expressions[] = {"a::fill<float, a::TWO>", "&a::fill<int, 5>", "&size",
                                       "plain"};
    nvrtcProgram program;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p, size_at;
    size_t size;
    int values[2];
    std::string source = "int twice(int n) { return 2 * n; }\n" + std::string(text);
    CHECK(nvrtcCreateProgram(&program, source.c_str(), nullptr, 0, nullptr, nullptr));
    for (const char *expression : expressions)
        CHECK(nvrtcAddNameExpression(program, expression));
    REFUSED(nvrtcGetLoweredName(program, expressions[0], &names[0]),
            NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    CHECK(nvrtcCompileProgram(program, 1, options));
    for (int i = 0; i < 4; i++)
        CHECK(nvrtcGetLoweredName(program, expressions[i], &names[i]));
    REFUSED(nvrtcGetLoweredName(program, "other", &names[4]),
            NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    require(!strcmp(names[0], "_ZN1a4fillIfLi2EEEvPT_") && !strcmp(names[3], "plain"), "names");
    CHECK(nvrtcGetPTXSize(program, &size));
    std::vector<char> ptx(size);
    CHECK(nvrtcGetPTX(program, ptx.data()));
    CHECK(cuModuleLoadData(&module, ptx.data()));
    CHECK(cuModuleGetGlobal(&size_at, &size, module, names[2]));
    CHECK(cuModuleGetFunction(&function, module, names[0]));
    CHECK(cuModuleGetFunction(&function, module, names[1]));
    CHECK(cuMemAlloc(&p, sizeof values));
    void *arguments[] = {&p};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(values, p, sizeof values));
    require(values[0] == 10 && values[1] == 10 && size == 4, "what has a name");
    CHECK(nvrtcDestroyProgram(&program));
}

// What stands outside of functions is the device's, as what is in them.
static void check_architecture() {
    static const char *const options[] = {"-arch=compute_80"};
    nvrtcProgram program;
    const char *text = "#if __CUDA_ARCH__ == 800\n"
                       "__device__ int one() { return 1; }\n"
                       "#endif\n"
                       "static_assert(__CUDA_ARCH__ >= 700, \"\");\n"
                       "__host__ __device__ void both() {\n"
                       "#ifdef __CUDA_ARCH__\n"
                       "    __syncthreads();\n"
                       "#endif\n"
                       "}\n"
                       "template <int n> __global__ void put(int *p) { both(); *p = n * one(); }\n";
    const char *name;
    CHECK(nvrtcCreateProgram(&program, text, "arch.cu", 0, nullptr, nullptr));
    CHECK(nvrtcAddNameExpression(program, "put<3>"));
    CHECK(nvrtcCompileProgram(program, 1, options));
    require(log_of(program).empty(), "an empty log");
    CHECK(nvrtcGetLoweredName(program, "put<3>", &name));
    require(!strcmp(name, "_Z3putILi3EEvPi"), "a name");
    CHECK(nvrtcDestroyProgram(&program));
}

int main() {
    CHECK(cuInit(0));
    CHECK(cudaFree(nullptr));
    compile_and_run();
    check_errors();
    check_names();
    check_architecture();
    return 0;
}
