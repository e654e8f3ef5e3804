// Modules and kernels: what is loaded and refused, what launches have to be, and how errors of
// kernels stick.
#include "check.h"

#define HEADER ".version 6.3\n.target sm_75\n.address_size 64\n"

/// fill: each thread writes a value to its element; read: what the variables have; say: printf.
static const char program[] =
    HEADER ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
           ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
           ".visible .const .align 4 .u32 bank[2] = {5, 6};\n"
           ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n"
           ".visible .entry fill(.param .u64 address, .param .u32 value) {\n"
           "  .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
           "  ld.param.u64 %rd1, [address];\n"
           "  ld.param.u32 %r1, [value];\n"
           "  mov.u32 %r2, %tid.x;\n"
           "  mul.wide.u32 %rd2, %r2, 4;\n"
           "  add.s64 %rd3, %rd1, %rd2;\n"
           "  st.global.u32 [%rd3], %r1;\n"
           "  ret;\n}\n"
           ".visible .entry read(.param .u64 address) {\n"
           "  .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
           "  ld.param.u64 %rd1, [address];\n"
           "  ld.global.u32 %r1, [table+8];\n"
           "  ld.const.u32 %r2, [bank+4];\n"
           "  add.s32 %r3, %r1, %r2;\n"
           "  st.global.u32 [%rd1], %r3;\n"
           "  ret;\n}\n"
           ".visible .entry say() {\n"
           "  .reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
           "  mov.u64 %rd1, text;\n"
           "  cvta.global.u64 %rd2, %rd1;\n"
           "  { .param .b64 a; .param .b64 b; .param .b32 r;\n"
           "  st.param.b64 [a], %rd2;\n"
           "  st.param.b64 [b], 0;\n"
           "  call.uni (r), vprintf, (a, b);\n"
           "  ld.param.b32 %r1, [r]; }\n"
           "  ret;\n}\n"
           ".visible .entry die() { trap; ret; }\n";

static void *module;

static void *function_of(const char *name) {
    void *function;
    works(cuModuleGetFunction(&function, module, name));
    return function;
}

static void open_module(void) {
    open_device(0);
    works(cuModuleLoadData(&module, program));
}

static int launch(const char *name, unsigned threads, void *stream, void **parameters) {
    return cuLaunchKernel(function_of(name), 1, 1, 1, threads, 1, 1, 0, stream, parameters, NULL);
}

static int launch_fill(uint64_t address, unsigned value, unsigned threads) {
    return launch("fill", threads, NULL, (void *[]){&address, &value});
}

// What works.

static void run_kernels(void) {
    uint32_t out[4] = {0}, changed[2] = {70, 80};
    uint64_t variable;
    size_t size;
    open_module();
    uint64_t address = allocate(sizeof out);
    works(launch_fill(address, 7, 4));
    works(cuMemcpyDtoH_v2(out, address, sizeof out));
    require(out[0] == 7 && out[3] == 7);
    works(launch("read", 1, NULL, (void *[]){&address}));
    works(cuMemcpyDtoH_v2(out, address, 4));
    require(out[0] == 3 + 6);
    works(cuModuleGetGlobal_v2(&variable, &size, module, "bank"));
    require(size == sizeof changed);
    works(cuMemcpyHtoD_v2(variable, changed, sizeof changed));
    works(launch("read", 1, NULL, (void *[]){&address}));
    works(cuMemcpyDtoH_v2(out, address, 4));
    require(out[0] == 3 + 80);
    gives(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&variable, &size, module, "nothing"));
    gives(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&(void *){NULL}, module, "nothing"));
    works(cuModuleUnload(module));
    works(cuMemFree_v2(address));
    works(cuDevicePrimaryCtxRelease_v2(0));
}

static void parameters_in_buffer(void) {
    uint32_t out;
    open_module();
    struct {
        uint64_t address;
        uint32_t value;
    } buffer = {allocate(4), 9};
    size_t size = 12;
    void *extra[] = {(void *)CARD_LAUNCH_BUFFER, &buffer, (void *)CARD_LAUNCH_BUFFER_SIZE, &size,
                     NULL};
    works(cuLaunchKernel(function_of("fill"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    works(cuMemcpyDtoH_v2(&out, buffer.address, 4));
    require(out == 9);
}

static void registered_memory(void) {
    static uint32_t memory[4];
    open_module();
    works(cuMemHostRegister_v2(memory, sizeof memory, CARD_HOST_PORTABLE | CARD_HOST_MAPPED));
    works(launch_fill((uint64_t)memory, 8, 4));
    works(cuCtxSynchronize());
    require(memory[3] == 8);
}

static void print(void) {
    open_module();
    works(launch("say", 2, NULL, NULL));
    fputs("before\n", stdout);
    works(cuCtxSynchronize());
    fputs("after\n", stdout);
}

static void occupancy(void) {
    int count = 0, grid = 0, block = 0;
    open_module();
    void *function = function_of("fill");
    works(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, 256, 0));
    require(count == 8);
    works(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, 32, 100 << 10));
    require(count == 2);
    works(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    require(block == 1024 && grid == 2 * 132);
}

static void test_kernels(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 6; seed++) {
        char text[16];
        snprintf(text, sizeof text, "SEED=%u", seed);
        is_fine(text, run_kernels);
        is_fine(text, parameters_in_buffer);
        is_fine(text, registered_memory);
        assert_string_equal(is_fine(text, print).printed, "before\nhi\nhi\nafter\n");
    }
    is_fine(NULL, occupancy);
}

// What a driver refuses.

static int load(const char *text, char *log, unsigned size) {
    int options[] = {CARD_JIT_ERROR_LOG, CARD_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)size};
    return cuModuleLoadDataEx(&module, text, 2, options, values);
}

