// The device's description, its settings, and the two names of each function.
#include <string.h>

#include "check.h"

// The cuda names, as cuda_runtime_api.h declares them.
#define GCL_DEFAULT(value)
#define GCL_FUNCTION_OF(type, name, parameters) type cuda##name parameters;
#define GCL_FUNCTION(name, parameters) GCL_FUNCTION_OF(gclError_t, name, parameters)
#include "gcluster/functions.h"
#undef GCL_FUNCTION
#undef GCL_FUNCTION_OF

// That this links is most of the test.
static void both_names(void **state) {
    void (*volatile functions[2])(void);
    (void)state;
#define GCL_FUNCTION_OF(type, name, parameters)                                                    \
    functions[0] = (void (*)(void))gcl##name;                                                      \
    functions[1] = (void (*)(void))cuda##name;                                                     \
    assert_true(functions[0] && functions[1]);
#define GCL_FUNCTION(name, parameters) GCL_FUNCTION_OF(gclError_t, name, parameters)
#include "gcluster/functions.h"
#undef GCL_FUNCTION
#undef GCL_FUNCTION_OF
}

static void properties(void **state) {
    struct gclDeviceProp p;
    int value, count;
    (void)state;
    check_success(gclGetDeviceProperties(&p, 0));
    check_error(gclGetDeviceProperties(&p, 1), gclErrorInvalidDevice);
    check_success(gclGetDeviceProperties(&p, 0));
    assert_true(strlen(p.name) > 0);
    assert_true(p.totalGlobalMem > 0 && p.multiProcessorCount > 0);
    assert_int_equal(p.clockRate, 1000000); // of clock64(), which counts nanoseconds
    assert_true(p.warpSize == 32 && p.major == 9 && p.minor == 0);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrMaxThreadsPerBlock, 0));
    assert_int_equal(value, 1024);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrMaxSharedMemoryPerBlockOptin, 0));
    assert_int_equal(value, 227 << 10);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrConcurrentKernels, 0));
    assert_int_equal(value, 1);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrMemoryPoolsSupported, 0));
    assert_int_equal(value, 1);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrClockRate, 0));
    assert_int_equal(value, p.clockRate);
    check_success(gclDeviceGetAttribute(&value, gclDevAttrCanFlushRemoteWrites, 0));
    check_error(gclDeviceGetAttribute(&value, (enum gclDeviceAttr)9999, 0), gclErrorInvalidValue);
    check_error(gclDeviceGetAttribute(&value, gclDevAttrWarpSize, 1), gclErrorInvalidDevice);
    check_success(gclGetDeviceCount(&count));
    assert_int_equal(count, 1);
    gclGetLastError();
}

static void settings(void **state) {
    size_t size;
    int value;
    unsigned flags;
    char id[20];
    enum gclFuncCache cache;
    (void)state;
    check_success(gclDeviceSetLimit(gclLimitMallocHeapSize, 123456));
    check_success(gclThreadGetLimit(&size, gclLimitMallocHeapSize));
    assert_int_equal(size, 123456);
    check_error(gclDeviceGetLimit(&size, (enum gclLimit)77), gclErrorUnsupportedLimit);
    check_success(gclDeviceSetCacheConfig(gclFuncCachePreferL1));
    check_success(gclDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, gclFuncCachePreferL1);
    check_success(gclSetDeviceFlags(gclDeviceScheduleBlockingSync));
    check_success(gclGetDeviceFlags(&flags));
    assert_true(flags & gclDeviceScheduleBlockingSync);
    check_success(gclDeviceGetPCIBusId(id, sizeof id, 0));
    check_success(gclDeviceGetByPCIBusId(&value, id));
    assert_int_equal(value, 0);
    check_success(gclRuntimeGetVersion(&value));
    assert_int_equal(value, GCLRT_VERSION);
    check_success(gclDeviceCanAccessPeer(&value, 0, 0));
    assert_int_equal(value, 0);
    check_success(gclThreadSynchronize());
    gclGetLastError();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_names),
        cmocka_unit_test(properties),
        cmocka_unit_test(settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
