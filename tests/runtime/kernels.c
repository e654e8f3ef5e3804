// Each region runs threads [begin, end) of a block, as gcluster/kernel.h says.
#include "kernels.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "api/register.h"
#include "exec/block/intrinsics.h"
#include "gcluster/kernel.h"

const char test_empty, test_fill, test_reverse, test_sleep, test_append, test_await, test_assert,
    test_trap, test_store, test_divide, test_scale, test_count, test_uneven, test_missing,
    test_foreign, test_bounded, test_damaged;
int test_variable, test_pointer, test_managed;
char test_unused[64];

static int *variable_address;
static int **pointer_address;
static int *managed_address;

static void read_argument(const struct gcl_block *block, size_t offset, void *out, size_t size) {
    memcpy(out, block->arguments + offset, size);
}

static int read_int(const struct gcl_block *block, size_t offset) {
    int value;
    read_argument(block, offset, &value, sizeof value);
    return value;
}

static int *read_pointer(const struct gcl_block *block) {
    int *value;
    read_argument(block, 0, &value, sizeof value);
    return value;
}

static void pause_ms(int ms) {
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

// None of these regions has a cut at which some threads wait for others of their block, so `here`
// is always GCL_ANYWHERE.
#define UNUSED __attribute__((unused))
#define REGION(name)                                                                               \
    static uint32_t run_##name(UNUSED struct gcl_block *block, UNUSED uint32_t begin,              \
                               UNUSED uint32_t end, UNUSED uint32_t here)

REGION(empty) {
    return GCL_EXIT;
}

REGION(fill) {
    int *out = read_pointer(block);
    int first = read_int(block, 8), count = read_int(block, 12);
    for (uint32_t t = begin; t < end; t++) {
        int i = (int)(block->block_index[0] * block->block_size[0] + t);
        if (i < count)
            out[i] = first + i;
    }
    return GCL_EXIT;
}

REGION(reverse_0) {
    for (uint32_t t = begin; t < end; t++)
        ((uint32_t *)(void *)block->shared)[t] = t;
    return 1;
}

REGION(reverse_1) {
    int *out = read_pointer(block);
    const uint32_t *shared = (const uint32_t *)(const void *)block->shared;
    for (uint32_t t = begin; t < end; t++)
        out[block->block_index[0] * block->thread_count + t] =
            (int)shared[block->thread_count - 1 - t];
    return GCL_EXIT;
}

REGION(sleep) {
    pause_ms(read_int(block, 0));
    return GCL_EXIT;
}

REGION(append) {
    int *log = read_pointer(block);
    log[__atomic_add_fetch(log, 1, __ATOMIC_RELAXED)] = read_int(block, 8);
    return GCL_EXIT;
}

REGION(await) {
    int *flag = read_pointer(block);
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != 1)
        pause_ms(1);
    return GCL_EXIT;
}

REGION(assert) {
    block->thread = begin;
    gcl_device_assert_fail("i < n", "test.cu", 7, "check");
}

REGION(trap) {
    block->thread = begin;
    gcl_device_trap();
}

// What these do wrong is for the runtime to find, not for a sanitizer.
#define UNCHECKED __attribute__((no_sanitize("undefined")))

UNCHECKED REGION(store) {
    volatile int *out = read_pointer(block);
    *out = read_int(block, 8);
    return GCL_EXIT;
}

UNCHECKED REGION(divide) {
    volatile int *out = read_pointer(block);
    volatile int a = read_int(block, 8), b = read_int(block, 12);
    *out = a / b;
    return GCL_EXIT;
}

REGION(scale) {
    *read_pointer(block) = *variable_address * **pointer_address;
    if (managed_address)
        *managed_address += 1;
    return GCL_EXIT;
}

REGION(count) {
    read_pointer(block)[block->block_index[0]]++;
    return GCL_EXIT;
}

REGION(uneven) {
    if (block->block_index[0] == 0)
        pause_ms(20);
    read_pointer(block)[block->block_index[0]]++;
    return GCL_EXIT;
}

static const struct gcl_parameter pointer_int_int[] = {{0, 8}, {8, 4}, {12, 4}};
static const struct gcl_parameter one_int[] = {{0, 4}};
static const struct gcl_cut one_cut[] = {{GCL_CUT_ENTRY, 0, 0}};
static const struct gcl_cut reverse_cuts[] = {{GCL_CUT_ENTRY, 0, 0},
                                              {GCL_CUT_BARRIER, GCL_REDUCE_NONE, 12}};
static gcl_region *const reverse_regions[] = {run_reverse_0, run_reverse_1};
static const struct gcl_variant reverse_variant = {.regions = reverse_regions};