static void refuse_modules(void) {
    char log[200] = "";
    open_device(0);
    gives(CUDA_ERROR_NO_BINARY_FOR_GPU, load("\177ELF...", log, sizeof log));
    gives(CUDA_ERROR_INVALID_PTX, load("nothing", log, sizeof log));
    gives(CUDA_ERROR_INVALID_PTX,
          load(".version 8.0\n.target sm_100\n.address_size 64\n", log, sizeof log));
    require(strstr(log, "'sm_100' cannot be compiled for sm_90"));
    gives(CUDA_ERROR_INVALID_PTX,
          load(".version 8.0\n.target sm_80a\n.address_size 64\n", log, sizeof log));
    gives(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          load(".version 8.6\n.target sm_90\n.address_size 64\n", log, 12));
    require(strcmp(log, "ptxas fatal") == 0);
    gives(CUDA_ERROR_INVALID_PTX,
          load(HEADER ".visible .entry k() { unheard.of %r1; }\n", log, sizeof log));
    works(load(".version 8.5\n.target sm_90a\n.address_size 64\n", log, sizeof log));
}

static void refuse_launches(void) {
    open_module();
    void *say = function_of("say");
    gives(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(say, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    gives(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(say, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL));
    gives(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(say, 1, 1, 1, 1, 1, 1, 100 << 10, NULL, NULL, NULL));
    works(cuFuncSetAttribute(say, CARD_FUNCTION_MAX_DYNAMIC_SHARED, 100 << 10));
    works(cuLaunchKernel(say, 1, 1, 1, 1, 1, 1, 100 << 10, NULL, NULL, NULL));
    gives(CUDA_ERROR_INVALID_VALUE,
          cuFuncSetAttribute(say, CARD_FUNCTION_MAX_DYNAMIC_SHARED, 228 << 10));
    gives(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(say, 5, 1, 1, 1024, 1, 1, 0, NULL, NULL));
    works(cuLaunchCooperativeKernel(say, 4, 1, 1, 1024, 1, 1, 0, NULL, NULL));
    works(cuCtxSynchronize());
}

static void test_refused(void **state) {
    (void)state;
    is_fine(NULL, refuse_modules);
    is_fine("SMS=2", refuse_launches);
}

// Errors of kernels.

static void fault_behind(void) {
    open_module();
    works(launch_fill(allocate(16), 1, 5));
    gives(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static void fault_on_host(void) {
    static uint32_t memory[4];
    open_module();
    works(launch_fill((uint64_t)memory, 1, 1));
    gives(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    require(memory[0] == 0);
}

static void fault_by_access(void) {
    open_module();
    uint64_t address = map_memory(CARD_GRANULARITY);
    allow(address, CARD_GRANULARITY, CARD_ACCESS_READ);
    works(launch_fill(address, 1, 1));
    gives(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static void fault_misaligned(void) {
    open_module();
    works(launch_fill(allocate(16) + 2, 1, 1));
    gives(CUDA_ERROR_MISALIGNED_ADDRESS, cuCtxSynchronize());
}

static void die(void) {
    open_module();
    works(launch("die", 1, NULL, NULL));
    gives(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
    gives(CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize(NULL));
    gives(CUDA_ERROR_LAUNCH_FAILED, cuMemAlloc_v2(&(uint64_t){0}, 1));
    works(cuDevicePrimaryCtxRelease_v2(0)); // a new context is a new start
    open_module();
    works(launch_fill(allocate(4), 0, 1));
    works(cuCtxSynchronize());
}

static void test_errors(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 3; seed++) {
        char text[16];
        snprintf(text, sizeof text, "SEED=%u", seed);
        assert_non_null(strstr(is_fine(text, fault_behind).text, "in fill, block (0, 0, 0)"));
        is_fine(text, fault_on_host);
        is_fine(text, fault_by_access);
        is_fine(text, fault_misaligned);
        is_fine(text, die);
    }
}

// Misuse.

static void no_parameters(void) {
    open_module();
    launch("fill", 1, NULL, NULL);
}

static void null_parameter(void) {
    uint64_t address = 0;
    open_module();
    launch("fill", 1, NULL, (void *[]){&address, NULL});
}

static void short_buffer(void) {
    uint64_t address = 0;
    size_t size = sizeof address;
    void *extra[] = {(void *)CARD_LAUNCH_BUFFER, &address, (void *)CARD_LAUNCH_BUFFER_SIZE, &size,
                     NULL};
    open_module();
    cuLaunchKernel(function_of("fill"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra);
}

static void free_parameter(void) {
    open_module();
    uint64_t address = allocate(16);
    works(launch_fill(address, 1, 1));
    cuMemFree_v2(address);
}

static void unload_running(void) {
    open_module();
    works(launch("say", 1, NULL, NULL));
    cuModuleUnload(module);
}

static void use_unloaded(void) {
    open_module();
    void *function = function_of("say");
    works(cuModuleUnload(module));
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
}

static void leak_module(void) {
    open_module();
    cuDevicePrimaryCtxRelease_v2(0);
}

static void test_misuse(void **state) {
    (void)state;
    is_misuse(NULL, no_parameters, "cuLaunchKernel: fill: has 2 parameters, and none are given");
    is_misuse(NULL, null_parameter, "fill: parameter 1 of 2 is NULL");
    is_misuse(NULL, short_buffer, "a buffer of 8 bytes is given, and the parameters have 12");
    is_misuse("SEED=1", free_parameter, "cuMemFree_v2: unfinished work of cuLaunchKernel");
    is_misuse("SEED=1", unload_running, "cuModuleUnload: unfinished work of cuLaunchKernel");
    is_misuse(NULL, use_unloaded, "is a function that is destroyed");
    is_misuse(NULL, leak_module, "not given back: 1 modules");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
