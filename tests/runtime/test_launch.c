// Launches: results, geometry, shared memory, functions without code, attributes, occupancy.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"

static gclError_t launch(dim3 grid, dim3 block, size_t shared) {
    return gclLaunchKernel(&test_empty, grid, block, NULL, shared, NULL);
}

static void fills(void **state) {
    enum { COUNT = 100000 };
    int *device, *host = malloc(COUNT * sizeof *host), first = 5, count = COUNT;
    (void)state;
    check_success(gclMalloc((void **)&device, COUNT * sizeof *device));
    check_success(TEST_LAUNCH(test_fill, (COUNT + 255) / 256, 256, NULL, &device, &first, &count));
    check_success(gclMemcpy(host, device, COUNT * sizeof *host, gclMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(host[i], first + i);
    check_success(gclFree(device));
    free(host);
}

static void arguments_are_copied(void **state) {
    int *device, host[64], first = 1, count = 64;
    (void)state;
    check_success(gclMalloc((void **)&device, sizeof host));
    check_success(TEST_LAUNCH(test_fill, 1, 64, NULL, &device, &first, &count));
    first = 1000; // the launch is already on its way
    check_success(gclMemcpy(host, device, sizeof host, gclMemcpyDeviceToHost));
    assert_int_equal(host[63], 64);
    check_success(gclFree(device));
}

static void barriers(void **state) {
    int *device, host[4 * 256];
    (void)state;
    check_success(gclMalloc((void **)&device, sizeof host));
    check_success(TEST_LAUNCH(test_reverse, 4, 256, NULL, &device));
    check_success(gclMemcpy(host, device, sizeof host, gclMemcpyDeviceToHost));
    for (int i = 0; i < 4 * 256; i++)
        assert_int_equal(host[i], 255 - i % 256);
    check_success(gclFree(device));
}

// Blocks of very different length: all run, and once.
static void uneven_blocks(void **state) {
    enum { BLOCKS = 5000 };
    int *counts;
    (void)state;
    check_success(gclMallocManaged((void **)&counts, BLOCKS * sizeof *counts, gclMemAttachGlobal));
    for (int round = 0; round < 3; round++)
        check_success(TEST_LAUNCH(test_uneven, BLOCKS, 32, NULL, &counts));
    check_success(gclDeviceSynchronize());
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(counts[i], 3);
    check_success(gclFree(counts));
}

static void geometry(void **state) {
    const dim3 one = {1, 1, 1};
    (void)state;
    check_success(launch((dim3){2, 3, 4}, (dim3){8, 8, 16}, 0));
    check_success(launch((dim3){1, 65535, 1}, one, 0));
    check_error(launch((dim3){0, 1, 1}, one, 0), gclErrorInvalidConfiguration);
    check_error(launch((dim3){1, 0, 1}, one, 0), gclErrorInvalidConfiguration);
    check_error(launch((dim3){0x80000000u, 1, 1}, one, 0), gclErrorInvalidConfiguration);
    check_error(launch((dim3){1, 65536, 1}, one, 0), gclErrorInvalidConfiguration);
    check_error(launch((dim3){1, 1, 65536}, one, 0), gclErrorInvalidConfiguration);
    check_error(launch(one, (dim3){0, 1, 1}, 0), gclErrorInvalidConfiguration);
    check_error(launch(one, (dim3){1025, 1, 1}, 0), gclErrorInvalidConfiguration);
    check_error(launch(one, (dim3){1, 1, 65}, 0), gclErrorInvalidConfiguration);
    check_error(launch(one, (dim3){32, 33, 1}, 0), gclErrorInvalidConfiguration);
    check_error(launch(one, (dim3){0x10000, 0x10000, 1}, 0), gclErrorInvalidConfiguration);
    check_error(TEST_LAUNCH(test_bounded, 1, 65, NULL, NULL), gclErrorInvalidValue);
    check_success(TEST_LAUNCH(test_bounded, 1, 64, NULL, NULL));
    check_error(gclGetLastError(), gclErrorInvalidValue);
    check_success(gclGetLastError());
    check_success(gclDeviceSynchronize());
}

static void shared_memory(void **state) {
    const dim3 one = {1, 1, 1};
    (void)state;
    check_success(launch(one, one, 48 << 10));
    check_error(launch(one, one, (48 << 10) + 1), gclErrorInvalidValue);
    check_error(gclFuncSetAttribute(&test_empty, gclFuncAttributeMaxDynamicSharedMemorySize,
                                    (227 << 10) + 1),
                gclErrorInvalidValue);
    check_success(
        gclFuncSetAttribute(&test_empty, gclFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    check_success(launch(one, one, 100 << 10));
    check_error(launch(one, one, (100 << 10) + 1), gclErrorInvalidValue);
    check_success(gclDeviceSynchronize());
}

static void functions_without_code(void **state) {
    static const char unknown;
    (void)state;
    check_error(TEST_LAUNCH(unknown, 1, 1, NULL, NULL), gclErrorInvalidDeviceFunction);
    check_error(TEST_LAUNCH(test_missing, 1, 1, NULL, NULL), gclErrorInvalidDeviceFunction);
    check_error(TEST_LAUNCH(test_foreign, 1, 1, NULL, NULL), gclErrorNoKernelImageForDevice);
    check_error(TEST_LAUNCH(test_damaged, 1, 1, NULL, NULL), gclErrorNoKernelImageForDevice);
    check_success(TEST_LAUNCH(test_empty, 1, 1, NULL, NULL)); // not sticky
    check_success(gclDeviceSynchronize());
}

static void attributes(void **state) {
    struct gclFuncAttributes attributes;
    const char *name;
    size_t offset, size;
    (void)state;
    check_success(gclFuncGetAttributes(&attributes, &test_reverse));
    assert_int_equal(attributes.sharedSizeBytes, 4096);
    assert_int_equal(attributes.maxThreadsPerBlock, 1024);
    check_success(gclFuncGetName(&name, &test_reverse));
    assert_string_equal(name, "reverse");
    check_success(gclFuncGetParamInfo(&test_fill, 2, &offset, &size));
    assert_true(offset == 12 && size == sizeof(int));
    check_success(gclFuncGetParamInfo(&test_fill, 1, &offset, NULL));
    assert_int_equal(offset, 8);
    check_error(gclFuncGetParamInfo(&test_fill, 3, &offset, &size), gclErrorInvalidValue);
    check_success(gclFuncSetCacheConfig(&test_reverse, gclFuncCachePreferShared));
    check_error(gclFuncSetCacheConfig(&test_reverse, (enum gclFuncCache)9), gclErrorInvalidValue);
}

static void occupancy(void **state) {
    int count;
    size_t size;
    (void)state;
    check_success(gclOccupancyMaxActiveBlocksPerMultiprocessor(&count, &test_empty, 256, 0));
    assert_int_equal(count, 8);
    check_success(gclOccupancyMaxActiveBlocksPerMultiprocessor(&count, &test_empty, 33, 0));
    assert_int_equal(count, 32);
    check_success(gclOccupancyMaxActiveBlocksPerMultiprocessor(&count, &test_empty, 32, 100 << 10));
    assert_int_equal(count, 2);
    check_success(gclOccupancyMaxActiveBlocksPerMultiprocessor(&count, &test_empty, 2048, 0));
    assert_int_equal(count, 0);
    check_success(gclOccupancyAvailableDynamicSMemPerBlock(&size, &test_empty, 2, 128));
    assert_int_equal(size, 113 << 10);
}

static void cooperative(void **state) {
    struct gclDeviceProp properties;
    int count;
    (void)state;
    check_success(gclGetDeviceProperties(&properties, 0));
    check_success(gclOccupancyMaxActiveBlocksPerMultiprocessor(&count, &test_empty, 128, 0));
    unsigned fitting = (unsigned)(count * properties.multiProcessorCount);
    check_success(gclLaunchCooperativeKernel(&test_empty, (dim3){fitting, 1, 1}, (dim3){128, 1, 1},
                                             NULL, 0, NULL));
    check_error(gclLaunchCooperativeKernel(&test_empty, (dim3){fitting + 1, 1, 1},
                                           (dim3){128, 1, 1}, NULL, 0, NULL),
                gclErrorCooperativeLaunchTooLarge);
    check_success(gclDeviceSynchronize());
}

static void extended(void **state) {
    gclLaunchAttribute attribute = {.id = gclLaunchAttributeCooperative, .val = {.cooperative = 1}};
    gclLaunchConfig_t configuration = {
        .gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .attrs = &attribute, .numAttrs = 1};
    (void)state;
    check_success(gclLaunchKernelExC(&configuration, &test_empty, NULL));
    attribute.id = gclLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = attribute.val.clusterDim.y = attribute.val.clusterDim.z = 2;
    check_error(gclLaunchKernelExC(&configuration, &test_empty, NULL), gclErrorNotSupported);
    attribute.id = gclLaunchAttributeProgrammaticEvent;
    check_error(gclLaunchKernelExC(&configuration, &test_empty, NULL), gclErrorNotSupported);
    attribute.id = (enum gclLaunchAttributeID)77;
    check_error(gclLaunchKernelExC(&configuration, &test_empty, NULL), gclErrorInvalidValue);
    attribute.id = gclLaunchAttributePriority;
    check_success(gclLaunchKernelExC(&configuration, &test_empty, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills),
        cmocka_unit_test(arguments_are_copied),
        cmocka_unit_test(barriers),
        cmocka_unit_test(uneven_blocks),
        cmocka_unit_test(geometry),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(functions_without_code),
        cmocka_unit_test(attributes),
        cmocka_unit_test(occupancy),
        cmocka_unit_test(cooperative),
        cmocka_unit_test(extended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
