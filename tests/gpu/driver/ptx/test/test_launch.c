// Launches from the text to the result, and how those end that can't go on.
#include <string.h>

#include "machine.h"

enum { COUNT = 1000 };

static uint64_t count_and_factor(uint32_t count, float factor) {
    uint32_t bits;
    memcpy(&bits, &factor, sizeof bits);
    return (uint64_t)bits << 32 | count;
}

static void test_saxpy(void **state) {
    (void)state;
    struct machine machine;
    machine_begin_file(&machine, "saxpy.ptx");
    uint64_t x = machine_allocate(&machine, COUNT * 4), y = machine_allocate(&machine, COUNT * 4);
    float *from = machine_at(&machine, x), *to = machine_at(&machine, y);
    for (int i = 0; i < COUNT; i++) {
        from[i] = (float)i;
        to[i] = 1;
    }
    const struct ptx_function *function = ptx_find(machine.module, "saxpy");
    assert_int_equal(function->max_threads, 256);
    assert_int_equal(function->parameter_count, 3);
    machine_run(&machine, "saxpy", 5, 256, (uint64_t[]){x, y, count_and_factor(COUNT, 2)}, 3);
    for (int i = 0; i < COUNT; i++)
        assert_true(to[i] == 2 * (float)i + 1);
    machine_end(&machine);
}

static void expect_end(uint64_t x, enum ptx_end end, const char *text) {
    struct machine machine;
    machine_begin_file(&machine, "saxpy.ptx");
    machine_allocate(&machine, 4096);
    uint64_t parameters[] = {x, MACHINE_BEGIN, count_and_factor(COUNT, 2)};
    assert_int_equal(machine_launch(&machine, "saxpy", 1, 32, parameters, 3), end);
    assert_string_equal(machine.text, text);
    machine_end(&machine);
}

static void test_illegal_address(void **state) {
    (void)state;
    expect_end(
        MACHINE_BEGIN + 4096 - 40, PTX_ILLEGAL_ADDRESS,
        "illegal address: read of 4 bytes at 0x200001000 of global memory in saxpy, block (0, "
        "0, 0), thread (10, 0, 0), at line 34 of the PTX (saxpy.cu:20)");
}

static void test_misaligned(void **state) {
    (void)state;
    expect_end(MACHINE_BEGIN + 2, PTX_MISALIGNED,
               "misaligned address: access of 4 bytes at 0x200000002 in saxpy, block (0, 0, 0), "
               "thread (0, 0, 0), at line 34 of the PTX (saxpy.cu:20)");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_saxpy),
                                       cmocka_unit_test(test_illegal_address),
                                       cmocka_unit_test(test_misaligned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
