// Variables in device code: placed, with pointers between them put right, copied to and from.
#include <string.h>

#include "check.h"
#include "kernels.h"

static void values_and_fixups(void **state) {
    int *out, result = 0, values[2] = {0};
    (void)state;
    check_success(gclMalloc((void **)&out, sizeof *out));
    check_success(TEST_LAUNCH(test_scale, 1, 1, NULL, &out));
    check_success(gclMemcpy(&result, out, sizeof result, gclMemcpyDeviceToHost));
    assert_int_equal(result, 6 * 7);
    values[0] = 3;
    values[1] = 5;
    check_success(
        gclMemcpyToSymbol(&test_variable, values, sizeof values, 0, gclMemcpyHostToDevice));
    check_success(TEST_LAUNCH(test_scale, 1, 1, NULL, &out));
    check_success(gclMemcpy(&result, out, sizeof result, gclMemcpyDeviceToHost));
    assert_int_equal(result, 3 * 5);
    memset(values, 0, sizeof values);
    check_success(
        gclMemcpyFromSymbol(values, &test_variable, sizeof(int), 4, gclMemcpyDeviceToHost));
    assert_int_equal(values[0], 5);
    check_success(gclFree(out));
}

static void managed_variables(void **state) {
    int *out, before;
    void *address;
    (void)state;
    check_success(gclGetSymbolAddress(&address, &test_managed));
    assert_ptr_equal(address, &test_managed); // the host uses it directly
    assert_true(test_managed >= 42);
    before = test_managed;
    check_success(gclMalloc((void **)&out, sizeof *out));
    check_success(TEST_LAUNCH(test_scale, 1, 1, NULL, &out));
    check_success(gclDeviceSynchronize());
    assert_int_equal(test_managed, before + 1);
    check_success(gclFree(out));
}

static void addresses_and_sizes(void **state) {
    int value = 8, back = 0;
    void *address;
    size_t size;
    (void)state;
    check_success(gclGetSymbolSize(&size, &test_variable));
    assert_int_equal(size, 2 * sizeof(int));
    check_success(gclGetSymbolAddress(&address, &test_variable));
    check_success(gclMemcpy(address, &value, sizeof value, gclMemcpyHostToDevice));
    check_success(gclMemcpyFromSymbolAsync(&back, &test_variable, sizeof back, 0,
                                           gclMemcpyDeviceToHost, NULL));
    assert_int_equal(back, 8);
    check_error(gclFree(address), gclErrorInvalidValue);
    gclGetLastError();
}

// Bytes that nobody has ever set would pass for the variable's value.
static void variables_that_device_code_lacks(void **state) {
    char bytes[sizeof test_unused];
    void *address;
    (void)state;
    check_error(gclMemcpyToSymbol(test_unused, "unused", 7, 10, gclMemcpyHostToDevice),
                gclErrorInvalidSymbol);
    check_error(gclMemcpyFromSymbol(bytes, test_unused, sizeof bytes, 0, gclMemcpyDeviceToHost),
                gclErrorInvalidSymbol);
    check_error(gclGetSymbolAddress(&address, test_unused), gclErrorInvalidSymbol);
    gclGetLastError();
}

static void refuses(void **state) {
    int values[3] = {0}, unknown = 0;
    size_t size;
    (void)state;
    check_error(gclMemcpyToSymbol(&test_variable, values, sizeof values, 0, gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_error(gclMemcpyToSymbol(&test_variable, values, 8, 1, gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_error(gclMemcpyToSymbol(&test_variable, values, 4, 0, gclMemcpyDeviceToHost),
                gclErrorInvalidMemcpyDirection);
    check_error(gclMemcpyToSymbol(&unknown, values, 4, 0, gclMemcpyHostToDevice),
                gclErrorInvalidSymbol);
    check_error(gclGetSymbolSize(&size, NULL), gclErrorInvalidSymbol);
    gclGetLastError();
}

static void reset_restores(void **state) {
    int back = 0;
    (void)state;
    check_success(gclDeviceReset());
    check_success(
        gclMemcpyFromSymbol(&back, &test_variable, sizeof back, 0, gclMemcpyDeviceToHost));
    assert_int_equal(back, 6);
}

static void managed_before_main(void **state) {
    (void)state;
    assert_int_equal(test_managed, 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(managed_before_main),
        cmocka_unit_test(values_and_fixups),
        cmocka_unit_test(managed_variables),
        cmocka_unit_test(addresses_and_sizes),
        cmocka_unit_test(variables_that_device_code_lacks),
        cmocka_unit_test(refuses),
        cmocka_unit_test(reset_restores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
