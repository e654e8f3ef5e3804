// Failures of kernels: each gives its error, sticks, and goes with a reset. Names and texts.
#include <signal.h>
#include <string.h>

#include "check.h"
#include "kernels.h"

// cmocka puts its own signal handlers over the runtime's before each test; these are put back.
static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction runtime_actions[4];

static int start_runtime(void **state) {
    (void)state;
    if (gclFree(NULL))
        return -1;
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], NULL, &runtime_actions[i]);
    return 0;
}

static void restore_handlers(void) {
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &runtime_actions[i], NULL);
}

// The device has failed: every call says so until it is reset.
static void check_sticky(gclError_t error) {
    void *p;
    check_error(gclDeviceSynchronize(), error);
    check_error(gclGetLastError(), error);
    check_error(gclGetLastError(), error);
    check_error(gclMalloc(&p, 4), error);
    check_error(TEST_LAUNCH(test_empty, 1, 1, NULL, NULL), error);
    check_success(gclDeviceReset());
    check_success(gclGetLastError());
    check_success(TEST_LAUNCH(test_empty, 1, 1, NULL, NULL));
    check_success(gclDeviceSynchronize());
}

static void asserts(void **state) {
    (void)state;
    check_success(TEST_LAUNCH(test_assert, 100, 64, NULL, NULL));
    check_sticky(gclErrorAssert);
}

static void traps(void **state) {
    (void)state;
    check_success(TEST_LAUNCH(test_trap, 1, 1, NULL, NULL));
    check_sticky(gclErrorLaunchFailure);
}

static void null_pointers(void **state) {
    int *out = NULL, value = 1;
    (void)state;
    restore_handlers();
    check_success(TEST_LAUNCH(test_store, 1, 1, NULL, &out, &value));
    check_sticky(gclErrorIllegalAddress);
}

static void freed_pointers(void **state) {
    int *out, first = 1, count = 64000;
    (void)state;
    restore_handlers();
    check_success(gclMalloc((void **)&out, 1 << 20));
    check_success(gclFree(out));
    check_success(TEST_LAUNCH(test_fill, 1000, 64, NULL, &out, &first, &count));
    check_sticky(gclErrorIllegalAddress);
}

static void divisions(void **state) {
#if defined(__x86_64__)
    int *out, a = 1, b = 0;
    restore_handlers();
    check_success(gclMallocManaged((void **)&out, sizeof *out, gclMemAttachGlobal));
    check_success(TEST_LAUNCH(test_divide, 1, 1, NULL, &out, &a, &b));
    check_success(gclDeviceSynchronize());
    assert_int_equal(*out, -1);
    check_success(gclFree(out));
#endif
    (void)state;
}

static void later_work_is_skipped(void **state) {
    int *out, value = 1;
    gclEvent_t event;
    (void)state;
    check_success(gclMallocManaged((void **)&out, sizeof *out, gclMemAttachGlobal));
    check_success(gclEventCreate(&event));
    check_success(TEST_LAUNCH(test_trap, 1, 1, NULL, NULL));
    gclError_t error = TEST_LAUNCH(test_store, 1, 1, NULL, &out, &value);
    assert_true(error == gclSuccess || error == gclErrorLaunchFailure);
    error = gclEventRecord(event, NULL);
    assert_true(error == gclSuccess || error == gclErrorLaunchFailure);
    check_error(gclEventSynchronize(event), gclErrorLaunchFailure);
    assert_int_equal(*out, 0);
    check_success(gclDeviceReset());
}

static void last_error(void **state) {
    int count;
    (void)state;
    check_error(gclSetDevice(1), gclErrorInvalidDevice);
    check_success(gclGetDeviceCount(&count));
    assert_int_equal(count, 1);
    check_error(gclPeekAtLastError(), gclErrorInvalidDevice);
    check_error(gclGetLastError(), gclErrorInvalidDevice);
    check_success(gclGetLastError());
}

static void texts(void **state) {
    (void)state;
    assert_string_equal(gclGetErrorName(gclSuccess), "cudaSuccess");
    assert_string_equal(gclGetErrorString(gclSuccess), "no error");
    assert_string_equal(gclGetErrorName(gclErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(gclGetErrorString(gclErrorMemoryAllocation), "out of memory");
    assert_string_equal(gclGetErrorString((gclError_t)12345), "unrecognized error code");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asserts),       cmocka_unit_test(traps),
        cmocka_unit_test(null_pointers), cmocka_unit_test(freed_pointers),
        cmocka_unit_test(divisions),     cmocka_unit_test(later_work_is_skipped),
        cmocka_unit_test(last_error),    cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, start_runtime, NULL);
}