#define KERNEL(kernel, parameter_list, used_count, size)                                           \
    {.name = #kernel,                                                                              \
     .parameters = parameter_list,                                                                 \
     .variants = &(const struct gcl_variant){.regions = (gcl_region *const[]){run_##kernel}},      \
     .variant_count = 1,                                                                           \
     .cuts = one_cut,                                                                              \
     .parameter_count = used_count,                                                                \
     .argument_size = size,                                                                        \
     .region_count = 1,                                                                            \
     .max_threads = 1024}

// A sum of itself.
static const struct gcl_program damaged_program = {
    .nodes = &(const struct gcl_node){GCL_NODE_ADD, 64, 0, 0, 0}, .node_count = 1};

static const struct gcl_kernel kernels[] = {
    KERNEL(empty, NULL, 0, 0),
    KERNEL(fill, pointer_int_int, 3, 16),
    {.name = "reverse",
     .parameters = pointer_int_int,
     .variants = &reverse_variant,
     .variant_count = 1,
     .cuts = reverse_cuts,
     .parameter_count = 1,
     .argument_size = 8,
     .region_count = 2,
     .shared_size = 4096,
     .max_threads = 1024},
    KERNEL(sleep, one_int, 1, 4),
    KERNEL(append, pointer_int_int, 2, 12),
    KERNEL(await, pointer_int_int, 1, 8),
    KERNEL(assert, NULL, 0, 0),
    KERNEL(trap, NULL, 0, 0),
    KERNEL(store, pointer_int_int, 2, 12),
    KERNEL(divide, pointer_int_int, 3, 16),
    KERNEL(scale, pointer_int_int, 1, 8),
    KERNEL(count, pointer_int_int, 1, 8),
    KERNEL(uneven, pointer_int_int, 1, 8),
    {.name = "damaged",
     .variants = &(const struct gcl_variant){.regions = (gcl_region *const[]){run_empty}},
     .variant_count = 1,
     .cuts = one_cut,
     .region_count = 1,
     .max_threads = 1024,
     .program = &damaged_program},
    {.name = "bounded",
     .variants = &(const struct gcl_variant){.regions = (gcl_region *const[]){run_empty}},
     .variant_count = 1,
     .cuts = one_cut,
     .region_count = 1,
     .max_threads = 64},
};

static const int variable_image[] = {6, 7}, managed_image[] = {42};
static const unsigned char pointer_image[sizeof(int *)];

static const struct gcl_variable variables[] = {
    {"variable", variable_image, (void **)&variable_address, sizeof variable_image, 4, 0},
    {"pointer", pointer_image, (void **)&pointer_address, sizeof(int *), 8, 0},
    {"managed", managed_image, (void **)&managed_address, sizeof managed_image, 4,
     GCL_VARIABLE_MANAGED},
};
static const struct gcl_fixup fixups[] = {{.variable = 1, .target = 0, .offset = 0, .addend = 4}};

static const struct gcl_code code = {
    .abi = GCL_KERNEL_ABI,
    .kernel_count = sizeof kernels / sizeof kernels[0],
    .variable_count = sizeof variables / sizeof variables[0],
    .fixup_count = 1,
    .id = "test-unit",
    .cpu = "",
    .source = "test.cu",
    .kernels = kernels,
    .variables = variables,
    .fixups = fixups,
};

static const struct gcl_code foreign_code = {
    .abi = GCL_KERNEL_ABI + 1, .id = "foreign-unit", .cpu = "", .source = "foreign.cu"};

struct wrapper {
    int magic, version;
    const char *content;
    void *unused;
};

static void register_function(void **handle, const char *stub, const char *name) {
    __cudaRegisterFunction(handle, stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void register_host_half(void) {
    static struct wrapper wrapper = {.content = "test-unit\n   "};
    static struct wrapper foreign_wrapper = {.content = "foreign-unit"};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    static const struct {
        const char *stub, *name;
    } functions[] = {
        {&test_empty, "empty"},     {&test_fill, "fill"},       {&test_reverse, "reverse"},
        {&test_sleep, "sleep"},     {&test_append, "append"},   {&test_await, "await"},
        {&test_assert, "assert"},   {&test_trap, "trap"},       {&test_store, "store"},
        {&test_divide, "divide"},   {&test_scale, "scale"},     {&test_count, "count"},
        {&test_uneven, "uneven"},   {&test_missing, "missing"}, {&test_bounded, "bounded"},
        {&test_damaged, "damaged"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        register_function(handle, functions[i].stub, functions[i].name);
    __cudaRegisterVar(handle, (char *)&test_variable, NULL, "variable", 0, sizeof variable_image, 0,
                      0);
    __cudaRegisterVar(handle, (char *)&test_pointer, NULL, "pointer", 0, sizeof(int *), 0, 0);
    __cudaRegisterVar(handle, (char *)&test_managed, NULL, "managed", 0, sizeof managed_image, 0,
                      0);
    __cudaRegisterVar(handle, test_unused, NULL, "unused", 0, sizeof test_unused, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    register_function(__cudaRegisterFatBinary(&foreign_wrapper), &test_foreign, "foreign");
}

__attribute__((constructor)) static void register_all(void) {
    // The host half first: order between the two must not matter.
    register_host_half();
    gcl_code_register(&code);
    gcl_code_register(&foreign_code);
}
